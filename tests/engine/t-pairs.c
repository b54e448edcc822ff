/* SPDX-License-Identifier: MIT */
/* Finite pairs through the engines: against enumeration in exact rationals, evaluators against each
 * other, and randomized response as a pair beside itself as a list. */
#include "../loss/laws.h"

#include <stdio.h>

#include "engine/invert.h"
#include "loss/gaussian.h"
#include "loss/response.h"
#include "loss/response_list.h"
#include "loss/steps.h"
#include "num/number.h"

#define MOST_PAIRS 3

/* Several pairs, each used some times. */
typedef struct mix {
    size_t count;
    masses pair[MOST_PAIRS];
    unsigned long times[MOST_PAIRS];
    bool swap;
} mix;

static void mix_random(mix *m, size_t outcomes, unsigned long times, rng *r)
{
    m->count = 1 + rng_below(r, MOST_PAIRS);
    m->swap = rng_below(r, 2) == 0;
    for (size_t i = 0; i < m->count; i++) {
        masses_random(&m->pair[i], 2 + rng_below(r, outcomes - 1), rng_below(r, 2) == 0, r);
        m->times[i] = 1 + rng_below(r, times);
    }
}

static void mix_clear(mix *m)
{
    for (size_t i = 0; i < m->count; i++)
        masses_clear(&m->pair[i]);
}

static void mix_product(product *to, const mix *m)
{
    mpz_t t;
    mpz_init(t);
    product_init(to);
    for (size_t i = 0; i < m->count; i++) {
        const masses *a = &m->pair[i];
        mpz_set_ui(t, m->times[i]);
        assert_int_equal(pair_add(to, p_of(a), q_of(a), a->count, m->swap, t), DP_OK);
    }
    mpz_clear(t);
}

/* sum (p - R q)_+ over all outcomes of all uses from the i-th pair on */
static void enumerate(mpq_t sum, const mix *m, size_t i, unsigned long left, const mpq_t p,
                      const mpq_t q, const mpq_t odds)
{
    if (i == m->count) {
        mpq_t part;
        mpq_init(part);
        mpq_mul(part, odds, q);
        mpq_sub(part, p, part);
        if (mpq_sgn(part) > 0)
            mpq_add(sum, sum, part);
        mpq_clear(part);
        return;
    }
    const masses *a = &m->pair[i];
    mpq_t more_p, more_q;
    mpq_inits(more_p, more_q, NULL);
    bool last = left == 1;
    unsigned long next = last ? (i + 1 < m->count ? m->times[i + 1] : 0) : left - 1;
    for (size_t j = 0; j < a->count; j++) {
        mpq_mul(more_p, p, m->swap ? a->q[j] : a->p[j]);
        mpq_mul(more_q, q, m->swap ? a->p[j] : a->q[j]);
        if (mpq_sgn(more_p) != 0)
            enumerate(sum, m, last ? i + 1 : i, next, more_p, more_q, odds);
    }
    mpq_clears(more_p, more_q, NULL);
}

static void exact_delta(mpq_t delta, const mix *m, const mpq_t odds)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(delta, 0, 1);
    enumerate(delta, m, 0, m->times[0], one, one, odds);
    mpq_clear(one);
}

static double width(const dp_figure *x)
{
    mpfr_t w;
    mpfr_init2(w, 64);
    mpfr_sub(w, &x->enclosure->right, &x->enclosure->left, MPFR_RNDU);
    double out = mpfr_get_d(w, MPFR_RNDU);
    mpfr_clear(w);
    return out;
}

typedef struct question {
    engine e;
    logform x;
    limits lim;
} question;

static void question_open(question *a, const product *p, const mpq_t odds)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    a->lim = (limits){0};
    logform_init(&a->x);
    assert_true(logform_add_log(&a->x, one, odds));
    assert_int_equal(engine_init(&a->e, p), DP_OK);
    mpq_clear(one);
}

static void question_close(question *a)
{
    engine_clear(&a->e);
    logform_clear(&a->x);
}

static void delta_of(dp_figure *out, const product *p, const mpq_t odds, size_t digits)
{
    question a;
    question_open(&a, p, odds);
    assert_int_equal(optimal_delta_at(out, &a.e, &a.x, digits, &a.lim), DP_OK);
    question_close(&a);
}

/* s(ln odds) by the evaluators that are not in `without`; false where none opens */
static bool profile_of(mpfi_t s, const product *p, const mpq_t odds, unsigned without, double gap)
{
    question a;
    profile f;
    mpfi_t x;
    mpfr_t slope;
    question_open(&a, p, odds);
    a.e.without = without;
    mpfi_init2(x, 200);
    mpfr_init2(slope, 64);
    logform_enclose(x, &a.x);
    dp_status status = profile_open(&f, &a.e, mpfi_get_d(x), 80, gap, false, &a.lim);
    if (status == DP_OK)
        status = profile_at(s, slope, &f, x);
    profile_close(&f);
    mpfr_clear(slope);
    mpfi_clear(x);
    question_close(&a);
    return status == DP_OK;
}

/* How often each way was looked through, so that a test that skips is seen. */
static int opened[2];

/* leak of all uses, exactly */
static void leak_of(mpq_t leak, const mix *m)
{
    mpq_t keep;
    mpq_init(keep);
    mpq_set_ui(leak, 1, 1);
    for (size_t i = 0; i < m->count; i++) {
        const masses *a = &m->pair[i];
        finite_mass(keep, m->swap ? q_of(a) : p_of(a), m->swap ? p_of(a) : q_of(a), a->count);
        for (unsigned long k = 0; k < m->times[i]; k++)
            mpq_mul(leak, leak, keep);
    }
    mpq_set_ui(keep, 1, 1);
    mpq_sub(leak, keep, leak);
    mpq_clear(keep);
}

/* s = (delta - leak) / (1 - leak) is in the bracket; below the top, where a profile is asked for */
static void check_bracket(const product *p, const mpq_t delta, const mpq_t leak, const mpq_t odds)
{
    mpq_t s, keep;
    mpfi_t bracket;
    mpq_inits(s, keep, NULL);
    mpfi_init2(bracket, 80);
    mpq_set_ui(keep, 1, 1);
    mpq_sub(keep, keep, leak);
    mpq_sub(s, delta, leak);
    bool inside = p->count > 0 && mpq_sgn(s) > 0;
    if (inside)
        mpq_div(s, s, keep);
    static const unsigned others[2] = {1U << PROFILE_ATOMS | 1U << PROFILE_CONTOUR,
                                       1U << PROFILE_ATOMS | 1U << PROFILE_SMOOTH};
    for (int way = 0; inside && way < 2; way++)
        if (profile_of(bracket, p, odds, others[way], 0.02)) {
            assert_true(mpfi_is_inside_q(s, bracket));
            opened[way]++;
        }
    mpq_clears(s, keep, NULL);
    mpfi_clear(bracket);
}

static void check_mix(const mix *m, const mpq_t odds)
{
    product p;
    dp_figure f;
    mpq_t delta, leak;
    mpq_inits(delta, leak, NULL);
    dp_figure_init(&f);
    mix_product(&p, m);
    exact_delta(delta, m, odds);
    leak_of(leak, m);
    delta_of(&f, &p, odds, 15);
    if (!figure_holds_q(&f, delta))
        fail_msg("not the exact %.17g", mpq_get_d(delta));
    if (f.kind == DP_ENCLOSED && width(&f) > 1e-12 * mpq_get_d(delta))
        fail_msg("%g wide at %g", width(&f), mpq_get_d(delta));
    if (!p.certain_leak)
        check_bracket(&p, delta, leak, odds);
    product_clear(&p);
    dp_figure_clear(&f);
    mpq_clears(delta, leak, NULL);
}

/* A number near 1 or above, or a ratio of some outcomes: a tie. */
static void random_odds(mpq_t odds, const mix *m, rng *r)
{
    mpq_set_ui(odds, 100 + rng_below(r, rng_below(r, 2) == 0 ? 60 : 1500), 100);
    mpq_canonicalize(odds);
    const masses *a = &m->pair[0];
    size_t j = rng_below(r, a->count);
    if (rng_below(r, 2) == 0 && mpq_cmp(a->p[j], a->q[j]) > 0 && mpq_sgn(a->q[j]) > 0 && !m->swap)
        mpq_div(odds, a->p[j], a->q[j]);
}

static void test_exact(void **state)
{
    (void)state;
    rng r = rng_make(301);
    mpq_t odds;
    mpq_init(odds);
    for (int i = 0; i < rounds(80); i++) {
        mix m;
        mix_random(&m, 4, 2, &r);
        random_odds(odds, &m, &r);
        check_mix(&m, odds);
        mix_clear(&m);
    }
    assert_true(opened[0] > rounds(80) / 2);
    mpq_clear(odds);
}

/* On one lattice: 27/8, 3/2, 2/3 and 3/2, 2/3 together. */
static void test_lattice(void **state)
{
    (void)state;
    rng r = rng_make(302);
    mpq_t odds;
    mpq_init(odds);
    opened[1] = 0;
    for (unsigned long t = 1; t <= 3; t++) {
        mix m = {.count = 2, .times = {t, t}, .swap = t == 2};
        masses_set(&m.pair[0], 5, "27/40 6/40 2/40 5/40 0", "8/40 4/40 3/40 0 25/40");
        masses_set(&m.pair[1], 5, "2/5 3/5 0 0 0", "3/5 2/5 0 0 0");
        for (int i = 0; i < 6; i++) {
            random_odds(odds, &m, &r);
            check_mix(&m, odds);
        }
        mix_clear(&m);
    }
    assert_true(opened[1] > 9);
    mpq_clear(odds);
}

/* Randomized response with a leak, 40 times: the pair, permuted, and the list. */
static void test_response(void **state)
{
    (void)state;
    static const char *odds[] = {"2", "9/4", "100", "1"};
    mix a = {.count = 1, .times = {40}};
    dp_composition list;
    composed c;
    product p;
    dp_figure pair, item;
    mpq_t at;
    masses_set(&a.pair[0], 5, "27/100 63/100 0 1/20 1/20", "63/100 27/100 1/10 0 0");
    dp_composition_init(&list);
    list_add(&list, "ln(7/3)", "1/10", 40);
    mpq_init(at);
    dp_figure_init(&pair);
    dp_figure_init(&item);
    assert_int_equal(composed_init(&c, &list), DP_OK);
    mix_product(&p, &a);
    assert_true(p.item[0].ops->symmetric);
    for (size_t i = 0; i < sizeof odds / sizeof odds[0]; i++) {
        rational_of(at, odds[i]);
        delta_of(&pair, &p, at, 15);
        delta_of(&item, &c.product, at, 15);
        assert_true(figures_meet(&pair, &item));
        assert_true(pair.kind == DP_RATIONAL || width(&pair) < 1e-14);
    }
    product_clear(&p);
    composed_clear(&c);
    dp_composition_clear(&list);
    dp_figure_clear(&pair);
    dp_figure_clear(&item);
    mpq_clear(at);
    mix_clear(&a);
}

/* 10^4 uses of five irregular outcomes, both directions: brackets of three gaps are nested as far
 * as they must meet, and the last is narrow. */
static void test_many(void **state)
{
    (void)state;
    masses m;
    mpq_t at;
    mpq_init(at);
    masses_set(&m, 5, "1003/5000 1007/5000 993/5000 990/5000 1007/5000",
               "1/5 1002/5000 1001/5000 998/5000 999/5000");
    rational_of(at, "3/2");
    for (int swap = 0; swap < 2; swap++) {
        product p;
        mpfi_t s, last;
        mpfi_init2(s, 80);
        mpfi_init2(last, 80);
        mpfi_interv_si(last, 0, 1);
        product_of(&p, &m, swap != 0, 10000);
        for (double gap = 1e-2; gap > 1e-9; gap /= 1000) {
            assert_true(profile_of(s, &p, at, 0, gap));
            mpfi_intersect(last, last, s);
            assert_false(mpfi_is_empty(last));
        }
        mpfr_t wide;
        mpfr_init2(wide, 64);
        mpfi_diam_rel(wide, s);
        assert_true(mpfr_cmp_d(wide, 1e-7) < 0);
        mpfr_clear(wide);
        mpfi_clear(s);
        mpfi_clear(last);
        product_clear(&p);
    }
    mpq_clear(at);
    masses_clear(&m);
}

/* Six outcomes, mass at infinity in both directions. */
static void six_point(masses *m)
{
    masses_set(m, 6, "4/20 5/20 3/20 5/20 2/20 1/20", "6/20 3/20 5/20 1/20 0 5/20");
    mpq_set_ui(m->p[5], 0, 1); /* P has no mass at the last */
    mpq_set_ui(m->p[0], 1, 4);
}

/* Responses of k/100 for k = 11 .. 45, or irregular ones. */
static void add_responses(product *to, int from, int count, unsigned long below)
{
    dp_number eps;
    mpz_t once;
    mpq_t value;
    dp_number_init(&eps);
    mpz_init_set_ui(once, 1);
    mpq_init(value);
    for (int k = from; k < from + count; k++) {
        mpq_set_ui(value, (unsigned long)k * (below == 100 ? 1 : (unsigned long)k + 977), below);
        mpq_canonicalize(value);
        number_set_q(&eps, value);
        assert_int_equal(response_add(to, &eps, once), DP_OK);
    }
    mpq_clear(value);
    mpz_clear(once);
    dp_number_clear(&eps);
}

/* Five uses of it at ln 3 are what all 7776 outcomes make, in both directions. */
static void test_six_points(void **state)
{
    (void)state;
    mpq_t odds;
    mpq_init(odds);
    mpq_set_ui(odds, 3, 1);
    for (int swap = 0; swap < 2; swap++) {
        mix m = {.count = 1, .times = {5}, .swap = swap != 0};
        six_point(&m.pair[0]);
        check_mix(&m, odds);
        mix_clear(&m);
    }
    mpq_clear(odds);
}

/* A Gaussian, 35 responses and 5 uses of that pair: at 0, where the line is left of 0, the total
 * variation of both directions is one number, though their laws are not. */
static void test_total_variation(void **state)
{
    (void)state;
    masses six;
    mpq_t one, square;
    mpz_t once;
    dp_figure side[2];
    mpq_inits(one, square, NULL);
    mpz_init_set_ui(once, 1);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(square, 1, 4);
    six_point(&six);
    for (int swap = 0; swap < 2; swap++) {
        product p;
        dp_figure_init(&side[swap]);
        product_of(&p, &six, swap != 0, 5);
        add_responses(&p, 11, 35, 100);
        assert_int_equal(gaussian_add(&p, square, once), DP_OK);
        delta_of(&side[swap], &p, one, 25);
        assert_true(width(&side[swap]) < 1e-24);
        product_clear(&p);
    }
    assert_true(figures_meet(&side[0], &side[1]));
    for (int swap = 0; swap < 2; swap++)
        dp_figure_clear(&side[swap]);
    mpz_clear(once);
    mpq_clears(one, square, NULL);
    masses_clear(&six);
}

/* Irregular responses beside a pair: what all losses make lies in the bracket of the smoothing. */
static void test_beside_responses(void **state)
{
    (void)state;
    masses six;
    product p;
    mpq_t odds;
    mpfi_t s, bracket;
    mpq_init(odds);
    mpfi_init2(s, 80);
    mpfi_init2(bracket, 80);
    six_point(&six);
    for (int swap = 0; swap < 2; swap++) {
        product_of(&p, &six, swap != 0, 3);
        add_responses(&p, 3, 8, 9973);
        rational_of(odds, swap ? "7/3" : "11/10");
        assert_true(profile_of(s, &p, odds, 1U << PROFILE_SMOOTH, 1e-9));
        assert_true(profile_of(bracket, &p, odds, 1U << PROFILE_ATOMS, 1e-4));
        assert_true(mpfr_lessequal_p(&bracket->left, &s->right));
        assert_true(mpfr_lessequal_p(&s->left, &bracket->right));
        product_clear(&p);
    }
    mpfi_clear(s);
    mpfi_clear(bracket);
    mpq_clear(odds);
    masses_clear(&six);
}

/* Randomized response of ln 3 at Poisson rate 1/10, 100 times, at 1e-5: 5.349 and 4.453, where one
 * pair of (epsilon, delta) makes it 8.703; so too for a rational next to ln 3, which is enclosed.
 */
static void test_sampled(void **state)
{
    (void)state;
    static const char *losses[] = {"ln(3)", "1.0986122886681096913952452369"};
    static const double at[] = {5.349, 4.453};
    dp_number eps0;
    mpq_t rate, none, delta;
    mpz_t times;
    limits lim = {0};
    dp_number_init(&eps0);
    mpq_inits(rate, none, delta, NULL);
    mpz_init_set_ui(times, 100);
    mpq_set_ui(rate, 1, 10);
    mpq_set_ui(delta, 1, 100000);
    for (int k = 0; k < 4; k++) {
        product p;
        engine e;
        dp_figure f;
        product_init(&p);
        dp_figure_init(&f);
        number_of(&eps0, losses[k / 2]);
        assert_int_equal(steps_poisson_add(&p, &eps0, none, rate, k % 2 != 0, times), DP_OK);
        assert_int_equal(engine_init(&e, &p), DP_OK);
        assert_int_equal(optimal_epsilon_at(&f, &e, delta, 8, &lim), DP_OK);
        assert_true(fabs(mpfi_get_d(f.enclosure) - at[k % 2]) < 5e-4 && width(&f) < 1e-6);
        engine_clear(&e);
        dp_figure_clear(&f);
        product_clear(&p);
    }
    mpz_clear(times);
    mpq_clears(rate, none, delta, NULL);
    dp_number_clear(&eps0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_lattice),
        cmocka_unit_test(test_response),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_six_points),
        cmocka_unit_test(test_total_variation),
        cmocka_unit_test(test_beside_responses),
        cmocka_unit_test(test_sampled),
    };
    return cmocka_run_group_tests_name("pairs", tests, NULL, NULL);
}
