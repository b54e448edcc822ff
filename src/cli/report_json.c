/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/escape.h"
#include "cli/report.h"
#include "num/decimal.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"
#include "json/read.h"
#include "json/write.h"

/* More digits than a double has. */
#define SOLVED_DIGITS 40

/* A quantity as text, made once though the guarantee repeats its row. */
typedef struct shown {
    const char *name;
    bool is_solved;
    char bare[DEC_JSON_SIZE + 1]; /* a double at the safe end */
    char key[40];                 /* the name with _enclosure, or _exact */
    char *text[2];                /* the two ends; a solved parameter is one exact number */
} shown;

static char *decimal_text(const dec *d)
{
    if (d->infinite)
        return memory_copy(d->sign < 0 ? "-Infinity" : "Infinity");
    char *text = memory_new(dec_size(d) + 1, 1);
    if (text != NULL)
        text[dec_print(text, d)] = '\0';
    return text;
}

static bool show(shown *s, const dp_quantity *q, size_t digits)
{
    *s = (shown){.name = q->name, .is_solved = q->is_solved};
    snprintf(s->key, sizeof s->key, "%s_%s", q->name, q->is_solved ? "exact" : "enclosure");
    if (q->is_solved) {
        dec d;
        dec_init(&d);
        bool fine = dec_set_figure(&d, &q->figure, q->safe, SOLVED_DIGITS);
        s->text[0] = d.infinite ? decimal_text(&d) : solved_text(&q->figure, digits);
        s->bare[dec_print_json(s->bare, &d, q->safe)] = '\0';
        dec_clear(&d);
        return fine && s->text[0] != NULL;
    }
    bool ok = true;
    for (int end = DP_LOWER; end <= DP_UPPER; end++) {
        dec d;
        dec_init(&d);
        ok = dec_set_figure(&d, &q->figure, (dp_end)end, digits) && ok;
        s->text[end] = decimal_text(&d);
        if ((dp_end)end == q->safe)
            s->bare[dec_print_json(s->bare, &d, q->safe)] = '\0';
        dec_clear(&d);
    }
    return ok && s->text[0] != NULL && s->text[1] != NULL;
}

/* Keeps pointers into `s`, which must outlive the document. */
static void add_quantities(cJSON *to, const shown *s, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_add_number(to, s[i].name, s[i].bare);
        if (s[i].is_solved)
            json_add_static(to, s[i].key, s[i].text[0]);
    }
    for (size_t i = 0; i < count; i++) {
        if (s[i].is_solved)
            continue;
        cJSON *ends = json_add_array(to, s[i].key);
        json_add_static(ends, NULL, s[i].text[DP_LOWER]);
        json_add_static(ends, NULL, s[i].text[DP_UPPER]);
    }
}

static void add_theorem(cJSON *to, const dp_row *row)
{
    json_add_static(to, "theorem", row->theorem->id);
    json_add_static(to, "verdict", dp_verdict_text(row->verdict));
    if (row->vacuous)
        json_add_bool(to, "vacuous", true);
    if (row->design == NULL)
        return;
    json_add_static(to, "design", row->design);
    cJSON *gamma = json_add_array(to, "gamma");
    for (size_t l = 0; l < row->gamma_count; l++) {
        char *text = exact_text(row->gamma[l]);
        json_add_text(gamma, NULL, text != NULL ? text : "");
        memory_free(text);
    }
    cJSON *worst = json_add_object(to, "worst");
    for (size_t v = 0; v < 8; v++)
        if (row->worst[v] > 0) {
            char count[24];
            snprintf(count, sizeof count, "%zu", row->worst[v]);
            json_add_text(worst, vertex_text(v), count);
        }
}

/* "guarantee", the row that decides, and "results", all rows. */
static bool add_rows(cJSON *to, const dp_result *res, shown *s, size_t digits)
{
    bool ok = true;
    cJSON *guarantee = NULL;
    if (res->guarantee < res->count)
        guarantee = json_add_object(to, "guarantee");
    else
        json_add_null(to, "guarantee");
    cJSON *rows = json_add_array(to, "results");
    for (size_t i = 0; i < res->count; i++) {
        const dp_row *row = &res->row[i];
        shown *own = s + i * DP_ROW_QUANTITIES;
        for (size_t k = 0; k < row->count; k++)
            ok = show(&own[k], &row->quantity[k], digits) && ok;
        cJSON *object = json_add_object(rows, NULL);
        add_theorem(object, row);
        if (ok)
            add_quantities(object, own, row->count);
        if (ok && i == res->guarantee) {
            add_quantities(guarantee, own, row->count);
            add_theorem(guarantee, row);
        }
    }
    return ok;
}

/* The numbers of a list as they were given. */
static void add_list(cJSON *to, const value *v)
{
    cJSON *list = json_add_array(to, option_key(v->option));
    for (const char *p = v->text; p != NULL;) {
        size_t n = strcspn(p, ",");
        char *one = memory_text(p, n);
        json_add_text(list, NULL, one != NULL ? one : "");
        memory_free(one);
        p = p[n] == ',' ? p + n + 1 : NULL;
    }
}

/* Every parameter in force, as exact texts. */
static void add_values(cJSON *to, const args *a)
{
    for (size_t i = 0; i < a->count; i++) {
        const value *v = &a->values[i];
        if (v->text == NULL || v->option->role != ROLE_PARAMETER)
            continue;
        if (v->option->kind == KIND_FLAG)
            json_add_bool(to, option_key(v->option), true);
        else if (v->option->kind == KIND_LIST || v->option->kind == KIND_LIST_FILE)
            add_list(to, v);
        else
            json_add_text(to, option_key(v->option), v->text);
    }
}

/* The fields of a mechanism that a command describes, read once more. */
static void add_described(cJSON *to, const item *it, size_t index)
{
    const char *type = json_text(cJSON_GetObjectItemCaseSensitive(it->source, "mechanism"));
    fault f = {0};
    args own;
    json_add_static(to, "mechanism", type);
    if (args_init(&own, command_find(type)) && args_read_described(&own, it, index, &f))
        add_values(to, &own);
    args_clear(&own);
}

static void add_items(cJSON *to, const args *a)
{
    cJSON *list = json_add_array(to, "mechanisms");
    for (size_t i = 0; i < a->item_count; i++) {
        const item *it = &a->items[i];
        cJSON *entry = json_add_object(list, NULL);
        if (it->name != NULL)
            json_add_static(entry, "name", it->name);
        if (it->source != NULL) {
            add_described(entry, it, i + 1);
        } else {
            json_add_static(entry, "epsilon", it->epsilon);
            json_add_static(entry, "delta", it->delta != NULL ? it->delta : "0");
        }
        json_add_static(entry, "times", it->times != NULL ? it->times : "1");
    }
}

static void add_input(cJSON *to, const args *a)
{
    cJSON *input = json_add_object(to, "input");
    if (a->item_count > 0)
        add_items(input, a);
    add_values(input, a);
}

/* Takes the text. False when out of memory. */
static bool add_threshold(cJSON *to, const char *key, char *text)
{
    bool ok = text != NULL;
    if (ok)
        json_add_text(to, key, text);
    memory_free(text);
    return ok;
}

/* A budget, times the factor where there is one, as a JSON number that is not above it, with as
 * many digits as doubles have. */
static void add_budget(cJSON *to, const char *key, const dp_number *x, mpq_srcptr factor)
{
    dec d;
    dec_init(&d);
    dp_figure f;
    dp_figure_init(&f);
    mpfi_set_prec(f.enclosure, 128);
    ival_set_number(f.enclosure, x);
    if (factor != NULL)
        mpfi_mul_q(f.enclosure, f.enclosure, factor);
    if (!x->is_log) {
        f.kind = DP_RATIONAL;
        mpq_set(f.rational, number_rational(x));
    }
    bool ok = dec_set_figure(&d, &f, DP_LOWER, 17);
    char *text = ok && d.point <= 308 ? decimal_text(&d) : NULL;
    json_add_number(to, key, text != NULL ? text : "1.7976931348623157e308");
    memory_free(text);
    dp_figure_clear(&f);
    dec_clear(&d);
}

static void add_answer(cJSON *to, const dp_check *c)
{
    if (c->holds == DP_UNKNOWN)
        json_add_null(to, "holds");
    else
        json_add_bool(to, "holds", c->holds == DP_YES);
}

static bool add_check(cJSON *to, const report *r, const args *a)
{
    const dp_check *c = &r->result.check;
    if (!c->asked)
        return json_add_null(to, "check") != NULL;
    cJSON *check = json_add_object(to, "check");
    add_answer(check, c);
    add_budget(check, "max_epsilon", &c->max_epsilon, c->factor);
    bool ok = add_threshold(check, "max_epsilon_exact", check_epsilon_text(a, c));
    add_budget(check, "max_delta", &c->max_delta, NULL);
    ok = add_threshold(check, "max_delta_exact", threshold_text(a, "max-delta", &c->max_delta)) &&
         ok;
    if (c->why != NULL)
        json_add_static(check, "why", c->why);
    if (!c->is_claim)
        return ok;
    cJSON *claim = json_add_object(to, "claim");
    ok = add_threshold(claim, "epsilon", check_epsilon_text(a, c)) && ok;
    ok = add_threshold(claim, "delta", threshold_text(a, "max-delta", &c->max_delta)) && ok;
    json_add_static(claim, "verdict", claim_text(c->holds));
    add_answer(claim, c);
    return ok;
}

static void add_texts(cJSON *to, const char *key, const char *const *text, size_t count)
{
    cJSON *list = json_add_array(to, key);
    for (size_t i = 0; i < count; i++)
        json_add_static(list, NULL, text[i]);
}

void report_json(out *o, const report *r, const args *a, cJSON *id)
{
    const dp_result *res = &r->result;
    cJSON *top = cJSON_CreateObject();
    json_add_static(top, "schema", "dpacct/1");
    json_add_static(top, "version", DPACCT_VERSION);
    json_add_static(top, "command", a->command->name);
    if (id != NULL)
        json_add_parsed(top, "id", id);
    add_input(top, a);
    if (res->adjacency != NULL)
        json_add_static(top, "adjacency", res->adjacency);
    size_t count = res->count * DP_ROW_QUANTITIES;
    shown *s = memory_zero(count + 1, sizeof *s);
    bool ok = s != NULL && add_rows(top, res, s, r->digits);
    ok = add_check(top, r, a) && ok;
    add_texts(top, "warnings", res->warning, res->warnings);
    add_texts(top, "notes", res->note, res->notes);
    char *text = ok ? json_print(top) : NULL;
    if (text == NULL)
        o->failed = true;
    else
        escape_json(o, text);
    out_char(o, '\n');
    cJSON_free(text);
    cJSON_Delete(top);
    for (size_t i = 0; s != NULL && i < count; i++) {
        memory_free(s[i].text[0]);
        memory_free(s[i].text[1]);
    }
    memory_free(s);
}
