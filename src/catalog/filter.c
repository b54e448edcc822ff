/* SPDX-License-Identifier: MIT */
/* The question of a privacy filter: does the next release fit, and what is spent then. */
#include "compose/filter.h"

#include <string.h>

#include "catalog/types.h"
#include "compose/parameters.h"
#include "core/door.h"
#include "core/search.h"
#include "num/number.h"

typedef struct filtering {
    filter_rule rule;
    filter_cost spent, add; /* before, and what is asked about */
} filtering;

/* ---- does it fit ---- */

/* Is spent + times add within the budget? Exact: logarithms are compared as such. */
static dp_decision fits(const void *context, const mpz_t times)
{
    const filtering *f = context;
    logform left;
    mpq_t t, sum;
    logform_init(&left);
    mpq_inits(t, sum, NULL);
    mpq_set_z(t, times);
    mpq_mul(sum, t, f->add.delta);
    mpq_add(sum, sum, f->spent.delta);
    dp_decision answer = mpq_cmp(sum, f->rule.budget.delta) <= 0 ? DP_YES : DP_NO;
    mpq_neg(t, t);
    mpq_set_si(sum, -1, 1);
    int sign = 0;
    bool ok = logform_set(&left, &f->rule.budget.amount) &&
              logform_add_form(&left, sum, &f->spent.amount) &&
              logform_add_form(&left, t, &f->add.amount);
    if (answer == DP_YES && !(ok && logform_sign(&sign, &left, 1 << 20)))
        answer = DP_UNKNOWN;
    else if (answer == DP_YES && sign < 0)
        answer = DP_NO;
    mpq_clears(t, sum, NULL);
    logform_clear(&left);
    return answer;
}

static dp_decision within(const filtering *f)
{
    mpz_t none;
    mpz_init(none);
    dp_decision answer = fits(f, none);
    mpz_clear(none);
    return answer;
}

/* z = min(z, (budget - spent) / add) where add costs anything; z < 0: no such number yet */
static void limit_times(mpz_t z, const mpq_t budget, const mpq_t spent, const mpq_t add)
{
    if (mpq_sgn(add) <= 0)
        return;
    mpq_t left;
    mpz_t t;
    mpq_init(left);
    mpz_init(t);
    mpq_sub(left, budget, spent);
    mpq_div(left, left, add);
    mpz_fdiv_q(t, mpq_numref(left), mpq_denref(left));
    if (mpz_sgn(t) < 0)
        mpz_set_ui(t, 0);
    if (mpz_sgn(z) < 0 || mpz_cmp(t, z) < 0)
        mpz_set(z, t);
    mpz_clear(t);
    mpq_clear(left);
}

/* How often the addition fits in all: what is spent holds it already where it does. Without end
 * where it costs nothing. */
static void set_times(dp_row *row, const filtering *f, dp_decision fit)
{
    mpz_t z;
    mpz_init_set_si(z, -1);
    dp_figure *times = row_quantity(row, "times");
    const logform *amount = &f->add.amount;
    if (amount->count + f->spent.amount.count + f->rule.budget.amount.count == 0) {
        limit_times(z, f->rule.budget.amount.rational, f->spent.amount.rational, amount->rational);
        limit_times(z, f->rule.budget.delta, f->spent.delta, f->add.delta);
    } else if (mpq_sgn(f->add.delta) > 0 || !logform_is_zero(amount)) {
        mpz_set_ui(z, 0);
        search_largest(z, fits, f); /* what is known to fit where a limit is met */
        if (mpz_sgn(z) < 0)
            mpz_set_ui(z, 0);
    }
    if (mpz_sgn(z) >= 0 && fit == DP_YES)
        mpz_add_ui(z, z, 1);
    if (mpz_sgn(z) < 0) {
        figure_set_infinite(times);
    } else {
        mpq_set_z(times->rational, z);
        times->kind = DP_RATIONAL;
    }
    mpz_clear(z);
}

/* ---- the state ---- */

static dp_status add_typed(dp_composition *list, const char *type, const char *const name[2],
                           mpq_srcptr const q[2], const mpz_t times, dp_error *err)
{
    dp_mechanism *m = mechanism_new(mechanism_type_find(type));
    dp_status status = m != NULL ? DP_OK : DP_MEMORY;
    for (size_t i = 0; status == DP_OK && i < 2 && name[i] != NULL; i++) {
        char *text = mpq_get_str(NULL, 10, q[i]);
        status = text != NULL ? dp_mechanism_set(m, name[i], text, err) : DP_MEMORY;
        if (text != NULL) {
            void (*release)(void *, size_t);
            mp_get_memory_functions(NULL, NULL, &release);
            release(text, strlen(text) + 1);
        }
    }
    if (status == DP_OK)
        status = mechanism_complete(m, err);
    if (status == DP_OK)
        status = uses_add(list, m, times);
    mechanism_free(m);
    return status;
}

/* Entries that cost the amount. mu^2 = p/q is that of p q uses with sigma = q. */
static dp_status add_amount(dp_composition *list, const filter_rule *rule, const mpq_t amount,
                            dp_error *err)
{
    mpz_t times;
    mpq_t sigma;
    mpz_init_set_ui(times, 1);
    mpq_init(sigma);
    dp_status status;
    if (rule->method == DP_FILTER_GAUSSIAN) {
        mpz_mul(times, mpq_numref(amount), mpq_denref(amount));
        mpq_set_z(sigma, mpq_denref(amount));
        status = add_typed(list, "gaussian", (const char *const[2]){"sigma", NULL},
                           (mpq_srcptr const[2]){sigma, NULL}, times, err);
    } else if (rule->method == DP_FILTER_RDP) {
        status = add_typed(list, "rdp", (const char *const[2]){"alpha", "rdp"},
                           (mpq_srcptr const[2]){rule->order, amount}, times, err);
    } else {
        status = add_typed(list, "zcdp", (const char *const[2]){"rho", NULL},
                           (mpq_srcptr const[2]){amount, NULL}, times, err);
    }
    mpq_clear(sigma);
    mpz_clear(times);
    return status;
}

/* epsilon ln(base), `times` as often, and its delta */
static dp_status add_item(dp_composition *list, mpq_srcptr epsilon, mpq_srcptr odds,
                          mpq_srcptr delta, mpz_srcptr times)
{
    dp_number x;
    mpz_t once;
    mpq_t none;
    dp_number_init(&x);
    mpz_init_set_ui(once, 1);
    mpq_init(none);
    if (odds != NULL)
        number_set_log(&x, odds);
    else
        number_set_q(&x, epsilon);
    dp_status status = dp_composition_add(list, &x, delta != NULL ? delta : none,
                                          times != NULL ? times : once, NULL);
    mpq_clear(none);
    mpz_clear(once);
    dp_number_clear(&x);
    return status;
}

/* epsilon beside a delta, which no single item has above 1: then its whole part are items too. */
static dp_status add_pair(dp_composition *list, mpq_srcptr epsilon, mpq_srcptr delta)
{
    mpq_t none, one, rest;
    mpz_t whole;
    mpq_inits(none, one, rest, NULL);
    mpz_init(whole);
    mpq_set(rest, delta);
    mpq_set_ui(one, 1, 1);
    dp_status status = DP_OK;
    if (mpq_cmp(delta, one) > 0) {
        mpz_fdiv_qr(whole, mpq_numref(rest), mpq_numref(delta), mpq_denref(delta));
        status = add_item(list, none, NULL, one, whole);
    }
    if (status == DP_OK && (mpq_sgn(epsilon) > 0 || mpq_sgn(rest) > 0))
        status = add_item(list, epsilon, NULL, rest, NULL);
    mpz_clear(whole);
    mpq_clears(none, one, rest, NULL);
    return status;
}

static dp_status set_state(dp_composition *list, const filter_rule *rule, const filter_cost *c,
                           dp_error *err)
{
    mpq_srcptr amount = c->amount.rational;
    bool basic = rule->method == DP_FILTER_BASIC;
    mpq_t none;
    mpq_init(none);
    dp_status status = add_pair(list, basic ? amount : none, c->delta);
    for (size_t i = 0; status == DP_OK && i < c->amount.count; i++)
        status = add_item(list, NULL, c->amount.term[i].base, NULL,
                          mpq_numref(c->amount.term[i].coefficient));
    if (status == DP_OK && !basic && mpq_sgn(amount) > 0)
        status = add_amount(list, rule, amount, err);
    mpq_clear(none);
    return status;
}

/* ---- the question ---- */

static dp_status validate(const dp_filter_query *q, const dp_composition *state,
                          const dp_options *opt, dp_error *err)
{
    const given all[] = {{&filter_order, .number = q->order}, {&compose_slack, .number = q->slack}};
    dp_status status = door_list("list", q->spent, err);
    if (status == DP_OK && q->add != NULL)
        status = door_list("add", q->add, err);
    if (status == DP_OK)
        status = door_choice(&filter_method, (int)q->method, err);
    if (status == DP_OK)
        status = DOOR_GIVEN(all, err);
    if (status != DP_OK)
        return status;
    if (q->add != NULL && q->add->adjacency != q->spent->adjacency)
        return fail(err, DP_DOMAIN, "add", "must be stated for the relation of the list");
    if (state != NULL && (state->count > 0 || uses_count(state) > 0))
        return fail(err, DP_DOMAIN, "state", "must be an empty list");
    if (opt->max_epsilon == NULL)
        return fail(err, DP_DOMAIN, "max_epsilon", "is missing: a filter needs its budget");
    if (q->order != NULL && q->method != DP_FILTER_RDP)
        return fail(err, DP_DOMAIN, "order", "is for the method rdp alone");
    if (q->slack != NULL && q->method == DP_FILTER_BASIC)
        return fail(err, DP_DOMAIN, "slack", "is not for the method basic, which has none");
    return DP_OK;
}

/* The part of delta for the conversion. */
static dp_status split(mpq_t conversion, const dp_filter_query *q, const mpq_t delta, dp_error *err)
{
    mpq_set(conversion, q->slack != NULL ? number_rational(q->slack) : delta);
    if (q->method == DP_FILTER_BASIC)
        return DP_OK;
    if (mpq_sgn(delta) == 0 || mpq_cmp_ui(delta, 1, 1) >= 0)
        return fail(err, DP_UNAVAILABLE, "max_delta",
                    "must be above 0 and below 1 for this method; basic needs none");
    if (mpq_cmp(conversion, delta) > 0)
        return fail(err, DP_DOMAIN, "slack", "must not be above max_delta, of which it is a part");
    return DP_OK;
}

static const bound *const row_of[] = {&filter_zcdp, &filter_basic, &filter_renyi, &filter_gaussian};

/* The row of what is spent; beyond the budget the pair is not guaranteed, and does not stand. */
static dp_status spent_row(dp_result *out, dp_filter_method method, const filtering *f,
                           const dp_options *opt)
{
    filter_in in = {&f->rule, &f->spent, opt->max_epsilon, number_rational(&out->check.max_delta)};
    dp_status status = result_evaluate(out, row_of[method], &in, opt);
    if (status == DP_OK && within(f) != DP_YES) {
        row_drop(&out->row[out->count - 1], "epsilon");
        row_drop(&out->row[out->count - 1], "delta");
    }
    return status;
}

/* Adds the row, decides, and leaves in `spent` what is spent then: without an addition that is
 * refused. */
static dp_status decide(dp_result *out, filtering *f, const dp_filter_query *q,
                        const dp_options *opt)
{
    filter_cost before = f->spent;
    filter_cost_init(&f->spent);
    bool ok = filter_cost_add(&f->spent, &before);
    dp_decision held = within(f);
    ok = ok && filter_cost_add(&f->spent, &f->add);
    dp_decision answer = q->add != NULL ? within(f) : held;
    if (answer != DP_YES) { /* as it was */
        filter_cost other = f->spent;
        f->spent = before;
        before = other;
    }
    dp_status status = ok ? spent_row(out, q->method, f, opt) : DP_MEMORY;
    if (status == DP_OK && q->add != NULL)
        set_times(&out->row[0], f, answer);
    if (status == DP_OK && q->add != NULL && answer != DP_YES)
        result_note(out, "what is spent is that of the list, without the addition, which is "
                         "refused");
    if (status == DP_OK) {
        result_decide(out, answer, 0);
        out->guarantee = held == DP_YES ? 0 : out->count;
    }
    filter_cost_clear(&before);
    return status;
}

/* What the other filters would have, for who still chooses: a row of each that has a statement
 * about everything. They decide nothing. */
static dp_status others(dp_result *out, const dp_filter_query *q, const mpq_t conversion,
                        const dp_options *opt)
{
    mpq_srcptr delta = number_rational(&out->check.max_delta);
    dp_status status = DP_OK;
    for (int method = 0; status == DP_OK && method <= DP_FILTER_GAUSSIAN; method++) {
        if (method == (int)q->method || (method != DP_FILTER_BASIC && mpq_sgn(conversion) == 0))
            continue;
        filtering f;
        filter_cost_init(&f.spent);
        filter_cost_init(&f.add);
        status = filter_rule_init(&f.rule, (dp_filter_method)method, opt->max_epsilon, delta,
                                  conversion, NULL);
        if (status == DP_OK)
            status = filter_charge(&f.spent, &f.rule, q->spent);
        if (status == DP_OK && q->add != NULL)
            status = filter_charge(&f.spent, &f.rule, q->add);
        if (status == DP_OK)
            status = spent_row(out, (dp_filter_method)method, &f, opt);
        else if (status == DP_UNAVAILABLE)
            status = DP_OK;
        filter_rule_clear(&f.rule);
        filter_cost_clear(&f.add);
        filter_cost_clear(&f.spent);
    }
    return status;
}

static void explain(dp_result *out, const filtering *f, const dp_filter_query *q)
{
    if (out->check.holds == DP_YES)
        return;
    bool delta = mpq_cmp(f->spent.delta, f->rule.budget.delta) > 0;
    mpq_t sum;
    mpq_init(sum);
    mpq_add(sum, f->spent.delta, f->add.delta);
    delta = delta || mpq_cmp(sum, f->rule.budget.delta) > 0;
    mpq_clear(sum);
    if (q->add == NULL || out->guarantee == out->count)
        result_warn(out, "what is spent is above the budget: a filter promises nothing for it");
    else if (delta && q->method != DP_FILTER_BASIC)
        result_warn(out, "refused: the deltas of mechanisms would exceed what the slack leaves of "
                         "max_delta; the split is fixed before the first release");
    else
        result_warn(out, "refused: it would exceed the budget; do not release it");
}

dp_status dp_filter(dp_result *out, dp_composition *state, const dp_filter_query *q,
                    const dp_options *opt, dp_error *err)
{
    dp_options own;
    dp_status status = door_open(&own, out, "query", q, opt, err);
    opt = &own;
    if (status == DP_OK)
        status = validate(q, state, opt, err);
    if (status != DP_OK)
        return status;
    result_start(out);
    out->adjacency = dp_relation_text(q->spent->adjacency);
    result_check_start(out, opt, NULL, NULL);
    mpq_srcptr delta = number_rational(&out->check.max_delta);
    filtering f;
    mpq_t conversion;
    mpq_init(conversion);
    filter_cost_init(&f.spent);
    filter_cost_init(&f.add);
    status = split(conversion, q, delta, err);
    dp_status ready =
        filter_rule_init(&f.rule, status == DP_OK ? q->method : DP_FILTER_BASIC, opt->max_epsilon,
                         delta, conversion, number_rational(q->order));
    if (status == DP_OK)
        status = ready;
    if (status == DP_OK)
        status = filter_charge(&f.spent, &f.rule, q->spent);
    if (status == DP_OK && q->add != NULL)
        status = filter_charge(&f.add, &f.rule, q->add);
    if (status == DP_UNAVAILABLE && err != NULL && err->message == NULL)
        fail(err, status, "method",
             "has no statement about a mechanism of the list: basic needs a largest epsilon, zcdp "
             "a rho, rdp a finite divergence of its order, gaussian Gaussian noise");
    if (status == DP_OK)
        status = decide(out, &f, q, opt);
    if (status == DP_OK) {
        bool promises = out->guarantee < out->count;
        explain(out, &f, q);
        if (opt->all && mpq_cmp_ui(conversion, 1, 1) < 0)
            status = others(out, q, conversion, opt);
        if (!promises)
            out->guarantee = out->count; /* nor do the rows of the others */
    }
    if (status == DP_OK && state != NULL)
        status = set_state(state, &f.rule, &f.spent, err);
    filter_rule_clear(&f.rule);
    filter_cost_clear(&f.add);
    filter_cost_clear(&f.spent);
    mpq_clear(conversion);
    return result_end(out, status, err);
}
