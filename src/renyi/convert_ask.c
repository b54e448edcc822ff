/* SPDX-License-Identifier: MIT */
/* Questions about conversions. */
#include "core/door.h"
#include "core/refine.h"
#include "num/ival.h"
#include "num/number.h"
#include "renyi/convert.h"
#include "renyi/parameters.h"

#define CHECK_BITS 4096

/* What is known of the lists beyond their domains: how many numbers there are, and which. */
static dp_status check_lists(const dp_conversion *q, dp_error *err)
{
    if (q->zcdp_count > 2)
        return fail(err, DP_DOMAIN, "zcdp", "must be rho, or rho and xi");
    if (q->zcdp_count > 0 && mpq_sgn(q->zcdp[0]) < 0)
        return fail(err, DP_DOMAIN, "zcdp", "must have a rho >= 0");
    if (q->cdp_count != 0 && q->cdp_count != 2)
        return fail(err, DP_DOMAIN, "cdp", "must be a mean and a tau");
    if (q->rdp_count % 2 != 0)
        return fail(err, DP_DOMAIN, "rdp", "must be pairs of an order and its divergence");
    for (size_t i = 0; i < q->rdp_count; i += 2)
        if (mpq_cmp_ui(q->rdp[i], 1, 1) <= 0)
            return fail(err, DP_DOMAIN, "rdp", "must have orders above 1, each before its value");
    return DP_OK;
}

dp_status conversion_domains(const dp_conversion *q, dp_error *err)
{
    const given all[] = {
        {&convert_pure, .number = q->pure},
        {&item_epsilon, .name = "approx", .number = q->approx},
        {&item_delta, .name = "approx", .number = q->approx_delta},
        {&convert_gdp, .number = q->gdp},
        {&convert_target_epsilon, .number = q->target_epsilon},
        {&convert_target_delta, .number = q->target_delta},
        {&convert_order, .number = q->order},
    };
    dp_status status = DOOR_GIVEN(all, err);
    if (status == DP_OK)
        status = door_enum(parameter_field(&convert_to), (int)q->to, DP_CONVERT_ZCDP, err);
    if (status == DP_OK)
        status = door_array(&convert_zcdp, q->zcdp, q->zcdp_count, err);
    if (status == DP_OK)
        status = door_array(&convert_rdp, q->rdp, q->rdp_count, err);
    if (status == DP_OK)
        status = door_array(&convert_cdp, q->cdp, q->cdp_count, err);
    return status == DP_OK ? check_lists(q, err) : status;
}

static dp_status check_number(const dp_conversion *q, dp_error *err)
{
    int from = (q->pure != NULL) + (q->approx != NULL) + (q->zcdp_count > 0) + (q->rdp_count > 0) +
               (q->cdp_count > 0) + (q->gdp != NULL);
    if (from != 1)
        return fail(err, DP_DOMAIN, "pure",
                    from == 0 ? "is missing, or one of approx, zcdp, rdp, cdp, gdp in its place"
                              : "excludes approx, zcdp, rdp, cdp and gdp, and each of these the "
                                "others; give one of them");
    int asked = (q->target_epsilon != NULL) + (q->target_delta != NULL) + (q->order != NULL) +
                (q->to != DP_CONVERT_ANY);
    if (asked != 1)
        return fail(err, DP_DOMAIN, "target_delta",
                    asked == 0 ? "is missing, or target_epsilon, an order or zCDP in its place"
                               : "excludes target_epsilon, an order and zCDP, and each of these "
                                 "the others; ask for one of them");
    return DP_OK;
}

/* Of a budget alone: where it lies on the curve of pairs. */
static dp_conversion with_budget(const dp_conversion *q, const dp_options *opt)
{
    dp_conversion own = *q;
    if (q->target_epsilon != NULL || q->target_delta != NULL || q->order != NULL ||
        q->to != DP_CONVERT_ANY)
        return own;
    if (opt->max_delta != NULL)
        own.target_delta = opt->max_delta;
    else
        own.target_epsilon = opt->max_epsilon;
    return own;
}

/* ---- rows ---- */

/* What the rows of a question are ordered by. */
static const char *key_of(const conversion *c)
{
    return c->to == TO_RDP    ? "rdp"
           : c->to == TO_ZCDP ? "rho"
           : c->delta != NULL ? "epsilon"
                              : "delta";
}

static bool goes_before(const dp_row *a, const dp_row *b, const char *key)
{
    bool unsound = a->verdict == DP_UNSOUND;
    if (unsound != (b->verdict == DP_UNSOUND))
        return !unsound;
    return figure_compare_upper(row_figure(a, key), row_figure(b, key)) < 0;
}

/* The strongest first; what is unsound last. */
static void sort_rows(dp_result *out, const char *key)
{
    for (size_t i = 1; i < out->count; i++)
        for (size_t j = i; j > 0 && goes_before(&out->row[j], &out->row[j - 1], key); j--) {
            dp_row swap = out->row[j];
            out->row[j] = out->row[j - 1];
            out->row[j - 1] = swap;
        }
}

static dp_status none(const conversion *c, dp_error *err)
{
    if (mpq_sgn(c->leak) > 0)
        return fail(err, DP_UNAVAILABLE, "approx",
                    "has a delta above 0, with which Renyi divergences have no finite bound");
    if (c->to == TO_RDP)
        return fail(err, DP_UNAVAILABLE, "order",
                    "is above all orders that are given, and nothing is known there");
    if (c->to == TO_ZCDP)
        return fail(err, DP_UNAVAILABLE, "to",
                    "does not follow: the statement is zCDP already, or bounds no order above its "
                    "greatest");
    return fail(err, DP_UNAVAILABLE, "target_delta",
                "has no epsilon there: moments bound no largest loss, and those that are known say "
                "nothing at this target");
}

static dp_status rows(dp_result *out, conversion *c, const dp_options *opt, dp_error *err)
{
    conversion_choose(c);
    dp_status status = result_evaluate_family(out, renyi_rows, "convert", c, opt);
    if (status == DP_OK && out->count == 0)
        return none(c, err);
    if (c->to == TO_RDP && mpq_sgn(c->line.xi) != 0)
        result_weaken(out, 0);
    sort_rows(out, key_of(c));
    if (out->count > 0 && out->row[0].verdict == DP_UNSOUND)
        out->guarantee = out->count;
    return status;
}

/* ---- the check ---- */

/* The answer of one row to delta(x) <= limit. */
static dp_decision ask_row(const bound *b, const conversion *c, const mpq_t limit,
                           const limits *lim)
{
    dp_decision answer = DP_UNKNOWN;
    size_t count = 0;
    while (count < BOUND_OUTPUTS && b->output[count] != NULL)
        count++;
    if (b->applies(c) &&
        refine_decide(&answer, b->eval, count, 1, c, limit, CHECK_BITS, lim) != DP_OK)
        answer = DP_UNKNOWN;
    return answer;
}

/* Exact rows decide both ways. The others say yes alone; but Gaussian noise is rho-zCDP, and what
 * it does not keep not every such mechanism keeps. */
static dp_decision decide_delta(conversion *c, const mpq_t limit, const limits *lim)
{
    static const bound *const yes[] = {&zcdp_to_dp, &rdp_to_dp, &zcdp_to_dp_classic,
                                       &rdp_to_dp_variation, &cdp_to_dp};
    const bound *exact = c->is_pair ? &approx_profile : c->is_gdp ? &gdp_profile : NULL;
    if (exact != NULL)
        return ask_row(exact, c, limit, lim);
    conversion_choose(c);
    dp_decision answer = DP_UNKNOWN;
    for (size_t i = 0; answer != DP_YES && i < sizeof yes / sizeof *yes; i++)
        answer = ask_row(yes[i], c, limit, lim);
    if (answer == DP_YES)
        return DP_YES;
    return ask_row(&zcdp_to_dp_gaussian, c, limit, lim) == DP_NO ? DP_NO : DP_UNKNOWN;
}

/* Is the epsilon that one order alone gives at max_delta within the budget? */
static bool single_within(const conversion *c, const dp_number *max_epsilon)
{
    if (!rdp_to_dp_single.applies(c))
        return false;
    dp_figure out[3];
    mpfi_t limit;
    mpfi_init2(limit, 256);
    for (size_t i = 0; i < 3; i++)
        dp_figure_init(&out[i]);
    ival_set_number(limit, max_epsilon);
    bool within = rdp_to_dp_single.eval(out, c, &(wanted){256, false}) == DP_OK &&
                  mpfr_lessequal_p(&out[0].enclosure->right, &limit->left);
    for (size_t i = 0; i < 3; i++)
        dp_figure_clear(&out[i]);
    mpfi_clear(limit);
    return within;
}

static void check(dp_result *out, const dp_conversion *q, const dp_options *opt)
{
    unsigned met = 0;
    dp_options own = options_meeting(opt, &met);
    limits lim;
    limits_start(&lim, &own);
    dp_conversion at = *q;
    at.target_epsilon = &out->check.max_epsilon;
    at.target_delta = at.order = NULL;
    at.to = DP_CONVERT_ANY;
    conversion c;
    dp_decision answer = DP_UNKNOWN;
    mpq_srcptr limit = number_rational(&out->check.max_delta);
    if (mpq_cmp_ui(limit, 1, 1) >= 0)
        answer = DP_YES;
    else if (conversion_init(&c, &at) == DP_OK)
        answer = decide_delta(&c, limit, &lim);
    if (mpq_cmp_ui(limit, 1, 1) < 0)
        conversion_clear(&c);
    at.target_epsilon = NULL;
    at.target_delta = &out->check.max_delta;
    if (answer == DP_UNKNOWN && q->rdp_count > 0) {
        if (conversion_init(&c, &at) == DP_OK) {
            conversion_choose(&c);
            answer = single_within(&c, &out->check.max_epsilon) ? DP_YES : DP_UNKNOWN;
        }
        conversion_clear(&c);
    }
    result_decide(out, answer, met != 0 ? met : DP_MET_BOUND);
}

dp_status dp_convert(dp_result *out, const dp_conversion *query, const dp_options *opt,
                     dp_error *err)
{
    dp_options own;
    dp_status status = door_open(&own, out, "conversion", query, opt, err);
    opt = &own;
    if (status != DP_OK)
        return status;
    const dp_conversion asked = with_budget(query, opt), *q = &asked;
    status = check_number(q, err);
    if (status == DP_OK)
        status = conversion_domains(q, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    result_check_start(out, opt, q->target_epsilon, q->target_delta);
    conversion c;
    status = conversion_init(&c, q);
    if (status == DP_OK)
        status = rows(out, &c, opt, err);
    conversion_clear(&c);
    if (status == DP_OK && out->check.asked)
        check(out, q, opt);
    return result_end(out, status, err);
}
