/* SPDX-License-Identifier: MIT */
/* Figures and the precision loop: digits asked are digits proved, short decimals are found to be
 * exact, limits leave an enclosure, a broken interval never agrees. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "core/refine.h"
#include "num/limits.h"

/* What the loop did: a formula whose value is sqrt(2)/100, or 1/8 hidden in an enclosure. */
typedef struct probe {
    int calls, rational_calls;
    mpfr_prec_t most;
    bool is_short, has_rational, stuck, inverted;
    double seconds;       /* of processor time, at 64 bits; as the square of the precision */
    mpfr_prec_t too_many; /* of so many bits no use can be made */
} probe;

static void spend(double seconds)
{
    double end = limits_clock() + seconds;
    while (limits_clock() < end)
        continue;
}

static dp_status evaluate(dp_figure *out, const void *in, const wanted *want)
{
    probe *p = *(probe *const *)in;
    p->calls++;
    p->rational_calls += want->rational;
    p->most = want->bits > p->most ? want->bits : p->most;
    spend(p->seconds * (double)want->bits * (double)want->bits / 4096);
    if (p->too_many != 0 && want->bits >= p->too_many) {
        mpfi_set_ui(figure_enclose(&out[0], want->bits), 7);
        return DP_LIMIT;
    }
    if (want->rational && p->has_rational) {
        mpq_t eighth;
        mpq_init(eighth);
        mpq_set_ui(eighth, 1, 8);
        figure_set_q(&out[0], eighth);
        mpq_clear(eighth);
        return DP_OK;
    }
    mpfi_ptr x = figure_enclose(&out[0], want->bits);
    if (p->is_short) {
        mpfi_set_ui(x, 1);
        mpfi_div_ui(x, x, 8);
        mpfr_nextbelow(&x->left);
        mpfr_nextabove(&x->right);
        return DP_OK;
    }
    mpfi_set_ui(x, 2);
    mpfi_sqrt(x, x);
    mpfi_div_ui(x, x, 100);
    if (p->stuck) {
        mpfr_set_d(&x->left, 0.01414, MPFR_RNDD);
        mpfr_set_d(&x->right, 0.01415, MPFR_RNDU);
    }
    if (p->inverted)
        mpfr_swap(&x->left, &x->right);
    return DP_OK;
}

static dp_status loop(probe *p, dp_figure *out, size_t digits, mpfr_prec_t extra)
{
    return refine(out, 1, evaluate, &p, &(dp_options){.digits = digits}, extra);
}

static void test_digits(void **state)
{
    (void)state;
    for (size_t digits = 1; digits <= 400; digits += 19) {
        probe p = {0};
        dp_figure f;
        dp_figure_init(&f);
        assert_int_equal(loop(&p, &f, digits, REFINE_CLOSED_FORM), DP_OK);
        assert_true(refine_agrees(&f, digits) && p.calls == 1);
        char *low = dp_figure_decimal(&f, DP_LOWER, digits);
        char *high = dp_figure_decimal(&f, DP_UPPER, digits);
        assert_string_not_equal(low, high); /* irrational: one unit apart */
        mpq_t a, b;
        mpq_inits(a, b, NULL);
        rational_of(a, low);
        rational_of(b, high);
        mpq_mul(a, a, a);
        mpq_mul(b, b, b);
        assert_true(mpq_cmp_ui(a, 1, 5000) < 0 && mpq_cmp_ui(b, 1, 5000) > 0);
        mpq_clears(a, b, NULL);
        dp_text_free(low);
        dp_text_free(high);
        dp_figure_clear(&f);
    }
}

static void test_short_decimals(void **state)
{
    (void)state;
    probe p = {.is_short = true, .has_rational = true};
    dp_figure f;
    dp_figure_init(&f);
    assert_int_equal(loop(&p, &f, 10, REFINE_CLOSED_FORM), DP_OK);
    assert_true(f.kind == DP_RATIONAL && p.calls == 2 && p.rational_calls == 1);
    assert_int_equal(mpq_cmp_ui(f.rational, 1, 8), 0);
    /* without a rational the enclosure stays, a unit wide on each side */
    p = (probe){.is_short = true};
    assert_int_equal(loop(&p, &f, 10, 1000), DP_LIMIT);
    assert_true(f.kind == DP_ENCLOSED && p.most <= refine_bits(10) + 1000 && p.calls > 3);
    assert_true(mpfr_cmp_d(&f.enclosure->left, 0.125) < 0 &&
                mpfr_cmp_d(&f.enclosure->right, 0.125) > 0);
    dp_figure_clear(&f);
}

static void test_limits(void **state)
{
    (void)state;
    probe p = {.stuck = true};
    dp_figure f;
    dp_figure_init(&f);
    assert_int_equal(loop(&p, &f, 10, 500), DP_LIMIT);
    assert_true(mpfr_cmp_d(&f.enclosure->left, 0.01414) <= 0 &&
                mpfr_cmp_d(&f.enclosure->right, 0.01415) >= 0);
    p = (probe){.inverted = true};
    assert_int_equal(loop(&p, &f, 3, 500), DP_LIMIT);
    assert_false(refine_agrees(&f, 3));
    mpfr_set_nan(&f.enclosure->left);
    assert_false(refine_agrees(&f, 1));
    dp_figure_clear(&f);
}

/* No attempt begins that would not end in time, and what was found stays. */
static void test_time(void **state)
{
    (void)state;
    unsigned met = 0;
    dp_options opt = {.digits = 10000, .max_seconds = 0.4, .met = &met};
    probe p = {.seconds = 1e-3}, *in = &p;
    dp_figure f;
    dp_figure_init(&f);
    double began = limits_clock();
    assert_int_equal(refine(&f, 1, evaluate, &in, &opt, REFINE_CLOSED_FORM), DP_LIMIT);
    assert_true(limits_clock() - began < 0.6 && met == DP_MET_TIME);
    assert_true(refine_agrees(&f, 150) && p.most < 64 * 25);
    /* more than enough time: all digits, however the precision was reached */
    opt.max_seconds = 1000;
    p = (probe){.seconds = 1e-9};
    assert_int_equal(refine(&f, 1, evaluate, &in, &opt, REFINE_CLOSED_FORM), DP_OK);
    assert_true(refine_agrees(&f, 10000) && p.calls > 1);
    /* one deadline for all: past it by far nothing is computed */
    opt.deadline = 1e-9;
    p = (probe){0};
    assert_int_equal(refine(&f, 1, evaluate, &in, &opt, REFINE_CLOSED_FORM), DP_LIMIT);
    assert_true(p.calls == 0 && mpfr_zero_p(&f.enclosure->left) && mpfr_inf_p(&f.enclosure->right));
    /* a precision that cannot be used does not lose what a lower one found */
    opt.deadline = 0;
    met = 0;
    p = (probe){.too_many = 4096};
    assert_int_equal(refine(&f, 1, evaluate, &in, &opt, REFINE_CLOSED_FORM), DP_LIMIT);
    assert_true(refine_agrees(&f, 250) && met == DP_MET_PRECISION);
    mpq_t two;
    mpq_init(two);
    rational_of(two, "0.01414213562373095048801688724209698078569671875376");
    assert_int_equal(dp_figure_le(&f, two), DP_NO);
    rational_of(two, "0.01414213562373095048801688724209698078569671875377");
    assert_int_equal(dp_figure_le(&f, two), DP_YES);
    mpq_clear(two);
    dp_figure_clear(&f);
}

static dp_decision decide(probe *p, const char *limit)
{
    dp_decision answer;
    mpq_t q;
    mpq_init(q);
    rational_of(q, limit);
    assert_int_equal(refine_decide(&answer, evaluate, 1, 0, &p, q, 4096, NULL), DP_OK);
    mpq_clear(q);
    return answer;
}

static void test_decisions(void **state)
{
    (void)state;
    probe root = {0}, eighth = {.is_short = true, .has_rational = true},
          hidden = {.is_short = true};
    assert_int_equal(decide(&root, "0.0141421356237309504880168872420969807856967187537695"),
                     DP_YES);
    assert_int_equal(decide(&root, "0.0141421356237309504880168872420969807856967187537694"),
                     DP_NO);
    assert_int_equal(decide(&eighth, "0.125"), DP_YES);
    assert_int_equal(decide(&eighth, "0.1249999999999999999999999999999999999999"), DP_NO);
    assert_int_equal(decide(&hidden, "0.125"), DP_UNKNOWN);
    assert_true(hidden.most == 4096);
}

static void test_figures(void **state)
{
    (void)state;
    dp_figure f;
    mpq_t q;
    dp_figure_init(&f);
    mpq_init(q);
    figure_set_infinite(&f);
    char *text = dp_figure_decimal(&f, DP_UPPER, 5);
    assert_string_equal(text, "inf");
    dp_text_free(text);
    assert_true(isinf(dp_figure_double_up(&f, 5)));
    rational_of(q, "10^300");
    assert_int_equal(dp_figure_le(&f, q), DP_NO);
    figure_set_ui(&f, 0);
    assert_true(dp_figure_double_up(&f, 5) == 0);
    rational_of(q, "1e-400");
    figure_set_q(&f, q);
    assert_true(dp_figure_double_up(&f, 5) > 0);
    assert_int_equal(dp_figure_le(&f, q), DP_YES);
    rational_of(q, "0.1");
    figure_set_q(&f, q);
    assert_true(dp_figure_double_up(&f, 5) == 0.1); /* that double is above one tenth */
    rational_of(q, "0.3");
    figure_set_q(&f, q);
    assert_true(dp_figure_double_up(&f, 5) > 0.3); /* and that one below three */
    mpfi_ptr x = figure_enclose(&f, 60);
    mpfi_interv_d(x, 0.25, 0.5);
    rational_of(q, "0.5");
    assert_int_equal(dp_figure_le(&f, q), DP_YES);
    rational_of(q, "0.25");
    assert_int_equal(dp_figure_le(&f, q), DP_UNKNOWN);
    rational_of(q, "0.2499");
    assert_int_equal(dp_figure_le(&f, q), DP_NO);
    mpq_clear(q);
    dp_figure_clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits),    cmocka_unit_test(test_short_decimals),
        cmocka_unit_test(test_limits),    cmocka_unit_test(test_time),
        cmocka_unit_test(test_decisions), cmocka_unit_test(test_figures),
    };
    return cmocka_run_group_tests_name("figures and precision", tests, NULL, NULL);
}
