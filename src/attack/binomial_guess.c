/* SPDX-License-Identifier: MIT */
/* Binomial tails in doubles, by the same fraction and series as the certified ones. */
#include "attack/binomial_guess.h"

#include <math.h>
#include <stddef.h>

#include "attack/binomial_near.h"

double guess_logit(const share *s)
{
    mpfi_t x;
    mpfi_init2(x, 64);
    share_logit(x, s);
    double logit = mpfi_get_d(x);
    mpfi_clear(x);
    return logit;
}

/* ln n! less Stirling's formula */
static double stirling(double n)
{
    if (n < 16)
        return lgamma(n + 1) - (n + 0.5) * log(n) + n - 0.91893853320467274178;
    double r = 1 / (n * n);
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - r / 1680) * r) * r) / n;
}

/* k ln(k/m) + m - k, without cancellation for k near m */
static double deviance(double k, double m)
{
    double v = (k - m) / (k + m);
    if (fabs(v) > 0.1)
        return k * log(k / m) + m - k;
    double s = (k - m) * v, term = 2 * k * v;
    for (int j = 1; j < 40; j++) {
        term *= v * v;
        s += term / (2 * j + 1);
    }
    return s;
}

double guess_log_mass(double k, double n, double x)
{
    double p = 1 / (1 + exp(-x)), q = 1 / (1 + exp(x));
    double log_p = x > 0 ? -log1p(exp(-x)) : x - log1p(exp(x)), log_q = log_p - x;
    if (k <= 0)
        return n * log_q;
    if (k >= n)
        return n * log_p;
    return stirling(n) - stirling(k) - stirling(n - k) - deviance(k, n * p) -
           deviance(n - k, n * q) + 0.5 * log(n / (k * (n - k))) - 0.91893853320467274178;
}

#define STEPS 100000

/* Pr[Bin >= k] / (Pr[Bin = k] q) for a mean below k */
static double fraction(double k, double n, double p)
{
    double r = n - k + 1, num[2] = {1, 1 - (k + r) * p / (k + 1)}, den[2] = {0, 1}, last = 0;
    for (double m = 1; m < r && m < STEPS; m++) {
        double even = m * (r - m) * p / ((k + 2 * m - 1) * (k + 2 * m));
        double odd = (k + m) * (k + r + m) * p / ((k + 2 * m) * (k + 2 * m + 1));
        double a = even * p * (k + m - 1) * (k + r + m - 1) / ((k + 2 * m - 2) * (k + 2 * m - 1));
        double top = (1 + even - odd) * num[1] + a * num[0];
        double low = (1 + even - odd) * den[1] + a * den[0];
        num[0] = num[1] / top;
        den[0] = den[1] / top;
        num[1] = 1;
        den[1] = low / top;
        if (fabs(den[1] - last) <= 1e-15 * den[1])
            break;
        last = den[1];
    }
    return den[1] / num[1];
}

/* 1/j, as divisions are slow */
#define EIGHT(j)                                                                                   \
    1.0 / (j), 1.0 / ((j) + 1), 1.0 / ((j) + 2), 1.0 / ((j) + 3), 1.0 / ((j) + 4),                 \
        1.0 / ((j) + 5), 1.0 / ((j) + 6), 1.0 / ((j) + 7)
static const double part[] = {0,         EIGHT(1),  EIGHT(9),  EIGHT(17), EIGHT(25),
                              EIGHT(33), EIGHT(41), EIGHT(49), EIGHT(57)};
#define TERMS 62

/* The same for a mean near k: binomial_near.c. */
static double by_panels(double k, double n, double p, double q)
{
    double w = 0, height = 1, sum = 0;
    for (int i = 0; i < 60 && height > 1e-17; i++) {
        double a = 1 - w, b = 1 - p * w, t = p * a / b, fall = k - (n + 1) * t;
        double wide = 1.5 / sqrt((n + 1) * t * (q / b));
        double h = a * fmin(fmin(wide, 0.125), 4 / fmax(fall, 1e-300));
        double first = (1 - fall) * h / a, gain = h / a + p * h / b, curve = h / a * (p * h / b);
        double last = 0, d = 1, value = 1, mean = 1;
        for (int j = 0; j < TERMS && (j < 8 || fabs(d) + fabs(last) > 1e-18); j++) {
            double next = ((first + gain * j) * d - curve * (n - k + 1 + j) * last) * part[j + 1];
            last = d;
            d = next;
            value += d;
            mean += d * part[j + 2];
        }
        sum += height * h * mean;
        height *= value;
        w += h;
    }
    return k * sum;
}

#define VARIANCE_MOST 1e5 /* of which some thousand terms are enough */

/* The same term by term, which fall; 0 where that takes all counts up to n. */
static double by_terms(double k, double n, double p, double q)
{
    double odds = p / q, term = 1, sum = 1, left = n - k;
    for (k++; term > 1e-17 * sum; k++, left--) {
        if (left <= 0)
            return 0;
        term *= left * odds / k;
        sum += term;
    }
    return sum / q;
}

static double over_mass(double k, double n, double p, double q)
{
    double sum = n * p * q < VARIANCE_MOST ? by_terms(k, n, p, q) : 0;
    if (sum > 0)
        return sum;
    return binomial_seems_near(k, n, p, q, 96) ? by_panels(k, n, p, q) : fraction(k, n, p);
}

double guess_log_tail(double k, double n, double x, double *slope)
{
    if (k <= 0) {
        if (slope != NULL)
            *slope = 0;
        return 0;
    }
    double p = 1 / (1 + exp(-x)), q = 1 / (1 + exp(x));
    if (k >= (n + 1) * p) {
        double over = over_mass(k, n, p, q);
        if (slope != NULL) /* not by logarithms, which may be large */
            *slope = k / over;
        return guess_log_mass(k, n, x) + log(q * over);
    }
    double other = guess_log_mass(k - 1, n, x);
    double short_tail = exp(other) * p * over_mass(n - k + 1, n, q, p);
    double log_tail = log1p(-(short_tail < 1 ? short_tail : 1 - 1e-16));
    if (slope != NULL)
        *slope = k * q * exp(other + x + log((n - k + 1) / k) - log_tail);
    return log_tail;
}

/* The logarithm of the tail is concave in x: after its first step Newton's method comes from the
 * left. From where the tail is next to 1 that step would be as far as doubles go. */
double guess_low_near(double k, double n, double log_a, double x, double step_most)
{
    for (int i = 0; i < 100; i++) {
        double slope, at = guess_log_tail(k, n, x, &slope);
        double step = (log_a - at) / slope;
        if (!(step > -2 - fabs(x) && step < 1e6))
            step = -2 - fabs(x);
        x += step;
        if (fabs(step) < step_most * (1 + fabs(x)))
            break;
    }
    return x;
}

double guess_low(double k, double n, double log_a)
{
    double x = log(k / (n - k + 1)) - sqrt(-2 * log_a / (k * (1 - k / (n + 1))));
    return guess_low_near(k, n, log_a, x, 1e-15);
}
