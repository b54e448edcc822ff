/* SPDX-License-Identifier: MIT */
/* Quantiles of the normal law: the root of ln Phi(-z) less the logarithm of the lesser share,
 * nearly a parabola, so that secants reach it from a guess in doubles however small the share is.
 */
#include "attack/quantile.h"

#include <math.h>

#include "attack/root.h"
#include "num/ival.h"

static bool is_low(const share *s)
{
    return mpfr_cmp_ui_2exp(&s->yes->right, 1, -1) <= 0;
}

static void gap(mpfi_t out, const mpfi_t at, const void *in)
{
    const share *s = in;
    bool low = is_low(s);
    mpfi_t root;
    mpfi_init2(root, mpfi_get_prec(out));
    mpfi_set_ui(root, 2);
    mpfi_sqrt(root, root);
    mpfi_div(out, at, root);
    if (!low)
        mpfi_neg(out, out);
    ival_to_erfc(out);
    mpfi_div_2ui(out, out, 1);
    mpfi_div(out, out, low ? s->yes : s->no);
    mpfi_log(out, out);
    if (low)
        mpfi_neg(out, out);
    mpfi_clear(root);
}

static double guess_gap(const void *in, double x)
{
    return *(const double *)in - (x > 20 ? -x * x / 2 - log(x * 2.5066282746310002)
                                         : log(erfc(x / 1.4142135623730951) / 2));
}

bool upper_quantile(mpfi_t z, const share *s)
{
    mpfr_t x;
    mpfr_init2(x, 64);
    bool low = is_low(s);
    mpfi_mid(x, low ? s->yes : s->no);
    mpfr_log(x, x, MPFR_RNDN);
    double log_tail = mpfr_get_d(x, MPFR_RNDN);
    double guess = root_guess(guess_gap, &log_tail, -1, 1e6);
    mpfr_clear(x);
    return root_enclose(z, gap, s, &(root_start){.near = low ? guess : -guess, .error = 1e-9});
}
