/* SPDX-License-Identifier: MIT */
/* How curves are told apart on a picture. */
#include "cli/picture_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double scale_part(const scale *s, double x)
{
    double part =
        s->log ? log(x / s->low) / log(s->high / s->low) : (x - s->low) / (s->high - s->low);
    return !(part > 0) ? 0 : part > 1 ? 1 : part;
}

void picture_number(out *o, double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", x);
    for (char *p = text; *p != '\0'; p++) /* whatever the locale */
        if (*p == ',')
            *p = '.';
    out_text(o, text);
}

bool picture_is_unsound(const curve *c)
{
    return c->theorem->verdict == DP_UNSOUND;
}

/* ---- curves that lie on each other ---- */

#define LINE 0.005 /* of the height */
#define HALF_ROW 0.025

static bool near(const curve *a, const curve *b, const scale *y, double width)
{
    bool same = a->count == b->count;
    for (size_t k = 0; same && k < a->count; k++) {
        const spot *one = &a->spot[k], *two = &b->spot[k];
        same = one->place == two->place && isfinite(one->to) == isfinite(two->to);
        if (same && isfinite(one->to))
            same = fabs(scale_part(y, one->to) - scale_part(y, two->to)) <= width;
    }
    return same;
}

static void give_head(picture *p, size_t from, size_t to)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->curve[i].head == from)
            p->curve[i].head = to;
}

void picture_merge_near(picture *p, const scale *y, bool dumb)
{
    double width = dumb ? HALF_ROW : LINE;
    for (size_t i = 0; i < p->count; i++)
        for (size_t j = i + 1; j < p->count && p->curve[i].head == i; j++) {
            curve *a = &p->curve[i], *b = &p->curve[j];
            if (b->head != j || !near(a, b, y, width))
                continue;
            if (b->decides)
                give_head(p, i, j);
            else
                give_head(p, j, i);
        }
}

/* ---- styles ---- */

/* Which of the curves it is that have a style of their own. */
static size_t rank_of(const picture *p, const curve *c)
{
    size_t rank = 0;
    for (const curve *d = p->curve; d < c; d++)
        rank += d->head == (size_t)(d - p->curve) && !d->decides && !picture_is_unsound(d);
    return rank;
}

static size_t heads(const picture *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++)
        count += p->curve[i].head == i;
    return count;
}

/* Colours that those who see few tell apart. */
static const char *const colours[] = {"#0072b2", "#009e73", "#cc79a7", "#b8860b",
                                      "#56b4e9", "#6a3d9a", "#7f7f7f"};
#define COLOURS (sizeof colours / sizeof *colours)

static const char *colour_of(const picture *p, const curve *c)
{
    return picture_is_unsound(c) ? "#d55e00"
           : c->decides          ? "#000000"
                                 : colours[rank_of(p, c) % COLOURS];
}

/* What gnuplot draws lines of in a terminal, by their number, and letters from there on. The next
 * would be =, which stands before names. */
static const char inks[] = "*#$%@&";
#define INKS (sizeof inks - 1)

static size_t ink_of(const picture *p, const curve *c)
{
    size_t at = 0;
    for (const curve *d = p->curve; d < c; d++)
        at += d->head == (size_t)(d - p->curve);
    return at;
}

static char letter_of(const picture *p, const curve *c)
{
    size_t at = ink_of(p, c);
    return at < INKS ? inks[at] : (char)('A' + (at - INKS));
}

#define MARKED 40 /* so many points of one curve are shown, more would be a line again */

/* What fails is dashed; of several curves each has marks, and a colour that is used again dashes
 * and dots. */
void picture_style(out *o, const picture *p, const curve *c, bool dumb)
{
    static const int mark[] = {5, 9, 11, 13, 4, 8, 10, 12, 6};
    size_t rank = rank_of(p, c);
    if (dumb) {
        size_t at = ink_of(p, c);
        if (at < INKS)
            out_format(o, "with lines lt %zu", at + 1);
        else
            out_format(o, "with points pt '%c'", letter_of(p, c));
        return;
    }
    if (heads(p) > 2 && !c->decides && !picture_is_unsound(c))
        out_format(o, "with linespoints pt %d ps 0.6 pi %zu ", mark[rank % 9],
                   p->spots > 12 ? p->spots / 6 : 1);
    else
        out_text(o, p->spots <= MARKED ? "with linespoints pt 7 ps 0.4 " : "with lines ");
    out_format(o, "lw %s dt %s lc rgb '%s'", c->decides ? "4" : "1.6",
               picture_is_unsound(c) ? "2"
               : rank >= COLOURS     ? "'-.'"
                                     : "1",
               colour_of(p, c));
}

void picture_bar_style(out *o, const curve *c)
{
    out_format(o, "lw %s dt %d lc rgb '%s'", c->decides ? "4" : "1.6",
               picture_is_unsound(c) ? 2 : 1,
               picture_is_unsound(c) ? "#d55e00"
               : c->decides          ? "#000000"
                                     : colours[0]);
}

/* ---- labels ---- */

static const spot *last_spot(const curve *c)
{
    for (size_t k = c->count; k > 0; k--)
        if (isfinite(c->spot[k - 1].to))
            return &c->spot[k - 1];
    return NULL;
}

typedef struct labels {
    size_t count, order[PICTURE_CURVES], longest;
    double place[PICTURE_CURVES], end[PICTURE_CURVES];
} labels;

/* Is the label of i to stand above that of j? */
static bool is_above(const picture *p, const labels *l, size_t i, size_t j)
{
    size_t a = p->curve[i].head, b = p->curve[j].head;
    if (a == b)
        return i == a || (j != b && i < j);
    return l->place[i] != l->place[j] ? l->place[i] > l->place[j] : a < b;
}

/* Neighbours that are too close give way to each other, and all to the ends. */
static void spread(labels *l, double gap)
{
    for (int round = 0; round < 400; round++)
        for (size_t k = 0; k < l->count; k++) {
            double *at = &l->place[l->order[k]], least = gap * (double)k;
            double most = 1 - gap * (double)(l->count - 1 - k);
            if (k > 0 && *at < l->place[l->order[k - 1]] + gap) {
                double half = (l->place[l->order[k - 1]] + gap - *at) / 2;
                l->place[l->order[k - 1]] -= half;
                *at += half;
            }
            *at = *at > most ? most : *at;
            *at = *at < least ? least : *at;
        }
}

/* What stands before the name: the same as the one above, nearly the same, or how it is drawn. */
static const char *sign_of(const picture *p, size_t i, bool dumb)
{
    const curve *head = &p->curve[p->curve[i].head];
    return curve_equal(head, &p->curve[i]) ? "= " : dumb ? "~ " : "\342\211\210 ";
}

static void put_label(out *o, const picture *p, const labels *l, size_t i, bool dumb)
{
    const curve *c = &p->curve[i], *head = &p->curve[c->head];
    const char *colour = colour_of(p, head);
    out_text(o, "set label '");
    if (c != head)
        out_text(o, sign_of(p, i, dumb));
    else if (dumb)
        out_format(o, "%c ", letter_of(p, c));
    out_format(o, "%s%s' noenhanced at graph %s, graph ", c->theorem->id,
               picture_is_unsound(c) ? " (unsound)" : "", dumb ? "1.06" : "1.045");
    picture_number(o, l->place[i]);
    out_text(o, " left");
    if (!dumb)
        out_format(o, " tc rgb '%s'", colour);
    out_char(o, '\n');
    if (dumb || c != head)
        return;
    out_text(o, "set arrow from graph 1.005, graph ");
    picture_number(o, l->end[i]);
    out_text(o, " to graph 1.04, graph ");
    picture_number(o, l->place[i]);
    out_format(o, " nohead lw 0.8 lc rgb '%s'\n", colour);
}

size_t picture_labels(out *o, const picture *p, const scale *y, bool dumb)
{
    labels l = {0};
    for (size_t i = 0; i < p->count; i++) {
        const spot *last = last_spot(&p->curve[p->curve[i].head]);
        if (last == NULL)
            continue;
        l.place[i] = l.end[i] = scale_part(y, last->to);
        size_t at = l.count++, n = strlen(p->curve[i].theorem->id);
        for (; at > 0 && is_above(p, &l, l.order[at - 1], i); at--)
            l.order[at] = l.order[at - 1];
        l.order[at] = i;
        n += picture_is_unsound(&p->curve[i]) ? 12 : 2;
        l.longest = n > l.longest ? n : l.longest;
    }
    double gap = dumb ? 0.055 : 0.046;
    spread(&l, (double)l.count * gap > 1 ? 1 / (double)l.count : gap);
    for (size_t k = 0; k < l.count; k++)
        put_label(o, p, &l, l.order[k], dumb);
    return l.longest;
}
