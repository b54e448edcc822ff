/* SPDX-License-Identifier: MIT */
/* Exact numbers r + sum c ln(b): their sign, ties that look like near-ties and near-ties that look
 * like ties, and the interval functions they rest on, against 2000-bit values. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "num/ival.h"
#include "num/logform.h"

/* "c x" added for each pair of texts, up to a NULL */
static void build(logform *f, const char *terms[][2])
{
    logform_init(f);
    for (size_t i = 0; terms[i][0] != NULL; i++) {
        mpq_t c;
        dp_number x;
        mpq_init(c);
        dp_number_init(&x);
        rational_of(c, terms[i][0]);
        number_of(&x, terms[i][1]);
        assert_true(logform_add_number(f, c, &x));
        dp_number_clear(&x);
        mpq_clear(c);
    }
}

#define MOST_TERMS 6
typedef const char *form_text[MOST_TERMS][2];

static void expect_sign(form_text terms, int expected)
{
    logform f, copy;
    int sign = 7;
    build(&f, terms);
    assert_true(logform_sign(&sign, &f, 1L << 20));
    if (sign != expected)
        fail_msg("%s %s ...: sign %d", terms[0][0], terms[0][1], sign);
    assert_int_equal(logform_is_zero(&f), expected == 0);
    logform_init(&copy);
    assert_true(logform_set(&copy, &f));
    mpq_t minus;
    mpq_init(minus);
    mpq_set_si(minus, -1, 1);
    logform_clear(&copy);
    logform_init(&copy);
    assert_true(logform_add_form(&copy, minus, &f));
    assert_true(logform_sign(&sign, &copy, 1L << 20) && sign == -expected);
    mpfi_t x;
    mpfi_init2(x, 100);
    logform_enclose(x, &f);
    assert_true(expected != 0 || mpfi_has_zero(x));
    assert_true(expected <= 0 || mpfr_sgn(&x->right) > 0);
    assert_true(expected >= 0 || mpfr_sgn(&x->left) < 0);
    mpfi_clear(x);
    mpq_clear(minus);
    logform_clear(&copy);
    logform_clear(&f);
}

static void test_ties(void **state)
{
    (void)state;
    static form_text ties[] = {
        {{"10", "ln(3)"}, {"-1", "ln(59049)"}},
        {{"1/2", "ln(4)"}, {"-1", "ln(2)"}},
        {{"1", "ln(6)"}, {"-1", "ln(2)"}, {"-1", "ln(3)"}},
        {{"1", "ln(12)"}, {"1", "ln(18)"}, {"-3", "ln(6)"}},
        {{"1", "ln(1/3)"}, {"1", "ln(3)"}},
        {{"1/3", "ln(8/27)"}, {"1", "ln(3/2)"}},
        {{"3", "ln(2)"}, {"-2", "ln(2)"}, {"-1", "ln(2)"}},
        {{"1", "1/3"}, {"1", "1/6"}, {"-1/2", "1"}},
        {{"1", "0.1"}, {"-1/10", "1"}, {"5", "ln(1)"}},
        {{"1000", "ln(10)"}, {"-1000", "ln(5)"}, {"-1000", "ln(2)"}},
        {{"10^30", "ln(6)"}, {"-10^30", "ln(2)"}, {"-10^30", "ln(3)"}},
        {{"1/7", "ln(30)"}, {"-1/7", "ln(15)"}, {"-1/14", "ln(4)"}},
        {{"2", "ln(1001/1000)"}, {"-1", "ln(1002001/1000000)"}},
        {{"0", "ln(5)"}},
    };
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++)
        expect_sign(ties[i], 0);
}

static void test_near_ties(void **state)
{
    (void)state;
    expect_sign((form_text){{"1", "1e-400"}}, 1);
    expect_sign((form_text){{"10", "ln(3)"}, {"-1", "ln(59049)"}, {"-1", "1e-3000"}}, -1);
    expect_sign((form_text){{"10", "ln(3)"}, {"-1", "ln(59050)"}}, -1);
    expect_sign((form_text){{"10^30", "ln(2)"}, {"-1", "693147180559945309417232121458"}}, 1);
    expect_sign((form_text){{"10^30", "ln(2)"}, {"-1", "693147180559945309417232121459"}}, -1);
    expect_sign((form_text){{"1", "ln(2)"}, {"-1", "0.6931471805599453094172321214581765680755"}},
                1);
    expect_sign(
        (form_text){{"1", "ln(1.0000000000000000000000000000000000000001)"}, {"-1", "1e-40"}}, -1);
    expect_sign((form_text){{"2", "ln(3)"}, {"-3", "ln(2)"}}, 1);
    expect_sign((form_text){{"1", "ln(7/5)"}, {"-1/2", "ln(2)"}}, -1);
    expect_sign((form_text){{"1", "ln(2)"}, {"-1", "ln(2)"}, {"1", "-1e-50"}}, -1);
}

/* The value within 2^-1900, by MPFR alone. */
static void evaluate(mpfr_t out, form_text terms)
{
    mpfr_t log;
    mpfr_init2(log, 2000);
    mpfr_set_ui(out, 0, MPFR_RNDN);
    for (size_t i = 0; terms[i][0] != NULL; i++) {
        mpq_t c;
        dp_number x;
        mpq_init(c);
        dp_number_init(&x);
        rational_of(c, terms[i][0]);
        number_of(&x, terms[i][1]);
        mpfr_set_q(log, x.value, MPFR_RNDN);
        if (x.is_log)
            mpfr_log(log, log, MPFR_RNDN);
        mpfr_mul_q(log, log, c, MPFR_RNDN);
        mpfr_add(out, out, log, MPFR_RNDN);
        dp_number_clear(&x);
        mpq_clear(c);
    }
    mpfr_clear(log);
}

static void test_random(void **state)
{
    (void)state;
    rng r = rng_make(71);
    mpfr_t value;
    mpfr_init2(value, 2000);
    for (int i = 0; i < rounds(1000); i++) {
        char text[MOST_TERMS][2][60];
        const char *terms[MOST_TERMS][2] = {{NULL}};
        size_t count = 1 + rng_below(&r, MOST_TERMS - 1);
        for (size_t j = 0; j < count; j++) {
            snprintf(text[j][0], 60, "%s%zu/%zu", rng_below(&r, 2) ? "-" : "", 1 + rng_below(&r, 9),
                     1 + rng_below(&r, 4));
            snprintf(text[j][1], 60, rng_below(&r, 3) == 0 ? "%zu/%zu" : "ln(%zu/%zu)",
                     1 + rng_below(&r, 12), 1 + rng_below(&r, 12));
            terms[j][0] = text[j][0];
            terms[j][1] = text[j][1];
        }
        evaluate(value, terms);
        int expected = mpfr_sgn(value);
        if (mpfr_zero_p(value) || mpfr_get_exp(value) < -1800)
            expected = 0;
        expect_sign(terms, expected);
        logform f;
        mpfi_t x;
        build(&f, terms);
        mpfi_init2(x, 2 + (mpfr_prec_t)rng_below(&r, 300));
        logform_enclose(x, &f);
        assert_true(expected == 0 ? mpfi_has_zero(x) : mpfi_is_inside_fr(value, x));
        mpfi_clear(x);
        logform_clear(&f);
    }
    mpfr_clear(value);
}

/* ---- interval functions ---- */

typedef enum which { LOG, LOG1M, EXP, EXPM1, TANH_HALF, LOG1P_EXP_NEG, FUNCTIONS } which;

static void truth(mpfr_t out, which f, const mpq_t q)
{
    mpfr_t e;
    mpfr_init2(e, 2000);
    mpfr_set_q(out, q, MPFR_RNDN);
    switch (f) {
    case LOG:
        mpfr_log(out, out, MPFR_RNDN);
        break;
    case LOG1M:
        mpfr_neg(out, out, MPFR_RNDN);
        mpfr_log1p(out, out, MPFR_RNDN);
        break;
    case EXP:
        mpfr_exp(out, out, MPFR_RNDN);
        break;
    case EXPM1:
        mpfr_expm1(out, out, MPFR_RNDN);
        break;
    case TANH_HALF:
        mpfr_div_ui(out, out, 2, MPFR_RNDN);
        mpfr_tanh(out, out, MPFR_RNDN);
        break;
    case LOG1P_EXP_NEG:
        mpfr_neg(out, out, MPFR_RNDN);
        mpfr_exp(out, out, MPFR_RNDN);
        mpfr_log1p(out, out, MPFR_RNDN);
        break;
    case FUNCTIONS:
        break;
    }
    mpfr_clear(e);
}

static void apply(mpfi_t out, which f, const mpq_t q)
{
    dp_number x;
    dp_number_init(&x);
    mpq_set(x.value, q);
    mpfi_set_q(out, q);
    if (f == LOG)
        ival_log_q(out, q);
    else if (f == LOG1M)
        ival_log1m_q(out, q);
    else if (f == EXP)
        ival_exp_number(out, &x);
    else if (f == EXPM1)
        ival_expm1_number(out, &x);
    else if (f == TANH_HALF)
        ival_tanh_half(out, out); /* in place */
    else
        ival_log1p_exp_neg(out, out);
    dp_number_clear(&x);
}

/* The enclosure holds the value and is at most some units wide. */
static void test_functions(void **state)
{
    (void)state;
    rng r = rng_make(72);
    mpq_t q;
    mpfr_t value, width;
    mpq_init(q);
    mpfr_init2(value, 2000);
    mpfr_init2(width, 64);
    for (int i = 0; i < rounds(6000); i++) {
        which f = (which)(i % FUNCTIONS);
        mpfr_prec_t bits = 20 + (mpfr_prec_t)rng_below(&r, 200);
        mpz_set_ui(mpq_numref(q), 1 + rng_below(&r, 1000));
        mpz_set_ui(mpq_denref(q), 1001 + rng_below(&r, 1U << (1 + rng_below(&r, 30))));
        if (f != LOG1M && i % 5 == 0)
            mpz_set_ui(mpq_denref(q), 1 + rng_below(&r, 50));
        if (f == LOG && i % 7 == 0) /* near 1 */
            mpz_add_ui(mpq_numref(q), mpq_denref(q), 1);
        mpq_canonicalize(q);
        mpfi_t x;
        mpfi_init2(x, bits);
        apply(x, f, q);
        truth(value, f, q);
        assert_true(mpfi_is_inside_fr(value, x));
        mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
        mpfr_div(width, width, value, MPFR_RNDN);
        if (f != LOG1P_EXP_NEG && !mpfr_zero_p(value))
            assert_true(mpfr_zero_p(width) || mpfr_get_exp(width) <= 12 - bits);
        mpfi_clear(x);
    }
    mpfr_clear(width);
    mpfr_clear(value);
    mpq_clear(q);
}

static void set_ends(mpfi_t x, double left, double right)
{
    mpfr_set_d(&x->left, left, MPFR_RNDN);
    mpfr_set_d(&x->right, right, MPFR_RNDN);
}

static void expect_ends(const mpfi_t x, double left, double right)
{
    assert_true(mpfr_cmp_d(&x->left, left) == 0 && mpfr_cmp_d(&x->right, right) == 0);
}

/* The least of two enclosed numbers, clamped ones, and 1 - (1-a)(1-b) in place. */
static void test_ends(void **state)
{
    (void)state;
    mpfi_t x, y;
    mpfi_init2(x, 60);
    mpfi_init2(y, 60);
    set_ends(x, 1, 3);
    set_ends(y, 0.5, 4);
    ival_take_least(x, y);
    expect_ends(x, 0.5, 3);
    set_ends(y, 0.75, 2);
    ival_take_least(x, y);
    expect_ends(x, 0.5, 2);
    ival_clamp_ui(x, 1, 5);
    expect_ends(x, 1, 2);
    set_ends(x, -1, 9);
    ival_clamp_ui(x, 0, 1);
    expect_ends(x, 0, 1);
    set_ends(x, -2, -1);
    ival_at_least_zero(x);
    expect_ends(x, 0, 0);
    set_ends(x, 0.25, 0.5);
    set_ends(y, 0.5, 0.5);
    ival_union(x, x, y);
    assert_true(mpfr_cmp_d(&x->left, 0.625) <= 0 && mpfr_cmp_d(&x->right, 0.75) >= 0);
    set_ends(x, 0.5, 0.5);
    ival_union(y, x, y);
    expect_ends(y, 0.75, 0.75);
    assert_false(ival_bad(x));
    mpfr_set_nan(&x->left);
    assert_true(ival_bad(x));
    mpfi_clear(y);
    mpfi_clear(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ties),   cmocka_unit_test(test_near_ties),
        cmocka_unit_test(test_random), cmocka_unit_test(test_functions),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests_name("log forms", tests, NULL, NULL);
}
