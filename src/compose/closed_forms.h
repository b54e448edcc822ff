/* SPDX-License-Identifier: MIT */
#ifndef COMPOSE_CLOSED_FORMS_H
#define COMPOSE_CLOSED_FORMS_H

#include "loss/response_list.h"
#include "renyi/order.h"

/* What the closed forms of composition are asked: epsilon at a delta, delta at an epsilon, or the
 * pair that belongs to a slack. */
typedef struct compose_in {
    const composed *list;
    const dp_composition *items;   /* the list as it was given */
    const logform *target_epsilon; /* or NULL */
    mpq_srcptr target_delta;       /* or NULL */
    mpq_srcptr slack;              /* or NULL: taken from the target */
    order_choice *choice;          /* of the rows by moments: exact, zCDP */
} compose_in;

extern const bound compose_basic, compose_basic_sum, compose_advanced;
extern const bound compose_kov_sum, compose_kov_log, compose_kov_hoeffding, compose_filter;
extern const bound compose_rdp, compose_zcdp, compose_zcdp_simple, compose_zcdp_classic;
extern const bound he2021_theorem_4, he2021_theorem_4_corrected, he2021_corollary_1;
extern const bound he2021_corollary_1_corrected, he2021_corollary_2, he2021_corollary_2_corrected;
extern const bound he2021_corollary_2_sharp, he2021_theorem_5, he2021_theorem_6;
extern const bound he2021_theorem_6_corrected;

#endif
