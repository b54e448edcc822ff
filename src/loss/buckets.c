/* SPDX-License-Identifier: MIT */
/* Moments of randomized response in doubles. */
#include "loss/buckets.h"

#include <math.h>

#include "loss/response.h"
#include "num/memory.h"
#include "num/number.h"

/* Long lists are put into this many: enough for choices. */
#define MOST 2048

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

/* Adds the item to the bucket: total and number stay what they are. */
static void pour(buckets *b, size_t k, double epsilon, double times)
{
    double sum = b->epsilon[k] * b->times[k] + epsilon * times;
    b->times[k] += times;
    b->epsilon[k] = sum / b->times[k];
    b->total += epsilon * times;
    b->largest = fmax(b->largest, epsilon);
}

bool buckets_init(buckets *b, const response *r)
{
    size_t losses = r != NULL ? r->losses : 0, n = losses < MOST ? losses : MOST;
    *b = (buckets){.count = n};
    b->epsilon = memory_zero(n + 1, sizeof *b->epsilon);
    b->times = memory_zero(n + 1, sizeof *b->times);
    if (b->epsilon == NULL || b->times == NULL) {
        b->count = 0;
        return false;
    }
    for (size_t i = 0; i < losses; i++)
        pour(b, n == losses ? i : i * n / losses, number_double(&r->loss[i].epsilon),
             mpz_get_d(r->loss[i].times));
    return true;
}

void buckets_clear(buckets *b)
{
    memory_free(b->epsilon);
    memory_free(b->times);
    *b = (buckets){0};
}

void buckets_sum(buckets *b)
{
    b->total = b->largest = 0;
    for (size_t i = 0; i < b->count; i++) {
        b->total += b->epsilon[i] * b->times[i];
        b->largest = fmax(b->largest, b->epsilon[i]);
    }
}

void buckets_range(double *top, double *reach, const void *self)
{
    const buckets *b = self;
    *top += b->total;
    *reach = fmax(*reach, b->largest);
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

void buckets_guess(double k[3], const void *self, double z, unsigned which)
{
    const buckets *b = self;
    double sum[3] = {0, 0, 0};
    for (size_t i = 0; (which & LOSS_K) != 0 && i < b->count; i++)
        sum[0] += b->times[i] * log_cosh_ratio(b->epsilon[i] * (z + 0.5), b->epsilon[i] * 0.5);
    for (size_t i = 0; (which & LOSS_K1) != 0 && i < b->count; i++)
        sum[1] += b->times[i] * b->epsilon[i] * tanh(b->epsilon[i] * (z + 0.5));
    for (size_t i = 0; (which & LOSS_K2) != 0 && i < b->count; i++) {
        double f = b->epsilon[i] / cosh(b->epsilon[i] * (z + 0.5));
        sum[2] += b->times[i] * f * f;
    }
    for (int j = 0; j < 3; j++)
        k[j] += sum[j];
}

static void leave(void *self)
{
    (void)self;
}

const loss_ops buckets_ops = {.name = "randomized response in doubles",
                              .clear = leave,
                              .symmetric = true,
                              .guess = buckets_guess,
                              .guess_range = buckets_range};
