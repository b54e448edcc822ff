/* SPDX-License-Identifier: MIT */
/* The profile of one use of a law with finitely many outcomes against sums in exact rationals: at
 * losses, beside them, and over intervals that hold several. */
#include "laws.h"

#include "loss/discrete.h"
#include "num/ival.h"

/* s(ln odds) = sum (P_j - odds Q_j)_+ over 1 - leak, of outcomes that have Q mass */
static void true_profile(mpq_t s, const masses *m, const mpq_t odds)
{
    mpq_t part, keep;
    mpq_inits(part, keep, NULL);
    finite_mass(keep, p_of(m), q_of(m), m->count);
    mpq_set_ui(s, 0, 1);
    for (size_t j = 0; j < m->count; j++) {
        mpq_mul(part, odds, m->q[j]);
        mpq_sub(part, m->p[j], part);
        if (mpq_sgn(m->q[j]) != 0 && mpq_sgn(part) > 0)
            mpq_add(s, s, part);
    }
    mpq_div(s, s, keep);
    mpq_clears(part, keep, NULL);
}

static void must_hold(const mpfi_t s, const masses *m, const mpq_t odds)
{
    mpq_t truth;
    mpq_init(truth);
    true_profile(truth, m, odds);
    if (mpfr_cmp_q(&s->left, truth) > 0 || mpfr_cmp_q(&s->right, truth) < 0)
        fail_msg("at e^x = %g: %g is not in %g to %g", mpq_get_d(odds), mpq_get_d(truth),
                 mpfr_get_d(&s->left, MPFR_RNDD), mpfr_get_d(&s->right, MPFR_RNDU));
    mpq_clear(truth);
}

/* x = ln of both odds, and of all between */
static void enclose_log(mpfi_t x, const mpq_t low, const mpq_t high)
{
    mpfi_t to;
    mpfi_init2(to, mpfi_get_prec(x));
    mpfi_set_q(x, low);
    mpfi_set_q(to, high);
    mpfi_union(x, x, to);
    mpfi_log(x, x);
    mpfi_clear(to);
}

/* All points of the interval that are told apart: its ends, its middle and each loss within. */
static void check_between(const loss *law, const masses *m, const mpq_t low, const mpq_t high,
                          mpfr_prec_t bits)
{
    mpfi_t s, x;
    mpfr_t slope;
    mpq_t at;
    mpfi_init2(s, bits);
    mpfi_init2(x, bits + 64);
    mpfr_init2(slope, 64);
    mpq_init(at);
    enclose_log(x, low, high);
    assert_true(law->ops->profile(s, slope, law->self, x));
    must_hold(s, m, low);
    must_hold(s, m, high);
    mpq_add(at, low, high);
    mpq_div_2exp(at, at, 1);
    must_hold(s, m, at);
    for (size_t j = 0; j < m->count; j++) {
        if (mpq_sgn(m->p[j]) == 0 || mpq_sgn(m->q[j]) == 0)
            continue;
        mpq_div(at, m->p[j], m->q[j]);
        if (mpq_cmp(low, at) < 0 && mpq_cmp(at, high) < 0)
            must_hold(s, m, at);
    }
    if (mpq_equal(low, high)) {
        mpfr_sub(slope, &s->right, &s->left, MPFR_RNDU);
        double width = ldexp(mpfr_get_d(slope, MPFR_RNDU), (int)bits);
        if (width > 4 + mpq_get_d(low))
            fail_msg("s is %g units wide", width);
    }
    mpq_clear(at);
    mpfr_clear(slope);
    mpfi_clear(x);
    mpfi_clear(s);
}

/* Odds near the loss of an outcome, or at it. */
static void random_odds(mpq_t odds, const masses *m, rng *r)
{
    size_t j = rng_below(r, m->count);
    mpq_set_ui(odds, 1 + rng_below(r, 40), 1 + rng_below(r, 20));
    mpq_canonicalize(odds);
    if (rng_below(r, 3) > 0 && mpq_sgn(m->p[j]) != 0 && mpq_sgn(m->q[j]) != 0)
        mpq_div(odds, m->p[j], m->q[j]);
    if (rng_below(r, 3) == 0) {
        mpq_t near;
        mpq_init(near);
        mpq_set_ui(near, 1, 1);
        mpq_div_2exp(near, near, 20 + rng_below(r, 300));
        (rng_below(r, 2) == 0 ? mpq_add : mpq_sub)(odds, odds, near);
        mpq_clear(near);
    }
}

static void test_random(void **state)
{
    (void)state;
    rng r = rng_make(733);
    mpq_t odds[2];
    mpq_inits(odds[0], odds[1], NULL);
    for (int i = 0; i < rounds(2000); i++) {
        masses m;
        product to;
        masses_random(&m, 1 + rng_below(&r, MOST_OUTCOMES), rng_below(&r, 2) == 0, &r);
        product_of(&to, &m, false, 1);
        for (int k = 0; to.count == 1 && k < 6; k++) {
            random_odds(odds[0], &m, &r);
            random_odds(odds[1], &m, &r);
            if (k % 2 == 0)
                mpq_set(odds[1], odds[0]);
            bool ordered = mpq_cmp(odds[0], odds[1]) <= 0;
            check_between(&to.item[0], &m, odds[!ordered], odds[ordered],
                          53 + (mpfr_prec_t)rng_below(&r, 200));
        }
        product_clear(&to);
        masses_clear(&m);
    }
    mpq_clears(odds[0], odds[1], NULL);
}

static void test_uses(void **state)
{
    (void)state;
    masses m;
    product to;
    mpfi_t s, x;
    mpfr_t slope;
    masses_set(&m, 3, "1/2 1/3 1/6", "1/6 1/3 1/2");
    product_of(&to, &m, false, 2);
    mpfi_init2(s, 64);
    mpfi_init2(x, 64);
    mpfr_init2(slope, 64);
    mpfi_set_ui(x, 0);
    assert_false(to.item[0].ops->profile(s, slope, to.item[0].self, x));
    mpfr_clear(slope);
    mpfi_clear(x);
    mpfi_clear(s);
    product_clear(&to);
    masses_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_uses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
