/* SPDX-License-Identifier: MIT */
/* Few uses of laws with ends: the sums at a point. */
#include <math.h>

#include "engine/ends.h"
#include "num/ival.h"

#define BOUND_BITS 64
#define SLOPE_BITS 64
#define FAR 1e9       /* a distance where no term is */
#define APART_BITS 40 /* of sums of ends, beyond their roundings */

/* The first j of each outer term whose sum of ends is x or above, and the least distances on either
 * side, from below. False: x is too near to one of them to tell. */
static bool set_cuts(double gap[2], const ends_sum *p, mpfr_srcptr x)
{
    const ends_kind *k = &p->kind[p->kinds - 1];
    mpfi_t at, part;
    mpfi_init2(at, mpfi_get_prec(p->place[0]));
    mpfi_init2(part, mpfi_get_prec(p->place[0]));
    gap[0] = gap[1] = FAR;
    bool ok = true;
    for (size_t o = 0; ok && o < p->outer; o++) {
        p->cut[o] = 0;
        for (unsigned long j = 0; ok && j <= k->times; j++) {
            mpfi_mul_ui(at, k->high, j);
            mpfi_mul_ui(part, k->low, k->times - j);
            mpfi_add(at, at, part);
            mpfi_add(at, at, p->place[o]);
            mpfi_sub_fr(at, at, x);
            if (mpfr_sgn(&at->left) >= 0) {
                gap[ENDS_LEFT] = fmin(gap[ENDS_LEFT], mpfr_get_d(&at->left, MPFR_RNDD));
                break;
            }
            ok = mpfr_sgn(&at->right) < 0;
            gap[ENDS_RIGHT] = fmin(gap[ENDS_RIGHT], -mpfr_get_d(&at->right, MPFR_RNDU));
            p->cut[o] = j + 1;
        }
    }
    mpfi_clear(part);
    mpfi_clear(at);
    return ok;
}

/* term *= e^(-zx) */
static void turn(cball *term, const mpfi_t re, const mpfi_t im, mpfr_srcptr x, mpfr_prec_t work)
{
    mpfi_t a, b;
    cball wave;
    mpfi_init2(a, mpfi_get_prec(re));
    mpfi_init2(b, mpfi_get_prec(re));
    cball_init(&wave, work);
    mpfi_mul_fr(a, re, x);
    mpfi_neg(a, a);
    mpfi_mul_fr(b, im, x);
    mpfi_neg(b, b);
    cball_exp(&wave, a, b);
    cball_mul(term, term, &wave);
    cball_clear(&wave);
    mpfi_clear(b);
    mpfi_clear(a);
}

/* slope += Im(z term), or Re of it */
static void add_slope(mpfr_t slope, const cball *term, const mpfi_t re, const mpfi_t im, bool real)
{
    MPFR_DECL_INIT(a, SLOPE_BITS);
    MPFR_DECL_INIT(b, SLOPE_BITS);
    mpfr_mul(a, real ? term->re : term->im, &re->left, MPFR_RNDN);
    mpfr_mul(b, real ? term->im : term->re, &im->left, MPFR_RNDN);
    mpfr_add(slope, slope, a, MPFR_RNDN);
    if (real)
        mpfr_sub(slope, slope, b, MPFR_RNDN);
    else
        mpfr_add(slope, slope, b, MPFR_RNDN);
}

/* part *= the wave from x to the last kind's nearest term of an outer one, at a far node */
static void far_wave(cball *part, const ends_sum *p, int side, size_t m, size_t o, mpfr_srcptr x)
{
    const ends_kind *k = &p->kind[p->kinds - 1];
    unsigned long j = side == ENDS_LEFT ? p->cut[o] : p->cut[o] - 1;
    mpfi_t at, re, im;
    cball wave;
    mpfi_init2(at, mpfi_get_prec(k->low));
    mpfi_init2(re, mpfi_get_prec(k->low));
    mpfi_init2(im, mpfi_get_prec(k->low));
    cball_init(&wave, p->work);
    mpfi_mul_ui(at, k->high, j);
    mpfi_mul_ui(re, k->low, k->times - j);
    mpfi_add(at, at, re);
    mpfi_add(at, at, p->place[o]);
    mpfi_sub_fr(at, at, x);
    mpfi_mul(re, at, p->re[side][m]);
    mpfi_mul(im, at, p->im[side][m]);
    cball_exp(&wave, re, im);
    cball_mul(part, part, &wave);
    cball_clear(&wave);
    mpfi_clear(im);
    mpfi_clear(re);
    mpfi_clear(at);
}

/* out = the terms of a ray at a node, but for the wave of x where it is not far */
static void node_term(cball *out, cball *part, const ends_sum *p, int side, size_t m, mpfr_srcptr x)
{
    unsigned long uses = p->kind[p->kinds - 1].times;
    const cball *sum = &p->sum[side][m * (uses + 2)];
    const cball *coefficient = &p->coefficient[side][m * p->outer];
    cball_set_ui(out, 0);
    for (size_t o = 0; o < p->outer; o++) {
        if (side == ENDS_LEFT ? p->cut[o] > uses : p->cut[o] == 0)
            continue;
        cball_mul(part, &coefficient[o], &sum[p->cut[o]]);
        if (m >= p->far[side])
            far_wave(part, p, side, m, o, x);
        cball_add(out, out, part);
    }
    cball_mul(out, out, &p->factor[side][m]);
}

static void add_ray(mpfi_t s, mpfr_t slope, const ends_sum *p, int side, mpfr_srcptr x)
{
    cball term, part;
    mpfi_t one;
    cball_init(&term, p->work);
    cball_init(&part, p->work);
    mpfi_init2(one, p->work);
    for (size_t m = 0; m < p->ray[side].count; m++) {
        node_term(&term, &part, p, side, m, x);
        if (m < p->far[side])
            turn(&term, p->re[side][m], p->im[side][m], x, p->work);
        cball_measure(&term);
        add_slope(slope, &term, p->re[side][m], p->im[side][m], false);
        mpfr_swap(term.re, term.im);
        cball_real(one, &term);
        mpfi_add(s, s, one);
    }
    mpfi_clear(one);
    cball_clear(&part);
    cball_clear(&term);
}

static void add_line(mpfi_t s, mpfr_t slope, const ends_sum *p, mpfr_srcptr x)
{
    cball term;
    mpfi_t one, c;
    cball_init(&term, p->work);
    mpfi_init2(one, p->work);
    mpfi_init2(c, mpfi_get_prec(p->height[0]));
    mpfi_set_d(c, p->c);
    for (size_t i = 0; i < p->panels * p->points; i++) {
        cball_set(&term, &p->near[i]);
        turn(&term, c, p->height[i], x, p->work);
        cball_measure(&term);
        add_slope(slope, &term, c, p->height[i], true);
        cball_real(one, &term);
        mpfi_add(s, s, one);
    }
    mpfi_clear(c);
    mpfi_clear(one);
    cball_clear(&term);
}

/* s(x) where no sum of ends is too near to x to tell; false: one is. */
static bool sum_number(mpfi_t s, mpfr_t slope, const ends_sum *p, mpfr_srcptr x)
{
    double gap[2];
    MPFR_DECL_INIT(most, BOUND_BITS);
    mpfi_t part;
    mpfi_interv_si(s, 0, 1);
    mpfr_set_zero(slope, 1);
    if (!set_cuts(gap, p, x))
        return false;
    mpfi_init2(part, p->work);
    mpfi_set_ui(s, 0);
    add_line(s, slope, p, x);
    for (int side = 0; side < 2; side++)
        add_ray(s, slope, p, side, x);
    mpfi_const_pi(part);
    mpfi_div(s, s, part);
    mpfr_div(slope, slope, &part->left, MPFR_RNDN);
    ends_missed(most, p, x, gap);
    mpfr_sub(&s->left, &s->left, most, MPFR_RNDD);
    mpfr_add(&s->right, &s->right, most, MPFR_RNDU);
    if (p->c < 0)
        mpfi_add_ui(s, s, 1);
    if (ival_bad(s))
        mpfi_interv_si(s, 0, 1);
    ival_clamp_ui(s, 0, 1);
    mpfi_clear(part);
    return true;
}

/* Next to a sum of ends, or at one, s is taken d further up, where it is less by at most d: (1 -
 * e^(x - L))_+ falls by e^(x - L) (e^d - 1) <= 1 - e^-d where L >= x + d, and was at most that
 * below. */
static void profile_number(mpfi_t s, mpfr_t slope, const ends_sum *p, mpfr_srcptr x)
{
    if (sum_number(s, slope, p, x))
        return;
    MPFR_DECL_INIT(d, 2);
    mpfr_prec_t bits = mpfi_get_prec(p->place[0]);
    mpfr_t next;
    mpfr_init2(next, bits + mpfr_get_prec(x));
    mpfr_set_ui_2exp(d, 1, (mpfr_exp_t)ilogb(p->range) + APART_BITS - bits, MPFR_RNDU);
    mpfr_add(next, x, d, MPFR_RNDD);
    sum_number(s, slope, p, next);
    mpfr_add(&s->right, &s->right, d, MPFR_RNDU);
    ival_clamp_ui(s, 0, 1);
    mpfr_clear(next);
}

/* The profile falls: on an interval its ends are those of the ends. */
void ends_profile(mpfi_t s, mpfr_t slope, const ends_sum *p, const mpfi_t x)
{
    mpfi_set_prec(s, p->work);
    profile_number(s, slope, p, &x->left);
    if (mpfr_equal_p(&x->left, &x->right))
        return;
    mpfi_t other;
    mpfi_init2(other, p->work);
    profile_number(other, slope, p, &x->right);
    mpfr_swap(&s->left, &other->left);
    mpfi_clear(other);
}
