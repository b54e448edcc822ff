/* SPDX-License-Identifier: MIT */
/* The ladder of attempts: bits for what is evaluated to any precision, widths for a bracket. */
#include "engine/effort.h"

#include <math.h>

#include "core/refine.h"

#define FIRST_GAP 1e-4
#define HASTY_GAP 1e-6
#define GAP_STEP 1e-3 /* at most, and at least: */
#define MOST_STEP 0.1
#define LEAD_STEP 1e-5 /* where the way is known */
#define SHORT_STEP 0.5
/* The nodes of a bracket are as 1/sqrt(gap); beyond this one what was spared is no dearer. */
#define LAST_CHEAP_GAP 8e-12
#define LEAST_DIGITS 6  /* fewer are rounded from these */
#define FIRST_DIGITS 10 /* more are had in a second attempt */

effort effort_start(size_t asked)
{
    size_t digits = asked < LEAST_DIGITS ? LEAST_DIGITS : asked;
    double least = pow(10, -(double)digits - 2);
    return (effort){refine_bits(digits < FIRST_DIGITS ? digits : FIRST_DIGITS),
                    refine_bits(digits),
                    fmax(FIRST_GAP, least),
                    fmax(least, EFFORT_LAST_GAP),
                    .exact = true,
                    .cheap = true,
                    .step = GAP_STEP};
}

void effort_aim(effort *f, const mpfi_t x, size_t digits)
{
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfi_diam_rel(width, x);
    double step = 0.25 * pow(10, -(double)digits) / mpfr_get_d(width, MPFR_RNDU);
    mpfr_clear(width);
    f->step = isnan(step) || step < GAP_STEP ? GAP_STEP : step < MOST_STEP ? step : MOST_STEP;
}

void effort_hasten(effort *f)
{
    f->gap = fmax(HASTY_GAP, f->least_gap);
}

void effort_lead(effort *f, double gap)
{
    f->step = fmin(fmax(gap / f->gap, LEAD_STEP), SHORT_STEP);
}

bool effort_reaches(effort *f, double gap)
{
    if (gap <= f->gap)
        return true;
    f->gap = f->least_gap = gap;
    return !(f->had > 0) || gap < SHORT_STEP * f->had;
}

/* After an attempt that could not be made: once a bracket a digit narrower than the last, then what
 * was spared. */
static bool fall_back(effort *f)
{
    if (!f->cheap)
        return false;
    if (f->had > 2 * f->gap / MOST_STEP && !f->back) {
        f->gap = f->least_gap = MOST_STEP * f->had;
        f->back = true;
        return true;
    }
    f->cheap = false;
    return f->spared;
}

static bool narrow_gap(effort *f, const limits *lim)
{
    bool last = f->gap <= f->least_gap;
    double next = fmax(f->gap * f->step, f->least_gap);
    if (f->spared && (last || next < LAST_CHEAP_GAP))
        f->cheap = f->spared = last = false;
    if (last)
        limits_note(lim, DP_MET_PRECISION);
    f->had = f->gap;
    f->gap = next;
    return !last;
}

bool effort_raise(effort *f, dp_status status, mpfr_prec_t most_bits, const limits *lim)
{
    if ((status != DP_OK && status != DP_LIMIT) || limits_expired(lim))
        return false;
    if (status == DP_LIMIT)
        return fall_back(f);
    if (!f->exact)
        return narrow_gap(f, lim);
    if (f->spared && f->cheap) { /* some bits were */
        f->cheap = false;
        return true;
    }
    if (f->bits >= most_bits) {
        limits_note(lim, DP_MET_PRECISION);
        return false;
    }
    f->bits = f->bits < f->wanted_bits ? f->wanted_bits : f->bits + f->bits / 2;
    if (f->bits > most_bits)
        f->bits = most_bits;
    return true;
}

bool effort_is_whole(const effort *f)
{
    return !f->exact || f->bits >= f->wanted_bits;
}

void effort_tighten(mpfi_t best, const mpfi_t next)
{
    if (mpfi_get_prec(next) > mpfi_get_prec(best))
        mpfi_round_prec(best, mpfi_get_prec(next));
    mpfi_intersect(best, best, next);
}

dp_status effort_finished(dp_status status, bool agrees)
{
    return status == DP_MEMORY || agrees ? status : DP_LIMIT;
}

double effort_middle(const mpfi_t x)
{
    return (mpfr_get_d(&x->left, MPFR_RNDN) + mpfr_get_d(&x->right, MPFR_RNDN)) / 2;
}
