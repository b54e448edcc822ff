/* SPDX-License-Identifier: MIT */
/* Questions about divergences of a list. */
#include "compose/divergence.h"

#include "compose/optimal.h"
#include "compose/parameters.h"
#include "core/door.h"
#include "dpacct/divergence.h"

static dp_status check_some(const dp_composition *list, dp_error *err)
{
    return list->count + uses_count(list) > 0
               ? DP_OK
               : fail(err, DP_DOMAIN, "epsilon", "is missing; give it, or a list of mechanisms");
}

static dp_status check_list(const dp_composition *list, dp_error *err)
{
    dp_status status = door_list("list", list, err);
    return status == DP_OK ? check_some(list, err) : status;
}

static dp_status check_pure(const dp_composition *list, dp_error *err)
{
    dp_status status = door_items("list", list, err);
    if (status == DP_OK)
        status = check_some(list, err);
    for (size_t i = 0; status == DP_OK && i < list->count; i++)
        if (mpq_sgn(list->item[i].delta) > 0)
            status = fail(err, DP_DOMAIN, "delta",
                          "must be 0: where outputs may be impossible on one side (delta > 0) the "
                          "KL divergence has no finite bound");
    return status;
}

dp_status dp_kl(dp_result *out, const dp_composition *list, const dp_options *opt, dp_error *err)
{
    dp_options own;
    dp_status status = door_open(&own, out, "list", list, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = check_pure(list, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    composed c;
    status = composed_init(&c, list);
    if (status == DP_OK) {
        status = result_evaluate_family(out, compose_rows, "kl-bound", &c, opt);
        if (!composed_is_attained_twice(&c))
            result_weaken(out, 0);
    }
    composed_clear(&c);
    return result_end(out, status, err);
}

/* kl, or infinite where something leaks. */
static dp_status kl_row(composing *c)
{
    if (c->list.leaks == 0 && !c->list.certain_leak)
        return result_evaluate(c->out, &kl_tight, &c->list, c->opt);
    dp_row *row = result_row(c->out, &kl_tight);
    if (row == NULL)
        return DP_MEMORY;
    figure_set_infinite(row_quantity(row, "kl"));
    return DP_OK;
}

/* Total variation and the Renyi divergence, which every mechanism with a pair has. */
static dp_status of_mechanisms(composing *c, const mpq_t order)
{
    renyi_in in = {c->items, &c->sides, order};
    dp_status status = DP_OK;
    if (c->sides.complete)
        status = divergence_total_variation.engine(c->out, c, c->opt);
    if (status == DP_OK && divergence_renyi_sum.applies(&in))
        status = result_evaluate(c->out, &divergence_renyi_sum, &in, c->opt);
    result_note(c->out, "the list holds mechanisms that are not known by (epsilon, delta) alone: "
                        "these are the divergences that they all have a statement for");
    return status;
}

/* Of (epsilon, delta) items. */
static dp_status of_items(composing *c, const mpq_t order)
{
    static const bound *const others[] = {
        &divergence_total_variation_sum,
        &divergence_total_variation_pinsker,
        &divergence_chi_squared,
        &divergence_squared_hellinger,
        &divergence_renyi,
        &divergence_renyi_quadratic,
        &divergence_renyi_max,
        &divergence_max,
    };
    bool leaks = c->list.leaks > 0 || c->list.certain_leak;
    divergence_in in = {&c->list, order};
    dp_status status = divergence_total_variation.engine(c->out, c, c->opt);
    if (status == DP_OK)
        status = kl_row(c);
    for (size_t i = 0; status == DP_OK && i < sizeof others / sizeof *others; i++)
        if ((!others[i]->only_all || c->opt->all) &&
            (others[i]->applies == NULL || others[i]->applies(&in)))
            status = result_evaluate(c->out, others[i], &in, c->opt);
    if (status == DP_OK && c->opt->all && !leaks) {
        static const bound *const loose[] = {&kl_bun_steinke, &kl_dwork_rothblum, &kl_dwork};
        for (size_t i = 0; status == DP_OK && i < 3; i++)
            status = result_evaluate(c->out, loose[i], &c->list, c->opt);
    }
    if (!composed_is_attained_twice(&c->list)) /* total variation has its own verdict */
        result_weaken(c->out, 1);
    if (leaks)
        result_note(c->out, "with delta > 0 some outputs are possible on one side only, so KL, "
                            "chi-squared, max and Renyi of orders from 1 on are infinite");
    return status;
}

dp_status dp_divergences(dp_result *out, const dp_composition *list, const mpq_t order,
                         const dp_options *opt, dp_error *err)
{
    dp_options own;
    const given all[] = {{&divergence_order, .q = order}};
    dp_status status = door_open(&own, out, "list", list, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = check_list(list, err);
    if (status == DP_OK)
        status = door_pointer("order", order, err);
    if (status == DP_OK)
        status = DOOR_GIVEN(all, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    composing c;
    status = composing_init(&c, list, opt, out);
    if (status == DP_OK)
        status = c.general ? of_mechanisms(&c, order) : of_items(&c, order);
    out->guarantee = out->count; /* each row is a figure of its own kind */
    composing_clear(&c);
    return result_end(out, status, err);
}
