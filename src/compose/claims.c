/* SPDX-License-Identifier: MIT */
/* Whether a composition keeps a budget. Yes is proved by any of its upper bounds, no by a tight one
 * or by what is known from below; a bound that is not tight refutes nothing. */

#include "compose/claims.h"

#include "compose/pairs.h"
#include "num/memory.h"
#include "num/number.h"

/* The only item that spends anything, or NULL. */
static const dp_known *only_curve(const composing *c)
{
    const dp_known *k = c->items->known;
    while (k != NULL && k->kind != KNOWN_ABOVE)
        k = k->next;
    if (k == NULL)
        return NULL;
    for (size_t i = 0; i < c->items->count; i++) {
        const dp_item *m = &c->items->item[i];
        if (i != k->item && (dp_number_sgn(&m->epsilon) != 0 || mpq_sgn(m->delta) != 0))
            return NULL;
    }
    return k;
}

bool own_is_drawn(const composing *c)
{
    const dp_known *k = only_curve(c);
    return k != NULL && known_has_law(k) && k->b.sampling == DP_WITH_REPLACEMENT;
}

bool own_profile(dp_bagging *b, mpz_t models, bool *all, const composing *c)
{
    const dp_known *k = only_curve(c);
    if (k == NULL)
        return false;
    *b = k->b;
    bool blocks = b->sampling == DP_WITHOUT_DISJOINT;
    if (blocks && mpz_cmp_ui(k->releases, 1) != 0)
        return false;
    mpz_mul(models, b->models, k->releases); /* releases of several models are more models */
    *b->models = *models;
    *all = blocks || mpz_cmp_ui(models, 1) == 0;
    return true;
}

/* Options for work on the side: what is left of the time, what is met gathered with the rest. */
static dp_options rest_of(const composing *c)
{
    dp_options rest = limits_rest(&c->limits, c->opt);
    rest.met = c->limits.met;
    return rest;
}

dp_status own_row(composing *c, const dp_bagging *b, const dp_number *epsilon,
                  const dp_number *delta)
{
    dp_result own;
    dp_bagging at = *b;
    dp_options rest = rest_of(c);
    dp_result_init(&own);
    at.target_epsilon = epsilon;
    at.target_delta = delta;
    dp_status status = only_curve(c)->ops->rows(&own, &at, &rest, NULL);
    if (status == DP_OK)
        status = result_take_row(c->out, &own.row[own.guarantee]);
    for (size_t i = 0; status == DP_OK && i < own.warnings; i++)
        result_warn(c->out, own.warning[i]);
    dp_result_clear(&own);
    return status;
}

/* x + the sum of -ln(1 - delta) over the leaks of the larger data set, at which the formula of the
 * optimum is what that data set alone shows: with S their product of 1 - delta and the other items'
 * pair (P, Q), delta is 1 - S + S (P - e^x/S Q)_+. */
static bool shift(logform *to, const logform *x, const composed *list)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    bool ok = logform_set(to, x) && logform_add_form(to, one, &list->one_way);
    mpq_clear(one);
    return ok;
}

/* Below: each curve as a response, as a leak, or left out. */
static dp_status lower_list(dp_composition *low, const composing *c, bool leaks)
{
    dp_number epsilon;
    mpq_t delta;
    dp_number_init(&epsilon);
    mpq_init(delta);
    dp_status status = DP_OK;
    const dp_known **of = known_index(c->items);
    if (of == NULL)
        status = DP_MEMORY;
    for (size_t i = 0; status == DP_OK && i < c->items->count; i++) {
        const dp_item *m = &c->items->item[i];
        const dp_known *k = of[i];
        if (k == NULL || k->kind != KNOWN_ABOVE) {
            status = dp_composition_add(low, &m->epsilon, m->delta, m->times, NULL);
            if (status == DP_OK && k != NULL)
                status = known_add(low, k->kind, k->ops, &k->b, k->releases);
            continue;
        }
        dp_number_set_ui(&epsilon, 0);
        mpq_set_ui(delta, 0, 1);
        if (leaks ? !k->ops->leak(delta, k) : !k->ops->below(&epsilon, k, 128))
            continue;
        status = dp_composition_add(low, &epsilon, delta, m->times, NULL);
        if (status == DP_OK)
            status =
                known_add(low, leaks ? KNOWN_ONE_WAY : KNOWN_ATTAINED, k->ops, &k->b, k->releases);
    }
    memory_free(of);
    mpq_clear(delta);
    dp_number_clear(&epsilon);
    return status;
}

static bool refuted_by(const composing *c, const logform *x, const mpq_t delta, bool leaks)
{
    dp_composition low;
    composed list;
    engine e;
    logform at;
    dp_composition_init(&low);
    logform_init(&at);
    dp_status status = lower_list(&low, c, leaks);
    dp_status ready = composed_init(&list, &low);
    dp_status set = engine_init(&e, &list.product);
    bool refuted = status == DP_OK && ready == DP_OK && set == DP_OK && shift(&at, x, &list) &&
                   optimal_meets_at(&e, &at, delta, &c->limits) == DP_NO;
    engine_clear(&e);
    composed_clear(&list);
    logform_clear(&at);
    dp_composition_clear(&low);
    return refuted;
}

bool composing_refutes(const composing *c, const logform *x, const mpq_t delta)
{
    return refuted_by(c, x, delta, false) || (c->list.above && refuted_by(c, x, delta, true));
}

/* By the item's own profile. */
static dp_decision own_meets(bool *refuted, bool *all, const composing *c, const dp_number *epsilon,
                             const mpq_t delta)
{
    dp_bagging b;
    mpz_t models;
    dp_options rest = rest_of(c);
    mpz_init(models);
    *all = *refuted = false;
    dp_decision answer = DP_NO;
    if (!own_is_drawn(c) && own_profile(&b, models, all, c))
        answer = only_curve(c)->ops->meets(&b, epsilon, delta, &rest, refuted);
    mpz_clear(models);
    *refuted = *refuted && answer == DP_NO;
    return answer;
}

/* No by the bound alone refutes nothing; open where one of the bounds is. */
static dp_decision settle(const composing *c, const logform *x, const mpq_t delta, bool open)
{
    unsigned met = 0;
    composing low = *c;
    low.limits.met = &met;
    if (composing_refutes(&low, x, delta))
        return DP_NO;
    if (!open)
        limits_note(&c->limits, DP_MET_BOUND);
    return DP_UNKNOWN;
}

/* By the items' laws, in half the time that is left; by their pairs where none has one, or that
 * leaves it open. */
static dp_decision list_meets(bool *refuted, bool *open, composing *c, const dp_number *epsilon,
                              const logform *x, const mpq_t delta)
{
    const sides *laws = composing_laws(c, epsilon, delta);
    dp_decision answer = DP_UNKNOWN;
    unsigned met = 0;
    if (laws != NULL) {
        limits half = composing_half_time(c);
        half.met = &met;
        answer = sides_meet(laws, x, delta, &half);
        *refuted = answer == DP_NO;
    }
    if (answer != DP_UNKNOWN)
        return answer;
    answer = optimal_meets_at(composing_engine(c, epsilon, delta), x, delta, &c->limits);
    if ((met & DP_MET_BOUND) != 0 && answer == DP_NO)
        return DP_UNKNOWN;
    *refuted = answer == DP_NO && composed_is_attained(&c->list);
    *open = *open || answer == DP_UNKNOWN || laws != NULL;
    if (met != 0 && answer != DP_YES)
        limits_note(&c->limits, met);
    return answer;
}

dp_decision composing_meets(composing *c, const dp_number *epsilon, const mpq_t delta)
{
    logform x;
    logform_init(&x);
    dp_decision answer = DP_UNKNOWN;
    bool ok = logform_add_number(&x, NULL, epsilon);
    if (ok && c->general) {
        answer = pairs_decide(c, &x, delta);
    } else if (ok) {
        bool refuted, all;
        answer = own_meets(&refuted, &all, c, epsilon, delta);
        bool open = answer == DP_UNKNOWN;
        if (answer != DP_YES && !refuted && !all)
            answer = list_meets(&refuted, &open, c, epsilon, &x, delta);
        if (answer != DP_YES && !refuted && !composed_is_attained(&c->list))
            answer = settle(c, &x, delta, open);
    }
    logform_clear(&x);
    return answer;
}

void composing_check(composing *c)
{
    dp_check *check = &c->out->check;
    unsigned met = 0, *all = c->limits.met;
    c->limits.met = &met;
    dp_decision holds = composing_meets(c, &check->max_epsilon, number_rational(&check->max_delta));
    c->limits.met = all;
    result_decide(c->out, holds, met);
}
