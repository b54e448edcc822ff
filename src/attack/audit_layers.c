/* SPDX-License-Identifier: MIT */
/* Certificates of one run against a privacy curve: the weights of heights that were found, rounded
 * upward. */
#include "attack/audit_layers.h"

#include <math.h>

#include "attack/audit_heights.h"
#include "num/binary64.h"

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

/* What u is paid, filled from the first slope on, rounded upward. */
static void pay(mpfr_t paid, const layers *l, mpfr_srcptr u)
{
    mpfr_t left, part;
    mpfr_inits2(BITS, left, part, (mpfr_ptr)0);
    mpfr_set(left, u, MPFR_RNDU);
    mpfr_set_zero(paid, 1);
    for (size_t k = 0; k < l->count && mpfr_sgn(left) > 0; k++) {
        bool whole = k + 1 == l->count || mpfr_lessequal_p(left, l->height[k]);
        mpfr_set(part, whole ? left : l->height[k], MPFR_RNDU);
        mpfr_sub(left, left, part, MPFR_RNDU);
        mpfr_mul(part, part, l->slope[k], MPFR_RNDU);
        mpfr_add(paid, paid, part, MPFR_RNDU);
    }
    mpfr_clears(left, part, (mpfr_ptr)0);
}

/* u (c - (r-c) E_k) = rest + (r-c) sum_{j<k} (E_j - E_k) h_j, and a little more. */
static bool equal_weight(mpfr_t u, const layers *l, mpfr_srcptr rest, size_t k)
{
    unsigned long left = l->guesses - l->high;
    mpfr_t by, sum;
    mpfr_inits2(BITS, by, sum, (mpfr_ptr)0);
    mpfr_set_zero(sum, 1);
    for (size_t j = 0; j < k; j++) {
        mpfr_sub(by, l->slope[j], l->slope[k], MPFR_RNDU);
        mpfr_mul(by, by, l->height[j], MPFR_RNDU);
        mpfr_add(sum, sum, by, MPFR_RNDU);
    }
    mpfr_mul_ui(sum, sum, left, MPFR_RNDU);
    mpfr_add(sum, sum, rest, MPFR_RNDU);
    mpfr_mul_ui(by, l->slope[k], left, MPFR_RNDU);
    mpfr_ui_sub(by, l->high, by, MPFR_RNDD);
    bool found = mpfr_sgn(by) > 0 && mpfr_sgn(sum) > 0;
    mpfr_div(u, sum, by, MPFR_RNDU);
    mpfr_div_2ui(by, u, BITS - 40, MPFR_RNDU);
    mpfr_add(u, u, by, MPFR_RNDU);
    mpfr_clears(by, sum, (mpfr_ptr)0);
    return found;
}

/* Is u a weight for all c >= high: u c - (r-c) paid(u) >= 1 - lambda = rest at high, and so beyond?
 */
static bool is_far_weight(mpfr_srcptr u, const layers *l, mpfr_srcptr rest)
{
    mpfr_t paid, have;
    mpfr_inits2(BITS, paid, have, (mpfr_ptr)0);
    pay(paid, l, u);
    mpfr_mul_ui(paid, paid, l->guesses - l->high, MPFR_RNDU);
    mpfr_add(paid, paid, rest, MPFR_RNDU);
    mpfr_mul_ui(have, u, l->high, MPFR_RNDD);
    bool is = mpfr_lessequal_p(paid, have) != 0;
    mpfr_clears(paid, have, (mpfr_ptr)0);
    return is;
}

/* u = such a weight, a double where weights are doubles; false where there is none. */
static bool far_weight(mpfr_t u, const layers *l, mpfr_srcptr rest, bool doubles)
{
    bool good = false;
    for (size_t k = 0; !good && k < l->count && equal_weight(u, l, rest, k); k++) {
        if (doubles)
            mpfr_set_d(u, mpfr_get_d(u, MPFR_RNDU), MPFR_RNDU);
        good = is_far_weight(u, l, rest);
    }
    return good;
}

#define MOST_PLACES 200000UL /* where weights go on farther there is no certificate, ... */
#define MOST_DOUBLES 2e6     /* ... nor in doubles */

/* The inequality of each c < high holds, as every step rounds U(c) upward; at c = 0, or from where
 * U stays 0, it is lambda >= r sum_k E_k u_k(1). u = U(high), and then the largest one. */
static bool proves(mpfr_t u, const layers *l, mpfr_srcptr rest)
{
    mpfr_t most, paid;
    mpfr_inits2(BITS, most, paid, (mpfr_ptr)0);
    mpfr_set(most, u, MPFR_RNDU);
    pay(paid, l, u);
    unsigned long end = l->high > MOST_PLACES ? l->high - MOST_PLACES : 0, c = l->high - 1;
    for (; c >= 1 && c > end; c--) {
        mpfr_mul_ui(u, paid, l->guesses - c, MPFR_RNDU);
        if (c >= l->right)
            mpfr_add(u, u, rest, MPFR_RNDU);
        else
            mpfr_sub(u, u, l->lambda, MPFR_RNDU);
        mpfr_div_ui(u, u, c, MPFR_RNDU);
        if (mpfr_sgn(u) <= 0)
            mpfr_set_zero(u, 1);
        mpfr_max(most, most, u, MPFR_RNDU);
        pay(paid, l, u);
        if (c < l->right && mpfr_zero_p(u))
            break;
    }
    mpfr_mul_ui(paid, paid, l->guesses, MPFR_RNDU);
    bool good = (c == 0 || c > end) && mpfr_lessequal_p(paid, l->lambda) != 0;
    mpfr_set(u, most, MPFR_RNDU);
    mpfr_clears(most, paid, (mpfr_ptr)0);
    return good;
}

/* ---- the same in doubles ---- */

/* With eps = 2^-53: slopes and what is paid beside them, paid(u) = E_k u + less_k in layer k, and
 * the other terms are larger by 8 eps of their size than what they stand for. */
typedef struct rounded {
    double top[LAYERS_MOST], slope[LAYERS_MOST], less[LAYERS_MOST], above, below;
} rounded;

static double larger(mpfr_srcptr x)
{
    double y = mpfr_get_d(x, MPFR_RNDU);
    return y + fabs(y) * 0x1.2p-50;
}

/* Layers end at doubles: heights become those between them. */
static void round_layers(rounded *w, layers *l, mpfr_srcptr rest)
{
    mpfr_t top, less, by;
    mpfr_inits2(BITS, top, less, by, (mpfr_ptr)0);
    mpfr_set_zero(top, 1);
    mpfr_set_zero(less, 1);
    for (size_t k = 0; k < l->count; k++) {
        if (k > 0) {
            mpfr_sub(by, l->slope[k - 1], l->slope[k], MPFR_RNDU);
            mpfr_mul(by, by, top, MPFR_RNDU);
            mpfr_add(less, less, by, MPFR_RNDU);
        }
        w->slope[k] = larger(l->slope[k]);
        w->less[k] = larger(less);
        mpfr_set(by, top, MPFR_RNDN);
        mpfr_add(top, top, l->height[k], MPFR_RNDU);
        w->top[k] = k + 1 < l->count ? mpfr_get_d(top, MPFR_RNDU) : HUGE_VAL;
        if (k + 1 < l->count)
            mpfr_set_d(top, w->top[k], MPFR_RNDN);
        mpfr_sub(l->height[k], top, by, MPFR_RNDU);
    }
    mpfr_neg(by, l->lambda, MPFR_RNDN);
    w->below = larger(by);
    w->above = larger(rest);
    mpfr_clears(top, less, by, (mpfr_ptr)0);
}

/* Each term of U(c) = (r-c)/c E_k U(c+1) + ((r-c)/c less_k + rest/c) is rounded five times at most,
 * by eps of itself each, and is larger by 7 eps to begin with: the sum is no less than the true
 * one. lambda eps/c is far above the least doubles. most = U(high), and then the largest of all:
 * below v, U that does not fall never does. */
static bool proves_in_doubles(double *most, const layers *l, const rounded *w)
{
    double u = *most, all = (double)l->guesses, v = (double)l->right, c = (double)l->high - 1;
    double end = c > MOST_DOUBLES ? c - MOST_DOUBLES : 0;
    size_t k = 0;
    if (c - v > MOST_DOUBLES)
        return false;
    for (; c >= v; c--) {
        while (u > w->top[k])
            k++;
        while (k > 0 && u <= w->top[k - 1])
            k--;
        double over = 1 / c, left = (all - c) * over;
        u = left * w->slope[k] * u + (left * w->less[k] + w->above * over);
        *most = u > *most ? u : *most;
    }
    for (double last = u; c >= end; c--) {
        while (u > w->top[k])
            k++;
        while (k > 0 && u <= w->top[k - 1])
            k--;
        if (c == 0)
            return all * w->slope[k] * u + (all * w->less[k] + w->below) <= 0;
        double over = 1 / c, left = (all - c) * over;
        u = left * w->slope[k] * u + (left * w->less[k] + w->below * over);
        if (u <= 0)
            return true;
        if (!(u < last)) /* or no number */
            return false;
        last = u;
    }
    return false;
}

/* ---- */

#define LEAST_DOUBLE 1e-290

/* Do weights with that lambda prove it? u = the largest one. */
static bool proved(mpfr_t u, layers *l)
{
    rounded w;
    mpfr_t rest;
    mpfr_init2(rest, BITS);
    mpfr_ui_sub(rest, 1, l->lambda, MPFR_RNDU);
    bool doubles = binary64_is_sound() && mpfr_cmp_d(l->lambda, LEAST_DOUBLE) > 0;
    if (doubles)
        round_layers(&w, l, rest);
    bool good = far_weight(u, l, rest, doubles);
    if (!good) {
        l->high = l->guesses;
        good = far_weight(u, l, rest, doubles);
    }
    if (good && doubles) {
        double most = mpfr_get_d(u, MPFR_RNDU);
        good = proves_in_doubles(&most, l, &w);
        mpfr_set_d(u, most, MPFR_RNDU);
    } else if (good) {
        good = proves(u, l, rest);
    }
    mpfr_clear(rest);
    return good;
}

/* Heights up to where weights go. */
static void cut_heights(layers *l, mpfr_srcptr most)
{
    mpfr_t left;
    mpfr_init2(left, BITS);
    mpfr_set(left, most, MPFR_RNDU);
    for (size_t k = 0; k < l->count; k++) {
        if (k + 1 == l->count || mpfr_greater_p(l->height[k], left))
            mpfr_set(l->height[k], left, MPFR_RNDU);
        mpfr_sub(left, left, l->height[k], MPFR_RNDU);
    }
    mpfr_clear(left);
}

#define SLACK 36  /* the first lambda is larger than that found by 2^-36 of it, ... */
#define PLACES 48 /* or by 2^-48 of it for each place that rounds */

void layers_certify(layers *l)
{
    mpfr_t by, most;
    mpfr_inits2(BITS, by, most, (mpfr_ptr)0);
    bool good = false;
    int bits = PLACES - ilogb((double)(l->high - l->right) + 1);
    for (bits = bits < SLACK ? bits : SLACK; !good && bits > 0;
         bits -= 2) { /* ... the next by four times as much */
        mpfr_div_2ui(by, l->lambda, (unsigned long)bits, MPFR_RNDU);
        mpfr_add(l->lambda, l->lambda, by, MPFR_RNDU);
        if (mpfr_cmp_ui(l->lambda, 1) >= 0)
            break;
        good = proved(most, l);
    }
    if (good) {
        cut_heights(l, most);
    } else { /* certain in any case */
        mpfr_set_ui(l->lambda, 1, MPFR_RNDN);
        for (size_t k = 0; k < l->count; k++)
            mpfr_set_zero(l->height[k], 1);
    }
    mpfr_clears(by, most, (mpfr_ptr)0);
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
