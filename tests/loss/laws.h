/* SPDX-License-Identifier: MIT */
/* Pairs in exact rationals and what they give, for the tests of discrete laws. */
#ifndef LAWS_H
#define LAWS_H

#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "loss/pair.h"

#define TRUTH_BITS 400
#define MOST_OUTCOMES 8

typedef struct masses {
    size_t count;
    mpq_t p[MOST_OUTCOMES], q[MOST_OUTCOMES];
} masses;

static inline void masses_init(masses *m, size_t count)
{
    m->count = count;
    for (size_t j = 0; j < MOST_OUTCOMES; j++)
        mpq_inits(m->p[j], m->q[j], NULL);
}

static inline void masses_clear(masses *m)
{
    for (size_t j = 0; j < MOST_OUTCOMES; j++)
        mpq_clears(m->p[j], m->q[j], NULL);
}

/* C has no such conversion of its own. */
static inline const mpq_t *p_of(const masses *m)
{
    return (const mpq_t *)m->p;
}

static inline const mpq_t *q_of(const masses *m)
{
    return (const mpq_t *)m->q;
}

/* "1/2 1/3 1/6" */
static inline void masses_row(mpq_t *row, size_t count, const char *text)
{
    for (size_t j = 0; j < count; j++) {
        char *end;
        unsigned long num = strtoul(text, &end, 10), den = 1;
        if (*end == '/')
            den = strtoul(end + 1, &end, 10);
        mpq_set_ui(row[j], num, den);
        mpq_canonicalize(row[j]);
        text = end;
    }
}

static inline void masses_set(masses *m, size_t count, const char *p, const char *q)
{
    masses_init(m, count);
    masses_row(m->p, count, p);
    masses_row(m->q, count, q);
}

static inline void random_row(mpq_t *row, size_t count, bool zeros, rng *r)
{
    unsigned long weight[MOST_OUTCOMES], sum = 0;
    for (size_t j = 0; j < count; j++)
        sum += weight[j] = zeros && rng_below(r, 5) == 0 ? 0 : 1 + rng_below(r, 30);
    if (sum == 0)
        sum = weight[0] = 1;
    for (size_t j = 0; j < count; j++) {
        mpq_set_ui(row[j], weight[j], sum);
        mpq_canonicalize(row[j]);
    }
}

static inline void masses_random(masses *m, size_t count, bool zeros, rng *r)
{
    masses_init(m, count);
    random_row(m->p, count, zeros, r);
    random_row(m->q, count, zeros, r);
}

static inline void product_of(product *to, const masses *m, bool swap, unsigned long times)
{
    mpz_t t;
    mpz_init_set_ui(t, times);
    product_init(to);
    assert_int_equal(pair_add(to, p_of(m), q_of(m), m->count, swap, t), DP_OK);
    mpz_clear(t);
}

/* sum of the first row where the second has mass: 1 - leak */
static inline void finite_mass(mpq_t out, const mpq_t *p, const mpq_t *q, size_t count)
{
    mpq_set_ui(out, 0, 1);
    for (size_t j = 0; j < count; j++)
        if (mpq_sgn(q[j]) != 0)
            mpq_add(out, out, p[j]);
}

/* re + i im = (sum p_j e^((c + it) l_j))^times */
static inline void true_power(mpfr_t re, mpfr_t im, const mpfr_t *l, const mpfr_t *p, size_t count,
                              mpfr_srcptr c, mpfr_srcptr t, unsigned long times)
{
    mpfr_t angle, size, x, y, a, b;
    mpfr_inits2(TRUTH_BITS, angle, size, x, y, a, b, (mpfr_ptr)0);
    mpfr_set_ui(x, 0, MPFR_RNDN);
    mpfr_set_ui(y, 0, MPFR_RNDN);
    for (size_t j = 0; j < count; j++) {
        mpfr_mul(size, l[j], c, MPFR_RNDN);
        mpfr_exp(size, size, MPFR_RNDN);
        mpfr_mul(size, size, p[j], MPFR_RNDN);
        mpfr_mul(angle, l[j], t, MPFR_RNDN);
        mpfr_sin_cos(b, a, angle, MPFR_RNDN);
        mpfr_fma(x, a, size, x, MPFR_RNDN);
        mpfr_fma(y, b, size, y, MPFR_RNDN);
    }
    mpfr_hypot(size, x, y, MPFR_RNDN);
    mpfr_atan2(angle, y, x, MPFR_RNDN);
    mpfr_mul_ui(angle, angle, times, MPFR_RNDN);
    mpfr_log(size, size, MPFR_RNDN);
    mpfr_mul_ui(size, size, times, MPFR_RNDN);
    mpfr_exp(size, size, MPFR_RNDN);
    mpfr_sin_cos(b, a, angle, MPFR_RNDN);
    mpfr_mul(re, a, size, MPFR_RNDN);
    mpfr_mul(im, b, size, MPFR_RNDN);
    mpfr_clears(angle, size, x, y, a, b, (mpfr_ptr)0);
}

/* The same of the conditional law of a pair. */
static inline void true_moment(mpfr_t re, mpfr_t im, const mpq_t *p, const mpq_t *q, size_t count,
                               mpfr_srcptr c, mpfr_srcptr t, unsigned long times)
{
    mpfr_t l[MOST_OUTCOMES], mass[MOST_OUTCOMES];
    mpq_t ratio, keep;
    size_t n = 0;
    mpq_inits(ratio, keep, NULL);
    finite_mass(keep, p, q, count);
    for (size_t j = 0; j < MOST_OUTCOMES; j++)
        mpfr_inits2(TRUTH_BITS, l[j], mass[j], (mpfr_ptr)0);
    for (size_t j = 0; j < count; j++) {
        if (mpq_sgn(p[j]) == 0 || mpq_sgn(q[j]) == 0)
            continue;
        mpq_div(ratio, p[j], q[j]);
        mpfr_set_q(l[n], ratio, MPFR_RNDN);
        mpfr_log(l[n], l[n], MPFR_RNDN);
        mpq_div(ratio, p[j], keep);
        mpfr_set_q(mass[n++], ratio, MPFR_RNDN);
    }
    true_power(re, im, (const mpfr_t *)l, (const mpfr_t *)mass, n, c, t, times);
    for (size_t j = 0; j < MOST_OUTCOMES; j++)
        mpfr_clears(l[j], mass[j], (mpfr_ptr)0);
    mpq_clears(ratio, keep, NULL);
}

/* Is x in the interval, or within 2^-slack of it? What is compared was rounded to nearest. */
static inline bool holds(const mpfi_t in, mpfr_srcptr x, long slack)
{
    mpfi_t wide;
    mpfr_t error;
    mpfi_init2(wide, TRUTH_BITS);
    mpfr_init2(error, 64);
    mpfr_abs(error, x, MPFR_RNDU);
    mpfr_add_ui(error, error, 1, MPFR_RNDU);
    mpfr_mul_2si(error, error, -slack, MPFR_RNDU);
    mpfi_set(wide, in);
    mpfr_sub(&wide->left, &wide->left, error, MPFR_RNDD);
    mpfr_add(&wide->right, &wide->right, error, MPFR_RNDU);
    bool inside = mpfi_is_inside_fr(x, wide) > 0;
    mpfr_clear(error);
    mpfi_clear(wide);
    return inside;
}

#endif
