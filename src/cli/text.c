/* SPDX-License-Identifier: MIT */
/* Answers as text. */
#include "cli/text.h"

#include <stdio.h>
#include <string.h>

#include "core/refine.h"
#include "num/decimal.h"
#include "num/memory.h"

void put_decimal(out *o, const dp_figure *x, dp_end end, size_t digits)
{
    dec d;
    dec_init(&d);
    if (!dec_set_figure(&d, x, end, digits))
        o->failed = true;
    char *at = out_reserve(o, dec_size(&d));
    if (at != NULL)
        out_grow(o, dec_print(at, &d));
    dec_clear(&d);
}

/* A solved parameter is exact; a figure shows its safe end, or both ends when they do not agree. */
void put_quantity(out *o, const dp_quantity *q, size_t digits)
{
    if (q->is_solved && q->figure.kind == DP_INFINITE)
        out_text(o, "any");
    else if (q->is_solved) {
        char *text = solved_text(&q->figure, digits);
        if (text == NULL)
            o->failed = true;
        else
            out_text(o, text);
        memory_free(text);
    } else if (refine_agrees(&q->figure, digits)) {
        put_decimal(o, &q->figure, q->safe, digits);
    } else {
        out_char(o, '[');
        put_decimal(o, &q->figure, DP_LOWER, digits);
        out_text(o, ", ");
        put_decimal(o, &q->figure, DP_UPPER, digits);
        out_char(o, ']');
    }
}

static void text_guarantee(out *o, const report *r)
{
    const dp_result *res = &r->result;
    if (res->guarantee >= res->count)
        return;
    const dp_row *row = &res->row[res->guarantee];
    if (res->is_finding)
        out_text(o, "finding: ");
    bool pair = row->count >= 2 && strcmp(row->quantity[0].name, "epsilon") == 0 &&
                strcmp(row->quantity[1].name, "delta") == 0;
    if (pair) {
        out_char(o, '(');
        put_quantity(o, &row->quantity[0], r->digits);
        out_text(o, ", ");
        put_quantity(o, &row->quantity[1], r->digits);
        out_text(o, ")-DP");
    }
    for (size_t i = pair ? 2 : 0; i < row->count; i++) {
        out_text(o, i == 0 ? "" : ", ");
        out_text(o, row->quantity[i].name);
        out_text(o, " = ");
        put_quantity(o, &row->quantity[i], r->digits);
    }
    if (res->adjacency != NULL)
        out_format(o, ", %s adjacency", res->adjacency);
    out_format(o, " [%s: %s]\n", row->theorem->id, dp_verdict_text(row->verdict));
}

size_t columns(out *o, const report *r, const char **name)
{
    const dp_result *res = &r->result;
    size_t n = 0;
    if (r->kinds != NULL)
        name[n++] = r->kinds;
    for (size_t i = 0; i < res->count; i++)
        for (size_t j = 0; j < res->row[i].count; j++) {
            size_t k = 0;
            const char *own = figure_name(r, &res->row[i], j);
            while (k < n && strcmp(name[k], own) != 0)
                k++;
            if (k == TEXT_COLUMNS)
                o->failed = true;
            else if (k == n)
                name[n++] = own;
        }
    return n;
}

const dp_quantity *cell(const report *r, const dp_row *row, const char *name)
{
    for (size_t j = 0; j < row->count; j++)
        if (strcmp(figure_name(r, row, j), name) == 0)
            return &row->quantity[j];
    return NULL;
}

/* Line -1 is the heading; column 0 and 1 are theorem and verdict. */
static void put_cell(out *o, const report *r, long line, size_t column, const char *const *name)
{
    static const char *const fixed[] = {"theorem", "verdict"};
    if (line < 0) {
        out_text(o, column < 2 ? fixed[column] : name[column - 2]);
        return;
    }
    const dp_row *row = &r->result.row[line];
    if (column == 0)
        out_text(o, row->theorem->id);
    else if (column == 1)
        out_text(o, row->verdict == DP_UNSOUND ? "UNSOUND" : dp_verdict_text(row->verdict));
    else if (row->vacuous && column == 2)
        out_text(o, "vacuous");
    else if (name[column - 2] == r->kinds && row->count > 0)
        out_text(o, row->quantity[0].name);
    else if (cell(r, row, name[column - 2]) != NULL)
        put_quantity(o, cell(r, row, name[column - 2]), r->digits);
    else
        out_char(o, '-');
}

static void text_rows(out *o, const report *r)
{
    const char *name[TEXT_COLUMNS];
    size_t n = columns(o, r, name) + 2, width[TEXT_COLUMNS + 2] = {0};
    size_t start = o->used;
    for (int pass = 0; pass < 2; pass++) {
        o->used = start; /* the first pass only measures */
        for (long line = -1; line < (long)r->result.count; line++)
            for (size_t c = 0; c < n; c++) {
                size_t before = o->used;
                put_cell(o, r, line, c, name);
                size_t length = o->used - before;
                if (pass == 0 && length > width[c])
                    width[c] = length;
                if (pass == 1 && c + 1 < n)
                    out_pad(o, width[c] - length + 2);
                if (c + 1 == n)
                    out_char(o, '\n');
            }
    }
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

static const char *answer_text(dp_decision holds)
{
    return holds == DP_YES ? "holds" : holds == DP_NO ? "does not hold" : "is not decided";
}

static const char *audit_text(dp_decision holds)
{
    return holds == DP_YES  ? "is not refuted, which proves nothing about it"
           : holds == DP_NO ? "is refuted"
                            : "is not decided";
}

static void text_check(out *o, const report *r, const args *a)
{
    const dp_check *c = &r->result.check;
    if (c->figure != NULL) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", c->is_audit ? "" : "max-", c->figure);
        out_format(o, "%s: %s <= ", c->is_audit ? "claim" : "check", c->figure);
        put_threshold(o, threshold_text(a, name, &c->max_figure));
        out_format(o, " %s%s%s\n", c->is_audit ? audit_text(c->holds) : answer_text(c->holds),
                   c->why != NULL ? ": " : "", c->why != NULL ? c->why : "");
        return;
    }
    out_text(o, c->is_claim || c->is_audit ? "claim: (" : "check: (");
    put_threshold(o, check_epsilon_text(a, c));
    out_text(o, ", ");
    put_threshold(o, threshold_text(a, "max-delta", &c->max_delta));
    out_format(o, ")-DP %s",
               c->is_audit   ? audit_text(c->holds)
               : c->is_claim ? claim_text(c->holds)
                             : answer_text(c->holds));
    if (c->why != NULL)
        out_format(o, ": %s", c->why);
    out_char(o, '\n');
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

/* The noise functions, one after the other. */
static void text_gamma(out *o, const report *r)
{
    for (size_t i = 0; i < r->result.count; i++) {
        const dp_row *row = &r->result.row[i];
        if (row->gamma_count == 0)
            continue;
        out_format(o, "\ngamma of %s, %zu to %zu votes:", row->theorem->id, row->gamma_first,
                   row->gamma_first + row->gamma_count - 1);
        for (size_t l = 0; l < row->gamma_count; l++) {
            out_char(o, ' ');
            put_exact(o, row->gamma[l]);
        }
        out_char(o, '\n');
        text_worst(o, row);
    }
}

/* What a finding takes. */
static void text_assumptions(out *o, const dp_result *res)
{
    if (!res->is_finding || res->guarantee >= res->count)
        return;
    out_format(o, "\nassumed: %s\n", res->row[res->guarantee].theorem->assumes);
    for (size_t i = 0; i < res->assumptions; i++)
        out_format(o, "assumed: %s\n", res->assumption[i]);
}

static void put_end(out *o, const dp_quantity *q, size_t digits)
{
    dec d;
    dec_init(&d);
    if (!dec_set_figure(&d, &q->figure, q->safe, digits))
        o->failed = true;
    else if (d.infinite)
        out_text(o, "infinite");
    else
        out_grow(o, dec_print(out_reserve(o, dec_size(&d)), &d));
    dec_clear(&d);
}

/* What the budget has left, in words. */
static void text_remaining(out *o, const report *r, const args *a)
{
    const remaining *x = &r->remaining;
    const dp_check *c = &r->result.check;
    if (x->count >= 2) {
        out_text(o, "\nspent before:  epsilon = ");
        put_end(o, &x->part[0], r->digits);
        out_text(o, " at delta = ");
        put_threshold(o, threshold_text(a, "max-delta", &c->max_delta));
        out_text(o, "; delta = ");
        put_end(o, &x->part[1], r->digits);
        out_text(o, " at epsilon = ");
        put_threshold(o, check_epsilon_text(a, c));
        out_char(o, '\n');
    }
    const dp_figure *times = dp_result_figure(&r->result, "times");
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
        put_end(o, &x->part[2], r->digits);
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

void report_text(out *o, const report *r, const args *a)
{
    const dp_result *res = &r->result;
    if (r->has_state) { /* what the next question is asked with, or nothing */
        if (res->check.holds == DP_YES) {
            put_state(o, NULL, r, a);
            out_char(o, '\n');
        }
        return;
    }
    size_t start = o->used;
    text_guarantee(o, r);
    if (res->check.asked)
        text_check(o, r, a);
    if (o->used > start)
        out_char(o, '\n');
    if (res->count > 0)
        text_rows(o, r);
    if (r->remaining.has)
        text_remaining(o, r, a);
    text_gamma(o, r);
    text_assumptions(o, res);
    for (size_t i = 0; i < res->notes; i++)
        out_format(o, "%snote: %s\n", i == 0 ? "\n" : "", res->note[i]);
}
