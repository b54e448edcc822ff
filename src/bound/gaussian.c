/* SPDX-License-Identifier: MIT */
#include "bound/gaussian.h"

#include "num/ival.h"

/* Phi(x) = erfc(-x/sqrt 2)/2; erfc decreases, so the ends change places. */
void gaussian_cdf(mpfi_t out, const mpfi_t x)
{
    mpfi_t y;
    mpfi_init2(y, mpfi_get_prec(out));
    mpfi_set_ui(y, 2);
    mpfi_sqrt(y, y);
    mpfi_div(y, x, y);
    mpfi_neg(y, y);
    mpfr_erfc(&out->left, &y->right, MPFR_RNDD);
    mpfr_erfc(&out->right, &y->left, MPFR_RNDU);
    mpfi_div_2ui(out, out, 1);
    mpfi_clear(y);
}

void gaussian_profile(mpfi_t out, const mpfi_t mu, const mpfi_t x)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t half, ratio, far;
    mpfi_init2(half, bits);
    mpfi_init2(ratio, bits);
    mpfi_init2(far, bits);
    mpfi_div_2ui(half, mu, 1);
    mpfi_div(ratio, x, mu);
    mpfi_add(far, half, ratio);
    mpfi_neg(far, far);
    gaussian_cdf(far, far);
    mpfi_sub(half, half, ratio);
    gaussian_cdf(half, half);
    mpfi_exp(ratio, x);
    mpfi_mul(far, far, ratio);
    mpfi_sub(out, half, far);
    ival_clamp_ui(out, 0, 1);
    mpfi_clear(far);
    mpfi_clear(ratio);
    mpfi_clear(half);
}

#define NEWTON_STEPS 200

/* x - (ln delta(x) - goal) / (ln delta)'(x), with (delta)' = -e^x Phi(-mu/2 - x/mu): from the right of
 * the root the steps stay there, for ln delta is concave. Middles of enclosures only choose. */
static bool newton(mpfr_t x, const mpfi_t mu, const mpfi_t goal)
{
    mpfr_prec_t bits = mpfr_get_prec(x);
    mpfi_t at, value, slope;
    mpfi_init2(at, bits);
    mpfi_init2(value, bits);
    mpfi_init2(slope, bits);
    mpfi_set_fr(at, x);
    gaussian_profile(value, mu, at);
    mpfi_div(slope, at, mu);
    mpfi_neg(slope, slope);
    mpfi_div_2ui(at, mu, 1);
    mpfi_sub(slope, slope, at);
    gaussian_cdf(slope, slope);
    mpfi_set_fr(at, x);
    mpfi_exp(at, at);
    mpfi_mul(slope, slope, at);
    mpfi_div(slope, value, slope);
    mpfi_log(value, value);
    mpfi_sub(value, value, goal);
    mpfi_mul(value, value, slope);
    mpfr_t step;
    mpfr_init2(step, bits);
    mpfi_mid(step, value);
    bool moved = mpfr_number_p(step) != 0;
    if (moved) {
        mpfr_add(x, x, step, MPFR_RNDN);
        moved = mpfr_sgn(x) <= 0 ||
                (mpfr_sgn(step) != 0 &&
                 mpfr_get_exp(step) > mpfr_get_exp(x) - (mpfr_exp_t)(bits / 2));
        if (mpfr_sgn(x) < 0)
            mpfr_set_zero(x, 1);
    }
    mpfr_clear(step);
    mpfi_clear(slope);
    mpfi_clear(value);
    mpfi_clear(at);
    return moved;
}

/* Widens [x, x] until the profile is certified to be at least delta on the left (or the left end is
 * 0) and at most delta on the right. */
static void certify(mpfi_t out, const mpfr_t x, const mpfi_t mu, const mpq_t delta)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t at, value;
    mpfr_t width;
    mpfi_init2(at, bits);
    mpfi_init2(value, bits);
    mpfr_init2(width, bits);
    for (mpfr_exp_t shift = 16;; shift++) {
        mpfr_set_ui_2exp(width, 1, (mpfr_zero_p(x) ? 0 : mpfr_get_exp(x)) - bits + shift,
                         MPFR_RNDU);
        mpfr_sub(&out->left, x, width, MPFR_RNDD);
        mpfr_add(&out->right, x, width, MPFR_RNDU);
        if (mpfr_sgn(&out->left) < 0)
            mpfr_set_zero(&out->left, 1);
        mpfi_set_fr(at, &out->right);
        gaussian_profile(value, mu, at);
        bool holds = mpfr_cmp_q(&value->right, delta) <= 0;
        if (holds && mpfr_sgn(&out->left) > 0) {
            mpfi_set_fr(at, &out->left);
            gaussian_profile(value, mu, at);
            holds = mpfr_cmp_q(&value->left, delta) >= 0;
        }
        if (holds)
            break;
    }
    mpfr_clear(width);
    mpfi_clear(value);
    mpfi_clear(at);
}

void gaussian_epsilon(mpfi_t out, const mpfi_t mu, const mpq_t delta)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t goal, start;
    mpfr_t x;
    mpfi_init2(goal, bits);
    mpfi_init2(start, bits);
    mpfr_init2(x, bits);
    /* Phi(-t) <= e^(-t^2/2): the profile is below delta at mu^2/2 + mu sqrt(2 ln(1/delta)) */
    ival_log_q(goal, delta);
    mpfi_mul_si(start, goal, -2);
    mpfi_sqrt(start, start);
    mpfi_mul(start, start, mu);
    mpfi_sqr(out, mu);
    mpfi_div_2ui(out, out, 1);
    mpfi_add(start, start, out);
    mpfr_set(x, &start->right, MPFR_RNDU);
    for (int i = 0; i < NEWTON_STEPS && newton(x, mu, goal); i++)
        ;
    certify(out, x, mu, delta);
    mpfr_clear(x);
    mpfi_clear(start);
    mpfi_clear(goal);
}
