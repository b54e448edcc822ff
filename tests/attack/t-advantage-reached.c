/* SPDX-License-Identifier: MIT */
/* More mechanisms and attackers that reach the exact bounds: randomized response of the statements
 * by divergences and of pure privacy, secrets, one direction, bagging. */
#include "attackers.h"

/* Is the figure at most 1e-18 above the value, and not below it? */
static void expect_reached(asked *a, const char *id, const char *name, const mpq_t value)
{
    mpq_t more;
    mpq_init(more);
    expect_within(a, id, name, value);
    rational_of(more, "1e-18");
    mpq_add(more, more, value);
    if (dp_figure_le(need(a, id, name), more) != DP_YES)
        fail_msg("%s: %s is not reached: %g", id, name, mpq_get_d(value));
    mpq_clear(more);
}

/* r = D_alpha of randomized response with odds k, alpha = 1: KL; rounded up to a rational. */
static void divergence_of(mpq_t r, const mpq_t k, unsigned long alpha)
{
    mpfr_t e, x, y;
    mpfr_inits2(200, e, x, y, (mpfr_ptr)0);
    mpfr_set_q(e, k, MPFR_RNDN);
    if (alpha == 1) { /* e tanh(e/2) */
        mpfr_log(e, e, MPFR_RNDN);
        mpfr_div_2ui(x, e, 1, MPFR_RNDN);
        mpfr_tanh(x, x, MPFR_RNDN);
        mpfr_mul(x, x, e, MPFR_RNDN);
    } else {
        mpfr_pow_ui(x, e, alpha, MPFR_RNDN);
        mpfr_pow_ui(y, e, alpha - 1, MPFR_RNDN);
        mpfr_ui_div(y, 1, y, MPFR_RNDN);
        mpfr_add(x, x, y, MPFR_RNDN);
        mpfr_add_ui(e, e, 1, MPFR_RNDN);
        mpfr_div(x, x, e, MPFR_RNDN);
        mpfr_log(x, x, MPFR_RNDN);
        mpfr_div_ui(x, x, alpha - 1, MPFR_RNDN);
    }
    mpfr_nextabove(x);
    mpfr_get_q(r, x);
    mpfr_clears(e, x, y, (mpfr_ptr)0);
}

/* Randomized response of odds k has the advantage (k-1)/(k+1), and keeps what is stated of it. */
static void test_divergences(void **state)
{
    (void)state;
    static const char *const odds[] = {"11/10", "3", "50"};
    asked a;
    mpq_t k, t, point[4], leak;
    asked_init(&a);
    mpq_inits(k, t, leak, point[0], point[1], point[2], point[3], NULL);
    a.opt.digits = 20;
    for (size_t i = 0; i < 3; i++) {
        rational_of(k, odds[i]);
        mpz_sub(mpq_numref(t), mpq_numref(k), mpq_denref(k));
        mpz_add(mpq_denref(t), mpq_numref(k), mpq_denref(k));
        mpq_canonicalize(t);
        divergence_of(point[0], k, 1);
        a.statement = (dp_conversion){.zcdp = (const mpq_t *)point, .zcdp_count = 1};
        a.q.delta = NULL;
        ask(&a);
        expect_reached(&a, "adv-zcdp", "advantage", t);
        expect_reached(&a, "adv-rr-principle", "advantage", t);
        number_of(&a.delta, "1/10"); /* published with that probability, else randomized response */
        a.q.delta = &a.delta;
        rational_of(leak, "9/10");
        mpq_mul(leak, leak, t);
        rational_of(a.u, "1/10");
        mpq_add(a.u, a.u, leak);
        ask(&a);
        expect_reached(&a, "adv-approx-zcdp", "advantage", a.u);
        a.q.delta = NULL;
        for (int j = 0; j < 2; j++) {
            mpq_set_ui(point[2 * j], 2 + 3 * (unsigned long)j, 1);
            divergence_of(point[2 * j + 1], k, 2 + 3 * (unsigned long)j);
        }
        a.statement = (dp_conversion){.rdp = (const mpq_t *)point, .rdp_count = 4};
        mpz_set(mpq_numref(a.fpr[0]), mpq_denref(k)); /* and at the rate 1/(1+k): k/(1+k) */
        mpz_add(mpq_denref(a.fpr[0]), mpq_numref(k), mpq_denref(k));
        mpq_canonicalize(a.fpr[0]);
        a.q.fpr = (const mpq_t *)a.fpr;
        a.q.fpr_count = 1;
        ask(&a);
        expect_reached(&a, "adv-rdp", "advantage", t);
        mpq_mul(a.u, a.fpr[0], k);
        expect_reached(&a, "tpr-at-fpr", "tpr", a.u);
        a.q.fpr_count = 0;
    }
    mpq_clears(k, t, leak, point[0], point[1], point[2], point[3], NULL);
    asked_clear(&a);
}

/* Randomized response, odds 3, prior 1/5: the posterior of either answer, the precision of "in". */
static void test_pure(void **state)
{
    (void)state;
    asked a;
    asked_init(&a);
    a.statement = (dp_conversion){.pure = &a.epsilon};
    number_of(&a.epsilon, "ln(3)");
    set_prior(&a, 1, 5);
    ask(&a);
    expect_text(&a, "posterior-pure", "posterior_max", "3/7"); /* 1/5 3/4 of that and 4/5 1/4 */
    expect_text(&a, "posterior-pure", "posterior_min", "1/13");
    expect_text(&a, "ppv-pure", "ppv", "3/7");
    asked_clear(&a);
}

/* One direction: FPR = (1-delta)/E and TPR = 1 keep P <= E Q + delta. */
static void test_one_direction(void **state)
{
    (void)state;
    asked a;
    laws l;
    mpq_t k, one;
    asked_init(&a);
    laws_init(&l, 2);
    mpq_inits(k, one, NULL);
    rational_of(k, "3");
    mpq_set_ui(one, 1, 1);
    number_of(&a.epsilon, "ln(3)");
    number_of(&a.delta, "1/10");
    mpq_set_ui(l.p[0], 1, 1);
    rational_of(l.q[0], "3/10");
    rational_of(l.q[1], "7/10");
    hockey(a.u, (const mpq_t *)l.p, (const mpq_t *)l.q, 2, k);
    rational_of(a.v, "1/10");
    assert_true(mpq_equal(a.u, a.v));
    ask(&a);
    hockey(a.u, (const mpq_t *)l.p, (const mpq_t *)l.q, 2, one);
    expect_equal(&a, "adv-one-direction", "advantage", a.u);
    mpq_clears(k, one, NULL);
    laws_clear(&l);
    asked_clear(&a);
}

static const dp_row *result_of(const asked *a, const char *id)
{
    for (size_t i = 0; i < a->r.count; i++)
        if (strcmp(a->r.row[i].theorem->id, id) == 0)
            return &a->r.row[i];
    fail_msg("no %s", id);
    return NULL;
}

/* Records in or out, n equally likely secrets: without the record an even law on n outputs, with
 * secret z the output z has F(1/n), the others share the rest. The guess is the output. */
static void even_secrets(asked *a, unsigned long n, const char *odds, const char *delta,
                         bool is_before)
{
    laws l;
    mpq_t k, f, g, one;
    laws_init(&l, n);
    mpq_inits(k, f, g, one, NULL);
    rational_of(k, odds);
    rational_of(f, delta);
    number_set_log(&a->epsilon, k);
    number_set_q(&a->delta, f);
    dp_number_set_ui(&a->secrets, n);
    a->q.secrets = &a->secrets;
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(g, 1, n); /* F(1/n) = min(delta + E/n, 1 - (1-delta-1/n)/E) */
    for (size_t i = 0; i < n; i++)
        mpq_set(l.q[i], g);
    mpq_add(g, g, f);
    mpq_sub(g, one, g);
    mpq_div(g, g, k);
    mpq_sub(g, one, g);
    mpq_set_ui(l.p[0], 1, n);
    mpq_mul(l.p[0], l.p[0], k);
    mpq_add(l.p[0], l.p[0], f);
    if (mpq_cmp(g, l.p[0]) < 0)
        mpq_set(l.p[0], g);
    mpq_sub(g, one, l.p[0]);
    mpq_set_ui(one, n - 1, 1);
    for (size_t i = 1; i < n; i++)
        mpq_div(l.p[i], g, one);
    both_ways(g, &l, k);
    assert_true(mpq_cmp(g, f) <= 0); /* it keeps the guarantee, in both directions */
    ask(a);
    expect_equal(a, "rero-f", "reconstruction", l.p[0]);
    mpq_sub(l.p[0], l.p[0], l.q[0]); /* beyond the corner a kappa that is less may gain more */
    bool largest = result_of(a, "attribute-adv")->verdict == DP_EXACT;
    assert_true(largest == is_before);
    if (largest)
        expect_equal(a, "attribute-adv", "attribute_advantage", l.p[0]);
    else
        expect_within(a, "attribute-adv", "attribute_advantage", l.p[0]);
    mpq_clears(k, f, g, one, NULL);
    laws_clear(&l);
}

static void test_secrets(void **state)
{
    (void)state;
    asked a;
    asked_init(&a);
    even_secrets(&a, 5, "3", "1/20", true);
    even_secrets(&a, 2, "5/4", "0", false);
    even_secrets(&a, 2, "1", "1/4", false);
    asked_clear(&a);
}

/* delta = 0, one of n secrets in the place of another: n-ary randomized response, kappa = 1/n, and
 * sets of k of the n, each that has the secret E times as likely as one that has not. */
static void test_any_prior(void **state)
{
    (void)state;
    asked a;
    asked_init(&a);
    a.q.adjacency = DP_REPLACE_ONE;
    number_of(&a.epsilon, "ln(3)");
    number_of(&a.delta, "0");
    number_of(&a.kappa, "1/4");
    a.q.kappa = &a.kappa;
    ask(&a);
    expect_text(&a, "rero-replace-prior", "reconstruction", "1/2"); /* 3/(3+3) */
    number_of(&a.kappa, "2/5");
    dp_number_set_ui(&a.secrets, 5);
    a.q.secrets = &a.secrets;
    ask(&a); /* 4 of the 10 pairs have the secret: 4 3/(4 3 + 6) */
    expect_text(&a, "rero-replace-prior", "reconstruction", "2/3");
    expect_text(&a, "rero-replace-shortlist", "reconstruction", "2/3");
    number_of(&a.delta, "1/10"); /* with delta (n-1)/(n-k) = 2/15 a pair that has it */
    ask(&a);
    expect_text(&a, "rero-replace-shortlist", "reconstruction", "32/45");
    asked_clear(&a);
}

/* The learner publishes its sample: one draw of two records, half of the samples have the record.
 */
static void test_bagging(void **state)
{
    (void)state;
    static const char *const accuracy[][3] = {{"17/20", "7/10", "3/4"}, {"17/20", "17/20", "3/4"}};
    static const unsigned long prior[][2] = {{3, 10}, {7, 10}, {1, 2}};
    asked a;
    mpz_t times;
    dp_bagging bagging;
    dp_composition list;
    asked_init(&a);
    dp_composition_init(&list);
    mpz_init_set_ui(times, 1);
    dp_bagging_init(&bagging);
    mpz_set_ui(bagging.dataset_size, 2);
    mpz_set_ui(bagging.subsample_size, 1);
    a.q.statement = NULL;
    a.q.list = &list;
    rational_of(a.fpr[0], "1/3");
    a.q.fpr = (const mpq_t *)a.fpr;
    a.q.fpr_count = 1;
    for (size_t i = 0; i < 2; i++) {
        bagging.adjacency = i == 0 ? DP_ADD_REMOVE : DP_REPLACE_ONE;
        dp_composition_clear(&list);
        dp_composition_init_under(&list, bagging.adjacency);
        assert_int_equal(dp_composition_add_bagging(&list, &bagging, times, 0, NULL), DP_OK);
        for (size_t j = 0; j < 3; j++) {
            set_prior(&a, prior[j][0], prior[j][1]);
            ask(&a);
            expect_text(&a, "adv-bagging", "advantage", "1/2");
            expect_text(&a, "tpr-at-fpr", "tpr", i == 0 ? "2/3" : "5/6");
            expect_text(&a, "accuracy-prior", "accuracy", accuracy[i][j]);
        }
    }
    mpz_clear(times);
    dp_bagging_clear(&bagging);
    dp_composition_clear(&list);
    asked_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divergences),   cmocka_unit_test(test_pure),
        cmocka_unit_test(test_one_direction), cmocka_unit_test(test_secrets),
        cmocka_unit_test(test_any_prior),     cmocka_unit_test(test_bagging),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
