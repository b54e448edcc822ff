/* SPDX-License-Identifier: MIT */
/* One run, the supremum over all mechanisms by linear programs: onerun-exact at more guesses than
 * are enumerated elsewhere, onerun-adaptive, whose attack chooses how many guesses it makes, and
 * onerun-profile, which is no less. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- max c x, A x <= b, x >= 0, b >= 0, by the simplex method with Bland's rule ---- */

#define MOST_ROWS 160
#define MOST_COLUMNS 320

typedef struct program {
    int rows, columns; /* without slacks */
    double at[MOST_ROWS + 1][MOST_COLUMNS + 1];
    int basic[MOST_ROWS];
} program;

static void pivot(program *p, int row, int column, int width)
{
    double by = p->at[row][column];
    for (int k = 0; k <= width; k++)
        p->at[row][k] /= by;
    for (int i = 0; i <= p->rows; i++) {
        double times = p->at[i][column];
        if (i == row || times == 0)
            continue;
        for (int k = 0; k <= width; k++)
            p->at[i][k] -= times * p->at[row][k];
    }
    p->basic[row] = column;
}

/* Row `rows` is the objective; column `width` the right side. */
static double maximum(program *p)
{
    int width = p->columns + p->rows;
    assert_in_range(width, 1, MOST_COLUMNS);
    for (int i = 0; i < p->rows; i++) {
        p->at[i][width] = p->at[i][p->columns];
        p->at[i][p->columns] = 0;
        p->at[i][p->columns + i] = 1;
        p->basic[i] = p->columns + i;
    }
    for (;;) {
        int enter = 0, leave = -1;
        while (enter < width && p->at[p->rows][enter] <= 1e-12)
            enter++;
        if (enter == width)
            return -p->at[p->rows][width];
        for (int i = 0; i < p->rows; i++) {
            if (p->at[i][enter] <= 1e-11)
                continue;
            double ratio = p->at[i][width] / p->at[i][enter],
                   least = leave < 0 ? HUGE_VAL : p->at[leave][width] / p->at[leave][enter];
            if (ratio < least - 1e-13 ||
                (ratio < least + 1e-13 && leave >= 0 && p->basic[i] < p->basic[leave]))
                leave = i;
        }
        assert_true(leave >= 0);
        pivot(p, leave, enter, width);
    }
}

/* ---- one run ---- */

/* By symmetry a mechanism is the law P(r, c) of how many it guesses and how many are right. A flip
 * of one coin breaks the inequality of E by the sum of the positive parts of c P(r, c) - E (r-c+1)
 * P(r, c-1), and of (r-c) P(r, c) - E (c+1) P(r, c+1), over m, which is at most delta. What is left
 * of the mass makes no guess. */
static int place(int r, int c)
{
    return (r - 1) * (r + 2) / 2 + c; /* r = 1: 0, 1; r = 2: 2, 3, 4; ... */
}

static void add_part(program *p, int r, int c, bool right, double e, int h)
{
    double *row = p->at[p->rows++];
    row[place(r, c)] = right ? c : r - c;
    if (right && c > 0)
        row[place(r, c - 1)] = -e * (r - c + 1);
    if (!right && c < r)
        row[place(r, c + 1)] = -e * (c + 1);
    row[h] = -1;
}

/* v[r] for r = 1..m, more than r where that many guesses never refute; `only` that many, or 0. */
static double supremum(int m, const int *v, int only, int points, const double *e,
                       const double *delta)
{
    static program p;
    int laws = place(m, m) + 1, h = laws;
    memset(&p, 0, sizeof p);
    p.columns = laws + points * 2 * laws;
    for (int k = 0; k < points; k++) {
        int first = h;
        for (int r = only > 0 ? only : 1; r <= (only > 0 ? only : m); r++)
            for (int c = 0; c <= r; c++)
                for (int right = 0; right < 2; right++)
                    add_part(&p, r, c, right == 1, e[k], h++);
        for (int j = first; j < h; j++)
            p.at[p.rows][j] = 1;
        p.at[p.rows++][p.columns] = m * delta[k];
    }
    for (int r = 1; r <= m; r++)
        for (int c = 0; c <= r; c++) {
            bool is = only == 0 || r == only;
            p.at[p.rows][place(r, c)] = 1;
            p.at[MOST_ROWS][place(r, c)] = is && c >= v[r];
        }
    p.at[p.rows++][p.columns] = 1;
    assert_in_range(p.rows, 1, MOST_ROWS - 1);
    memcpy(p.at[p.rows], p.at[MOST_ROWS], sizeof p.at[0]);
    return maximum(&p);
}

/* ---- the program's figures ---- */

static double p_value(dp_audit_method method, int m, int r, int v, const char *const *points,
                      size_t count, bool fixed)
{
    dp_number n[3], x[8], confidence;
    for (size_t i = 0; i < 8; i++)
        dp_number_init(&x[i]);
    for (size_t i = 0; i < 3; i++)
        dp_number_init(&n[i]);
    dp_number_init(&confidence);
    dp_number_set_ui(&n[0], (unsigned long)m);
    dp_number_set_ui(&n[1], (unsigned long)r);
    dp_number_set_ui(&n[2], (unsigned long)v);
    number_of(&confidence, "0.95");
    for (size_t i = 0; i < 2 * count; i++)
        number_of(&x[i], points[i]);
    dp_audit a = {.one_run = true,
                  .canaries = &n[0],
                  .guesses = &n[1],
                  .correct = &n[2],
                  .confidence = &confidence,
                  .method = method,
                  .fixed_positions = fixed};
    dp_options opt = dp_options_default();
    if (method == DP_AUDIT_PROFILE) {
        a.claim_point = x;
        a.claim_points = 2 * count;
    } else {
        a.delta = &x[1];
        opt.max_epsilon = &x[0];
    }
    dp_result result;
    dp_error err = {DP_OK, NULL, NULL};
    dp_result_init(&result);
    if (dp_audit_evaluate(&result, &a, &opt, &err) != DP_OK)
        fail_msg("%s %s", err.argument, err.message);
    double p = dp_figure_double(dp_result_figure(&result, "p_value"), DP_UPPER, 12);
    dp_result_clear(&result);
    dp_number_clear(&confidence);
    for (size_t i = 0; i < 3; i++)
        dp_number_clear(&n[i]);
    for (size_t i = 0; i < 8; i++)
        dp_number_clear(&x[i]);
    return p;
}

static const char *const claims[][2] = {{"0", "0.01"},  {"0.5", "0.001"}, {"1", "0.1"},
                                        {"2", "0.03"},  {"1", "0"},       {"4", "1e-3"},
                                        {"0.1", "0.04"}};

#define CLAIMS (sizeof claims / sizeof *claims)

static void fixed_number(size_t g, int m, int r, int v)
{
    int rule[8] = {0};
    double e = exp(strtod(claims[g][0], NULL)), delta = strtod(claims[g][1], NULL);
    rule[r] = v;
    double best = supremum(m, rule, r, 1, &e, &delta);
    double p = p_value(DP_AUDIT_EXACT, m, r, v, claims[g], 1, false);
    if (fabs(p - best) > 1e-9)
        fail_msg("claim %zu, m %d r %d v %d: %.12g, found %.12g", g, m, r, v, p, best);
    if (m > r)
        return;
    p = p_value(DP_AUDIT_EXACT, m + 3, r, v, claims[g], 1, true); /* the named ones alone */
    assert_true(fabs(p - best) < 1e-9);
}

static void test_exact(void **state)
{
    (void)state;
    for (size_t g = 0; g < CLAIMS; g++)
        for (int m = 1; m <= 5; m++)
            for (int r = 1; r <= m; r++)
                for (int v = 1; v <= r; v++)
                    fixed_number(g, m, r, v);
}

static double tail(int v, int r, double q)
{
    double sum = 0;
    for (int k = v; k <= r; k++) {
        double c = 1;
        for (int i = 0; i < k; i++)
            c = c * (r - i) / (i + 1);
        sum += c * pow(q, k) * pow(1 - q, r - k);
    }
    return sum;
}

/* The outcomes that are no likelier than (r, v) at that epsilon, for each number of guesses. */
static void rule_of(int *rule, int m, int r, int v, double e)
{
    double score = tail(v, r, e / (1 + e)) * (1 + 1e-12);
    for (int n = 1; n <= m; n++) {
        rule[n] = 1;
        while (rule[n] <= n && tail(rule[n], n, e / (1 + e)) > score)
            rule[n]++;
    }
}

static void test_adaptive(void **state)
{
    (void)state;
    for (size_t g = 0; g < CLAIMS; g++)
        for (int m = 1; m <= 4; m++)
            for (int r = 1; r <= m; r++)
                for (int v = 1; v <= r; v++) {
                    int rule[8];
                    double e = exp(strtod(claims[g][0], NULL));
                    double delta = strtod(claims[g][1], NULL);
                    rule_of(rule, m, r, v, e);
                    double best = supremum(m, rule, 0, 1, &e, &delta);
                    double p = p_value(DP_AUDIT_ADAPTIVE, m, r, v, claims[g], 1, false);
                    if (fabs(p - best) > 1e-9)
                        fail_msg("claim %zu, m %d r %d v %d: %.12g, found %.12g", g, m, r, v, p,
                                 best);
                }
}

/* Several points at once: a certificate is no less than any mechanism reaches, and next to it. */
static void test_profile(void **state)
{
    (void)state;
    static const char *const point[] = {"0.2", "0.1", "0.6", "0.03", "1.2", "0.004"};
    double e[3], delta[3], most = 0;
    for (size_t k = 0; k < 3; k++) {
        e[k] = exp(strtod(point[2 * k], NULL));
        delta[k] = strtod(point[2 * k + 1], NULL);
    }
    for (int m = 1; m <= 4; m++)
        for (int r = 1; r <= m; r++)
            for (int v = 1; v <= r; v++) {
                int rule[8] = {0};
                rule[r] = v;
                double best = supremum(m, rule, r, 3, e, delta);
                double p = p_value(DP_AUDIT_PROFILE, m, r, v, point, 3, false);
                assert_true(p >= best - 1e-9);
                most = fmax(most, p - best);
            }
    assert_true(most < 2e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_adaptive),
        cmocka_unit_test(test_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
