/* SPDX-License-Identifier: MIT */
#ifndef LOSS_RESPONSE_LIST_H
#define LOSS_RESPONSE_LIST_H

#include "dpacct/compose.h"
#include "loss/response.h"

/* A list of (epsilon_i, delta_i) brought to the form that the formulas need. Its optimal privacy
 * profile depends on the losses through randomized response and on the leaks through
 * D = prod (1 - delta_i) alone: that is its product, for the engines. */
typedef struct composed {
    product product;
    /* what the product owns: */
    const response *response;  /* NULL: nothing is lost */
    const composed_loss *loss; /* ascending, rationals before logarithms */
    size_t losses;
    const product_leak *leak;
    size_t leaks;
    bool certain_leak; /* some delta_i is 1 */
    logform total;     /* sum of epsilon_i */
    mpz_t uses;        /* mechanisms in all, with repeats */
    mpz_t lossy;       /* those with epsilon > 0 */
    bool above;        /* some pair is only an upper bound of its mechanism */
    logform one_way;   /* -ln of the product of 1 - delta over the leaks of one direction */
} composed;

/* DP_OK or DP_MEMORY; always leaves *c safe to clear. */
dp_status composed_init(composed *c, const dp_composition *list);
void composed_clear(composed *c);

/* Does some mechanism attain the profile at every epsilon >= 0, and in both directions and at every
 * epsilon? */
bool composed_is_attained(const composed *c);
bool composed_is_attained_twice(const composed *c);

/* As product_log_keep and so on, of its product. */
void composed_log_keep(mpfi_t out, const composed *c);
bool composed_leak_q(mpq_t out, const composed *c);
bool composed_compare_leak(int *sign, const composed *c, const mpq_t delta);

/* out = sum t eps^2 / 2 exactly; false where some epsilon is a logarithm. */
bool composed_half_square_q(mpq_t out, const composed *c);

/* out = K(z) = ln E_P e^(zL) = sum t ln(cosh(eps (z + 1/2)) / cosh(eps/2)) */
void composed_moment(mpfi_t out, const composed *c, const mpfi_t z);

/* out = the sum of t eps f(eps) over the list, f = 1, eps, tanh(eps/2) or e^eps - 1. */
typedef enum composed_part { SUM_FIRST, SUM_SQUARE, SUM_MEAN, SUM_GROWTH } composed_part;
void composed_sum(mpfi_t out, const composed *c, composed_part part);

/* All of them. */
typedef struct composed_sums {
    mpfi_t first, square, mean, growth;
} composed_sums;
void composed_sums_init(composed_sums *s, const composed *c, mpfr_prec_t bits);
void composed_sums_clear(composed_sums *s);

#endif
