/* SPDX-License-Identifier: MIT */
/* Precision is chosen here and nowhere else; what is not proved at the last one stays an interval.
 */
#include "core/refine.h"

#include <math.h>

#include "num/decimal.h"
#include "num/limits.h"

mpfr_prec_t refine_bits(size_t digits)
{
    /* 3.3220 > log2(10); the rest absorbs the few roundings of a closed form. */
    return (mpfr_prec_t)(digits * 33220 / 10000) + 30;
}

size_t refine_digits(mpfr_prec_t bits)
{
    return bits > 30 ? ((size_t)bits - 30) * 10000 / 33220 + 1 : 1;
}

bool refine_agrees(const dp_figure *x, size_t digits)
{
    if (x->kind != DP_ENCLOSED)
        return true;
    if (mpfi_nan_p(x->enclosure) || mpfr_greater_p(&x->enclosure->left, &x->enclosure->right))
        return false;
    dec lo, hi;
    dec_init(&lo);
    dec_init(&hi);
    bool agree = dec_set_figure(&lo, x, DP_LOWER, digits) &&
                 dec_set_figure(&hi, x, DP_UPPER, digits) && dec_agree(&lo, &hi, digits);
    dec_clear(&lo);
    dec_clear(&hi);
    return agree;
}

/* The width in bits, relative; of an enclosure [0, x] the size of x */
static bool is_narrow(const mpfi_t x, size_t digits)
{
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfr_sub(width, &x->right, &x->left, MPFR_RNDU);
    mpfr_exp_t size = mpfr_sgn(&x->left) > 0 ? mpfr_get_exp(&x->left) : 0;
    bool narrow = mpfr_sgn(&x->left) >= 0 && mpfr_number_p(width) && mpfr_sgn(width) > 0 &&
                  mpfr_get_exp(width) < size - refine_bits(digits);
    mpfr_clear(width);
    return narrow;
}

/* The lower end rounded up is the least decimal not below it. */
bool refine_straddled(mpq_t q, const dp_figure *x, size_t digits)
{
    if (refine_agrees(x, digits) || mpfi_nan_p(x->enclosure) || !is_narrow(x->enclosure, digits))
        return false;
    dec d;
    dec_init(&d);
    bool ok = dec_set_fr(&d, &x->enclosure->left, DP_UPPER, digits) && dec_get_q(q, &d) &&
              mpfr_cmp_q(&x->enclosure->right, q) >= 0;
    dec_clear(&d);
    return ok;
}

static void set_unknown(dp_figure *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mpfi_ptr x = figure_enclose(&out[i], 64);
        mpfr_set_ui(&x->left, 0, MPFR_RNDD);
        mpfr_set_inf(&x->right, 1);
    }
}

/* No figure of a theorem is negative, and where exponents ran out nothing is known. */
static void settle(dp_figure *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (out[i].kind != DP_ENCLOSED)
            continue;
        mpfi_ptr x = out[i].enclosure;
        if (mpfi_nan_p(x))
            set_unknown(&out[i], 1);
        else if (mpfr_sgn(&x->left) < 0 && mpfr_sgn(&x->right) > 0)
            mpfr_set_ui(&x->left, 0, MPFR_RNDD);
    }
}

/* Where more bits are asked for and time is limited, few at first: what is then known of the cost
 * tells how far the time goes, and there is an enclosure when it ends. */
#define FIRST_BITS 512
#define MOST_GROWTH 4
#define LEAST_BITS 256 /* by which a figure is made larger than the least number there is */

static void copy_figures(dp_figure *to, const dp_figure *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i].kind = from[i].kind;
        mpq_set(to[i].rational, from[i].rational);
        mpfi_set_prec(to[i].enclosure, mpfi_get_prec(from[i].enclosure));
        mpfi_set(to[i].enclosure, from[i].enclosure);
    }
}

/* An attempt that time cut short may tell less than the one before. */
static void keep_narrower(dp_figure *out, const dp_figure *kept, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (out[i].kind == DP_ENCLOSED && kept[i].kind == DP_ENCLOSED &&
            !mpfi_nan_p(out[i].enclosure) && !mpfi_nan_p(kept[i].enclosure) &&
            mpfr_lessequal_p(&out[i].enclosure->left, &kept[i].enclosure->left) &&
            mpfr_greaterequal_p(&out[i].enclosure->right, &kept[i].enclosure->right))
            copy_figures(&out[i], &kept[i], 1);
}

/* One attempt; `kept` is what the last one found, and holds where this precision is too low: NULL
 * at the first, when nothing is known. */
static dp_status attempt(bool *agree, dp_figure *out, dp_figure *kept, size_t count,
                         bound_eval eval, const void *in, const wanted *want, size_t digits)
{
    if (kept != NULL)
        copy_figures(kept, out, count);
    dp_status status = eval(out, in, want);
    if (status == DP_LIMIT && kept != NULL) /* out is as it was, or half filled */
        copy_figures(out, kept, count);
    else if (status == DP_LIMIT)
        set_unknown(out, count);
    *agree = status == DP_OK;
    if (status != DP_OK)
        return status == DP_LIMIT ? DP_OK : status;
    settle(out, count);
    if (kept != NULL)
        keep_narrower(out, kept, count);
    for (size_t i = 0; *agree && i < count; i++)
        *agree = refine_agrees(&out[i], digits);
    return DP_OK;
}

/* Is there no number between it and 0? More bits have no smaller one. */
static bool is_least(const dp_figure *x)
{
    return x->kind == DP_ENCLOSED && mpfr_zero_p(&x->enclosure->left) &&
           mpfr_regular_p(&x->enclosure->right) &&
           mpfr_get_exp(&x->enclosure->right) < mpfr_get_emin() + LEAST_BITS;
}

/* Is what does not agree yet less than all numbers? */
static bool is_exhausted(const dp_figure *out, size_t count, size_t digits)
{
    bool all = true;
    for (size_t i = 0; all && i < count; i++)
        all = refine_agrees(&out[i], digits) || is_least(&out[i]);
    return all;
}

double refine_growth(const limits *lim, double seconds)
{
    double times = limits_left(lim) / seconds;
    return times >= MOST_GROWTH * MOST_GROWTH ? MOST_GROWTH : sqrt(times > 0 ? times : 0);
}

/* The next precision in *want; false when there is none within the limits. */
static bool raise_precision(wanted *want, mpfr_prec_t bits, mpfr_prec_t limit, const limits *lim,
                            double seconds)
{
    double by = refine_growth(lim, seconds);
    if (limits_expired(lim) || by < REFINE_LEAST_GROWTH) {
        limits_note(lim, DP_MET_TIME);
        return false;
    }
    if (want->bits < bits) {
        double next = (double)want->bits * by;
        want->bits = next < (double)bits ? (mpfr_prec_t)next : bits;
        return true;
    }
    if (want->rational)
        want->bits += (mpfr_prec_t)((double)want->bits * (by < 1.5 ? by - 1 : 0.5));
    want->rational = true;
    if (want->bits > limit)
        limits_note(lim, DP_MET_PRECISION);
    return want->bits <= limit;
}

dp_status refine(dp_figure *out, size_t count, bound_eval eval, const void *in,
                 const dp_options *opt, mpfr_prec_t extra_bits)
{
    mpfr_prec_t bits = refine_bits(opt->digits);
    dp_figure kept[BOUND_OUTPUTS];
    limits lim;
    limits_start(&lim, opt);
    wanted want = {lim.deadline > 0 && bits > FIRST_BITS ? 64 : bits, false};
    set_unknown(out, count);
    dp_status status = DP_OK;
    size_t keeps = 0; /* few questions need a second attempt */
    bool agree = false, first = true,
         more = limits_time_for(&lim, 0); /* past the grace not even the first */
    while (more) {
        double began = limits_clock();
        for (; !first && keeps < count; keeps++)
            dp_figure_init(&kept[keeps]);
        status = attempt(&agree, out, first ? NULL : kept, count, eval, in, &want, opt->digits);
        first = false;
        if (count > 0 && out[0].kind == DP_ENCLOSED)
            limits_narrowed(&lim, "the figure", out[0].enclosure);
        if (status == DP_OK && !agree && is_exhausted(out, count, opt->digits)) {
            limits_note(&lim, DP_MET_PRECISION);
            break;
        }
        more = status == DP_OK && !agree &&
               raise_precision(&want, bits, bits + extra_bits, &lim, limits_clock() - began);
    }
    for (size_t i = 0; i < keeps; i++)
        dp_figure_clear(&kept[i]);
    return status == DP_OK && !agree ? DP_LIMIT : status;
}

dp_status refine_decide(dp_decision *answer, bound_eval eval, size_t count, size_t which,
                        const void *in, const mpq_t limit, mpfr_prec_t max_bits, const limits *lim)
{
    dp_figure out[BOUND_OUTPUTS];
    for (size_t i = 0; i < count; i++)
        dp_figure_init(&out[i]);
    *answer = DP_UNKNOWN;
    dp_status status = DP_OK;
    wanted want = {64, false};
    while (want.bits <= max_bits) {
        double began = limits_clock();
        status = eval(out, in, &want);
        if (status != DP_OK)
            break;
        *answer = dp_figure_le(&out[which], limit);
        if (*answer != DP_UNKNOWN)
            break;
        if (lim != NULL &&
            (limits_expired(lim) || refine_growth(lim, limits_clock() - began) < 2)) {
            limits_note(lim, DP_MET_TIME);
            break;
        }
        if (want.rational)
            want.bits *= 2;
        want.rational = true;
    }
    for (size_t i = 0; i < count; i++)
        dp_figure_clear(&out[i]);
    return status;
}
