/* SPDX-License-Identifier: MIT */
/* Answers as JSON. */
#include <stdio.h>
#include <string.h>

#include "document/answer.h"
#include "document/emit.h"
#include "num/decimal.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

/* More digits than a JSON number shows. */
#define SOLVED_DIGITS 40

/* Takes the text. */
static void emit_taken(out *o, const char *key, char *text)
{
    emit_text(o, key, text);
    memory_free(text);
}

/* A quantity as text, made once though the guarantee repeats its row. */
typedef struct shown {
    const char *name;
    bool is_solved;
    char bare[DEC_JSON_SIZE + 1]; /* a JSON number at the safe end */
    char key[40];                 /* the name with _enclosure, or _exact */
    char *text[2];                /* the two ends; a solved parameter is one exact number */
    char room[2][80];             /* where they stand if they are short */
} shown;

/* A text that is not in the room has to be freed. */
static char *decimal_text(char *room, size_t size, const dec *d)
{
    char *text = dec_size(d) < size ? room : memory_new(dec_size(d) + 1, 1);
    if (text == NULL)
        return NULL;
    if (d->infinite)
        strcpy(text, d->sign < 0 ? "-Infinity" : "Infinity");
    else
        text[dec_print(text, d)] = '\0';
    return text;
}

static void drop(shown *s)
{
    for (size_t i = 0; i < 2; i++)
        if (s->text[i] != s->room[i])
            memory_free(s->text[i]);
}

static bool show(shown *s, const char *name, const dp_quantity *q, size_t digits)
{
    s->name = name;
    s->is_solved = q->is_solved;
    s->text[0] = s->text[1] = NULL;
    strcpy(s->key, name);
    strcat(s->key, q->is_solved ? "_exact" : "_enclosure");
    if (q->is_solved) {
        dec d;
        dec_init(&d);
        bool fine = dec_set_figure(&d, &q->figure, q->safe, SOLVED_DIGITS);
        s->text[0] = d.infinite ? decimal_text(s->room[0], sizeof s->room[0], &d)
                                : solved_text(&q->figure, digits);
        s->bare[dec_print_json(s->bare, &d, q->safe)] = '\0';
        dec_clear(&d);
        return fine && s->text[0] != NULL;
    }
    bool ok = true;
    for (int end = DP_LOWER; end <= DP_UPPER; end++) {
        dec d;
        dec_init(&d);
        ok = dec_set_figure(&d, &q->figure, (dp_end)end, digits) && ok;
        s->text[end] = decimal_text(s->room[end], sizeof s->room[end], &d);
        if ((dp_end)end == q->safe)
            s->bare[dec_print_json(s->bare, &d, q->safe)] = '\0';
        dec_clear(&d);
    }
    return ok && s->text[0] != NULL && s->text[1] != NULL;
}

static void put_quantities(out *o, const shown *s, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        emit_number(o, s[i].name, s[i].bare);
        if (s[i].is_solved)
            emit_text(o, s[i].key, s[i].text[0]);
    }
    for (size_t i = 0; i < count; i++) {
        if (s[i].is_solved)
            continue;
        emit_array(o, s[i].key);
        emit_text(o, NULL, s[i].text[DP_LOWER]);
        emit_text(o, NULL, s[i].text[DP_UPPER]);
        emit_array_end(o);
    }
}

static void put_theorem(out *o, const report *r, const dp_row *row)
{
    emit_text(o, "theorem", row->theorem->id);
    emit_text(o, "verdict", dp_verdict_text(row->verdict));
    if (r->kinds != NULL && row->count > 0)
        emit_text(o, r->kinds, row->quantity[0].name);
    if (row->vacuous)
        emit_bool(o, "vacuous", true);
    if (row->design == NULL)
        return;
    emit_text(o, "design", row->design);
    emit_array(o, "gamma");
    for (size_t l = 0; l < row->gamma_count; l++)
        emit_taken(o, NULL, exact_text(row->gamma[l]));
    emit_array_end(o);
    emit_object(o, "worst");
    for (size_t v = 0; v < 8; v++)
        if (row->worst[v] > 0) {
            char count[24];
            snprintf(count, sizeof count, "%zu", row->worst[v]);
            emit_text(o, vertex_text(v), count);
        }
    emit_object_end(o);
}

static bool is_same(const dp_quantity *a, const dp_quantity *b)
{
    const dp_figure *x = &a->figure, *y = &b->figure;
    if (a->is_solved || b->is_solved || a->safe != b->safe || x->kind != y->kind)
        return false;
    if (x->kind == DP_ENCLOSED)
        return mpfr_equal_p(&x->enclosure->left, &y->enclosure->left) &&
               mpfr_equal_p(&x->enclosure->right, &y->enclosure->right);
    return x->kind == DP_INFINITE || mpq_equal(x->rational, y->rational);
}

/* The figure under the same name in another row, which rows often share, and whose texts are
 * short; or NULL. */
static const shown *shown_before(const shown *others, const dp_row *before, const dp_quantity *q)
{
    for (size_t i = 0; before != NULL && i < before->count; i++)
        if (strcmp(before->quantity[i].name, q->name) == 0)
            return is_same(&before->quantity[i], q) && others[i].text[0] == others[i].room[0] &&
                           others[i].text[1] == others[i].room[1]
                       ? &others[i]
                       : NULL;
    return NULL;
}

/* `others` are the figures of the row `before`, or NULL. */
static void show_row(out *o, shown *s, const report *r, const dp_row *row, const shown *others,
                     const dp_row *before)
{
    for (size_t k = 0; k < row->count; k++) {
        const shown *known =
            r->kinds == NULL ? shown_before(others, before, &row->quantity[k]) : NULL;
        if (known != NULL) {
            s[k] = *known;
            s[k].text[0] = s[k].room[0];
            s[k].text[1] = s[k].room[1];
        } else if (!show(&s[k], figure_name(r, row, k), &row->quantity[k], r->digits)) {
            o->failed = true;
        }
    }
}

static void drop_row(shown *s, const dp_row *row)
{
    for (size_t k = 0; k < row->count; k++)
        drop(&s[k]);
}

bool put_figures(out *o, const dp_quantity *q, size_t count, size_t digits)
{
    shown s[DP_ROW_QUANTITIES];
    s[0].text[0] = s[0].text[1] = NULL;
    bool ok = true;
    for (size_t k = 0; k < count; k++)
        ok = show(&s[k], q[k].name, &q[k], digits) && ok;
    put_quantities(o, s, count);
    for (size_t k = 0; k < count; k++)
        drop(&s[k]);
    return ok;
}

/* What the budget has left; "next" is the decimal above the epsilon. */
static void put_remaining(out *o, const remaining *x, size_t digits)
{
    emit_object(o, "remaining");
    if (!put_figures(o, &x->times, x->counted, digits) ||
        !put_figures(o, x->part, x->count, digits))
        o->failed = true;
    if (x->nothing)
        emit_bool(o, "nothing", true);
    if (x->count == 3 && mpq_sgn(x->next.rational) > 0) {
        emit_taken(o, "next", exact_text(x->next.rational));
        if (x->next_fits == DP_UNKNOWN)
            emit_null(o, "next_fits");
        else
            emit_bool(o, "next_fits", x->next_fits == DP_YES);
    }
    emit_object_end(o);
}

/* What each entry costs; its place is counted from 1. */
static void put_entries(out *o, const by_entry *x, const args *a, size_t digits)
{
    emit_array(o, "entries");
    for (size_t i = 0; i < x->count; i++) {
        const entry_cost *e = &x->entry[i];
        const item *it = &a->items[e->item];
        dp_quantity known[COSTS];
        size_t count = 0;
        for (size_t k = 0; k < COSTS; k++)
            if (e->has[k])
                known[count++] = e->part[k];
        emit_object(o, NULL);
        emit_count(o, "entry", e->item + 1);
        if (it->name != NULL)
            emit_text(o, "name", it->name);
        if (it->day[0] != '\0')
            emit_text(o, "date", it->day);
        emit_text(o, "times", it->times != NULL ? it->times : "1");
        if (!put_figures(o, known, count, digits))
            o->failed = true;
        emit_object_end(o);
    }
    emit_array_end(o);
}

/* What an answer takes: what its theorem assumes, part by part, and what the question adds. */
static void put_assumptions(out *o, const dp_result *res, const dp_row *row)
{
    emit_array(o, "assumptions");
    for (const char *p = row->theorem->assumes; p != NULL;) {
        const char *end = strstr(p, "; ");
        emit_taken(o, NULL, memory_text(p, end != NULL ? (size_t)(end - p) : strlen(p)));
        p = end != NULL ? end + 2 : NULL;
    }
    for (size_t i = 0; i < res->assumptions; i++)
        emit_text(o, NULL, res->assumption[i]);
    emit_array_end(o);
}

/* "guarantee", the row that decides, and "results", all rows. Of what an attack showed the row is
 * "finding", and there is no guarantee. "guarantee_of": whose the figures are where no count fits.
 */
static void put_rows(out *o, const report *r)
{
    const dp_result *res = &r->result;
    shown best[DP_ROW_QUANTITIES], other[DP_ROW_QUANTITIES];
    size_t part[3] = {0, 0, 0}; /* between them the figures and the theorem of what decides */
    const dp_row *decides = res->guarantee < res->count ? &res->row[res->guarantee] : NULL;
    if (decides != NULL) {
        show_row(o, best, r, decides, NULL, NULL);
        if (res->is_finding)
            emit_null(o, "guarantee");
        emit_object(o, res->is_finding ? "finding" : "guarantee");
        part[0] = o->used;
        put_quantities(o, best, decides->count);
        part[1] = o->used;
        put_theorem(o, r, decides);
        part[2] = o->used;
        drop_row(best, decides);
        if (res->assumptions > 0)
            put_assumptions(o, res, decides);
        emit_object_end(o);
    } else {
        emit_null(o, "guarantee");
    }
    if (r->none != NULL) {
        emit_object(o, "guarantee_of");
        emit_text(o, r->none, "1");
        emit_object_end(o);
    }
    emit_array(o, "results");
    for (size_t i = 0; i < res->count; i++) {
        const dp_row *row = &res->row[i];
        emit_object(o, NULL);
        if (row == decides) {
            emit_again(o, part[1], part[2]);
            emit_again(o, part[0], part[1]);
        } else {
            show_row(o, other, r, row, best, decides);
            put_theorem(o, r, row);
            put_quantities(o, other, row->count);
            drop_row(other, row);
        }
        if (res->assumptions > 0)
            put_assumptions(o, res, row);
        emit_object_end(o);
    }
    emit_array_end(o);
}

/* A budget, times the factor where there is one, as a JSON number that is not above it, with as
 * many digits as doubles have. */
static void put_budget(out *o, const char *key, const dp_number *x, mpq_srcptr factor)
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
    char room[80], *text = ok && d.point <= 308 ? decimal_text(room, sizeof room, &d) : NULL;
    emit_number(o, key, text != NULL ? text : "1.7976931348623157e308");
    if (text != room)
        memory_free(text);
    dp_figure_clear(&f);
    dec_clear(&d);
}

static void put_answer(out *o, const dp_check *c)
{
    if (c->holds == DP_UNKNOWN)
        emit_null(o, "holds");
    else
        emit_bool(o, "holds", c->holds == DP_YES);
}

/* The budget of one figure, under its own name. */
static void put_figure_check(out *o, const args *a, const dp_check *c)
{
    char key[80], name[80];
    snprintf(key, sizeof key, "max_%s", c->figure);
    snprintf(name, sizeof name, "%s%s", c->is_audit ? "" : "max-", c->figure);
    put_budget(o, key, &c->max_figure, NULL);
    strcat(key, "_exact");
    emit_taken(o, key, threshold_text(a, name, &c->max_figure));
}

static void put_check(out *o, const report *r, const args *a)
{
    const dp_check *c = &r->result.check;
    if (!c->asked) {
        emit_null(o, "check");
        return;
    }
    emit_object(o, "check");
    put_answer(o, c);
    if (c->is_curve || c->figure != NULL) {
        if (c->is_curve)
            emit_bool(o, "curve", true);
        else
            put_figure_check(o, a, c);
        if (c->why != NULL)
            emit_text(o, "why", c->why);
        emit_object_end(o);
        return;
    }
    put_budget(o, "max_epsilon", &c->max_epsilon, c->factor);
    emit_taken(o, "max_epsilon_exact", check_epsilon_text(a, c));
    put_budget(o, "max_delta", &c->max_delta, NULL);
    emit_taken(o, "max_delta_exact", threshold_text(a, "max-delta", &c->max_delta));
    if (c->why != NULL)
        emit_text(o, "why", c->why);
    emit_object_end(o);
    if (!c->is_claim)
        return;
    emit_object(o, "claim");
    emit_taken(o, "epsilon", check_epsilon_text(a, c));
    emit_taken(o, "delta", threshold_text(a, "max-delta", &c->max_delta));
    emit_text(o, "verdict", claim_text(c->holds));
    put_answer(o, c);
    emit_object_end(o);
}

static void put_texts(out *o, const char *key, const char *const *text, size_t count)
{
    emit_array(o, key);
    for (size_t i = 0; i < count; i++)
        emit_text(o, NULL, text[i]);
    emit_array_end(o);
}

void report_json(out *o, const report *r, const args *a, json id)
{
    const dp_result *res = &r->result;
    emit_object(o, NULL);
    emit_text(o, "schema", "dpacct/1");
    emit_text(o, "version", DPACCT_VERSION);
    emit_text(o, "command", a->command->name);
    if (json_exists(id))
        emit_value(o, "id", id);
    put_input(o, a);
    if (res->adjacency != NULL)
        emit_text(o, "adjacency", res->adjacency);
    put_rows(o, r);
    put_check(o, r, a);
    if (r->remaining.has)
        put_remaining(o, &r->remaining, r->digits);
    if (r->entries.has)
        put_entries(o, &r->entries, a, r->digits);
    if (r->has_state)
        put_state(o, "state", r, a);
    put_texts(o, "warnings", res->warning, res->warnings);
    put_texts(o, "notes", res->note, res->notes);
    emit_object_end(o);
    out_char(o, '\n');
}
