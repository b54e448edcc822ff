/* SPDX-License-Identifier: MIT */
/* The ladder of attempts: bits for what is evaluated to any precision, widths for a bracket. */
#include "solve/effort.h"

#include <math.h>

#include "solve/refine.h"

#define FIRST_GAP 1e-4
#define GAP_STEP 1e-3
#define LEAST_DIGITS 6  /* fewer are rounded from these */
#define FIRST_DIGITS 10 /* more are had in a second attempt */

effort effort_start(size_t asked)
{
    size_t digits = asked < LEAST_DIGITS ? LEAST_DIGITS : asked;
    double least = pow(10, -(double)digits - 2);
    return (effort){refine_bits(digits < FIRST_DIGITS ? digits : FIRST_DIGITS), refine_bits(digits),
                    fmax(FIRST_GAP, least), fmax(least, EFFORT_LAST_GAP), true};
}

bool effort_raise(effort *f, mpfr_prec_t most_bits, const limits *lim)
{
    if (limits_expired(lim))
        return false;
    bool last = f->exact ? f->bits >= most_bits : f->gap <= f->least_gap;
    if (last) {
        limits_note(lim, DP_MET_PRECISION);
        return false;
    }
    if (f->exact) {
        f->bits = f->bits < f->wanted_bits ? f->wanted_bits : f->bits + f->bits / 2;
        if (f->bits > most_bits)
            f->bits = most_bits;
        return true;
    }
    f->gap = fmax(f->gap * GAP_STEP, f->least_gap);
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
