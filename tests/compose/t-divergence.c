/* SPDX-License-Identifier: MIT */
/* Divergences from their definitions: the four outcomes of each mechanism (leak, +, -, leak of the
 * other side) are enumerated at 400 bits. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#define BITS 400
#define MOST 5

enum { TV, KL, CHI, HELLINGER, RENYI, QUANTITIES };

typedef struct law {
    mpfr_t p[MOST][4], q[MOST][4];
    size_t count;
} law;

static void law_add(law *l, const char *epsilon, const char *delta)
{
    mpfr_t keep;
    mpq_t d, one;
    dp_number e;
    mpfr_init2(keep, BITS);
    mpq_inits(d, one, NULL);
    dp_number_init(&e);
    rational_of(d, delta);
    number_of(&e, epsilon);
    mpq_set_ui(one, 1, 1);
    mpq_sub(one, one, d);
    mpfr_set_q(keep, one, MPFR_RNDN);
    mpfr_t *p = l->p[l->count], *q = l->q[l->count];
    for (int i = 0; i < 4; i++) {
        mpfr_inits2(BITS, p[i], q[i], (mpfr_ptr)NULL);
        mpfr_set_ui(p[i], 0, MPFR_RNDN);
        mpfr_set_ui(q[i], 0, MPFR_RNDN);
    }
    mpfr_set_q(p[0], d, MPFR_RNDN);
    mpfr_set_q(q[3], d, MPFR_RNDN);
    mpfr_set_q(p[1], e.value, MPFR_RNDN);
    if (!e.is_log)
        mpfr_exp(p[1], p[1], MPFR_RNDN);
    mpfr_add_ui(p[2], p[1], 1, MPFR_RNDN);
    mpfr_div(p[1], p[1], p[2], MPFR_RNDN);
    mpfr_ui_div(p[2], 1, p[2], MPFR_RNDN);
    mpfr_mul(p[1], p[1], keep, MPFR_RNDN);
    mpfr_mul(p[2], p[2], keep, MPFR_RNDN);
    mpfr_set(q[1], p[2], MPFR_RNDN);
    mpfr_set(q[2], p[1], MPFR_RNDN);
    l->count++;
    dp_number_clear(&e);
    mpq_clears(d, one, NULL);
    mpfr_clear(keep);
}

static void law_clear(law *l)
{
    for (size_t i = 0; i < l->count; i++)
        for (int j = 0; j < 4; j++)
            mpfr_clears(l->p[i][j], l->q[i][j], (mpfr_ptr)NULL);
}

/* Adds what one outcome, with masses p and q, contributes to each sum. */
static void add_outcome(mpfr_t sum[QUANTITIES], const mpfr_t p, const mpfr_t q, const mpfr_t order)
{
    mpfr_t a, b;
    mpfr_inits2(BITS, a, b, (mpfr_ptr)NULL);
    if (mpfr_cmp(p, q) > 0) {
        mpfr_sub(a, p, q, MPFR_RNDN);
        mpfr_add(sum[TV], sum[TV], a, MPFR_RNDN);
    }
    if (mpfr_sgn(p) > 0) {
        mpfr_div(a, p, q, MPFR_RNDN); /* infinite where q is 0 */
        mpfr_log(b, a, MPFR_RNDN);
        mpfr_mul(b, b, p, MPFR_RNDN);
        mpfr_add(sum[KL], sum[KL], b, MPFR_RNDN);
        mpfr_mul(b, a, p, MPFR_RNDN);
        mpfr_add(sum[CHI], sum[CHI], b, MPFR_RNDN);
        mpfr_mul(b, p, q, MPFR_RNDN);
        mpfr_sqrt(b, b, MPFR_RNDN);
        mpfr_add(sum[HELLINGER], sum[HELLINGER], b, MPFR_RNDN);
        if (mpfr_sgn(q) > 0) { /* p (p/q)^(order-1) */
            mpfr_sub_ui(b, order, 1, MPFR_RNDN);
            mpfr_pow(a, a, b, MPFR_RNDN);
            mpfr_mul(a, a, p, MPFR_RNDN);
        } else {
            mpfr_set_inf(a, 1);
            if (mpfr_cmp_ui(order, 1) < 0)
                mpfr_set_ui(a, 0, MPFR_RNDN);
        }
        mpfr_add(sum[RENYI], sum[RENYI], a, MPFR_RNDN);
    }
    mpfr_clears(a, b, (mpfr_ptr)NULL);
}

static void enumerate(mpfr_t sum[QUANTITIES], law *l, size_t at, const mpfr_t p, const mpfr_t q,
                      const mpfr_t order)
{
    if (at == l->count) {
        add_outcome(sum, p, q, order);
        return;
    }
    mpfr_t a, b;
    mpfr_inits2(BITS, a, b, (mpfr_ptr)NULL);
    for (int i = 0; i < 4; i++) {
        mpfr_mul(a, p, l->p[at][i], MPFR_RNDN);
        mpfr_mul(b, q, l->q[at][i], MPFR_RNDN);
        enumerate(sum, l, at + 1, a, b, order);
    }
    mpfr_clears(a, b, (mpfr_ptr)NULL);
}

/* The divergences themselves. */
static void divergences(mpfr_t sum[QUANTITIES], law *l, const mpfr_t order)
{
    mpfr_t one;
    mpfr_init2(one, BITS);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    for (int i = 0; i < QUANTITIES; i++)
        mpfr_set_ui(sum[i], 0, MPFR_RNDN);
    enumerate(sum, l, 0, one, one, order);
    mpfr_sub_ui(sum[CHI], sum[CHI], 1, MPFR_RNDN);
    mpfr_ui_sub(sum[HELLINGER], 1, sum[HELLINGER], MPFR_RNDN);
    mpfr_log(sum[RENYI], sum[RENYI], MPFR_RNDN);
    mpfr_sub_ui(one, order, 1, MPFR_RNDN);
    mpfr_div(sum[RENYI], sum[RENYI], one, MPFR_RNDN);
    mpfr_clear(one);
}

static const char *const rows[QUANTITIES][2] = {
    {"divergence-total-variation", "total_variation"},
    {"kl-tight", "kl"},
    {"divergence-chi-squared", "chi_squared"},
    {"divergence-squared-hellinger", "squared_hellinger"},
    {"divergence-renyi", "renyi"}};

static void expect_quantity(const dp_result *r, int i, const mpfr_t value)
{
    const dp_figure *f = row_of(r, rows[i][0], rows[i][1]);
    assert_non_null(f);
    if (mpfr_inf_p(value)) {
        assert_int_equal(f->kind, DP_INFINITE);
        return;
    }
    mpfr_t low, high;
    mpfr_inits2(BITS, low, high, (mpfr_ptr)NULL);
    mpfr_set_ui_2exp(low, 1, -300, MPFR_RNDN);
    mpfr_add(high, value, low, MPFR_RNDU);
    mpfr_sub(low, value, low, MPFR_RNDD);
    if (!figure_holds_fr(f, low, high))
        fail_msg("%s: not %.17g", rows[i][0], mpfr_get_d(value, MPFR_RNDN));
    mpfr_clears(low, high, (mpfr_ptr)NULL);
}

/* Every looser bound is at least the tight one, and max is the sum of epsilon. */
static void expect_order(const dp_result *r)
{
    for (int i = 0; i < QUANTITIES; i++) {
        const dp_figure *tight = row_of(r, rows[i][0], rows[i][1]);
        for (size_t j = 0; j < r->count; j++) {
            const dp_figure *f = row_of(r, r->row[j].theorem->id, rows[i][1]);
            if (f != NULL && !figure_may_be_le(tight, f))
                fail_msg("%s is below %s", r->row[j].theorem->id, rows[i][0]);
        }
    }
}

static const char *const epsilons[] = {"0.1", "1", "ln(2)", "1e-3", "0", "ln(9)", "2.5", "1/3"};
static const char *const deltas[] = {"0", "0", "0", "0.1", "1e-6"};
static const char *const orders[] = {"1/2", "2", "5/2", "1.01", "20", "1/10", "0.999"};
#define OF(table, r) table[rng_below(r, sizeof table / sizeof *table)]

static void test_definitions(void **state)
{
    (void)state;
    rng r = rng_make(101);
    mpfr_t sum[QUANTITIES], order;
    mpfr_init2(order, BITS);
    for (int i = 0; i < QUANTITIES; i++)
        mpfr_init2(sum[i], BITS);
    for (int i = 0; i < rounds(100); i++) {
        law l = {.count = 0};
        dp_composition c;
        dp_result out;
        mpq_t alpha;
        dp_options opt = dp_options_default();
        opt.all = true;
        opt.digits = 5 + rng_below(&r, 30);
        dp_composition_init(&c);
        dp_result_init(&out);
        mpq_init(alpha);
        for (uint64_t n = 1 + rng_below(&r, MOST); n > 0; n--) {
            const char *epsilon = OF(epsilons, &r), *delta = i % 2 == 0 ? "0" : OF(deltas, &r);
            list_add(&c, epsilon, delta, 1);
            law_add(&l, epsilon, delta);
        }
        rational_of(alpha, OF(orders, &r));
        mpfr_set_q(order, alpha, MPFR_RNDN);
        divergences(sum, &l, order);
        assert_int_equal(dp_divergences(&out, &c, alpha, &opt, NULL), DP_OK);
        for (int j = 0; j < QUANTITIES; j++)
            expect_quantity(&out, j, sum[j]);
        expect_order(&out);
        mpq_clear(alpha);
        dp_result_clear(&out);
        dp_composition_clear(&c);
        law_clear(&l);
    }
    for (int i = 0; i < QUANTITIES; i++)
        mpfr_clear(sum[i]);
    mpfr_clear(order);
}

/* KL adds over the list: n uses of a mechanism have n times its KL, the unequal list the sum. */
static void test_kl(void **state)
{
    (void)state;
    dp_composition one, many;
    dp_result a, b;
    dp_options opt = dp_options_default();
    opt.digits = 25;
    opt.all = true;
    dp_composition_init(&one);
    dp_composition_init(&many);
    dp_result_init(&a);
    dp_result_init(&b);
    list_add(&one, "0.7", "0", 1);
    list_add(&many, "0.7", "0", 1000000);
    assert_int_equal(dp_kl(&a, &one, &opt, NULL), DP_OK);
    assert_int_equal(dp_kl(&b, &many, &opt, NULL), DP_OK);
    mpfi_t scaled;
    mpfi_init2(scaled, 300);
    mpfi_mul_ui(scaled, dp_result_figure(&a, "kl")->enclosure, 1000000);
    assert_true(figure_holds_fr(dp_result_figure(&b, "kl"), &scaled->left, &scaled->right));
    mpfi_clear(scaled);
    static const char *const order[] = {"kl-tight", "kl-bun-steinke", "kl-dwork-rothblum",
                                        "kl-dwork"};
    assert_int_equal(b.count, 4);
    for (size_t i = 0; i + 1 < 4; i++)
        assert_false(figure_may_be_le(row_of(&b, order[i + 1], "kl"), row_of(&b, order[i], "kl")));
    list_add(&many, "0.1", "1e-9", 1);
    assert_int_equal(dp_kl(&b, &many, &opt, NULL), DP_DOMAIN);
    dp_result_clear(&b);
    dp_result_clear(&a);
    dp_composition_clear(&many);
    dp_composition_clear(&one);
}

/* Of large losses D_a = eps - (a/(a-1)) ln(1 + e^-eps) + ... is below eps by less than any digits
 * tell: it is enclosed by [eps - 1, eps], and never shown above eps. */
static void test_renyi_at_the_max(void **state)
{
    (void)state;
    dp_composition c;
    dp_result out;
    mpq_t order, epsilon;
    dp_options opt = dp_options_default();
    opt.digits = 5;
    dp_composition_init(&c);
    dp_result_init(&out);
    mpq_inits(order, epsilon, NULL);
    list_add(&c, "1e6", "0", 1);
    rational_of(order, "8");
    rational_of(epsilon, "1e6");
    assert_int_equal(dp_divergences(&out, &c, order, &opt, NULL), DP_OK);
    const dp_figure *f = row_of(&out, "divergence-renyi", "renyi");
    assert_int_equal(dp_figure_le(f, epsilon), DP_YES);
    char *shown = dp_figure_decimal(f, DP_UPPER, 5);
    mpq_t end;
    mpq_init(end);
    rational_of(end, shown);
    assert_true(mpq_equal(end, epsilon));
    rational_of(epsilon, "999999");
    assert_int_equal(dp_figure_le(f, epsilon), DP_NO);
    mpq_clears(order, epsilon, end, NULL);
    dp_text_free(shown);
    dp_result_clear(&out);
    dp_composition_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_kl),
        cmocka_unit_test(test_renyi_at_the_max),
    };
    return cmocka_run_group_tests_name("divergences", tests, NULL, NULL);
}
