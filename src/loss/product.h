/* SPDX-License-Identifier: MIT */
/* What is composed, in one direction: independent losses, and leaks. With D = prod (1 - leak) and
 * s of the losses, the privacy profile is delta(x) = 1 - D (1 - s(x)). */
#ifndef LOSS_PRODUCT_H
#define LOSS_PRODUCT_H

#include "loss/loss.h"

/* All leaks of one delta. */
typedef struct product_leak {
    mpq_t delta; /* in (0, 1) */
    mpz_t times;
} product_leak;

typedef struct product {
    loss *item; /* one law of each kind: a law's own add function merges equal ones */
    size_t count, room;
    product_leak *leak; /* distinct, in no order */
    size_t leaks, leak_room;
    bool certain_leak; /* some mechanism leaks with probability 1 */
    bool upper_only;   /* some law is only an upper bound of what is released */
    bool bracketed;    /* some law is an upper end, to which a lower end belongs */
} product;

void product_init(product *p);
void product_clear(product *p);

/* Takes the law over, also where it fails, which is DP_MEMORY. */
dp_status product_take(product *p, loss law);

/* The law of that kind, or NULL: for laws that merge with their equals. */
loss *product_find(const product *p, const loss_ops *ops);

/* What the law of that kind owns; where there is none, of that many bytes of zeros, which `clear`
 * must take. NULL: out of memory. */
void *product_own(product *p, const loss_ops *ops, size_t size);

/* A leak of probability delta, 0 <= delta <= 1, in each of `times` uses. */
dp_status product_leak_add(product *p, const mpq_t delta, const mpz_t times);
/* The same for a delta that the product does not hold yet: no search. */
dp_status product_leak_push(product *p, const mpq_t delta, const mpz_t times);

/* ---- all leaks together: leaks.c ---- */

/* out = ln D = sum of times log1p(-delta), -infinity where some leak is certain. */
void product_log_keep(mpfi_t out, const product *p);

/* out = 1 - D, exactly when that is small enough to form. False when it is not. */
bool product_leak_q(mpq_t out, const product *p);

/* Sign of (1 - D) - delta, exact; false when the limits do not decide. */
bool product_compare_leak(int *sign, const product *p, const mpq_t delta);

#endif
