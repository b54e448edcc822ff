/* SPDX-License-Identifier: MIT */
/* One run, the linear program over all mechanisms, solved by trying all vertices. */
#ifndef ATTACK_PROGRAM_H
#define ATTACK_PROGRAM_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* By symmetry a mechanism is the law p_c of the right guesses of r at random positions. What it
 * breaks, for a flip of one bit: the sum of the positive parts of these terms, each c p_c - E
 * (r-c+1) p_(c-1), and the same for wrong guesses, over m. */
static void term(double row[4], int t, int r, double e)
{
    memset(row, 0, 4 * sizeof *row);
    int c = t % (r + 1);
    if (t <= r) { /* right before, wrong after the flip */
        row[c] = c;
        if (c > 0)
            row[c - 1] = -e * (r - c + 1);
    } else {
        row[c] = r - c;
        if (c < r)
            row[c + 1] = -e * (c + 1);
    }
}

/* Solves rows x = right for r + 1 unknowns; false where they depend on each other. */
static bool solve(double x[4], double a[4][5], int n)
{
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int j = i; j < n; j++)
            if (fabs(a[j][i]) > fabs(a[best][i]))
                best = j;
        if (fabs(a[best][i]) < 1e-9)
            return false;
        for (int k = 0; k < 5; k++) {
            double swap = a[i][k];
            a[i][k] = a[best][k];
            a[best][k] = swap;
        }
        for (int j = 0; j < n; j++)
            for (int k = 4; j != i && k >= i; k--)
                a[j][k] -= a[i][k] * a[j][i] / a[i][i];
    }
    for (int i = 0; i < n; i++)
        x[i] = a[i][4] / a[i][i];
    return true;
}

#define MOST_ROWS 300

/* The largest Pr[W >= v] over all vertices: p >= 0 and, for every subset of the terms, its sum at
 * most m delta. */
typedef struct program {
    double row[MOST_ROWS][5];
    int count, r, v;
    double best;
} program;

static void try_vertex(program *p, const int *chosen)
{
    double a[4][5] = {{0}}, x[4] = {0};
    int n = p->r + 1;
    for (int k = 0; k < n; k++)
        a[0][k] = 1;
    a[0][4] = 1;
    for (int i = 1; i < n; i++)
        memcpy(a[i], p->row[chosen[i - 1]], sizeof a[i]);
    if (!solve(x, a, n))
        return;
    for (int i = 0; i < p->count; i++) {
        double s = -p->row[i][4];
        for (int k = 0; k < n; k++)
            s += p->row[i][k] * x[k];
        if (s > 1e-11)
            return;
    }
    double tail = 0;
    for (int c = p->v; c <= p->r; c++)
        tail += x[c];
    p->best = fmax(p->best, tail);
}

static void vertices(program *p, int *chosen, int depth, int from)
{
    if (depth == p->r) {
        try_vertex(p, chosen);
        return;
    }
    for (chosen[depth] = from; chosen[depth] < p->count; chosen[depth]++)
        vertices(p, chosen, depth + 1, chosen[depth] + 1);
}

static double supremum(int m, int r, int v, int points, const double *e, const double *delta)
{
    static program p;
    p = (program){.r = r, .v = v};
    for (int c = 0; c <= r; c++, p.count++)
        p.row[p.count][c] = -1;
    for (int set = 1; set < points << (2 * r + 2); set++) {
        if (set & 1 || set >> (2 * r + 1) & 1) /* terms that are never positive */
            continue;
        int at = set >> (2 * r + 2);
        if ((set & ((1 << (2 * r + 2)) - 1)) == 0)
            continue;
        for (int t = 0; t < 2 * r + 2; t++) {
            double row[4];
            term(row, t, r, e[at]);
            for (int c = 0; c <= r && (set >> t & 1); c++)
                p.row[p.count][c] += row[c];
        }
        p.row[p.count++][4] = m * delta[at];
    }
    int chosen[4];
    vertices(&p, chosen, 0, 0);
    return p.best;
}

#endif
