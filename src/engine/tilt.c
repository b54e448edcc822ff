/* SPDX-License-Identifier: MIT */
/* Moments of a list in doubles: saddle points and where to look. They choose, never decide. */
#include "engine/tilt.h"

#include <math.h>

#include "num/memory.h"
#include "num/number.h"

static double number_double(const dp_number *x)
{
    if (!x->is_log)
        return mpq_get_d(number_rational(x));
    mpfr_t r;
    mpfr_init2(r, 64);
    mpfr_set_q(r, number_odds(x), MPFR_RNDN);
    mpfr_log(r, r, MPFR_RNDN);
    double d = mpfr_get_d(r, MPFR_RNDN);
    mpfr_clear(r);
    return d;
}

/* Long lists are put into this many buckets of neighbours: enough for choices. */
#define BUCKETS 2048

/* Adds the item to the bucket: total and number stay what they are. */
static void pour(tilt *t, size_t bucket, double epsilon, double times)
{
    double loss = t->epsilon[bucket] * t->times[bucket] + epsilon * times;
    t->times[bucket] += times;
    t->epsilon[bucket] = loss / t->times[bucket];
    t->total += epsilon * times;
    t->largest = fmax(t->largest, epsilon);
}

bool tilt_init(tilt *t, const composed *c)
{
    size_t n = c->losses < BUCKETS ? c->losses : BUCKETS;
    *t = (tilt){.count = n};
    t->epsilon = memory_zero(n + 1, sizeof *t->epsilon);
    t->times = memory_zero(n + 1, sizeof *t->times);
    if (t->epsilon == NULL || t->times == NULL)
        return false;
    for (size_t i = 0; i < c->losses; i++)
        pour(t, n == c->losses ? i : i * n / c->losses, number_double(&c->loss[i].epsilon),
             mpz_get_d(c->loss[i].times));
    t->mean = tilt_k1(t, 0);
    t->deviation = sqrt(tilt_k2(t, 0));
    return true;
}

void tilt_clear(tilt *t)
{
    memory_free(t->epsilon);
    memory_free(t->times);
}

/* ln(cosh a / cosh b), without cancellation for small arguments or overflow for large ones */
static double log_cosh_ratio(double a, double b)
{
    a = fabs(a);
    b = fabs(b);
    if (a > 1 || b > 1)
        return a - b + log1p(exp(-2 * a)) - log1p(exp(-2 * b));
    return log1p(2 * sinh((a + b) / 2) * sinh((a - b) / 2) / cosh(b));
}

double tilt_k(const tilt *t, double z)
{
    double sum = 0;
    for (size_t i = 0; i < t->count; i++)
        sum += t->times[i] * log_cosh_ratio(t->epsilon[i] * (z + 0.5), t->epsilon[i] * 0.5);
    return sum;
}

double tilt_k1(const tilt *t, double z)
{
    double sum = 0;
    for (size_t i = 0; i < t->count; i++)
        sum += t->times[i] * t->epsilon[i] * tanh(t->epsilon[i] * (z + 0.5));
    return sum;
}

double tilt_k2(const tilt *t, double z)
{
    double sum = 0;
    for (size_t i = 0; i < t->count; i++) {
        double f = t->epsilon[i] / cosh(t->epsilon[i] * (z + 0.5));
        sum += t->times[i] * f * f;
    }
    return sum;
}

bool tilt_is_left(const tilt *t, double x)
{
    return x < t->mean - t->deviation;
}

/* ln z ranges over what the losses can ask for: from far below 1/total to far above 1/largest. */
static double highest_log(const tilt *t)
{
    return fmin(600, fmax(40, 40 - log(t->total)));
}

double tilt_saddle(const tilt *t, double x, bool left)
{
    /* K'(z) - x - 1/z - 1/(z+1) increases on either side */
    double low = left ? 0 : -40, high = left ? 1 : highest_log(t), z = 0;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        z = left ? middle - 1 : exp(middle);
        if (tilt_k1(t, z) - x - 1 / z - 1 / (z + 1) < 0)
            low = middle;
        else
            high = middle;
    }
    return z;
}

double tilt_log_profile(const tilt *t, double x, double z)
{
    double curvature = tilt_k2(t, z) + 1 / (z * z) + 1 / ((z + 1) * (z + 1));
    return tilt_k(t, z) - z * x - log(fabs(z)) - log1p(z) -
           0.5 * log(6.283185307179586 * curvature);
}

double tilt_find(const tilt *t, double log_s)
{
    /* Along the saddle points z > 0, x = K'(z) - 1/z - 1/(z+1) grows and ln s falls. */
    double low = -40, high = highest_log(t), x = 0;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, z = exp(middle);
        x = tilt_k1(t, z) - 1 / z - 1 / (z + 1);
        if (tilt_log_profile(t, x, z) > log_s)
            low = middle;
        else
            high = middle;
    }
    return x < 0 ? 0 : x > t->total ? t->total : x;
}

double tilt_find_left(const tilt *t, double log_rest)
{
    /* Along -1 < z < 0 both x = K'(z) - 1/z - 1/(z+1) and ln(1 - s) grow. */
    double low = -30, high = 40, x = 0;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, z = -1 / (1 + exp(middle));
        x = tilt_k1(t, z) - 1 / z - 1 / (z + 1);
        if (tilt_log_profile(t, x, z) < log_rest)
            low = middle;
        else
            high = middle;
    }
    return x < 0 ? 0 : x > t->total ? t->total : x;
}

double tilt_log_q(const mpq_t q)
{
    mpfr_t x;
    mpfr_init2(x, 64);
    mpfr_set_q(x, q, MPFR_RNDN);
    mpfr_log(x, x, MPFR_RNDN);
    double value = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clear(x);
    return value;
}
