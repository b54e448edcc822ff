/* SPDX-License-Identifier: MIT */
/* A law of two losses, odd multiples of 1/20, used any number of times, whose exchanged pair is
 * another: what engines may ask of a law, written out plainly. M(-1) = sum mass e^-loss is whatever
 * it is. */
#ifndef TWO_LOSSES_H
#define TWO_LOSSES_H

#include <math.h>

#include "loss/line.h"
#include "num/ival.h"
#include "num/memory.h"
#include "num/number.h"

typedef struct two {
    mpq_t loss[2], mass[2];
    unsigned long times;
} two;

static void two_clear(void *self)
{
    two *t = self;
    for (int j = 0; j < 2; j++)
        mpq_clears(t->loss[j], t->mass[j], NULL);
    memory_free(t);
}

static double two_factors(const void *self)
{
    (void)self;
    return 2;
}

static void two_uses(mpz_t to, const void *self)
{
    mpz_add_ui(to, to, ((const two *)self)->times);
}

static void two_guess(double k[3], const void *self, double z, unsigned which)
{
    const two *t = self;
    double a = mpq_get_d(t->loss[0]), b = mpq_get_d(t->loss[1]), top = fmax(z * a, z * b);
    double p = mpq_get_d(t->mass[0]) * exp(z * a - top);
    double q = mpq_get_d(t->mass[1]) * exp(z * b - top), sum = p + q, uses = (double)t->times;
    (void)which;
    k[0] += uses * (top + log(sum));
    k[1] += uses * (p * a + q * b) / sum;
    k[2] += uses * p * q * (a - b) * (a - b) / (sum * sum);
}

static void two_range(double *top, double *reach, const void *self)
{
    const two *t = self;
    double a = mpq_get_d(t->loss[0]), b = mpq_get_d(t->loss[1]);
    *top += (double)t->times * fmax(a, b);
    *reach = fmax(*reach, fmax(fabs(a), fabs(b)));
}

/* out = mass_j e^(z loss_j) */
static void tilted(mpfi_t out, const two *t, int j, const mpfi_t z)
{
    mpfi_mul_q(out, z, t->loss[j]);
    mpfi_exp(out, out);
    mpfi_mul_q(out, out, t->mass[j]);
}

static void two_log_moment(mpfi_t k, const void *self, const mpfi_t z, const limits *lim)
{
    const two *t = self;
    mpfi_t part;
    (void)lim;
    mpfi_init2(part, mpfi_get_prec(k));
    tilted(k, t, 0, z);
    tilted(part, t, 1, z);
    mpfi_add(k, k, part);
    mpfi_log(k, k);
    mpfi_mul_ui(k, k, t->times);
    mpfi_clear(part);
}

static dp_status two_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                              size_t count, const limits *lim)
{
    const two *t = self;
    mpfi_t z, sum, height, angle, tau[2];
    mpfi_ptr all[] = {z, sum, height, angle, tau[0], tau[1]};
    cball part, use;
    mpz_t times;
    (void)lim;
    for (size_t i = 0; i < 6; i++)
        mpfi_init2(all[i], at->work + 64);
    cball_init(&part, at->work);
    cball_init(&use, at->work);
    mpz_init_set_ui(times, t->times);
    mpfi_set_d(z, at->c);
    tilted(tau[0], t, 0, z);
    tilted(tau[1], t, 1, z);
    mpfi_add(sum, tau[0], tau[1]);
    for (size_t k = 0; k < count; k++) {
        line_height(height, at, node[k]);
        cball_set_ui(&use, 0);
        for (int j = 0; j < 2; j++) {
            mpfi_mul_q(angle, height, t->loss[j]);
            cball_turn(&part, angle);
            mpfi_div(angle, tau[j], sum);
            cball_mul_i(&part, &part, angle);
            cball_add(&use, &use, &part);
        }
        cball_pow(&use, &use, times);
        cball_mul(&phi[k], &phi[k], &use);
    }
    mpz_clear(times);
    cball_clear(&use);
    cball_clear(&part);
    for (size_t i = 0; i < 6; i++)
        mpfi_clear(all[i]);
    return DP_OK;
}

static size_t two_resonances(scan_item *out, size_t room, const void *self, const line *at)
{
    const two *t = self;
    if (out == NULL || room == 0)
        return 1;
    double k[3] = {0, 0, 0}, a = mpq_get_d(t->loss[0]), b = mpq_get_d(t->loss[1]);
    two_guess(k, self, at->c, LOSS_K2);
    out->weight = 4 * k[2] / ((a - b) * (a - b)) * (1 - 1e-9);
    mpq_t gap;
    mpfi_t l;
    mpq_init(gap);
    mpq_sub(gap, t->loss[0], t->loss[1]);
    mpq_abs(gap, gap);
    mpfi_init2(l, line_turn_bits(at, 10));
    mpfi_set_q(l, gap);
    line_turn(out, at, l);
    mpfi_clear(l);
    mpq_clear(gap);
    return 1;
}

/* 1/20, of which both losses are odd multiples here */
static bool two_step(dp_number *h, bool *halved, const void *self)
{
    *halved = false;
    mpq_t step;
    (void)self;
    mpq_init(step);
    mpq_set_ui(step, 1, 20);
    number_set_q(h, step);
    mpq_clear(step);
    return true;
}

static size_t two_groups(const void *self)
{
    (void)self;
    return 1;
}

static double two_size(const void *self, size_t group)
{
    (void)group;
    return (double)((const two *)self)->times + 1;
}

static void two_group(mpfr_t *lost, mpfr_t *p, mpfr_t *q, const void *self, size_t group)
{
    const two *t = self;
    mpq_t at, part, mass;
    mpz_t ways;
    mpfi_t x;
    (void)group;
    mpq_inits(at, part, mass, NULL);
    mpz_init(ways);
    mpfi_init2(x, mpfr_get_prec(p[0]) + 64);
    for (unsigned long k = 0; k <= t->times; k++) {
        mpz_bin_uiui(ways, t->times, k);
        mpq_set_z(mass, ways);
        mpq_set_ui(at, 0, 1);
        for (unsigned long i = 0; i < t->times; i++) {
            mpq_mul(mass, mass, t->mass[i < k]);
            mpq_add(at, at, t->loss[i < k]);
        }
        mpfr_set_q(lost[k], at, MPFR_RNDN);
        mpfr_set_q(p[k], mass, MPFR_RNDN);
        mpq_neg(at, at);
        mpfi_set_q(x, at);
        mpfi_exp(x, x);
        mpfi_mul_q(x, x, mass);
        mpfi_get_fr(q[k], x);
    }
    mpfi_clear(x);
    mpz_clear(ways);
    mpq_clears(at, part, mass, NULL);
}

static bool two_top(logform *to, const void *self)
{
    const two *t = self;
    mpq_t times;
    mpq_init(times);
    mpq_set_ui(times, t->times, 1);
    bool ok = logform_add_q(to, times, t->loss[mpq_cmp(t->loss[0], t->loss[1]) < 0]);
    mpq_clear(times);
    return ok;
}

static const loss_ops two_ops = {.name = "two losses",
                                 .clear = two_clear,
                                 .factors = two_factors,
                                 .uses = two_uses,
                                 .guess = two_guess,
                                 .guess_range = two_range,
                                 .log_moment = two_log_moment,
                                 .multiply = two_multiply,
                                 .resonances = two_resonances,
                                 .step = two_step,
                                 .groups = two_groups,
                                 .group_size = two_size,
                                 .group = two_group,
                                 .top = two_top};

/* The losses up/20 and down/20 with masses above/20 and 1 - above/20. */
static two *two_new(int up, int down, unsigned long above, unsigned long times)
{
    two *t = memory_new(1, sizeof *t);
    for (int j = 0; j < 2; j++)
        mpq_inits(t->loss[j], t->mass[j], NULL);
    mpq_set_si(t->loss[0], up, 20);
    mpq_set_si(t->loss[1], down, 20);
    mpq_set_ui(t->mass[0], above, 20);
    mpq_set_ui(t->mass[1], 20 - above, 20);
    for (int j = 0; j < 2; j++) {
        mpq_canonicalize(t->loss[j]);
        mpq_canonicalize(t->mass[j]);
    }
    t->times = times;
    return t;
}

#endif
