/* SPDX-License-Identifier: MIT */
/* Notes on what was not asked: the half of a budget that is missing, a delta beside an end point.
 */
#include <stdio.h>
#include <string.h>

#include "core/result.h"
#include "core/uses.h"
#include "document/commands.h"
#include "loss/cells.h"
#include "num/decimal.h"
#include "num/number.h"

#define NOTE_DIGITS 4
#define NOTE_SECONDS 0.5

typedef enum outcome { FOUND, INFINITE, NONE } outcome;

/* " at delta = D epsilon is E", the upper end of the optimum to few digits. NONE: not in the time
 * that a note may take. */
static outcome epsilon_at(char *text, size_t size, const char *delta, const dp_compose_query *q,
                          const dp_options *opt)
{
    dp_options own = *opt;
    own.digits = NOTE_DIGITS;
    own.all = false;
    own.max_epsilon = own.max_delta = NULL;
    own.max_seconds = opt->max_seconds < NOTE_SECONDS ? opt->max_seconds : NOTE_SECONDS;
    own.progress = NULL;
    own.narrowed = NULL;
    dp_result r;
    dp_error err;
    dp_number at;
    dec d;
    dp_result_init(&r);
    dp_number_init(&at);
    dec_init(&d);
    dp_compose_query asked = {.list = q->list, .target_delta = &at};
    outcome found = NONE;
    const dp_figure *epsilon = NULL;
    if (dp_number_parse(&at, delta, strlen(delta), NULL) == DP_OK &&
        dp_compose(&r, &asked, &own, &err) == DP_OK && r.warnings == 0)
        epsilon = dp_result_figure(&r, "epsilon");
    char shown[100];
    if (epsilon != NULL && dec_set_figure(&d, epsilon, DP_UPPER, NOTE_DIGITS)) {
        found = d.infinite ? INFINITE : dec_size(&d) < sizeof shown ? FOUND : NONE;
        if (found == FOUND) {
            shown[dec_print_text(shown, &d)] = '\0';
            snprintf(text, size, "at delta = %s epsilon is %s", delta, shown);
        }
    }
    dec_clear(&d);
    dp_number_clear(&at);
    dp_result_clear(&r);
    return found;
}

/* The same at the least of the usual deltas that leaves it finite. */
static bool usual_epsilon(char *text, size_t size, const dp_compose_query *q, const dp_options *opt)
{
    static const char *const usual[] = {"1e-6", "1e-5", "1e-4", "1e-3", "0.01", "0.1"};
    outcome found = INFINITE;
    for (size_t i = 0; found == INFINITE && i < sizeof usual / sizeof *usual; i++)
        found = epsilon_at(text, size, usual[i], q, opt);
    return found == FOUND;
}

#define USUAL "1e-6"
#define SOLVED_DIGITS 60 /* of what is solved for, all */

/* What is solved for with a usual delta in the budget: "with max-delta = D times is N". */
static bool solved_at(char *text, size_t size, const dp_compose_query *q, const dp_options *opt)
{
    dp_options own = *opt;
    dp_number at;
    dp_result r;
    dp_error err;
    dp_number_init(&at);
    dp_result_init(&r);
    dp_number_parse(&at, USUAL, strlen(USUAL), NULL);
    own.digits = NOTE_DIGITS;
    own.all = false;
    own.max_delta = &at;
    own.max_seconds = opt->max_seconds < NOTE_SECONDS ? opt->max_seconds : NOTE_SECONDS;
    own.progress = NULL;
    own.narrowed = NULL;
    const dp_quantity *last = NULL;
    if (dp_compose(&r, q, &own, &err) == DP_OK && r.warnings == 0 && r.check.holds == DP_YES &&
        r.guarantee < r.count)
        last = &r.row[r.guarantee].quantity[r.row[r.guarantee].count - 1];
    dec d;
    dec_init(&d);
    char shown[80];
    bool found = last != NULL && last->is_solved && last->figure.kind == DP_RATIONAL &&
                 dec_set_q(&d, last->figure.rational, DP_LOWER, SOLVED_DIGITS) && d.exact &&
                 dec_size(&d) < sizeof shown;
    if (found) {
        shown[dec_print_text(shown, &d)] = '\0';
        snprintf(text, size, "with max-delta = " USUAL " %s is %s", last->name, shown);
    }
    dec_clear(&d);
    dp_result_clear(&r);
    dp_number_clear(&at);
    return found;
}

/* The list with what is added. */
static bool added_at(char *text, size_t size, const dp_compose_query *q, const dp_options *opt)
{
    dp_composition all;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    dp_composition_init_under(&all, q->list->adjacency);
    dp_status status = known_append(&all, q->list, one);
    if (status == DP_OK && q->add != NULL)
        status = dp_composition_add(&all, &q->add->epsilon, q->add->delta, one, NULL);
    else if (status == DP_OK && q->added != NULL)
        status = known_append(&all, q->added, one);
    const dp_compose_query asked = {.list = &all};
    bool found = status == DP_OK && usual_epsilon(text, size, &asked, opt);
    dp_composition_clear(&all);
    mpz_clear(one);
    return found;
}

/* What a usual delta would give, of the question as it was asked. */
static bool usual_figure(char *text, size_t size, const args *a, const dp_compose_query *q,
                         const dp_options *opt)
{
    if (q == NULL)
        return false;
    if (q->solve != DP_SOLVE_NOTHING)
        return solved_at(text, size, q, opt);
    return args_any_added(a) ? added_at(text, size, q, opt) : usual_epsilon(text, size, q, opt);
}

/* An end to few digits; false where it is infinite or too long. */
static bool digits_of(char text[60], const dp_figure *x, dp_end end)
{
    dec d;
    dec_init(&d);
    bool ok = dec_set_figure(&d, x, end, NOTE_DIGITS) && !d.infinite && dec_size(&d) < 60;
    if (ok)
        text[dec_print_text(text, &d)] = '\0';
    dec_clear(&d);
    return ok;
}

static bool few_digits(char text[60], const dp_figure *x)
{
    return digits_of(text, x, DP_UPPER);
}

static bool is_given(const args *a, const char *name)
{
    const value *v = args_value(a, name);
    return v != NULL && v->given;
}

/* Was that half of the budget left out, with nothing but 0 in its place? */
static bool is_missing(const args *a, const char *half, const char *other, const char *target,
                       const dp_number *filled)
{
    return args_value(a, half) != NULL && is_given(a, other) && !is_given(a, half) &&
           args_number(a, target) == NULL && dp_number_sgn(filled) == 0;
}

/* A list of more than one use, of which the end point is asked. */
static bool is_sum(const args *a, const report *r, const dp_compose_query *q)
{
    const dp_composition *list = q->list;
    size_t kinds = list->count + uses_count(list);
    bool several = kinds > 1 || list->cells != NULL ||
                   (list->count == 1 && mpz_cmp_ui(list->item[0].times, 1) > 0);
    return several && !r->result.check.asked && q->target_delta == NULL &&
           q->target_epsilon == NULL && !is_given(a, "solve") && !args_any_added(a);
}

/* A single use of a single mechanism. */
static bool is_one(const dp_composition *list)
{
    if (list->known != NULL || list->cells != NULL || list->count + uses_count(list) != 1)
        return false;
    return mpz_cmp_ui(list->count > 0 ? list->item[0].times : list->uses->use[0].times, 1) == 0;
}

/* Where no value fits: what the least of them needs. */
static void note_least(report *r, const args *a, const dp_compose_query *q, const dp_options *opt)
{
    const dp_check *c = &r->result.check;
    const dp_figure *epsilon = dp_result_figure(&r->result, "epsilon");
    const dp_figure *delta = dp_result_figure(&r->result, "delta");
    if (r->least[0] != '\0' || !is_given(a, "solve") || !c->asked || c->holds != DP_NO ||
        epsilon == NULL || delta == NULL)
        return;
    const dp_row *row = &r->result.row[r->result.guarantee];
    const dp_quantity *last = &row->quantity[row->count - 1];
    char at[160] = "", e[60], d[60];
    bool none =
        last->is_solved && last->figure.kind == DP_RATIONAL && mpq_sgn(last->figure.rational) == 0;
    if (!none || dp_figure_le(delta, number_rational(&c->max_delta)) != DP_NO ||
        !few_digits(e, epsilon) || !few_digits(d, delta))
        return;
    const char *given = is_given(a, "max-delta") ? args_value(a, "max-delta")->text : "0";
    bool alone = q != NULL && is_one(q->list) && !args_any_added(a) &&
                 !args_is(a, "solve", "epsilon") && strlen(given) < sizeof at / 3 &&
                 epsilon_at(at, sizeof at, given, q, opt) == FOUND;
    snprintf(r->least, sizeof r->least,
             "not even %s = %d fits; the least budget is delta = %s at epsilon = %s%s%s",
             last->name, strcmp(last->name, "use_epsilon") != 0, d, e, alone ? ", or " : "",
             alone ? at : "");
    result_note(&r->result, r->least);
}

/* A check that is open: what is known, and whether a limit would help. */
static void note_open(report *r, const args *a)
{
    const dp_check *c = &r->result.check;
    const dp_figure *epsilon = dp_result_figure(&r->result, "epsilon");
    const dp_figure *delta = dp_result_figure(&r->result, "delta");
    char e[60], low[60], high[60];
    if (r->least[0] != '\0' || !c->asked || c->is_claim || c->figure != NULL ||
        c->holds != DP_UNKNOWN || epsilon == NULL || delta == NULL || !few_digits(e, epsilon) ||
        !few_digits(high, delta) || !digits_of(low, delta, DP_LOWER) ||
        (is_given(a, "solve") && dp_figure_le(delta, number_rational(&c->max_delta)) == DP_YES))
        return; /* or of no step at all */
    bool limited = (r->result.met & ~(unsigned)DP_MET_BOUND) != 0;
    bool tight = r->result.row[r->result.guarantee].verdict == DP_EXACT;
    bool steps = strcmp(a->command->name, "dp-sgd") == 0; /* of which the other method is exact */
    if (!limited || !tight)
        snprintf(r->least, sizeof r->least, "proved is (%s, %s)-DP%s", e, high,
                 limited ? ""
                 : steps ? "; no limit was met: the method pld decides"
                         : "; no limit was met, and none would help if raised");
    else if (delta->kind != DP_RATIONAL)
        snprintf(r->least, sizeof r->least, "known is delta in [%s, %s] at epsilon = %s", low, high,
                 e);
    else if (digits_of(low, epsilon, DP_LOWER))
        snprintf(r->least, sizeof r->least, "known is epsilon in [%s, %s] at delta = %s", low, e,
                 high);
    result_note(&r->result, r->least);
}

static bool lacks_delta(const report *r, const args *a)
{
    const dp_check *c = &r->result.check;
    return c->asked && !c->is_claim && !c->is_audit &&
           is_missing(a, "max-delta", "max-epsilon", "target-delta", &c->max_delta);
}

bool note_wants_usual(dp_number *delta, dp_options *own, const report *r, const args *a)
{
    own->digits = NOTE_DIGITS;
    own->all = false;
    own->max_epsilon = own->max_delta = NULL;
    own->met = NULL;
    return lacks_delta(r, a) && !args_flag(a, "quiet") &&
           dp_number_parse(delta, USUAL, strlen(USUAL), NULL) == DP_OK;
}

void note_usual_epsilon(report *r, const dp_figure *epsilon)
{
    char shown[60];
    if (epsilon == NULL || !few_digits(shown, epsilon))
        return;
    snprintf(r->own_note, sizeof r->own_note,
             "max-delta is not given and means 0; at delta = " USUAL " epsilon is %s", shown);
    result_note(&r->result, r->own_note);
}

/* A budget that is not kept, beside the end point: its delta, "" for none. */
static const char *delta_refuted(const args *a, const report *r, const dp_compose_query *q)
{
    const dp_check *c = &r->result.check;
    const dp_figure *delta = dp_result_figure(&r->result, "delta");
    char shown[60];
    bool ok = delta != NULL && few_digits(shown, delta) && strcmp(shown, "0") == 0 && c->asked &&
              !c->is_claim && !c->is_audit && c->holds == DP_NO && q->target_delta == NULL &&
              q->target_epsilon == NULL && is_given(a, "max-epsilon") && is_given(a, "max-delta");
    return ok ? args_value(a, "max-delta")->text : "";
}

void note_usual(report *r, const args *a, const dp_compose_query *q, const dp_options *opt)
{
    note_least(r, a, q, opt);
    note_open(r, a);
    const dp_check *c = &r->result.check;
    char at[160] = "";
    bool list = q != NULL && !is_given(a, "solve") && !args_any_added(a);
    const char *refuted = list ? delta_refuted(a, r, q) : "";
    if (r->own_note[0] != '\0' || args_flag(a, "quiet"))
        return;
    if (lacks_delta(r, a)) {
        bool found = usual_figure(at, sizeof at, a, q, opt);
        snprintf(r->own_note, sizeof r->own_note, "max-delta is not given and means 0%s%s",
                 found ? "; " : "", found ? at : "");
    } else if (c->asked && !c->is_claim && !c->is_audit &&
               (list || c->holds != DP_YES) && /* 0 is the best */
               is_missing(a, "max-epsilon", "max-delta", "target-epsilon", &c->max_epsilon)) {
        const char *delta = args_value(a, "max-delta")->text;
        bool found = list && strlen(delta) < sizeof at / 3 &&
                     epsilon_at(at, sizeof at, delta, q, opt) == FOUND;
        snprintf(r->own_note, sizeof r->own_note, "max-epsilon is not given and means 0%s%s",
                 found ? "; " : "", found ? at : "");
    } else if (refuted[0] != '\0' && strlen(refuted) < sizeof at / 3 &&
               epsilon_at(at, sizeof at, refuted, q, opt) == FOUND) {
        snprintf(r->own_note, sizeof r->own_note, "%s; ask with target-delta", at);
    } else if (list && is_sum(a, r, q) && q->method == DP_COMPOSE_BASIC) { /* as it was asked */
        strcpy(r->own_note, "the end point is a sum, and no optimum at a larger delta; ask with "
                            "target-delta");
    } else if (list && is_sum(a, r, q) && usual_epsilon(at, sizeof at, q, opt)) {
        snprintf(r->own_note, sizeof r->own_note,
                 "the end point is a sum, and no optimum at a larger delta: %s; ask with "
                 "target-delta",
                 at);
    }
    if (r->own_note[0] != '\0')
        result_note(&r->result, r->own_note);
}
