/* SPDX-License-Identifier: MIT */
/* Pairs and randomized response whose ratios are powers of one rational, odd and even ones: their
 * step is a logarithm or half of one. The lattice contour beside the sums in exact rationals. */
#include "support.h"

#include "engine/profile.h"
#include "loss/pair.h"
#include "loss/response.h"
#include "num/number.h"

#define OUTCOMES 4

typedef struct part {
    const char *p[OUTCOMES], *q[OUTCOMES]; /* a pair; or ln(p[0]) without a q */
    unsigned long times;
} part;

typedef struct list {
    part part[3];
    const char *step; /* the step is the logarithm of this */
    bool halved;
} list;

static const list lists[] = {
    /* ratios 8, 2, 1/2, 1/4; 4, 2, 1/2, 1/4 */
    {{{{"4/7", "1/7", "1/7", "1/7"}, {"1/14", "1/14", "2/7", "4/7"}, 3}}, "2", true},
    {{{{"1/2", "1/4", "1/8", "1/8"}, {"1/8", "1/8", "1/4", "1/2"}, 5}}, "2", true},
    /* 4, 1, 1/4, and randomized response */
    {{{{"4/7", "2/7", "1/7"}, {"1/7", "2/7", "4/7"}, 4}, {{"2"}, {NULL}, 3}}, "2", true},
    {{{{"1/2", "1/4", "1/8", "1/8"}, {"1/8", "1/8", "1/4", "1/2"}, 2}, {{"8"}, {NULL}, 2}},
     "2",
     true},
    {{{{"1/2", "1/4", "1/4"}, {"1/16", "7/16", "1/2"}, 2}, {{"7/4"}, {NULL}, 1}}, NULL, false},
    /* logarithms of several powers */
    {{{{"9/4"}, {NULL}, 3}, {{"27/8"}, {NULL}, 2}}, "3/2", false},
    {{{{"9"}, {NULL}, 2}, {{"27"}, {NULL}, 2}, {{"4/7", "3/7"}, {"3/7", "4/7"}, 1}}, NULL, false},
    {{{{"9/4"}, {NULL}, 2}, {{"81/16"}, {NULL}, 2}}, "9/4", false},
};

static void add_part(product *to, const part *a)
{
    mpq_t p[OUTCOMES], q[OUTCOMES];
    mpz_t times;
    size_t count = 0;
    mpz_init_set_ui(times, a->times);
    for (; count < OUTCOMES && a->p[count] != NULL; count++) {
        mpq_inits(p[count], q[count], NULL);
        rational_of(p[count], a->p[count]);
        rational_of(q[count], a->q[0] == NULL ? "0" : a->q[count]);
    }
    if (a->q[0] == NULL) {
        dp_number x;
        dp_number_init(&x);
        number_set_log(&x, p[0]);
        assert_int_equal(response_add(to, &x, times), DP_OK);
        dp_number_clear(&x);
    } else {
        assert_int_equal(pair_add(to, (const mpq_t *)p, (const mpq_t *)q, count, false, times),
                         DP_OK);
    }
    for (size_t j = 0; j < count; j++)
        mpq_clears(p[j], q[j], NULL);
    mpz_clear(times);
}

/* s(ln odds) on the lattice holds the rational, and is narrow. */
static void check_at(const engine *e, const product *p, const mpq_t odds, mpfr_prec_t bits)
{
    logform x;
    mpq_t truth, one;
    mpfi_t at, s;
    mpfr_t slope;
    profile f;
    limits lim = {0};
    logform_init(&x);
    mpq_inits(truth, one, NULL);
    mpq_set_ui(one, 1, 1);
    assert_true(logform_add_log(&x, one, odds));
    assert_true(exact_profile(truth, p, &x));
    mpfi_init2(at, 300);
    mpfi_init2(s, 64);
    mpfr_init2(slope, 64);
    logform_enclose(at, &x);
    if (profile_open(&f, e, mpfi_get_d(at), bits, 1e-9, false, &lim) == DP_OK) {
        assert_int_equal(f.kind, PROFILE_CONTOUR);
        assert_int_equal(profile_at(s, slope, &f, at), DP_OK);
        assert_true(mpfr_cmp_q(&s->left, truth) <= 0 && mpfr_cmp_q(&s->right, truth) >= 0);
        mpfr_sub(slope, &s->right, &s->left, MPFR_RNDU);
        assert_true(mpfr_cmp_ui_2exp(slope, 1, 8 - bits) < 0);
    } else {
        assert_int_equal(mpq_cmp_ui(truth, 1, 1000000), -1);
    }
    profile_close(&f);
    mpfr_clear(slope);
    mpfi_clear(s);
    mpfi_clear(at);
    mpq_clears(truth, one, NULL);
    logform_clear(&x);
}

static void contours(void **unused)
{
    (void)unused;
    static const char *const odds[] = {"1",   "2",  "9/4",  "3",    "4",
                                       "7/5", "16", "27/8", "81/2", "200"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        product p;
        engine e;
        product_init(&p);
        for (size_t k = 0; k < 3 && lists[i].part[k].times > 0; k++)
            add_part(&p, &lists[i].part[k]);
        assert_int_equal(engine_init(&e, &p), DP_OK);
        assert_int_equal(e.has_lattice, lists[i].step != NULL);
        mpq_t x;
        mpq_init(x);
        if (e.has_lattice) {
            rational_of(x, lists[i].step);
            assert_true(e.lattice.step.is_log && mpq_equal(e.lattice.step.value, x));
            assert_int_equal(e.lattice.halved, lists[i].halved);
        }
        e.without = ~(1U << PROFILE_CONTOUR);
        for (size_t k = 0; e.has_lattice && k < sizeof odds / sizeof *odds; k++) {
            rational_of(x, odds[k]);
            check_at(&e, &p, x, 40 + 30 * (mpfr_prec_t)(k % 3));
        }
        mpq_clear(x);
        engine_clear(&e);
        product_clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(contours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
