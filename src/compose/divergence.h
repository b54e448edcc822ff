/* SPDX-License-Identifier: MIT */
#ifndef COMPOSE_DIVERGENCE_H
#define COMPOSE_DIVERGENCE_H

#include "loss/response_list.h"

/* Evaluated on a `composed` list without leaks. */
extern const bound kl_tight, kl_bun_steinke, kl_dwork_rothblum, kl_dwork;

/* A list and a Renyi order. */
typedef struct divergence_in {
    const composed *list;
    mpq_srcptr order;
} divergence_in;

/* The row of the total variation, of a composing whose x is 0 (optimal.h). */
dp_status divergence_total_variation_row(dp_result *out, void *in, const dp_options *opt);

extern const bound divergence_total_variation, divergence_total_variation_sum,
    divergence_total_variation_pinsker;
extern const bound divergence_chi_squared, divergence_squared_hellinger, divergence_max;
extern const bound divergence_renyi, divergence_renyi_quadratic, divergence_renyi_max;

#endif
