/* SPDX-License-Identifier: MIT */
/* The answer as a statement for a report: what is guaranteed, to whom, on what it rests and what it
 * takes, how to see it again. Each paragraph is one line. */
#include <string.h>

#include "cli/citation.h"
#include "cli/figures.h"
#include "cli/form_parts.h"
#include "cli/forms.h"
#include "cli/text.h"
#include "core/quantity.h"
#include "core/refine.h"
#include "num/number.h"

/* A quantity with the side on which the truth is. */
static void put_bounded(out *o, const dp_quantity *q, size_t digits)
{
    out_text(o, q->name);
    bool exact = q->is_solved || q->figure.kind == DP_RATIONAL;
    bool open = !refine_agrees(&q->figure, digits) && !has_safe_end(q);
    out_text(o, exact                 ? " is "
                : open                ? " is within "
                : q->safe == DP_UPPER ? " is at most "
                                      : " is at least ");
    (open ? put_quantity : put_safe_end)(o, q, digits);
}

static bool is_pair(const dp_row *row)
{
    return row->count >= 2 && strcmp(row->quantity[0].name, "epsilon") == 0 &&
           strcmp(row->quantity[1].name, "delta") == 0;
}

/* The figures of a row in words. */
static void put_row(out *o, const report *r, const dp_row *row)
{
    size_t first = 0;
    if (is_pair(row)) {
        out_char(o, '(');
        put_safe_end(o, &row->quantity[0], r->digits);
        out_text(o, ", ");
        put_safe_end(o, &row->quantity[1], r->digits);
        out_text(o, ")-differential privacy");
        first = 2;
    }
    for (size_t i = first; i < row->count; i++) {
        if (r->none != NULL && quantity_is_none(&row->quantity[i]))
            continue;
        out_text(o, i == 0 ? "" : i == first ? "; " : ", ");
        put_bounded(o, &row->quantity[i], r->digits);
    }
    if (row->vacuous)
        out_text(o, ", which says nothing");
}

static void put_unit(out *o, const report *r, const args *a)
{
    const char *relation = r->result.adjacency;
    mpz_srcptr size = number_integer(args_number(a, "group-size"));
    bool group = size != NULL && mpz_cmp_ui(size, 1) > 0;
    if (relation == NULL) {
        out_text(o, " Unit of privacy and neighbouring relation are those of the guarantees that "
                    "it is made from.");
        return;
    }
    bool replaced = strcmp(relation, dp_relation_text(DP_REPLACE_ONE)) == 0;
    if (group) {
        const char *given = args_value(a, "group-size")->text;
        out_format(
            o,
            " The unit of privacy is a group of up to %s records: data sets are neighbours "
            "if they differ in %s up to %s records (%s). That is what holds for a person who "
            "contributes up to %s records; who contributes more is protected by less.",
            given, replaced ? "the values of" : "the presence of", given, relation, given);
        return;
    }
    out_format(o,
               " The unit of privacy is one record: data sets are neighbours if they differ in "
               "the %s of one record (%s); people who contribute several records are protected "
               "by less%s.",
               replaced ? "value" : "presence", relation,
               size != NULL ? ": --group-size says by how much" : "");
}

/* Are all figures shown to the digits that were asked for? */
static bool is_known(const dp_row *row, size_t digits)
{
    bool known = true;
    for (size_t i = 0; known && i < row->count; i++)
        known = refine_agrees(&row->quantity[i].figure, digits);
    return known;
}

static const char *verdict_meaning(dp_verdict verdict, bool known)
{
    switch (verdict) {
    case DP_EXACT:
        return known ? "exact: no smaller value is possible under these assumptions"
                     : "the bound is exact, and was computed up to a limit only: a smaller value "
                       "may be possible";
    case DP_PROVED:
        return "proved: sound, and possibly loose";
    case DP_PER_INSTANCE:
        return "per instance: about the actual data only, no differential privacy, and not to be "
               "published";
    case DP_UNSOUND:
        break;
    }
    return "unsound: as published it fails";
}

static void put_guarantee(out *o, const report *r, const args *a)
{
    const dp_result *res = &r->result;
    const dp_row *row = &res->row[res->guarantee];
    if (r->none != NULL)
        out_format(o, "Not even %s = 1 is %s the budget; what follows is of %s = 1. ", r->none,
                   res->check.holds == DP_NO ? "within" : "proved to be within", r->none);
    if (is_pair(row) && !has_safe_end(&row->quantity[0]))
        out_text(o, "No finite epsilon is proved: ");
    else if (res->is_finding)
        out_text(o, "The outcomes of an attack show that ");
    else if (row->verdict == DP_PER_INSTANCE)
        out_text(o, "Of the actual data and its neighbours alone is proved: ");
    else if (r->has_state && res->check.holds != DP_YES)
        out_text(o, "Without what is refused, all that is released satisfies ");
    else
        out_text(o, is_pair(row) ? "The release satisfies " : "It is proved that ");
    put_row(o, r, row);
    out_text(o, res->is_finding ? "; this is a finding, and guarantees nothing." : ".");
    put_unit(o, r, a);
    out_char(o, '\n');
}

/* Rows without one that decides: all that may be relied on. */
static void put_rows(out *o, const report *r, const args *a)
{
    size_t sound = 0;
    for (size_t i = 0; i < r->result.count; i++) {
        const dp_row *row = &r->result.row[i];
        if (row->verdict == DP_UNSOUND || row->verdict == DP_PER_INSTANCE)
            continue; /* no differential privacy */
        if (r->has_state && !is_pair(row))
            continue; /* a filter beyond its budget promises nothing */
        out_text(o, sound++ > 0 ? "; " : "Each of these is proved: ");
        if (r->kinds != NULL && row->count > 0)
            out_format(o, "%s: ", row->theorem->id);
        put_row(o, r, row);
    }
    out_text(o, sound > 0 ? "." : "No guarantee is proved.");
    if (sound > 0)
        put_unit(o, r, a);
    out_char(o, '\n');
}

/* Longer lists are those of the command line, or of its files. */
#define LONG_TEXT 200

/* The options that make the question. */
static void put_parameters(out *o, const args *a)
{
    const char *before = "Parameters: ";
    for (size_t i = 0; i < a->count; i++) {
        const value *v = &a->values[i];
        if (v->text == NULL || a->command->options[i].role != ROLE_PARAMETER ||
            strlen(v->text) > LONG_TEXT)
            continue;
        out_format(o, "%s%s", before, v->of->name);
        if (v->of->kind != KIND_FLAG)
            out_format(o, " %s", v->text);
        before = ", ";
    }
    if (a->item_count > 0) {
        size_t left = 0;
        for (size_t i = 0; i < a->item_count; i++)
            left += a->items[i].left_out;
        out_format(o, "%sa list of %zu %s", before, a->item_count - left,
                   a->item_count - left == 1 ? "entry" : "entries");
        if (left > 0)
            out_format(o, ", those of some days alone, %zu left out", left);
        before = ", ";
    }
    out_text(o, before[0] == ',' ? ".\n" : "");
}

/* One theorem: what it says, takes, and where it stands. */
static void put_theorem(out *o, const dp_row *row, size_t digits)
{
    const dp_theorem *t = row->theorem;
    out_format(o, "Theorem %s (%s): %s. Assumptions: %s. Source: %s.\n", t->id,
               verdict_meaning(row->verdict, is_known(row, digits)), t->statement, t->assumes,
               t->source);
    const char *source = t->source;
    for (const work *w; (w = work_cited(&source)) != NULL;) {
        out_text(o, "Reference: ");
        put_reference(o, w);
        out_text(o, ".\n");
    }
}

/* Each theorem of the rows once. */
static void put_theorems(out *o, const dp_result *res, size_t digits)
{
    if (res->guarantee < res->count) {
        put_theorem(o, &res->row[res->guarantee], digits);
        return;
    }
    for (size_t i = 0; i < res->count; i++) {
        size_t j = 0;
        while (j < i && res->row[j].theorem != res->row[i].theorem)
            j++;
        if (j == i && res->row[i].verdict != DP_UNSOUND)
            put_theorem(o, &res->row[i], digits);
    }
}

void form_statement(out *o, const report *r, const args *a)
{
    const dp_result *res = &r->result;
    if (res->guarantee < res->count)
        put_guarantee(o, r, a);
    else
        put_rows(o, r, a);
    put_parameters(o, a);
    if (res->check.asked) {
        out check;
        out_init(&check);
        text_check(&check, r, a, &form_screen);
        const char *line = form_lines(&check);
        out_format(o, "C%s.\n", line[0] != '\0' ? line + 1 : ""); /* check, claim */
        o->failed = o->failed || check.failed;
        out_clear(&check);
    }
    put_theorems(o, res, r->digits);
    for (size_t i = 0; i < res->assumptions; i++)
        out_format(o, "Assumed: %s.\n", res->assumption[i]);
    for (size_t i = 0; i < res->warnings; i++)
        out_format(o, "Warning: %s.\n", res->warning[i]);
    for (size_t i = 0; i < res->notes; i++)
        out_format(o, "Note: %s.\n", res->note[i]);
    out_format(o,
               "Computed with dpacct %s, whose figures are proved and rounded to the safe side: ",
               DPACCT_VERSION);
    put_question(o, a);
    out_text(o, "\n");
}
