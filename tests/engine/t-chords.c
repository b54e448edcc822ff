/* SPDX-License-Identifier: MIT */
/* Ends of epsilon by lines through three points, from leads that are right, off and wrong: what
 * they prove holds epsilon, of few atoms, whose profile has corners between the points. */
#include "../loss/law.h"

#include <math.h>
#include <stdio.h>

#include "core/refine.h"
#include "engine/inversion.h"
#include "loss/response.h"

#define MOST_ITEMS 14

typedef struct setup {
    product p;
    engine e;
    mpq_t delta;
    dp_figure truth;
    limits lim;
} setup;

/* Items of 17 decimals and a target that is met between 0 and the top. */
static void setup_open(setup *s, rng *r)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    product_init(&s->p);
    for (size_t i = 5 + rng_below(r, MOST_ITEMS - 4); i > 0; i--) {
        char text[32];
        dp_number x;
        snprintf(text, sizeof text, "0.%09lu%08lu", (unsigned long)rng_below(r, 1000000000),
                 1 + 2 * (unsigned long)rng_below(r, 50000000));
        dp_number_init(&x);
        number_of(&x, text);
        assert_int_equal(response_add(&s->p, &x, one), DP_OK);
        dp_number_clear(&x);
    }
    mpz_clear(one);
    assert_int_equal(engine_init(&s->e, &s->p), DP_OK);
    s->lim = (limits){0};
    mpq_init(s->delta);
    mpq_set_ui(s->delta, 1, 20 + (unsigned long)rng_below(r, 3000));
    dp_figure_init(&s->truth);
    s->e.without = 1U << PROFILE_SMOOTH; /* the enumeration of all atoms */
    assert_int_equal(optimal_epsilon(&s->truth, &s->e, s->delta, 25, &s->lim), DP_OK);
    s->e.without = ~(1U << PROFILE_SMOOTH);
}

static void setup_close(setup *s)
{
    dp_figure_clear(&s->truth);
    mpq_clear(s->delta);
    engine_clear(&s->e);
    product_clear(&s->p);
}

/* About epsilon, off by so many widths of the bracket that is opened. */
static void lead_of(lead *l, const setup *s, double gap, double rate, double off, double away)
{
    mpfr_set_prec(l->at, 128);
    mpfi_get_fr(l->at, s->truth.enclosure);
    mpfr_add_d(l->at, l->at, off * gap / rate, MPFR_RNDN);
    l->known = true;
    l->rate = rate;
    l->away = away * gap / rate;
    l->above = l->below = l->area = 1;
}

static bool holds(const mpfi_t proved, const mpfi_t truth)
{
    return mpfr_lessequal_p(&proved->left, &truth->right) &&
           mpfr_greaterequal_p(&proved->right, &truth->left);
}

static int found, narrow;

static void check(setup *s, rng *r)
{
    double x = mpfi_get_d(s->truth.enclosure), gap = pow(10, -2 - (double)rng_below(r, 4));
    double rate = tilt_saddle(&s->e.all.tilt, x, false), width = 0;
    const double off[] = {0, 0.1, -0.1, 1, -1, 20, -20};
    const double away[] = {0, 0.3, 3, 30};
    profile p;
    lead l;
    dp_status status = DP_OK;
    lead_init(&l);
    if (!(rate > 0) || profile_open(&p, &s->e, x, 60, gap, false, &s->lim) != DP_OK) {
        lead_clear(&l);
        return;
    }
    for (int i = 0; i < 12; i++) {
        inversion v;
        inversion_init(&v, &s->e, s->delta, 128, &s->lim);
        v.p = &p;
        lead_of(&l, s, gap, rate, off[rng_below(r, 7)], away[rng_below(r, 4)]);
        bool is = inversion_by_chords(&v, &l, gap, &status);
        assert_int_equal(status, DP_OK);
        if (!holds(v.proved, s->truth.enclosure))
            fail_msg("gap %g, off %g: [%.17g, %.17g] is not about %.17g", gap, l.away * rate / gap,
                     mpfr_get_d(&v.proved->left, MPFR_RNDN),
                     mpfr_get_d(&v.proved->right, MPFR_RNDN), x);
        width = mpfr_get_d(&v.proved->right, MPFR_RNDN) - mpfr_get_d(&v.proved->left, MPFR_RNDN);
        found += is;
        narrow += is && width * rate < 10 * gap;
        inversion_clear(&v);
    }
    profile_close(&p);
    lead_clear(&l);
}

static void test_chords(void **state)
{
    (void)state;
    rng r = rng_make(2601);
    for (int i = 0; i < rounds(60); i++) {
        setup s;
        setup_open(&s, &r);
        check(&s, &r);
        setup_close(&s);
    }
    printf("# %d found, %d narrow\n", found, narrow);
    assert_true(found > rounds(60) && narrow > found / 3);
}

/* With ends as far away as the lead says and a little further, both round to decimals that are next
 * to each other; and not with a gap that is twice as wide. */
static void test_gap(void **state)
{
    (void)state;
    rng r = rng_make(2602);
    dp_figure x;
    lead l;
    dp_figure_init(&x);
    lead_init(&l);
    for (int i = 0; i < rounds(2000); i++) {
        size_t digits = 3 + rng_below(&r, 12);
        double gap = 1e-6, value = pow(10, -5.995 + 0.01 * (double)rng_below(&r, 1000));
        mpfr_set_prec(l.at, 128);
        mpfr_set_d(l.at, value, MPFR_RNDN);
        l.known = true;
        l.area = pow(10, -(double)rng_below(&r, 8));
        l.rate = 2;
        l.above = gap * value / l.area;
        l.below = 2 * l.above;
        l.away = 0;
        double found_gap = lead_gap(&l, gap, digits);
        for (int k = 0; k < 2; k++) {
            double far = (k == 0 ? 1.05 : 2.5) * found_gap / gap * l.area;
            mpfi_ptr at = figure_enclose(&x, 128);
            mpfr_sub_d(&at->left, l.at, far * l.below, MPFR_RNDD);
            mpfr_add_d(&at->right, l.at, far * l.above, MPFR_RNDU);
            assert_true(refine_agrees(&x, digits) == (k == 0));
        }
    }
    l.away = 1e6; /* epsilon may be anywhere */
    assert_true(lead_gap(&l, 1e-6, 12) >= 1e-9);
    lead_clear(&l);
    dp_figure_clear(&x);
}

/* Without the enumeration, by brackets alone: more digits asked are never fewer proved, and all
 * hold the same number. */
static void test_ladder(void **state)
{
    (void)state;
    rng r = rng_make(2603);
    const size_t digits[] = {3, 6, 8, 10, 11, 12};
    for (int i = 0; i < rounds(5); i++) {
        setup s;
        dp_figure x;
        setup_open(&s, &r);
        dp_figure_init(&x);
        double last = HUGE_VAL;
        for (size_t k = 0; k < (rounds_are_full() ? 6 : 4); k++) {
            dp_status status = optimal_epsilon(&x, &s.e, s.delta, digits[k], &s.lim);
            assert_true(status == DP_OK || status == DP_LIMIT);
            assert_true(holds(x.enclosure, s.truth.enclosure));
            MPFR_DECL_INIT(wide, 64);
            mpfi_diam_rel(wide, x.enclosure);
            double width = mpfr_get_d(wide, MPFR_RNDU);
            assert_true(status == DP_OK || width <= last);
            last = status == DP_OK ? fmax(width, pow(10, -(double)digits[k])) : width;
        }
        dp_figure_clear(&x);
        setup_close(&s);
    }
}

/* What would take too long is opened for as narrow a bracket as does not. */
static void test_reach(void **state)
{
    (void)state;
    rng r = rng_make(2604);
    for (int i = 0; i < rounds(5); i++) {
        setup s;
        trapezoid p;
        setup_open(&s, &r);
        double x = mpfi_get_d(s.truth.enclosure);
        assert_int_equal(smooth_open(&p, &s.e.all, x, 1e-15, &s.lim), DP_OK);
        assert_true(p.gap > 1e-15 && p.gap < 1e-10 && p.blocks != NULL && p.longer <= 1);
        trapezoid_close(&p);
        setup_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chords),
        cmocka_unit_test(test_gap),
        cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_reach),
    };
    return cmocka_run_group_tests_name("chords", tests, NULL, NULL);
}
