/* SPDX-License-Identifier: MIT */
/* The evaluators of the composed loss against sums written out at 600 bits, and against each other
 * where no sum can be written out. */
#include "support.h"

#include <math.h>
#include <stdio.h>

#include "engine/profile.h"
#include "loss/response_list.h"

#define BITS 600

/* Everything that an evaluation needs. */
typedef struct setup {
    dp_composition list;
    composed c;
    engine e;
    limits lim;
} setup;

static void setup_open(setup *s)
{
    assert_int_equal(composed_init(&s->c, &s->list), DP_OK);
    assert_int_equal(engine_init(&s->e, &s->c.product), DP_OK);
    s->lim = (limits){0};
}

static void setup_one(setup *s, const char *epsilon, const char *times)
{
    dp_number e;
    mpz_t t;
    mpq_t zero;
    dp_composition_init(&s->list);
    dp_number_init(&e);
    mpq_init(zero);
    mpz_init_set_str(t, times, 10);
    number_of(&e, epsilon);
    assert_int_equal(dp_composition_add(&s->list, &e, zero, t, NULL), DP_OK);
    mpz_clear(t);
    mpq_clear(zero);
    dp_number_clear(&e);
    setup_open(s);
}

static void setup_close(setup *s)
{
    engine_clear(&s->e);
    composed_clear(&s->c);
    dp_composition_clear(&s->list);
}

/* G_i and V_i of `times` equal losses: sums over m minus signs, m <= i, of
 * C(t,m) q^(t-m) p^m times 1 - y and y, y = e^(-2 eps (i-m)). */
static void written_out(mpfr_t g, mpfr_t v, const char *epsilon, unsigned long times,
                        unsigned long i)
{
    mpfr_t q, p, step, mass, y;
    mpz_t ways;
    dp_number e;
    mpfr_inits2(BITS, q, p, step, mass, y, (mpfr_ptr)NULL);
    mpz_init(ways);
    dp_number_init(&e);
    number_of(&e, epsilon);
    mpfr_set_q(step, e.value, MPFR_RNDN);
    if (e.is_log)
        mpfr_log(step, step, MPFR_RNDN);
    mpfr_exp(q, step, MPFR_RNDN);
    mpfr_add_ui(p, q, 1, MPFR_RNDN);
    mpfr_div(q, q, p, MPFR_RNDN);
    mpfr_ui_div(p, 1, p, MPFR_RNDN);
    mpfr_set_ui(g, 0, MPFR_RNDN);
    mpfr_set_ui(v, 0, MPFR_RNDN);
    for (unsigned long m = 0; m <= i; m++) {
        mpz_bin_uiui(ways, times, m);
        mpfr_pow_ui(mass, q, times - m, MPFR_RNDN);
        mpfr_pow_ui(y, p, m, MPFR_RNDN);
        mpfr_mul(mass, mass, y, MPFR_RNDN);
        mpfr_mul_z(mass, mass, ways, MPFR_RNDN);
        mpfr_mul_si(y, step, -2 * (long)(i - m), MPFR_RNDN);
        mpfr_exp(y, y, MPFR_RNDN);
        mpfr_mul(y, y, mass, MPFR_RNDN);
        mpfr_add(v, v, y, MPFR_RNDN);
        mpfr_sub(y, mass, y, MPFR_RNDN);
        mpfr_add(g, g, y, MPFR_RNDN);
    }
    dp_number_clear(&e);
    mpz_clear(ways);
    mpfr_clears(q, p, step, mass, y, (mpfr_ptr)NULL);
}

/* x, known to 500 bits, lies in the enclosure. */
static bool holds(const mpfi_t enclosure, const mpfr_t x)
{
    mpfr_t slack, end;
    mpfr_init2(slack, 20);
    mpfr_init2(end, BITS);
    mpfr_abs(slack, x, MPFR_RNDU);
    mpfr_mul_2si(slack, slack, -500, MPFR_RNDU);
    mpfr_add(end, x, slack, MPFR_RNDU);
    bool ok = mpfr_lessequal_p(&enclosure->left, end) != 0;
    mpfr_sub(end, x, slack, MPFR_RNDD);
    ok = ok && mpfr_greaterequal_p(&enclosure->right, end);
    mpfr_clear(end);
    mpfr_clear(slack);
    return ok;
}

/* The relative width is at most 2^-bits. */
static bool is_narrow(const mpfi_t x, mpfr_prec_t bits)
{
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    mpfr_mul_2si(width, width, bits, MPFR_RNDU);
    bool ok = mpfr_lessequal_p(width, &x->right) != 0;
    mpfr_clear(width);
    return ok;
}

static bool meet(const mpfi_t a, const mpfi_t b)
{
    return mpfr_lessequal_p(&a->left, &b->right) && mpfr_lessequal_p(&b->left, &a->right);
}

static void contour_at(mpfi_t g, mpfi_t v, setup *s, const mpz_t i, mpfr_prec_t bits)
{
    contour c;
    double x = s->e.all.tilt.total - 2 * s->e.lattice.h * mpz_get_d(i);
    assert_int_equal(contour_open(&c, &s->e.lattice, x > 0 ? x : 0, bits, false, &s->lim), DP_OK);
    contour_cell(g, v, &c, i);
    contour_close(&c);
}

static const char *const steps[] = {"0.1",  "1",         "ln(3)", "1/1000", "5",
                                    "0.37", "ln(11/10)", "20",    "1e-6",   "2"};

static void test_written_out(void **state)
{
    (void)state;
    rng r = rng_make(81);
    mpfr_t g, v;
    mpfi_t a, b;
    mpz_t i;
    mpfr_inits2(BITS, g, v, (mpfr_ptr)NULL);
    mpz_init(i);
    for (int round = 0; round < rounds(600); round++) {
        const char *epsilon = steps[rng_below(&r, sizeof steps / sizeof *steps)];
        unsigned long times = 1 + rng_below(&r, 120);
        char text[20];
        snprintf(text, sizeof text, "%lu", times);
        mpz_set_ui(i, rng_below(&r, times + 1));
        mpfr_prec_t bits = (mpfr_prec_t)(1 + rng_below(&r, round % 2 == 0 ? 12 : 180));
        mpfi_init2(a, bits + 64);
        mpfi_init2(b, bits + 64);
        setup s;
        setup_one(&s, epsilon, text);
        written_out(g, v, epsilon, times, mpz_get_ui(i));
        direct_cell(a, b, &s.e.lattice, i, bits, NULL);
        if (!holds(a, g) || !holds(b, v) || !is_narrow(a, bits - 8) || !is_narrow(b, bits - 8))
            fail_msg("direct: %s x %lu, cell %lu, %ld bits", epsilon, times, mpz_get_ui(i),
                     (long)bits);
        if (2 * mpz_get_ui(i) <= times) { /* x >= 0 */
            contour_at(a, b, &s, i, bits);
            if (!holds(a, g) || !holds(b, v) || !is_narrow(b, bits - 8) ||
                (mpz_sgn(i) > 0 && !is_narrow(a, bits - 8)))
                fail_msg("contour: %s x %lu, cell %lu, %ld bits", epsilon, times, mpz_get_ui(i),
                         (long)bits);
        }
        setup_close(&s);
        mpfi_clear(b);
        mpfi_clear(a);
    }
    mpz_clear(i);
    mpfr_clears(g, v, (mpfr_ptr)NULL);
}

/* Any number of uses, epsilon from 1e-12 to 50, cells from the top to below the mean: the two
 * evaluators, and two precisions of each, overlap. */
static void test_overlap(void **state)
{
    (void)state;
    static const char *const sizes[] = {"1e-12", "1e-6", "0.001", "0.1", "ln(2)", "3", "50"};
    static const char *const counts[] = {
        "1", "7", "1000", "1000000", "10^9", "1000000000000", "1000000000000000"};
    static const unsigned long cells[] = {0, 1, 5, 100, 1500};
    mpfi_t g[3], v[3];
    mpz_t i, times;
    int compared = 0;
    mpz_inits(i, times, NULL);
    for (int j = 0; j < 3; j++) {
        mpfi_init2(g[j], 300);
        mpfi_init2(v[j], 300);
    }
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
        for (size_t b = 0; b < sizeof counts / sizeof *counts; b++)
            for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
                mpq_t count;
                char text[40];
                mpq_init(count);
                rational_of(count, counts[b]);
                mpz_set(times, mpq_numref(count));
                gmp_snprintf(text, sizeof text, "%Zd", times);
                mpq_clear(count);
                mpz_set_ui(i, cells[c]);
                if (mpz_cmp(i, times) > 0 || (a + b + c) % 5 >= (size_t)rounds(5))
                    continue; /* fewer rounds: a share of the cells, of every size and count */
                setup s;
                setup_one(&s, sizes[a], text);
                direct_cell(g[0], v[0], &s.e.lattice, i, 60, NULL);
                direct_cell(g[1], v[1], &s.e.lattice, i, 160, NULL);
                if (!meet(g[0], g[1]) || !meet(v[0], v[1]))
                    fail_msg("direct: %s x %s, cell %lu", sizes[a], text, cells[c]);
                contour p;
                double x = s.e.all.tilt.total - 2 * s.e.lattice.h * mpz_get_d(i);
                if (x >= 0) {
                    bool opened = contour_open(&p, &s.e.lattice, x, 80, false, &s.lim) == DP_OK;
                    if (opened)
                        contour_cell(g[2], v[2], &p, i);
                    contour_close(&p);
                    compared += opened;
                    if (opened && (!meet(g[1], g[2]) || !meet(v[1], v[2])))
                        fail_msg("contour: %s x %s, cell %lu", sizes[a], text, cells[c]);
                }
                setup_close(&s);
            }
    assert_true(compared > rounds(100) / 2);
    for (int j = 0; j < 3; j++) {
        mpfi_clear(g[j]);
        mpfi_clear(v[j]);
    }
    mpz_clears(i, times, NULL);
}

static bool holds_all(const mpfi_t outer, const mpfi_t inner)
{
    return mpfr_lessequal_p(&outer->left, &inner->left) &&
           mpfr_greaterequal_p(&outer->right, &inner->right);
}

/* out = s(x) at a number, by enumeration: narrower than anything it is compared with. */
static void profile_point(mpfi_t out, setup *s, double x)
{
    mpfi_t at;
    mpfr_t slope;
    atoms a;
    mpfi_init2(at, 300);
    mpfr_init2(slope, 64);
    mpfi_set_d(at, x);
    assert_int_equal(atoms_open(&a, &s->c.product, -HUGE_VAL, 150, &s->lim), DP_OK);
    atoms_profile(out, slope, &a, at);
    atoms_close(&a);
    mpfr_clear(slope);
    mpfi_clear(at);
}

/* false: not within its limits */
typedef bool evaluator(mpfi_t s, setup *set, double near, const mpfi_t x);

static bool by_smooth(mpfi_t s, setup *set, double near, const mpfi_t x)
{
    trapezoid p;
    mpfr_t slope;
    mpfr_init2(slope, 64);
    bool ok = smooth_open(&p, &set->e.all, near, 1e-4, &set->lim) == DP_OK;
    if (ok)
        smooth_profile(s, slope, &p, x);
    trapezoid_close(&p);
    mpfr_clear(slope);
    return ok;
}

static bool by_atoms(mpfi_t s, setup *set, double near, const mpfi_t x)
{
    (void)near;
    atoms p;
    mpfr_t slope;
    mpfr_init2(slope, 64);
    assert_int_equal(atoms_open(&p, &set->c.product, -HUGE_VAL, 100, &set->lim), DP_OK);
    atoms_profile(s, slope, &p, x);
    atoms_close(&p);
    mpfr_clear(slope);
    return true;
}

static bool by_lattice(mpfi_t s, setup *set, double near, const mpfi_t x)
{
    profile p = {.engine = &set->e, .kind = PROFILE_CONTOUR, .bits = 60};
    mpfr_t slope;
    mpfr_init2(slope, 64);
    mpz_init(p.cell);
    mpfi_init2(p.g, 60);
    mpfi_init2(p.v, 60);
    assert_int_equal(contour_open(&p.contour, &set->e.lattice, near, 60, false, &set->lim), DP_OK);
    assert_int_equal(profile_at(s, slope, &p, x), DP_OK);
    profile_close(&p);
    mpfr_clear(slope);
    return true;
}

/* Lists of few atoms and intervals of x, from a number to wider than the steps between atoms: what
 * is said of an interval holds at both of its ends and in the middle. */
static void test_wide_x(void **state)
{
    (void)state;
    static evaluator *const by[] = {by_smooth, by_atoms, by_lattice};
    static const char *const name[] = {"smooth", "atoms", "lattice"};
    rng r = rng_make(83);
    int tried = 0;
    mpfi_t x, wide, point;
    mpfi_init2(x, 200);
    mpfi_init2(wide, 200);
    mpfi_init2(point, 200);
    for (int i = 0; i < rounds(90); i++) {
        setup s;
        dp_composition_init(&s.list);
        for (size_t k = 0; k < 3; k++) {
            char text[30];
            snprintf(text, sizeof text, "%u/100", 1 + (unsigned)rng_below(&r, 90));
            list_add(&s.list, text, "0", 1 + rng_below(&r, 8));
        }
        setup_open(&s);
        double middle = s.e.all.tilt.total * (double)(1 + rng_below(&r, 60)) / 80;
        double half = middle * ldexp(1, -1 - (int)rng_below(&r, 60));
        mpfi_interv_d(x, middle - half, middle + half);
        bool ok = by[i % 3](wide, &s, middle, x);
        tried += ok;
        const double at[] = {middle - half, middle, middle + half};
        for (size_t k = 0; ok && k < 3; k++) {
            profile_point(point, &s, at[k]);
            if (!holds_all(wide, point))
                fail_msg("%s: s is not enclosed at end %zu of x = %g +- %g", name[i % 3], k, middle,
                         half);
        }
        mpfr_sub(&point->left, &wide->right, &wide->left, MPFR_RNDU);
        if (ok && half < 1e-12 * middle)
            assert_true(mpfr_cmp_d(&point->left, 1e-3) < 0);
        setup_close(&s);
    }
    assert_true(!rounds_are_full() || (tried > 60));
    mpfi_clear(x);
    mpfi_clear(wide);
    mpfi_clear(point);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_out),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_wide_x),
    };
    return cmocka_run_group_tests_name("evaluators", tests, NULL, NULL);
}
