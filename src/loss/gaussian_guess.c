/* SPDX-License-Identifier: MIT */
/* Where to look for the Gaussian that just keeps a budget: doubles and one Newton step, of which
 * nothing is relied on. */
#include <math.h>

#include "loss/gaussian.h"
#include "num/ival.h"

#define BITS 128

/* Phi(-t)/phi(t), t >= 0 */
static double mills(double t)
{
    double square = t * t;
    if (t > 25)
        return (1 - (1 - (3 - 15 / square) / square) / square) / t;
    return 1.2533141373155003 * erfc(t * 0.7071067811865476) * exp(square / 2);
}

/* ln of the profile of mu at x >= 0, about */
static double log_profile(double mu, double x)
{
    double a = mu / 2 - x / mu, density = -a * a / 2 - 0.9189385332046727;
    if (a > 0)
        return log(erfc(-a * 0.7071067811865476) / 2 - (mu > a ? exp(density) * mills(mu - a) : 0));
    double rise = mills(-a) - mills(mu - a);
    if (mu < 1e-3) { /* -d mills/dt = 1 - t mills(t) in the middle */
        double t = mu / 2 - a, square = t * t;
        rise = mu * (t > 25 ? (1 - (3 - 15 / square) / square) / square : 1 - t * mills(t));
    }
    return density + log(rise);
}

/* mu + (ln delta - ln s(mu)) s(mu) / phi(mu/2 - x/mu): the profile's slope in mu is that density.
 */
static void newton(mpfr_t mu, const mpfi_t x, const mpfi_t log_delta)
{
    mpfi_t m, s, part;
    mpfi_init2(m, BITS);
    mpfi_init2(s, BITS);
    mpfi_init2(part, BITS);
    mpfi_set_fr(m, mu);
    gaussian_profile(s, m, x);
    mpfi_log(part, s);
    mpfi_sub(part, log_delta, part);
    mpfi_mul(s, s, part);
    mpfi_div(part, x, m);
    mpfi_div_2ui(m, m, 1);
    mpfi_sub(m, m, part);
    mpfi_sqr(m, m);
    mpfi_div_2ui(m, m, 1);
    mpfi_exp(m, m);
    mpfi_mul(s, s, m);
    mpfi_const_pi(part);
    mpfi_mul_2ui(part, part, 1);
    mpfi_sqrt(part, part);
    mpfi_mul(s, s, part);
    mpfr_t step;
    mpfr_init2(step, BITS);
    mpfi_mid(step, s);
    if (mpfr_number_p(step) != 0)
        mpfr_add(mu, mu, step, MPFR_RNDN);
    mpfr_clear(step);
    mpfi_clear(part);
    mpfi_clear(s);
    mpfi_clear(m);
}

bool gaussian_guess(mpfr_t mu, const mpfi_t x, const mpq_t delta)
{
    mpfi_t log_delta;
    mpfi_init2(log_delta, BITS);
    ival_log_q(log_delta, delta);
    double goal = mpfi_get_d(log_delta), at = mpfi_get_d(x), low = -60, high = 25;
    for (int i = 0; i < 70; i++) {
        double middle = (low + high) / 2, found = log_profile(exp(middle), at);
        if (found > goal) /* nothing that is no number */
            high = middle;
        else
            low = middle;
    }
    mpfr_set_d(mu, exp((low + high) / 2), MPFR_RNDN);
    newton(mu, x, log_delta);
    mpfi_clear(log_delta);
    return mpfr_number_p(mu) != 0 && mpfr_sgn(mu) > 0;
}
