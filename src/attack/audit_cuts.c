/* SPDX-License-Identifier: MIT */
/* Cutting planes: the analytic centre of what is left, by Newton's method. */
#include "attack/audit_cuts.h"

#include <math.h>

#define NEWTON_STEPS 20
#define CENTRED 0.1

void cuts_init(cuts *z, size_t n)
{
    z->n = n;
    z->count = n + 1;
    for (size_t i = 0; i <= n; i++)
        for (size_t k = 0; k < n; k++)
            z->a[i][k] = i == n ? 1 : i == k ? -1 : 0;
    for (size_t i = 0; i <= n; i++)
        z->b[i] = i == n ? 2 : 0;
    for (size_t k = 0; k < n; k++)
        z->x[k] = 1 / (double)(n + 1);
}

/* y = H^-1 g */
static void solve(double *y, const cuts *z, const double *g)
{
    for (size_t i = 0; i < z->n; i++) {
        double sum = g[i];
        for (size_t k = 0; k < i; k++)
            sum -= z->l[i][k] * y[k];
        y[i] = sum / z->l[i][i];
    }
    for (size_t i = z->n; i-- > 0;) {
        for (size_t k = i + 1; k < z->n; k++)
            y[i] -= z->l[k][i] * y[k];
        y[i] /= z->l[i][i];
    }
}

static double product(const cuts *z, const double *x, const double *y)
{
    double sum = 0;
    for (size_t k = 0; k < z->n; k++)
        sum += x[k] * y[k];
    return sum;
}

/* The gradient of the barrier at x, and H. */
static void barrier(double *g, cuts *z)
{
    double h[LAYERS_MOST][LAYERS_MOST] = {{0}};
    for (size_t k = 0; k < z->n; k++)
        g[k] = 0;
    for (size_t i = 0; i < z->count; i++) {
        double over = 1 / (z->b[i] - product(z, z->a[i], z->x));
        for (size_t k = 0; k < z->n; k++) {
            double part = z->a[i][k] * over;
            g[k] += part;
            for (size_t j = 0; j <= k; j++)
                h[k][j] += part * z->a[i][j] * over;
        }
    }
    for (size_t i = 0; i < z->n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = h[i][j];
            for (size_t k = 0; k < j; k++)
                sum -= z->l[i][k] * z->l[j][k];
            z->l[i][j] = i == j ? sqrt(sum) : sum / z->l[j][j];
        }
}

/* Damped steps of Newton's method, which stay inside. */
void cuts_centre(cuts *z)
{
    double g[LAYERS_MOST], d[LAYERS_MOST];
    for (int i = 0; i < NEWTON_STEPS; i++) {
        barrier(g, z);
        solve(d, z, g);
        double far = sqrt(product(z, g, d)), step = far > 0.25 ? 1 / (1 + far) : 1;
        if (!(far > CENTRED))
            break;
        for (size_t k = 0; k < z->n; k++)
            z->x[k] -= step * d[k];
    }
}

double cuts_add(cuts *z, const double *slope)
{
    double d[LAYERS_MOST], norm = sqrt(product(z, slope, slope));
    solve(d, z, slope);
    double far = sqrt(product(z, slope, d));
    for (size_t k = 0; k < z->n; k++)
        z->a[z->count][k] = slope[k] / norm;
    z->b[z->count] = product(z, z->a[z->count], z->x);
    z->count++;
    for (size_t k = 0; k < z->n; k++)
        z->x[k] -= 0.7 * d[k] / far;
    return far;
}
