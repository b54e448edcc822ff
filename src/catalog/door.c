/* SPDX-License-Identifier: MIT */
/* Accounts, questions and answers as handles for callers that know texts only. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "catalog/types.h"
#include "compose/parameters.h"
#include "core/parameters.h"
#include "core/result.h"
#include "core/value.h"
#include "dpacct/account.h"
#include "loss/known.h"
#include "num/memory.h"
#include "num/number.h"

struct dp_account {
    dp_composition list;
};

struct dp_answer {
    dp_result result;
    size_t digits;
};

/* What may be asked, in the order of the values of a question. */
enum asked {
    ASKED_EPSILON,
    ASKED_DELTA,
    ASKED_MAX_EPSILON,
    ASKED_MAX_DELTA,
    ASKED_METHOD,
    ASKED_SLACK,
    ASKED_GROUP,
    ASKED_ADAPTIVE,
    ASKED_DIGITS,
    ASKED_ALL,
    ASKED_TIME,
    ASKED_MEMORY,
    ASKED_THREADS,
    ASKED
};

static const parameter *const asked[ASKED] = {
    [ASKED_EPSILON] = &compose_target_epsilon,
    [ASKED_DELTA] = &compose_target_delta,
    [ASKED_MAX_EPSILON] = &query_max_epsilon,
    [ASKED_MAX_DELTA] = &query_max_delta,
    [ASKED_METHOD] = &compose_method,
    [ASKED_SLACK] = &compose_slack,
    [ASKED_GROUP] = &list_group_size,
    [ASKED_ADAPTIVE] = &compose_adaptive,
    [ASKED_DIGITS] = &query_digits,
    [ASKED_ALL] = &query_all,
    [ASKED_TIME] = &query_max_time,
    [ASKED_MEMORY] = &query_max_memory,
    [ASKED_THREADS] = &query_threads,
};

struct dp_question {
    value given[ASKED];
};

static dp_status no_memory(dp_error *err)
{
    return fail(err, DP_MEMORY, NULL, dp_status_text(DP_MEMORY));
}

static dp_status is_null(dp_error *err, const char *name)
{
    return fail(err, DP_DOMAIN, name, "must not be NULL");
}

/* ---- mechanisms ---- */

dp_mechanism *dp_mechanism_new(const char *type, dp_error *err)
{
    error_start(err);
    const mechanism_type *t = type != NULL ? mechanism_type_find(type) : NULL;
    if (type == NULL) {
        is_null(err, "type");
        return NULL;
    }
    if (t == NULL) {
        fail(err, DP_DOMAIN, "type", "is no type of mechanism; dp_mechanism_type lists them");
        return NULL;
    }
    dp_mechanism *m = mechanism_new(t);
    if (m == NULL)
        no_memory(err);
    return m;
}

void dp_mechanism_free(dp_mechanism *m)
{
    mechanism_free(m);
}

size_t dp_mechanism_types(void)
{
    size_t count = 0;
    while (mechanism_type_at(count) != NULL)
        count++;
    return count;
}

const char *dp_mechanism_type(size_t i)
{
    const mechanism_type *t = mechanism_type_at(i);
    return t != NULL ? t->name : NULL;
}

/* Sets a value that is not given twice to the text; the error names the parameter. */
static dp_status set_value(value *v, const char *text, dp_error *err)
{
    if (text == NULL)
        return is_null(err, parameter_field(v->of));
    value_fault f;
    dp_status status = value_set(v, text, &f);
    return status == DP_OK ? DP_OK : value_fail(err, status, v, &f);
}

dp_status dp_mechanism_set(dp_mechanism *m, const char *name, const char *text, dp_error *err)
{
    error_start(err);
    if (m == NULL || name == NULL)
        return is_null(err, m == NULL ? "mechanism" : "parameter");
    value *v = mechanism_value(m, name);
    return v != NULL ? set_value(v, text, err)
                     : fail(err, DP_DOMAIN, "parameter", "is none of this type of mechanism");
}

/* ---- accounts ---- */

dp_account *dp_account_new(dp_relation relation, dp_error *err)
{
    error_start(err);
    if (relation != DP_ADD_REMOVE && relation != DP_REPLACE_ONE) {
        fail(err, DP_DOMAIN, "relation", "must be one of the values of its enumeration");
        return NULL;
    }
    dp_account *a = memory_new(1, sizeof *a);
    if (a == NULL)
        no_memory(err);
    else
        dp_composition_init_under(&a->list, relation);
    return a;
}

void dp_account_free(dp_account *a)
{
    if (a == NULL)
        return;
    dp_composition_clear(&a->list);
    memory_free(a);
}

/* Leaves the first `items` and `uses` of a list. An item must not stay without its note: it would
 * count as attained. */
static void cut_list(dp_composition *c, size_t items, size_t uses)
{
    for (dp_known *k; (k = c->known) != NULL && k->item >= items;) {
        c->known = k->next;
        k->next = NULL;
        known_clear(k);
    }
    while (c->count > items) {
        dp_item *last = &c->item[--c->count];
        dp_number_clear(&last->epsilon);
        mpq_clear(last->delta);
        mpz_clear(last->times);
    }
    while (uses_count(c) > uses) {
        dp_use *last = &c->uses->use[--c->uses->count];
        mechanism_free(last->mechanism);
        mpz_clear(last->times);
    }
}

dp_status dp_account_add(dp_account *a, const dp_mechanism *m, const char *times, dp_error *err)
{
    error_start(err);
    if (a == NULL || m == NULL)
        return is_null(err, a == NULL ? "account" : "mechanism");
    size_t before = memory_failures(), items = a->list.count, uses = uses_count(&a->list);
    dp_number count;
    dp_number_init(&count);
    dp_number_set_ui(&count, 1);
    dp_status status = DP_OK;
    if (times != NULL)
        status = dp_number_parse(&count, times, strlen(times), err);
    const char *fault = status == DP_OK ? domain_fault(&domain_count, &count) : NULL;
    if (fault != NULL)
        status = fail(err, DP_DOMAIN, "times", fault);
    dp_mechanism *copy = status == DP_OK ? mechanism_copy(m) : NULL;
    if (copy != NULL)
        status = account_enter(&a->list, copy, number_integer(&count), err);
    mechanism_free(copy);
    dp_number_clear(&count);
    if (memory_failures() != before)
        status = no_memory(err);
    if (status != DP_OK)
        cut_list(&a->list, items, uses);
    return status;
}

/* ---- questions ---- */

dp_question *dp_question_new(void)
{
    dp_question *q = memory_new(1, sizeof *q);
    for (size_t i = 0; q != NULL && i < ASKED; i++)
        value_init(&q->given[i], asked[i]);
    return q;
}

void dp_question_free(dp_question *q)
{
    for (size_t i = 0; q != NULL && i < ASKED; i++)
        value_clear(&q->given[i]);
    memory_free(q);
}

dp_status dp_question_set(dp_question *q, const char *name, const char *text, dp_error *err)
{
    error_start(err);
    if (q == NULL || name == NULL)
        return is_null(err, q == NULL ? "question" : "parameter");
    for (size_t i = 0; i < ASKED; i++)
        if (parameter_same_name(asked[i]->name, name))
            return set_value(&q->given[i], text, err);
    return fail(err, DP_DOMAIN, "parameter", "is nothing that can be asked for");
}

/* The number where it is given, else NULL. */
static const dp_number *given(const dp_question *q, enum asked which)
{
    return q->given[which].given ? &q->given[which].number : NULL;
}

/* Nothing would be no limit. */
#define LEAST_SECONDS 1e-9

static dp_options options_of(const dp_question *q)
{
    dp_options opt = dp_options_default();
    const dp_number *digits = given(q, ASKED_DIGITS), *seconds = given(q, ASKED_TIME);
    const dp_number *bytes = given(q, ASKED_MEMORY), *threads = given(q, ASKED_THREADS);
    if (digits != NULL)
        opt.digits = mpz_get_ui(number_integer(digits));
    if (seconds != NULL)
        opt.max_seconds = fmax(mpq_get_d(number_rational(seconds)), LEAST_SECONDS);
    if (bytes != NULL)
        opt.max_bytes =
            mpz_fits_ulong_p(number_integer(bytes)) ? mpz_get_ui(number_integer(bytes)) : SIZE_MAX;
    if (threads != NULL)
        opt.threads = mpz_get_ui(number_integer(threads));
    opt.all = q->given[ASKED_ALL].given && q->given[ASKED_ALL].choice == 1;
    opt.max_epsilon = given(q, ASKED_MAX_EPSILON);
    opt.max_delta = given(q, ASKED_MAX_DELTA);
    return opt;
}

/* The method in force: of adaptive parameters the filter, where none is named. */
static dp_compose_method method_of(const dp_question *q, bool adaptive)
{
    const value *v = &q->given[ASKED_METHOD];
    return v->given   ? (dp_compose_method)v->choice
           : adaptive ? DP_COMPOSE_FILTER
                      : DP_COMPOSE_OPTIMAL;
}

/* Fills the result: of the list, or of what it is for groups. */
static dp_status ask_list(dp_result *out, const dp_composition *list, const dp_question *q,
                          const dp_options *opt, dp_error *err)
{
    const value *adaptive = &q->given[ASKED_ADAPTIVE];
    bool follows = adaptive->given && adaptive->choice == 1;
    dp_compose_query query = {.list = list,
                              .method = method_of(q, follows),
                              .adaptive = follows,
                              .target_epsilon = given(q, ASKED_EPSILON),
                              .target_delta = given(q, ASKED_DELTA),
                              .slack = given(q, ASKED_SLACK)};
    mpz_srcptr size = number_integer(given(q, ASKED_GROUP));
    if (size == NULL || mpz_cmp_ui(size, 1) == 0)
        return dp_compose(out, &query, opt, err);
    dp_composition groups;
    dp_composition_init(&groups);
    dp_status status = dp_composition_for_groups(&groups, list, size, err);
    query.list = &groups;
    if (status == DP_OK)
        status = dp_compose(out, &query, opt, err);
    dp_composition_clear(&groups);
    return status;
}

dp_status dp_account_ask(dp_answer **out, const dp_account *a, const dp_question *q, dp_error *err)
{
    error_start(err);
    if (out == NULL)
        return is_null(err, "out");
    *out = NULL;
    if (a == NULL || q == NULL)
        return is_null(err, a == NULL ? "account" : "question");
    dp_answer *answer = memory_new(1, sizeof *answer);
    if (answer == NULL)
        return no_memory(err);
    dp_result_init(&answer->result);
    dp_options opt = options_of(q);
    answer->digits = opt.digits;
    dp_status status = ask_list(&answer->result, &a->list, q, &opt, err);
    if (status == DP_OK)
        *out = answer;
    else
        dp_answer_free(answer);
    return status;
}

/* ---- answers ---- */

void dp_answer_free(dp_answer *a)
{
    if (a == NULL)
        return;
    dp_result_clear(&a->result);
    memory_free(a);
}

const dp_result *dp_answer_result(const dp_answer *a)
{
    return a != NULL ? &a->result : NULL;
}

char *dp_answer_text(const dp_answer *a, const char *quantity)
{
    const dp_figure *f = a != NULL ? dp_result_figure(&a->result, quantity) : NULL;
    return f != NULL ? dp_figure_decimal(f, dp_quantity_safe(quantity), a->digits) : NULL;
}

double dp_answer_double(const dp_answer *a, const char *quantity)
{
    dp_end safe = dp_quantity_safe(quantity);
    const dp_figure *f = a != NULL ? dp_result_figure(&a->result, quantity) : NULL;
    return dp_figure_double(f, safe, f != NULL ? a->digits : 0);
}

dp_decision dp_answer_holds(const dp_answer *a)
{
    return a != NULL && a->result.check.asked ? a->result.check.holds : DP_UNKNOWN;
}
