/* SPDX-License-Identifier: MIT */
/* Worst learners by the number of copies of a record in the sample, in exact rationals. */
#ifndef LEARNERS_H
#define LEARNERS_H

#include "support.h"

#include <stdlib.h>

#define MOST_COPIES 4
#define MOST_STEPS 8

/* A learner's odds and leak, and how often a sample holds the record. */
typedef struct setting {
    mpq_t odds, leak, weight[MOST_COPIES + 1];
    unsigned long copies, each;
} setting;

static inline void setting_init(setting *s)
{
    mpq_inits(s->odds, s->leak, NULL);
    for (int j = 0; j <= MOST_COPIES; j++)
        mpq_init(s->weight[j]);
}

static inline void setting_clear(setting *s)
{
    mpq_clears(s->odds, s->leak, NULL);
    for (int j = 0; j <= MOST_COPIES; j++)
        mpq_clear(s->weight[j]);
}

/* p -> g(p), `turns` times */
static inline void climb(mpq_t p, const setting *s, unsigned long turns)
{
    mpq_t low, one;
    mpq_inits(low, one, NULL);
    mpq_set_ui(one, 1, 1);
    for (; turns > 0; turns--) {
        mpq_mul(low, s->odds, p);
        mpq_add(low, low, s->leak);
        mpq_sub(p, one, p);
        mpq_sub(p, p, s->leak);
        mpq_div(p, p, s->odds);
        mpq_sub(p, one, p);
        if (mpq_cmp(low, p) < 0)
            mpq_set(p, low);
        if (mpq_cmp(p, one) > 0)
            mpq_set(p, one);
    }
    mpq_clears(low, one, NULL);
}

/* p -> 1 - g(1 - p), `turns` times */
static inline void sink(mpq_t p, const setting *s, unsigned long turns)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_sub(p, one, p);
    climb(p, s, turns);
    mpq_sub(p, one, p);
    mpq_clear(one);
}

/* Every sequence of k records of n, and how often it holds the first. */
static inline void draw(setting *s, unsigned long n, unsigned long k)
{
    unsigned long at[MOST_COPIES] = {0}, i, all = 0, held[MOST_COPIES + 1] = {0};
    do {
        unsigned long first = 0;
        for (i = 0; i < k; i++)
            first += at[i] == 0;
        held[first]++;
        all++;
        for (i = 0; i < k && ++at[i] == n; i++)
            at[i] = 0;
    } while (i < k);
    for (i = 0; i <= k; i++) {
        mpq_set_ui(s->weight[i], held[i], all);
        mpq_canonicalize(s->weight[i]);
    }
    s->copies = k;
}

static inline int by_value(const void *a, const void *b)
{
    return mpq_cmp(*(const mpq_t *)a, *(const mpq_t *)b);
}

/* Where any g^j or its inverse may be bent, and more: 0, 1, and what leads to or from the knee and
 * the ends. */
static inline size_t places_of(mpq_t *place, const setting *s)
{
    size_t n = 0;
    mpq_t knee, one;
    mpq_inits(knee, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_sub(knee, one, s->leak);
    mpq_add(one, one, s->odds);
    mpq_div(knee, knee, one);
    for (unsigned long turns = 0; turns <= s->copies * s->each; turns++)
        for (int from = 0; from < 3; from++) {
            if (from < 2)
                mpq_set_ui(place[n], (unsigned long)from, 1);
            else
                mpq_set(place[n], knee);
            sink(place[n], s, turns);
            mpq_set(place[n + 1], place[n]);
            mpq_set_ui(one, 1, 1);
            mpq_sub(place[n + 1], one, place[n]);
            n += 2;
        }
    qsort(place, n, sizeof *place, by_value);
    size_t kept = 1;
    for (size_t i = 1; i < n; i++)
        if (!mpq_equal(place[kept - 1], place[i]))
            mpq_set(place[kept++], place[i]);
    mpq_clears(knee, one, NULL);
    return kept;
}

/* Outcomes of the worst learner: those between two places, on either data set. */
typedef struct worst {
    mpq_t p[6 * (MOST_STEPS + 1) + 1], q[6 * (MOST_STEPS + 1) + 1];
    size_t count;
} worst;

static inline void worst_init(worst *w)
{
    for (size_t i = 0; i < sizeof w->p / sizeof *w->p; i++)
        mpq_inits(w->p[i], w->q[i], NULL);
}

static inline void worst_clear(worst *w)
{
    for (size_t i = 0; i < sizeof w->p / sizeof *w->p; i++)
        mpq_clears(w->p[i], w->q[i], NULL);
}

/* Its distribution function is g^(each j) where the sample holds j copies. `exchanged`: as many
 * steps down on the second data set, whose sample may hold the other record. */
static inline void worst_set(worst *w, const setting *s, bool exchanged)
{
    mpq_t place[6 * (MOST_STEPS + 1)], last_p, last_q, x, sum[2];
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        mpq_init(place[i]);
    mpq_inits(last_p, last_q, x, sum[0], sum[1], NULL);
    w->count = places_of(place, s);
    for (size_t i = 0; i < w->count; i++) {
        mpq_set_ui(sum[0], 0, 1);
        mpq_set_ui(sum[1], 0, 1);
        for (unsigned long j = 0; j <= s->copies; j++) {
            mpq_set(x, place[i]);
            climb(x, s, s->each * j);
            mpq_mul(x, x, s->weight[j]);
            mpq_add(sum[0], sum[0], x);
            mpq_set(x, place[i]);
            if (exchanged)
                sink(x, s, s->each * j);
            mpq_mul(x, x, s->weight[j]);
            mpq_add(sum[1], sum[1], x);
        }
        mpq_sub(w->p[i], sum[0], last_p);
        mpq_sub(w->q[i], sum[1], last_q);
        mpq_set(last_p, sum[0]);
        mpq_set(last_q, sum[1]);
    }
    mpq_clears(last_p, last_q, x, sum[0], sum[1], NULL);
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        mpq_clear(place[i]);
}

/* sum (p - odds q)_+ over all outcomes of so many uses, or exchanged */
static inline void spent(mpq_t sum, const worst *w, unsigned long uses, const mpq_t odds, bool back)
{
    size_t at[3] = {0}, i;
    mpq_t p, q;
    mpq_inits(p, q, NULL);
    mpq_set_ui(sum, 0, 1);
    do {
        mpq_set_ui(p, 1, 1);
        mpq_set(q, odds);
        for (i = 0; i < uses; i++) {
            mpq_mul(p, p, back ? w->q[at[i]] : w->p[at[i]]);
            mpq_mul(q, q, back ? w->p[at[i]] : w->q[at[i]]);
        }
        mpq_sub(p, p, q);
        if (mpq_sgn(p) > 0)
            mpq_add(sum, sum, p);
        for (i = 0; i < uses && ++at[i] == w->count; i++)
            at[i] = 0;
    } while (i < uses);
    mpq_clears(p, q, NULL);
}

static inline void truth(mpq_t out, const worst *w, unsigned long uses, const mpq_t odds)
{
    mpq_t other;
    mpq_init(other);
    spent(out, w, uses, odds, false);
    spent(other, w, uses, odds, true);
    if (mpq_cmp(other, out) > 0)
        mpq_set(out, other);
    mpq_clear(other);
}

static inline void set_log(dp_number *x, const mpq_t odds)
{
    x->is_log = mpq_cmp_ui(odds, 1, 1) != 0;
    mpq_set(x->value, odds);
    if (!x->is_log)
        mpq_set_ui(x->value, 0, 1);
}

/* The list of so many uses of one model, asked at ln(odds) with that claim. */
static inline void ask(dp_result *r, const dp_bagging *b, unsigned long uses, const mpq_t odds,
                       const mpq_t claim)
{
    dp_number x, delta;
    dp_composition list;
    mpz_t times;
    dp_composition_init_under(&list, b->adjacency);
    mpz_init_set_ui(times, uses);
    assert_int_equal(dp_composition_add_bagging(&list, b, times, 10, NULL), DP_OK);
    dp_number_init(&x);
    dp_number_init(&delta);
    set_log(&x, odds);
    mpq_set(delta.value, claim);
    dp_options opt = dp_options_default();
    opt.max_epsilon = &x;
    opt.max_delta = mpq_cmp_ui(claim, 1, 1) <= 0 ? &delta : NULL;
    if (opt.max_delta == NULL)
        opt.max_epsilon = NULL;
    dp_compose_query q = {.list = &list, .target_epsilon = &x};
    dp_result_init(r);
    assert_int_equal(dp_compose(r, &q, &opt, NULL), DP_OK);
    mpz_clear(times);
    dp_composition_clear(&list);
    dp_number_clear(&delta);
    dp_number_clear(&x);
}

static const char *const all_odds[] = {"2", "5/4", "1", "7"};
static const char *const all_leaks[] = {"0", "1/40", "2/5", "3/5"};
static const char *const all_targets[] = {"1", "6/5", "2", "9/2"};

static inline void set_bagging(dp_bagging *b, dp_number *base, const setting *s,
                               dp_relation relation)
{
    set_log(base, s->odds);
    b->base_epsilon = base;
    mpq_set(b->base_delta, s->leak);
    b->adjacency = relation;
    b->base_adjacency = s->each == 2 ? DP_BASE_ADD_REMOVE : DP_BASE_REPLACE_ONE;
}

/* Not below q, and above it by rounding alone. */
static inline bool is_nearly(const dp_figure *f, const mpq_t q)
{
    mpq_t high, most;
    mpq_inits(high, most, NULL);
    if (f->kind == DP_RATIONAL)
        mpq_set(high, f->rational);
    else
        mpfr_get_q(high, &f->enclosure->right);
    rational_of(most, "1000000001/1000000000");
    mpq_mul(most, most, q);
    bool near = mpq_cmp(high, q) >= 0 && mpq_cmp(high, most) <= 0;
    mpq_clears(high, most, NULL);
    return near;
}

#endif
