/* SPDX-License-Identifier: MIT */
/* Products of several laws, some whose exchanged pair is another: a law of two losses written here,
 * beside randomized response, against all patterns of losses at 400 bits. Each evaluator is opened
 * on either line, with many bits and with few; M(-1) may be below 1 and above it. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/invert.h"
#include "loss/gaussian.h"
#include "loss/response.h"
#include "two-losses.h"

#define BITS 400
#define MOST_USES 12

/* ---- products and the sums over all their patterns ------------------------------------------ */
typedef struct setup {
    product p;
    engine e;
    limits lim;
    mpfr_t loss[MOST_USES][2], mass[MOST_USES][2]; /* of each use */
    size_t uses;
} setup;

static void add_use(setup *s, const mpq_t *lost, const mpfr_t *mass)
{
    assert_true(s->uses < MOST_USES);
    for (int j = 0; j < 2; j++) {
        mpfr_init2(s->loss[s->uses][j], BITS);
        mpfr_init2(s->mass[s->uses][j], BITS);
        mpfr_set_q(s->loss[s->uses][j], lost[j], MPFR_RNDN);
        mpfr_set(s->mass[s->uses][j], mass[j], MPFR_RNDN);
    }
    s->uses++;
}

/* The losses up/20 and down/20 with masses above/20 and 1 - above/20. */
static void add_two(setup *s, int up, int down, unsigned long above, unsigned long times)
{
    two *t = two_new(up, down, above, times);
    mpfr_t mass[2];
    mpfr_inits2(BITS, mass[0], mass[1], (mpfr_ptr)NULL);
    mpfr_set_q(mass[0], t->mass[0], MPFR_RNDN);
    mpfr_set_q(mass[1], t->mass[1], MPFR_RNDN);
    for (unsigned long i = 0; i < times; i++)
        add_use(s, (const mpq_t *)t->loss, (const mpfr_t *)mass);
    mpfr_clears(mass[0], mass[1], (mpfr_ptr)NULL);
    assert_int_equal(product_take(&s->p, (loss){&two_ops, t}), DP_OK);
}

static void add_response(setup *s, const char *epsilon, unsigned long times)
{
    dp_number x;
    mpz_t t;
    mpq_t both[2];
    mpfr_t mass[2];
    dp_number_init(&x);
    number_of(&x, epsilon);
    mpz_init_set_ui(t, times);
    assert_int_equal(response_add(&s->p, &x, t), DP_OK);
    mpq_inits(both[0], both[1], NULL);
    mpfr_inits2(BITS, mass[0], mass[1], (mpfr_ptr)NULL);
    mpq_set(both[0], x.value);
    mpq_neg(both[1], x.value);
    mpfr_set_q(mass[1], x.value, MPFR_RNDN);
    mpfr_exp(mass[1], mass[1], MPFR_RNDN);
    mpfr_add_ui(mass[1], mass[1], 1, MPFR_RNDN);
    mpfr_ui_div(mass[1], 1, mass[1], MPFR_RNDN);
    mpfr_ui_sub(mass[0], 1, mass[1], MPFR_RNDN);
    for (unsigned long i = 0; i < times; i++)
        add_use(s, (const mpq_t *)both, (const mpfr_t *)mass);
    mpfr_clears(mass[0], mass[1], (mpfr_ptr)NULL);
    mpq_clears(both[0], both[1], NULL);
    mpz_clear(t);
    dp_number_clear(&x);
}

static void setup_random(setup *s, rng *r)
{
    product_init(&s->p);
    s->uses = 0;
    s->lim = (limits){0};
    static const char *const epsilon[] = {"0.1", "0.25", "0.05", "1", "0.3"};
    for (size_t i = 0, laws = 1 + rng_below(r, 2); i < laws; i++) {
        int up = 1 + 2 * (int)rng_below(r, 20), down = up - 2 - 2 * (int)rng_below(r, 30);
        add_two(s, up, down, 1 + rng_below(r, 19), 1 + rng_below(r, 4));
    }
    if (rng_below(r, 3) > 0)
        add_response(s, epsilon[rng_below(r, 5)], 1 + rng_below(r, 3));
    assert_int_equal(engine_init(&s->e, &s->p), DP_OK);
    assert_false(s->e.all.symmetric);
}

static void setup_close(setup *s)
{
    for (size_t i = 0; i < s->uses; i++)
        for (int j = 0; j < 2; j++) {
            mpfr_clear(s->loss[i][j]);
            mpfr_clear(s->mass[i][j]);
        }
    engine_clear(&s->e);
    product_clear(&s->p);
}

/* Adds mass (1 - e^(x - l)) over the patterns from use `at` on whose loss l is above x. */
static void add_patterns(mpfr_t sum, const setup *s, size_t at, const mpfr_t mass, const mpfr_t l,
                         const mpfr_t x)
{
    mpfr_t m, k;
    mpfr_inits2(BITS, m, k, (mpfr_ptr)NULL);
    if (at < s->uses) {
        for (int j = 0; j < 2; j++) {
            mpfr_mul(m, mass, s->mass[at][j], MPFR_RNDN);
            mpfr_add(k, l, s->loss[at][j], MPFR_RNDN);
            add_patterns(sum, s, at + 1, m, k, x);
        }
    } else if (mpfr_cmp(l, x) > 0) {
        mpfr_sub(k, x, l, MPFR_RNDN);
        mpfr_expm1(k, k, MPFR_RNDN);
        mpfr_mul(k, k, mass, MPFR_RNDN);
        mpfr_sub(sum, sum, k, MPFR_RNDN);
    }
    mpfr_clears(m, k, (mpfr_ptr)NULL);
}

static void truth(mpfr_t s, const setup *set, const mpfr_t x)
{
    mpfr_t one, zero;
    mpfr_inits2(BITS, one, zero, (mpfr_ptr)NULL);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    mpfr_set_ui(zero, 0, MPFR_RNDN);
    mpfr_set_ui(s, 0, MPFR_RNDN);
    add_patterns(s, set, 0, one, zero, x);
    mpfr_clears(one, zero, (mpfr_ptr)NULL);
}

static bool holds(const mpfi_t s, mpfr_srcptr exact)
{
    mpfr_t slack, low, high; /* the sum is rounded, too */
    mpfr_inits2(BITS, slack, low, high, (mpfr_ptr)NULL);
    mpfr_set_ui_2exp(slack, 1, 20 - BITS, MPFR_RNDU);
    mpfr_sub(low, &s->left, slack, MPFR_RNDD);
    mpfr_add(high, &s->right, slack, MPFR_RNDU);
    bool ok = mpfr_lessequal_p(low, exact) && mpfr_lessequal_p(exact, high);
    mpfr_clears(slack, low, high, (mpfr_ptr)NULL);
    return ok;
}

static double width(const mpfi_t s)
{
    return mpfr_get_d(&s->right, MPFR_RNDU) - mpfr_get_d(&s->left, MPFR_RNDD);
}

/* ---- tests ---------------------------------------------------------------------------------- */
/* A profile opened by one evaluator near `near`. */
static bool open_kind(profile *p, const setup *s, profile_kind kind, double near, mpfr_prec_t bits,
                      double gap)
{
    *p = (profile){.engine = &s->e, .kind = kind, .bits = bits};
    mpz_init(p->cell);
    mpfi_init2(p->g, bits);
    mpfi_init2(p->v, bits);
    dp_status status = DP_OK;
    if (kind == PROFILE_ATOMS)
        status = atoms_open(&p->atoms, &s->p, -HUGE_VAL, bits, &s->lim);
    else if (kind == PROFILE_CONTOUR)
        status = contour_open(&p->contour, &s->e.lattice, near, bits, false, &s->lim);
    else
        status = smooth_open(&p->smooth, &s->e.all, near, gap, &s->lim);
    return status == DP_OK;
}

static double tilt_of(const profile *p)
{
    return p->kind == PROFILE_CONTOUR ? p->contour.c : p->kind == PROFILE_SMOOTH ? p->smooth.c : 0;
}

static void test_evaluators(void **state)
{
    (void)state;
    static const profile_kind kinds[] = {PROFILE_ATOMS, PROFILE_CONTOUR, PROFILE_SMOOTH};
    rng r = rng_make(51);
    int opened[3] = {0, 0, 0}, left[3] = {0, 0, 0}, narrow[3] = {0, 0, 0};
    mpfr_t x, exact, slope;
    mpfi_t at, value;
    mpfr_inits2(BITS, x, exact, slope, (mpfr_ptr)NULL);
    mpfi_init2(at, 200);
    mpfi_init2(value, 200);
    for (int i = 0; i < rounds(120); i++) {
        setup s;
        profile p;
        int kind = i % 3;
        setup_random(&s, &r);
        assert_true(s.e.has_lattice);
        const tilt *t = &s.e.all.tilt;
        if (t->total > 0) {
            bool crude = rng_below(&r, 2) == 0, far = rng_below(&r, 3) == 0;
            mpfr_prec_t bits = crude ? 1 + (mpfr_prec_t)rng_below(&r, 12) : 90;
            mpfr_set_d(x, t->total * (double)rng_below(&r, 1000) / 1000, MPFR_RNDN);
            /* from where the line left of 0 is taken, or what suits x; there M(-1) above 1 counts
             */
            double near = mpfr_get_d(x, MPFR_RNDN);
            if (far)
                near = t->mean - (1.01 + (double)rng_below(&r, 3)) * t->deviation;
            if (far && rng_below(&r, 2) == 0)
                mpfr_set_d(x, near, MPFR_RNDN);
            mpfi_set_fr(at, x);
            truth(exact, &s, x);
            bool open = open_kind(&p, &s, kinds[kind], near, bits, crude ? 0.3 : 1e-4);
            if (open) {
                opened[kind]++;
                left[kind] += tilt_of(&p) < 0;
                assert_int_equal(profile_at(value, slope, &p, at), DP_OK);
                if (!holds(value, exact))
                    fail_msg("evaluator %d, case %d: tilt %g, near %g, %ld bits", kind, i,
                             tilt_of(&p), near, (long)bits);
                narrow[kind] += !crude && width(value) < 1e-2 * mpfr_get_d(exact, MPFR_RNDN);
            }
            profile_close(&p);
        }
        setup_close(&s);
    }
    for (int k = 0; k < 3; k++) {
        int all = rounds(120) / 3;
        if (opened[k] < all / 3 || narrow[k] < opened[k] / 5 || (k > 0 && left[k] < opened[k] / 5))
            fail_msg("evaluator %d: %d opened, %d on the left, %d narrow", k, opened[k], left[k],
                     narrow[k]);
    }
    mpfi_clear(value);
    mpfi_clear(at);
    mpfr_clears(x, exact, slope, (mpfr_ptr)NULL);
}

/* M(-1) far above 1, on the line left of 0, with few bits: what a period folds in from below is
 * then as large as its bound. */
static void test_below(void **state)
{
    (void)state;
    mpfr_t x, exact, slope;
    mpfi_t at, value;
    mpfr_inits2(BITS, x, exact, slope, (mpfr_ptr)NULL);
    mpfi_init2(at, 200);
    mpfi_init2(value, 200);
    int opened = 0;
    rng r = rng_make(53);
    for (int i = 0; i < rounds(1500); i++) {
        setup s;
        profile p;
        product_init(&s.p);
        s.uses = 0;
        s.lim = (limits){0};
        int down = -59 + 2 * (int)rng_below(&r, 20);
        add_two(&s, down + 2 + 2 * (int)rng_below(&r, 40), down, 1 + rng_below(&r, 19),
                1 + rng_below(&r, 4));
        assert_int_equal(engine_init(&s.e, &s.p), DP_OK);
        const tilt *t = &s.e.all.tilt;
        double near = t->mean - (1.01 + 2 * (double)rng_below(&r, 100) / 100) * t->deviation;
        mpfr_set_d(x, near + (t->total - near) * (double)rng_below(&r, 100) / 100, MPFR_RNDN);
        mpfi_set_fr(at, x);
        truth(exact, &s, x);
        if (open_kind(&p, &s, i % 4 == 0 ? PROFILE_SMOOTH : PROFILE_CONTOUR, near, 1 + i % 8,
                      0.3)) {
            opened++;
            assert_true(tilt_of(&p) < 0);
            assert_int_equal(profile_at(value, slope, &p, at), DP_OK);
            if (!holds(value, exact))
                fail_msg("case %d: tilt %g, near %g", i, tilt_of(&p), near);
        }
        profile_close(&p);
        setup_close(&s);
    }
    assert_true(opened > rounds(1500) / 2);
    mpfi_clear(value);
    mpfi_clear(at);
    mpfr_clears(x, exact, slope, (mpfr_ptr)NULL);
}

/* exact = lost + (1 - lost) exact */
static void add_leak(mpfr_t exact, const mpq_t lost)
{
    mpfr_t leak;
    mpfr_init2(leak, BITS);
    mpfr_set_q(leak, lost, MPFR_RNDN);
    mpfr_ui_sub(leak, 1, leak, MPFR_RNDN);
    mpfr_mul(exact, exact, leak, MPFR_RNDN);
    mpfr_ui_sub(leak, 1, leak, MPFR_RNDN);
    mpfr_add(exact, exact, leak, MPFR_RNDN);
    mpfr_clear(leak);
}

/* Is the figure one of [x - by, x]? */
static bool holds_near(const dp_figure *f, mpfr_srcptr x, double by)
{
    mpfr_t low;
    mpfr_init2(low, BITS);
    mpfr_sub_d(low, x, by, MPFR_RNDD);
    bool holds = figure_holds_fr(f, low, x);
    mpfr_clear(low);
    return holds;
}

/* Has the product an epsilon at a delta that is a hair above delta(x)? It is as near below x. */
static bool invert(const setup *s, const logform *form, mpfr_srcptr x, mpfr_srcptr delta,
                   size_t digits, bool limited)
{
    mpq_t target;
    dp_figure back;
    int sign;
    mpq_init(target);
    dp_figure_init(&back);
    mpfr_get_q(target, delta);
    assert_true(product_compare_leak(&sign, &s->p, target));
    bool there =
        sign < 0 && mpfr_cmp_d(delta, 1e-9) > 0 && optimal_beyond(&s->e, form, &s->lim) == DP_NO;
    if (there) {
        dp_status status = optimal_epsilon_at(&back, &s->e, target, digits, &s->lim);
        assert_true(status == DP_OK || (status == DP_LIMIT && limited));
        assert_true(holds_near(&back, x, 1e-60));
    }
    dp_figure_clear(&back);
    mpq_clear(target);
    return there;
}

/* delta at an epsilon, and epsilon at that delta, of products with a leak. */
static void test_both_ways(void **state)
{
    (void)state;
    rng r = rng_make(52);
    mpfr_t x, exact;
    mpq_t lost;
    mpz_t once;
    mpfr_inits2(BITS, x, exact, (mpfr_ptr)NULL);
    mpq_init(lost);
    mpz_init_set_ui(once, 1);
    int inverted = 0;
    for (int i = 0; i < rounds(24); i++) {
        setup s;
        setup_random(&s, &r);
        mpq_set_ui(lost, i % 2 == 0 ? 0 : 1, 100);
        mpq_canonicalize(lost);
        assert_int_equal(product_leak_add(&s.p, lost, once), DP_OK);
        const unsigned without[] = {0, 1U << PROFILE_ATOMS,
                                    1U << PROFILE_ATOMS | 1U << PROFILE_CONTOUR};
        s.e.without = without[i % 3];
        bool bracket = i % 3 == 2; /* alone, it may not reach the digits */
        size_t digits = bracket ? 3 : 12;
        if (bracket)
            s.lim.deadline = limits_clock() + 0.2;
        dp_number at;
        logform form;
        dp_figure f;
        dp_number_init(&at);
        logform_init(&form);
        dp_figure_init(&f);
        char text[40];
        snprintf(text, sizeof text, "%d/1000", 1 + (int)rng_below(&r, 900));
        number_of(&at, text);
        assert_true(logform_add_number(&form, NULL, &at));
        mpfr_set_q(x, at.value, MPFR_RNDN);
        truth(exact, &s, x);
        add_leak(exact, lost);
        dp_status status = optimal_delta_at(&f, &s.e, &form, digits, &s.lim);
        assert_true(status == DP_OK || bracket);
        mpfr_add_d(exact, exact, 1e-100, MPFR_RNDU);
        assert_true(holds_near(&f, exact, 2e-100));
        inverted += invert(&s, &form, x, exact, digits, bracket);
        dp_figure_clear(&f);
        logform_clear(&form);
        dp_number_clear(&at);
        setup_close(&s);
    }
    assert_true(inverted > rounds(24) / 4);
    mpz_clear(once);
    mpq_clear(lost);
    mpfr_clears(x, exact, (mpfr_ptr)NULL);
}

/* Losses without a bound: the first end of epsilon comes from a moment. A Gaussian by smoothing
 * against its closed form. */
static void test_unbounded(void **state)
{
    (void)state;
    static const char *const targets[] = {"1e-2", "1e-5", "0.3", "1e-20"};
    product p;
    engine e;
    mpq_t square, delta;
    mpz_t once;
    mpfi_t mu, epsilon;
    mpq_inits(square, delta, NULL);
    mpz_init_set_ui(once, 1);
    mpfi_init2(mu, 200);
    mpfi_init2(epsilon, 200);
    product_init(&p);
    mpq_set_ui(square, 1, 1);
    assert_int_equal(gaussian_add(&p, square, once), DP_OK);
    assert_int_equal(engine_init(&e, &p), DP_OK);
    assert_false(e.all.bounded);
    limits lim = {0};
    mpfi_set_ui(mu, 1);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        dp_figure f;
        dp_figure_init(&f);
        rational_of(delta, targets[i]);
        assert_int_equal(optimal_epsilon_at(&f, &e, delta, 6, &lim), DP_OK);
        gaussian_epsilon(epsilon, mu, delta);
        assert_true(figure_holds_fr(&f, &epsilon->left, &epsilon->right));
        dp_figure_clear(&f);
    }
    dp_figure f;
    dp_figure_init(&f);
    mpq_set_ui(delta, 0, 1);
    assert_int_equal(optimal_epsilon_at(&f, &e, delta, 6, &lim), DP_OK);
    assert_int_equal(f.kind, DP_INFINITE);
    dp_figure_clear(&f);
    engine_clear(&e);
    product_clear(&p);
    mpfi_clear(epsilon);
    mpfi_clear(mu);
    mpz_clear(once);
    mpq_clears(square, delta, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evaluators),
        cmocka_unit_test(test_below),
        cmocka_unit_test(test_both_ways),
        cmocka_unit_test(test_unbounded),
    };
    return cmocka_run_group_tests_name("product", tests, NULL, NULL);
}
