/* SPDX-License-Identifier: MIT */
/* Which of two products has the greater figure, by estimates; that one is below, by proof. */
#include "engine/compare.h"

#include <math.h>

#include "engine/effort.h"
#include "num/ival.h"

/* Where they are less than this apart, in ln delta at one epsilon, both are evaluated. */
#define FAR 0.02

/* About the leaks together, 1 - D. */
static double leak_of(const product *p)
{
    mpfi_t log;
    mpfi_init2(log, 64);
    mpfi_set_ui(log, 0);
    if (p->leaks != 0)
        product_log_keep(log, p);
    double leak = -expm1(mpfi_get_d(log));
    mpfi_clear(log);
    return leak;
}

/* About ln delta(x) */
static double log_delta(const engine *e, double x)
{
    const tilt *t = &e->all.tilt;
    bool left = tilt_is_left(t, x);
    double log_s = tilt_log_profile(t, x, tilt_saddle(t, x, left)), leak = leak_of(e->product);
    if (left)
        return log(leak - (1 - leak) * expm1(log_s));
    return leak == 0 ? log_s : log(leak + (1 - leak) * exp(log_s));
}

/* About epsilon at delta, where delta is small; else NaN. */
static double near_epsilon(const engine *e, mpq_srcptr delta)
{
    double leak = leak_of(e->product), log_s = tilt_log_q(delta);
    if (leak > 0)
        log_s = log((exp(log_s) - leak) / (1 - leak));
    return log_s < log(0.5) ? tilt_find(&e->all.tilt, log_s) : NAN;
}

compare_guess compare_products(const engine *first, const engine *second, const logform *x,
                               mpq_srcptr delta)
{
    double at;
    if (x != NULL) {
        mpfi_t middle;
        mpfi_init2(middle, 64);
        logform_enclose(middle, x);
        at = effort_middle(middle);
        mpfi_clear(middle);
    } else {
        at = near_epsilon(first, delta);
    }
    double apart = isfinite(at) ? log_delta(first, at) - log_delta(second, at) : 0;
    return apart > FAR ? COMPARE_FIRST : apart < -FAR ? COMPARE_SECOND : COMPARE_NEAR;
}

bool compare_is_below(const engine *e, const dp_figure *figure, const logform *x, mpq_srcptr delta,
                      const limits *lim)
{
    if (figure->kind == DP_INFINITE)
        return true;
    mpq_t low, one;
    logform at;
    mpq_inits(low, one, NULL);
    mpq_set_ui(one, 1, 1);
    logform_init(&at);
    bool known = figure->kind == DP_RATIONAL || mpfr_number_p(&figure->enclosure->left);
    if (figure->kind == DP_RATIONAL)
        mpq_set(low, figure->rational);
    else if (known)
        mpfr_get_q(low, &figure->enclosure->left);
    if (known && x == NULL)
        known = mpq_sgn(low) >= 0 && logform_add_q(&at, one, low);
    const logform *point = x != NULL ? x : &at;
    mpq_srcptr most = x != NULL ? low : delta;
    bool below = known && (optimal_meets_by_moment(e, point, most, lim) ||
                           optimal_meets_at(e, point, most, lim) == DP_YES);
    logform_clear(&at);
    mpq_clears(low, one, NULL);
    return below;
}
