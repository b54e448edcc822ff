/* SPDX-License-Identifier: MIT */
/* Heights of nodes, and how far the phase of an outcome turns from one node to the next. */
#include "loss/line.h"

#include "num/ival.h"
#include "num/wide.h"

void line_height(mpfi_t t, const line *at, uint64_t node)
{
    if (at->step == NULL) {
        mpfi_set_fr(t, at->spacing);
        wide_mul(t, t, node);
        return;
    }
    mpfi_t step;
    mpfi_init2(step, mpfi_get_prec(t));
    ival_set_number(step, at->step);
    mpfi_const_pi(t);
    mpfi_div(t, t, step);
    wide_mul(t, t, node);
    wide_div(t, t, at->period);
    if (at->halved)
        mpfi_mul_2ui(t, t, 1);
    mpfi_clear(step);
}

#define TURN_BITS (64 + SCAN_REST_BITS + 12)

mpfr_prec_t line_turn_bits(const line *at, mpfr_exp_t exponent)
{
    mpfi_t height;
    mpfi_init2(height, 32);
    line_height(height, at, 1);
    exponent += mpfr_get_exp(&height->right);
    mpfi_clear(height);
    return TURN_BITS + (exponent > 0 ? exponent : 0);
}

/* The turn is below 2^(exponent - 2) and known to 2^-96 by few roundings at that many bits; the
 * nearest multiple of 2^-88 to the end of its enclosure is less than 2^-88 away. */
void line_turn(scan_item *item, const line *at, const mpfi_t l)
{
    mpfi_t x, circle;
    mpz_t turn, rest;
    uint64_t low = 0;
    mpfi_init2(x, mpfi_get_prec(l));
    mpfi_init2(circle, mpfi_get_prec(l));
    mpz_inits(turn, rest, NULL);
    line_height(x, at, 1);
    mpfi_mul(x, x, l);
    mpfi_const_pi(circle);
    mpfi_div(x, x, circle);
    mpfi_mul_2si(x, x, 64 + SCAN_REST_BITS - 1);
    mpfr_get_z(turn, &x->left, MPFR_RNDN);
    mpz_fdiv_r_2exp(rest, turn, SCAN_REST_BITS);
    mpz_fdiv_q_2exp(turn, turn, SCAN_REST_BITS);
    mpz_fdiv_r_2exp(turn, turn, 64);
    item->turn = 0;
    wide_get_z(&item->turn, turn);
    wide_get_z(&low, rest);
    item->rest = (uint32_t)low;
    mpz_clears(turn, rest, NULL);
    mpfi_clear(circle);
    mpfi_clear(x);
}

#define NODE_LOGS 4.0
#define POWER_LOGS 0.03 /* about, of a bit of the exponent */
bool line_time_for(const limits *lim, size_t nodes, const mpz_t times, mpfr_prec_t bits)
{
    double each = NODE_LOGS + POWER_LOGS * (double)mpz_sizeinbase(times, 2);
    return limits_logs(lim, (double)nodes * each, bits);
}
