/* SPDX-License-Identifier: MIT */
/* The safe end of every figure: each name that a row can have is known, and rows carry the end that
 * may be relied on. */
#include "core/result.h" /* before cmocka, which has a macro `fail` */

#include "support.h"

#include <math.h>
#include <string.h>

#include "core/bound.h"
#include "core/quantity.h"

/* By hand, so that a name whose end is turned round fails. */
static const char *const lower[] = {"probability",
                                    "objective",
                                    "times",
                                    "k",
                                    "N",
                                    "q",
                                    "use_epsilon",
                                    "budget",
                                    "queries",
                                    "steps",
                                    "fpr_plus_fnr",
                                    "epsilon_lower",
                                    "mu_lower",
                                    "delta_lower",
                                    "tpr_lower",
                                    "accuracy_lower",
                                    "confidence",
                                    "sampling_rate",
                                    "fpr",
                                    "posterior_min",
                                    "trials_too_few"};
static const char *const upper[] = {"epsilon",
                                    "delta",
                                    "rho",
                                    "xi",
                                    "rdp",
                                    "kl",
                                    "renyi",
                                    "max_divergence",
                                    "epsilon_at_target_delta",
                                    "delta_at_target_epsilon",
                                    "total_variation",
                                    "chi_squared",
                                    "squared_hellinger",
                                    "epsilon_one",
                                    "epsilon_step",
                                    "slack",
                                    "alpha",
                                    "spent",
                                    "spent_delta",
                                    "error",
                                    "disagreement",
                                    "bound",
                                    "failure_probability",
                                    "objective_bound",
                                    "minimum_samples",
                                    "minimum_samples_printed",
                                    "samples",
                                    "sets",
                                    "selection",
                                    "witness_plus",
                                    "sigma",
                                    "noise_multiplier",
                                    "advantage",
                                    "accuracy",
                                    "excess_over_prior",
                                    "accuracy_over_prior",
                                    "odds_over_prior",
                                    "rr_epsilon",
                                    "tpr",
                                    "ppv",
                                    "posterior_max",
                                    "exceed_probability",
                                    "attribute_advantage",
                                    "reconstruction",
                                    "expected_members",
                                    "expected_members_in_all",
                                    "mu",
                                    "scale",
                                    "sigma2",
                                    "trials_needed",
                                    "fpr_upper",
                                    "p_value"};

static void test_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lower / sizeof *lower; i++)
        assert_true(quantity_is_known(lower[i]) && dp_quantity_safe(lower[i]) == DP_LOWER);
    for (size_t i = 0; i < sizeof upper / sizeof *upper; i++)
        assert_true(quantity_is_known(upper[i]) && dp_quantity_safe(upper[i]) == DP_UPPER);
    assert_false(quantity_is_known("no such figure"));
    size_t count = 0;
    for (const quantity *q; (q = quantity_at(count)) != NULL; count++) {
        assert_ptr_equal(quantity_find(q->name), q); /* no name stands twice */
        assert_true(q->brief != NULL && q->brief[strlen(q->brief) - 1] != '.');
    }
    assert_int_equal(count, sizeof lower / sizeof *lower + sizeof upper / sizeof *upper);
}

/* By hand: these are exact numbers, the others enclosures. */
static void test_solved(void **state)
{
    (void)state;
    static const char *const solved[] = {
        "samples", "sets",  "selection",        "witness_plus",  "times",         "k",
        "N",       "q",     "use_epsilon",      "sigma",         "scale",         "sigma2",
        "queries", "steps", "noise_multiplier", "sampling_rate", "trials_needed", "trials_too_few"};
    size_t count = 0;
    for (size_t i = 0; quantity_at(i) != NULL; i++)
        count += quantity_at(i)->kind != QUANTITY_FIGURE;
    for (size_t i = 0; i < sizeof solved / sizeof *solved; i++)
        assert_true(quantity_find(solved[i])->kind != QUANTITY_FIGURE);
    assert_int_equal(count, sizeof solved / sizeof *solved);
    assert_true(quantity_find("epsilon")->kind == QUANTITY_FIGURE);
    assert_null(quantity_find("no such figure"));
}

/* Is every name of "a|b" a family of the registry? */
static bool are_families(const char *names)
{
    bool all = true;
    for (const char *p = names; p != NULL && all; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL) {
        size_t n = strcspn(p, "|");
        bool found = n == 5 && memcmp(p, "curve", n) == 0; /* it has no row of its own */
        for (size_t i = 0; i < dp_theorem_count(); i++) {
            const char *family = dp_theorem_at(i)->family;
            found = found || (strlen(family) == n && memcmp(p, family, n) == 0);
        }
        all = found;
    }
    return all;
}

static void test_questions_are_families(void **state)
{
    (void)state;
    for (size_t i = 0; quantity_at(i) != NULL; i++) {
        const quantity *q = quantity_at(i);
        assert_true((q->of != NULL) == (q->kind != QUANTITY_FIGURE) && are_families(q->of));
    }
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const bound *b = (const bound *)dp_theorem_at(i); /* its first member */
        if (!are_families(b->also_for) ||
            (b->also_for != NULL && strstr(b->also_for, b->theorem.family) == b->also_for &&
             strcspn(b->also_for, "|") == strlen(b->theorem.family)))
            fail_msg("%s is for %s", b->theorem.id, b->also_for);
    }
    assert_false(are_families("bagging-with|bagging"));
}

/* Is every name of "a|b" a quantity? */
static bool are_quantities(const char *names)
{
    char text[200], *rest = text;
    assert_true(strlen(names) < sizeof text);
    memcpy(text, names, strlen(names) + 1);
    for (char *name; (name = strtok_r(rest, "|", &rest)) != NULL;)
        if (!quantity_is_known(name))
            return false;
    return names[0] != '\0';
}

static void test_bounds_are_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < dp_theorem_count(); i++) {
        const bound *b = (const bound *)dp_theorem_at(i); /* its first member */
        for (size_t j = 0; j < BOUND_OUTPUTS && b->output[j] != NULL; j++)
            if (!quantity_is_known(b->output[j]))
                fail_msg("%s: %s", b->theorem.id, b->output[j]);
        if (b->also != NULL && !are_quantities(b->also))
            fail_msg("%s: %s", b->theorem.id, b->also);
        if (b->output[0] == NULL && b->also == NULL)
            fail_msg("%s says not what it gives", b->theorem.id);
    }
    assert_false(are_quantities("epsilon|epsilons"));
}

static const dp_quantity *quantity_of(const dp_result *r, const char *theorem, const char *name)
{
    for (size_t i = 0; i < r->count; i++)
        for (size_t j = 0; j < r->row[i].count; j++)
            if (strcmp(r->row[i].theorem->id, theorem) == 0 &&
                strcmp(r->row[i].quantity[j].name, name) == 0)
                return &r->row[i].quantity[j];
    fail_msg("no %s of %s", name, theorem);
    return NULL;
}

/* Errors are losses, except where a row bounds them from below. */
static void test_majority(void **state)
{
    (void)state;
    dp_composition list;
    dp_majority m;
    dp_result r;
    dp_number one;
    mpq_t vote;
    dp_options opt = dp_options_default();
    dp_composition_init(&list);
    dp_majority_init(&m);
    dp_result_init(&r);
    dp_number_init(&one);
    mpq_init(vote);
    list_add(&list, "1", "0", 3);
    number_of(&one, "1");
    rational_of(vote, "0.6");
    m.groups = &list;
    m.allowance = &one;
    m.votes = (const mpq_t *)&vote;
    m.vote_count = 1;
    opt.all = true;
    assert_int_equal(dp_majority_designs(&r, &m, &opt, NULL), DP_OK);
    static const struct {
        const char *theorem, *name;
        dp_end safe;
    } rows[] = {{"majority-optimal", "delta", DP_UPPER},
                {"majority-optimal", "objective", DP_LOWER},
                {"majority-optimal", "objective_bound", DP_UPPER},
                {"majority-constant", "probability", DP_LOWER},
                {"majority-constant", "error", DP_UPPER},
                {"majority-constant", "total_variation", DP_UPPER},
                {"majority-lower-bound", "total_variation", DP_LOWER},
                {"majority-lemma-3-2", "total_variation", DP_LOWER}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(quantity_of(&r, rows[i].theorem, rows[i].name)->safe, rows[i].safe);
    mpq_clear(vote);
    dp_number_clear(&one);
    dp_result_clear(&r);
    dp_majority_clear(&m);
    dp_composition_clear(&list);
}

/* The library's doubles: at each end the next one outside, and 0 only downwards. */
static void test_doubles(void **state)
{
    (void)state;
    dp_figure x;
    mpq_t tiny;
    dp_figure_init(&x);
    mpq_init(tiny);
    mpq_set_ui(tiny, 1, 3);
    figure_set_q(&x, tiny);
    assert_true(dp_figure_double(&x, DP_LOWER, 5) <= 0.33333);
    assert_true(nextafter(dp_figure_double(&x, DP_LOWER, 5), 1) >= 0.33333);
    assert_true(dp_figure_double(&x, DP_UPPER, 5) >= 0.33334);
    assert_true(dp_figure_double(&x, DP_UPPER, 5) == dp_figure_double_up(&x, 5));
    mpq_div_2exp(tiny, tiny, 2000);
    figure_set_q(&x, tiny);
    assert_true(dp_figure_double(&x, DP_LOWER, 5) == 0);
    assert_true(dp_figure_double(&x, DP_UPPER, 5) > 0);
    figure_set_infinite(&x);
    assert_true(isinf(dp_figure_double(&x, DP_UPPER, 5)) && dp_figure_double(&x, DP_LOWER, 5) > 0);
    mpq_clear(tiny);
    dp_figure_clear(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),     cmocka_unit_test(test_bounds_are_known),
        cmocka_unit_test(test_solved),   cmocka_unit_test(test_questions_are_families),
        cmocka_unit_test(test_majority), cmocka_unit_test(test_doubles),
    };
    return cmocka_run_group_tests_name("quantity", tests, NULL, NULL);
}
