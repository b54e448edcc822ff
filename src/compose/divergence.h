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

/* The first has an engine, of a composing whose x is 0 (composing.h). */
extern const bound divergence_total_variation, divergence_total_variation_sum,
    divergence_total_variation_pinsker;
extern const bound divergence_chi_squared, divergence_squared_hellinger, divergence_max;
extern const bound divergence_renyi, divergence_renyi_quadratic, divergence_renyi_max;

#endif
