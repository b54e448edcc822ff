/* SPDX-License-Identifier: MIT */
/* The least number of trials with enough power, up to twice as many: found by guesses, then proved.
 */
#include "attack/audit_many.h"
#include "attack/audit_power.h"

/* The least number from which on, up to `top`, the power is at least that asked; *told: and one
 * less has too little. */
static unsigned long descend(bool *told, power *p, unsigned long top, unsigned long group)
{
    unsigned long k = top + 1, by = 1;
    dp_decision is = DP_YES;
    while (k > 1 && is == DP_YES && !power_is_late(p)) {
        unsigned long low = k > by ? k - by : 1;
        is = power_is_strong(p, low, k - 1, group);
        if (is == DP_YES) {
            k = low;
            by *= 2;
        } else if (low < k - 1) {
            by = (by + 3) / 4;
            is = DP_YES;
        }
    }
    *told = k == 1 || is == DP_NO;
    return k;
}

/* n is the least with strong power from n to 2n if each m below has a weak number in [m, 2m]: those
 * numbers that are weak, each at most one more than twice the next. Else *n is a lesser one to try.
 */
static bool is_least(unsigned long *n, bool *told, power *p)
{
    for (unsigned long weak = *n - 1; weak > 1 && *told && !power_is_late(p);) {
        unsigned long m = (weak - 1) / 2, k = m;
        dp_decision is = DP_YES;
        for (; m > 0 && k <= 2 * m && is == DP_YES; k++)
            is = power_is_strong(p, k, k, 0);
        if (m > 0 && is == DP_YES) {
            *n = m;
            return false;
        }
        *told = m == 0 || is == DP_NO;
        weak = m == 0 ? 0 : k - 1;
    }
    return true;
}

#define WEAK_MOST 8 /* where a guess is far off another one is cheaper */

/* Proves the power from *k to twice as many, or to `top` if that is less, from below; *k rises
 * beyond what is weak, or is not told, so often as `weak` says. As the power grows the ranges get
 * longer, and the groups as wide: both cost as much of it. */
static bool climb(unsigned long *k, power *p, unsigned long weak, unsigned long top)
{
    unsigned long at = *k, wide = 1, end = 2 * at < top ? 2 * at : top;
    while (at <= end && !power_is_late(p)) {
        unsigned long high = end - at < wide ? end : at + wide - 1;
        if (wide > 1 && !power_is_strong_in(p, at, high, wide)) {
            wide = (wide + 1) / 2 < wide ? (wide + 1) / 2 : 1;
        } else if (wide > 1 || power_is_strong_in(p, at, at, 1) ||
                   power_is_strong(p, at, at, 1) == DP_YES) {
            at = high + 1;
            wide += wide / 2 + 1;
        } else if (weak-- > 0) {
            *k = ++at;
            end = 2 * at < top ? 2 * at : top;
        } else {
            return false;
        }
    }
    return !power_is_late(p);
}

/* About where it is by what seems to refute, along a smooth boundary or count by count; then
 * proved. 0: not up to `top`. *told: one less has too little. */
static unsigned long least_from(bool *told, power *p, unsigned long top)
{
    bool proved = false;
    unsigned long k = 0;
    for (int smooth = 1; smooth >= 0 && !proved && !power_is_late(p); smooth--) {
        if (!power_aim(p, top, smooth == 1) && smooth == 1)
            continue;
        power_guess(p, true);
        k = descend(told, p, top, 1);
        power_guess(p, false);
        if (2 * k > top)
            break;
        proved = climb(&k, p, smooth == 1 ? WEAK_MOST : top, 2 * top);
    }
    *told = false;
    if (!proved)
        return 0;
    dp_decision is = DP_YES;
    while (k > 1 && (is = power_is_strong(p, k - 1, k - 1, 1)) == DP_YES)
        k--;
    *told = k == 1 || is == DP_NO;
    return k;
}

static unsigned long search(bool *told, power *p, bool quick)
{
    unsigned long found = 0;
    for (unsigned long top = 2; found == 0 && top <= 2 * PLAN_MOST && !power_is_late(p); top *= 2) {
        power_guess(p, quick);
        dp_decision is = power_is_strong(p, top, top, quick);
        power_guess(p, false);
        if (is != DP_YES)
            continue;
        if (quick) {
            found = least_from(told, p, top);
        } else {
            unsigned long low = descend(told, p, top, 0);
            found = 2 * low <= top ? low : 0;
        }
    }
    return found;
}

#define SMOOTH 256 /* a boundary is drawn for as many trials at least */

/* The same where `few` are too few, and `enough` and more are not: what is strong from k up to
 * there, and weak below, is the least if that is at most one more than twice `few`. */
static unsigned long least_between(bool *told, power *p, const many_bounds *b)
{
    unsigned long k = b->enough, about = k < SMOOTH ? SMOOTH : k;
    bool proved = false;
    for (int smooth = 1; smooth >= 0 && !proved && !power_is_late(p); smooth--) {
        if (!power_aim(p, about, smooth == 1) && smooth == 1)
            continue;
        power_guess(p, true);
        k = descend(told, p, b->enough - 1, 1);
        power_guess(p, false);
        proved = climb(&k, p, smooth == 1 ? WEAK_MOST : b->enough, b->enough - 1);
    }
    dp_decision is = DP_YES;
    while (proved && k > 1 && (is = power_is_strong(p, k - 1, k - 1, 1)) == DP_YES)
        k--;
    *told = is == DP_NO && k - 1 <= 2 * b->few + 1;
    return proved && *told ? k : 0;
}

static unsigned long least_of(bool *told, power *p)
{
    unsigned long found = search(told, p, true);
    if (found == 0)
        found = search(told, p, false);
    while (found > 0 && !is_least(&found, told, p)) {
        unsigned long less = least_from(told, p, 2 * found);
        if (less == 0)
            return found; /* proved, but it was not where it seemed */
        found = less;
    }
    return found;
}

#define BOUNDED 200 /* trials, about: from here on bounds are worth what they take */

dp_status audit_power_least(audit_needed *t, const audit_in *in, const dp_options *opt)
{
    many_bounds b = {0, 0};
    power *p = power_new(in, opt);
    if (p == NULL)
        return DP_MEMORY;
    *t = (audit_needed){0, 0, true};
    bool fits = many_bound(&b, in, p, BOUNDED);
    if (b.few > 0 && b.few < PLAN_MOST)
        t->enough = least_between(&t->least, p, &b);
    if (fits && t->enough == 0 && (b.enough == 0 || b.few < PLAN_MOST))
        t->enough = least_of(&t->least, p);
    if (fits && t->enough == 0 && b.enough == 0)
        fits = many_bound(&b, in, p, 0);
    bool late = power_is_late(p);
    power_free(p);
    if (t->enough == 0)
        *t = (audit_needed){b.enough, b.few, false};
    return !fits ? DP_MEMORY : t->enough > 0 ? DP_OK : late ? DP_LIMIT : DP_UNAVAILABLE;
}
