/* SPDX-License-Identifier: MIT */
/* The optimal design, found in doubles and solved again: its objective and the bound on every other
 * one agree, whatever the numbers are, and it is within the target. */
#include "support.h"

#include <string.h>

static const char *const epsilons[] = {"0.1", "1", "0.01", "4"},
                         *const deltas[] = {"0", "1e-5", "0.3"},
                         *const allowances[] = {"1/2", "1", "3", "10"};

static const dp_figure *figure_of(const dp_row *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->quantity[i].name, name) == 0)
            return &row->quantity[i].figure;
    return NULL;
}

/* (bound - objective)/objective, rounded up */
static double gap_of(const dp_row *row)
{
    const dp_figure *most = figure_of(row, "objective_bound"), *own = figure_of(row, "objective");
    mpfr_t gap;
    mpfr_init2(gap, 128);
    mpfr_set(gap, &most->enclosure->right, MPFR_RNDU);
    mpfr_sub_q(gap, gap, own->rational, MPFR_RNDU);
    mpfr_div_q(gap, gap, own->rational, MPFR_RNDU);
    double d = mpfr_get_d(gap, MPFR_RNDU);
    mpfr_clear(gap);
    return d;
}

static void ask(size_t voters, rng *r, bool free_class)
{
    dp_composition list;
    dp_majority m;
    dp_result out;
    dp_number allowance;
    dp_composition_init(&list);
    dp_majority_init(&m);
    dp_result_init(&out);
    dp_number_init(&allowance);
    list_add(&list, epsilons[rng_below(r, 4)], deltas[rng_below(r, 3)], voters);
    number_of(&allowance, allowances[rng_below(r, 4)]);
    mpq_set(m.target_delta, list.item[0].delta);
    m.groups = &list;
    m.allowance = &allowance;
    m.design = DP_DESIGN_OPTIMAL;
    m.free_class = free_class;
    m.prior = (dp_vote_prior[]){DP_PRIOR_HALF, DP_PRIOR_COMMON, DP_PRIOR_VOTE}[rng_below(r, 3)];
    dp_options opt = dp_options_default();
    assert_int_equal(dp_majority_designs(&out, &m, &opt, NULL), DP_OK);
    const dp_row *row = &out.row[0];
    assert_true(gap_of(row) >= 0 && gap_of(row) < 1e-16);
    assert_int_equal(dp_figure_le(figure_of(row, "delta"), m.target_delta), DP_YES);
    dp_number_clear(&allowance);
    dp_result_clear(&out);
    dp_majority_clear(&m);
    dp_composition_clear(&list);
}

static void test_gap(void **state)
{
    (void)state;
    rng r = rng_make(101);
    for (int i = 0; i < rounds(40); i++)
        ask(1 + 2 * rng_below(&r, 16), &r, false);
    for (int i = 0; i < rounds(10); i++)
        ask(1 + 2 * rng_below(&r, 6), &r, true);
    ask(75, &r, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gap)};
    return cmocka_run_group_tests_name("optimum", tests, NULL, NULL);
}
