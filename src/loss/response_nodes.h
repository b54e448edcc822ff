/* SPDX-License-Identifier: MIT */
/* The characteristic function of the tilted loss, at the nodes of a trapezoidal sum:
 *     phi(theta) = prod_i (cos(theta eps_i) + i tanh(eps_i (c + 1/2)) sin(theta eps_i))^times_i.
 * Nodes are theta_n = n * spacing; on a lattice theta_n eps_i = pi n m_i / N exactly. */
#ifndef LOSS_RESPONSE_NODES_H
#define LOSS_RESPONSE_NODES_H

#include <stdint.h>

#include "loss/response_list.h"
#include "loss/scan_item.h"
#include "num/complex.h"
#include "num/limits.h"

typedef struct waves {
    const composed *list;
    const uint64_t *multiple; /* m_i on a lattice, else NULL */
    uint64_t period;          /* N on a lattice */
    mpfr_srcptr spacing;      /* elsewhere */
    uint64_t last;            /* the largest node that will be asked for */
    mpfr_prec_t work;
    mpfr_t pi, *tanh, *epsilon;
    cx *step, *turn; /* e^(i spacing eps), and e^(i theta_n eps) at node `at` */
    uint64_t at, run;
    cx *power; /* table of e^(i pi n d 2^(7k) / N) on a lattice */
    size_t digits;
    cx t, factor, part;
} waves;

/* c is a double with at most 30 significant bits. DP_MEMORY when a table cannot be made. */
dp_status waves_init(waves *w, const composed *list, const uint64_t *multiple, uint64_t period,
                     mpfr_srcptr spacing, double c, uint64_t last, mpfr_prec_t work);
void waves_clear(waves *w);

/* phi at node n, to within waves_error(w) in absolute value. */
void waves_phi(cx *phi, waves *w, uint64_t n);
/* error >= |computed phi - phi|, rounded up. */
void waves_error(mpfr_t error, const waves *w);

/* The items of scan_nodes for these nodes: `turns` as the advance of 2 theta eps per node. */
void waves_scan_items(scan_item *item, const composed *list, const uint64_t *multiple,
                      uint64_t period, mpfr_srcptr spacing, double c);

#endif
