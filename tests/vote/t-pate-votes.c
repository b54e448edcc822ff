/* SPDX-License-Identifier: MIT */
/* What given votes spent: the bounds of one query beside another program's digits, where they do
 * not hold, and that they decide nothing. */
#include "vote/pate_instance.h"

#include "num/ival.h"
#include "support.h"

#define BITS 160
#define CLASSES 10

typedef struct one_query {
    mpq_t votes[CLASSES];
    pate_account a;
    pate_query q;
} one_query;

static void one_init(one_query *o, dp_aggregator kind, const char *scale, const char *const *votes,
                     size_t classes)
{
    pate_account_init(&o->a);
    o->a.kind = kind;
    rational_of(o->a.scale, scale);
    mpz_set_ui(o->a.asked, 1);
    o->q = (pate_query){.votes = (const mpq_t *)o->votes, .classes = classes, .times = 1};
    for (size_t c = 0; c < CLASSES; c++) {
        mpq_init(o->votes[c]);
        if (c < classes)
            rational_of(o->votes[c], votes[c]);
    }
}

static void one_clear(one_query *o)
{
    for (size_t c = 0; c < CLASSES; c++)
        mpq_clear(o->votes[c]);
    pate_account_clear(&o->a);
}

/* x holds the number, of 30 digits, within a relative 1e-28, and is about as narrow. */
static void expect(const mpfi_t x, const char *digits)
{
    mpq_t low, high;
    mpq_inits(low, high, NULL);
    rational_of(low, "0.9999999999999999999999999999");
    rational_of(high, digits);
    mpq_mul(low, low, high);
    if (mpfr_cmp_q(&x->right, low) < 0)
        fail_msg("below %s", digits);
    rational_of(low, "1.0000000000000000000000000001");
    mpq_mul(high, high, low);
    if (mpfr_cmp_q(&x->left, high) > 0)
        fail_msg("above %s", digits);
    mpfr_t wide;
    mpfr_init2(wide, BITS);
    mpfr_sub(wide, &x->right, &x->left, MPFR_RNDU);
    assert_true(mpfr_zero_p(wide) || mpfr_get_exp(wide) < mpfr_get_exp(&x->right) - 90);
    mpfr_clear(wide);
    mpq_clears(low, high, NULL);
}

static const char *const clear_vote[] = {"240", "10"}, *const close_vote[] = {"130", "120"},
                         *const all[] = {"250", "0", "0", "0", "0", "0", "0", "0", "0", "0"},
                         *const mixed[] = {"140", "110"}, *const eleven[] = {"11", "0"};

/* q, and A/l for A of the public values */
static void test_lnmax(void **state)
{
    (void)state;
    static const struct {
        const char *const *votes;
        size_t classes;
        const char *scale;
        unsigned long l;
        const char *q, *moment;
    } table[] = {
        {clear_vote, 2, "0.05", 4, "3.41890658953786487101770756532e-5",
         "3.11974514401542319797704920510e-5"},
        {all, 10, "0.05", 8, "1.21582059739066641144173279403e-4",
         "2.51273280496866141111755428602e-4"},
        {close_vote, 2, "0.5", 2, "0.0117914072483995674191130847405",
         "0.110771007447869461960398652616"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        one_query o;
        mpfi_t lq, r;
        mpq_t alpha;
        mpq_init(alpha);
        mpfi_init2(lq, BITS);
        mpfi_init2(r, BITS);
        one_init(&o, DP_LNMAX, table[i].scale, table[i].votes, table[i].classes);
        pate_log_q(lq, &o.a, &o.q, NULL);
        mpq_set_ui(alpha, table[i].l + 1, 1);
        pate_lnmax_dependent(r, lq, o.a.scale, alpha);
        mpfi_mul_ui(r, r, table[i].l);
        expect(r, table[i].moment);
        mpfi_exp(lq, lq);
        expect(lq, table[i].q);
        one_clear(&o);
        mpfi_clear(r);
        mpfi_clear(lq);
        mpq_clear(alpha);
    }
}

/* Line 8 of the published algorithm is not met by the second; by the others it is, but not alpha <=
 * mu1: alpha/sigma^2 for them, although the formula would say 0.2257 for the last. */
static void test_gnmax(void **state)
{
    (void)state;
    static const struct {
        const char *const *votes;
        const char *sigma, *alpha, *q, *r;
    } table[] = {
        {clear_vote, "40", "8", "2.39274198718867064986698484278e-5",
         "1.15555799880874434398848325730e-5"},
        {mixed, "40", "8", "0.297941545282588850838087457040", "0.005"},
        {eleven, "21.46", "34.31", "0.358507932488284491811630154176",
         "0.0745008594415670933330090703874"},
        {eleven, "10", "50", "0.218338316837445522004155818222", "0.5"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        one_query o;
        mpfi_t lq, r;
        mpq_t alpha, variance;
        mpq_inits(alpha, variance, NULL);
        mpfi_init2(lq, BITS);
        mpfi_init2(r, BITS);
        one_init(&o, DP_GNMAX, table[i].sigma, table[i].votes, 2);
        pate_log_q(lq, &o.a, &o.q, NULL);
        rational_of(alpha, table[i].alpha);
        mpq_mul(variance, o.a.scale, o.a.scale);
        pate_gnmax_dependent(r, lq, variance, alpha);
        expect(r, table[i].r);
        mpfi_exp(lq, lq);
        expect(lq, table[i].q);
        one_clear(&o);
        mpfi_clear(r);
        mpfi_clear(lq);
        mpq_clears(alpha, variance, NULL);
    }
}

static void test_threshold(void **state)
{
    (void)state;
    static const char *const table[][4] = {
        {"120", "8", "1.77777777777777777777777777778e-4", "0.296901"},
        {"210", "20", "4.44444444444444444444444444444e-4", "0.473423"},
    };
    for (size_t i = 0; i < 2; i++) {
        one_query o;
        mpfi_t lq, r;
        mpq_t alpha, variance, threshold;
        mpq_inits(alpha, variance, threshold, NULL);
        mpfi_init2(lq, BITS);
        mpfi_init2(r, BITS);
        one_init(&o, DP_CONFIDENT_GNMAX, "40", table[i], 1);
        rational_of(o.a.threshold, "150");
        rational_of(threshold, "200");
        rational_of(alpha, table[i][1]);
        rational_of(variance, "45000");
        pate_log_q_test(lq, &o.a, &o.q, threshold);
        pate_gnmax_dependent(r, lq, variance, alpha);
        expect(r, table[i][2]);
        mpfi_exp(lq, lq);
        rational_of(alpha, table[i][3]); /* Phi of 80/150 and of 10/150, on the other side */
        assert_true(mpfr_cmp_q(&lq->left, alpha) > 0);
        rational_of(variance, "1.000005");
        mpq_mul(alpha, alpha, variance);
        assert_true(mpfr_cmp_q(&lq->right, alpha) < 0);
        one_clear(&o);
        mpfi_clear(r);
        mpfi_clear(lq);
        mpq_clears(alpha, variance, threshold, NULL);
    }
}

/* q far below all doubles is not 0, and neither is what it costs; its terms at integer gaps are
 * those of the table. */
static void test_underflow(void **state)
{
    (void)state;
    static const char *const votes[] = {"1000000", "0", "3", "7/2"};
    for (int kind = DP_LNMAX; kind <= DP_GNMAX; kind++) {
        one_query o;
        mpfi_t lq, r;
        mpq_t alpha;
        mpq_init(alpha);
        mpfi_init2(lq, BITS);
        mpfi_init2(r, BITS);
        one_init(&o, (dp_aggregator)kind, kind == DP_LNMAX ? "1" : "40", votes, 4);
        pate_log_q(lq, &o.a, &o.q, NULL);
        assert_true(mpfr_number_p(&lq->left) && mpfr_cmp_si(&lq->right, -900000) < 0);
        mpq_set_ui(alpha, 3, 1);
        mpq_mul(o.a.threshold, o.a.scale, o.a.scale);
        if (kind == DP_LNMAX)
            pate_lnmax_dependent(r, lq, o.a.scale, alpha);
        else
            pate_gnmax_dependent(r, lq, o.a.threshold, alpha);
        assert_true(mpfi_is_strictly_pos(r) && mpfr_get_exp(&r->right) < -100000);
        pate_tails *tails = pate_tails_new(BITS);
        for (int again = 0; again < 2; again++) {
            pate_log_q(r, &o.a, &o.q, tails);
            assert_true(mpfr_equal_p(&r->left, &lq->left) && mpfr_equal_p(&r->right, &lq->right));
        }
        pate_tails_free(tails);
        one_clear(&o);
        mpfi_clear(r);
        mpfi_clear(lq);
        mpq_clear(alpha);
    }
}

/* The cap 1 - 1/classes counts classes without votes; beyond q = 1/(1 + e^e) only what holds for
 * all votes is left, which the script of 2017 passes over. */
static void test_ties(void **state)
{
    (void)state;
    static const char *const votes[] = {"5", "5", "5", "5", "0", "0", "0", "0", "0", "0"};
    one_query o;
    mpfi_t lq, r;
    mpq_t alpha, cap;
    mpq_inits(alpha, cap, NULL);
    mpfi_init2(lq, BITS);
    mpfi_init2(r, BITS);
    one_init(&o, DP_LNMAX, "1/100", votes, 10);
    pate_log_q(lq, &o.a, &o.q, NULL);
    mpfi_exp(lq, lq);
    rational_of(cap, "9/10");
    assert_true(mpfr_cmp_q(&lq->left, cap) <= 0 && mpfr_cmp_q(&lq->right, cap) >= 0);
    pate_log_q(lq, &o.a, &o.q, NULL);
    mpq_set_ui(alpha, 2, 1);
    pate_lnmax_dependent(r, lq, o.a.scale, alpha);
    mpfi_t whole;
    mpfi_init2(whole, BITS);
    pate_curve(whole, &o.a, alpha);
    assert_true(mpfr_lessequal_p(&whole->left, &r->right) &&
                mpfr_lessequal_p(&r->left, &whole->right));
    mpfi_clear(whole);
    one_clear(&o);
    mpfi_clear(r);
    mpfi_clear(lq);
    mpq_clears(alpha, cap, NULL);
}

/* Where both are stated the bound grows with q, so an upper bound of q does no harm. */
static void test_monotone(void **state)
{
    (void)state;
    mpfi_t lq, r, before;
    mpq_t alpha, variance;
    mpq_inits(alpha, variance, NULL);
    mpfi_init2(lq, BITS);
    mpfi_init2(r, BITS);
    mpfi_init2(before, BITS);
    rational_of(alpha, "8");
    rational_of(variance, "1600");
    mpfi_set_ui(before, 0);
    for (int i = 60; i >= 1; i--) {
        mpfi_set_si(lq, -i);
        mpfi_div_ui(lq, lq, 2);
        pate_gnmax_dependent(r, lq, variance, alpha);
        assert_true(mpfr_lessequal_p(&before->left, &r->right));
        mpfi_set(before, r);
    }
    mpfi_clear(before);
    mpfi_clear(r);
    mpfi_clear(lq);
    mpq_clears(alpha, variance, NULL);
}

/* Every asked query is charged as an answered one, whatever the votes are. */
static void test_confident(void **state)
{
    (void)state;
    one_query o;
    mpfi_t r, parts, lq;
    mpq_t alpha, variance, threshold;
    pate_votes v;
    mpq_inits(alpha, variance, threshold, NULL);
    mpfi_init2(r, BITS);
    mpfi_init2(parts, BITS);
    mpfi_init2(lq, BITS);
    one_init(&o, DP_CONFIDENT_GNMAX, "40", mixed, 2);
    rational_of(o.a.threshold, "150");
    rational_of(threshold, "200");
    rational_of(alpha, "5");
    assert_int_equal(pate_votes_init(&v, &o.a, o.q.votes, 2, 2, threshold), DP_OK);
    pate_votes_curve(r, &v, alpha);
    rational_of(variance, "1600");
    pate_log_q(lq, &o.a, &o.q, NULL);
    pate_gnmax_dependent(parts, lq, variance, alpha);
    rational_of(variance, "45000");
    pate_log_q_test(lq, &o.a, &o.q, threshold);
    mpfi_t test;
    mpfi_init2(test, BITS);
    pate_gnmax_dependent(test, lq, variance, alpha);
    mpfi_add(parts, parts, test);
    mpfi_clear(test);
    assert_true(mpfr_lessequal_p(&parts->left, &r->right) &&
                mpfr_lessequal_p(&r->left, &parts->right));
    pate_votes_clear(&v);
    one_clear(&o);
    mpfi_clear(lq);
    mpfi_clear(parts);
    mpfi_clear(r);
    mpq_clears(alpha, variance, threshold, NULL);
}

/* A budget that the votes kept and the noise alone does not: the check does not hold, the guarantee
 * is that of any votes, and the row says what it is. */
static void test_decides_nothing(void **state)
{
    (void)state;
    dp_result r;
    dp_number sigma, delta, epsilon;
    dp_options opt = dp_options_default();
    one_query o;
    dp_result_init(&r);
    dp_number_init(&sigma);
    dp_number_init(&delta);
    dp_number_init(&epsilon);
    number_of(&sigma, "40");
    number_of(&delta, "1e-5");
    number_of(&epsilon, "0.108");
    one_init(&o, DP_GNMAX, "40", clear_vote, 2);
    opt.max_epsilon = &epsilon;
    opt.max_delta = &delta;
    dp_pate p = {.aggregator = DP_GNMAX,
                 .sigma = &sigma,
                 .target_delta = &delta,
                 .votes = (const mpq_t *)o.votes,
                 .vote_count = 2,
                 .vote_classes = 2};
    assert_int_equal(dp_pate_privacy(&r, &p, &opt, NULL), DP_OK);
    assert_int_equal(r.check.holds, DP_NO);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.row[r.guarantee].theorem->id, "pate-gaussian");
    assert_int_equal(r.row[1].verdict, DP_PER_INSTANCE);
    assert_int_equal(dp_figure_le(row_of(&r, "pate-gnmax-instance", "epsilon"), epsilon.value),
                     DP_YES);
    assert_int_equal(r.warnings, 1);
    dp_error err;
    p.vote_classes = 3;
    assert_int_equal(dp_pate_privacy(&r, &p, &opt, &err), DP_DOMAIN);
    assert_string_equal(err.argument, "votes");
    p.vote_classes = 2;
    p.teachers = &sigma;
    assert_int_equal(dp_pate_privacy(&r, &p, &opt, &err), DP_DOMAIN);
    assert_string_equal(err.argument, "teachers");
    p.teachers = NULL;
    p.threshold = &sigma;
    assert_int_equal(dp_pate_privacy(&r, &p, &opt, &err), DP_DOMAIN);
    assert_string_equal(err.argument, "threshold");
    p.threshold = NULL;
    p.queries = &sigma;
    assert_int_equal(dp_pate_privacy(&r, &p, &opt, &err), DP_DOMAIN);
    assert_string_equal(err.argument, "queries");
    one_clear(&o);
    dp_number_clear(&epsilon);
    dp_number_clear(&delta);
    dp_number_clear(&sigma);
    dp_result_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lnmax),     cmocka_unit_test(test_gnmax),
        cmocka_unit_test(test_threshold), cmocka_unit_test(test_underflow),
        cmocka_unit_test(test_ties),      cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_confident), cmocka_unit_test(test_decides_nothing),
    };
    return cmocka_run_group_tests_name("pate votes", tests, NULL, NULL);
}
