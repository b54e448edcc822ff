/* SPDX-License-Identifier: MIT */
/* Extremal functions of a kink. With y = hu, nodes u = n + a, n = 0, 1, ..., 0 <= a < 1, slopes d_n
 * (over u) of g there, and the first slope d_0 still to be had,
 *     F(u) = (sin pi(u-a) / pi)^2 sum_n (g(h(n+a)) / (u-n-a)^2 + d_n / (u-n-a))
 * touches g at all nodes, at those below 0 too. For u < 0 insert 1/(u-k)^2 = int_0^inf e^(us)
 * s e^(-ks) ds and 1/(u-k) = - int e^(us) e^(-ks) ds: F(u) = (sin/pi)^2 int_0^inf e^(us) B(s) ds
 * with B(s) = f(s + ch) - f(s + (c+1)h) + e^(-as) (d - d_0),   f(s) = s e^(-as) / (1 - e^-s), d the
 * slope of g at ha (for a = 0 that from above, h). f is entire about the real line, of growth
 * e^((1-a)|s|) |s| to the left, and int e^(us) f over the line converges for a - 1 < u < a and is
 * (d/du) (-pi cot pi(u-a)) = (pi / sin)^2: so the same integral over s < 0 is, for u > 0, g(hu)
 * (pi/sin)^2 less the continuation of that over s > 0, and
 *     F - g = (sin/pi)^2 int_0^inf e^(us) B(s) ds for u < 0,   - (sin/pi)^2 int_-inf^0 for u > 0.
 * So F <= g where B <= 0 on s > 0 and >= 0 on s < 0, F >= g where it is the other way round; either
 * wants B(0) = 0, and then F - g = O(1/u^2) is integrable and the transform of F continuous.
 *     m: a = 0. f = s / (e^s - 1) + s, the s cancel but for h, and s / (e^s - 1) is convex: B
 * falls. B(0) = 0 makes d_0 = b(ch) - b((c+1)h), b(s) = s / (e^s - 1). M: d_0 = d. f is
 * log-concave, ln f = ln s - as - ln(1 - e^-s), as (s/2)^2 < sinh^2(s/2): the quotient f(s + ch) /
 * f(s + (c+1)h) rises, and B has the sign of it less 1. B(0) = 0 makes e^(ah) = ((c+1)/c) (1 -
 * e^(-ch)) / (1 - e^(-(c+1)h)), and 0 < a < 1. The transform, at ht = 2 pi xi, 0 <= xi <= 1: that
 * of (sin pi u / pi u)^2 is 1 - xi and that of u times it -i/2 pi, so with D(s) = e^(-as)/(1 -
 * e^-s), s = (c+it)h, F^ = (1 - xi)(D(s) - D(s+h)) + (i/2 pi)(ch D(s) - (c+1)h D(s+h) + (d - d_0)
 * e^(-2 pi i a xi)), times h in y. ch D(s) - (c+1)h D(s+h) = ch (D(s) - D(s+h)) - h D(s+h), and
 * D(s) - D(s+h) over one denominator makes what extremal.h has; nothing cancels near t = 0 nor near
 * 2 pi / h. Sizes: |h m^| and |h M^| are at most Z = (v + chi) H / |q q'| + K (1/|q'| + 1),   H = h
 * (1 - e^-h), K = h^2/2 pi, as below_kink <= K/2 by 0 <= -b' <= 1/2. |q|^2 = 4 e^(-ch)
 * (sinh^2(ch/2) + sin^2(ht/2)), so |q|
 *     >= (2/pi) e^(-ch/2) h |c + it'|, t' the distance of t from the multiples of 2 pi / h. With
 *     R = Nh, (c+1)h <= 1/2, E = e^((c+1/2)h) < e^(1/2), the sum of Z over |n| < N is at most
 *         t < pi/h:  E (pi^2/4) (1 + chi) sum 1/(c^2 + t^2) <= 4.4 (R/2c + 1/c^2),
 *         else v = ht'/2 pi, v + chi <= sqrt(2) h|z'|/2 pi: N terms E (pi^2/4) sqrt(2) h / (2 pi
 * (c+1)), 2N terms of the second part, K (e^(1/4) (pi/2) / (h(c+1)) + 1): together below 4 R/2c; 10
 * (R/2c + 1/c^2) is above it. */
#include "engine/extremal.h"

#include "num/ival.h"
#include "num/wide.h"

#define MORE_BITS 96 /* what differences lose beside 1, and then a few */

/* out = 1 - e^(-x); the other: e^(-x) */
static void falls(mpfi_t ground, mpfi_t decay, const mpfi_t x)
{
    mpfi_neg(decay, x);
    mpfi_expm1(ground, decay);
    mpfi_exp(decay, decay);
    mpfi_neg(ground, ground);
}

/* out = s / (e^s - 1) */
static void set_slope(mpfi_t out, const mpfi_t s)
{
    mpfi_t over;
    mpfi_init2(over, mpfi_get_prec(out));
    mpfi_expm1(over, s);
    mpfi_div(out, s, over);
    mpfi_clear(over);
}

/* shift = ah = ln((1 + 1/c) (1 - e^(-ch)) / (1 - e^(-(c+1)h))) */
static void set_shift(extremal *e, const mpfi_t pole, const mpfi_t next)
{
    mpfi_ptr shift = e->number[EXTREMAL_SHIFT];
    mpfi_div(shift, next, pole);
    mpfi_mul(shift, shift, e->number[EXTREMAL_GROUND]);
    mpfi_div(shift, shift, e->number[EXTREMAL_OTHER_GROUND]);
    mpfi_log(shift, shift);
    mpfi_mul(e->number[EXTREMAL_FALL], pole, shift);
}

/* With `pole` c and `next` c + 1. */
static void set_numbers(extremal *e, const mpfi_t h, const mpfi_t pole, const mpfi_t next)
{
    mpfi_ptr x[EXTREMAL_NUMBERS];
    mpfi_t at, low, decay, ground;
    mpfi_ptr all[] = {at, low, decay, ground};
    for (size_t i = 0; i < EXTREMAL_NUMBERS; i++)
        x[i] = e->number[i];
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], mpfi_get_prec(h));
    mpfi_ptr edge = x[EXTREMAL_MOST_EDGE], kink = x[EXTREMAL_BELOW_KINK];
    mpfi_const_pi(edge);
    mpfi_mul_2ui(edge, edge, 1);
    mpfi_div(kink, h, edge); /* h / 2 pi */
    mpfi_mul(edge, kink, h);
    mpfi_mul(x[EXTREMAL_CHI], kink, pole);
    mpfi_mul(at, next, h);
    falls(x[EXTREMAL_OTHER_GROUND], x[EXTREMAL_OTHER_DECAY], at);
    set_slope(low, at);
    mpfi_mul(at, pole, h);
    falls(x[EXTREMAL_GROUND], x[EXTREMAL_DECAY], at);
    set_slope(at, at);
    mpfi_sub(at, at, low);
    mpfi_mul(kink, kink, at);
    falls(ground, decay, h);
    mpfi_mul(x[EXTREMAL_MOST_POLE], h, ground);
    mpfi_mul(x[EXTREMAL_BELOW_POLE], x[EXTREMAL_MOST_POLE], x[EXTREMAL_DECAY]);
    mpfi_mul(x[EXTREMAL_BELOW_EDGE], edge, x[EXTREMAL_OTHER_DECAY]);
    set_shift(e, pole, next);
    falls(x[EXTREMAL_ABOVE_FIRST], low, x[EXTREMAL_SHIFT]);
    mpfi_mul(x[EXTREMAL_ABOVE_EDGE], edge, low);
    mpfi_sub(low, ground, x[EXTREMAL_ABOVE_FIRST]);
    mpfi_mul(low, low, h);
    mpfi_mul(x[EXTREMAL_ABOVE_SECOND], low, x[EXTREMAL_DECAY]);
    mpfi_mul(x[EXTREMAL_ABOVE_FIRST], x[EXTREMAL_ABOVE_FIRST], h);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

void extremal_init(extremal *e, double c, mpfr_srcptr spacing, uint64_t count, mpfr_prec_t bits)
{
    mpfi_t h, pole, next;
    e->count = count;
    e->work = bits + MORE_BITS;
    for (size_t i = 0; i < EXTREMAL_NUMBERS; i++)
        mpfi_init2(e->number[i], e->work);
    mpfi_init2(h, e->work);
    mpfi_init2(pole, e->work);
    mpfi_init2(next, e->work);
    mpfi_set_d(pole, c);
    mpfi_add_ui(next, pole, 1);
    mpfi_const_pi(h);
    mpfi_mul_2ui(h, h, 1);
    mpfi_div_fr(h, h, spacing);
    wide_div(h, h, count);
    set_numbers(e, h, pole, next);
    mpfi_mul_fr(e->number[EXTREMAL_TURN], e->number[EXTREMAL_SHIFT], spacing);
    mpfi_clear(next);
    mpfi_clear(pole);
    mpfi_clear(h);
}

void extremal_clear(extremal *e)
{
    for (size_t i = 0; i < EXTREMAL_NUMBERS; i++)
        mpfi_clear(e->number[i]);
}

/* ---- at a node, in balls --------------------------------------------------------------------- */
/* out = x - i y z for real x, y */
static void less_turned(cball *out, const cball *x, mpfi_srcptr y, const cball *z, cball *i)
{
    cball_mul_i(i, z, y);
    mpfr_swap(i->re, i->im); /* times i, conjugated twice: re and im change places */
    mpfr_neg(i->re, i->re, MPFR_RNDN);
    cball_sub(out, x, i);
}

/* out = ground + decay x */
static void set_fall(cball *out, const extremal *e, extremal_number decay, const cball *x,
                     cball *ground)
{
    cball_mul_i(out, x, e->number[decay]);
    cball_set_i(ground, e->number[decay + 1]);
    cball_add(out, out, ground);
    cball_measure(out);
}

typedef struct node {
    cball turn, fall, inverse, line, part; /* w, q, 1/(q q'), v + i chi */
} node;

static void set_line(cball *out, const extremal *e, uint64_t n, cball *one)
{
    mpfi_t v;
    mpfi_init2(v, e->work);
    mpfi_set_ui(v, 1);
    wide_mul(v, v, e->count - n);
    wide_div(v, v, e->count);
    cball_set_i(out, v);
    cball_set_ui(one, 1);
    mpfi_neg(v, e->number[EXTREMAL_CHI]);
    less_turned(out, out, v, one, one);
    mpfi_clear(v);
}

static void set_node(node *x, const extremal *e, uint64_t n)
{
    cball_unit(&x->turn, n == 0 ? 0 : 2 * (e->count - n), e->count);
    cball_one_minus(&x->line, &x->turn);
    set_fall(&x->fall, e, EXTREMAL_DECAY, &x->line, &x->part);
    set_fall(&x->inverse, e, EXTREMAL_OTHER_DECAY, &x->line, &x->part);
    cball_mul(&x->inverse, &x->inverse, &x->fall);
    cball_inv(&x->inverse, &x->inverse);
    set_line(&x->line, e, n, &x->part);
}

static void set_below(cball *out, node *x, const extremal *e)
{
    cball_mul_i(out, &x->line, e->number[EXTREMAL_BELOW_POLE]);
    less_turned(out, out, e->number[EXTREMAL_BELOW_EDGE], &x->fall, &x->part);
    cball_mul(out, out, &x->turn);
    cball_mul(out, out, &x->inverse);
    cball_set_ui(&x->part, 1);
    less_turned(out, out, e->number[EXTREMAL_BELOW_KINK], &x->part, &x->part);
}

static void set_above(cball *out, node *x, const extremal *e, uint64_t n)
{
    mpfi_t fall, angle;
    mpfi_init2(fall, e->work);
    mpfi_init2(angle, e->work);
    cball_mul_i(out, &x->turn, e->number[EXTREMAL_ABOVE_SECOND]);
    cball_set_i(&x->part, e->number[EXTREMAL_ABOVE_FIRST]);
    cball_add(out, out, &x->part);
    cball_mul(out, out, &x->line);
    less_turned(out, out, e->number[EXTREMAL_ABOVE_EDGE], &x->fall, &x->part);
    cball_mul(out, out, &x->inverse);
    wide_mul(angle, e->number[EXTREMAL_TURN], n);
    mpfi_neg(angle, angle);
    mpfi_neg(fall, e->number[EXTREMAL_FALL]);
    cball_exp(&x->part, fall, angle);
    cball_mul(out, out, &x->part);
    mpfi_clear(angle);
    mpfi_clear(fall);
}

void extremal_node(cball *below, cball *above, const extremal *e, uint64_t n)
{
    node x;
    cball out, *all[] = {&x.turn, &x.fall, &x.inverse, &x.line, &x.part, &out};
    for (size_t i = 0; i < 6; i++)
        cball_init(all[i], mpfr_get_prec(below->re) + MORE_BITS);
    set_node(&x, e, n);
    set_below(&out, &x, e);
    cball_set(below, &out);
    cball_measure(below);
    set_above(&out, &x, e, n);
    cball_set(above, &out);
    cball_measure(above);
    for (size_t i = 0; i < 6; i++)
        cball_clear(all[i]);
}
