/* SPDX-License-Identifier: MIT */
/* About where the product of the two tails is largest along the curve of a claim, in doubles: what
 * is proved at such a point is proved wherever it lies. */
#include "attack/audit_side.h"

#include <math.h>

#include "num/ival.h"

double audit_slope(const void *side, double w)
{
    double log_tail[2], slope;
    guess_point(log_tail, &slope, NULL, side, w);
    return slope;
}

#define MOST_STEPS 60
#define NEAR 1e-8
#define STEPS 5
#define CLOSE 0.3 /* over the number of trials: so long a last step leaves hardly any slope */

/* At w: the logarithm of the product, about, and its slope. */
typedef struct guessed {
    double w, height, slope;
} guessed;

static guessed guess_product(const audit_side *s, double w)
{
    double log_tail[2];
    guessed g = {.w = w};
    guess_point(log_tail, &g.slope, NULL, s, w);
    g.height = log_tail[0] + log_tail[1];
    return g;
}

/* Does what is known at both sides of the top tell whether it is above the level? */
static bool is_told(const guessed *low, const guessed *high, double level)
{
    double wide = high->w - low->w;
    return low->height > level || high->height > level ||
           fmin(low->height + low->slope * wide, high->height - high->slope * wide) <= level;
}

/* About where the slope falls through 0, by the rule of Illinois. With a level only as near as
 * tells whether the top is above it. */
static guessed top_between(const audit_side *s, guessed low, guessed high, const double *level)
{
    guessed x = high;
    int last = 0;
    double above = low.slope, below = high.slope;
    for (int i = 0; i < MOST_STEPS && high.w - low.w > NEAR; i++) {
        if (level != NULL && is_told(&low, &high, *level))
            return low.height > high.height ? low : high;
        double w = (low.w * below - high.w * above) / (below - above);
        x = guess_product(s, w > low.w && w < high.w ? w : (low.w + high.w) / 2);
        if (fabs(x.slope) <= NEAR)
            return x;
        if (x.slope > 0) {
            low = x;
            above = x.slope;
            below *= last > 0 ? 0.5 : 1;
        } else {
            high = x;
            below = x.slope;
            above *= last < 0 ? 0.5 : 1;
        }
        last = x.slope > 0 ? 1 : -1;
    }
    return guess_product(s, (low.w + high.w) / 2);
}

/* The same on the side; w = AUDIT_LOWEST where it is not found. */
static guessed near_top(const audit_side *s, const double *level, double end)
{
    guessed low = guess_product(s, end - 1), high = guess_product(s, end);
    for (; low.w > AUDIT_LOWEST && low.slope <= 0; low = guess_product(s, end + 2 * (low.w - end)))
        high = low;
    return low.w <= AUDIT_LOWEST ? (guessed){.w = AUDIT_LOWEST} : top_between(s, low, high, level);
}

/* The side, of two, in whose inside the top seems to lie; NULL: the corner. */
static const audit_side *top_side(const audit_side sides[2])
{
    return audit_slope(&sides[0], 0) < 0   ? &sides[0]
           : audit_slope(&sides[1], 0) < 0 ? &sides[1]
                                           : NULL;
}

bool audit_fisher_guess(const audit_in *in, double level)
{
    if (audit_is_idle(in))
        return false;
    audit_side sides[2] = {audit_first_side(in, ival_guess(in->claim))};
    sides[1] = audit_mirrored(&sides[0]);
    const audit_side *s = top_side(sides);
    guessed top = s != NULL ? near_top(s, &level, 0) : guess_product(sides, 0);
    if (s != NULL && top.w <= AUDIT_LOWEST)
        top = guess_product(s, AUDIT_LOWEST);
    return top.height <= level;
}

/* By steps of Newton from where it was, of which one leaves about sqrt(n) times its square; false:
 * they go far, or off the side. The sum of the logarithms is concave along the curve: a top inside
 * one side is the only one. */
static bool find_near(audit_top *top, const audit_side *s)
{
    double n = (double)(s->members < s->outsiders ? s->members : s->outsiders);
    double step = 0, near = CLOSE / n, good = 0.3 * sqrt(near / sqrt(n));
    bool close = false;
    for (int i = 0; i < STEPS && !close && top->w < 0; i++) {
        double log_tail[2], slope, curve;
        guess_point(log_tail, &slope, &curve, s, top->w);
        step = -slope / curve;
        if (!(curve < 0 && fabs(step) < 1))
            return false;
        top->w += step;
        close = fabs(step) < fmax(near, good);
    }
    return close && top->w < 0;
}

double audit_fisher_height(double *w, const audit_in *in, const double count[3], int which)
{
    audit_in own = *in;
    own.hits = own.alarms = 0;
    own.members = own.outsiders = (unsigned long)count[0];
    audit_side sides[2] = {audit_first_side(&own, ival_guess(in->claim))};
    sides[0].caught = sides[0].passed = 0;
    sides[0].more_caught = count[0] - count[1];
    sides[0].more_passed = count[0] - count[2];
    sides[1] = audit_mirrored(&sides[0]);
    audit_top top = {which == 1, *w};
    *w = 0;
    if (which == 2)
        return guess_product(sides, 0).height;
    if (top.w < 0 && find_near(&top, &sides[which])) {
        *w = top.w;
        return guess_product(&sides[which], top.w).height;
    }
    double end = 0.9 * log1p(exp(-sides[0].epsilon)); /* the rate is 1 at so much / 0.9 */
    if (!(audit_slope(&sides[which], end) < 0))
        return NAN;
    guessed found = near_top(&sides[which], NULL, end);
    *w = found.w;
    return found.w <= AUDIT_LOWEST ? NAN : found.height;
}

bool audit_fisher_place(audit_top *top, audit_side *side, const audit_in *in)
{
    if (audit_is_idle(in))
        return false;
    audit_side sides[2] = {audit_first_side(in, ival_guess(in->claim))};
    sides[1] = audit_mirrored(&sides[0]);
    const audit_side *s = &sides[top->second];
    if (!find_near(top, s)) {
        s = top_side(sides);
        top->w = s != NULL ? near_top(s, NULL, 0).w : 0;
    }
    if (s == NULL)
        return false;
    top->second = s == &sides[1];
    *side = *s;
    return true;
}
