/* SPDX-License-Identifier: MIT */
/* The answers at the points of a range: one table, one list. */
#include "cli/series.h"

#include <stdio.h>
#include <string.h>

#include "cli/figures.h"
#include "cli/form_parts.h"
#include "cli/tables.h"
#include "num/memory.h"

bool series_shows(const report *r, const args *a, size_t row)
{
    bool one = r->result.guarantee < r->result.count && !args_flag(a, "all");
    return !one || row == r->result.guarantee;
}

/* A line of the table. */
typedef struct line {
    size_t at, row; /* of which answer; row == its count: there is none */
} line;

typedef struct lines {
    const series *x;
    size_t count;
    line *line;
    size_t figures;
    bool checked, kinds;
    const char *name[TEXT_COLUMNS];
} lines;

static void add_names(out *o, lines *l, const report *r)
{
    const char *name[TEXT_COLUMNS];
    size_t n = columns(o, r, name);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < l->figures && strcmp(l->name[k], name[i]) != 0)
            k++;
        if (k == TEXT_COLUMNS)
            o->failed = true;
        else if (k == l->figures && strcmp(name[i], option_key(l->x->a[0].range)) != 0)
            l->name[l->figures++] = name[i];
    }
}

static void lines_of(out *o, lines *l, const series *x)
{
    size_t room = 0;
    *l = (lines){.x = x};
    for (size_t i = 0; i < x->count; i++) {
        room += x->r[i].result.count + 1;
        add_names(o, l, &x->r[i]);
        l->checked = l->checked || x->r[i].result.check.asked;
        l->kinds = l->kinds || x->r[i].kinds != NULL;
    }
    l->line = memory_new(room, sizeof *l->line);
    o->failed = o->failed || l->line == NULL;
    for (size_t i = 0; i < x->count && l->line != NULL; i++) {
        size_t before = l->count;
        for (size_t k = 0; k < x->r[i].result.count; k++)
            if (series_shows(&x->r[i], &x->a[i], k))
                l->line[l->count++] = (line){i, k};
        if (l->count == before)
            l->line[l->count++] = (line){i, x->r[i].result.count};
    }
}

/* Holds, does not, or neither is known. */
static const char *check_word(const dp_check *c)
{
    return !c->asked ? "-" : c->holds == DP_YES ? "holds" : c->holds == DP_NO ? "fails" : "open";
}

enum { POINT, THEOREM, VERDICT, FIXED };

static void put_cell(out *o, const table *t, long at, size_t column)
{
    const lines *l = t->of;
    static const char *const fixed[] = {"", "theorem", "verdict"};
    bool check = column == FIXED + l->figures;
    if (at < 0) {
        out_text(o, column == POINT  ? l->x->a[0].range->of->name
                    : column < FIXED ? fixed[column]
                    : check          ? "check"
                                     : l->name[column - FIXED]);
        return;
    }
    const line *one = &l->line[at];
    const report *r = &l->x->r[one->at];
    const dp_row *row = one->row < r->result.count ? &r->result.row[one->row] : NULL;
    const char *name = column >= FIXED && !check ? l->name[column - FIXED] : NULL;
    if (column == POINT)
        out_text(o, l->x->a[one->at].point);
    else if (check)
        out_text(o, check_word(&r->result.check));
    else if (row == NULL)
        out_char(o, '-');
    else if (column == THEOREM)
        out_text(o, row->theorem->id);
    else if (column == VERDICT)
        out_text(o, row->verdict == DP_UNSOUND ? "UNSOUND" : dp_verdict_text(row->verdict));
    else if (name == r->kinds && row->count > 0)
        out_text(o, row->quantity[0].name);
    else { /* without the sentence that one answer has, of no figures of another count */
        const dp_quantity *q = cell(r, row, name);
        put_figure(o, r, shows(r, q) ? q : NULL);
    }
}

static void write_csv(out *o, const lines *l, char comma)
{
    const series *x = l->x;
    out_format(o, "%s%ctheorem%cverdict", option_key(x->a[0].range), comma, comma);
    for (size_t k = 0; k < l->figures; k++)
        if (l->kinds && k == 0)
            out_format(o, "%c%s", comma, l->name[k]);
        else
            out_format(o, "%c%s_lower%c%s_upper", comma, l->name[k], comma, l->name[k]);
    out_text(o, l->checked ? (comma == ',' ? ",holds\n" : "\tholds\n") : "\n");
    for (size_t i = 0; i < l->count; i++) {
        const report *r = &x->r[l->line[i].at];
        bool some = l->line[i].row < r->result.count;
        const dp_row *row = some ? &r->result.row[l->line[i].row] : NULL;
        out_format(o, "%s%c%s%c%s", x->a[l->line[i].at].point, comma, some ? row->theorem->id : "",
                   comma, some ? dp_verdict_text(row->verdict) : "");
        for (size_t k = 0; k < l->figures; k++)
            if (l->kinds && k == 0)
                out_format(o, "%c%s", comma, some && row->count > 0 ? row->quantity[0].name : "");
            else
                put_ends(o, r, some ? cell(r, row, l->name[k]) : NULL, comma);
        const dp_check *c = &r->result.check;
        if (l->checked)
            out_format(o, "%c%s", comma,
                       c->holds == DP_YES  ? "true"
                       : c->holds == DP_NO ? "false"
                                           : "");
        out_char(o, '\n');
    }
}

static void write_json(out *o, const series *x)
{
    for (size_t i = 0; i < x->count; i++) {
        out_char(o, i == 0 ? '[' : ',');
        out one;
        out_init(&one);
        report_json(&one, &x->r[i], &x->a[i], (json){0});
        o->failed = o->failed || one.failed;
        if (!one.failed)
            out_bytes(o, one.data, one.used - (i + 1 == x->count));
        out_clear(&one);
    }
    out_text(o, "]\n");
}

const char *series_form(const args *a)
{
    const value *form = args_value(a, "format");
    return args_flag(a, "json") ? "json" : form != NULL && form->text != NULL ? form->text : "text";
}

static bool is_form(const args *a, const char *name)
{
    return strcmp(series_form(a), name) == 0;
}

bool series_may(const args *a, fault *f)
{
    char where[80];
    if (a->range == NULL)
        return true;
    snprintf(where, sizeof where, "--%s", a->range->of->name);
    bool one = is_form(a, "statement") || is_form(a, "github") || is_form(a, "junit");
    bool read_once = a->operand != NULL && strcmp(a->operand, "-") == 0;
    if (one || args_flag(a, "by-entry"))
        fault_set(f, where, "is a range, whose answers are several; %s is about one",
                  one ? args_value(a, "format")->text : "--by-entry");
    else if (read_once)
        fault_set(f, where, "is a range, for which the ledger is read at each point; name a file");
    return !one && !read_once && !args_flag(a, "by-entry");
}

static bool has_note(const dp_result *r, const char *note)
{
    size_t i = 0;
    while (i < r->notes && strcmp(r->note[i], note) != 0)
        i++;
    return i < r->notes;
}

/* The notes that every point has: which entries, which groups. */
static void put_notes(out *o, const series *x, const screen *s)
{
    const dp_result *first = &x->r[0].result;
    bool begun = false;
    for (size_t i = 0; i < first->notes; i++) {
        size_t k = 1;
        while (k < x->count && has_note(&x->r[k].result, first->note[i]))
            k++;
        if (k < x->count)
            continue;
        if (!begun)
            out_char(o, '\n');
        begun = true;
        put_labelled(o, s->width, "note: ", first->note[i]);
    }
}

/* With the command and the notes, as one answer has them. */
static void write_paper(out *o, const table *t, const series *x)
{
    const args *a = &x->a[0];
    out notes;
    out_init(&notes);
    put_notes(&notes, x, &form_screen);
    if (is_form(a, "markdown")) {
        markdown_table(o, t, NULL);
        markdown_tail(o, &notes, a);
    } else {
        latex_head(o, a);
        latex_table(o, t, NULL);
        latex_tail(o, &notes);
    }
    out_clear(&notes);
}

void series_write(out *o, const series *x, const screen *s)
{
    lines l;
    if (is_form(&x->a[0], "json")) {
        write_json(o, x);
        return;
    }
    lines_of(o, &l, x);
    const table t = {.of = &l,
                     .lines = l.count,
                     .columns = FIXED + l.figures + l.checked,
                     .texts = FIXED,
                     .cell = put_cell};
    if (is_form(&x->a[0], "csv") || is_form(&x->a[0], "tsv"))
        write_csv(o, &l, is_form(&x->a[0], "csv") ? ',' : '\t');
    else if (is_form(&x->a[0], "markdown") || is_form(&x->a[0], "latex"))
        write_paper(o, &t, x);
    else {
        put_table(o, &t, s);
        put_notes(o, x, s);
    }
    memory_free(l.line);
}
