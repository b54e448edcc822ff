/* SPDX-License-Identifier: MIT */
/* Moment functions of laws in Arb, as they are written. */
#ifndef MOMENTS_ARB_H
#define MOMENTS_ARB_H

#include <acb.h>
#include <math.h>
#include <mpfi.h>

#define ARB_BITS 3000

static inline void arb_of_q(arb_t out, const mpq_t q)
{
    fmpq_t f;
    fmpq_init(f);
    fmpq_set_mpq(f, q);
    arb_set_fmpq(out, f, ARB_BITS);
    fmpq_clear(f);
}

static inline void arb_of_fr(arb_t out, mpfr_srcptr x)
{
    arf_set_mpfr(arb_midref(out), x);
    mag_zero(arb_radref(out));
}

static inline void arb_of_i(arb_t out, const mpfi_t x)
{
    arf_t low, high;
    arf_init(low);
    arf_init(high);
    arf_set_mpfr(low, &x->left);
    arf_set_mpfr(high, &x->right);
    arb_set_interval_arf(out, low, high, ARB_BITS);
    arf_clear(high);
    arf_clear(low);
}

/* e^(mu^2 z(z+1)/2) */
static inline void gaussian_moment(acb_t out, const arb_t mu_squared, const acb_t z)
{
    acb_t more;
    acb_init(more);
    acb_add_ui(more, z, 1, ARB_BITS);
    acb_mul(out, more, z, ARB_BITS);
    acb_mul_arb(out, out, mu_squared, ARB_BITS);
    acb_mul_2exp_si(out, out, -1);
    acb_exp(out, out, ARB_BITS);
    acb_clear(more);
}

/* ((z+1) e^(eps z) + z e^(-eps (z+1))) / (2z+1), and e^(-eps/2) (1 + eps/2) at -1/2 */
static inline void laplace_moment(acb_t out, const arb_t eps, const acb_t z)
{
    acb_t more, a, b;
    acb_init(more);
    acb_init(a);
    acb_init(b);
    acb_add_ui(more, z, 1, ARB_BITS);
    acb_mul_arb(a, z, eps, ARB_BITS);
    acb_exp(a, a, ARB_BITS);
    acb_mul(a, a, more, ARB_BITS);
    acb_mul_arb(b, more, eps, ARB_BITS);
    acb_neg(b, b);
    acb_exp(b, b, ARB_BITS);
    acb_mul(b, b, z, ARB_BITS);
    acb_add(a, a, b, ARB_BITS);
    acb_add(b, more, z, ARB_BITS);
    if (acb_is_zero(b)) {
        acb_set_arb(a, eps);
        acb_mul_2exp_si(a, a, -1);
        acb_neg(b, a);
        acb_exp(b, b, ARB_BITS);
        acb_add_ui(a, a, 1, ARB_BITS);
        acb_mul(out, a, b, ARB_BITS);
    } else {
        acb_div(out, a, b, ARB_BITS);
    }
    acb_clear(b);
    acb_clear(a);
    acb_clear(more);
}

/* sinh((z + 1/2) eta) / ((2z + 1) sinh(eta/2)), and eta / (2 sinh(eta/2)) at -1/2 */
static inline void range_moment(acb_t out, const arb_t eta, const acb_t z)
{
    acb_t twice, w;
    arb_t half;
    acb_init(twice);
    acb_init(w);
    arb_init(half);
    arb_mul_2exp_si(half, eta, -1);
    acb_mul_2exp_si(twice, z, 1);
    acb_add_ui(twice, twice, 1, ARB_BITS);
    acb_mul_arb(w, twice, half, ARB_BITS);
    if (acb_is_zero(w)) {
        acb_set_arb(out, half);
    } else {
        acb_sinh(out, w, ARB_BITS);
        acb_div(out, out, twice, ARB_BITS);
    }
    arb_sinh(half, half, ARB_BITS);
    acb_div_arb(out, out, half, ARB_BITS);
    arb_clear(half);
    acb_clear(w);
    acb_clear(twice);
}

#define DISCRETE_BITS 450

/* The sum over k of e^(-(k^2 - zD (D - 2k)) / (2 sigma^2)), over that at z = 0: around -Dz, where
 * the terms are large. */
static inline void discrete_sum(acb_t out, const arb_t sigma2, long distance, const acb_t z)
{
    acb_t term;
    arb_t part;
    acb_init(term);
    arb_init(part);
    acb_get_real(part, z);
    double real = arf_get_d(arb_midref(part), ARF_RND_NEAR);
    arb_set(part, sigma2);
    double s = arf_get_d(arb_midref(part), ARF_RND_NEAR);
    long middle = lround(-real * (double)distance), reach = 4 + (long)sqrt(1.5 * DISCRETE_BITS * s);
    acb_zero(out);
    for (long k = middle - reach; k <= middle + reach; k++) {
        arb_set_si(part, distance * (distance - 2 * k));
        acb_mul_arb(term, z, part, DISCRETE_BITS);
        arb_set_si(part, -k * k);
        acb_add_arb(term, term, part, DISCRETE_BITS);
        acb_div_arb(term, term, sigma2, DISCRETE_BITS);
        acb_mul_2exp_si(term, term, -1);
        acb_exp(term, term, DISCRETE_BITS);
        acb_add(out, out, term, DISCRETE_BITS);
    }
    arb_clear(part);
    acb_clear(term);
}

static inline void discrete_moment(acb_t out, const arb_t sigma2, long distance, const acb_t z)
{
    acb_t norm, zero;
    acb_init(norm);
    acb_init(zero);
    discrete_sum(out, sigma2, distance, z);
    discrete_sum(norm, sigma2, distance, zero);
    acb_div(out, out, norm, DISCRETE_BITS);
    acb_clear(zero);
    acb_clear(norm);
}

#endif
