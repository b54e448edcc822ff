/* SPDX-License-Identifier: MIT */
/* What mechanisms cost in the currency of a filter. A cost that is no rational and no sum of
 * logarithms is rounded up to a decimal, one use at a time, so that sums stay exact. */
#include "compose/filter.h"

#include "compose/curves.h"
#include "core/mechanism.h"
#include "num/decimal.h"
#include "num/ival.h"
#include "num/number.h"

#define COST_BITS 256
#define COST_DIGITS 30
/* Longer numbers than this many bits are rounded up, to so many digits: a state stays small. */
#define LONGEST 4096
#define LONG_DIGITS 100

void filter_cost_init(filter_cost *c)
{
    logform_init(&c->amount);
    mpq_init(c->delta);
}

void filter_cost_clear(filter_cost *c)
{
    logform_clear(&c->amount);
    mpq_clear(c->delta);
}

/* q = the upper end of x as a decimal. */
static dp_status round_up(mpq_t q, const mpfi_t x)
{
    if (mpfr_inf_p(&x->right) || ival_bad(x))
        return DP_UNAVAILABLE;
    return dec_round_fr(q, &x->right, DP_UPPER, COST_DIGITS) ? DP_OK : DP_MEMORY;
}

static void shorten(mpq_t q)
{
    if (mpz_sizeinbase(mpq_numref(q), 2) + mpz_sizeinbase(mpq_denref(q), 2) <= LONGEST)
        return;
    dec d;
    dec_init(&d);
    if (dec_set_q(&d, q, DP_UPPER, LONG_DIGITS))
        dec_get_q(q, &d);
    dec_clear(&d);
}

bool filter_cost_add(filter_cost *c, const filter_cost *more)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    bool ok = logform_add_form(&c->amount, one, &more->amount);
    mpq_add(c->delta, c->delta, more->delta);
    shorten(c->amount.rational);
    shorten(c->delta);
    mpq_clear(one);
    return ok;
}

static dp_status add_times(filter_cost *c, const mpz_t times, const mpq_t amount)
{
    mpq_t t;
    mpq_init(t);
    mpq_set_z(t, times);
    bool ok = logform_add_q(&c->amount, t, amount);
    shorten(c->amount.rational);
    mpq_clear(t);
    return ok ? DP_OK : DP_MEMORY;
}

/* epsilon tanh(epsilon/2), the least rho of what is epsilon-DP */
static dp_status rho_of_pure(mpq_t rho, const dp_number *epsilon)
{
    mpfi_t e, h;
    mpfi_init2(e, COST_BITS);
    mpfi_init2(h, COST_BITS);
    ival_set_number(e, epsilon);
    ival_tanh_half(h, e);
    mpfi_mul(e, e, h);
    dp_status status = round_up(rho, e);
    mpfi_clear(h);
    mpfi_clear(e);
    return status;
}

/* The Renyi divergence of order `order`, or DP_UNAVAILABLE where it is not finite. */
static dp_status renyi_of(mpq_t r, const dp_composition *list, mpq_srcptr order)
{
    sides s;
    dp_figure out[2];
    dp_figure_init(&out[0]);
    dp_figure_init(&out[1]);
    dp_status status = sides_init(&s, list);
    renyi_in in = {list, &s, order};
    if (status == DP_OK)
        status = divergence_renyi_sum.eval(out, &in, &(wanted){COST_BITS, false});
    if (status == DP_OK)
        status = out[0].kind == DP_ENCLOSED ? round_up(r, out[0].enclosure) : DP_UNAVAILABLE;
    sides_clear(&s);
    dp_figure_clear(&out[1]);
    dp_figure_clear(&out[0]);
    return status;
}

/* One use of something that is epsilon-DP given the outputs before it, but for its delta. */
static dp_status cost_of_pure(mpq_t amount, const filter_rule *rule, const dp_number *epsilon)
{
    if (dp_number_sgn(epsilon) == 0) {
        mpq_set_ui(amount, 0, 1);
        return DP_OK;
    }
    if (rule->method == DP_FILTER_ZCDP)
        return rho_of_pure(amount, epsilon);
    if (rule->method != DP_FILTER_RDP)
        return DP_UNAVAILABLE;
    dp_composition one;
    mpz_t once;
    mpq_t none;
    mpz_init_set_ui(once, 1);
    mpq_init(none);
    dp_composition_init(&one);
    dp_status status = dp_composition_add(&one, epsilon, none, once, NULL);
    if (status == DP_OK)
        status = renyi_of(amount, &one, rule->order);
    dp_composition_clear(&one);
    mpq_clear(none);
    mpz_clear(once);
    return status;
}

static dp_status charge_pair(filter_cost *c, const filter_rule *rule, const dp_number *epsilon,
                             const mpq_t delta, const mpz_t times)
{
    mpq_t amount, t;
    mpq_inits(amount, t, NULL);
    mpq_set_z(t, times);
    mpq_mul(amount, t, delta);
    mpq_add(c->delta, c->delta, amount);
    shorten(c->delta);
    dp_status status = DP_OK;
    if (rule->method == DP_FILTER_BASIC) {
        status = logform_add_number(&c->amount, t, epsilon) ? DP_OK : DP_MEMORY;
        shorten(c->amount.rational);
    } else {
        status = cost_of_pure(amount, rule, epsilon);
        if (status == DP_OK)
            status = add_times(c, times, amount);
    }
    mpq_clears(amount, t, NULL);
    return status;
}

/* rho, and xi where it is above 0: xi + rho alpha <= (xi + rho) alpha */
static dp_status rho_of(mpq_t rho, const dp_mechanism *m)
{
    mpfi_t xi, r;
    mpfi_init2(xi, COST_BITS);
    mpfi_init2(r, COST_BITS);
    dp_status status = m->type->zcdp(xi, r, m);
    if (status == DP_OK && mpfi_is_zero(xi) > 0 && m->type->rho != NULL && m->type->rho(rho, m)) {
        /* exactly that */
    } else if (status == DP_OK) {
        ival_at_least_zero(xi);
        mpfi_add(r, r, xi);
        status = round_up(rho, r);
    }
    mpfi_clear(r);
    mpfi_clear(xi);
    return status;
}

static dp_status single(dp_composition *one, const dp_mechanism *m, dp_relation relation)
{
    mpz_t once;
    mpz_init_set_ui(once, 1);
    dp_composition_init_under(one, relation);
    dp_status status = uses_add(one, m, once);
    mpz_clear(once);
    return status;
}

static dp_status round_up_figure(mpq_t q, const dp_figure *f)
{
    if (f->kind == DP_ENCLOSED)
        return round_up(q, f->enclosure);
    if (f->kind == DP_INFINITE)
        return DP_UNAVAILABLE;
    mpq_set(q, f->rational);
    return DP_OK;
}

/* Its largest loss, and what leaks: it is (epsilon, delta)-DP. */
static dp_status end_of(dp_number *epsilon, mpq_t delta, const dp_mechanism *m,
                        dp_relation relation)
{
    if (m->type->within != NULL) {
        m->type->within(epsilon, delta, m);
        return DP_OK;
    }
    if (m->type->pair == NULL)
        return DP_UNAVAILABLE;
    dp_composition one;
    sides s = {.ways = 1};
    dp_figure top, leak;
    mpq_t q;
    mpq_init(q);
    dp_figure_init(&top);
    dp_figure_init(&leak);
    dp_status status = single(&one, m, relation);
    dp_status ready = sides_init(&s, &one);
    status = status == DP_OK ? ready : status;
    if (status == DP_OK && !sides_end(&top, &leak, &s, COST_DIGITS))
        status = DP_UNAVAILABLE;
    if (status == DP_OK)
        status = round_up_figure(q, &top);
    number_set_q(epsilon, q);
    if (status == DP_OK)
        status = round_up_figure(delta, &leak);
    sides_clear(&s);
    dp_composition_clear(&one);
    dp_figure_clear(&leak);
    dp_figure_clear(&top);
    mpq_clear(q);
    return status;
}

/* What the type itself says in the currency; DP_UNAVAILABLE: nothing. */
static dp_status own_cost(mpq_t amount, const filter_rule *rule, const dp_mechanism *m,
                          dp_relation relation)
{
    const mechanism_type *type = m->type;
    if (rule->method == DP_FILTER_ZCDP)
        return type->zcdp != NULL ? rho_of(amount, m) : DP_UNAVAILABLE;
    if (rule->method == DP_FILTER_GAUSSIAN) { /* what adds to one of its law is a Gaussian */
        if (!type->adds || type->rho == NULL || !type->rho(amount, m))
            return DP_UNAVAILABLE;
        mpq_mul_2exp(amount, amount, 1);
        return DP_OK;
    }
    if (rule->method == DP_FILTER_BASIC)
        return DP_UNAVAILABLE;
    if (type->divergence != NULL)
        return type->divergence(amount, m, rule->order) ? DP_OK : DP_UNAVAILABLE;
    dp_composition one;
    dp_status status = single(&one, m, relation);
    if (status == DP_OK)
        status = renyi_of(amount, &one, rule->order);
    dp_composition_clear(&one);
    return status;
}

static dp_status charge_use(filter_cost *c, const filter_rule *rule, const dp_use *u,
                            dp_relation relation)
{
    mpq_t amount;
    mpq_init(amount);
    dp_status status = own_cost(amount, rule, u->mechanism, relation);
    if (status == DP_OK)
        status = add_times(c, u->times, amount);
    if (status == DP_UNAVAILABLE) {
        dp_number epsilon;
        dp_number_init(&epsilon);
        status = end_of(&epsilon, amount, u->mechanism, relation);
        if (status == DP_OK)
            status = charge_pair(c, rule, &epsilon, amount, u->times);
        dp_number_clear(&epsilon);
    }
    mpq_clear(amount);
    return status;
}

dp_status filter_charge(filter_cost *c, const filter_rule *rule, const dp_composition *list)
{
    dp_status status = DP_OK;
    for (size_t i = 0; status == DP_OK && i < list->count; i++) {
        const dp_item *m = &list->item[i];
        status = charge_pair(c, rule, &m->epsilon, m->delta, m->times);
    }
    for (size_t i = 0; status == DP_OK && i < uses_count(list); i++)
        status = charge_use(c, rule, &list->uses->use[i], list->adjacency);
    return status;
}
