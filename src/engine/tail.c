/* SPDX-License-Identifier: MIT */
/* Where the tails of a loss are cut, and bounds of what lies beyond. */
#include "engine/tail.h"

#include <math.h>

#include "num/ival.h"

double tail_short(double x)
{
    int exponent;
    double m = frexp(x, &exponent);
    return ldexp(rint(m * 16777216.0), exponent - 24);
}

void tail_k_at(mpfi_t out, const product *p, const mpfi_t z, const limits *lim)
{
    mpfi_t k;
    mpfi_init2(k, mpfi_get_prec(out));
    mpfi_set_ui(out, 0);
    for (size_t i = 0; i < p->count; i++) {
        p->item[i].ops->log_moment(k, p->item[i].self, z, lim);
        mpfi_add(out, out, k);
    }
    mpfi_clear(k);
}

void tail_k(mpfi_t out, const product *p, double z, const limits *lim)
{
    if (z == 0) { /* E_P 1 */
        mpfi_set_ui(out, 0);
        return;
    }
    mpfi_t at;
    mpfi_init2(at, mpfi_get_prec(out));
    mpfi_set_d(at, z);
    tail_k_at(out, p, at, lim);
    mpfi_clear(at);
}

void tail_widen(mpfi_t out, const mpfi_t k, double z, mpfr_srcptr width2)
{
    mpfi_t at, part;
    mpfi_init2(at, mpfi_get_prec(out));
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_set_d(at, z);
    mpfi_add_ui(part, at, 1);
    mpfi_mul(part, part, at);
    mpfi_mul_fr(part, part, width2);
    mpfi_div_2ui(part, part, 1);
    mpfi_add(out, k, part);
    mpfi_clear(part);
    mpfi_clear(at);
}

void tail_chernoff(mpfi_t out, const mpfi_t k, const mpfi_t x, double z)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_mul_d(part, x, z);
    mpfi_sub(out, k, part);
    mpfi_exp(out, out);
    mpfi_clear(part);
}

void tail_alias(mpfr_t most, const mpfi_t k, const mpfi_t x, double z, double c,
                const mpfi_t period)
{
    mpfr_prec_t bits = mpfi_get_prec(x);
    mpfi_t part, y;
    mpfi_init2(part, bits);
    mpfi_init2(y, bits);
    tail_chernoff(part, k, x, z);
    mpfi_set_d(y, z);
    mpfi_sub_d(y, y, c);
    mpfi_abs(y, y);
    mpfi_mul(y, y, period);
    mpfi_neg(y, y);
    mpfi_exp(y, y);
    mpfi_mul(part, part, y);
    mpfi_ui_sub(y, 1, y);
    mpfi_div(part, part, y);
    mpfr_add(most, most, &part->right, MPFR_RNDU);
    mpfi_clear(y);
    mpfi_clear(part);
}

void tail_trials_init(tail_trials *all, const tilt *t, double width2, double c, double x)
{
    /* from the scale of the loss, where that is large, to far beyond that of one use */
    double least = fmin(-4, 2 * (2 - log(t->deviation * (1 + fabs(c)))));
    int first = least > 20 - TAIL_TRIALS ? (int)least : 21 - TAIL_TRIALS;
    all->c = c;
    all->count = 21 - first;
    for (int i = 0; i < all->count; i++) {
        double z = c + (1 + fabs(c)) * exp((i + first) * 0.5 - 2);
        all->z[i] = z;
        all->log[i] = tilt_k(t, z) + width2 * z * (z + 1) / 2 - z * x;
    }
}

double tail_trials_best(const tail_trials *all, double period, double *z)
{
    double best = HUGE_VAL;
    for (int i = 0; i < all->count; i++) {
        double value = all->log[i] - (all->z[i] - all->c) * period;
        if (value < best) {
            best = value;
            *z = all->z[i];
        }
    }
    return best;
}

double tail_best_above(const tilt *t, double width2, double c, double x, double period, double *z)
{
    tail_trials all;
    tail_trials_init(&all, t, width2, c, x);
    return tail_trials_best(&all, period, z);
}
