/* SPDX-License-Identifier: MIT */
/* Poisson samples of a learner known under replace-one adjacency, records replaced, in exact
 * rationals: the learner that says when its sample is empty shows what is printed as exact, and no
 * random learner on up to three records shows more; several models are the product of its pair. */
#include "support.h"

#include <math.h>

#include "engine/invert.h"
#include "loss/steps.h"
#include "num/number.h"

typedef struct setting {
    dp_number base;
    mpq_t odds, leak, rate;
} setting;

static void setting_init(setting *s, const char *odds, const char *leak, const char *rate)
{
    dp_number_init(&s->base);
    mpq_inits(s->odds, s->leak, s->rate, NULL);
    rational_of(s->odds, odds);
    rational_of(s->leak, leak);
    rational_of(s->rate, rate);
    number_set_log(&s->base, s->odds);
}

static void setting_clear(setting *s)
{
    dp_number_clear(&s->base);
    mpq_clears(s->odds, s->leak, s->rate, NULL);
}

static void ask(dp_result *r, const setting *s, unsigned long models, const dp_number *at,
                const dp_number *target)
{
    dp_bagging b;
    dp_options opt = dp_options_default();
    dp_bagging_init(&b);
    b.sampling = DP_POISSON;
    b.adjacency = DP_REPLACE_ONE;
    b.base_adjacency = DP_BASE_REPLACE_ONE;
    mpz_set_ui(b.models, models);
    mpq_set(b.sampling_rate, s->rate);
    mpq_set(b.base_delta, s->leak);
    b.base_epsilon = &s->base;
    b.target_epsilon = at;
    b.target_delta = target;
    assert_int_equal(dp_bagging_privacy(r, &b, &opt, NULL), DP_OK);
    dp_bagging_clear(&b);
}

/* out = g(p) = min(1, leak + E p, 1 - (1 - leak - p)/E) */
static void farthest(mpq_t out, const setting *s, const mpq_t p)
{
    mpq_t high, one;
    mpq_inits(high, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_sub(high, one, s->leak);
    mpq_sub(high, high, p);
    mpq_div(high, high, s->odds);
    mpq_sub(high, one, high);
    mpq_mul(out, s->odds, p);
    mpq_add(out, out, s->leak);
    if (mpq_cmp(high, out) < 0)
        mpq_set(out, high);
    if (mpq_cmp(one, out) < 0)
        mpq_set(out, one);
    mpq_clears(high, one, NULL);
}

#define OUTCOMES 5

/* The pair on a data set of one record: revealed, plus, minus, hidden, and empty. */
static void worst_pair(mpq_t *p, mpq_t *q, const setting *s)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_sub(p[4], one, s->rate);
    mpq_mul(p[0], s->rate, s->leak);
    mpq_sub(p[2], s->rate, p[0]);
    mpq_add(one, one, s->odds);
    mpq_div(p[2], p[2], one);
    mpq_mul(p[1], p[2], s->odds);
    for (int i = 0; i < 4; i++)
        mpq_set(q[i], p[3 - i]);
    mpq_set(q[4], p[4]);
    mpq_clear(one);
}

/* out += sum (a p - e b q)_+ over so many further models */
static void add_gap(mpq_t out, mpq_t *p, mpq_t *q, unsigned long models, const mpq_t a,
                    const mpq_t b, const mpq_t e)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    if (models == 0) {
        mpq_mul(x, e, b);
        mpq_sub(x, a, x);
        if (mpq_sgn(x) > 0)
            mpq_add(out, out, x);
    }
    for (int i = 0; models > 0 && i < OUTCOMES; i++) {
        mpq_mul(x, a, p[i]);
        mpq_mul(y, b, q[i]);
        if (mpq_sgn(x) > 0)
            add_gap(out, p, q, models - 1, x, y, e);
    }
    mpq_clears(x, y, NULL);
}

static void worst_delta(mpq_t out, const setting *s, unsigned long models, const mpq_t e)
{
    mpq_t p[OUTCOMES], q[OUTCOMES], one;
    for (int i = 0; i < OUTCOMES; i++)
        mpq_inits(p[i], q[i], NULL);
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(out, 0, 1);
    worst_pair(p, q, s);
    add_gap(out, p, q, models, one, one, e);
    mpq_clear(one);
    for (int i = 0; i < OUTCOMES; i++)
        mpq_clears(p[i], q[i], NULL);
}

#define MOST_RECORDS 3

/* p[sample]: bit 0 and 1 the record and the other one, then those that stay. Samples of one size
 * have probabilities between some p and g(p). */
static void random_learner(mpq_t *p, const setting *s, rng *r)
{
    mpq_t low[MOST_RECORDS + 2], high, part;
    mpq_inits(high, part, NULL);
    for (int size = 0; size < MOST_RECORDS + 2; size++) {
        mpq_init(low[size]);
        mpq_set_ui(low[size], rng_below(r, 13), 12);
        mpq_canonicalize(low[size]);
        if (rng_below(r, 2) == 0)
            mpq_mul(low[size], low[size], low[size]);
    }
    for (unsigned long sample = 0; sample < 1UL << (MOST_RECORDS + 1); sample++) {
        int size = 0;
        for (unsigned long rest = sample; rest > 0; rest /= 2)
            size += rest % 2 != 0;
        farthest(high, s, low[size]);
        mpq_sub(high, high, low[size]);
        mpq_set_ui(part, rng_below(r, 3), 2);
        mpq_canonicalize(part);
        mpq_mul(part, part, high);
        mpq_add(p[sample], low[size], part);
    }
    for (int size = 0; size < MOST_RECORDS + 2; size++)
        mpq_clear(low[size]);
    mpq_clears(high, part, NULL);
}

/* out = the probability of the event; `has`: the bit of the record that is there */
static void event(mpq_t out, mpq_t *p, const setting *s, int records, unsigned long has)
{
    mpq_t w, miss;
    mpq_inits(w, miss, NULL);
    mpq_set_ui(miss, 1, 1);
    mpq_sub(miss, miss, s->rate);
    mpq_set_ui(out, 0, 1);
    for (unsigned long sample = 0; sample < 1UL << (records + 1); sample++) {
        if ((sample & 3 & ~has) != 0)
            continue;
        mpq_set(w, p[sample]);
        for (int bit = 0; bit <= records; bit++)
            if (bit > 1 || (has >> bit & 1) != 0)
                mpq_mul(w, w, (sample >> bit & 1) != 0 ? s->rate : miss);
        mpq_add(out, out, w);
    }
    mpq_clears(w, miss, NULL);
}

static void check_random(const setting *s, const mpq_t delta, const mpq_t e, rng *r)
{
    mpq_t p[1 << (MOST_RECORDS + 1)], x, y;
    for (size_t i = 0; i < sizeof p / sizeof *p; i++)
        mpq_init(p[i]);
    mpq_inits(x, y, NULL);
    for (int j = rounds(20); j > 0; j--) {
        random_learner(p, s, r);
        for (int records = 1; records <= MOST_RECORDS; records++)
            for (unsigned long has = 1; has <= 2; has++) {
                event(x, p, s, records, has);
                event(y, p, s, records, 3 - has);
                mpq_mul(y, y, e);
                mpq_sub(x, x, y);
                assert_true(mpq_cmp(x, delta) <= 0);
            }
    }
    mpq_clears(x, y, NULL);
    for (size_t i = 0; i < sizeof p / sizeof *p; i++)
        mpq_clear(p[i]);
}

static const char *const settings[][3] = {
    {"3", "0", "1/7"},   {"5/4", "1/50", "1/2"}, {"8", "1/9", "5/6"}, {"2", "2/3", "1/3"},
    {"1", "1/5", "1/2"}, {"2", "1", "1/3"},      {"3", "1/9", "1"},   {"3", "1/9", "0"}};
static const char *const targets[] = {"1", "9/8", "2", "3", "5"};

/* Where the profile falls, its inverse leads back. */
static void check_inverse(const setting *s, const dp_number *at, const mpq_t delta)
{
    dp_number target;
    mpq_t least;
    mpfr_t low, high;
    dp_result r;
    mpq_init(least);
    mpq_mul(least, s->leak, s->rate);
    if (mpq_cmp(delta, least) > 0) {
        dp_number_init(&target);
        dp_result_init(&r);
        mpfr_inits2(200, low, high, (mpfr_ptr)NULL);
        number_set_q(&target, delta);
        ask(&r, s, 1, NULL, &target);
        mpfr_set_q(low, number_odds(at), MPFR_RNDD);
        mpfr_set_q(high, number_odds(at), MPFR_RNDU);
        mpfr_log(low, low, MPFR_RNDD);
        mpfr_log(high, high, MPFR_RNDU);
        assert_true(figure_holds_fr(row_of(&r, "amplify-replaced", "epsilon"), low, high));
        mpfr_clears(low, high, (mpfr_ptr)NULL);
        dp_result_clear(&r);
        dp_number_clear(&target);
    }
    mpq_clear(least);
}

/* delta of so many uses of the law at ln e */
static void law_delta(dp_figure *out, const dp_number *eps0, const setting *s, unsigned long times,
                      const mpq_t e)
{
    static const limits none = {0};
    product p;
    engine of;
    logform x;
    mpq_t one;
    mpz_t t;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpz_init_set_ui(t, times);
    logform_init(&x);
    product_init(&p);
    assert_true(logform_add_log(&x, one, e));
    assert_int_equal(steps_missed_add(&p, eps0, s->leak, s->rate, t), DP_OK);
    assert_int_equal(steps_missed_add(&p, eps0, s->leak, s->rate, t), DP_OK);
    assert_true(p.count == 1 && p.item[0].ops->symmetric && p.leaks == 1);
    assert_int_equal(engine_init(&of, &p), DP_OK);
    assert_int_equal(optimal_delta_at(out, &of, &x, 12, &none), DP_OK);
    engine_clear(&of);
    product_clear(&p);
    logform_clear(&x);
    mpz_clear(t);
    mpq_clear(one);
}

/* An epsilon next to ln 3, which is enclosed, against ln 3, which is exact. */
static void test_law(void **state)
{
    (void)state;
    setting s;
    dp_number near;
    dp_figure exact, close;
    mpq_t e;
    setting_init(&s, "3", "1/1000", "1/10");
    dp_number_init(&near);
    dp_figure_init(&exact);
    dp_figure_init(&close);
    mpq_init(e);
    number_of(&near, "1.0986122886681096913952452369225");
    mpq_set_ui(e, 2, 1);
    for (unsigned long times = 1; times <= 1000; times *= 1000) {
        law_delta(&exact, &s.base, &s, times, e);
        law_delta(&close, &near, &s, times, e);
        double a = exact.kind == DP_RATIONAL ? mpq_get_d(exact.rational)
                                             : mpfi_get_d(exact.enclosure),
               b = mpfi_get_d(close.enclosure);
        assert_true(fabs(a - b) < 1e-11 * a);
    }
    mpq_clear(e);
    dp_figure_clear(&close);
    dp_figure_clear(&exact);
    dp_number_clear(&near);
    setting_clear(&s);
}

static void test_worst(void **state)
{
    (void)state;
    rng r = rng_make(11);
    dp_number at;
    mpq_t e, delta;
    dp_number_init(&at);
    mpq_inits(e, delta, NULL);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        setting s;
        setting_init(&s, settings[i][0], settings[i][1], settings[i][2]);
        for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
            rational_of(e, targets[k]);
            number_set_log(&at, e);
            for (unsigned long models = 1; models <= 3; models++) {
                dp_result found;
                dp_result_init(&found);
                ask(&found, &s, models, &at, NULL);
                worst_delta(delta, &s, models, e);
                const dp_row *row = &found.row[found.guarantee];
                assert_true(figure_holds_q(row_of(&found, row->theorem->id, "delta"), delta));
                assert_true(row->verdict == DP_EXACT || mpq_cmp_ui(s.leak, 1, 1) == 0);
                dp_result_clear(&found);
            }
            worst_delta(delta, &s, 1, e);
            check_inverse(&s, &at, delta);
            check_random(&s, delta, e, &r);
        }
        setting_clear(&s);
    }
    mpq_clears(e, delta, NULL);
    dp_number_clear(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worst), cmocka_unit_test(test_law)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
