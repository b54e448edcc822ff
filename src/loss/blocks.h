/* SPDX-License-Identifier: MIT */
/* The characteristic function of a law at 64 consecutive nodes at a time, in doubles
 * (num/binary64.h), with a proved error: what the engines sum where there are millions of nodes. */
#ifndef LOSS_BLOCKS_H
#define LOSS_BLOCKS_H

#include "dpacct/status.h"
#include "num/binary64.h"

/* The nodes z_n = c + 2 pi i n turn, c > 0. */
typedef struct block_line {
    double c;
    mpfr_srcptr turn;              /* the advance of a loss of 1 from node to node, in turns */
    double lambda;                 /* nodes with |phi| <= e^-lambda need not be made */
    const binary64_circle *circle; /* outlives what is opened */
    unsigned width;                /* of vectors, binary64_width or less */
} block_line;

/* The error of `multiply`: a product in doubles P with |P| <= 1.1 becomes P' = P phi (1 + d) + e,
 * where
 *     |ln(1 + d)| <= relative,   and   |P' - P phi| <= absolute,
 * and e is what underflow costs, at most 2^-960 in any later product, too. */
typedef struct block_error {
    double relative, absolute;
} block_error;

/* One of both products, which several threads may call at once: it takes no memory, calls no MPFR
 * and leaves its self as it is. */
typedef struct block_ops {
    void (*close)(void *self);
    /* P[k] *= phi(node first + k), first + 63 < 2^32. False: abandoned, where every |P phi| of the
     * block was found at most e^-lambda, apart from `relative` of the laws so far; P is lost. */
    bool (*multiply)(double re[BINARY64_BLOCK], double im[BINARY64_BLOCK], const void *self,
                     uint64_t first);
    /* The same of a law whose phi is a sum, wrong by more than a share of it where it is small: it
     * comes after all that multiply. |e| <= 1.1 away[k], `relative` of all laws at most 2^-6. */
    bool (*multiply_sum)(double re[BINARY64_BLOCK], double im[BINARY64_BLOCK],
                         double away[BINARY64_BLOCK], const void *self, uint64_t first);
} block_ops;

typedef struct block_law {
    const block_ops *ops;
    void *self;
    block_error error;
    double work; /* products a node, about */
    double rare; /* of so many nodes one is not abandoned, about; 0: of each */
} block_law;

#endif
