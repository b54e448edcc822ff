/* SPDX-License-Identifier: MIT */
/* What of an answer can be drawn. */
#include "cli/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/figures.h"
#include "core/result.h"
#include "num/memory.h"
#include "num/number.h"

void picture_clear(picture *p)
{
    for (size_t i = 0; i < p->count; i++) {
        for (size_t k = 0; k < p->curve[i].count; k++) {
            memory_free(p->curve[i].spot[k].x);
            memory_free(p->curve[i].spot[k].y);
        }
        memory_free(p->curve[i].spot);
    }
    *p = (picture){0};
}

/* One of its own for each bound; NULL past the last that fits. */
static curve *curve_of(picture *p, const dp_theorem *t)
{
    for (size_t i = 0; i < p->count && !p->bars; i++)
        if (p->curve[i].theorem == t)
            return &p->curve[i];
    if (p->count == PICTURE_CURVES)
        return NULL;
    curve *c = &p->curve[p->count];
    *c = (curve){.theorem = t, .head = p->count, .spot = memory_zero(p->spots, sizeof *c->spot)};
    if (c->spot == NULL)
        return NULL;
    p->count++;
    return c;
}

/* Rationals are read, ln(R) is enclosed; a place on a picture needs no more. */
static double number_of(const char *text)
{
    dp_number x;
    dp_number_init(&x);
    double at = NAN;
    if (dp_number_parse(&x, text, strlen(text), NULL) == DP_OK)
        at = number_rational(&x) != NULL ? mpq_get_d(number_rational(&x))
                                         : log(mpq_get_d(number_odds(&x)));
    dp_number_clear(&x);
    return at;
}

static char *end_text(const dp_figure *x, dp_end end, size_t digits)
{
    out o;
    out_init(&o);
    put_decimal(&o, x, end, digits);
    out_char(&o, '\0');
    if (o.failed)
        out_clear(&o);
    return o.failed ? NULL : o.data;
}

/* Takes x and y. */
static void add_spot(curve *c, size_t place, char *x, char *y)
{
    spot *s = &c->spot[c->count];
    *s = (spot){.x = x, .y = y, .place = place};
    if (x == NULL || y == NULL) {
        memory_free(x);
        memory_free(y);
        return;
    }
    s->at = number_of(x);
    s->to = strcmp(y, "inf") == 0 ? INFINITY : number_of(y);
    c->count++;
}

/* A figure at another epsilon or delta than was asked about does not compare; what fails as it was
 * published is shown as it was. */
static bool is_at_target(const report *r, const args *a, const dp_row *row)
{
    const dp_number *epsilon = args_number(a, "target-epsilon");
    const dp_number *delta = args_number(a, "target-delta");
    const dp_quantity *e = cell(r, row, "epsilon"), *d = cell(r, row, "delta");
    bool at = row->verdict == DP_UNSOUND;
    if (epsilon != NULL && number_rational(epsilon) != NULL && e != NULL)
        return at || dp_figure_le(&e->figure, number_rational(epsilon)) != DP_NO;
    if (delta != NULL && number_rational(delta) != NULL && d != NULL)
        return at || dp_figure_le(&d->figure, number_rational(delta)) != DP_NO;
    return true;
}

static void add_figure(picture *p, const report *r, const dp_row *row, size_t place, char *x,
                       const char *name)
{
    curve *c = curve_of(p, row->theorem);
    const dp_quantity *q = cell(r, row, name);
    if (c == NULL || q == NULL || c->count == p->spots) {
        memory_free(x);
        return;
    }
    size_t i = (size_t)(row - r->result.row);
    c->decides = c->decides || i == r->result.guarantee;
    add_spot(c, place, x, end_text(&q->figure, q->safe, r->digits));
}

static bool differs(const dp_quantity *a, const dp_quantity *b)
{
    return figure_compare_upper(&a->figure, &b->figure) != 0;
}

static const dp_row *shown_row(const report *r)
{
    size_t i = r->result.guarantee < r->result.count ? r->result.guarantee : 0;
    return r->result.count > 0 ? &r->result.row[i] : NULL;
}

/* What is solved for, else the first figure of the rows that decide which is not what was given and
 * does not stay the same; the first that was not given where all do. */
static const char *figure_drawn(const series *x)
{
    const char *given = option_key(x->a[0].range), *first = NULL;
    const char *target = strncmp(given, "target_", 7) == 0 ? given + 7 : given;
    const dp_row *row = shown_row(&x->r[0]);
    for (size_t k = 0; row != NULL && k < row->count; k++)
        if (row->quantity[k].is_solved)
            return row->quantity[k].name;
    for (size_t k = 0; row != NULL && k < row->count; k++) {
        const char *name = figure_name(&x->r[0], row, k);
        if (strcmp(name, given) == 0 || strcmp(name, target) == 0)
            continue;
        first = first != NULL ? first : name;
        for (size_t i = 1; i < x->count; i++) {
            const dp_row *other = shown_row(&x->r[i]);
            const dp_quantity *q = other != NULL ? cell(&x->r[i], other, name) : NULL;
            if (q != NULL && differs(q, &row->quantity[k]))
                return name;
        }
    }
    return first;
}

static bool draw_series(picture *p, const series *x)
{
    const char *name = figure_drawn(x);
    if (name == NULL)
        return false;
    p->x = x->a[0].range->of->name;
    p->unit = x->a[0].range->of->unit;
    p->y = name;
    p->spots = x->count;
    for (size_t i = 0; i < x->count; i++)
        for (size_t k = 0; k < x->r[i].result.count; k++)
            if (series_shows(&x->r[i], &x->a[i], k) &&
                is_at_target(&x->r[i], &x->a[i], &x->r[i].result.row[k]))
                add_figure(p, &x->r[i], &x->r[i].result.row[k], i, memory_copy(x->a[i].point),
                           name);
    return true;
}

/* The points of curve: one figure is the place, and exact. */
static void draw_curve(picture *p, const report *r, const args *a)
{
    bool delta = args_value(a, "delta-range")->text != NULL;
    p->x = delta ? "delta" : "epsilon";
    p->y = delta ? "epsilon" : "delta";
    p->spots = r->result.count;
    for (size_t i = 0; i < r->result.count; i++) {
        const dp_row *row = &r->result.row[i];
        const dp_quantity *place = cell(r, row, p->x);
        add_figure(p, r, row, i, end_text(&place->figure, DP_UPPER, r->digits), p->y);
    }
    if (p->count > 0)
        p->curve[0].decides = true;
}

static bool draw_votes(picture *p, const report *r)
{
    char text[24];
    p->votes = true;
    p->x = "votes";
    p->unit = "for 1";
    p->y = "gamma";
    for (size_t i = 0; i < r->result.count; i++) {
        const dp_row *row = &r->result.row[i];
        if (row->gamma_count == 0)
            continue;
        size_t voters = row->gamma_first + row->gamma_count - 1;
        p->spots = voters + 1;
        curve *c = curve_of(p, row->theorem);
        if (c == NULL)
            break;
        c->decides = i == r->result.guarantee;
        for (size_t l = 0; l <= voters; l++) {
            size_t at = (l >= row->gamma_first ? l : voters - l) - row->gamma_first;
            dp_figure f = {.kind = DP_RATIONAL};
            *f.rational = *row->gamma[at];
            snprintf(text, sizeof text, "%zu", l);
            add_spot(c, l, memory_copy(text), end_text(&f, DP_LOWER, r->digits));
        }
    }
    return p->count > 0;
}

/* The bounds of compose --all, strongest first. */
static bool draw_bounds(picture *p, const report *r, const args *a)
{
    char text[24];
    p->bars = true;
    p->x = "bound";
    p->y = args_number(a, "target-epsilon") != NULL ? "delta" : "epsilon";
    p->spots = 1;
    for (size_t i = 0; i < r->result.count; i++) {
        snprintf(text, sizeof text, "%zu", i + 1);
        if (cell(r, &r->result.row[i], p->y) != NULL && is_at_target(r, a, &r->result.row[i]))
            add_figure(p, r, &r->result.row[i], i, memory_copy(text), p->y);
    }
    return p->count > 1;
}

bool curve_equal(const curve *a, const curve *b)
{
    bool same = a->count == b->count;
    for (size_t k = 0; same && k < a->count; k++)
        same = strcmp(a->spot[k].x, b->spot[k].x) == 0 && strcmp(a->spot[k].y, b->spot[k].y) == 0;
    return same;
}

/* One curve for all that are the same. */
static void merge(picture *p)
{
    for (size_t i = 0; i < p->count && !p->bars; i++)
        for (size_t j = i + 1; j < p->count && p->curve[i].head == i; j++) {
            if (p->curve[j].head != j || !curve_equal(&p->curve[i], &p->curve[j]))
                continue;
            p->curve[j].head = i;
            p->curve[i].decides = p->curve[i].decides || p->curve[j].decides;
        }
}

bool picture_of(picture *p, const series *x, fault *f)
{
    *p = (picture){0};
    const args *a = &x->a[0];
    const report *r = &x->r[0];
    bool some = true;
    if (a->range != NULL)
        some = draw_series(p, x);
    else if (option_find(a->command, "delta-range") != NULL)
        draw_curve(p, r, a);
    else if (!draw_votes(p, r)) {
        picture_clear(p);
        some = args_flag(a, "all") && draw_bounds(p, r, a);
    }
    if (some && p->count > 0) {
        merge(p);
        return true;
    }
    picture_clear(p);
    fault_set(f, args_flag(a, "plot-data") ? "--plot-data" : "--plot",
              "there is no curve in the answer; give a range A:B:N for one of the numbers%s",
              option_find(a->command, "all") != NULL ? ", or --all to compare bounds" : "");
    return false;
}
