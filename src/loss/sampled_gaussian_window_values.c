/* SPDX-License-Identifier: MIT */
/* The values of a window (sampled_gaussian_window.c) at nodes on a line, from right to left: beyond
 * Y nearly 0, far left nearly 1, and with a = (y - y1)/tau^2, b = 1/(2 tau^2), W(y-h) - W(y) =
 * e^(-(y-y1)^2 b) / (tau sqrt(2 pi)) int_0^h e^(as - bss) ds, the integral by its power series: e_0
 * = 1, e_(k+1) = (a e_k - 2b e_(k-1)) / (k+1), |e_k| <= e^(|a| R + b R^2) / R^k for any R. With R =
 * 8h the terms from h^(K+1) e_K / (K+1) on add up to at most h 8^-K e^(8|a|h + 64 b h^2) / (1 -
 * 1/8). */
#include <math.h>

#include "loss/sampled_gaussian_bend.h"
#include "num/ival.h"
#include "num/memory.h"

#ifdef FIXED

/* ---- values --------------------------------------------------------------------------------- */
#define WORK 256
#define NEAR_ONE 130 /* bits */
#define MOST_SERIES 400

/* radius >= E at y */
static void add_end(mpfr_t radius, const bend_window *w, double shift, double y)
{
    mpfi_t x, part;
    mpfi_init2(x, BEND_BITS);
    mpfi_init2(part, BEND_BITS);
    mpfi_set_d(x, shift);
    mpfi_sqr(x, x);
    mpfi_set_d(part, y);
    mpfi_sub_d(part, part, w->at);
    mpfi_sqr(part, part);
    mpfi_sub(x, x, part);
    mpfi_div_d(x, x, w->width);
    mpfi_div_d(x, x, w->width);
    mpfi_div_2ui(x, x, 1);
    mpfi_exp(x, x);
    mpfr_div_2ui(radius, &x->right, 1, MPFR_RNDU);
    mpfi_clear(part);
    mpfi_clear(x);
}

typedef struct stepper {
    const bend_window *w;
    double shift, h;
    mpfi_t inverse, re, im, x, y; /* 1/tau^2 */
    cball a, e[3], sum, part;
} stepper;

static void stepper_init(stepper *s, const bend_window *w, double shift, double h)
{
    cball *all[] = {&s->a, &s->e[0], &s->e[1], &s->e[2], &s->sum, &s->part};
    mpfi_ptr of[] = {s->inverse, s->re, s->im, s->x, s->y};
    s->w = w;
    s->shift = shift;
    s->h = h;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cball_init(all[i], WORK);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        mpfi_init2(of[i], WORK);
    mpfi_set_d(s->inverse, w->width);
    mpfi_sqr(s->inverse, s->inverse);
    mpfi_ui_div(s->inverse, 1, s->inverse);
}

static void stepper_clear(stepper *s)
{
    cball *all[] = {&s->a, &s->e[0], &s->e[1], &s->e[2], &s->sum, &s->part};
    mpfi_ptr of[] = {s->inverse, s->re, s->im, s->x, s->y};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cball_clear(all[i]);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        mpfi_clear(of[i]);
}

/* out = re + i im */
static void set_complex(cball *out, const mpfi_t re, const mpfi_t im, cball *part)
{
    cball_set_i(out, re);
    cball_set_i(part, im);
    mpfr_swap(part->re, part->im);
    cball_add(out, out, part);
    mpfr_set_inf(out->size, 1);
    cball_measure(out);
}

/* sum.radius += what the series misses from the term K on. */
static void add_missed(stepper *s, unsigned long terms)
{
    MPFR_DECL_INIT(most, BEND_BITS);
    MPFR_DECL_INIT(part, BEND_BITS);
    mpfr_set(most, s->a.size, MPFR_RNDU);
    mpfr_mul_2ui(most, most, 3, MPFR_RNDU); /* 8 |a| h: a is that times h here */
    mpfr_mul_d(part, &s->inverse->right, s->h, MPFR_RNDU);
    mpfr_mul_d(part, part, 32 * s->h, MPFR_RNDU); /* 64 b h^2 */
    mpfr_add(most, most, part, MPFR_RNDU);
    mpfr_exp(most, most, MPFR_RNDU);
    mpfr_div_2ui(most, most, 3 * terms, MPFR_RNDU);
    mpfr_mul_d(most, most, 1.15 * s->h, MPFR_RNDU);
    mpfr_add(s->sum.radius, s->sum.radius, most, MPFR_RNDU);
    mpfr_set_inf(s->sum.size, 1);
    cball_measure(&s->sum);
}

/* w += W(y-h) - W(y) */
static void step_left(cball *w, stepper *s, double y)
{
    mpfi_set_d(s->re, y);
    mpfi_sub_d(s->re, s->re, s->w->at);
    mpfi_set_d(s->im, s->shift);
    mpfi_mul(s->x, s->re, s->inverse);
    mpfi_mul(s->y, s->im, s->inverse);
    set_complex(&s->a, s->x, s->y, &s->part);
    double reach = mpfr_get_d(s->a.size, MPFR_RNDU) * s->h;
    double square = mpfi_get_d(s->inverse) * s->h * s->h;
    double need = (8 * reach + 32 * square) * 0.4809 + 60; /* over 3 ln 2 */
    unsigned long terms = need < MOST_SERIES ? (unsigned long)need : MOST_SERIES;
    cball *now = &s->e[0], *last = &s->e[1], *next = &s->e[2];
    cball_set_ui(now, 1);
    cball_set_ui(last, 0);
    mpfi_set_d(s->y, s->h);
    cball_mul_i(now, now, s->y); /* h^(k+1) e_k */
    mpfi_mul(s->x, s->y, s->y);
    mpfi_mul(s->x, s->x, s->inverse);
    mpfi_neg(s->x, s->x);            /* -2b h^2 */
    cball_mul_i(&s->a, &s->a, s->y); /* a h */
    cball_set_ui(&s->sum, 0);
    for (unsigned long k = 0; k < terms; k++) {
        mpfi_set_ui(s->y, 1);
        mpfi_div_ui(s->y, s->y, k + 1);
        cball_mul_i(&s->part, now, s->y);
        cball_add(&s->sum, &s->sum, &s->part);
        cball_mul(next, &s->a, now);
        cball_mul_i(last, last, s->x);
        cball_add(next, next, last);
        cball_mul_i(next, next, s->y);
        cball *free = last;
        last = now;
        now = next;
        next = free;
    }
    add_missed(s, terms);
    /* e^(-(re + i im)^2 / 2tau^2) / (tau sqrt 2pi) */
    mpfi_mul(s->y, s->re, s->im);
    mpfi_mul(s->y, s->y, s->inverse);
    mpfi_neg(s->y, s->y);
    mpfi_sqr(s->re, s->re);
    mpfi_sqr(s->im, s->im);
    mpfi_sub(s->x, s->im, s->re);
    mpfi_mul(s->x, s->x, s->inverse);
    mpfi_div_2ui(s->x, s->x, 1);
    cball_exp(&s->part, s->x, s->y);
    cball_mul(&s->sum, &s->sum, &s->part);
    mpfi_const_pi(s->x);
    mpfi_mul_2ui(s->x, s->x, 1);
    mpfi_div(s->x, s->x, s->inverse);
    mpfi_sqrt(s->x, s->x);
    mpfi_ui_div(s->x, 1, s->x);
    cball_mul_i(&s->sum, &s->sum, s->x);
    cball_add(w, w, &s->sum);
    mpfr_set_inf(w->size, 1);
    cball_measure(w);
}

/* ---- as weights ----------------------------------------------------------------------------- */
static bool take(bend_weight *out, const cball *w)
{
    mpfr_srcptr larger = mpfr_cmpabs(w->re, w->im) > 0 ? w->re : w->im;
    *out = (bend_weight){.log = -HUGE_VAL, .error = 1};
    if (!mpfr_number_p(w->radius) || !mpfr_regular_p(larger))
        return false;
    MPFR_DECL_INIT(part, BEND_BITS);
    MPFR_DECL_INIT(scaled, WORK);
    mpfr_exp_t scale = mpfr_get_exp(larger);
    if (scale > 4096 || scale < -4096)
        return false;
    out->scale = (int)scale;
    mpfr_div_2si(scaled, w->re, scale, MPFR_RNDN);
    bool ok = fixed_set_fr(&out->re, scaled);
    mpfr_div_2si(scaled, w->im, scale, MPFR_RNDN);
    ok = fixed_set_fr(&out->im, scaled) && ok;
    mpfr_div_2si(part, w->radius, scale, MPFR_RNDU);
    out->error = mpfr_get_d(part, MPFR_RNDU) + 0x1p-110;
    out->log = log(hypot(fixed_get_d(out->re), fixed_get_d(out->im))) + (double)scale * M_LN2;
    return ok;
}

/* Left of the first y that W is not nearly 1 at. */
static bool is_left(mpfr_t radius, const bend_window *w, double shift, double y)
{
    add_end(radius, w, shift, y);
    return y < w->at && mpfr_cmp_ui_2exp(radius, 1, -NEAR_ONE) < 0;
}

bool bend_weights(bend_weight *out, const bend_window *w, const bend_rule *rule, size_t count)
{
    stepper s;
    cball value;
    MPFR_DECL_INIT(radius, BEND_BITS);
    bool ok = true, left = false;
    int64_t last = (int64_t)floor(w->end / rule->h) - rule->first;
    stepper_init(&s, w, rule->shift, rule->h);
    cball_init(&value, WORK);
    for (int64_t i = last; ok && i >= 0; i--) {
        double y = (double)(rule->first + i) * rule->h; /* exact */
        bool is = is_left(radius, w, rule->shift, y);
        left = left || is;
        if (left) {
            cball_set_ui(&value, 1);
        } else if (i == last) {
            cball_set_ui(&value, 0);
        } else {
            mpfr_set_ui(radius, 0, MPFR_RNDU);
            step_left(&value, &s, y + rule->h);
        }
        mpfr_add(value.radius, value.radius, radius, MPFR_RNDU);
        mpfr_set_inf(value.size, 1);
        cball_measure(&value);
        if (i >= (int64_t)count)
            continue;
        if (mpfr_zero_p(value.re)) { /* at the end nothing but its radius is known */
            mpfr_set(value.re, value.radius, MPFR_RNDN);
            mpfr_add(value.radius, value.radius, value.radius, MPFR_RNDU);
        }
        ok = take(&out[i], &value);
    }
    cball_clear(&value);
    stepper_clear(&s);
    return ok && left;
}

#endif
