/* SPDX-License-Identifier: MIT */
/* Discrete Laplace noise and its row discrete-laplace-exact: randomized response at sensitivity 1,
 * the profiles of several uses beside sums over the noise itself, Renyi and KL divergence beside
 * digits of another program, merging, and what is refused. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "core/mechanism.h"
#include "dpacct/account.h"
#include "dpacct/dpacct.h"
#include "loss/discrete_laplace.h"
#include "num/number.h"

static dp_mechanism *noise_of(const char *scale, const char *sensitivity)
{
    dp_error err;
    dp_mechanism *m = dp_mechanism_new("discrete-laplace", &err);
    assert_non_null(m);
    assert_int_equal(dp_mechanism_set(m, "scale", scale, &err), DP_OK);
    assert_int_equal(dp_mechanism_set(m, "sensitivity", sensitivity, &err), DP_OK);
    return m;
}

/* The figure of a list of one mechanism, and the theorem of its row. */
static char *figure(dp_mechanism *m, const char *times, const char *target, const char *at,
                    const char *digits, const char *theorem)
{
    dp_error err;
    dp_account *a = dp_account_new(DP_ADD_REMOVE, &err);
    assert_int_equal(dp_account_add(a, m, times, &err), DP_OK);
    dp_question *q = dp_question_new();
    if (at != NULL)
        assert_int_equal(dp_question_set(q, target, at, &err), DP_OK);
    assert_int_equal(dp_question_set(q, "digits", digits, &err), DP_OK);
    dp_answer *answer;
    if (dp_account_ask(&answer, a, q, &err) != DP_OK)
        fail_msg("%s: %s", err.argument, err.message);
    if (theorem != NULL)
        assert_string_equal(dp_answer_result(answer)->row[0].theorem->id, theorem);
    char *text = dp_answer_text(answer, strcmp(target, "target_delta") == 0 ? "epsilon" : "delta");
    dp_answer_free(answer);
    dp_question_free(q);
    dp_account_free(a);
    dp_mechanism_free(m);
    return text;
}

static dp_mechanism *pure(const char *epsilon)
{
    dp_error err;
    dp_mechanism *m = dp_mechanism_new("pure-dp", &err);
    assert_int_equal(dp_mechanism_set(m, "epsilon", epsilon, &err), DP_OK);
    return m;
}

/* D = 1 is the worst mechanism that is (1/scale)-DP, to all digits. */
static void test_response(void **state)
{
    (void)state;
    static const char *const of[][2] = {{"1", "1"}, {"10", "0.1"}, {"3", "1/3"}, {"1/4", "4"}},
                             *const asked[][2] = {{"target_epsilon", "0"},
                                                  {"target_epsilon", "0.05"},
                                                  {"target_epsilon", "ln(1.02)"},
                                                  {"target_delta", "1e-3"},
                                                  {"target_delta", "0.2"}},
                             *const times[] = {"1", "35"};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 5; j++)
            for (size_t t = 0; t < 2; t++) {
                char *x = figure(noise_of(of[i][0], "1"), times[t], asked[j][0], asked[j][1], "60",
                                 t == 0 ? "discrete-laplace-exact" : "compose-pairs"),
                     *y = figure(pure(of[i][1]), times[t], asked[j][0], asked[j][1], "60",
                                 "compose-optimal");
                assert_string_equal(x, y);
                dp_text_free(x);
                dp_text_free(y);
            }
}

#define BITS 400
#define SPREAD 600 /* outputs beyond it have no mass that shows; for two uses a quarter of it */

/* The masses of one use at k = 0 .. 2 SPREAD, noise at k - SPREAD, in order of the statement. */
static void masses(mpfr_t *p, const mpq_t scale, long moved)
{
    mpfr_t r, norm;
    mpq_t a;
    mpfr_inits2(BITS, r, norm, (mpfr_ptr)0);
    mpq_init(a);
    mpq_inv(a, scale);
    mpfr_set_q(r, a, MPFR_RNDN);
    mpfr_neg(r, r, MPFR_RNDN);
    mpfr_exp(r, r, MPFR_RNDN);
    mpfr_ui_sub(norm, 1, r, MPFR_RNDN);
    mpfr_add_ui(p[0], r, 1, MPFR_RNDN);
    mpfr_div(norm, norm, p[0], MPFR_RNDN);
    for (long k = 0; k <= 2 * SPREAD; k++) {
        mpfr_pow_si(p[k], r, labs(k - SPREAD - moved), MPFR_RNDN);
        mpfr_mul(p[k], p[k], norm, MPFR_RNDN);
    }
    mpq_clear(a);
    mpfr_clears(r, norm, (mpfr_ptr)0);
}

/* delta(x) = sum over outputs of (P - e^x Q)_+, of one use or of two: no loss is formed. */
static void true_delta(mpfr_t delta, const char *scale, long distance, const char *x, int uses)
{
    static mpfr_t p[2 * SPREAD + 1], q[2 * SPREAD + 1];
    mpq_t b;
    mpfr_t e, one;
    mpq_init(b);
    mpfr_inits2(BITS, e, one, (mpfr_ptr)0);
    for (size_t k = 0; k <= 2 * SPREAD; k++)
        mpfr_inits2(BITS, p[k], q[k], (mpfr_ptr)0);
    rational_of(b, scale);
    masses(p, b, 0);
    masses(q, b, distance);
    rational_of(b, x);
    mpfr_set_q(e, b, MPFR_RNDN);
    mpfr_exp(e, e, MPFR_RNDN);
    mpfr_set_ui(delta, 0, MPFR_RNDN);
    size_t near = uses == 2 ? SPREAD / 4 : SPREAD;
    for (size_t k = SPREAD - near; k <= SPREAD + near; k++)
        for (size_t l = SPREAD - near; l <= (uses == 2 ? SPREAD + near : SPREAD - near); l++) {
            mpfr_mul(one, q[k], e, MPFR_RNDN);
            if (uses == 2) {
                mpfr_mul(one, one, q[l], MPFR_RNDN);
                mpfr_fms(one, p[k], p[l], one, MPFR_RNDN);
            } else {
                mpfr_sub(one, p[k], one, MPFR_RNDN);
            }
            if (mpfr_sgn(one) > 0)
                mpfr_add(delta, delta, one, MPFR_RNDN);
        }
    for (size_t k = 0; k <= 2 * SPREAD; k++)
        mpfr_clears(p[k], q[k], (mpfr_ptr)0);
    mpq_clear(b);
    mpfr_clears(e, one, (mpfr_ptr)0);
}

static void test_enumeration(void **state)
{
    (void)state;
    static const struct {
        const char *scale, *distance, *x;
        int uses;
    } of[] = {{"1", "1", "0.5", 1},    {"2", "2", "0.3", 1},   {"3", "3", "1/3", 1},
              {"3", "3", "0", 1},      {"5", "7", "1", 1},     {"5", "7", "0.61", 1},
              {"1/2", "4", "7.99", 1}, {"4", "40", "9.75", 1}, {"2", "3", "1", 2},
              {"3/2", "2", "2.5", 2},  {"1", "5", "9.5", 2},   {"1/2", "3", "3", 2}};
    mpfr_t truth, got;
    mpfr_inits2(BITS, truth, got, (mpfr_ptr)0);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        true_delta(truth, of[i].scale, strtol(of[i].distance, NULL, 10), of[i].x, of[i].uses);
        char *text = figure(noise_of(of[i].scale, of[i].distance), of[i].uses == 2 ? "2" : "1",
                            "target_epsilon", of[i].x, "25", NULL);
        mpfr_set_str(got, text, 10, MPFR_RNDN);
        mpfr_sub(got, got, truth, MPFR_RNDN);
        mpfr_div(got, got, truth, MPFR_RNDN);
        /* rounded up, by at most a unit of digit 25 */
        if (mpfr_cmp_d(got, -1e-60) < 0 || mpfr_cmp_d(got, 1e-24) > 0)
            fail_msg("%zu: %s beside %.20g", i, text, mpfr_get_d(truth, MPFR_RNDN));
        dp_text_free(text);
    }
    mpfr_clears(truth, got, (mpfr_ptr)0);
}

/* ---- the law ---- */

static void add(product *to, const char *scale, unsigned long distance, unsigned long times)
{
    mpq_t a;
    mpz_t t;
    mpq_init(a);
    mpz_init_set_ui(t, times);
    rational_of(a, scale);
    mpq_inv(a, a);
    assert_int_equal(discrete_laplace_add(to, a, distance, t), DP_OK);
    mpz_clear(t);
    mpq_clear(a);
}

/* x holds the number, known to 30 digits, and is narrow. */
static void holds(const mpfi_t x, const char *text)
{
    mpfr_t v, w;
    mpfr_inits2(200, v, w, (mpfr_ptr)0);
    mpfr_set_str(v, text, 10, MPFR_RNDN);
    mpfr_sub(w, &x->left, v, MPFR_RNDN);
    assert_true(mpfr_cmp_d(w, 1e-29) < 0);
    mpfr_sub(w, &x->right, v, MPFR_RNDN);
    assert_true(mpfr_cmp_d(w, -1e-29) > 0);
    mpfr_sub(w, &x->right, &x->left, MPFR_RNDU);
    mpfr_div(w, w, v, MPFR_RNDU);
    assert_true(mpfr_cmp_d(w, 1e-34) < 0);
    mpfr_clears(v, w, (mpfr_ptr)0);
}

/* Values of an independent program, mpmath with 60 digits. */
static void test_renyi(void **state)
{
    (void)state;
    static const struct {
        const char *scale;
        unsigned long distance;
        const char *order, *renyi, *kl;
    } of[] = {
        {"1", 1, "2", "0.73532566405551922470993042488683", "0.46211715726000975850231848364367"},
        {"4", 4, "10", "0.93622101926772545644370599977491", "0.37441633209379021230839159103921"},
        {"5", 7, "64", "1.3905057322320650105125628687118", "0.65159631009896596789585584983703"}};
    mpfi_t k, t;
    mpq_t q;
    mpfi_init2(k, 140);
    mpfi_init2(t, 140);
    mpq_init(q);
    for (size_t i = 0; i < 3; i++) {
        product p;
        product_init(&p);
        add(&p, of[i].scale, of[i].distance, 1);
        rational_of(q, of[i].order);
        mpfi_set_q(t, q);
        mpfi_sub_ui(t, t, 1);
        if (p.item[0].ops->prepare != NULL)
            assert_int_equal(p.item[0].ops->prepare(p.item[0].self), DP_OK);
        p.item[0].ops->log_moment(k, p.item[0].self, t, NULL);
        mpfi_div(k, k, t);
        holds(k, of[i].renyi);
        rational_of(q, of[i].scale);
        mpq_inv(q, q);
        discrete_laplace_kl(k, q, of[i].distance);
        holds(k, of[i].kl);
        product_clear(&p);
    }
    mpq_clear(q);
    mpfi_clear(t);
    mpfi_clear(k);
}

/* About a^2 D^2 / 2 where that is small: what cancels is bought back; and a D where it is large. */
static void test_small_and_large(void **state)
{
    (void)state;
    mpfi_t k;
    mpq_t a;
    mpfi_init2(k, 100);
    mpq_init(a);
    rational_of(a, "1e-100");
    discrete_laplace_kl(k, a, 1);
    double middle = mpfi_get_d(k);
    assert_true(middle > 4.999999e-201 && middle < 5.000001e-201);
    mpfr_sub(&k->left, &k->right, &k->left, MPFR_RNDU);
    assert_true(mpfr_get_d(&k->left, MPFR_RNDU) < 1e-225);
    rational_of(a, "1000000");
    discrete_laplace_kl(k, a, 10000);
    assert_true(mpfr_cmp_d(&k->right, 1e10) >= 0 && mpfi_get_d(k) > 9.99999e9);
    mpq_clear(a);
    mpfi_clear(k);
}

static void test_step_and_symmetry(void **state)
{
    (void)state;
    product p;
    dp_number h;
    mpq_t a;
    mpq_init(a);
    dp_number_init(&h);
    rational_of(a, "2/7");
    for (unsigned long distance = 2; distance < 40; distance++) {
        product_init(&p);
        add(&p, "3.5", distance, 1);
        const loss *l = &p.item[0];
        bool halved;
        assert_true(l->ops->symmetric && l->ops->step(&h, &halved, l->self) && !halved);
        assert_true(!h.is_log && mpq_equal(number_rational(&h), a));
        product_clear(&p);
    }
    dp_number_clear(&h);
    mpq_clear(a);
}

static void test_merging(void **state)
{
    (void)state;
    product p;
    product_init(&p);
    add(&p, "2", 3, 4);
    add(&p, "2", 3, 5);
    assert_int_equal(p.count, 1);
    mpz_t uses;
    mpz_init(uses);
    p.item[0].ops->uses(uses, p.item[0].self);
    assert_int_equal(mpz_get_ui(uses), 9);
    add(&p, "2", 4, 1);
    add(&p, "3", 3, 1);
    assert_int_equal(p.count, 3);
    add(&p, "3", 1, 1);
    add(&p, "7", 1, 1);
    assert_int_equal(p.count, 4); /* both are randomized response */
    mpz_clear(uses);
    product_clear(&p);
}

static void test_domain(void **state)
{
    (void)state;
    static const char *const wrong[] = {"1/2", "3/2", "10001", "1e30"};
    dp_error err;
    dp_account *a = dp_account_new(DP_REPLACE_ONE, &err);
    for (size_t i = 0; i < 4; i++) {
        dp_mechanism *m = noise_of("1", wrong[i]);
        assert_int_equal(dp_account_add(a, m, "1", &err), DP_DOMAIN);
        assert_string_equal(err.argument, "sensitivity");
        dp_mechanism_free(m);
    }
    dp_mechanism *m = dp_mechanism_new("discrete-laplace", &err);
    assert_int_equal(dp_account_add(a, m, "1", &err), DP_DOMAIN);
    assert_string_equal(err.argument, "scale");
    dp_mechanism_free(m);
    m = noise_of("1", "5000");
    mpz_t size;
    mpz_init_set_ui(size, 2);
    assert_int_equal(m->type->group(m, size), DP_OK);
    assert_int_equal(mpq_cmp_ui(number_rational(mechanism_number(m, "sensitivity")), 10000, 1), 0);
    assert_int_equal(m->type->group(m, size), DP_UNAVAILABLE);
    assert_int_equal(mpq_cmp_ui(number_rational(mechanism_number(m, "sensitivity")), 10000, 1), 0);
    mpz_clear(size);
    dp_mechanism_free(m);
    dp_account_free(a);
    product p;
    product_init(&p);
    mpq_t x;
    mpz_t one;
    mpq_init(x);
    mpz_init_set_ui(one, 1);
    assert_int_equal(discrete_laplace_add(&p, x, 2, one), DP_DOMAIN);
    mpq_set_ui(x, 1, 1);
    assert_int_equal(discrete_laplace_add(&p, x, 0, one), DP_DOMAIN);
    assert_int_equal(discrete_laplace_add(&p, x, DISCRETE_LAPLACE_MOST + 1, one), DP_DOMAIN);
    mpz_clear(one);
    mpq_clear(x);
    product_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_response), cmocka_unit_test(test_enumeration),
        cmocka_unit_test(test_renyi),    cmocka_unit_test(test_small_and_large),
        cmocka_unit_test(test_merging),  cmocka_unit_test(test_step_and_symmetry),
        cmocka_unit_test(test_domain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
