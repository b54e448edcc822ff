/* SPDX-License-Identifier: MIT */
/* Discrete Gaussian noise: the law beside sums over the noise itself (mpmath, 60 to 80 digits), its
 * rows discrete-gaussian-exact and discrete-gaussian-continuous, lists of several, what merges and
 * what is refused. */
#include "../loss/law.h"

#include <string.h>

#include "catalog/types.h"
#include "core/mechanism.h"
#include "dpacct/account.h"
#include "dpacct/dpacct.h"
#include "loss/discrete_gaussian.h"
#include "num/number.h"

static dp_status add(product *to, const char *sigma2, unsigned long distance, unsigned long times)
{
    mpq_t s;
    mpz_t d, t;
    mpq_init(s);
    mpz_init_set_ui(d, distance);
    mpz_init_set_ui(t, times);
    rational_of(s, sigma2);
    dp_status status = discrete_gaussian_add(to, s, d, t);
    mpz_clears(d, t, NULL);
    mpq_clear(s);
    return status;
}

static void test_moments(void **state)
{
    (void)state;
    static const struct {
        const char *sigma2;
        unsigned long distance;
        const char *z, *k;
    } row[] = {
        {"1", 1, "1/2", "0.3749999892988480357030411729156117291591"},
        {"1/2", 1, "1", "2.0"},
        {"2", 2, "3/4", "1.312499999999999971371336659255835454538"},
        {"1/1000", 3, "1/7", "642.8571428571428571428571428571429524149"},
        {"1/100", 1, "-1/2", "-24.30685281944005469058315362851141621548"},
        {"25", 3, "-1/4", "-0.03375"},
        {"400", 7, "5", "1.8375"},
        {"1/4", 1, "1e-20", "2.000000000000000000017201014007051078911e-20"},
        {"3/10", 2, "-999999/1000000", "-0.000006666660421025998226508158951023944130618"},
    };
    mpfi_t k, z;
    mpfi_init2(k, 125);
    mpfi_init2(z, 500);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        assert_int_equal(add(&p, row[i].sigma2, row[i].distance, 1), DP_OK);
        number_in(z, row[i].z);
        const loss *l = only_law(&p);
        l->ops->log_moment(k, l->self, z, NULL);
        holds_digits(k, row[i].k, 38);
        check_zeros(l);
        for (double at = -0.96; i != 3 && at < 8; at += 0.77) /* there K bends within any step */
            check_guess(l, at);
        product_clear(&p);
    }
    mpfi_clear(z);
    mpfi_clear(k);
}

static void test_profile(void **state)
{
    (void)state;
    static const struct {
        const char *sigma2;
        unsigned long distance;
        const char *x, *s;
    } row[] = {
        {"1", 1, "1", "0.14135133940562190809954167711568782"},
        {"4", 1, "1/2", "0.054007223694154420917821382869573602"},
        {"9", 3, "1", "0.12856519101157940594355409714084853"},
        {"1/100", 1, "10", "0.99999999999999999575145286972361461"},
        {"1", 1, "0", "0.39894227826686170558168053638920741"},
        {"7/3", 2, "-3/2", "0.81150929191599345899132951862786217"},
        {"1/1000", 2, "1999", "0.63212055882855767840447622983853913"},
        {"30", 4, "61/10", "6.0369206959277424539142209343144794e-17"},
        {"64", 11, "1/10", "0.48325051751112666385110013853603052"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        product p;
        product_init(&p);
        assert_int_equal(add(&p, row[i].sigma2, row[i].distance, 1), DP_OK);
        check_profile(only_law(&p), row[i].x, row[i].s, 34);
        check_wide_profile(only_law(&p), "-5/2", "7");
        product_clear(&p);
    }
    product p; /* an atom at x */
    mpfi_t s, x;
    mpfr_t slope;
    product_init(&p);
    mpfi_init2(s, 110);
    mpfi_init2(x, 10);
    mpfr_init2(slope, 64);
    assert_int_equal(add(&p, "1/2", 1, 1), DP_OK);
    mpfi_set_ui(x, 1);
    assert_true(only_law(&p)->ops->profile(s, slope, p.item[0].self, x));
    holds_digits(s, "0.1896585294283970766886012543768849", 33);
    mpfr_clear(slope);
    mpfi_clear(x);
    mpfi_clear(s);
    product_clear(&p);
}

/* ---- lists ---- */

static dp_mechanism *noise_of(const char *sigma2, const char *sensitivity)
{
    dp_error err;
    dp_mechanism *m = dp_mechanism_new("discrete-gaussian", &err);
    assert_non_null(m);
    assert_int_equal(dp_mechanism_set(m, "sigma2", sigma2, &err), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "sensitivity", sensitivity, &err), DP_OK);
    return m;
}

#define KINDS 3

typedef struct item {
    const char *sigma2, *sensitivity, *times;
} item;

/* The figure of a row of a list, NULL: the first. */
static void ask(mpq_t out, const item *of, const char *target, const char *at, const char *figure,
                const char *theorem, const char *digits)
{
    dp_error err;
    dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
    for (size_t i = 0; i < KINDS && of[i].sigma2 != NULL; i++) {
        dp_mechanism *m = noise_of(of[i].sigma2, of[i].sensitivity);
        assert_int_equal(dp_account_add(a, m, of[i].times, &err), DP_OK);
        dp_mechanism_free(m);
    }
    dp_question *q = dp_question_new();
    assert_int_equal(dp_question_set(q, target, at, &err), DP_OK);
    assert_int_equal(dp_question_set(q, "digits", digits, &err), DP_OK);
    if (strcmp(theorem, "discrete-gaussian-continuous") == 0)
        assert_int_equal(dp_question_set(q, "all", "true", &err), DP_OK);
    dp_answer *answer;
    if (dp_account_ask(&answer, a, q, &err) != DP_OK)
        fail_msg("%s: %s", err.argument, err.message);
    const dp_figure *f = row_of(dp_answer_result(answer), theorem, figure);
    assert_non_null(f);
    char *text = dp_figure_decimal(f, DP_UPPER, 40);
    rational_of(out, text);
    dp_text_free(text);
    dp_answer_free(answer);
    dp_question_free(q);
    dp_account_free(a);
}

/* got is at most a relative 10^-29 above the digits, and not below what they round. */
static void is_near(const mpq_t got, const char *digits)
{
    mpq_t low, high;
    mpq_inits(low, high, NULL);
    rational_of(low, digits);
    rational_of(high, "1e-29");
    mpq_mul(high, high, low);
    mpq_add(high, high, low);
    assert_true(mpq_cmp(got, high) <= 0);
    rational_of(high, "1e-30");
    mpq_mul(high, high, low);
    mpq_sub(low, low, high);
    assert_true(mpq_cmp(got, low) >= 0);
    mpq_clears(low, high, NULL);
}

/* Sums over all outcomes of several uses. */
static void test_lists(void **state)
{
    (void)state;
    static const struct {
        item of[KINDS];
        const char *x, *delta;
    } row[] = {
        {{{"1", "1", "2"}}, "1", "0.26250019695459452353631711182015"},
        {{{"1/2", "1", "1"}, {"1", "1", "1"}, {"2", "1", "1"}},
         "3/2",
         "0.36974740283468305041926910024008"},
        {{{"3", "2", "3"}, {"2", "1", "2"}}, "4", "0.15123483859431073240487549432621"},
        {{{"1/10", "1", "5"}}, "26", "0.031940919725690148362962916420052"},
        {{{"5", "3", "2"}, {"1/3", "1", "1"}}, "1/7", "0.79189649172499348433874592901391"},
        {{{"2", "1", "20"}}, "0", "0.88540053585207341210353053449086"},
    };
    mpq_t got;
    mpq_init(got);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ask(got, row[i].of, "target_epsilon", row[i].x, "delta", "compose-pairs", "30");
        is_near(got, row[i].delta);
    }
    mpq_clear(got);
}

/* The inverse of the profile, with ties: delta = the profile of a loss of the lattice. */
static void test_epsilon(void **state)
{
    (void)state;
    static const char *const of[][3] = {
        {"1", "1", "1e-5"},      {"100", "1", "1e-5"},     {"1", "1", "1e-300"},
        {"1/1000", "1", "1/2"},  {"1/3", "5", "0.999"},    {"50", "1", "0.05"},
        {"10000", "30", "1e-9"}, {"7/2", "2", "1/100000"}, {"1/1000", "3", "0.9999999999"}};
    mpfi_t e, s, x;
    mpfr_t slope;
    mpq_t sigma2, delta;
    mpz_t d;
    mpfi_init2(e, 200);
    mpfi_init2(s, 200);
    mpfi_init2(x, 300);
    mpfr_init2(slope, 64);
    mpq_inits(sigma2, delta, NULL);
    mpz_init(d);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        rational_of(sigma2, of[i][0]);
        rational_of(delta, of[i][1]);
        mpz_set(d, mpq_numref(delta));
        rational_of(delta, of[i][2]);
        discrete_gaussian_epsilon(e, sigma2, d, delta);
        assert_true(mpfi_is_strictly_pos(e) && mpfr_number_p(&e->right));
        mpfr_sub(slope, &e->right, &e->left, MPFR_RNDU);
        assert_true(mpfr_zero_p(slope) || mpfr_get_exp(slope) < mpfr_get_exp(&e->right) - 160);
        for (int side = 0; side < 2; side++) { /* at the ends the profile is on either side */
            mpfi_set_fr(x, side == 0 ? &e->left : &e->right);
            mpfi_mul_d(x, x, side == 0 ? 1 - 0x1p-50 : 1 + 0x1p-50);
            discrete_gaussian_profile(s, slope, sigma2, d, x);
            assert_true(side == 0 ? mpfr_cmp_q(&s->right, delta) > 0
                                  : mpfr_cmp_q(&s->left, delta) < 0);
        }
    }
    /* at 0 the profile is about .4 */
    rational_of(sigma2, "1");
    rational_of(delta, "0.4");
    mpz_set_ui(d, 1);
    discrete_gaussian_epsilon(e, sigma2, d, delta);
    assert_true(mpfi_is_zero(e));
    mpz_clear(d);
    mpq_clears(sigma2, delta, NULL);
    mpfr_clear(slope);
    mpfi_clear(x);
    mpfi_clear(s);
    mpfi_clear(e);
}

/* The published epsilons, and the shape of continuous noise that they are not. */
static void test_rows(void **state)
{
    (void)state;
    const item one[KINDS] = {{"1", "1", "1"}}, hundred[KINDS] = {{"100", "1", "1"}},
               many[KINDS] = {{"20000", "1", "1"}};
    mpq_t got, other;
    mpq_inits(got, other, NULL);
    ask(got, one, "target_delta", "1e-5", "epsilon", "discrete-gaussian-exact", "30");
    is_near(got, "4.4302380552794121167582082422850");
    ask(got, hundred, "target_delta", "1e-5", "epsilon", "discrete-gaussian-exact", "30");
    is_near(got, "0.34081828524624410167711293980016");
    /* the counterexamples, as they are quoted: the formula is rounded up here */
    rational_of(other, "0.12694");
    ask(got, one, "target_epsilon", "1", "delta", "discrete-gaussian-continuous", "30");
    assert_true(mpq_cmp(got, other) < 0);
    rational_of(other, "0.126936737");
    assert_true(mpq_cmp(got, other) > 0);
    ask(got, one, "target_epsilon", "1", "delta", "discrete-gaussian-exact", "30");
    is_near(got, "0.14135133940562190809954167711569");
    rational_of(other, "4.4353e-5");
    ask(got, hundred, "target_epsilon", "0.3", "delta", "discrete-gaussian-continuous", "30");
    assert_true(mpq_cmp(got, other) < 0);
    rational_of(other, "4.4564e-5");
    ask(got, hundred, "target_epsilon", "0.3", "delta", "discrete-gaussian-exact", "30");
    assert_true(mpq_cmp(got, other) > 0);
    /* the profile by sums and that by the contour */
    ask(got, many, "target_epsilon", "0.01", "delta", "compose-pairs", "30");
    mpz_t d;
    mpfi_t s, x;
    mpfr_t slope;
    mpz_init_set_ui(d, 1);
    mpfi_init2(s, 140);
    mpfi_init2(x, 200);
    mpfr_init2(slope, 64);
    number_in(x, "0.01");
    rational_of(other, "20000");
    discrete_gaussian_profile(s, slope, other, d, x);
    assert_true(mpfr_cmp_q(&s->left, got) <= 0);
    mpfi_mul_d(s, s, 1 + 0x1p-50);
    assert_true(mpfr_cmp_q(&s->left, got) > 0);
    mpfr_clear(slope);
    mpfi_clear(x);
    mpfi_clear(s);
    mpz_clear(d);
    mpq_clears(got, other, NULL);
}

/* ---- the law ---- */

static void test_step(void **state)
{
    (void)state;
    product p;
    product_init(&p);
    add(&p, "43.9", 3, 7); /* 3/87.8 = 15/439 */
    dp_number h;
    bool halved;
    logform some;
    mpq_t expected;
    dp_number_init(&h);
    logform_init(&some);
    mpq_init(expected);
    const loss *l = only_law(&p);
    assert_true(l->ops->symmetric && l->ops->step(&h, &halved, l->self) && !halved);
    rational_of(expected, "15/439");
    assert_true(!h.is_log && mpq_equal(number_rational(&h), expected));
    assert_true(l->ops->top == NULL && l->ops->some(&some, l->self));
    rational_of(expected, "315/439");
    assert_true(logform_is_rational(&some) && mpq_equal(some.rational, expected));
    add(&p, "100.1", 2, 1); /* 2/200.2 = 10/1001 */
    l = only_law(&p);
    assert_true(l->ops->step(&h, &halved, l->self) && !halved);
    rational_of(expected, "5/439439");
    assert_true(mpq_equal(number_rational(&h), expected));
    mpq_clear(expected);
    logform_clear(&some);
    dp_number_clear(&h);
    product_clear(&p);
}

static void test_merging(void **state)
{
    (void)state;
    product p;
    product_init(&p);
    static const char *const sigma2[] = {"5", "3", "4", "3", "6/2", "1", "5"};
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(add(&p, sigma2[i], 1 + i / 4, 1), DP_OK);
    assert_int_equal(add(&p, "5", 1, 0), DP_OK);
    assert_true(only_law(&p)->ops->factors(p.item[0].self) == 6);
    assert_int_equal(p.item[0].ops->resonances(NULL, 0, p.item[0].self, NULL), 6);
    product_clear(&p);
}

/* More noise may be less private: of the first row from 0.189897 to 0.190266. So no search may take
 * delta to fall with sigma^2. */
static void test_not_monotone(void **state)
{
    (void)state;
    static const char *const row[][3] = {{"0.503", "0.508", "1"}, {"7.83", "7.84", "2"}};
    for (size_t i = 0; i < 2; i++) {
        mpfi_t s[2], x;
        mpfr_t slope;
        mpq_t sigma2;
        mpz_t d;
        mpz_init_set_ui(d, 1);
        mpq_init(sigma2);
        mpfr_init2(slope, 64);
        mpfi_init2(x, 64);
        mpfi_set_str(x, row[i][2], 10);
        for (size_t k = 0; k < 2; k++) {
            mpfi_init2(s[k], 100);
            rational_of(sigma2, row[i][k]);
            discrete_gaussian_profile(s[k], slope, sigma2, d, x);
        }
        assert_true(mpfr_less_p(&s[0]->right, &s[1]->left));
        mpfi_clear(s[0]);
        mpfi_clear(s[1]);
        mpfi_clear(x);
        mpfr_clear(slope);
        mpq_clear(sigma2);
        mpz_clear(d);
    }
}

/* A query of two integers is a mechanism for each; so is that of a group, also once it is copied.
 */
static void test_vector(void **state)
{
    (void)state;
    static const char *const of[][2] = {{"1,2", NULL}, {"1", "2"}, {"2,4", NULL}};
    dp_result r[3];
    mpz_t one, two;
    mpz_init_set_ui(one, 1);
    mpz_init_set_ui(two, 2);
    for (size_t i = 0; i < 3; i++) {
        dp_composition c, groups;
        dp_composition_init(&c);
        dp_composition_init(&groups);
        dp_result_init(&r[i]);
        for (size_t k = 0; k < 2 && of[i][k] != NULL; k++) {
            dp_mechanism *m = noise_of("3", of[i][k]);
            assert_int_equal(account_enter(&c, m, one, NULL), DP_OK);
            dp_mechanism_free(m);
        }
        assert_int_equal(dp_composition_for_groups(&groups, &c, i < 2 ? two : one, NULL), DP_OK);
        ask_delta(&r[i], &groups, "1/2", 12);
        assert_int_equal(r[i].row[0].verdict, DP_EXACT);
        assert_true(figures_meet(row_of(&r[i], "compose-pairs", "delta"),
                                 row_of(&r[0], "compose-pairs", "delta")));
        dp_composition_clear(&groups);
        dp_composition_clear(&c);
    }
    for (size_t i = 0; i < 3; i++)
        dp_result_clear(&r[i]);
    dp_mechanism *m = noise_of("3", "1,2");
    mpq_t rho;
    mpq_init(rho);
    assert_true(m->type->rho(rho, m) && mpq_cmp_ui(rho, 5, 6) == 0);
    mpq_clear(rho);
    dp_mechanism_free(m);
    mpz_clears(one, two, NULL);
}

static void test_domain(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"1/1001", "1", "sigma2"}, {"1", "3/2", "sensitivity"}, {"1", "1000000001", "sensitivity"}};
    dp_error err;
    dp_account *a = dp_account_new(DP_REPLACE_ONE, &err);
    for (size_t i = 0; i < 3; i++) {
        dp_mechanism *m = noise_of(wrong[i][0], wrong[i][1]);
        assert_int_equal(dp_account_add(a, m, "1", &err), DP_DOMAIN);
        assert_string_equal(err.argument, wrong[i][2]);
        dp_mechanism_free(m);
    }
    dp_mechanism *m = noise_of("2", "500000000");
    mpz_t size;
    mpq_t rho;
    mpz_init_set_ui(size, 2);
    mpq_init(rho);
    assert_int_equal(m->type->group(m, size), DP_OK);
    assert_int_equal(m->type->group(m, size), DP_UNAVAILABLE);
    assert_true(m->type->rho(rho, m) && mpz_get_d(mpq_numref(rho)) == 250000000000000000.0 &&
                mpz_cmp_ui(mpq_denref(rho), 1) == 0);
    mpq_clear(rho);
    mpz_clear(size);
    dp_mechanism_free(m);
    dp_account_free(a);
    product p;
    product_init(&p);
    assert_int_equal(add(&p, "1/1001", 1, 1), DP_DOMAIN);
    assert_int_equal(add(&p, "1", 0, 1), DP_DOMAIN);
    assert_int_equal(add(&p, "1", DISCRETE_GAUSSIAN_FARTHEST + 1, 1), DP_DOMAIN);
    assert_int_equal(p.count, 0);
    product_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments), cmocka_unit_test(test_profile),
        cmocka_unit_test(test_lists),   cmocka_unit_test(test_epsilon),
        cmocka_unit_test(test_rows),    cmocka_unit_test(test_step),
        cmocka_unit_test(test_merging), cmocka_unit_test(test_domain),
        cmocka_unit_test(test_vector),  cmocka_unit_test(test_not_monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
