/* SPDX-License-Identifier: MIT */
#include "pld/tail.h"

#include <math.h>

#include "num/ival.h"

double tail_short(double x)
{
    int exponent;
    double m = frexp(x, &exponent);
    return ldexp(rint(m * 16777216.0), exponent - 24);
}

void tail_k(mpfi_t out, const composed *list, double z, mpfr_srcptr width2)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t a, b, part;
    mpfi_init2(a, bits);
    mpfi_init2(b, bits);
    mpfi_init2(part, bits);
    mpfi_set_ui(out, 0);
    for (size_t i = 0; i < list->losses; i++) {
        /* |a| - b + log1p(e^-2|a|) - log1p(e^-2b), b = eps/2, a = b (2z+1) */
        ival_set_number(b, &list->loss[i].epsilon);
        mpfi_div_2ui(b, b, 1);
        mpfi_set_d(part, z);
        mpfi_mul_2ui(part, part, 1);
        mpfi_add_ui(part, part, 1);
        mpfi_abs(part, part);
        mpfi_mul(a, b, part);
        mpfi_sub_ui(part, part, 1); /* |2z+1| - 1: a - b with one rounding of eps */
        mpfi_mul(part, part, b);
        mpfi_mul_2ui(a, a, 1);
        ival_log1p_exp_neg(a, a);
        mpfi_add(part, part, a);
        mpfi_mul_2ui(b, b, 1);
        ival_log1p_exp_neg(b, b);
        mpfi_sub(part, part, b);
        ival_mul_z(part, part, list->loss[i].times);
        mpfi_add(out, out, part);
    }
    if (width2 != NULL) {
        mpfi_set_d(a, z);
        mpfi_add_ui(b, a, 1);
        mpfi_mul(a, a, b);
        mpfi_mul_fr(a, a, width2);
        mpfi_div_2ui(a, a, 1);
        mpfi_add(out, out, a);
    }
    mpfi_clear(part);
    mpfi_clear(b);
    mpfi_clear(a);
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

double tail_best_above(const tilt *t, double width2, double c, double x, double period, double *z)
{
    double best = HUGE_VAL;
    for (int i = -4; i <= 20; i++) {
        double trial = c + (1 + fabs(c)) * exp(i * 0.5 - 2);
        double value = tilt_k(t, trial) + width2 * trial * (trial + 1) / 2 - trial * x -
                       (trial - c) * period;
        if (value < best) {
            best = value;
            *z = trial;
        }
    }
    return best;
}
