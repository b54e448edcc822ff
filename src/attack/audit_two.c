/* SPDX-License-Identifier: MIT */
/* Two samples: the rectangle of two limits, what it says of epsilon, of a curve, of mu; and what it
 * takes to refute a claim. */
#include "attack/audit.h"

#include <math.h>

#include "attack/binomial_guess.h"
#include "attack/quantile.h"
#include "loss/gaussian.h"
#include "num/ival.h"
#include "num/number.h"

void audit_not_below_zero(dp_figure *out, const mpfi_t x, mpfr_prec_t bits)
{
    if (mpfr_sgn(&x->right) <= 0) {
        figure_set_ui(out, 0);
        return;
    }
    mpfi_ptr y = figure_enclose(out, bits);
    mpfi_set(y, x);
    ival_at_least_zero(y);
}

static void limits_of(share *y, share *x, const audit_in *in)
{
    audit_limit(y, in, AUDIT_RATE_TRUE);
    audit_limit(x, in, AUDIT_RATE_FALSE);
}

/* y, or x, where it is rational. */
static bool limit_q(mpq_t z, const audit_in *in, int which)
{
    mpq_t a;
    mpq_init(a);
    unsigned long pass = in->outsiders - in->alarms;
    bool exact =
        audit_part_q(a, in, which) && (which == 0 ? binomial_low_q(z, in->hits, in->members, a)
                                                  : binomial_low_q(z, pass, in->outsiders, a));
    if (exact && which == 1)
        mpz_sub(mpq_numref(z), mpq_denref(z), mpq_numref(z));
    mpq_clear(a);
    return exact;
}

static dp_status eval_limit(dp_figure *out, const audit_in *in, const wanted *want, int which)
{
    if (want->rational && limit_q(out[0].rational, in, which)) {
        out[0].kind = DP_RATIONAL;
        return DP_OK;
    }
    share z;
    share_init(&z, want->bits);
    audit_limit(&z, in, which == 0 ? AUDIT_RATE_TRUE : AUDIT_RATE_FALSE);
    mpfi_set(figure_enclose(&out[0], want->bits), z.yes);
    share_clear(&z);
    return DP_OK;
}

dp_status audit_tpr(dp_figure *out, const void *in, const wanted *want)
{
    return eval_limit(out, in, want, 0);
}

dp_status audit_fpr(dp_figure *out, const void *in, const wanted *want)
{
    return eval_limit(out, in, want, 1);
}

/* out = ln((yes - delta)/no), -inf where nothing is left of yes. */
static void log_odds(mpfi_t out, const mpfi_t yes, const mpfi_t no, const mpq_t delta)
{
    mpfi_t x;
    mpfi_init2(x, mpfi_get_prec(out));
    mpfi_sub_q(x, yes, delta);
    if (mpfr_sgn(&x->right) <= 0) {
        mpfr_set_inf(&out->left, -1);
        mpfr_set_inf(&out->right, -1);
    } else {
        ival_at_least_zero(x);
        mpfi_div(x, x, no);
        mpfi_log(out, x);
    }
    mpfi_clear(x);
}

/* out = max(ln((y-delta)/x), ln((1-x-delta)/(1-y))) */
static void rectangle(mpfi_t out, const audit_in *in, mpfr_prec_t bits)
{
    share y, x;
    mpfi_t other;
    share_init(&y, bits + 16);
    share_init(&x, bits + 16);
    mpfi_init2(other, mpfi_get_prec(out));
    limits_of(&y, &x, in);
    log_odds(out, y.yes, x.yes, in->delta);
    log_odds(other, x.no, y.no, in->delta);
    ival_take_most(out, other);
    mpfi_clear(other);
    share_clear(&x);
    share_clear(&y);
}

/* *over = the larger of (y-delta)/x and (1-x-delta)/(1-y), of exact limits */
static bool rectangle_q(mpq_t over, const audit_in *in)
{
    mpq_t y, x, one, other;
    mpq_inits(y, x, one, other, NULL);
    mpq_set_ui(one, 1, 1);
    bool exact = limit_q(y, in, 0) && limit_q(x, in, 1) && mpq_sgn(x) > 0 && mpq_cmp(y, one) < 0;
    if (exact) {
        mpq_sub(over, y, in->delta);
        mpq_div(over, over, x);
        mpq_sub(other, one, x);
        mpq_sub(other, other, in->delta);
        mpq_sub(y, one, y);
        mpq_div(other, other, y);
        if (mpq_cmp(other, over) > 0)
            mpq_set(over, other);
    }
    mpq_clears(y, x, one, other, NULL);
    return exact;
}

dp_status audit_eval_rectangle(dp_figure *out, const void *in, const wanted *want)
{
    mpq_t over;
    mpq_init(over);
    bool exact = want->rational && rectangle_q(over, in);
    if (exact && mpq_cmp_ui(over, 1, 1) <= 0) {
        figure_set_ui(&out[0], 0);
    } else {
        mpfi_t x;
        mpfi_init2(x, want->bits);
        if (exact)
            ival_log_q(x, over);
        else
            rectangle(x, in, want->bits);
        audit_not_below_zero(&out[0], x, want->bits);
        mpfi_clear(x);
    }
    mpq_clear(over);
    return DP_OK;
}

dp_status audit_eval_sidak(dp_figure *out, const void *in, const wanted *want)
{
    audit_in own = *(const audit_in *)in;
    own.sidak = true;
    return audit_eval_rectangle(out, &own, want);
}

#define FEW_BITS 24
#define DECISION_BITS 4096

dp_decision audit_rectangle_refutes(const audit_in *in)
{
    mpq_t over;
    mpq_init(over);
    dp_decision answer = DP_UNKNOWN;
    mpq_srcptr odds = number_odds(in->claim);
    bool zero = dp_number_sgn(in->claim) == 0;
    for (mpfr_prec_t bits = FEW_BITS; answer == DP_UNKNOWN && bits <= DECISION_BITS;
         bits = bits < 64 ? 64 : 2 * bits) {
        mpfi_t x, e;
        mpfi_init2(x, bits);
        mpfi_init2(e, bits);
        rectangle(x, in, bits);
        ival_set_number(e, in->claim);
        if (mpfr_greaterequal_p(&x->left, &e->right))
            answer = DP_YES;
        else if (mpfr_less_p(&x->right, &e->left))
            answer = DP_NO;
        else if (bits == 64 && (odds != NULL || zero) && rectangle_q(over, in))
            answer =
                (odds != NULL ? mpq_cmp(over, odds) : mpq_cmp_ui(over, 1, 1)) >= 0 ? DP_YES : DP_NO;
        mpfi_clear(e);
        mpfi_clear(x);
    }
    mpq_clear(over);
    return answer;
}

void audit_rectangle_levels(double part[2], const audit_in *in)
{
    double alpha = ival_guess_log(in->alpha);
    for (int i = 0; i < 2; i++)
        part[i] = in->sidak ? log(-expm1(log1p(-exp(alpha)) / 2)) : ival_guess_log(in->part[i]);
}

#define LAST_STEP 1e-6 /* its square is little beside what is asked of such a limit */

double audit_rectangle_limit(const audit_in *in, const double part[2], int which, double near)
{
    double n = (double)(which == 0 ? in->members : in->outsiders), sign = which == 0 ? 1 : -1;
    double k = (double)(which == 0 ? in->hits : in->outsiders - in->alarms);
    return isnan(near) ? sign * guess_low(k, n, part[which])
                       : sign * guess_low_near(k, n, part[which], sign * near, LAST_STEP);
}

bool audit_rectangle_guess(const audit_in *in, const double limit[2])
{
    double delta = mpq_get_d(in->delta), y = limit[0], x = limit[1];
    double first = (1 / (1 + exp(-y)) - delta) * (1 + exp(-x));
    double other = (1 / (1 + exp(x)) - delta) * (1 + exp(y));
    double over = fmax(first, other); /* no rates below 1 refute a claim of 0 */
    return over >= 1 && log(over) >= ival_guess(in->claim);
}

/* ---- a curve, and mu ---- */

/* max(0, y - e^t x, 1 - x - e^t (1 - y)) */
dp_status audit_eval_curve(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    share y, x;
    mpfi_t power, first, other;
    share_init(&y, want->bits + 16);
    share_init(&x, want->bits + 16);
    mpfi_init2(power, want->bits + 16);
    mpfi_init2(first, want->bits + 16);
    mpfi_init2(other, want->bits + 16);
    limits_of(&y, &x, a);
    ival_exp_number(power, a->of->at_epsilon);
    mpfi_mul(first, power, x.yes);
    mpfi_sub(first, y.yes, first);
    mpfi_mul(other, power, y.no);
    mpfi_sub(other, x.no, other);
    ival_take_most(first, other);
    audit_not_below_zero(&out[0], first, want->bits);
    mpfi_clear(other);
    mpfi_clear(first);
    mpfi_clear(power);
    share_clear(&x);
    share_clear(&y);
    return DP_OK;
}

/* Exactly: y <= x */
static bool shows_nothing(const audit_in *in)
{
    mpq_t y, x;
    mpq_inits(y, x, NULL);
    bool is = limit_q(y, in, 0) && limit_q(x, in, 1) && mpq_cmp(y, x) <= 0;
    mpq_clears(y, x, NULL);
    return is;
}

/* Phi^-1(y) - Phi^-1(x) */
dp_status audit_eval_gdp(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    share y, x;
    share_init(&y, want->bits + 64);
    share_init(&x, want->bits + 64);
    limits_of(&y, &x, a);
    if (mpfr_zero_p(&y.yes->right) || mpfr_zero_p(&x.no->right) ||
        (want->rational && shows_nothing(a))) {
        figure_set_ui(&out[0], 0);
    } else {
        mpfi_t first, other;
        mpfi_init2(first, want->bits + 32);
        mpfi_init2(other, want->bits + 32);
        upper_quantile(first, &x);
        upper_quantile(other, &y);
        mpfi_sub(first, first, other);
        audit_not_below_zero(&out[0], first, want->bits);
        mpfi_clear(other);
        mpfi_clear(first);
    }
    share_clear(&x);
    share_clear(&y);
    return DP_OK;
}

dp_decision audit_mu_refutes(const audit_in *in)
{
    dp_decision refuted = DP_UNKNOWN;
    for (mpfr_prec_t bits = 64; refuted == DP_UNKNOWN && bits <= DECISION_BITS; bits *= 4) {
        wanted want = {bits, false};
        dp_figure mu;
        dp_figure_init(&mu);
        audit_eval_gdp(&mu, in, &want);
        mpq_srcptr claim = number_rational(in->claim);
        if (mu.kind == DP_RATIONAL || mpfr_cmp_q(&mu.enclosure->right, claim) < 0)
            refuted = DP_NO;
        else if (mpfr_cmp_q(&mu.enclosure->left, claim) >= 0)
            refuted = DP_YES;
        dp_figure_clear(&mu);
    }
    return refuted;
}

/* The epsilon of a Gaussian with that mu: of no other mechanism. */
dp_status audit_eval_gdp_to_eps(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    dp_figure mu;
    wanted more = {want->bits + 64, false};
    dp_figure_init(&mu);
    dp_status status = audit_eval_gdp(&mu, in, &more);
    if (mu.kind == DP_RATIONAL || mpfr_sgn(&mu.enclosure->left) <= 0)
        figure_set_ui(&out[0], 0);
    else
        gaussian_epsilon(figure_enclose(&out[0], want->bits), mu.enclosure, a->delta);
    dp_figure_clear(&mu);
    return status;
}
