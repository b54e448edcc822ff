/* SPDX-License-Identifier: MIT */
/* Answers as text. */
#include "cli/text.h"

#include <stdio.h>
#include <string.h>

#include "cli/entries.h"
#include "cli/figures.h"
#include "core/quantity.h"
#include "num/memory.h"

static void text_guarantee(out *o, const report *r)
{
    const dp_result *res = &r->result;
    if (res->guarantee >= res->count)
        return;
    const dp_row *row = &res->row[res->guarantee];
    if (r->none != NULL)
        out_format(o, "not even %s = 1 %s: %s = 1 %s ", r->none,
                   res->check.holds == DP_NO ? "fits" : "is proved to fit", r->none,
                   row->verdict == DP_EXACT ? "already gives" : "is proved to give");
    if (res->is_finding)
        out_text(o, "finding: ");
    if (r->has_state && res->check.holds != DP_YES)
        out_text(o, "without what is refused: ");
    bool pair = row->count >= 2 && strcmp(row->quantity[0].name, "epsilon") == 0 &&
                strcmp(row->quantity[1].name, "delta") == 0;
    if (pair) {
        out_char(o, '(');
        put_safe_end(o, &row->quantity[0], r->digits);
        out_text(o, ", ");
        put_safe_end(o, &row->quantity[1], r->digits);
        out_text(o, ")-DP");
    }
    for (size_t i = pair ? 2 : 0; i < row->count; i++) {
        if (quantity_is_again(row->quantity[i].name) ||
            (r->none != NULL && quantity_is_none(&row->quantity[i])))
            continue;
        out_text(o, i == 0 ? "" : ", ");
        const dp_quantity *q = &row->quantity[i];
        out_format(o, "%s = ", q->name);
        (has_safe_end(q) ? put_safe_end : put_quantity)(o, q, r->digits);
    }
    if (res->adjacency != NULL)
        out_format(o, ", %s adjacency", res->adjacency);
    out_format(o, " [%s: %s]\n", row->theorem->id, dp_verdict_text(row->verdict));
}

/* Takes the text. */
static void put_threshold(out *o, char *text)
{
    if (text == NULL)
        o->failed = true;
    else
        out_text(o, text);
    memory_free(text);
}

static const char *audit_text(dp_decision holds)
{
    return holds == DP_YES  ? "is not refuted, which proves nothing about it"
           : holds == DP_NO ? "is refuted"
                            : "is not decided";
}

static void put_answer(out *o, const screen *s, const dp_check *c)
{
    if (c->is_audit || c->is_claim)
        out_text(o, c->is_audit ? audit_text(c->holds) : claim_text(c->holds));
    else if (c->holds == DP_NO)
        put_alarm(o, s, "does not hold");
    else
        out_text(o, c->holds == DP_YES ? "holds" : "is not decided");
    if (c->why != NULL)
        out_format(o, ": %s", c->why);
    out_char(o, '\n');
}

void text_asked(out *o, const report *r, const args *a)
{
    const dp_check *c = &r->result.check;
    if (c->is_curve) {
        out_text(o, "claim: the curve");
        return;
    }
    if (c->figure != NULL) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", c->is_audit ? "" : "max-", c->figure);
        out_format(o, "%s: %s <= ", c->is_audit ? "claim" : "check", c->figure);
        put_threshold(o, threshold_text(a, name, &c->max_figure));
        return;
    }
    out_text(o, c->is_claim || c->is_audit ? "claim: (" : "check: (");
    put_threshold(o, check_epsilon_text(a, c));
    out_text(o, ", ");
    put_threshold(o, threshold_text(a, "max-delta", &c->max_delta));
    out_text(o, ")-DP");
}

void text_check(out *o, const report *r, const args *a, const screen *s)
{
    text_asked(o, r, a);
    out_char(o, ' ');
    put_answer(o, s, &r->result.check);
}

static void put_exact(out *o, const mpq_t q)
{
    char *text = exact_text(q);
    if (text == NULL)
        o->failed = true;
    else
        out_text(o, text);
    memory_free(text);
}

/* The worst mechanisms: how many are at which (p, p'). */
static void text_worst(out *o, const dp_row *row)
{
    const char *before = "  worst case: ";
    for (size_t v = 0; v < 8; v++)
        if (row->worst[v] > 0) {
            out_format(o, "%s%zu at %s", before, row->worst[v], vertex_text(v));
            before = ", ";
        }
    if (before[0] == ',')
        out_char(o, '\n');
}

/* Values shown of a noise function; JSON and --plot-data have all of them. */
#define GAMMA_SHOWN 8

/* The noise functions, one after the other. */
static void text_gamma(out *o, const report *r, const screen *s)
{
    out line;
    out_init(&line);
    for (size_t i = 0; i < r->result.count; i++) {
        const dp_row *row = &r->result.row[i];
        if (row->gamma_count == 0)
            continue;
        line.used = 0;
        out_format(&line, "gamma of %s, %zu to %zu votes:", row->theorem->id, row->gamma_first,
                   row->gamma_first + row->gamma_count - 1);
        for (size_t l = 0; l < row->gamma_count && l < GAMMA_SHOWN; l++) {
            out_char(&line, ' ');
            put_exact(&line, row->gamma[l]);
        }
        if (row->gamma_count > GAMMA_SHOWN)
            out_format(&line, " ... (%zu more; --json has all)", row->gamma_count - GAMMA_SHOWN);
        out_char(&line, '\0');
        if (!line.failed) {
            out_char(o, '\n');
            put_wrapped(o, s->width, 0, 2, line.data);
        }
        text_worst(o, row);
    }
    o->failed = o->failed || line.failed;
    out_clear(&line);
}

/* What an answer takes. */
static void text_assumptions(out *o, const dp_result *res, const screen *s)
{
    if (res->assumptions == 0 || res->guarantee >= res->count)
        return;
    out_char(o, '\n');
    put_labelled(o, s->width, "assumed: ", res->row[res->guarantee].theorem->assumes);
    for (size_t i = 0; i < res->assumptions; i++)
        put_labelled(o, s->width, "assumed: ", res->assumption[i]);
}

/* What the budget has left, in words. */
static void text_remaining(out *o, const report *r, const args *a)
{
    const remaining *x = &r->remaining;
    const dp_check *c = &r->result.check;
    if (x->count >= 2) {
        out_text(o, "\nspent before:  epsilon = ");
        put_spent(o, &x->part[0], r->digits);
        out_text(o, " at delta = ");
        put_threshold(o, threshold_text(a, "max-delta", &c->max_delta));
        out_text(o, "; delta = ");
        put_spent(o, &x->part[1], r->digits);
        out_text(o, " at epsilon = ");
        put_threshold(o, check_epsilon_text(a, c));
        out_char(o, '\n');
    }
    const dp_figure *times = x->counted ? &x->times.figure : dp_result_figure(&r->result, "times");
    if (times != NULL && c->holds == DP_YES) {
        out_text(o, "it fits:       ");
        if (times->kind == DP_INFINITE)
            out_text(o, "any number of times\n");
        else {
            put_exact(o, times->rational);
            out_format(o, " time%s\n", mpq_cmp_ui(times->rational, 1, 1) == 0 ? "" : "s");
        }
    }
    if (x->count == 3) {
        out_text(o, "what is left:  one pure release of epsilon = ");
        put_spent(o, &x->part[2], r->digits);
        if (x->next_fits == DP_NO) {
            out_text(o, "; ");
            put_exact(o, x->next.rational);
            out_text(o, " is proved not to fit");
        }
        out_char(o, '\n');
    }
    if (x->nothing)
        out_text(o, "what is left:  nothing, not even a release of epsilon = 0\n");
}

void text_head(out *o, const report *r, const args *a, const screen *s)
{
    text_guarantee(o, r);
    if (r->result.check.asked)
        text_check(o, r, a, s);
}

void text_tail(out *o, const report *r, const args *a, const screen *s)
{
    const dp_result *res = &r->result;
    if (r->remaining.has)
        text_remaining(o, r, a);
    text_gamma(o, r, s);
    text_assumptions(o, res, s);
    if (res->notes > 0)
        out_char(o, '\n');
    for (size_t i = 0; i < res->notes; i++)
        put_labelled(o, s->width, "note: ", res->note[i]);
}

void report_text(out *o, const report *r, const args *a, const screen *s)
{
    if (r->has_state) { /* what the next question is asked with, or nothing */
        if (r->result.check.holds == DP_YES) {
            put_state(o, NULL, r, a);
            out_char(o, '\n');
        }
        return;
    }
    size_t start = o->used;
    text_head(o, r, a, s);
    if (o->used > start && (r->result.count > 0 || r->entries.has))
        out_char(o, '\n');
    if (r->result.count > 0)
        text_rows(o, r, s);
    if (r->entries.has)
        entries_text(o, r, a, s);
    text_tail(o, r, a, s);
}
