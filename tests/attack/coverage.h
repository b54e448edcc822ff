/* SPDX-License-Identifier: MIT */
/* Audits that are asked about one outcome after another. */
#ifndef ATTACK_COVERAGE_H
#define ATTACK_COVERAGE_H

#include "support.h"

#include "alarms.h"

#include <string.h>

#include "attack/binomial.h"

#define BITS 100

typedef struct ask {
    dp_audit a;
    dp_result r;
    dp_number n[4], delta, confidence, claim, at, looks, split, point[8];
    dp_options opt;
} ask;

static inline void ask_each(ask *q, void (*f)(dp_number *))
{
    for (size_t i = 0; i < 4; i++)
        f(&q->n[i]);
    for (size_t i = 0; i < 8; i++)
        f(&q->point[i]);
    f(&q->delta);
    f(&q->confidence);
    f(&q->claim);
    f(&q->at);
    f(&q->looks);
    f(&q->split);
}

static inline void ask_open(ask *q, dp_audit_method method, const char *delta,
                            const char *confidence)
{
    memset(q, 0, sizeof *q);
    dp_result_init(&q->r);
    ask_each(q, dp_number_init);
    number_of(&q->delta, delta);
    number_of(&q->confidence, confidence);
    q->a = (dp_audit){.delta = &q->delta, .confidence = &q->confidence, .method = method};
    q->opt = dp_options_default();
}

static inline void ask_looks(ask *q, unsigned long k)
{
    dp_number_set_ui(&q->looks, k);
    q->a.looks = &q->looks;
}

static inline void ask_close(ask *q)
{
    ask_each(q, dp_number_clear);
    dp_result_clear(&q->r);
}

static inline void answer(ask *q)
{
    dp_error err = {DP_OK, NULL, NULL};
    if (dp_audit_evaluate(&q->r, &q->a, &q->opt, &err) != DP_OK)
        fail_msg("%s %s", err.argument, err.message);
}

/* out = Phi(t), and its complement */
static inline void normal(share *out, double t)
{
    mpfi_t x;
    mpfi_init2(x, BITS);
    mpfi_set_ui(x, 2);
    mpfi_sqrt(x, x);
    mpfi_d_div(x, t, x);
    mpfr_erfc(&out->no->left, &x->right, MPFR_RNDD);
    mpfr_erfc(&out->no->right, &x->left, MPFR_RNDU);
    mpfi_neg(x, x);
    mpfr_erfc(&out->yes->left, &x->right, MPFR_RNDD);
    mpfr_erfc(&out->yes->right, &x->left, MPFR_RNDU);
    mpfi_div_2ui(out->yes, out->yes, 1);
    mpfi_div_2ui(out->no, out->no, 1);
    mpfi_clear(x);
}

#endif
