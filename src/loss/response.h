/* SPDX-License-Identifier: MIT */
/* Randomized response of any number of uses and epsilons > 0: L = eps with probability q, -eps with
 * p, q = 1 - p = e^eps / (1 + e^eps), so that K(z) = sum t ln(cosh(eps (z + 1/2)) / cosh(eps / 2)).
 * By Kairouz, Oh, Viswanath it dominates whatever is (eps, 0)-DP, and with a leak of delta whatever
 * is (eps, delta)-DP. */
#ifndef LOSS_RESPONSE_H
#define LOSS_RESPONSE_H

#include "loss/buckets.h"
#include "loss/product.h"

/* All uses of one epsilon > 0. */
typedef struct composed_loss {
    dp_number epsilon;
    mpz_t times;
} composed_loss;

typedef struct response_series response_series; /* loss/response_series.h */

typedef struct response {
    composed_loss
        *loss; /* distinct and ascending, rationals before logarithms, once it is closed */
    size_t losses, room;
    mpz_t uses;
    bool closed;
    logform total; /* sum of t eps, once it is closed */
    /* of `prepare`: */
    bool prepared;
    buckets guess;
    bool has_step;
    dp_number step;
    uint64_t *multiple;      /* epsilon_i / step */
    response_series *series; /* of a long list, or NULL */
} response;

extern const loss_ops response_ops;

/* With room for so many epsilons; NULL: out of memory. */
response *response_new(size_t room);
loss response_law(response *r);

/* `times` uses of an epsilon, which is merged with the last one where they are equal, and with any
 * other when the law is closed. DP_MEMORY. */
dp_status response_push(response *r, const dp_number *epsilon, const mpz_t times);

/* The same for the law of that kind in a product, made where there is none; epsilon >= 0. */
dp_status response_add(product *p, const dp_number *epsilon, const mpz_t times);

/* Sorts, merges and adds up. DP_MEMORY. */
dp_status response_close(response *r);

/* k = K(z) by its formula: at z = 0 or -1 an enclosure of 0, wider than that. */
void response_moment(mpfi_t k, const response *r, const mpfi_t z, const limits *lim);

/* ---- parts of the law in files of their own ---- */
dp_status response_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                            size_t count, const limits *lim);
size_t response_resonances(scan_item *out, size_t room, const void *self, const line *at);
dp_status response_cell(mpfi_ptr g, mpfi_ptr v, const void *self, mpz_srcptr i, mpfr_prec_t bits,
                        const limits *lim);
bool response_exact(mpq_t s, const void *self, const logform *x);
bool response_exact_group(mpz_t *p, mpz_t *q, mpz_ptr scale, const void *self, size_t group);
dp_status response_prepare(void *self);
bool response_find_step(response *r); /* false: out of memory */
bool response_step(dp_number *step, bool *halved, const void *self);

#endif
