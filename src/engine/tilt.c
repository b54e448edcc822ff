/* SPDX-License-Identifier: MIT */
/* Moments of a product in doubles: saddle points and where to look. They choose, never decide. */
#include "engine/tilt.h"

#include <math.h>

static void all_of(double k[3], const tilt *t, double z, unsigned which)
{
    k[0] = k[1] = k[2] = 0;
    for (size_t i = 0; i < t->count; i++)
        t->law[i].ops->guess(k, t->law[i].self, z, which);
}

static double sum_of(const tilt *t, double z, unsigned which, int derivative)
{
    double k[3];
    all_of(k, t, z, which);
    return k[derivative];
}

double tilt_k(const tilt *t, double z)
{
    return sum_of(t, z, LOSS_K, 0);
}

double tilt_k1(const tilt *t, double z)
{
    return sum_of(t, z, LOSS_K1, 1);
}

double tilt_k2(const tilt *t, double z)
{
    return sum_of(t, z, LOSS_K2, 2);
}

void tilt_init(tilt *t, const loss *law, size_t count)
{
    *t = (tilt){.law = law, .count = count};
    for (size_t i = 0; i < count; i++)
        law[i].ops->guess_range(&t->total, &t->largest, law[i].self);
    t->mean = tilt_k1(t, 0);
    t->deviation = sqrt(tilt_k2(t, 0));
    bool symmetric = true;
    for (size_t i = 0; i < count; i++)
        symmetric = symmetric && law[i].ops->symmetric;
    t->lift = symmetric ? 0 : fmax(0, tilt_k(t, -1));
}

void tilt_init_buckets(tilt *t, loss *law, buckets *b)
{
    *law = (loss){&buckets_ops, b};
    tilt_init(t, law, 1);
}

#define STEPS 60
#define DEAR_STEPS 40 /* of searches, where a guess takes a sum: to nine digits */

static int steps_of(const tilt *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->law[i].ops->near_decay != NULL)
            return DEAR_STEPS;
    return STEPS;
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
    int steps = steps_of(t);
    /* K'(z) - x - 1/z - 1/(z+1) increases on either side */
    double low = left ? 0 : -40, high = left ? 1 : highest_log(t), z = 0;
    for (int i = 0; i < steps; i++) {
        double middle = (low + high) / 2;
        z = left ? middle - 1 : exp(middle);
        if (tilt_k1(t, z) - x - 1 / z - 1 / (z + 1) < 0)
            low = middle;
        else
            high = middle;
    }
    return z;
}

static double log_profile(const double k[3], double x, double z)
{
    double curvature = k[2] + 1 / (z * z) + 1 / ((z + 1) * (z + 1));
    return k[0] - z * x - log(fabs(z)) - log1p(z) - 0.5 * log(6.283185307179586 * curvature);
}

double tilt_log_profile(const tilt *t, double x, double z)
{
    double k[3];
    all_of(k, t, z, LOSS_K | LOSS_K2);
    return log_profile(k, x, z);
}

/* The x of the saddle point z, and the estimate there. */
static double along(double *log, const tilt *t, double z)
{
    double k[3];
    all_of(k, t, z, LOSS_K | LOSS_K1 | LOSS_K2);
    double x = k[1] - 1 / z - 1 / (z + 1);
    *log = log_profile(k, x, z);
    return x;
}

/* x, or nearer to where a law that is alone places it. */
static double keep_to_places(double x, const tilt *t, double log_s)
{
    double low, high;
    if (t->count != 1 || t->law[0].ops->places == NULL ||
        !t->law[0].ops->places(&low, &high, t->law[0].self, log_s))
        return x;
    return x < low ? low : x > high ? sqrt(low * high) : x;
}

double tilt_find(const tilt *t, double log_s)
{
    int steps = steps_of(t);
    /* Along the saddle points z > 0, x = K'(z) - 1/z - 1/(z+1) grows and ln s falls. */
    double low = -40, high = highest_log(t), x = 0, log;
    for (int i = 0; i < steps; i++) {
        double middle = (low + high) / 2;
        x = along(&log, t, exp(middle));
        if (log > log_s)
            low = middle;
        else
            high = middle;
    }
    x = keep_to_places(x, t, log_s);
    return x < 0 ? 0 : x > t->total ? t->total : x;
}

double tilt_find_left(const tilt *t, double log_rest)
{
    int steps = steps_of(t);
    /* Along -1 < z < 0 both x = K'(z) - 1/z - 1/(z+1) and ln(1 - s) grow. */
    double low = -30, high = 40, x = 0, log;
    for (int i = 0; i < steps; i++) {
        double middle = (low + high) / 2;
        x = along(&log, t, -1 / (1 + exp(middle)));
        if (log < log_rest)
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
