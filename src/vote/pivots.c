/* SPDX-License-Identifier: MIT */
/* The inverse of the active rows, updated pivot by pivot; x and y follow it, and are formed anew
 * now and then. */
#include "vote/pivots.h"

#include <math.h>
#include <string.h>

#include "num/memory.h"

#define LEAST_SHARE 1e-7 /* of the largest */
#define TIED 1e-12
#define ANEW 32

/* x = inverse rho, y = inverse^T weight */
static void solve(pivots *s)
{
    memset(s->y, 0, s->n * sizeof *s->y);
    for (size_t i = 0; i < s->n; i++) {
        const double *row = s->inverse + i * s->n;
        double sum = 0;
        for (size_t j = 0; j < s->n; j++) {
            sum += row[j] * s->rho[j];
            s->y[j] += row[j] * s->weight[i];
        }
        s->x[i] = sum;
    }
    s->since = 0;
}

static void start(pivots *s)
{
    memset(s->inverse, 0, s->n * s->n * sizeof *s->inverse);
    for (size_t l = 0; l < s->n; l++) {
        bool low = s->weight[l] < 0;
        s->inverse[l * s->n + l] = low ? -1 : 1;
        s->rho[l] = !low;
        s->active[l] = (row_name){low ? ROW_LOWER : ROW_UPPER, l};
    }
}

bool pivots_init(pivots *s, const double *weight, size_t n)
{
    *s = (pivots){.n = n};
    double **list[] = {&s->rho, &s->weight, &s->x, &s->y, &s->share};
    bool ok = (s->inverse = memory_zero(n * n, sizeof *s->inverse)) != NULL;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        ok = (*list[i] = memory_zero(n, sizeof **list[i])) != NULL && ok;
    s->active = memory_new(n, sizeof *s->active);
    s->before = memory_new(n, sizeof *s->before);
    s->kept = memory_new(2 * n, sizeof *s->kept);
    s->row = memory_new(n, sizeof *s->row);
    if (!ok || s->active == NULL || s->before == NULL || s->kept == NULL || s->row == NULL)
        return false;
    memcpy(s->weight, weight, n * sizeof *weight);
    start(s);
    solve(s);
    return true;
}

void pivots_clear(pivots *s)
{
    double *list[] = {s->inverse, s->rho, s->weight, s->x, s->y, s->share};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        memory_free(list[i]);
    memory_free(s->active);
    memory_free(s->before);
    memory_free(s->kept);
    memory_free(s->row);
}

/* The row that leaves: least y/share over positive shares, of tied ones that of the largest share
 */
static size_t leaving(const pivots *s)
{
    size_t out = s->n;
    double least = 0, most = 0;
    for (size_t i = 0; i < s->n; i++)
        most = fabs(s->share[i]) > most ? fabs(s->share[i]) : most;
    for (size_t i = 0; i < s->n; i++) {
        if (!(s->share[i] > LEAST_SHARE * most))
            continue;
        double ratio = (s->y[i] > 0 ? s->y[i] : 0) / s->share[i];
        if (out == s->n || ratio < least - TIED * least ||
            (ratio <= least + TIED * least && s->share[i] > s->share[out])) {
            least = ratio;
            out = i;
        }
    }
    return out;
}

/* share = inverse^T a */
static void set_share(pivots *s, const double *a)
{
    memset(s->share, 0, s->n * sizeof *s->share);
    for (size_t i = 0; i < s->n; i++) {
        const double *row = s->inverse + i * s->n;
        for (size_t j = 0; a[i] != 0 && j < s->n; j++)
            s->share[j] += row[j] * a[i];
    }
}

/* The row whose share is set takes the place `out`. */
static void replace(pivots *s, size_t out, double rho, row_name name)
{
    double pivot = s->share[out];
    for (size_t i = 0; i < s->n; i++) {
        double *row = s->inverse + i * s->n, column = row[out] / pivot;
        for (size_t j = 0; column != 0 && j < s->n; j++)
            row[j] -= s->share[j] * column;
        row[out] = column;
    }
    s->rho[out] = rho;
    s->active[out] = name;
}

/* In place of a row that is not kept; one that depends on those that are is left out. */
static void place(pivots *s, row_name name, const double *pool)
{
    size_t out = s->n;
    double rho = name.kind == ROW_CUT ? 1 : pivots_simple(s->row, s->n, name);
    set_share(s, name.kind == ROW_CUT ? pool + name.index * s->n : s->row);
    for (size_t j = 0; j < s->n; j++)
        if (!s->kept[j] && (out == s->n || fabs(s->share[j]) > fabs(s->share[out])))
            out = j;
    if (out == s->n || fabs(s->share[out]) < LEAST_SHARE)
        return;
    replace(s, out, rho, name);
    s->kept[out] = true;
}

/* The inverse from the rows themselves: those that are there from the start, then those of few
 * entries, then cuts. */
static void form_anew(pivots *s, const double *pool)
{
    size_t n = s->n;
    bool *done = s->kept + n;
    memcpy(s->before, s->active, n * sizeof *s->before);
    memset(s->kept, 0, 2 * n * sizeof *s->kept);
    start(s);
    for (size_t i = 0; i < n; i++) {
        row_name name = s->before[i];
        done[i] = name.kind != ROW_CUT && s->active[name.index].kind == name.kind;
        if (done[i])
            s->kept[name.index] = true;
    }
    for (int cuts = 0; cuts < 2; cuts++)
        for (size_t i = 0; i < n; i++)
            if (!done[i] && (s->before[i].kind == ROW_CUT) == (cuts == 1))
                place(s, s->before[i], pool);
    solve(s);
}

bool pivots_enter(pivots *s, const double *a, double rho, row_name name, const double *pool)
{
    size_t n = s->n;
    double excess = -rho;
    for (size_t i = 0; i < n; i++)
        excess += a[i] * s->x[i];
    set_share(s, a);
    size_t out = leaving(s);
    if (out == n)
        return false;
    double step = s->y[out] / s->share[out];
    replace(s, out, rho, name);
    for (size_t i = 0; i < n; i++)
        s->x[i] -= s->inverse[i * n + out] * excess;
    for (size_t j = 0; j < n; j++)
        s->y[j] -= s->share[j] * step;
    s->y[out] = step;
    if (++s->since == ANEW)
        form_anew(s, pool);
    return true;
}

row_name pivots_worst(double *worst, const pivots *s, bool rises)
{
    row_name name = {ROW_CUT, 0};
    *worst = 0;
    for (size_t l = 0; l < s->n; l++) {
        double by[] = {s->x[l] - 1, -s->x[l], l + 1 < s->n && rises ? s->x[l] - s->x[l + 1] : 0};
        for (int kind = ROW_UPPER; kind <= ROW_RISE; kind++)
            if (by[kind] > *worst) {
                *worst = by[kind];
                name = (row_name){(row_kind)kind, l};
            }
    }
    return name;
}

double pivots_simple(double *a, size_t n, row_name name)
{
    memset(a, 0, n * sizeof *a);
    a[name.index] = name.kind == ROW_LOWER ? -1 : 1;
    if (name.kind == ROW_RISE)
        a[name.index + 1] = -1;
    return name.kind == ROW_UPPER;
}
