/* SPDX-License-Identifier: MIT */
/* A list prepared for its figures: its losses merged, the pairs of what is known by a curve chosen
 * for each question, the laws of its items opened when they are asked for. */
#include "compose/composing.h"

#include "compose/choosing.h"
#include "core/refine.h"

/* Items are merged at about this many seconds each, which nothing interrupts: not begun where it
 * would outlast the time by more than the grace. */
#define MERGE_SECONDS 4e-6

#define ROUNDING_BITS 64 /* beyond the digits: how far a chosen pair is above its curve */

dp_status composing_init_closed(composing *c, const dp_composition *items, const dp_options *opt,
                                dp_result *out)
{
    c->items = items;
    c->has_engine = false;
    c->has_chosen = false;
    c->general = uses_count(items) > 0;
    c->has_laws = known_has_laws(items);
    c->laws_open = false;
    c->opt = opt;
    c->out = out;
    logform_init(&c->at);
    limits_start(&c->limits, opt);
    if (c->limits.met == NULL)
        c->limits.met = &out->met;
    static const dp_composition none;
    bool in_time = limits_time_for(&c->limits, MERGE_SECONDS * (double)items->count);
    dp_status status = composed_init(&c->list, in_time ? items : &none);
    if (!in_time && status == DP_OK)
        status = DP_LIMIT;
    c->list.total.lim = &c->limits;
    for (size_t i = 0; i < 2; i++) {
        c->choice[i].made = c->choice[i].found = false;
        mpq_init(c->choice[i].alpha);
    }
    c->in = (compose_in){.list = &c->list, .items = items, .choice = c->choice};
    dp_status ready = c->general ? sides_init(&c->sides, items) : DP_OK;
    return status == DP_OK ? ready : status;
}

dp_status composing_init(composing *c, const dp_composition *items, const dp_options *opt,
                         dp_result *out)
{
    dp_status status = composing_init_closed(c, items, opt, out);
    if (c->general)
        return status;
    dp_status ready = engine_init(&c->engine, &c->list.product);
    c->engine.all.top.lim = &c->limits;
    c->has_engine = true;
    return status == DP_OK ? ready : status;
}

static void drop_chosen(composing *c)
{
    if (c->has_chosen) {
        engine_clear(&c->chosen);
        composed_clear(&c->chosen_list);
    }
    c->has_chosen = false;
}

static void drop_laws(composing *c)
{
    if (c->laws_open)
        sides_clear(&c->laws);
    c->laws_open = false;
}

void composing_clear(composing *c)
{
    drop_chosen(c);
    if (c->general)
        sides_clear(&c->sides);
    if (c->has_engine)
        engine_clear(&c->engine);
    drop_laws(c);
    composed_clear(&c->list);
    for (size_t i = 0; i < 2; i++)
        mpq_clear(c->choice[i].alpha);
    logform_clear(&c->at);
}

dp_decision composing_beyond(const composing *c, const logform *x)
{
    return c->general ? DP_UNKNOWN : optimal_beyond(&c->engine, x, &c->limits);
}

const engine *composing_engine(composing *c, const dp_number *epsilon, mpq_srcptr delta)
{
    if (!c->list.above)
        return &c->engine;
    drop_chosen(c);
    dp_composition pairs;
    dp_composition_init(&pairs);
    dp_status status = choose_pairs(&pairs, c->items, (choice_for){epsilon, delta},
                                    refine_bits(c->opt->digits) + ROUNDING_BITS);
    if (status == DP_OK) {
        status = composed_init(&c->chosen_list, &pairs);
        dp_status ready = engine_init(&c->chosen, &c->chosen_list.product);
        c->has_chosen = true;
        status = status == DP_OK ? ready : status;
    }
    dp_composition_clear(&pairs);
    return status == DP_OK ? &c->chosen : &c->engine; /* the items' own pairs are sound too */
}

limits composing_half_time(const composing *c)
{
    limits half = c->limits;
    if (half.deadline > 0)
        half.deadline -= limits_left(&c->limits) / 2;
    return half;
}

const sides *composing_laws(composing *c, const dp_number *epsilon, mpq_srcptr delta)
{
    bool choose = !c->general && (epsilon != NULL || delta != NULL) && !known_all_laws(c->items);
    if (!c->has_laws || (c->laws_open && !choose))
        return c->laws_open ? &c->laws : NULL;
    drop_laws(c);
    dp_composition pairs;
    dp_composition_init(&pairs);
    choose = choose && choose_pairs(&pairs, c->items, (choice_for){epsilon, delta},
                                    refine_bits(c->opt->digits) + ROUNDING_BITS) == DP_OK;
    dp_status status = sides_init_laws(&c->laws, c->items, choose ? &pairs : c->items);
    c->laws_open = true;
    dp_composition_clear(&pairs);
    if (status == DP_OK)
        return &c->laws;
    drop_laws(c);
    c->has_laws = false; /* the items' own pairs are sound too */
    return NULL;
}

dp_status composing_limited(composing *c, dp_status status)
{
    if (status != DP_LIMIT)
        return status;
    c->out->met |= *c->limits.met;
    result_warn_wide(c->out);
    return DP_OK;
}
