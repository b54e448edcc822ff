/* SPDX-License-Identifier: MIT */
/* The root of a function that increases: found by halves and secants, then proved by the signs
 * beside it. Nothing of the search is believed. */
#include "attack/root.h"

#include "num/ival.h"

#define COARSE_BITS 96
#define HALVES 16      /* before secants; where they fail, ... */
#define MORE_HALVES 80 /* ... these too */
#define SECANTS 40
#define MOST_STEPS 128 /* outward, each twice the last one */
#define LEAST_BITS 6   /* of the enclosure, in the end */

typedef struct search {
    attack_function f;
    const void *of;
    bool real;
} search;

/* y encloses f at one number; the sign, or 0 where it is not told */
static int at(mpfi_t y, const search *s, mpfr_srcptr x)
{
    mpfi_t point;
    mpfi_init2(point, mpfr_get_prec(x));
    mpfi_set_fr(point, x);
    s->f(y, point, s->of);
    mpfi_clear(point);
    return ival_bad(y) ? 0 : mpfr_sgn(&y->left) > 0 ? 1 : mpfr_sgn(&y->right) < 0 ? -1 : 0;
}

/* One step outward from the guess, towards where the sign changes. */
static void step(mpfr_t x, const search *s, mpfr_srcptr guess, int up, unsigned long power)
{
    mpfr_t by;
    mpfr_init2(by, 64);
    mpfr_set_ui_2exp(by, 1, s->real ? (mpfr_exp_t)power : 0, MPFR_RNDN);
    if (s->real && up > 0)
        mpfr_add(x, guess, by, MPFR_RNDN);
    else if (s->real)
        mpfr_sub(x, guess, by, MPFR_RNDN);
    else if (up > 0)
        mpfr_mul_2ui(x, guess, power < 31 ? 1UL << power : 1UL << 31, MPFR_RNDN);
    else
        mpfr_div_2ui(x, guess, power < 31 ? 1UL << power : 1UL << 31, MPFR_RNDN);
    mpfr_clear(by);
}

/* lo and hi with f(lo) < 0 < f(hi). 1: they are; 0: the guess is all that is known. */
static bool bracket(mpfr_t lo, mpfr_t hi, const search *s, mpfr_srcptr guess)
{
    mpfi_t y;
    mpfi_init2(y, mpfr_get_prec(lo));
    mpfr_set(lo, guess, MPFR_RNDN);
    mpfr_set(hi, guess, MPFR_RNDN);
    int sign = at(y, s, lo);
    bool found = false;
    for (unsigned long k = 0; sign != 0 && !found && k < MOST_STEPS; k++) {
        mpfr_ptr moving = sign < 0 ? hi : lo, stays = sign < 0 ? lo : hi;
        step(moving, s, guess, -sign, k);
        int there = at(y, s, moving);
        if (there == 0)
            break;
        found = there != sign;
        if (!found)
            mpfr_set(stays, moving, MPFR_RNDN);
    }
    mpfi_clear(y);
    return found;
}

static void halve(mpfr_t lo, mpfr_t hi, const search *s, int times)
{
    mpfr_t middle;
    mpfi_t y;
    mpfr_init2(middle, mpfr_get_prec(lo));
    mpfi_init2(y, mpfr_get_prec(lo));
    for (int i = 0; i < times; i++) {
        if (!s->real && mpfr_get_exp(hi) > mpfr_get_exp(lo) + 2) { /* by exponents first */
            mpfr_mul(middle, lo, hi, MPFR_RNDN);
            mpfr_sqrt(middle, middle, MPFR_RNDN);
        } else {
            mpfr_add(middle, lo, hi, MPFR_RNDN);
            mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
        }
        int sign = at(y, s, middle);
        if (sign == 0)
            break;
        mpfr_set(sign < 0 ? lo : hi, middle, MPFR_RNDN);
    }
    mpfi_clear(y);
    mpfr_clear(middle);
}

/* x = about the root, by secants from two numbers beside it */
static void refine_root(mpfr_t x, mpfr_t other, const search *s)
{
    mpfr_prec_t bits = mpfr_get_prec(x);
    mpfr_t fx, fo, d;
    mpfi_t y;
    mpfr_inits2(bits, fx, fo, d, (mpfr_ptr)0);
    mpfi_init2(y, bits);
    at(y, s, other);
    mpfi_mid(fo, y);
    for (int i = 0; i < SECANTS; i++) {
        at(y, s, x);
        mpfi_mid(fx, y);
        mpfr_sub(d, fx, fo, MPFR_RNDN);
        mpfr_sub(fo, x, other, MPFR_RNDN); /* the old value is not needed any more */
        mpfr_div(d, fo, d, MPFR_RNDN);
        mpfr_mul(d, d, fx, MPFR_RNDN);
        if (!mpfr_number_p(d))
            break;
        mpfr_set(other, x, MPFR_RNDN);
        mpfr_set(fo, fx, MPFR_RNDN);
        mpfr_sub(x, x, d, MPFR_RNDN);
        if (mpfr_zero_p(d) || (!mpfr_zero_p(x) && mpfr_get_exp(d) < mpfr_get_exp(x) - bits + 4))
            break;
    }
    mpfi_clear(y);
    mpfr_clears(fx, fo, d, (mpfr_ptr)0);
}

/* The ends move outward by more and more until the signs are proved. */
static bool prove(mpfi_t out, const search *s, mpfr_srcptr x)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    if (!mpfr_number_p(x) || (!s->real && mpfr_sgn(x) <= 0))
        return false;
    mpfr_t by;
    mpfi_t y;
    mpfr_init2(by, 32);
    mpfi_init2(y, bits);
    mpfr_exp_t scale = s->real || mpfr_zero_p(x) ? 1 : mpfr_get_exp(x);
    bool low = false, high = false;
    for (mpfr_prec_t keep = bits - 6; (!low || !high) && keep >= LEAST_BITS;
         keep = keep - 6 < keep / 8 * 7 ? keep - 6 : keep / 8 * 7) {
        mpfr_set_ui_2exp(by, 1, scale - keep, MPFR_RNDN);
        if (!low) {
            mpfr_sub(&out->left, x, by, MPFR_RNDD);
            low = at(y, s, &out->left) < 0;
        }
        if (!high) {
            mpfr_add(&out->right, x, by, MPFR_RNDU);
            high = at(y, s, &out->right) > 0;
        }
    }
    mpfi_clear(y);
    mpfr_clear(by);
    return low && high;
}

bool attack_root(mpfi_t out, attack_function f, const void *of, mpfr_srcptr guess, bool real)
{
    const search s = {f, of, real};
    mpfr_prec_t bits = mpfi_get_prec(out), coarse = bits < COARSE_BITS ? bits : COARSE_BITS;
    mpfr_t lo, hi, x, other;
    mpfr_inits2(coarse, lo, hi, (mpfr_ptr)0);
    mpfr_inits2(bits, x, other, (mpfr_ptr)0);
    bool between = bracket(lo, hi, &s, guess), proved = false;
    for (int times = HALVES; !proved && times <= MORE_HALVES && (between || times == HALVES);
         times += MORE_HALVES - HALVES) {
        if (between)
            halve(lo, hi, &s, times);
        mpfr_set(x, lo, MPFR_RNDN);
        mpfr_set(other, hi, MPFR_RNDN);
        if (!mpfr_equal_p(x, other))
            refine_root(x, other, &s);
        proved = prove(out, &s, x);
    }
    mpfr_clears(lo, hi, x, other, (mpfr_ptr)0);
    return proved;
}
