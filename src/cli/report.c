/* SPDX-License-Identifier: MIT */
/* Answers as text and CSV. */
#include "cli/report.h"

#include <stdio.h>
#include <string.h>

#include "core/refine.h"
#include "num/decimal.h"
#include "num/memory.h"
#include "num/number.h"

void report_init(report *r)
{
    memset(r, 0, sizeof *r);
    dp_result_init(&r->result);
    r->digits = 10;
}

void report_clear(report *r)
{
    dp_result_clear(&r->result);
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

void report_fault(const report *r, const args *a, fault *f)
{
    char where[80] = "";
    const option *o = r->error.argument != NULL ? option_find(a->command, r->error.argument) : NULL;
    if (o != NULL)
        snprintf(where, sizeof where, "--%s", o->name);
    else if (r->error.argument != NULL)
        snprintf(where, sizeof where, "%s", r->error.argument);
    fault_set(f, where, "%s", r->error.message);
}

static void put_decimal(out *o, const dp_figure *x, dp_end end, size_t digits)
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

/* A solved parameter is exact; a figure shows its safe end, or both ends when they do not agree. */
static void put_quantity(out *o, const dp_quantity *q, size_t digits)
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

#define TEXT_COLUMNS 14

/* The distinct quantity names of all rows, in order of first use; more than fit are refused. */
static size_t columns(out *o, const dp_result *res, const char **name)
{
    size_t n = 0;
    for (size_t i = 0; i < res->count; i++)
        for (size_t j = 0; j < res->row[i].count; j++) {
            size_t k = 0;
            while (k < n && strcmp(name[k], res->row[i].quantity[j].name) != 0)
                k++;
            if (k == TEXT_COLUMNS)
                o->failed = true;
            else if (k == n)
                name[n++] = res->row[i].quantity[j].name;
        }
    return n;
}

static const dp_quantity *cell(const dp_row *row, const char *name)
{
    for (size_t j = 0; j < row->count; j++)
        if (strcmp(row->quantity[j].name, name) == 0)
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
    else if (cell(row, name[column - 2]) != NULL)
        put_quantity(o, cell(row, name[column - 2]), r->digits);
    else
        out_char(o, '-');
}

static void text_rows(out *o, const report *r)
{
    const char *name[TEXT_COLUMNS];
    size_t n = columns(o, &r->result, name) + 2, width[TEXT_COLUMNS + 2] = {0};
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
    const value *v = args_value(a, name), *claim = args_value(a, "claim");
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

const char *claim_text(dp_decision holds)
{
    return holds == DP_YES ? "proved" : holds == DP_NO ? "refuted" : "undecided";
}

static void text_check(out *o, const report *r, const args *a)
{
    const dp_check *c = &r->result.check;
    out_text(o, c->is_claim ? "claim: (" : "check: (");
    put_threshold(o, check_epsilon_text(a, c));
    out_text(o, ", ");
    put_threshold(o, threshold_text(a, "max-delta", &c->max_delta));
    out_format(o, ")-DP %s", c->is_claim ? claim_text(c->holds) : answer_text(c->holds));
    if (c->why != NULL)
        out_format(o, ": %s", c->why);
    out_char(o, '\n');
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

static void put_exact(out *o, const mpq_t q)
{
    char *text = exact_text(q);
    if (text == NULL)
        o->failed = true;
    else
        out_text(o, text);
    memory_free(text);
}

const char *vertex_text(size_t vertex)
{
    static const char *const text[] = {"(0, 0)", "(1, 1)", "(delta, 0)",     "(0, delta)",
                                       "(c, d)", "(d, c)", "(1, 1 - delta)", "(1 - delta, 1)"};
    return text[vertex];
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

void report_plot(out *o, const report *r)
{
    size_t voters = 0;
    out_text(o, "votes");
    for (size_t i = 0; i < r->result.count; i++) {
        const dp_row *row = &r->result.row[i];
        if (row->gamma_count == 0)
            continue;
        out_format(o, ",%s", row->theorem->id);
        voters = row->gamma_first + row->gamma_count - 1;
    }
    out_char(o, '\n');
    for (size_t l = 0; l <= voters; l++) {
        out_format(o, "%zu", l);
        for (size_t i = 0; i < r->result.count; i++) {
            const dp_row *row = &r->result.row[i];
            if (row->gamma_count == 0)
                continue;
            size_t at = l >= row->gamma_first ? l : voters - l;
            dp_figure f = {.kind = DP_RATIONAL};
            *f.rational = *row->gamma[at - row->gamma_first];
            out_char(o, ',');
            put_decimal(o, &f, DP_LOWER, r->digits);
        }
        out_char(o, '\n');
    }
}

void report_text(out *o, const report *r, const args *a)
{
    const dp_result *res = &r->result;
    size_t start = o->used;
    text_guarantee(o, r);
    if (res->check.asked)
        text_check(o, r, a);
    if (o->used > start)
        out_char(o, '\n');
    text_rows(o, r);
    text_gamma(o, r);
    for (size_t i = 0; i < res->notes; i++)
        out_format(o, "%snote: %s\n", i == 0 ? "\n" : "", res->note[i]);
}

void report_csv(out *o, const report *r)
{
    const char *name[TEXT_COLUMNS];
    size_t n = columns(o, &r->result, name);
    out_text(o, "theorem,verdict");
    for (size_t c = 0; c < n; c++)
        out_format(o, ",%s_lower,%s_upper", name[c], name[c]);
    out_char(o, '\n');
    for (size_t i = 0; i < r->result.count; i++) {
        const dp_row *row = &r->result.row[i];
        out_format(o, "%s,%s", row->theorem->id, dp_verdict_text(row->verdict));
        for (size_t c = 0; c < n; c++) {
            const dp_quantity *q = cell(row, name[c]);
            for (int end = DP_LOWER; end <= DP_UPPER; end++) {
                out_char(o, ',');
                if (q != NULL && q->is_solved)
                    put_quantity(o, q, r->digits);
                else if (q != NULL)
                    put_decimal(o, &q->figure, (dp_end)end, r->digits);
            }
        }
        out_char(o, '\n');
    }
}
