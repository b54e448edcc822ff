/* SPDX-License-Identifier: MIT */
/* Random chains of operations on complex balls, for the programs that check them: each step takes
 * balls from a few places and puts one into a place, which may be one of those. */
#ifndef CBALL_STEPS_H
#define CBALL_STEPS_H

#include "support.h"

#include "num/cball.h"

#define PLACES 4
#define STEP_BITS 320 /* of the numbers that enter */

typedef enum step_kind {
    NUMBER,
    INTEGER,
    REAL,
    DISC, /* a ball of any radius */
    UNIT,
    TURN,
    EXP,
    FIRST_OF_BALLS,
    COPY = FIRST_OF_BALLS,
    ADD,
    SUB,
    MUL,
    MUL_I,
    POW,
    INV,
    ONE_MINUS,
    CAP, /* at the modulus of the point, for those who know it */
    MEASURE,
    KINDS
} step_kind;

typedef struct step {
    step_kind kind;
    size_t out, a, b;
    uint64_t r, n;
    unsigned long whole;
    mpz_t times;
    mpfr_t re, im, radius; /* a number, or the middle of a disc */
    mpfr_t at_re, at_im;   /* a point of the disc */
    mpfi_t x, y;
    mpfr_t at_x, at_y; /* points of x and y */
} step;

static void step_init(step *s)
{
    mpz_init(s->times);
    mpfr_inits2(STEP_BITS, s->re, s->im, s->at_re, s->at_im, s->at_x, s->at_y, (mpfr_ptr)0);
    mpfr_init2(s->radius, CBALL_BOUND_BITS);
    mpfi_init2(s->x, STEP_BITS);
    mpfi_init2(s->y, STEP_BITS);
}

static void step_clear(step *s)
{
    mpz_clear(s->times);
    mpfr_clears(s->re, s->im, s->radius, s->at_re, s->at_im, s->at_x, s->at_y, (mpfr_ptr)0);
    mpfi_clear(s->x);
    mpfi_clear(s->y);
}

/* +-[1/2, 1) 2^e of up to STEP_BITS - 64 bits, -low <= e <= high, now and then 0 or a small
 * integer; with `far` exponents near the ends of MPFR's range too. */
static void random_real(mpfr_t x, rng *r, uint64_t low, uint64_t high, bool far)
{
    mpfr_set_ui(x, 0, MPFR_RNDN);
    uint64_t sort = rng_below(r, 24);
    if (sort < 3) {
        mpfr_set_ui(x, (unsigned long)sort, MPFR_RNDN);
        return;
    }
    uint64_t words = 1 + rng_below(r, STEP_BITS / 32 - 2);
    for (uint64_t i = 0; i < words; i++) {
        mpfr_mul_2ui(x, x, 32, MPFR_RNDN);
        mpfr_add_ui(x, x, (unsigned long)(rng_next(r) >> 32), MPFR_RNDN);
    }
    if (mpfr_zero_p(x))
        return;
    mpfr_set_exp(x, (mpfr_exp_t)rng_wide(r, low + high + 1) - (mpfr_exp_t)low);
    if (far && sort < 8)
        mpfr_set_exp(x, mpfr_get_emin() + (mpfr_exp_t)rng_below(r, 400));
    else if (far && sort < 11)
        mpfr_set_exp(x, mpfr_get_emax() - (mpfr_exp_t)rng_below(r, 400));
    else if (far && sort < 14)
        mpfr_set_exp(x, mpfr_get_emin() / 2 + (mpfr_exp_t)rng_below(r, 400) - 200);
    else if (far && sort < 16)
        mpfr_set_exp(x, mpfr_get_emax() / 2 + (mpfr_exp_t)rng_below(r, 400) - 200);
    if (rng_below(r, 2))
        mpfr_neg(x, x, MPFR_RNDN);
}

/* An interval about x of a relative width that is 0, tiny or not, and a point of it, often an end.
 */
static void random_interval(mpfi_t x, mpfr_t at, rng *r, bool wide, mpfr_srcptr about)
{
    mpfi_set_fr(x, about);
    mpfr_set(at, about, MPFR_RNDN);
    if (!wide || rng_below(r, 3) == 0)
        return;
    mpfr_mul_2si(at, about, -(long)rng_below(r, 200) - 1, MPFR_RNDN);
    mpfr_abs(at, at, MPFR_RNDN);
    mpfr_sub(&x->left, about, at, MPFR_RNDD);
    mpfr_add(&x->right, about, at, MPFR_RNDU);
    uint64_t sort = rng_below(r, 4);
    mpfr_set(at, sort == 0 ? &x->left : sort == 1 ? &x->right : about, MPFR_RNDN);
}

/* A disc about re + i im, and a point near its edge or at its middle. */
static void random_disc(step *s, rng *r)
{
    mpfr_hypot(s->radius, s->re, s->im, MPFR_RNDU);
    mpfr_mul_2si(s->radius, s->radius, -(long)rng_below(r, rng_below(r, 2) ? 4 : 200), MPFR_RNDU);
    mpfr_set(s->at_re, s->re, MPFR_RNDN);
    mpfr_set(s->at_im, s->im, MPFR_RNDN);
    if (rng_below(r, 8) == 0)
        return;
    mpfr_t angle, c;
    mpfr_inits2(STEP_BITS, angle, c, (mpfr_ptr)0);
    mpfr_set_ui_2exp(angle, (unsigned long)rng_below(r, 1U << 30), -27, MPFR_RNDN);
    mpfr_sin_cos(angle, c, angle, MPFR_RNDN);
    mpfr_mul(angle, angle, s->radius, MPFR_RNDZ);
    mpfr_mul(c, c, s->radius, MPFR_RNDZ);
    mpfr_mul_d(angle, angle, 1 - 0x1p-50, MPFR_RNDZ); /* the sum is rounded: stay inside */
    mpfr_mul_d(c, c, 1 - 0x1p-50, MPFR_RNDZ);
    mpfr_add(s->at_re, s->at_re, c, MPFR_RNDN);
    mpfr_add(s->at_im, s->at_im, angle, MPFR_RNDN);
    mpfr_clears(angle, c, (mpfr_ptr)0);
}

static void random_step(step *s, rng *r, bool wide, bool far)
{
    s->kind = (step_kind)(rng_below(r, 3) ? FIRST_OF_BALLS + rng_below(r, KINDS - FIRST_OF_BALLS)
                                          : rng_below(r, FIRST_OF_BALLS));
    if (s->kind == DISC && (!wide || far))
        s->kind = NUMBER;
    s->out = (size_t)rng_below(r, PLACES);
    s->a = (size_t)rng_below(r, PLACES);
    s->b = (size_t)rng_below(r, PLACES);
    s->n = 1 + rng_wide(r, rng_below(r, 2) ? 8 : UINT64_C(1) << 62);
    s->r = rng_wide(r, 2 * s->n);
    s->whole = (unsigned long)(rng_next(r) >> (32 + rng_below(r, 32)));
    mpz_set_ui(s->times, (unsigned long)rng_below(r, 40));
    if (rng_below(r, 8) == 0)
        mpz_ui_pow_ui(s->times, 3, (unsigned long)rng_below(r, 40));
    bool angle = s->kind == TURN || s->kind == EXP;
    random_real(s->re, r, 6, angle ? 6 : 2, far && !angle);
    random_interval(s->x, s->at_x, r, wide, s->re);
    random_real(s->im, r, 6, angle && rng_below(r, 4) == 0 ? 200 : 2, far && !angle);
    random_interval(s->y, s->at_y, r, wide, s->im);
    random_disc(s, r);
}

/* What the step does to balls; cap is NULL where the modulus is not known. */
static void step_balls(cball *at, const step *s, mpfr_srcptr cap)
{
    cball *out = &at[s->out], *a = &at[s->a], *b = &at[s->b];
    switch (s->kind) {
    case NUMBER:
        cball_set_fr(out, s->re, s->im);
        break;
    case INTEGER:
        cball_set_ui(out, s->whole);
        break;
    case REAL:
        cball_set_i(out, s->x);
        break;
    case DISC:
        cball_set_fr(out, s->re, s->im);
        mpfr_add(out->radius, out->radius, s->radius, MPFR_RNDU);
        mpfr_hypot(out->size, s->at_re, s->at_im, MPFR_RNDU);
        break;
    case UNIT:
        cball_unit(out, s->r, s->n);
        break;
    case TURN:
        cball_turn(out, s->y);
        break;
    case EXP:
        cball_exp(out, s->x, s->y);
        break;
    case COPY:
        cball_set(out, a);
        break;
    case ADD:
        cball_add(out, a, b);
        break;
    case SUB:
        cball_sub(out, a, b);
        break;
    case MUL:
        cball_mul(out, a, b);
        break;
    case MUL_I:
        cball_mul_i(out, a, s->x);
        break;
    case POW:
        cball_pow(out, a, s->times);
        break;
    case INV:
        cball_inv(out, a);
        break;
    case ONE_MINUS:
        cball_one_minus(out, a);
        break;
    case CAP:
        if (cap != NULL)
            cball_cap(a, cap);
        break;
    case MEASURE:
    case KINDS:
        cball_measure(a);
        break;
    }
}

#endif
