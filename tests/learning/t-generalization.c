/* SPDX-License-Identifier: MIT */
/* Generalization bounds: closed forms evaluated again, the certified bound against itself. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#define BITS 300

typedef struct query {
    dp_generalization g;
    dp_result r;
    dp_number samples, failure, gap;
    dp_options opt;
} query;

static void query_open(query *q, const char *epsilon, const char *delta)
{
    dp_generalization_init(&q->g);
    dp_result_init(&q->r);
    dp_number_init(&q->samples);
    dp_number_init(&q->failure);
    dp_number_init(&q->gap);
    q->opt = dp_options_default();
    q->opt.digits = 12;
    q->opt.all = true;
    number_of(&q->g.epsilon, epsilon);
    rational_of(q->g.delta, delta);
}

static void query_close(query *q)
{
    dp_number_clear(&q->gap);
    dp_number_clear(&q->failure);
    dp_number_clear(&q->samples);
    dp_result_clear(&q->r);
    dp_generalization_clear(&q->g);
}

static void ask(query *q, const char *samples, const char *failure, const char *gap)
{
    if (samples != NULL)
        number_of(&q->samples, samples);
    if (failure != NULL)
        number_of(&q->failure, failure);
    if (gap != NULL)
        number_of(&q->gap, gap);
    q->g.samples = samples != NULL ? &q->samples : NULL;
    q->g.failure = failure != NULL ? &q->failure : NULL;
    q->g.gap = gap != NULL ? &q->gap : NULL;
    assert_int_equal(dp_generalization_bound(&q->r, &q->g, &q->opt, NULL), DP_OK);
}

static const dp_figure *need(const query *q, const char *theorem, const char *quantity)
{
    const dp_figure *f = row_of(&q->r, theorem, quantity);
    if (f == NULL)
        fail_msg("no %s of %s", quantity, theorem);
    return f;
}

static void expect_near(const dp_figure *f, const mpfr_t value)
{
    mpfr_t low, high;
    mpfr_inits2(BITS, low, high, (mpfr_ptr)NULL);
    mpfr_set_ui_2exp(low, 1, -200, MPFR_RNDN);
    mpfr_add(high, value, low, MPFR_RNDU);
    mpfr_sub(low, value, low, MPFR_RNDD);
    assert_true(figure_holds_fr(f, low, high));
    mpfr_clears(low, high, (mpfr_ptr)NULL);
}

static const char *const learners[][2] = {{"0", "0"},        {"0.1", "1e-6"}, {"1", "0"},
                                          {"ln(3)", "0.01"}, {"2.5", "1e-3"}, {"1e-6", "1e-9"}};

/* E Gen <= (e^eps - 1 + 2 delta)/(e^eps + 1) <= 1 - e^-eps + e^-eps delta <= 2 eps + delta */
static void test_mean(void **state)
{
    (void)state;
    mpfr_t e, d, value;
    mpfr_inits2(BITS, e, d, value, (mpfr_ptr)NULL);
    for (size_t i = 0; i < sizeof learners / sizeof *learners; i++) {
        query q;
        query_open(&q, learners[i][0], learners[i][1]);
        ask(&q, NULL, NULL, NULL);
        mpfr_set_q(e, q.g.epsilon.value, MPFR_RNDN);
        if (!q.g.epsilon.is_log)
            mpfr_exp(e, e, MPFR_RNDN);
        mpfr_set_q(d, q.g.delta, MPFR_RNDN);
        mpfr_mul_ui(value, d, 2, MPFR_RNDN);
        mpfr_add(value, value, e, MPFR_RNDN);
        mpfr_sub_ui(value, value, 1, MPFR_RNDN);
        mpfr_t below;
        mpfr_init2(below, BITS);
        mpfr_add_ui(below, e, 1, MPFR_RNDN);
        mpfr_div(value, value, below, MPFR_RNDN);
        mpfr_clear(below);
        expect_near(need(&q, "generalization-mean", "bound"), value);
        mpfr_sub_ui(value, d, 1, MPFR_RNDN); /* 1 - (1 - delta) e^-eps */
        mpfr_div(value, value, e, MPFR_RNDN);
        mpfr_add_ui(value, value, 1, MPFR_RNDN);
        expect_near(need(&q, "generalization-theorem-2", "bound"), value);
        assert_true(figure_may_be_le(need(&q, "generalization-mean", "bound"),
                                     need(&q, "generalization-theorem-2", "bound")));
        query_close(&q);
    }
    mpfr_clears(e, d, value, (mpfr_ptr)NULL);
}

/* ln(factor e^(rate eps)/delta), times the scale */
static void term(mpfr_t out, const query *q, const char *factor, const char *rate,
                 const mpfr_t scale)
{
    mpq_t c;
    mpq_init(c);
    rational_of(c, rate);
    mpq_mul(c, c, q->g.epsilon.value);
    mpfr_set_q(out, c, MPFR_RNDN);
    mpfr_exp(out, out, MPFR_RNDN);
    rational_of(c, factor);
    mpq_div(c, c, q->g.delta);
    mpfr_mul_q(out, out, c, MPFR_RNDN);
    mpfr_log(out, out, MPFR_RNDN);
    mpfr_mul(out, out, scale, MPFR_RNDN);
    mpq_clear(c);
}

/* The least samples of Theorem 1, the larger of 2/(0.077 eps^2) ln(254 e^(1.7 eps)/(43 delta)) and
 * 200/(-ln(0.9) q) ln(48180 e^eps/(9 delta)), q = 1 - 0.9 e^-eps. */
static void test_theorem_1(void **state)
{
    (void)state;
    static const char *const epsilons[] = {"0.01", "0.1", "0.2"};
    for (size_t i = 0; i < 3; i++) {
        mpfr_t scale, first, second;
        mpq_t c;
        query q;
        mpfr_inits2(BITS, scale, first, second, (mpfr_ptr)NULL);
        mpq_init(c);
        query_open(&q, epsilons[i], "1e-6");
        ask(&q, "10^9", "0.05", NULL);
        rational_of(c, "2/0.077");
        mpq_div(c, c, q.g.epsilon.value);
        mpq_div(c, c, q.g.epsilon.value);
        mpfr_set_q(scale, c, MPFR_RNDN);
        term(first, &q, "254/43", "1.7", scale);
        mpq_neg(c, q.g.epsilon.value); /* 10 q = 10 - 9 e^-eps, -10 ln(0.9) */
        mpfr_set_q(scale, c, MPFR_RNDN);
        mpfr_exp(scale, scale, MPFR_RNDN);
        mpfr_mul_ui(scale, scale, 9, MPFR_RNDN);
        mpfr_ui_sub(scale, 10, scale, MPFR_RNDN);
        rational_of(c, "10/9");
        mpfr_set_q(second, c, MPFR_RNDN);
        mpfr_log(second, second, MPFR_RNDN);
        mpfr_mul(scale, scale, second, MPFR_RNDN);
        mpfr_ui_div(scale, 2000, scale, MPFR_RNDN);
        term(second, &q, "48180/9", "1", scale);
        mpfr_max(first, first, second, MPFR_RNDN);
        mpfr_mul_2si(first, first, -20, MPFR_RNDN); /* expect_near is absolute */
        dp_figure f;
        dp_figure_init(&f);
        f.kind = DP_ENCLOSED;
        mpfi_set_prec(f.enclosure, BITS);
        mpfi_div_2exp(f.enclosure,
                      need(&q, "generalization-theorem-1", "minimum_samples")->enclosure, 20);
        expect_near(&f, first);
        dp_figure_clear(&f);
        query_close(&q);
        mpq_clear(c);
        mpfr_clears(scale, first, second, (mpfr_ptr)NULL);
    }
}

/* Rows that say nothing never decide; a deciding bound is below 1. */
static void test_vacuous(void **state)
{
    (void)state;
    static const char *const samples[] = {"1", "30", "1000", "10^6"};
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    for (size_t i = 0; i < sizeof learners / sizeof *learners; i++)
        for (size_t j = 0; j < (size_t)rounds(4); j++)
            for (int gap = 0; gap < 2; gap++) {
                query q;
                query_open(&q, learners[i][0], learners[i][1]);
                ask(&q, samples[j], gap ? NULL : "0.05", gap ? "0.3" : NULL);
                if (q.r.guarantee < q.r.count) {
                    const dp_row *row = &q.r.row[q.r.guarantee];
                    assert_false(row->vacuous);
                    assert_int_not_equal(row->verdict, DP_UNSOUND);
                    const dp_figure *asked =
                        dp_result_figure(&q.r, gap ? "failure_probability" : "bound");
                    assert_true(asked == NULL || dp_figure_le(asked, one) == DP_YES);
                }
                query_close(&q);
            }
    mpq_clear(one);
}

/* More samples never hurt; the gap found for a failure probability has that one or less. */
static void test_round_trip(void **state)
{
    (void)state;
    query q, more, back;
    query_open(&q, "0.1", "1e-6");
    query_open(&more, "0.1", "1e-6");
    query_open(&back, "0.1", "1e-6");
    ask(&q, "50000", "0.05", NULL);
    ask(&more, "200000", "0.05", NULL);
    const dp_figure *bound = need(&q, "generalization-certified", "bound");
    assert_false(figure_may_be_le(bound, need(&more, "generalization-certified", "bound")));
    char *gap = dp_figure_decimal(bound, DP_UPPER, 6);
    ask(&back, "50000", NULL, gap);
    dp_text_free(gap);
    const dp_figure *failure =
        need(&back, "generalization-certified-failure", "failure_probability");
    assert_int_equal(dp_figure_le(failure, q.failure.value), DP_YES);
    query_close(&back);
    query_close(&more);
    query_close(&q);
}

/* The least number of samples: its bound is within the gap; with a tenth fewer it is not. */
static void test_samples(void **state)
{
    (void)state;
    query q, at;
    query_open(&q, "0.1", "1e-6");
    query_open(&at, "0.1", "1e-6");
    q.g.solve_samples = true;
    ask(&q, NULL, "0.01", "0.2");
    const dp_figure *n = dp_result_figure(&q.r, "samples");
    assert_true(n != NULL && n->kind == DP_RATIONAL);
    char text[60];
    gmp_snprintf(text, sizeof text, "%Qd", n->rational);
    ask(&at, text, "0.01", NULL);
    assert_int_equal(dp_figure_le(dp_result_figure(&at.r, "bound"), q.gap.value), DP_YES);
    mpq_t fewer;
    mpz_t whole;
    mpq_init(fewer);
    mpz_init(whole);
    rational_of(fewer, "0.9");
    mpq_mul(fewer, fewer, n->rational);
    mpz_set_q(whole, fewer);
    gmp_snprintf(text, sizeof text, "%Zd", whole);
    ask(&at, text, "0.01", NULL);
    assert_int_equal(dp_figure_le(need(&at, "generalization-certified", "bound"), q.gap.value),
                     DP_NO);
    mpz_clear(whole);
    mpq_clear(fewer);
    query_close(&at);
    query_close(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean),    cmocka_unit_test(test_theorem_1),
        cmocka_unit_test(test_vacuous), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_samples),
    };
    return cmocka_run_group_tests_name("generalization", tests, NULL, NULL);
}
