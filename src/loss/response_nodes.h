/* SPDX-License-Identifier: MIT */
/* The characteristic function of the tilted loss, at the nodes of a trapezoidal sum:
 *     phi(theta) = prod_i (cos(theta eps_i) + i tanh(eps_i (c + 1/2)) sin(theta eps_i))^times_i.
 * Nodes are theta_n = n * spacing; on a lattice theta_n eps_i = pi n m_i / N exactly. */
#ifndef LOSS_RESPONSE_NODES_H
#define LOSS_RESPONSE_NODES_H

#include <stdint.h>

#include "loss/response.h"
#include "num/cdisc.h"

typedef struct waves {
    const response *list;
    const uint64_t *multiple; /* m_i on a lattice, else NULL */
    uint64_t *scaled;         /* where they are not those of the law's own step */
    uint64_t period;          /* N on a lattice */
    mpfr_prec_t work;
    cdisc *lean;          /* tanh(eps_i (c + 1/2)) */
    mpfr_t *angle, *away; /* spacing eps_i elsewhere: within `away` of `angle` */
    cdisc *step, *turn;   /* e^(i spacing eps), and e^(i theta_n eps) at node `at` */
    uint64_t at, run;
    cdisc *power; /* table of e^(i pi n d 2^(7k) / N) on a lattice */
    size_t digits;
    cdisc scratch, factor, part;
} waves;

/* The law is prepared. DP_MEMORY when a table cannot be made. */
dp_status waves_init(waves *w, const response *list, const line *at);
void waves_clear(waves *w);

void waves_phi(cdisc *phi, waves *w, uint64_t n); /* at node n */

/* x = eps, rounded once or twice */
void waves_epsilon(mpfr_t x, const dp_number *epsilon);

#endif
