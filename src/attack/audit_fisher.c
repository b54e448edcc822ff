/* SPDX-License-Identifier: MIT */
/* Two samples, the product of their two p-values at the worst point of the curve. */
#include "attack/audit.h"

#include <math.h>

#include "attack/audit_side.h"
#include "attack/binomial_guess.h"
#include "attack/root.h"
#include "num/ival.h"
#include "num/number.h"

/* The two tails at a point, and the derivative of the logarithm of their product by w:
 * k1 m1 (F - delta)/(T1 F) - k2 m2 x/(T2 (1-x)), m the masses. */
typedef struct point {
    const audit_side *side;
    const share *odds;
} point;

static void product_at(mpfi_t log_product, mpfi_t slope, const point *p, const mpfi_t w)
{
    const audit_side *s = p->side;
    unsigned long most = s->members > s->outsiders ? s->members : s->outsiders;
    mpfr_prec_t bits = mpfi_get_prec(log_product);
    share f, pass, tail;
    mpfi_t mass, part;
    share_init(&f, binomial_bits(bits, most));
    share_init(&pass, binomial_bits(bits, most));
    share_init(&tail, bits);
    mpfi_init2(mass, bits);
    mpfi_init2(part, bits);
    audit_point(&f, &pass, s, p->odds, w);
    binomial_tail(&tail, mass, s->caught, s->members, &f);
    mpfi_log(log_product, tail.yes);
    mpfi_div(slope, mass, tail.yes);
    mpfi_mul_ui(slope, slope, s->caught);
    mpfi_sub_q(part, f.yes, s->delta);
    mpfi_mul(slope, slope, part);
    mpfi_div(slope, slope, f.yes);
    binomial_tail(&tail, mass, s->passed, s->outsiders, &pass);
    mpfi_log(part, tail.yes);
    mpfi_add(log_product, log_product, part);
    mpfi_div(mass, mass, tail.yes);
    mpfi_mul_ui(mass, mass, s->passed);
    mpfi_mul(mass, mass, pass.no);
    mpfi_div(mass, mass, pass.yes);
    mpfi_sub(slope, slope, mass);
    mpfi_clear(part);
    mpfi_clear(mass);
    share_clear(&tail);
    share_clear(&pass);
    share_clear(&f);
}

static void slope_at(mpfi_t out, const mpfi_t at, const void *in)
{
    mpfi_t value;
    mpfi_init2(value, mpfi_get_prec(out));
    product_at(value, out, in, at);
    mpfi_clear(value);
}

/* Inside the side: its slope falls through 0 at w, or is below all doubles from there on. */
static double find_top(const audit_side *s)
{
    double low = -1, slope = audit_slope(s, low);
    for (; low > AUDIT_LOWEST && slope < 0; slope = audit_slope(s, low))
        low *= 2;
    return low > AUDIT_LOWEST && slope > 0 ? root_guess(audit_slope, s, low, 0)
                                           : fmax(low, AUDIT_LOWEST);
}

/* The same where it seems to be at x = 0, which takes delta > 0 and no false positive: there the
 * first tail is that of delta, the other one 1, and the slope by x, k1 m1 E/(T1 delta) - n2, bounds
 * what a concave function gains up to the corner, x < 1. False where no such end is. */
static bool top_at_zero(mpfi_t out, const point *p)
{
    const audit_side *s = p->side;
    if (mpq_sgn(s->delta) == 0 || s->passed < s->outsiders)
        return false;
    mpfr_prec_t bits = mpfi_get_prec(out);
    share f, tail;
    mpfi_t slope;
    share_init(&f, binomial_bits(bits, s->members));
    share_init(&tail, bits);
    mpfi_init2(slope, bits);
    share_set_q(&f, s->delta);
    binomial_tail(&tail, slope, s->caught, s->members, &f);
    mpfi_log(out, tail.yes);
    mpfi_div(slope, slope, tail.yes);
    mpfi_mul_ui(slope, slope, s->caught);
    mpfi_mul(slope, slope, p->odds->yes);
    mpfi_div(slope, slope, p->odds->no);
    mpfi_div_q(slope, slope, s->delta);
    mpfi_sub_ui(slope, slope, s->outsiders);
    if (mpfr_sgn(&slope->right) > 0)
        mpfr_add(&out->right, &out->right, &slope->right, MPFR_RNDU);
    mpfi_clear(slope);
    share_clear(&tail);
    share_clear(&f);
    return true;
}

#define NEARLY_ONE (-1e-9) /* a logarithm of what is hardly less than 1 */

/* Is the largest one next to 0, the logarithm of what is certain? Then a point near it will do,
 * where the slopes of either tail may be below all doubles. */
static bool top_is_certain(mpfi_t out, const point *p, double near)
{
    double log_tail[2];
    guess_point(log_tail, NULL, NULL, p->side, near);
    if (!(log_tail[0] + log_tail[1] > NEARLY_ONE))
        return false;
    mpfi_t at, slope;
    mpfi_init2(at, mpfi_get_prec(out));
    mpfi_init2(slope, mpfi_get_prec(out));
    mpfi_set_d(at, near);
    product_at(out, slope, p, at);
    bool certain = mpfr_cmp_si_2exp(&out->left, -16, -mpfi_get_prec(out)) > 0;
    if (certain)
        mpfr_set_zero(&out->right, 1);
    mpfi_clear(slope);
    mpfi_clear(at);
    return certain;
}

/* out = the largest of the side, whose slope at w = 0 is negative. The logarithm is concave: with
 * slopes of either sign at l < r it is at most that of l plus its slope there times r - l. */
static void top_of(mpfi_t out, const point *p)
{
    double near = find_top(p->side);
    if ((near <= AUDIT_LOWEST && top_at_zero(out, p)) || top_is_certain(out, p, near))
        return;
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t w, at, slope;
    mpfi_init2(w, bits / 2 + 24);
    mpfi_init2(at, bits + 32);
    mpfi_init2(slope, bits);
    root_enclose(w, slope_at, p, &(root_start){.near = near, .error = 1e-7, .falls = true});
    if (mpfi_bounded_p(w) && mpfr_sgn(&w->right) <= 0) {
        mpfi_set_fr(at, &w->left);
        product_at(out, slope, p, at);
        mpfi_set_fr(at, &w->right);
        mpfi_sub(at, at, w); /* its upper end is r - l */
        mpfr_set_zero(&at->left, 1);
        mpfi_mul(slope, slope, at);
        mpfi_add(out, out, slope);
    } else {
        mpfi_set_ui(at, 0);
        product_at(out, slope, p, at); /* at least that of the corner, and at most 1 */
        mpfr_set_zero(&out->right, 1);
    }
    mpfi_clear(slope);
    mpfi_clear(at);
    mpfi_clear(w);
}

/* Beyond a corner whose slope by w, from either side, is not told to be below 0: concave in x, the
 * logarithm gains at most x times the slope by x, which is that by w, on the way to x = 0. */
static void add_doubt(mpfi_t out, mpfi_srcptr slope)
{
    if (mpfr_sgn(&slope->left) < 0)
        mpfr_sub(&out->right, &out->right, &slope->left, MPFR_RNDU);
}

/* out = ln sup over x of Pr[TP or more | F(x)] Pr[FP or fewer | x]. Concave in x: the top is the
 * corner unless a slope there points down a side. */
static void largest(mpfi_t out, const audit_in *in, const mpfi_t epsilon)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    audit_side first = audit_first_side(in, mpfi_get_d(epsilon)), second = audit_mirrored(&first);
    share odds;
    mpfi_t corner, slope, other;
    share_init(&odds, bits + 128);
    mpfi_init2(corner, bits);
    mpfi_init2(slope, bits);
    mpfi_init2(other, bits);
    share_logistic(&odds, epsilon);
    point p = {&first, &odds}, q = {&second, &odds};
    mpfi_set_ui(corner, 0);
    product_at(out, slope, &p, corner);
    if (mpfr_sgn(&slope->right) < 0) {
        top_of(out, &p);
    } else {
        product_at(out, other, &q, corner);
        if (mpfr_sgn(&other->right) < 0) {
            top_of(out, &q);
        } else {
            add_doubt(out, mpfr_less_p(&slope->left, &other->left) ? slope : other);
        }
    }
    mpfi_clear(other);
    mpfi_clear(slope);
    mpfi_clear(corner);
    share_clear(&odds);
}

/* ---- c(1 - ln c) = alpha ---- */

typedef struct fisher {
    const audit_in *in;
    mpfi_ptr log_level; /* ln c */
    double guess;
} fisher;

static void level_gap(mpfi_t out, const mpfi_t at, const void *in)
{
    const audit_in *a = in;
    mpfi_t x;
    mpfi_init2(x, mpfi_get_prec(out));
    mpfi_ui_sub(x, 1, at);
    mpfi_exp(out, at);
    mpfi_mul(out, out, x);
    mpfi_set_q(x, a->alpha);
    mpfi_div(out, out, x);
    mpfi_log(out, out);
    mpfi_clear(x);
}

static double guess_level_gap(const void *in, double t)
{
    return t + log1p(-t) - *(const double *)in;
}

static double log_level(mpfi_t out, const audit_in *in)
{
    double log_alpha = ival_guess_log(in->alpha);
    double guess = root_guess(guess_level_gap, &log_alpha, 2 * log_alpha - 4, 0);
    root_enclose(out, level_gap, in, &(root_start){.near = guess, .error = 1e-10});
    return guess;
}

/* ---- epsilon ---- */

static void above_level(mpfi_t out, const mpfi_t at, const void *in)
{
    const fisher *f = in;
    largest(out, f->in, at);
    mpfi_sub(out, out, f->log_level);
}

static double guess_top(const audit_side *side)
{
    double log_tail[2];
    audit_side other = audit_mirrored(side);
    const audit_side *s = audit_slope(side, 0) < 0     ? side
                          : audit_slope(&other, 0) < 0 ? &other
                                                       : NULL;
    guess_point(log_tail, NULL, NULL, s != NULL ? s : side, s != NULL ? find_top(s) : 0);
    return log_tail[0] + log_tail[1];
}

static double guess_above(const void *in, double epsilon)
{
    const fisher *f = in;
    audit_side side = audit_first_side(f->in, epsilon);
    return guess_top(&side) - f->guess;
}

#define HIGHEST 600.0

dp_status audit_eval_fisher(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (audit_is_idle(a)) {
        figure_set_ui(&out[0], 0);
        return DP_OK;
    }
    mpfi_t level, x;
    mpfi_init2(level, want->bits + 48);
    mpfi_init2(x, want->bits);
    fisher f = {a, level, log_level(level, a)};
    mpfi_set_ui(x, 0);
    above_level(x, x, &f);
    if (mpfr_sgn(&x->left) >= 0) {
        figure_set_ui(&out[0], 0);
    } else {
        double high = 1;
        bool some = guess_above(&f, 0) < 0;
        while (some && high < HIGHEST && guess_above(&f, high) < 0)
            high *= 2;
        double near = some ? root_guess(guess_above, &f, 0, high) : 0;
        root_enclose(x, above_level, &f, &(root_start){.near = near, .error = 1e-9});
        audit_not_below_zero(&out[0], x, want->bits);
    }
    mpfi_clear(x);
    mpfi_clear(level);
    return DP_OK;
}

dp_status audit_fisher_p(dp_figure *out, const void *in, const wanted *want)
{
    const audit_in *a = in;
    if (audit_is_idle(a)) {
        figure_set_ui(&out[0], 1);
        return DP_OK;
    }
    mpfi_t e, x;
    mpfi_init2(e, want->bits + 64);
    mpfi_init2(x, want->bits + 16);
    ival_set_number(e, a->claim);
    largest(x, a, e);
    mpfi_ui_sub(e, 1, x);
    mpfi_exp(x, x);
    mpfi_ptr p = figure_enclose(&out[0], want->bits);
    mpfi_mul(p, x, e); /* c(1 - ln c) grows to 1 at c = 1: */
    if (mpfr_cmp_ui(&p->right, 1) > 0 || mpfr_cmp_ui(&x->right, 1) >= 0)
        mpfr_set_ui(&p->right, 1, MPFR_RNDU);
    mpfi_clear(x);
    mpfi_clear(e);
    return DP_OK;
}

/* ---- decisions ---- */

#define DECISION_BITS 48

/* most = how much more than its value at w the logarithm is anywhere, or more: concave in x, it
 * lies below its tangent at w, whose slope by x is that by w over x, and 0 <= x <= 1. */
static void add_most(mpfi_t value, const mpfi_t slope, const point *p, const mpfi_t w)
{
    share f, pass;
    mpfi_t up;
    share_init(&f, DECISION_BITS);
    share_init(&pass, DECISION_BITS);
    mpfi_init2(up, DECISION_BITS);
    audit_point(&f, &pass, p->side, p->odds, w);
    mpfi_div(up, pass.yes, pass.no);
    mpfi_mul(up, up, slope);
    mpfi_neg(pass.yes, slope);
    if (mpfr_cmp(&pass.yes->right, &up->right) > 0)
        mpfi_set(up, pass.yes);
    if (mpfr_sgn(&up->right) > 0)
        mpfr_add(&value->right, &value->right, &up->right, MPFR_RNDU);
    mpfi_clear(up);
    share_clear(&pass);
    share_clear(&f);
}

dp_decision audit_fisher_refutes(const audit_in *in, const mpfi_t log_level)
{
    audit_side side;
    audit_top top = {false, 0};
    if (!audit_fisher_place(&top, &side, in) || !(top.w > AUDIT_LOWEST && top.w < 0))
        return DP_UNKNOWN;
    share odds;
    mpfi_t w, value, slope;
    share_init(&odds, DECISION_BITS + 128);
    mpfi_init2(w, DECISION_BITS + 128);
    mpfi_init2(value, DECISION_BITS);
    mpfi_init2(slope, DECISION_BITS);
    ival_set_number(w, in->claim);
    share_logistic(&odds, w);
    mpfi_set_d(w, top.w);
    point p = {&side, &odds};
    product_at(value, slope, &p, w);
    dp_decision is = DP_UNKNOWN;
    if (!mpfi_nan_p(value) && !mpfi_nan_p(slope)) {
        add_most(value, slope, &p, w);
        is = mpfr_greater_p(&value->left, &log_level->right)     ? DP_NO
             : mpfr_lessequal_p(&value->right, &log_level->left) ? DP_YES
                                                                 : DP_UNKNOWN;
    }
    mpfi_clear(slope);
    mpfi_clear(value);
    mpfi_clear(w);
    share_clear(&odds);
    return is;
}

void audit_fisher_log_level(mpfi_t out, const audit_in *in)
{
    log_level(out, in);
}
