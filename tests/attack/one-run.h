/* SPDX-License-Identifier: MIT */
/* Audits of one run, asked of the library. */
#ifndef ATTACK_ONE_RUN_H
#define ATTACK_ONE_RUN_H

#include "support.h"

#include <stdlib.h>
#include <string.h>

typedef struct run {
    dp_audit a;
    dp_result r;
    dp_number m, n, v, delta, confidence, claim;
    dp_options opt;
} run;

static inline void run_open(run *q, unsigned long m, unsigned long n, unsigned long v,
                            const char *delta, const char *claim, dp_audit_method method)
{
    memset(q, 0, sizeof *q);
    dp_result_init(&q->r);
    dp_number *all[] = {&q->m, &q->n, &q->v, &q->delta, &q->confidence, &q->claim};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        dp_number_init(all[i]);
    dp_number_set_ui(&q->m, m);
    dp_number_set_ui(&q->n, n);
    dp_number_set_ui(&q->v, v);
    number_of(&q->delta, delta);
    number_of(&q->confidence, "0.95");
    number_of(&q->claim, claim);
    q->a = (dp_audit){.one_run = true,
                      .canaries = &q->m,
                      .guesses = &q->n,
                      .correct = &q->v,
                      .delta = &q->delta,
                      .confidence = &q->confidence,
                      .method = method};
    q->opt = dp_options_default();
}

static inline void run_close(run *q)
{
    dp_number *all[] = {&q->m, &q->n, &q->v, &q->delta, &q->confidence, &q->claim};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        dp_number_clear(all[i]);
    dp_result_clear(&q->r);
}

static inline double answered(run *q, const char *name)
{
    assert_int_equal(dp_audit_evaluate(&q->r, &q->a, &q->opt, NULL), DP_OK);
    return dp_figure_double(dp_result_figure(&q->r, name), dp_quantity_safe(name), 10);
}

static inline double p_value(unsigned long m, unsigned long n, unsigned long v, const char *delta,
                             const char *claim, dp_audit_method method)
{
    run q;
    run_open(&q, m, n, v, delta, claim, method);
    q.opt.max_epsilon = &q.claim;
    double p = answered(&q, "p_value");
    bool refuted = p <= 0.05;
    assert_int_equal(q.r.check.holds, refuted ? DP_NO : DP_YES);
    assert_int_equal(answered(&q, "epsilon_lower") >= strtod(claim, NULL), refuted);
    run_close(&q);
    return p;
}

#endif
