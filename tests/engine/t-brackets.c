/* SPDX-License-Identifier: MIT */
/* The evaluators for lists of several epsilons: meeting in the middle, the contour over a common
 * step and the Gaussian bracket, each opened by itself, against all sign patterns at 400 bits. */
#include "support.h"

#include <math.h>
#include <stdio.h>

#include "engine/profile.h"
#include "loss/response_list.h"

#define BITS 400
#define MOST_SIGNS 10

typedef struct setup {
    dp_composition list;
    composed c;
    engine e;
    limits lim;
    mpfr_t odds[MOST_SIGNS]; /* e^eps of each sign */
    size_t signs;
} setup;

static void add_signs(setup *s, const char *epsilon, unsigned long times)
{
    dp_number x;
    dp_number_init(&x);
    number_of(&x, epsilon);
    list_add(&s->list, epsilon, "0", times);
    for (unsigned long k = 0; k < times; k++) {
        assert_true(s->signs < MOST_SIGNS);
        mpfr_ptr odds = s->odds[s->signs++];
        mpfr_init2(odds, BITS);
        mpfr_set_q(odds, x.value, MPFR_RNDN);
        if (!x.is_log)
            mpfr_exp(odds, odds, MPFR_RNDN);
    }
    dp_number_clear(&x);
}

static void setup_open(setup *s, const char *const *table, size_t size, rng *r)
{
    dp_composition_init(&s->list);
    s->signs = 0;
    size_t want = 2 + rng_below(r, MOST_SIGNS - 2);
    while (s->signs < want) {
        unsigned long times = 1 + rng_below(r, 3);
        if (times > want - s->signs)
            times = want - s->signs;
        add_signs(s, table[rng_below(r, size)], times);
    }
    assert_int_equal(composed_init(&s->c, &s->list), DP_OK);
    assert_int_equal(engine_init(&s->e, &s->c.product), DP_OK);
    s->lim = (limits){0};
}

static void setup_close(setup *s)
{
    for (size_t i = 0; i < s->signs; i++)
        mpfr_clear(s->odds[i]);
    engine_clear(&s->e);
    composed_clear(&s->c);
    dp_composition_clear(&s->list);
}

/* Adds max(0, P - e^x Q) over the patterns of the signs from `at` on, and to `above` the e^x Q of
 * those with P >= e^x Q, ties included. */
static void add_patterns(mpfr_t sum, mpfr_t above, const setup *s, size_t at, const mpfr_t p,
                         const mpfr_t q, const mpfr_t grow)
{
    mpfr_t a, b, c, d;
    mpfr_inits2(BITS, a, b, c, d, (mpfr_ptr)NULL);
    if (at == s->signs) {
        mpfr_mul(a, grow, q, MPFR_RNDN);
        mpfr_sub(b, p, a, MPFR_RNDN);
        if (mpfr_sgn(b) > 0)
            mpfr_add(sum, sum, b, MPFR_RNDN);
        mpfr_mul_2si(c, a, -300, MPFR_RNDN);
        mpfr_add(b, b, c, MPFR_RNDN);
        if (mpfr_sgn(b) > 0)
            mpfr_add(above, above, a, MPFR_RNDN);
    } else {
        mpfr_add_ui(c, s->odds[at], 1, MPFR_RNDN);
        mpfr_ui_div(d, 1, c, MPFR_RNDN);
        mpfr_div(c, s->odds[at], c, MPFR_RNDN);
        mpfr_mul(a, p, c, MPFR_RNDN);
        mpfr_mul(b, q, d, MPFR_RNDN);
        add_patterns(sum, above, s, at + 1, a, b, grow);
        mpfr_mul(a, p, d, MPFR_RNDN);
        mpfr_mul(b, q, c, MPFR_RNDN);
        add_patterns(sum, above, s, at + 1, a, b, grow);
    }
    mpfr_clears(a, b, c, d, (mpfr_ptr)NULL);
}

static void profile_truth(mpfr_t out, mpfr_t above, const setup *s, const mpfr_t x)
{
    mpfr_t one, grow;
    mpfr_inits2(BITS, one, grow, (mpfr_ptr)NULL);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    mpfr_exp(grow, x, MPFR_RNDN);
    mpfr_set_ui(out, 0, MPFR_RNDN);
    mpfr_set_ui(above, 0, MPFR_RNDN);
    add_patterns(out, above, s, 0, one, one, grow);
    mpfr_clears(one, grow, (mpfr_ptr)NULL);
}

/* s lies in the enclosure, up to 2^-350. */
static bool holds(const mpfi_t enclosure, const mpfr_t s)
{
    mpfr_t slack, end;
    mpfr_init2(slack, 20);
    mpfr_init2(end, BITS);
    mpfr_set_ui_2exp(slack, 1, -350, MPFR_RNDN);
    mpfr_add(end, s, slack, MPFR_RNDU);
    bool ok = mpfr_lessequal_p(&enclosure->left, end) != 0;
    mpfr_sub(end, s, slack, MPFR_RNDD);
    ok = ok && mpfr_greaterequal_p(&enclosure->right, end);
    mpfr_clear(end);
    mpfr_clear(slack);
    return ok;
}

static double relative_width(const mpfi_t x)
{
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    mpfr_div(width, width, &x->right, MPFR_RNDU);
    double w = mpfr_get_d(width, MPFR_RNDU);
    mpfr_clear(width);
    return w;
}

/* x: a point of the range as a double, sometimes 0 or next to the top */
static void random_point(mpfr_t x, const setup *s, rng *r)
{
    double share = (double)rng_below(r, 1000) / 1000;
    if (rng_below(r, 8) == 0)
        share = rng_below(r, 2) == 0 ? 0 : 0.9999;
    mpfr_set_d(x, s->e.all.tilt.total * share, MPFR_RNDN);
}

static const char *const decimals[] = {"0.1", "0.25", "1", "0.5", "0.05", "2", "0.3"};
static const char *const any[] = {"0.1",   "1/3", "ln(2)", "0.123456789", "ln(7)",
                                  "0.777", "2/7", "1e-3",  "3",           "ln(101/100)"};

static void test_atoms(void **state)
{
    (void)state;
    rng r = rng_make(91);
    mpfr_t x, truth, above, slope;
    mpfr_inits2(BITS, x, truth, above, slope, (mpfr_ptr)NULL);
    for (int i = 0; i < rounds(300); i++) {
        setup s;
        atoms a;
        mpfi_t at, value;
        mpfr_prec_t bits = 40 + (mpfr_prec_t)rng_below(&r, 150);
        setup_open(&s, any, sizeof any / sizeof *any, &r);
        mpfi_init2(at, bits + 64);
        mpfi_init2(value, bits + 64);
        random_point(x, &s, &r);
        mpfi_set_fr(at, x);
        assert_int_equal(atoms_open(&a, &s.c.product, -HUGE_VAL, bits, &s.lim), DP_OK);
        atoms_profile(value, slope, &a, at);
        atoms_close(&a);
        profile_truth(truth, above, &s, x);
        assert_true(holds(value, truth));
        assert_true(relative_width(value) < ldexp(1, 20 - (int)bits) ||
                    mpfr_cmp_d(truth, 1e-6) < 0);
        mpfi_clear(value);
        mpfi_clear(at);
        setup_close(&s);
    }
    mpfr_clears(x, truth, above, slope, (mpfr_ptr)NULL);
}

/* With 14 to 30 bits to work with, rounding is as large as what is summed: the bounds of its errors
 * must cover it, also where x is next to an atom and the atom may end up on either side. */
static void test_atoms_few_bits(void **state)
{
    (void)state;
    rng r = rng_make(94);
    mpfr_t x, truth, above, slope;
    mpfr_inits2(BITS, x, truth, above, slope, (mpfr_ptr)NULL);
    for (int i = 0; i < rounds(3000); i++) {
        setup s;
        atoms a;
        mpfi_t at, value;
        int bits = -50 + (int)rng_below(&r, 17);
        setup_open(&s, any, sizeof any / sizeof *any, &r);
        mpfi_init2(at, 80);
        mpfi_init2(value, 80);
        if (i % 2 == 0)
            random_point(x, &s, &r);
        else /* just below the highest atom, by halves of the last bit worked with */
            mpfr_set_d(x,
                       s.e.all.tilt.total * (1 - ldexp(1 + (double)rng_below(&r, 20), -65 - bits)),
                       MPFR_RNDN);
        mpfi_set_fr(at, x);
        assert_int_equal(atoms_open(&a, &s.c.product, -HUGE_VAL, bits, &s.lim), DP_OK);
        atoms_profile(value, slope, &a, at);
        atoms_close(&a);
        profile_truth(truth, above, &s, x);
        if (!holds(value, truth))
            fail_msg("%d bits, case %d", 64 + bits, i);
        mpfi_clear(value);
        mpfi_clear(at);
        setup_close(&s);
    }
    mpfr_clears(x, truth, above, slope, (mpfr_ptr)NULL);
}

/* G of the cell that holds a random x is s at the cell's upper atom. */
static void test_contour(void **state)
{
    (void)state;
    rng r = rng_make(92);
    mpfr_t x, truth, above;
    mpfr_inits2(BITS, x, truth, above, (mpfr_ptr)NULL);
    int opened = 0;
    for (int i = 0; i < rounds(600); i++) {
        setup s;
        contour c;
        /* few bits: aliases and dropped nodes are then about as large as allowed */
        mpfr_prec_t bits = i % 3 == 0 ? 90 : 1 + (mpfr_prec_t)rng_below(&r, 20);
        mpfi_t g, v;
        mpz_t cell;
        mpz_init(cell);
        setup_open(&s, decimals, sizeof decimals / sizeof *decimals, &r);
        assert_true(s.e.has_lattice);
        random_point(x, &s, &r);
        double h = s.e.lattice.h, total = s.e.all.tilt.total, at = mpfr_get_d(x, MPFR_RNDN);
        mpz_set_d(cell, floor((total - at) / (2 * h)));
        mpfi_init2(g, 160);
        mpfi_init2(v, 160);
        if (contour_open(&c, &s.e.lattice, at, bits, false, &s.lim) == DP_OK) {
            opened++;
            contour_cell(g, v, &c, cell);
            /* at the atom itself s is G: x = total - 2 h cell, exactly */
            mpq_t top, step;
            mpq_inits(top, step, NULL);
            mpq_set(top, s.c.total.rational);
            mpq_set_z(step, cell);
            mpq_mul(step, step, s.e.lattice.step.value);
            mpq_sub(top, top, step);
            mpq_sub(top, top, step);
            mpfr_set_q(x, top, MPFR_RNDN);
            mpq_clears(top, step, NULL);
            profile_truth(truth, above, &s, x);
            assert_true(holds(g, truth));
            assert_true(holds(v, above));
            assert_true(mpfr_cmp_d(truth, 1e-12) < 0 ||
                        relative_width(g) < ldexp(1, 20 - (int)bits));
        }
        contour_close(&c); /* also what could not be opened */
        mpfi_clear(v);
        mpfi_clear(g);
        mpz_clear(cell);
        setup_close(&s);
    }
    assert_true(opened > rounds(600) / 2);
    mpfr_clears(x, truth, above, (mpfr_ptr)NULL);
}

static void test_smooth(void **state)
{
    (void)state;
    rng r = rng_make(93);
    mpfr_t x, truth, above, slope;
    mpfr_inits2(BITS, x, truth, above, slope, (mpfr_ptr)NULL);
    int opened = 0, narrow = 0;
    for (int i = 0; i < rounds(150); i++) {
        setup s;
        trapezoid p;
        mpfi_t at, value;
        setup_open(&s, any, sizeof any / sizeof *any, &r);
        mpfi_init2(at, 200);
        mpfi_init2(value, 200);
        random_point(x, &s, &r);
        mpfi_set_fr(at, x);
        double gap = pow(10, -1 - (double)rng_below(&r, 5));
        if (smooth_open(&p, &s.e.all, mpfr_get_d(x, MPFR_RNDN), gap, &s.lim) == DP_OK) {
            opened++;
            smooth_profile(value, slope, &p, at);
            profile_truth(truth, above, &s, x);
            assert_true(holds(value, truth));
            narrow += relative_width(value) < 100 * gap;
        }
        trapezoid_close(&p);
        mpfi_clear(value);
        mpfi_clear(at);
        setup_close(&s);
    }
    assert_true(opened > rounds(150) / 3 && narrow > opened / 2);
    mpfr_clears(x, truth, above, slope, (mpfr_ptr)NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atoms),
        cmocka_unit_test(test_atoms_few_bits),
        cmocka_unit_test(test_contour),
        cmocka_unit_test(test_smooth),
    };
    return cmocka_run_group_tests_name("brackets", tests, NULL, NULL);
}
