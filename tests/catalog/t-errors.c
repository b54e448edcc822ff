/* SPDX-License-Identifier: MIT */
/* Whatever a caller left in its dp_error, a call that fails says there what failed: its own status
 * and a message. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

static const char garbage[] = "garbage";

/* Each call gets the same query twice, with two kinds of garbage, and one without a dp_error. */
typedef dp_status (*call)(dp_result *out, const dp_options *opt, dp_error *err);

static void check(const char *name, call ask, dp_status expected, const char *argument,
                  const dp_options *opt)
{
    static const dp_status left[] = {DP_OK, DP_DOMAIN, DP_MEMORY, (dp_status)77};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        dp_result out;
        dp_error err = {left[i], garbage, garbage};
        dp_result_init(&out);
        dp_status status = ask(&out, opt, &err);
        if (status != expected)
            fail_msg("%s: status %d, not %d", name, (int)status, (int)expected);
        if (status != DP_OK && (err.status != status || err.message == NULL ||
                                err.message == garbage || err.argument == garbage))
            fail_msg("%s: the error is not filled in", name);
        if (argument != NULL)
            assert_string_equal(err.argument, argument);
        assert_int_equal(ask(&out, opt, NULL), expected);
        dp_result_clear(&out);
    }
}

/* ---- one query for each door and way to fail ---- */

static dp_status parse(dp_result *out, const dp_options *opt, dp_error *err)
{
    (void)out, (void)opt;
    dp_number x;
    dp_number_init(&x);
    dp_status status = dp_number_parse(&x, "0,1", 3, err);
    dp_number_clear(&x);
    return status;
}

static dp_status compose_nothing(dp_result *out, const dp_options *opt, dp_error *err)
{
    dp_composition list;
    dp_composition_init(&list);
    dp_compose_query q = {.list = &list};
    dp_status status = dp_compose(out, &q, opt, err);
    dp_composition_clear(&list);
    return status;
}

static dp_status curve_nothing(dp_result *out, const dp_options *opt, dp_error *err)
{
    dp_composition list;
    dp_composition_init(&list);
    dp_status status = dp_compose_curve(out, &list, NULL, NULL, 0, opt, err);
    dp_composition_clear(&list);
    return status;
}

static dp_status kl_nothing(dp_result *out, const dp_options *opt, dp_error *err)
{
    dp_composition list;
    dp_composition_init(&list);
    dp_status status = dp_kl(out, &list, opt, err);
    dp_composition_clear(&list);
    return status;
}

static dp_status add_negative(dp_result *out, const dp_options *opt, dp_error *err)
{
    (void)out, (void)opt;
    dp_composition list;
    dp_number epsilon;
    mpq_t delta;
    mpz_t times;
    dp_composition_init(&list);
    dp_number_init(&epsilon);
    mpq_init(delta);
    mpz_init_set_ui(times, 1);
    number_of(&epsilon, "-1");
    dp_status status = dp_composition_add(&list, &epsilon, delta, times, err);
    mpz_clear(times);
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    dp_composition_clear(&list);
    return status;
}

static dp_status bag_nothing(dp_result *out, const dp_options *opt, dp_error *err)
{
    dp_bagging b;
    dp_bagging_init(&b);
    mpz_set_ui(b.models, 0);
    dp_status status = dp_bagging_privacy(out, &b, opt, err);
    dp_bagging_clear(&b);
    return status;
}

static dp_status generalize_nothing(dp_result *out, const dp_options *opt, dp_error *err)
{
    dp_generalization g;
    dp_number failure;
    dp_generalization_init(&g);
    dp_number_init(&failure);
    number_of(&failure, "2");
    g.failure = &failure;
    dp_status status = dp_generalization_bound(out, &g, opt, err);
    dp_number_clear(&failure);
    dp_generalization_clear(&g);
    return status;
}

static dp_status iterate_nothing(dp_result *out, const dp_options *opt, dp_error *err)
{
    dp_igmm g;
    dp_igmm_init(&g);
    dp_status status = dp_igmm_privacy(out, &g, opt, err);
    dp_igmm_clear(&g);
    return status;
}

static dp_status respond_even(dp_result *out, const dp_options *opt, dp_error *err)
{
    dp_response r;
    dp_response_init(&r);
    mpz_set_ui(r.mechanisms, 2);
    dp_status status = dp_response_probability(out, &r, opt, err);
    dp_response_clear(&r);
    return status;
}

static dp_status vote(dp_result *out, const dp_options *opt, dp_error *err, unsigned long voters,
                      const char *allowance, dp_design design, bool free_class)
{
    dp_composition list;
    dp_majority m;
    dp_number times;
    dp_composition_init(&list);
    dp_majority_init(&m);
    dp_number_init(&times);
    list_add(&list, "0.1", "1e-5", voters);
    number_of(&times, allowance);
    m.groups = &list;
    m.allowance = &times;
    m.design = design;
    m.free_class = free_class;
    dp_status status = dp_majority_designs(out, &m, opt, err);
    dp_number_clear(&times);
    dp_majority_clear(&m);
    dp_composition_clear(&list);
    return status;
}

static dp_status vote_even(dp_result *out, const dp_options *opt, dp_error *err)
{
    return vote(out, opt, err, 4, "1", DP_DESIGN_ALL, false);
}

static dp_status vote_too_free(dp_result *out, const dp_options *opt, dp_error *err)
{
    return vote(out, opt, err, 301, "1", DP_DESIGN_OPTIMAL, true);
}

static dp_status vote_below_one(dp_result *out, const dp_options *opt, dp_error *err)
{
    return vote(out, opt, err, 3, "1/2", DP_DESIGN_DOUBLE_SUBSAMPLE, false);
}

static dp_status vote_long(dp_result *out, const dp_options *opt, dp_error *err)
{
    return vote(out, opt, err, 31, "3", DP_DESIGN_ALL, false);
}

static void test_doors(void **state)
{
    (void)state;
    dp_options opt = dp_options_default();
    check("parse", parse, DP_DOMAIN, NULL, &opt);
    check("compose", compose_nothing, DP_DOMAIN, NULL, &opt);
    check("curve", curve_nothing, DP_DOMAIN, NULL, &opt);
    check("kl", kl_nothing, DP_DOMAIN, NULL, &opt);
    check("add", add_negative, DP_DOMAIN, "epsilon", &opt);
    check("bagging", bag_nothing, DP_DOMAIN, NULL, &opt);
    check("generalization", generalize_nothing, DP_DOMAIN, NULL, &opt);
    check("iterative", iterate_nothing, DP_DOMAIN, NULL, &opt);
    check("response", respond_even, DP_DOMAIN, "mechanisms", &opt);
    check("majority", vote_even, DP_DOMAIN, "mechanisms", &opt);
    check("majority, free", vote_too_free, DP_UNAVAILABLE, NULL, &opt);
    check("majority, below one", vote_below_one, DP_UNAVAILABLE, "design", &opt);
    opt.max_bytes = 1;
    check("majority, memory", vote_long, DP_UNDECIDED, NULL, &opt);
    opt.max_bytes = 0;
    opt.max_seconds = 1e-9;
    check("majority, time", vote_long, DP_UNDECIDED, NULL, &opt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_doors)};
    return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
