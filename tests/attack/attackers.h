/* SPDX-License-Identifier: MIT */
/* Questions about attackers, pairs of laws in rationals, and what is expected of a row. */
#ifndef ATTACKERS_H
#define ATTACKERS_H

/* before cmocka, which has a macro `fail` */
#include "attack/advantage.h"
#include "core/result.h"
#include "num/number.h"

#include "support.h"

#include <string.h>

#define MOST 6

/* P and Q on n outcomes. */
typedef struct laws {
    size_t n;
    mpq_t p[MOST], q[MOST];
} laws;

typedef struct asked {
    dp_result r;
    dp_options opt;
    dp_number epsilon, delta, prior, belief, kappa, secrets, tpr;
    mpq_t fpr[1], u, v, w;
    dp_conversion statement;
    dp_attacker q;
} asked;

static inline void asked_init(asked *a)
{
    memset(a, 0, sizeof *a);
    dp_result_init(&a->r);
    a->opt = dp_options_default();
    a->opt.all = true;
    dp_number *numbers[] = {&a->epsilon, &a->delta,   &a->prior, &a->belief,
                            &a->kappa,   &a->secrets, &a->tpr};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        dp_number_init(numbers[i]);
    mpq_inits(a->fpr[0], a->u, a->v, a->w, NULL);
    a->statement = (dp_conversion){.approx = &a->epsilon, .approx_delta = &a->delta};
    a->q.statement = &a->statement;
}

static inline void asked_clear(asked *a)
{
    dp_number *numbers[] = {&a->epsilon, &a->delta,   &a->prior, &a->belief,
                            &a->kappa,   &a->secrets, &a->tpr};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        dp_number_clear(numbers[i]);
    mpq_clears(a->fpr[0], a->u, a->v, a->w, NULL);
    dp_result_clear(&a->r);
}

static inline void ask(asked *a)
{
    dp_error err = {DP_OK, NULL, NULL};
    dp_status status = dp_advantage(&a->r, &a->q, &a->opt, &err);
    if (status != DP_OK)
        fail_msg("%s %s", err.argument, err.message);
}

static inline const dp_figure *need(const asked *a, const char *id, const char *name)
{
    const dp_figure *x = row_of(&a->r, id, name);
    if (x == NULL)
        fail_msg("no %s of %s", name, id);
    return x;
}

/* That of the last row of the theorem. */
static inline const dp_figure *need_last(const asked *a, const char *id, const char *name)
{
    dp_result last = a->r;
    while (last.count > 0 && strcmp(last.row[last.count - 1].theorem->id, id) != 0)
        last.count--;
    if (last.count == 0)
        fail_msg("no %s", id);
    last.row += last.count - 1;
    last.count = 1;
    const dp_figure *x = row_of(&last, id, name);
    if (x == NULL)
        fail_msg("no %s of %s", name, id);
    return x;
}

/* Is the value at most the figure? The upper end, where it is enclosed. */
static inline void expect_within(const asked *a, const char *id, const char *name,
                                 const mpq_t value)
{
    const dp_figure *x = need(a, id, name);
    bool ok = x->kind == DP_INFINITE ||
              (x->kind == DP_RATIONAL ? mpq_cmp(value, x->rational) <= 0
                                      : mpfr_cmp_q(&x->enclosure->right, value) >= 0);
    if (!ok)
        fail_msg("%s: %s is exceeded: %g", id, name, mpq_get_d(value));
}

/* The same of what is bounded from below, in the last row. */
static inline void expect_not_below(const asked *a, const char *id, const char *name,
                                    const mpq_t value)
{
    const dp_figure *x = need_last(a, id, name);
    bool ok = x->kind == DP_RATIONAL ? mpq_cmp(value, x->rational) >= 0
                                     : mpfr_cmp_q(&x->enclosure->left, value) <= 0;
    if (!ok)
        fail_msg("%s: %s is undercut: %g", id, name, mpq_get_d(value));
}

static inline void expect_equal(const asked *a, const char *id, const char *name, const mpq_t value)
{
    const dp_figure *x = need(a, id, name);
    if (x->kind != DP_RATIONAL || !mpq_equal(x->rational, value))
        fail_msg("%s: %s is not reached: %g", id, name, mpq_get_d(value));
}

static inline void laws_init(laws *l, size_t n)
{
    l->n = n;
    for (size_t i = 0; i < MOST; i++)
        mpq_inits(l->p[i], l->q[i], NULL);
}

static inline void laws_clear(laws *l)
{
    for (size_t i = 0; i < MOST; i++)
        mpq_clears(l->p[i], l->q[i], NULL);
}

/* A law with some zeros; the mass of the numerators is 24. */
static inline void random_law(mpq_t *p, size_t n, rng *r)
{
    unsigned long left = 24;
    for (size_t i = 0; i < n; i++) {
        unsigned long part = i + 1 == n ? left : rng_below(r, left + 1);
        if (rng_below(r, 4) == 0 && i + 1 < n)
            part = 0;
        mpq_set_ui(p[i], part, 24);
        mpq_canonicalize(p[i]);
        left -= part;
    }
}

/* out = sum (p - k q)+ */
static inline void hockey(mpq_t out, const mpq_t *p, const mpq_t *q, size_t n, const mpq_t k)
{
    mpq_t d;
    mpq_init(d);
    mpq_set_ui(out, 0, 1);
    for (size_t i = 0; i < n; i++) {
        mpq_mul(d, k, q[i]);
        mpq_sub(d, p[i], d);
        if (mpq_sgn(d) > 0)
            mpq_add(out, out, d);
    }
    mpq_clear(d);
}

static inline void both_ways(mpq_t out, const laws *l, const mpq_t k)
{
    mpq_t other;
    mpq_init(other);
    hockey(out, (const mpq_t *)l->p, (const mpq_t *)l->q, l->n, k);
    hockey(other, (const mpq_t *)l->q, (const mpq_t *)l->p, l->n, k);
    if (mpq_cmp(other, out) > 0)
        mpq_set(out, other);
    mpq_clear(other);
}

/* The statement (ln k, delta) of the pair, the least delta. */
static inline void state(asked *a, const laws *l, const mpq_t k)
{
    both_ways(a->u, l, k);
    number_set_log(&a->epsilon, k);
    number_set_q(&a->delta, a->u);
}

static inline void set_prior(asked *a, unsigned long part, unsigned long of)
{
    mpq_set_ui(a->v, part, of);
    mpq_canonicalize(a->v);
    number_set_q(&a->prior, a->v);
    a->q.prior = &a->prior;
}

static inline void expect_text(const asked *a, const char *id, const char *name, const char *value)
{
    mpq_t q;
    mpq_init(q);
    rational_of(q, value);
    expect_equal(a, id, name, q);
    mpq_clear(q);
}

#endif
