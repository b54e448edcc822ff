/* SPDX-License-Identifier: MIT */
/* Private majority by randomized response: the largest sound probability, from all vertices of what
 * the mechanisms may do, in exact rationals (every privacy loss is the logarithm of a rational). */
#include "support.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define MOST_VOTERS 5

/* One voter at a vertex: its probability of a 1 on each of two neighbouring data sets. */
typedef struct corner {
    mpq_t here, there;
} corner;

static void corners_init(corner c[4], const mpq_t odds)
{
    for (int i = 0; i < 4; i++)
        mpq_inits(c[i].here, c[i].there, NULL);
    mpq_set_ui(c[1].here, 1, 1); /* c[0]: never */
    mpq_set_ui(c[1].there, 1, 1);
    mpz_set(mpq_numref(c[2].here), mpq_numref(odds));
    mpz_add(mpq_denref(c[2].here), mpq_numref(odds), mpq_denref(odds));
    mpq_canonicalize(c[2].here);
    mpq_sub(c[2].there, c[1].here, c[2].here);
    mpq_set(c[3].here, c[2].there);
    mpq_set(c[3].there, c[2].here);
}

static void corners_clear(corner c[4])
{
    for (int i = 0; i < 4; i++)
        mpq_clears(c[i].here, c[i].there, NULL);
}

/* Pr[at least `need` ones] of independent voters */
static void at_least(mpq_t out, mpq_t *chance, size_t voters, size_t need)
{
    mpq_t part, miss, one;
    if (need == 0 || voters < need) {
        mpq_set_ui(out, need == 0 ? 1 : 0, 1);
        return;
    }
    mpq_inits(part, miss, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_sub(miss, one, chance[voters - 1]);
    at_least(part, chance, voters - 1, need);
    mpq_mul(miss, miss, part);
    at_least(part, chance, voters - 1, need - 1);
    mpq_mul(part, part, chance[voters - 1]);
    mpq_add(out, part, miss);
    mpq_clears(part, miss, one, NULL);
}

/* x = the most that Pr[majority is 1] exceeds E times that of the neighbour */
static void worst_independent(mpq_t x, size_t voters, const mpq_t odds, const mpq_t target)
{
    corner c[4];
    mpq_t here[MOST_VOTERS], there[MOST_VOTERS], a, b;
    mpq_inits(a, b, NULL);
    corners_init(c, odds);
    for (size_t i = 0; i < voters; i++)
        mpq_inits(here[i], there[i], NULL);
    mpq_set_ui(x, 0, 1);
    for (unsigned code = 0; code < 1U << (2 * voters); code++) {
        for (size_t i = 0; i < voters; i++) {
            mpq_set(here[i], c[code >> (2 * i) & 3].here);
            mpq_set(there[i], c[code >> (2 * i) & 3].there);
        }
        at_least(a, here, voters, (voters + 1) / 2);
        at_least(b, there, voters, (voters + 1) / 2);
        mpq_mul(b, b, target);
        mpq_sub(a, a, b);
        if (mpq_cmp(a, x) > 0)
            mpq_set(x, a);
    }
    for (size_t i = 0; i < voters; i++)
        mpq_clears(here[i], there[i], NULL);
    corners_clear(c);
    mpq_clears(a, b, NULL);
}

/* The same when nothing is known but that the majority is (ln grow, leak)-DP: the corners of
 * M <= grow M' + leak, 1 - M' <= grow (1 - M) + leak. */
static void worst_composed(mpq_t x, const mpq_t grow, const mpq_t leak, const mpq_t target)
{
    mpq_t one, m, other;
    mpq_inits(one, m, other, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set(x, leak); /* (leak, 0) */
    if (mpq_cmp(x, one) > 0)
        mpq_set(x, one);
    mpq_sub(m, one, x); /* (1, 1 - leak) */
    mpq_mul(m, m, target);
    mpq_sub(m, one, m);
    if (mpq_cmp(m, x) > 0)
        mpq_set(x, m);
    if (mpq_cmp(leak, one) < 0) { /* where both lines cross: M' = (1 - leak)/(1 + grow) */
        mpq_add(m, one, grow);
        mpq_sub(other, one, leak);
        mpq_div(other, other, m);
        mpq_mul(m, other, grow);
        mpq_add(m, m, leak);
        mpq_mul(other, other, target);
        mpq_sub(m, m, other);
        if (mpq_cmp(m, x) > 0)
            mpq_set(x, m);
    }
    mpq_clears(one, m, other, NULL);
}

/* p (x + (E-1)/2) <= delta + (E-1)/2, at most 1: above it the mechanism breaks its target. */
static void largest(mpq_t p, const mpq_t x, const mpq_t target, const mpq_t delta)
{
    mpq_t coin, one;
    mpq_inits(coin, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_sub(coin, target, one);
    mpq_div_2exp(coin, coin, 1);
    mpq_add(p, x, coin);
    mpq_add(coin, coin, delta);
    if (mpq_cmp(x, delta) <= 0)
        mpq_set_ui(p, 1, 1);
    else
        mpq_div(p, coin, p);
    mpq_clears(coin, one, NULL);
}

static void check_case(unsigned voters, const char *odds, const char *leak, const char *target,
                       const char *delta)
{
    dp_response r;
    dp_result out;
    dp_number goal;
    mpq_t x, p, grow, sum;
    char text[40];
    dp_options opt = dp_options_default();
    opt.digits = 20;
    dp_response_init(&r);
    dp_result_init(&out);
    dp_number_init(&goal);
    mpq_inits(x, p, grow, sum, NULL);
    mpz_set_ui(r.mechanisms, voters);
    snprintf(text, sizeof text, "ln(%s)", odds);
    number_of(&r.epsilon, text);
    rational_of(r.delta, leak);
    snprintf(text, sizeof text, "ln(%s)", target);
    number_of(&goal, text);
    r.target_epsilon = &goal;
    rational_of(r.target_delta, delta);
    assert_int_equal(dp_response_probability(&out, &r, &opt, NULL), DP_OK);
    mpq_set_ui(grow, 1, 1);
    for (unsigned i = 0; i < voters; i++)
        mpq_mul(grow, grow, r.epsilon.value);
    mpq_set_ui(sum, voters, 1);
    mpq_mul(sum, sum, r.delta);
    worst_composed(x, grow, sum, goal.value);
    largest(p, x, goal.value, r.target_delta);
    const dp_figure *simple = row_of(&out, "rr-prob-simple", "probability");
    assert_int_equal(out.warnings, 0); /* short decimals are shown exactly */
    if (!figure_holds_q(simple, p))
        fail_msg("simple: K %u, R %s, %s, target %s, %s", voters, odds, leak, target, delta);
    if (mpq_sgn(r.delta) == 0) {
        worst_independent(x, voters, r.epsilon.value, goal.value);
        largest(p, x, goal.value, r.target_delta);
        const dp_figure *f = row_of(&out, "rr-prob-independent", "probability");
        if (f == NULL || !figure_holds_q(f, p))
            fail_msg("independent: K %u, R %s, target %s, %s", voters, odds, target, delta);
        assert_true(figure_may_be_le(simple, f));
    }
    mpq_clears(x, p, grow, sum, NULL);
    dp_number_clear(&goal);
    dp_result_clear(&out);
    dp_response_clear(&r);
}

static void test_vertices(void **state)
{
    (void)state;
    static const char *const odds[] = {"3", "2", "5/4", "11/10"};
    static const char *const targets[] = {"1", "11/10", "5/4", "3/2", "2", "3", "4", "9", "28"};
    static const char *const deltas[] = {"0", "1/100", "1/5"};
    for (unsigned voters = 1; voters <= MOST_VOTERS; voters += 2)
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 9; j++)
                for (size_t k = 0; k < 3; k++) {
                    if (voters == 5 && (j % 2 == 1 || k == 2)) /* the longest to enumerate */
                        continue;
                    check_case(voters, odds[i], "0", targets[j], deltas[k]);
                    check_case(voters, odds[i], "1/1000", targets[j], deltas[k]);
                    check_case(voters, odds[i], "1/4", targets[j], deltas[k]);
                }
}

static void expect_domain(const char *voters, const char *allowance, const char *target,
                          bool general, const char *slack, const char *argument)
{
    dp_response r;
    dp_result out;
    dp_number m, t, s;
    dp_error err = {DP_OK, NULL, NULL};
    dp_options opt = dp_options_default();
    dp_response_init(&r);
    dp_result_init(&out);
    dp_number_init(&m);
    dp_number_init(&t);
    dp_number_init(&s);
    assert_int_equal(mpz_set_str(r.mechanisms, voters, 10), 0);
    number_of(&r.epsilon, "0.1");
    if (allowance != NULL)
        number_of(&m, allowance);
    if (target != NULL)
        number_of(&t, target);
    if (slack != NULL)
        number_of(&s, slack);
    r.allowance = allowance != NULL ? &m : NULL;
    r.target_epsilon = target != NULL ? &t : NULL;
    r.slack = slack != NULL ? &s : NULL;
    r.composition = general ? DP_VOTE_GENERAL : DP_VOTE_SIMPLE;
    assert_int_equal(dp_response_probability(&out, &r, &opt, &err), DP_DOMAIN);
    assert_string_equal(err.argument, argument);
    dp_number_clear(&s);
    dp_number_clear(&t);
    dp_number_clear(&m);
    dp_result_clear(&out);
    dp_response_clear(&r);
}

static void test_domain(void **state)
{
    (void)state;
    expect_domain("2", "1", NULL, false, NULL, "mechanisms");
    expect_domain("0", "1", NULL, false, NULL, "mechanisms");
    expect_domain("-3", "1", NULL, false, NULL, "mechanisms");
    expect_domain("3", NULL, NULL, false, NULL, "allowance");
    expect_domain("3", "1", "1", false, NULL, "allowance");
    expect_domain("3", "1", NULL, true, NULL, "slack");
    expect_domain("3", "1", NULL, false, "0.1", "slack");
}

/* Known to five digits: eps = 0.1, K mechanisms, m = the allowance. */
static void test_table(void **state)
{
    (void)state;
    static const struct {
        unsigned voters;
        const char *allowance, *simple, *independent;
    } table[] = {
        {11, "1", "0.09981", "0.37095"},   {11, "3", "0.29746", "0.87199"},
        {35, "1", "0.05307", "0.21332"},   {35, "3", "0.15816", "0.58729"},
        {35, "10", "0.49090", "0.99231"},  {101, "1", "0.04996", "0.12960"},
        {101, "10", "0.46216", "0.88512"}, {101, "20", "0.76166", "0.99683"},
    };
    mpq_t half, low, high;
    mpq_inits(half, low, high, NULL);
    rational_of(half, "5e-6");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        dp_response r;
        dp_result out;
        dp_number m;
        dp_options opt = dp_options_default();
        dp_response_init(&r);
        dp_result_init(&out);
        dp_number_init(&m);
        mpz_set_ui(r.mechanisms, table[i].voters);
        number_of(&r.epsilon, "0.1");
        number_of(&m, table[i].allowance);
        r.allowance = &m;
        assert_int_equal(dp_response_probability(&out, &r, &opt, NULL), DP_OK);
        for (int j = 0; j < 2; j++) {
            const char *id = j == 0 ? "rr-prob-simple" : "rr-prob-independent";
            const dp_figure *f = row_of(&out, id, "probability");
            rational_of(low, j == 0 ? table[i].simple : table[i].independent);
            mpq_add(high, low, half);
            mpq_sub(low, low, half);
            assert_true(f != NULL && dp_figure_le(f, high) == DP_YES &&
                        dp_figure_le(f, low) == DP_NO);
        }
        dp_number_clear(&m);
        dp_result_clear(&out);
        dp_response_clear(&r);
    }
    mpq_clears(half, low, high, NULL);
}

/* A sum that would take minutes ends within the time, as an enclosure; one of many digits over some
 * thousand terms is quick. Counted in time of the processor, which a loaded machine does not
 * stretch. */
static void test_time(void **state)
{
    (void)state;
    static const struct {
        unsigned long voters;
        const char *epsilon;
        size_t digits;
        bool sharp;
    } list[] = {{1000001, "0.001", 1000, false},
                {1000001, "0.001", 10000, false},
                {3001, "0.1", 2000, true}};
    mpq_t high;
    mpq_init(high);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        dp_response r;
        dp_result out;
        dp_number m;
        dp_options opt = dp_options_default();
        dp_response_init(&r);
        dp_result_init(&out);
        dp_number_init(&m);
        mpz_set_ui(r.mechanisms, list[i].voters);
        number_of(&r.epsilon, list[i].epsilon);
        number_of(&m, "10");
        r.allowance = &m;
        opt.digits = list[i].digits;
        opt.max_seconds = 1;
        clock_t began = clock();
        assert_int_equal(dp_response_probability(&out, &r, &opt, NULL), DP_OK);
        assert_true(clock() - began < 2 * CLOCKS_PER_SEC);
        const dp_figure *p = row_of(&out, "rr-prob-independent", "probability");
        mpq_set_ui(high, 1, 1);
        assert_int_equal(dp_figure_le(p, high), DP_YES);
        assert_int_equal(out.warnings == 0, list[i].sharp);
        dp_number_clear(&m);
        dp_result_clear(&out);
        dp_response_clear(&r);
    }
    mpq_clear(high);
}

/* At most 11 digits of the row for independent mechanisms. */
static void independent_text(char text[40], const char *epsilon, const char *target)
{
    dp_response r;
    dp_result out;
    dp_number goal;
    dp_options opt = dp_options_default();
    dp_response_init(&r);
    dp_result_init(&out);
    dp_number_init(&goal);
    mpz_set_ui(r.mechanisms, 11);
    number_of(&r.epsilon, epsilon);
    number_of(&goal, target);
    r.target_epsilon = &goal;
    assert_int_equal(dp_response_probability(&out, &r, &opt, NULL), DP_OK);
    char *digits =
        dp_figure_decimal(row_of(&out, "rr-prob-independent", "probability"), DP_LOWER, 10);
    snprintf(text, 40, "%s", digits);
    dp_text_free(digits);
    dp_number_clear(&goal);
    dp_result_clear(&out);
    dp_response_clear(&r);
}

/* How many mechanisms are idle is decided among rationals in one way and with logarithms in
 * another: the same epsilon to 50 digits, below, at and above a multiple of it. */
static void test_idle(void **state)
{
    (void)state;
    static const char near[] = "ln(1.1051709180756476248117078264902466682245471947375187)";
    static const char *const targets[] = {"0.05", "0.0999", "0.1001", "0.25", "0.3999", "0.45"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char one[40], other[40];
        independent_text(one, "0.1", targets[i]);
        independent_text(other, near, targets[i]);
        assert_string_equal(one, other);
    }
}

/* Three votes, uniform over the triples whose parity is the record's bit. */
static unsigned ones(unsigned triple)
{
    return (triple & 1U) + (triple >> 1 & 1U) + (triple >> 2 & 1U);
}

/* Pr[the votes in `mask` are `pattern`], or with a mask of 0 Pr[the majority is 1] */
static void chance_of(mpq_t p, unsigned bit, unsigned mask, unsigned pattern)
{
    unsigned long hits = 0, all = 0;
    for (unsigned triple = 0; triple < 8; triple++)
        if (ones(triple) % 2 == bit) {
            all++;
            hits += mask == 0 ? ones(triple) >= 2 : (triple & mask) == (pattern & mask);
        }
    mpq_set_ui(p, hits, all);
    mpq_canonicalize(p);
}

/* Every vote, and every pair of votes, has the same law for both bits: 0-DP, exactly. The majority
 * needs ln 3. So composition must ask for privacy given the earlier outputs; at epsilon = 0 it then
 * rightly publishes the majority. */
static void test_parity(void **state)
{
    (void)state;
    mpq_t here, there;
    mpq_inits(here, there, NULL);
    for (unsigned mask = 1; mask < 7; mask++)
        for (unsigned pattern = 0; pattern < 8; pattern++) {
            chance_of(here, 0, mask, pattern);
            chance_of(there, 1, mask, pattern);
            assert_true(mpq_equal(here, there));
        }
    chance_of(here, 0, 7, 0); /* all three: given two votes, the third tells the bit */
    chance_of(there, 1, 7, 0);
    assert_true(mpq_sgn(here) > 0 && mpq_sgn(there) == 0);
    chance_of(here, 0, 0, 0);
    chance_of(there, 1, 0, 0);
    mpq_div(here, here, there);
    assert_int_equal(mpq_cmp_ui(here, 3, 1), 0);

    dp_response r;
    dp_result out;
    dp_number zero;
    dp_options opt = dp_options_default();
    dp_response_init(&r);
    dp_result_init(&out);
    dp_number_init(&zero);
    mpz_set_ui(r.mechanisms, 3);
    r.target_epsilon = &zero;
    assert_int_equal(dp_response_probability(&out, &r, &opt, NULL), DP_OK);
    mpq_set_ui(there, 1, 1);
    assert_true(figure_holds_q(row_of(&out, "rr-prob-simple", "probability"), there));
    dp_number_clear(&zero);
    dp_result_clear(&out);
    dp_response_clear(&r);
    mpq_clears(here, there, NULL);
}

/* Whatever composes mechanisms, and does not take them as independent, says what they must be. */
static void test_assumptions(void **state)
{
    (void)state;
    static const char *const composing[] = {"rr-prob-simple",
                                            "rr-prob-general",
                                            "majority-constant-composed",
                                            "compose-optimal",
                                            "compose-basic",
                                            "compose-basic-sum",
                                            "compose-advanced",
                                            "compose-kov-sum",
                                            "compose-kov-log",
                                            "compose-kov-hoeffding",
                                            "compose-rdp",
                                            "compose-zcdp",
                                            "compose-zcdp-simple",
                                            "compose-filter",
                                            "he2021-theorem-4-corrected",
                                            "kl-tight",
                                            "divergence-renyi",
                                            "divergence-total-variation",
                                            "divergence-max",
                                            "compose-zcdp-classic"};
    for (size_t i = 0; i < sizeof composing / sizeof *composing; i++) {
        const dp_theorem *t = dp_theorem_find(composing[i]);
        if (t == NULL || strstr(t->assumes, "given the outputs of the earlier ones") == NULL)
            fail_msg("%s", composing[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertices),    cmocka_unit_test(test_domain),
        cmocka_unit_test(test_table),       cmocka_unit_test(test_time),
        cmocka_unit_test(test_idle),        cmocka_unit_test(test_parity),
        cmocka_unit_test(test_assumptions),
    };
    return cmocka_run_group_tests_name("randomized response", tests, NULL, NULL);
}
