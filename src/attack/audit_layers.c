/* SPDX-License-Identifier: MIT */
/* Certificates of one run against a privacy curve: the weights of heights that were found, rounded
 * upward. */
#include "attack/audit_layers.h"

#include "attack/audit_heights.h"

#define BITS 128

void layers_init(layers *l)
{
    l->count = 0;
    mpfr_init2(l->lambda, BITS);
    for (size_t k = 0; k < LAYERS_MOST; k++) {
        mpfr_init2(l->slope[k], BITS);
        mpfr_init2(l->height[k], BITS);
    }
}

void layers_clear(layers *l)
{
    for (size_t k = 0; k < LAYERS_MOST; k++) {
        mpfr_clear(l->height[k]);
        mpfr_clear(l->slope[k]);
    }
    mpfr_clear(l->lambda);
}

/* ---- for certain ---- */

/* u_k(c) of U(c) in all: filled from the first slope on, rounded upward, and what that is paid. */
static void pay(mpfr_t paid, layers *used, const layers *l, mpfr_srcptr all)
{
    mpfr_t left, part;
    mpfr_inits2(BITS, left, part, (mpfr_ptr)0);
    mpfr_set(left, all, MPFR_RNDU);
    mpfr_set_zero(paid, 1);
    for (size_t k = 0; k < l->count && mpfr_sgn(left) > 0; k++) {
        bool whole = k + 1 == l->count || mpfr_lessequal_p(left, l->height[k]);
        mpfr_set(part, whole ? left : l->height[k], MPFR_RNDU);
        mpfr_max(used->height[k], used->height[k], part, MPFR_RNDU);
        mpfr_sub(left, left, part, MPFR_RNDU);
        mpfr_mul(part, part, l->slope[k], MPFR_RNDU);
        mpfr_add(paid, paid, part, MPFR_RNDU);
    }
    mpfr_clears(left, part, (mpfr_ptr)0);
}

#define FAR_STEPS 64

/* u = a weight for all c >= high, where u c - (r-c) paid(u) >= 1 - lambda if it is so at high. It
 * is for the largest slope E, (high - (r-high) E) u = 1 - lambda, and with u for (1 - lambda +
 * (r-high) paid(u))/high, which is less. False where (r-high) E/high is 1 or more. */
static bool far_weight(mpfr_t u, layers *used, const layers *l, mpfr_srcptr rest)
{
    mpfr_mul_ui(u, l->slope[l->count - 1], l->guesses - l->high, MPFR_RNDU);
    mpfr_ui_sub(u, l->high, u, MPFR_RNDD);
    if (mpfr_sgn(u) <= 0)
        return false;
    mpfr_t next;
    mpfr_init2(next, BITS);
    mpfr_div(u, rest, u, MPFR_RNDU);
    for (int i = 0; i < FAR_STEPS; i++) {
        pay(next, used, l, u);
        mpfr_mul_ui(next, next, l->guesses - l->high, MPFR_RNDU);
        mpfr_add(next, next, rest, MPFR_RNDU);
        mpfr_div_ui(next, next, l->high, MPFR_RNDU);
        if (mpfr_greaterequal_p(next, u))
            break;
        mpfr_swap(next, u);
    }
    mpfr_clear(next);
    return true;
}

/* The inequality of each c holds, as every step rounds U(c) upward; at c = 0, or from where U stays
 * 0, it is lambda >= r sum_k E_k u_k(1). `used` gets the heights. */
static bool proves(layers *used, const layers *l)
{
    mpfr_t u, paid, rest;
    mpfr_inits2(BITS, u, paid, rest, (mpfr_ptr)0);
    mpfr_ui_sub(rest, 1, l->lambda, MPFR_RNDU);
    mpfr_set_zero(paid, 1);
    bool far = far_weight(u, used, l, rest);
    for (size_t k = 0; k < l->count; k++)
        mpfr_set_zero(used->height[k], 1);
    if (far)
        pay(paid, used, l, u);
    for (unsigned long c = far ? l->high - 1 : l->guesses; c >= 1; c--) {
        mpfr_mul_ui(u, paid, l->guesses - c, MPFR_RNDU);
        if (c >= l->right)
            mpfr_add(u, u, rest, MPFR_RNDU);
        else
            mpfr_sub(u, u, l->lambda, MPFR_RNDU);
        mpfr_div_ui(u, u, c, MPFR_RNDU);
        if (mpfr_sgn(u) <= 0)
            mpfr_set_zero(u, 1);
        pay(paid, used, l, u);
        if (c < l->right && mpfr_zero_p(u))
            break;
    }
    mpfr_mul_ui(paid, paid, l->guesses, MPFR_RNDU);
    bool good = mpfr_lessequal_p(paid, l->lambda) != 0;
    mpfr_clears(u, paid, rest, (mpfr_ptr)0);
    return good;
}

#define SLACK 36 /* the first lambda is larger than that found by 2^-36 of it, ... */

void layers_certify(layers *l)
{
    layers used;
    mpfr_t by;
    mpfr_init2(by, BITS);
    layers_init(&used);
    bool good = false;
    for (unsigned long bits = SLACK; !good && bits > 0;
         bits--) { /* ... the next by twice as much */
        mpfr_div_2ui(by, l->lambda, bits, MPFR_RNDU);
        mpfr_add(l->lambda, l->lambda, by, MPFR_RNDU);
        if (mpfr_cmp_ui(l->lambda, 1) >= 0)
            break;
        good = proves(&used, l);
    }
    if (!good) { /* certain in any case */
        mpfr_set_ui(l->lambda, 1, MPFR_RNDN);
        for (size_t k = 0; k < l->count; k++)
            mpfr_set_zero(used.height[k], 1);
    }
    for (size_t k = 0; k < l->count; k++)
        mpfr_set(l->height[k], used.height[k], MPFR_RNDU);
    layers_clear(&used);
    mpfr_clear(by);
}

void layers_seek(layers *l, const layers_goal *goal)
{
    double height[LAYERS_MOST] = {0};
    l->guesses = l->high = goal->guesses;
    l->right = goal->right;
    l->count = goal->count;
    mpfr_set_ui(l->lambda, 1, MPFR_RNDN);
    if (goal->count == 0)
        return;
    mpfr_set_d(l->lambda, heights_find(height, goal, &l->high), MPFR_RNDN);
    for (size_t k = 0; k < goal->count; k++) {
        mpfr_set_d(l->slope[k], goal->slope[k], MPFR_RNDN);
        mpfr_set_d(l->height[k], height[k], MPFR_RNDN);
    }
}
