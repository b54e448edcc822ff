/* SPDX-License-Identifier: MIT */
/* --width: a few digits tell how large a figure is, and so how many of them that width is. */
#include <math.h>

#include "core/result.h"
#include "document/commands.h"
#include "num/ival.h"
#include "num/number.h"

#define FIRST_DIGITS 4
#define LN10 2.302585092994046

void width_begin(dp_options *opt, const args *a, report *r)
{
    if (args_number(a, "width") != NULL)
        opt->digits = r->digits = FIRST_DIGITS;
}

/* About ln of the upper end; -infinity for 0, and for what is not finite. */
static double log_size(const dp_figure *f)
{
    if (f == NULL)
        return -HUGE_VAL;
    if (f->kind == DP_RATIONAL)
        return mpq_sgn(f->rational) > 0 ? ival_guess_log(f->rational) : -HUGE_VAL;
    if (f->kind != DP_ENCLOSED || !mpfr_regular_p(&f->enclosure->right))
        return -HUGE_VAL;
    long exponent;
    double m = mpfr_get_d_2exp(&exponent, &f->enclosure->right, MPFR_RNDN);
    return log(fabs(m)) + (double)exponent * log(2);
}

bool width_goes_on(dp_options *opt, const args *a, report *r)
{
    const dp_number *width = args_number(a, "width");
    if (width == NULL || r->result.count == 0)
        return false;
    double largest = -HUGE_VAL;
    for (size_t i = 0; i < r->result.count; i++)
        if (r->result.row[i].verdict != DP_UNSOUND)
            largest = fmax(largest, fmax(log_size(row_figure(&r->result.row[i], "epsilon")),
                                         log_size(row_figure(&r->result.row[i], "delta"))));
    double digits = ceil((largest - ival_guess_log(number_rational(width))) / LN10) + 1;
    if (!(digits > (double)opt->digits) || opt->digits > FIRST_DIGITS)
        return false;
    opt->digits = r->digits = (size_t)fmin(digits, DP_MOST_DIGITS);
    opt->max_seconds = fmax(args_time_left(a), 1e-9);
    return true;
}

void width_end(args *a)
{
    if (args_number(a, "width") != NULL)
        args_forget(a, "digits");
}
