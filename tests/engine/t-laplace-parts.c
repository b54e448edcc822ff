/* SPDX-License-Identifier: MIT */
/* Laplace losses by parts: the part itself, what is left of the law, and both together beside the
 * closed form. */
#include "../loss/law.h"

#include "engine/profile.h"
#include "loss/laplace.h"
#include "loss/part.h"

#define BITS 120
#define NODES 24
#define GAP 1e-10

/* epsilon, T, J, x */
typedef struct row {
    const char *epsilon;
    unsigned long times;
    unsigned order;
    const char *x;
} row;

static const row rows[] = {
    {"1/10", 60, 1, "1/3"},   {"1/10", 60, 2, "1/3"},  {"1/10", 60, 3, "0"},
    {"1/10", 60, 25, "1/3"},  {"1/10", 60, 25, "2/5"}, {"1/10", 61, 20, "0"},
    {"1/10", 60, 20, "28/5"}, {"1/10", 60, 9, "6"},    {"1/10", 60, 9, "59/10"},
    {"1/7", 200, 40, "1"},    {"1/7", 201, 40, "15"},  {"1/125", 2364, 12, "1"},
    {"1/125", 2364, 7, "2"},  {"1/1000", 900, 5, "0"}, {"1/1000", 901, 5, "1/1000"},
};

static void part_at(mpfi_t s, mpfr_t slope, const loss *l, unsigned order, const mpfi_t x)
{
    mpfr_t at;
    mpfr_init2(at, mpfi_get_prec(x));
    mpfi_get_fr(at, x);
    l->ops->part->profile(s, slope, l->self, order, at);
    mpfr_clear(at);
}

/* s_A <= s <= s_A + C(T,J) (eps/2)^J, as d(0) <= eps/2; and s_A rises with J. */
static void test_part(void **state)
{
    (void)state;
    mpfi_t s, own, least, x, rest;
    mpfi_ptr all[] = {s, own, least, x, rest};
    mpfr_t slope;
    mpz_t ways;
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], BITS);
    mpfr_init2(slope, BITS);
    mpz_init(ways);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        product p;
        product_init(&p);
        add_law(&p, laplace_add, r->epsilon, r->times);
        const loss *l = only_law(&p);
        mpfi_set_prec(x, 60);
        number_in(x, r->x);
        mpfi_set_fr(x, &x->left);
        assert_true(l->ops->profile(s, slope, l->self, x));
        part_at(own, slope, l, r->order, x);
        assert_true(mpfr_lessequal_p(&own->left, &s->right));
        number_in(rest, r->epsilon);
        mpfi_div_ui(rest, rest, 2);
        mpfi_log(rest, rest);
        mpfi_mul_ui(rest, rest, r->order);
        mpfi_exp(rest, rest);
        mpz_bin_uiui(ways, r->times, r->order);
        mpfi_mul_z(rest, rest, ways);
        mpfi_add(rest, rest, own);
        assert_true(mpfr_lessequal_p(&s->left, &rest->right));
        mpfi_sub(rest, s, own);
        assert_true(fabs(mpfi_get_d(rest)) > 0 || r->order > 8);
        if (r->order > 1) {
            part_at(least, slope, l, r->order - 1, x);
            assert_true(mpfr_lessequal_p(&least->left, &own->right));
        }
        product_clear(&p);
    }
    mpz_clear(ways);
    mpfr_clear(slope);
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
}

/* The part of order 1 is binomial: C(T,j) 2^-T (1 - e^(x-l))_+ e^-(top-l)/2 */
static void test_first(void **state)
{
    (void)state;
    product p;
    product_init(&p);
    add_law(&p, laplace_add, "1/8", 100);
    mpfi_t s, at;
    mpfr_t slope;
    mpfi_init2(s, BITS);
    mpfi_init2(at, 60);
    mpfr_init2(slope, 64);
    for (double x = 0; x < 14; x += 0.46875) {
        mpfi_set_d(at, x);
        part_at(s, slope, only_law(&p), 1, at);
        double sum = 0, fall = 0;
        for (int j = 0; j <= 100; j++) {
            double l = (100 - 2 * j) / 8.0;
            double mass = exp(lgamma(101) - lgamma(j + 1.0) - lgamma(101.0 - j) - j / 8.0);
            if (l > x) {
                sum += ldexp(mass, -100) * -expm1(x - l);
                fall += ldexp(mass, -100) * exp(x - l);
            }
        }
        assert_true(fabs(mpfi_get_d(s) - sum) <= 1e-11 * sum);
        double found = mpfr_get_d(slope, MPFR_RNDN); /* at an atom, from above it or below */
        assert_true(fabs(found - fall) <= 1e-11 * fall || fmod(x * 4, 1) == 0);
    }
    mpfr_clear(slope);
    mpfi_clear(at);
    mpfi_clear(s);
    product_clear(&p);
}

/* |R/M(c)| at nodes, from the values of M and of A, is at most what the decay says there and at
 * lower nodes; and where the scan drops M and A they are as small. */
static void test_rest(void **state)
{
    (void)state;
    static const double lines[] = {0.5, 3, 20};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
            const row *r = &rows[i];
            product p;
            product_init(&p);
            add_law(&p, laplace_add, r->epsilon, r->times);
            const loss *l = only_law(&p);
            MPFR_DECL_INIT(spacing, 64);
            MPFR_DECL_INIT(t, 64);
            MPFR_DECL_INIT(low, 64);
            mpq_t epsilon;
            mpq_init(epsilon);
            rational_of(epsilon, r->epsilon);
            mpfr_set_d(spacing, 0.2618 / mpq_get_d(epsilon), MPFR_RNDN); /* a twelfth of pi */
            mpq_clear(epsilon);
            line at = {.c = lines[k], .spacing = spacing, .last = NODES, .work = 300};
            uint64_t node[NODES];
            for (uint64_t n = 0; n < NODES; n++)
                node[n] = n + 1;
            cball *phi = cball_list_new(NODES, 300);
            for (size_t n = 0; n < NODES; n++)
                cball_set_ui(&phi[n], 1);
            static const limits none = {0};
            assert_int_equal(l->ops->multiply(phi, l->self, &at, node, NODES, &none), DP_OK);
            assert_int_equal(l->ops->part->take(phi, l->self, r->order, &at, node, NODES), DP_OK);
            for (size_t n = 0; n < NODES; n++) {
                mpfr_mul_ui(t, spacing, (unsigned long)node[n], MPFR_RNDN);
                l->ops->part->decay(low, l->self, r->order, at.c, t);
                double size =
                    hypot(mpfr_get_d(phi[n].re, MPFR_RNDN), mpfr_get_d(phi[n].im, MPFR_RNDN));
                assert_true(size <= exp(-mpfr_get_d(low, MPFR_RNDN)) * (1 + 1e-9));
            }
            cball_list_free(phi, NODES);
            product_clear(&p);
        }
}

static double law_epsilon(const product *p)
{
    double top = 0, epsilon = 0;
    only_law(p)->ops->guess_range(&top, &epsilon, only_law(p)->self);
    return epsilon;
}

/* Is it to all bits, or to the gap? */
static bool profile_of(mpfi_t s, mpfr_t slope, const engine *e, const mpfi_t x, bool by_parts)
{
    static const limits none = {0};
    profile f;
    assert_int_equal(profile_open(&f, e, mpfi_get_d(x), BITS, GAP, false, &none), DP_OK);
    assert_int_equal(f.kind, by_parts ? PROFILE_PLAIN : PROFILE_CLOSED);
    assert_true(!by_parts || f.plain.order > 0);
    assert_int_equal(profile_at(s, slope, &f, x), DP_OK);
    profile_close(&f);
    return f.exact;
}

/* Both hold the truth, to nearly all bits. */
static void test_both(void **state)
{
    (void)state;
    static const row cases[] = {
        {"1/125", 2364, 0, "1"},
        {"1/125", 2364, 0, "126/125"},
        {"1/50", 150, 0, "1"},
        {"1/10", 100, 0, "2"},
        {"1/10", 101, 0, "3/10"},
        {"1/500", 800, 0, "1/10"},
        {"1/25", 590, 0, "3"},
        {"1/25", 590, 0, "20/7"},
        {"1/25", 590, 0, "14"},
        {"1/200", 3000, 0, "1"},
        {"1/200", 3000, 0, "1000001e-6"},
        {"1/100", 1058, 0, "0"},
        {"1/1000", 4000, 0, "1"},
        {"1/4", 120, 0, "16"},
    };
    size_t all = 0;
    mpfi_t closed, parts, x;
    mpfr_t slope, other;
    mpfi_init2(x, 80);
    mpfr_init2(slope, 64);
    mpfr_init2(other, 64);
    mpfi_init2(closed, BITS);
    mpfi_init2(parts, BITS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        product p;
        engine e;
        product_init(&p);
        add_law(&p, laplace_add, cases[i].epsilon, cases[i].times);
        assert_int_equal(engine_init(&e, &p), DP_OK);
        number_in(x, cases[i].x);
        mpfi_set_fr(x, &x->left);
        e.without = 1U << PROFILE_PLAIN;
        profile_of(closed, slope, &e, x, false);
        e.without = 1U << PROFILE_CLOSED;
        bool exact = profile_of(parts, other, &e, x, true);
        assert_true(mpfr_lessequal_p(&closed->left, &parts->right) &&
                    mpfr_lessequal_p(&parts->left, &closed->right));
        double size = mpfi_get_d(parts), fall = mpfr_get_d(slope, MPFR_RNDN);
        mpfr_sub(slope, &parts->right, &parts->left, MPFR_RNDU);
        assert_true(mpfr_get_d(slope, MPFR_RNDU) <= (exact ? ldexp(size, -BITS + 8) : GAP * size));
        all += exact;
        double place = ((double)cases[i].times - mpfi_get_d(x) / law_epsilon(&p)) / 2;
        bool atom = fabs(place - rint(place)) < 1e-6; /* where s has a kink: either slope */
        assert_true(fabs(mpfr_get_d(other, MPFR_RNDN) - fall) <= (atom ? 0.3 : 1e-6) * fall);
        engine_clear(&e);
        product_clear(&p);
    }
    assert_true(all > sizeof cases / sizeof *cases / 2);
    mpfi_clear(parts);
    mpfi_clear(closed);
    mpfr_clear(other);
    mpfr_clear(slope);
    mpfi_clear(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_part), cmocka_unit_test(test_first),
                                       cmocka_unit_test(test_rest), cmocka_unit_test(test_both)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
