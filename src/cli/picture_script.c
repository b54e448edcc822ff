/* SPDX-License-Identifier: MIT */
/* A picture as columns of numbers, and as a script for gnuplot that holds them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/picture_parts.h"

static const spot *spot_at(const curve *c, size_t place)
{
    for (size_t k = 0; k < c->count; k++)
        if (c->spot[k].place == place)
            return &c->spot[k];
    return NULL;
}

/* The columns, with `none` where a curve has no finite figure. */
static void put_columns(out *o, const picture *p, char comma, const char *none)
{
    for (size_t place = 0; place < p->spots; place++) {
        const spot *any = NULL;
        for (size_t i = 0; i < p->count && any == NULL; i++)
            any = spot_at(&p->curve[i], place);
        if (any == NULL)
            continue;
        out_text(o, any->x);
        for (size_t i = 0; i < p->count; i++) {
            const spot *s = spot_at(&p->curve[i], place);
            out_format(o, "%c%s", comma, s != NULL && isfinite(s->to) ? s->y : none);
        }
        out_char(o, '\n');
    }
}

void picture_data(out *o, const picture *p)
{
    if (p->bars) {
        out_format(o, "theorem,verdict,%s\n", p->y);
        for (size_t i = 0; i < p->count; i++)
            out_format(o, "%s,%s,%s\n", p->curve[i].theorem->id,
                       dp_verdict_text(p->curve[i].theorem->verdict), p->curve[i].spot[0].y);
        return;
    }
    out_text(o, p->x);
    for (size_t i = 0; i < p->count; i++)
        out_format(o, ",%s", p->curve[i].theorem->id);
    out_char(o, '\n');
    put_columns(o, p, ',', "");
}

/* ---- scales ---- */

static void widen(scale *s, double x)
{
    if (!isfinite(x) || (s->log && x <= 0))
        return;
    s->low = x < s->low ? x : s->low;
    s->high = x > s->high ? x : s->high;
}

#define DECADES 100.0 /* from here on a logarithm reads better, unless most lies near the top */

static scale scale_of(const picture *p, bool x)
{
    scale s = {INFINITY, -INFINITY, true};
    bool zero = false;
    double middle = 0;
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < p->curve[i].count; k++) {
            const spot *one = &p->curve[i].spot[k];
            widen(&s, x ? one->at : one->to);
            zero = zero || (x ? one->at : one->to) <= 0;
            if (one->place == p->spots / 2 && (x || p->bars || p->curve[i].decides))
                middle = x ? one->at : one->to;
        }
    s.log =
        !p->votes && s.high / s.low >= DECADES && !(x && zero) && middle < s.high / (x ? 5 : 20);
    if (s.log) {
        s.low = x ? s.low : pow(10, floor(log10(s.low)));
        s.high = x ? s.high : pow(10, ceil(log10(s.high)));
        return s;
    }
    if (zero || (!x && !(s.low > s.high / 2)))
        s.low = 0;
    if (!(s.high > s.low))
        s.low = 0;
    if (!(s.high > 0))
        s.high = 1;
    if (!x)
        s.high += (s.high - s.low) / 20;
    return s;
}

/* ---- the script ---- */

static void put_terminal(out *o, const char *file, size_t width, size_t lines)
{
    size_t n = strlen(file);
    const char *end = n >= 4 ? file + n - 4 : "";
    if (strcmp(file, "-") == 0)
        out_format(o, "set terminal dumb size %zu,%zu\n", width - 1, lines > 24 ? lines : 24);
    else if (strcmp(end, ".png") == 0)
        out_text(o, "set terminal pngcairo size 1600,960 fontscale 1.7 linewidth 2\n");
    else if (strcmp(end, ".pdf") == 0)
        out_text(o, "set terminal pdfcairo size 15cm,9cm font ',11'\n");
    else
        out_text(o, "set terminal svg size 800,480 font 'sans-serif,13' background '#ffffff'\n");
    out_text(o, "set encoding utf8\nset border 3\nset tics nomirror\nunset key\n");
    if (strcmp(file, "-") == 0)
        out_text(o, "set lmargin 14\n");
    else
        out_text(o, "set grid lc rgb '#dddddd' lt 1\n");
}

/* The field's letters, where they can be shown, and blanks for dashes. */
static void put_name(out *o, const char *name, bool dumb)
{
    static const char *const letter[][2] = {{"epsilon", "ε"}, {"delta", "δ"}, {"gamma", "γ"},
                                            {"sigma", "σ"},   {"rho", "ρ"},   {"mu", "μ"},
                                            {"alpha", "α"}};
    while (*name != '\0') {
        size_t n = strcspn(name, "-_"), i = 0, letters = sizeof letter / sizeof *letter;
        while (i < letters && (strlen(letter[i][0]) != n || strncmp(letter[i][0], name, n) != 0))
            i++;
        if (i < letters && !dumb)
            out_text(o, letter[i][1]);
        else
            out_bytes(o, name, n);
        name += n;
        if (*name != '\0')
            out_char(o, ' ');
        name += *name != '\0';
    }
}

/* Ticks of a terminal, whose labels are not to touch each other on so many columns. */
static void put_ticks(out *o, const scale *s, double columns)
{
    double step = 1;
    if (s->log) {
        double decades = log10(s->high / s->low);
        while (7 * decades / step > columns)
            step++;
        out_text(o, "set xtics 1e");
        picture_number(o, step);
        out_char(o, '\n');
        return;
    }
    static const double nice[] = {1, 2, 5};
    double tens = pow(10, floor(log10((s->high - s->low) / 20)));
    for (size_t i = 0, fits = 0; fits == 0; i++) {
        size_t longest = 0, count = 0;
        step = nice[i % 3] * tens * pow(10, floor((double)i / 3));
        for (double m = ceil(s->low / step); m * step <= s->high; m++, count++) {
            char text[32];
            size_t n = (size_t)snprintf(text, sizeof text, "%g", m * step);
            longest = n > longest ? n : longest;
        }
        fits = (double)((longest + 2) * count) <= columns || count <= 1;
    }
    out_text(o, "set xtics ");
    picture_number(o, step);
    out_char(o, '\n');
}

static void put_axis(out *o, char axis, const scale *s, const picture *p, bool dumb)
{
    const char *name = axis == 'x' && !p->bars ? p->x : p->y;
    const char *unit =
        axis == 'x' && p->unit != NULL && strcmp(p->unit, p->x) != 0 ? p->unit : NULL;
    if (axis == 'y' && dumb) /* above, where it meets no number */
        out_text(o, "set tmargin 2\nset label '");
    else
        out_format(o, "set %clabel '", axis);
    put_name(o, name, dumb);
    out_format(o, "%s%s%s' noenhanced%s\nset %crange [", unit != NULL ? " (" : "",
               unit != NULL ? unit : "", unit != NULL ? ")" : "",
               axis == 'y' && dumb ? " at character 2, screen 0.97" : "", axis);
    picture_number(o, s->low);
    out_char(o, ':');
    picture_number(o, s->high);
    out_text(o, "]\n");
    if (s->log)
        out_format(o, "set logscale %c\nset format %c '%s'\n", axis, axis,
                   dumb ? "1e%T" : "10^{%T}");
}

/* For a terminal of that width, or for 0 for a file. */
static void script_curves(out *o, const picture *shown, size_t width)
{
    bool dumb = width > 0;
    picture p = *shown; /* with heads of its own, and the points of the other */
    scale x = scale_of(&p, true), y = scale_of(&p, false);
    picture_merge_near(&p, &y, dumb);
    out_text(o, "$data << END\n");
    put_columns(o, &p, ' ', "?");
    out_text(o, "END\nset datafile missing '?'\n");
    put_axis(o, 'x', &x, &p, dumb);
    put_axis(o, 'y', &y, &p, dumb);
    size_t right = picture_labels(o, &p, &y, dumb) + 4;
    out_format(o, "set rmargin %zu\n", right);
    if (dumb)
        put_ticks(o, &x, (double)width - 15 - (double)right);
    const char *separator = "plot ";
    for (int pass = 0; pass < 2; pass++) /* what decides is drawn last, above the others */
        for (size_t i = 0; i < p.count; i++) {
            const curve *c = &p.curve[i];
            if (c->head != i || c->decides != (pass == 1))
                continue;
            out_format(o, "%s$data using 1:%zu ", separator, i + 2);
            picture_style(o, &p, c, dumb);
            separator = ", \\\n     ";
        }
    out_char(o, '\n');
}

/* One bar for each bound, the strongest above, its figure beside it. */
static void script_bars(out *o, const picture *p, size_t width)
{
    bool dumb = width > 0;
    scale s = scale_of(p, false);
    size_t longest = 0, names = 0;
    if (!s.log)
        s.low = 0;
    out_text(o, "$data << END\n");
    for (size_t i = 0; i < p->count; i++) {
        const spot *one = &p->curve[i].spot[0];
        if (!isfinite(one->to))
            continue;
        out_format(o, "%zu %s\n", p->count - i, one->y);
        size_t n = strlen(one->y);
        longest = n > longest ? n : longest;
    }
    out_text(o, "END\n");
    put_axis(o, 'x', &s, p, dumb);
    out_text(o, dumb ? "unset lmargin\n" : "");
    out_format(o, "set yrange [0.3:%zu.7]\nset rmargin %zu\nset grid noytics\nset ytics (",
               p->count, longest + 2);
    for (size_t i = 0; i < p->count; i++) {
        const curve *c = &p->curve[i];
        out_format(o, "%s\"%s%s\" %zu", i > 0 ? ", " : "", c->theorem->id,
                   picture_is_unsound(c) ? " (unsound)" : "", p->count - i);
        size_t n = strlen(c->theorem->id) + (picture_is_unsound(c) ? 10 : 0);
        names = n > names ? n : names;
    }
    out_text(o, ") noenhanced\n");
    if (dumb)
        put_ticks(o, &s, (double)width - 6 - (double)(names + longest));
    for (size_t i = 0; i < p->count; i++) {
        const curve *c = &p->curve[i];
        const spot *one = &c->spot[0];
        bool finite = isfinite(one->to);
        out_format(o, "set label '%s' noenhanced at graph ", finite ? one->y : "infinite");
        picture_number(o, (finite ? scale_part(&s, one->to) : 0) + (dumb ? 0.03 : 0.01));
        out_format(o, ", first %zu left\n", p->count - i);
        if (!finite || dumb || !(scale_part(&s, one->to) > 0))
            continue;
        out_text(o, "set arrow from graph 0, first ");
        out_format(o, "%zu to graph ", p->count - i);
        picture_number(o, scale_part(&s, one->to));
        out_format(o, ", first %zu nohead ", p->count - i);
        picture_bar_style(o, c);
        out_char(o, '\n');
    }
    out_text(o, dumb ? "plot $data using 2:1 with points pt '*'\n"
                     : "plot $data using 2:1 with points pt 7 ps 0.5 lc rgb '#000000'\n");
}

void picture_script(out *o, const picture *p, const char *file, size_t width)
{
    put_terminal(o, file, width, p->bars ? p->count + 6 : 0);
    (p->bars ? script_bars : script_curves)(o, p, strcmp(file, "-") == 0 ? width : 0);
}

bool picture_may(const args *a, fault *f)
{
    static const char *const ends[] = {".svg", ".png", ".pdf"};
    const value *v = args_value(a, "plot");
    const char *form = series_form(a);
    bool text = strcmp(form, "text") == 0;
    if (args_flag(a, "plot-data") && !text && strcmp(form, "csv") != 0) {
        fault_set(f, "--plot-data",
                  "prints columns, as CSV, in the place of the answer; leave "
                  "%s%s out",
                  args_flag(a, "json") ? "--" : "--format ", form);
        return false;
    }
    if (v == NULL || !v->given)
        return true;
    size_t n = strlen(v->text);
    bool ok = strcmp(v->text, "-") == 0;
    if (ok && (!text || args_flag(a, "plot-data"))) {
        fault_set(f, "--plot", "- draws below the text of the answer; give a file for other forms");
        return false;
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        ok = ok || (n > 4 && strcmp(v->text + n - 4, ends[i]) == 0);
    if (!ok)
        fault_set(f, "--plot", "'%.200s' must end in .svg, .png or .pdf, or be - for the terminal",
                  v->text);
    return ok;
}
