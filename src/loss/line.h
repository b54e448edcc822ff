/* SPDX-License-Identifier: MIT */
/* What the laws ask of a line of nodes. */
#ifndef LOSS_LINE_H
#define LOSS_LINE_H

#include "loss/loss.h"

/* t encloses t_n = n spacing, to about a relative 2^-bits, the bits of t. */
void line_height(mpfi_t t, const line *at, uint64_t node);

/* Is there time for so many nodes, each some logarithms of so many bits and a power? */
bool line_time_for(const limits *lim, size_t nodes, const mpz_t times, mpfr_prec_t bits);

/* The advance per node, spacing l / 2 pi modulo 1, of a pair of outcomes whose losses differ by l,
 * enclosed with line_turn_bits(at, e), |l| < 2^e. The weight is left alone. */
mpfr_prec_t line_turn_bits(const line *at, mpfr_exp_t exponent);
void line_turn(scan_item *item, const line *at, const mpfi_t l);

#endif
