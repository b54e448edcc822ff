/* SPDX-License-Identifier: MIT */
/* Precision is chosen here and nowhere else; what is not proved at the last one stays an interval.
 */
#include "solve/refine.h"

#include "num/decimal.h"
#include "pld/limits.h"

mpfr_prec_t refine_bits(size_t digits)
{
    /* 3.3220 > log2(10); the rest absorbs the few roundings of a closed form. */
    return (mpfr_prec_t)(digits * 33220 / 10000) + 30;
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

dp_status refine(dp_figure *out, size_t count, bound_eval eval, const void *in,
                 const dp_options *opt, mpfr_prec_t extra_bits)
{
    request want = {refine_bits(opt->digits), false};
    limits lim;
    limits_start(&lim, &(dp_options){.max_seconds = opt->max_seconds / 8, .met = opt->met});
    mpfr_prec_t limit = want.bits + extra_bits;
    while (want.bits <= limit) {
        dp_status status = eval(out, in, &want);
        if (status == DP_LIMIT) /* this precision is too low; out is as it was, or half filled */
            set_unknown(out, count);
        else if (status != DP_OK)
            return status;
        settle(out, count);
        bool agree = status == DP_OK;
        for (size_t i = 0; agree && i < count; i++)
            agree = refine_agrees(&out[i], opt->digits);
        if (agree)
            return DP_OK;
        if (limits_expired(&lim))
            return DP_LIMIT;
        if (want.rational)
            want.bits += want.bits / 2;
        want.rational = true;
    }
    limits_note(&lim, DP_MET_PRECISION);
    return DP_LIMIT;
}

dp_status refine_decide(dp_answer *answer, bound_eval eval, size_t count, size_t which,
                        const void *in, const mpq_t limit, mpfr_prec_t max_bits)
{
    dp_figure out[BOUND_OUTPUTS];
    for (size_t i = 0; i < count; i++)
        dp_figure_init(&out[i]);
    *answer = DP_UNKNOWN;
    dp_status status = DP_OK;
    request want = {64, false};
    while (want.bits <= max_bits) {
        status = eval(out, in, &want);
        if (status != DP_OK)
            break;
        *answer = dp_figure_le(&out[which], limit);
        if (*answer != DP_UNKNOWN)
            break;
        if (want.rational)
            want.bits *= 2;
        want.rational = true;
    }
    for (size_t i = 0; i < count; i++)
        dp_figure_clear(&out[i]);
    return status;
}
