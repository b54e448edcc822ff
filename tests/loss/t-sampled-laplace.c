/* SPDX-License-Identifier: MIT */
/* The law of Laplace noise on a Poisson sample, in both directions, beside mpmath: moments and
 * nodes by quadrature of other orders, profiles by integrals over the noise itself, a composition
 * by a contour sum of its own. */
#include "law.h"

#include <stdlib.h>

#include "engine/profile.h"
#include "loss/sampled_laplace.h"

static void add(product *to, const char *epsilon, const char *rate, bool added, unsigned long times)
{
    mpq_t e, q;
    mpz_t n;
    mpq_inits(e, q, NULL);
    mpz_init_set_ui(n, times);
    rational_of(e, epsilon);
    rational_of(q, rate);
    assert_int_equal(sampled_laplace_add(to, e, q, n, added), DP_OK);
    mpz_clear(n);
    mpq_clears(e, q, NULL);
}

static void test_moments(void **state)
{
    (void)state;
    static const struct {
        const char *epsilon, *rate;
        bool add;
        const char *z, *k;
    } row[] = {
        {"1", "1/10", false, "1", "0.00853645701948974053975264984274070061"},
        {"1", "1/10", true, "1", "0.00781807403026683947477119550760503059"},
        {"2", "1/100", false, "7/2", "0.00322548708047274605272010792535809967"},
        {"2", "1/100", true, "-1/2", "-0.0000479524164250182999005737986611233001"},
        {"1/20", "1/2", true, "9", "0.0273590282831051679610155918648319864"},
        {"10", "1/1000", false, "2", "0.289009938874735631141885267659712418"},
        {"10", "1/1000", true, "2", "0.00174985726080045389138197807573476699"},
        {"1", "9/10", false, "1/1000000", "0.000000298457269198111819719964257446611846"},
    };
    mpfi_t k, z;
    mpfi_init2(k, 100);
    mpfi_init2(z, 300);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        add(&p, row[i].epsilon, row[i].rate, row[i].add, 1);
        const loss *l = only_law(&p);
        number_in(z, row[i].z);
        l->ops->log_moment(k, l->self, z, NULL);
        holds_digits(k, row[i].k, 30);
        if (i == 1)
            check_zeros(l);
        for (double at = -0.9; i < 3 && at < 9; at += 3.1)
            check_guess(l, at);
        product_clear(&p);
    }
    mpfi_clear(z);
    mpfi_clear(k);
}

/* z is (re, im) to 29 digits beside its radius. */
static void holds_point(const cball *z, const char *re, const char *im)
{
    mpfr_t x, away;
    mpq_t truth;
    mpq_init(truth);
    mpfr_inits2(100, x, away, (mpfr_ptr)0);
    mpfr_set_ui(away, 0, MPFR_RNDN);
    for (size_t j = 0; j < 2; j++) {
        rational_of(truth, j == 0 ? re : im);
        mpfr_sub_q(x, j == 0 ? z->re : z->im, truth, MPFR_RNDN);
        mpfr_sqr(x, x, MPFR_RNDN);
        mpfr_add(away, away, x, MPFR_RNDN);
    }
    mpfr_sqrt(away, away, MPFR_RNDN);
    mpfr_sub(away, away, z->radius, MPFR_RNDN);
    assert_true(mpfr_cmp_d(away, 1e-29) < 0);
    mpq_clear(truth);
    mpfr_clears(x, away, (mpfr_ptr)0);
}

/* Decay and scan promise no more than the node shows. */
static void check_decay(const loss *l, const line *at, const cball *z)
{
    mpfr_t low, x;
    scan_item item;
    mpfr_inits2(100, low, x, (mpfr_ptr)0);
    mpfr_hypot(x, z->re, z->im, MPFR_RNDU);
    mpfr_log(x, x, MPFR_RNDU);
    mpfr_neg(x, x, MPFR_RNDU); /* -ln|phi| */
    l->ops->decay(low, l->self, at->c, at->spacing);
    assert_true(mpfr_sgn(low) >= 0 && mpfr_cmp_d(low, mpfr_get_d(x, MPFR_RNDU) + 1e-15) <= 0);
    assert_int_equal(l->ops->resonances(&item, 1, l->self, at), 1);
    double turn = (double)item.turn * 0x1p-64;
    double seen = item.weight / 4 * (1 - cos(2 * 3.141592653589793 * turn));
    assert_true(item.weight > 0 && seen <= mpfr_get_d(x, MPFR_RNDU) + 1e-12);
    mpfr_clears(low, x, (mpfr_ptr)0);
}

/* M(c + it) / M(c), what is known of its decay, and what the scan sees of it. */
static void test_nodes(void **state)
{
    (void)state;
    static const struct {
        const char *epsilon, *rate;
        bool add;
        double c, t;
        const char *re, *im;
    } row[] = {
        {"1", "1/10", false, 2.0, 3.0, "0.95465792646891128938061138097107",
         "0.062456708189302260114227205374021"},
        {"1", "1/10", true, 2.0, 40.0, "-0.35706266599454148160492268691227",
         "0.40673894259134671750979460447944"},
        {"2", "1/100", false, -0.5, 200.0, "0.082868174255574153890626673915764",
         "-0.74813405728050921340561990499103"},
        {"1/4", "1/2", true, 16.0, 17.0, "-0.37456233641009104419963852610576",
         "0.87765259891314209207581383849403"},
        {"1", "1/10", false, 2.0, 4000.0, "-0.0909957781985045516140474236341",
         "0.0731395688171857941693711767709"},
        {"1", "1/10", true, -0.25, 4000.0, "-0.265394525528430682070303058128",
         "-0.14456340591312999150153970211"},
        {"1", "1/10", false, -0.75, 0.015625, "0.99999902214345345983340792052605",
         "-0.000032103181903154242703524435886329"},
    };
    mpfr_t spacing;
    limits lim = {0};
    mpfr_init2(spacing, 100);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        add(&p, row[i].epsilon, row[i].rate, row[i].add, 1);
        const loss *l = only_law(&p);
        mpfr_set_d(spacing, row[i].t, MPFR_RNDN);
        line at = {.c = row[i].c, .spacing = spacing, .last = 1, .work = 80};
        uint64_t node[] = {0, 1};
        cball phi[2];
        for (size_t j = 0; j < 2; j++) {
            cball_init(&phi[j], 80);
            cball_set_ui(&phi[j], 1);
        }
        assert_int_equal(l->ops->multiply(phi, l->self, &at, node, 2, &lim), DP_OK);
        assert_true(mpfr_get_d(phi[1].radius, MPFR_RNDU) < 1e-22);
        holds_point(&phi[1], row[i].re, row[i].im);
        check_decay(l, &at, &phi[1]);
        cball_clear(&phi[0]);
        cball_clear(&phi[1]);
        product_clear(&p);
    }
    mpfr_clear(spacing);
}

static void test_profile(void **state)
{
    (void)state;
    static const struct {
        const char *epsilon, *rate;
        bool add;
        const char *x, *s;
    } row[] = {
        {"1", "1/10", false, "1/20", "0.0254013898251427760023009188449829"},
        {"1", "1/10", true, "1/20", "0.00821794835084621979956043040649771"},
        {"2", "1/100", false, "1/100", "0.00479087815339543733020392495225139"},
        {"2", "1/100", true, "1/200", "0.00242000434961213891227798695524183"},
        {"1/20", "1/2", false, "0", "0.0123450439858336656865067880935969"},
        {"1/20", "1/2", true, "1/100", "0.00734458906939662536845566867129101"},
        {"1", "1/2", false, "-1/4", "0.27354351822649352622138134830833"},
        {"1", "1/2", true, "-1/4", "0.314846572312531927018360539686247"},
        {"3", "1/4", false, "-1/2", "0.39346934028736657639620046500882"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        add(&p, row[i].epsilon, row[i].rate, row[i].add, 1);
        check_profile(only_law(&p), row[i].x, row[i].s, 30);
        check_wide_profile(only_law(&p), "-1/2", "1/2");
        product_clear(&p);
    }
}

/* A hundred uses, by the contour. */
static void test_sum(void **state)
{
    (void)state;
    static const char *const delta[] = {
        "1.90168983807699e-5",
        "4.30286059012795e-7",
    };
    for (int way = 0; way < 2; way++) {
        product p;
        engine e;
        profile at;
        limits lim = {0};
        mpfi_t s, x;
        mpfr_t slope;
        mpfi_init2(s, 60);
        mpfi_init2(x, 60);
        mpfr_init2(slope, 60);
        product_init(&p);
        add(&p, "1", "1/10", way == 1, 100);
        assert_int_equal(engine_init(&e, &p), DP_OK);
        mpfi_set_ui(x, 4);
        e.without = 1U << PROFILE_ENDS;
        assert_int_equal(profile_open(&at, &e, 4, 30, 1e-9, false, &lim), DP_OK);
        assert_int_equal(at.kind, PROFILE_PLAIN);
        assert_int_equal(profile_at(s, slope, &at, x), DP_OK);
        double truth = strtod(delta[way], NULL);
        assert_true(mpfr_get_d(&s->left, MPFR_RNDD) <= truth * (1 + 1e-12));
        assert_true(mpfr_get_d(&s->right, MPFR_RNDU) >= truth * (1 - 1e-12));
        mpfr_sub(slope, &s->right, &s->left, MPFR_RNDU);
        assert_true(mpfr_get_d(slope, MPFR_RNDU) <= 1e-7 * truth);
        profile_close(&at);
        engine_clear(&e);
        product_clear(&p);
        mpfr_clear(slope);
        mpfi_clear(x);
        mpfi_clear(s);
    }
}

static void test_merging(void **state)
{
    (void)state;
    product p;
    product_init(&p);
    add(&p, "0", "1/2", false, 1);
    add(&p, "1", "0", true, 1);
    add(&p, "1", "1/2", true, 0);
    assert_int_equal(p.count, 0);
    add(&p, "1", "1/2", true, 3);
    add(&p, "1", "1/2", true, 2);
    add(&p, "1", "1/2", false, 2);
    add(&p, "1", "1/3", true, 2);
    assert_int_equal(only_law(&p)->ops->resonances(NULL, 0, p.item[0].self, NULL), 3);
    assert_false(p.item[0].ops->symmetric);
    add(&p, "1", "1", true, 4); /* Laplace noise */
    assert_int_equal(p.count, 2);
    assert_true(p.item[1].ops->symmetric);
    mpq_t e, q;
    mpz_t n;
    mpq_inits(e, q, NULL);
    mpz_init_set_ui(n, 1);
    rational_of(e, "100.01");
    rational_of(q, "1/2");
    assert_int_equal(sampled_laplace_add(&p, e, q, n, true), DP_DOMAIN);
    mpz_clear(n);
    mpq_clears(e, q, NULL);
    product_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments), cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_profile), cmocka_unit_test(test_sum),
        cmocka_unit_test(test_merging),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
