/* SPDX-License-Identifier: MIT */
/* What an answer holds, and the texts of its parts. */
#include "document/answer.h"

#include "document/commands.h"

#include <stdio.h>
#include <string.h>

#include "core/quantity.h"
#include "core/result.h"
#include "num/decimal.h"
#include "num/memory.h"
#include "num/number.h"

void report_init(report *r)
{
    memset(r, 0, sizeof *r);
    dp_result_init(&r->result);
    dp_composition_init(&r->state);
    remaining_init(&r->remaining);
    r->digits = 10;
}

void report_clear(report *r)
{
    dp_result_clear(&r->result);
    dp_composition_clear(&r->state);
    remaining_clear(&r->remaining);
    by_entry_clear(&r->entries);
    if (r->asked.command != NULL)
        args_clear(&r->asked);
}

const char *figure_name(const report *r, const dp_row *row, size_t place)
{
    return place == 0 && r->kinds != NULL ? "value" : row->quantity[place].name;
}

int report_status(const report *r, dp_status status)
{
    switch (status) {
    case DP_OK:
        break;
    case DP_DOMAIN:
    case DP_UNAVAILABLE:
        return EXIT_INPUT;
    case DP_LIMIT:
    case DP_UNDECIDED:
    case DP_MEMORY:
        return EXIT_UNFINISHED;
    }
    if (!r->result.check.asked || r->result.check.holds == DP_YES)
        return EXIT_HOLDS;
    return r->result.check.holds == DP_NO ? EXIT_FAILS : EXIT_UNFINISHED;
}

/* The option of an argument of the library, by its own name or that of the field. */
static const option *option_of(const command *c, const char *argument)
{
    const option *found = option_find(c, argument);
    for (const option *o = c->options; found == NULL && o->of != NULL; o++)
        if (strcmp(parameter_field(o->of), argument) == 0)
            found = o;
    return found;
}

void report_fault(const report *r, const args *a, fault *f)
{
    char where[80] = "";
    const option *o = r->error.argument != NULL ? option_of(a->command, r->error.argument) : NULL;
    if (o != NULL)
        snprintf(where, sizeof where, "--%s", o->of->name);
    else if (r->error.argument != NULL)
        snprintf(where, sizeof where, "%s", r->error.argument);
    fault_set(f, where, "%s", r->error.message);
}

#define EXACT_DIGITS 60 /* longer decimals are shown as fractions */

/* Longer counts with few digits are written 2e100000. */
#define LONG_COUNT 40

char *solved_text(const dp_figure *x, size_t digits)
{
    mpz_t whole;
    mpz_init(whole);
    mpz_set_q(whole, x->rational);
    dec d;
    dec_init(&d);
    char *text = NULL;
    bool is_short = dec_set_figure(&d, x, DP_LOWER, digits);
    if (mpq_cmp_z(x->rational, whole) == 0 &&
        !(is_short && d.exact && mpz_sizeinbase(whole, 10) > LONG_COUNT)) {
        text = memory_new(mpz_sizeinbase(whole, 10) + 2, 1);
        if (text != NULL)
            mpz_get_str(text, 10, whole);
    } else if (is_short) {
        text = memory_new(dec_size(&d) + 1, 1);
        if (text != NULL)
            text[dec_print(text, &d)] = '\0';
    }
    dec_clear(&d);
    mpz_clear(whole);
    return text;
}

/* Room for the fraction that q is. */
static char *fraction_room(const mpq_t q, size_t more)
{
    return memory_new(
        mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + 3 + more, 1);
}

/* The half of an EPS,DELTA text that the threshold is, or NULL when delta was left out. */
static char *claim_part(const char *text, bool delta)
{
    const char *comma = strchr(text, ',');
    if (delta)
        return comma != NULL ? memory_copy(comma + 1) : NULL;
    return comma != NULL ? memory_text(text, (size_t)(comma - text)) : memory_copy(text);
}

char *threshold_text(const args *a, const char *name, const dp_number *x)
{
    const value *v = args_value_named(a, name), *claim = args_value(a, "claim");
    if (v != NULL && v->given)
        return memory_copy(v->text);
    const value *target =
        args_value(a, strcmp(name, "max-delta") == 0 ? "target-delta" : "target-epsilon");
    if (target != NULL && target->text != NULL && number_order(&target->number, x) == 0)
        return memory_copy(target->text); /* which the threshold fell back to */
    char *text = claim != NULL && claim->given
                     ? claim_part(claim->text, strcmp(name, "max-delta") == 0)
                     : NULL;
    if (text != NULL)
        return text;
    mpq_srcptr written = x->is_log ? number_odds(x) : number_rational(x);
    text = fraction_room(written, 4);
    if (text == NULL)
        return NULL;
    strcpy(text, x->is_log ? "ln(" : "");
    mpq_get_str(text + strlen(text), 10, written);
    strcat(text, x->is_log ? ")" : "");
    return text;
}

char *check_epsilon_text(const args *a, const dp_check *c)
{
    char *text = threshold_text(a, "max-epsilon", &c->max_epsilon);
    char *factor = exact_text(c->factor), *both = NULL;
    if (text != NULL && factor != NULL) {
        size_t size = strlen(factor) + strlen(text) + 4;
        bool plain = strcmp(factor, "1") == 0;
        both = memory_new(size, 1);
        if (both != NULL)
            snprintf(both, size, "%s%s%s", plain ? "" : factor, plain ? "" : " * ", text);
    }
    memory_free(factor);
    memory_free(text);
    return both;
}

const char *claim_text(dp_decision holds)
{
    return holds == DP_YES ? "proved" : holds == DP_NO ? "refuted" : "undecided";
}

char *exact_text(const mpq_t q)
{
    dec d;
    dec_init(&d);
    bool short_form = dec_set_q(&d, q, DP_LOWER, EXACT_DIGITS) && d.exact;
    char *text = short_form ? memory_new(dec_size(&d) + 1, 1) : fraction_room(q, 0);
    if (text != NULL && short_form)
        text[dec_print(text, &d)] = '\0';
    else if (text != NULL)
        mpq_get_str(text, 10, q);
    dec_clear(&d);
    return text;
}

const char *vertex_text(size_t vertex)
{
    static const char *const text[] = {"(0, 0)", "(1, 1)", "(delta, 0)",     "(0, delta)",
                                       "(c, d)", "(d, c)", "(1, 1 - delta)", "(1 - delta, 1)"};
    return text[vertex];
}

/* The figures beside a count of 0 are those of 1 where these are beyond the budget. */
static const char *none_fits(const report *r, const args *a)
{
    const dp_result *res = &r->result;
    const dp_figure *delta = dp_result_figure(res, "delta");
    const value *solve = args_value(a, "solve");
    if (solve == NULL || !solve->given || !res->check.asked || res->check.holds == DP_YES ||
        delta == NULL || dp_figure_le(delta, number_rational(&res->check.max_delta)) != DP_NO)
        return NULL;
    const dp_row *row = &res->row[res->guarantee];
    for (size_t i = 0; i < row->count; i++)
        if (quantity_is_none(&row->quantity[i]))
            return row->quantity[i].name;
    return NULL;
}

bool quantity_is_none(const dp_quantity *q)
{
    const quantity *of = quantity_find(q->name);
    return of != NULL && of->kind == QUANTITY_COUNT && of->lower && q->figure.kind == DP_RATIONAL &&
           mpq_sgn(q->figure.rational) == 0;
}

int report_ask(report *r, args *a, fault *f)
{
    args_limit_memory(a);
    if (!args_finish(a, f))
        return a->late ? EXIT_UNFINISHED : EXIT_INPUT;
    r->error = (dp_error){DP_OK, NULL, NULL};
    r->own_note[0] = r->least[0] = '\0';
    r->kinds = a->command->kinds;
    r->has_state = r->remaining.has = false;
    r->none = NULL;
    by_entry_clear(&r->entries);
    int status = a->command->run(a, r);
    if (r->error.message == NULL && a->swapped)
        result_warn(&r->result, "an epsilon below 0.01 stands beside a delta of 0.01 or more: were "
                                "they swapped? epsilon comes first");
    if (r->error.message == NULL)
        note_usual(r, a, NULL, NULL);
    if (r->error.message == NULL)
        r->none = none_fits(r, a);
    else
        report_fault(r, a, f);
    return status;
}
