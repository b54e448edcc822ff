/* SPDX-License-Identifier: MIT */
/* What a sum over nodes of the sampled Gaussian is made of, what its plan leaves out, and its
 * moments at real powers. */
#include <math.h>

#include "loss/sampled_gaussian_fixed.h"
#include "num/ival.h"

#define BOUND_BITS 64

/* ---- one function of a narrow interval [x, x + d] ------------------------------------------- */
/* out = d, rounded up; false where it is no small number beside 1 */
static bool narrow(mpfr_t out, const mpfi_t x)
{
    mpfr_sub(out, &x->right, &x->left, MPFR_RNDU);
    return mpfr_number_p(out) && mpfr_cmp_d(out, 0.25) < 0;
}

/* e^d <= 1 + 2d for d <= 1 */
void sgm_exp(mpfi_t x)
{
    MPFR_DECL_INIT(d, BOUND_BITS);
    if (!narrow(d, x)) {
        mpfi_exp(x, x);
        return;
    }
    mpfr_exp(&x->left, &x->left, MPFR_RNDD);
    mpfr_set(&x->right, &x->left, MPFR_RNDU);
    mpfr_nextabove(&x->right);
    mpfr_mul_2ui(d, d, 1, MPFR_RNDU);
    mpfr_mul(d, d, &x->right, MPFR_RNDU);
    mpfr_add(&x->right, &x->right, d, MPFR_RNDU);
}

/* ln(x + d) <= ln x + d/x */
void sgm_log(mpfi_t x)
{
    MPFR_DECL_INIT(d, BOUND_BITS);
    if (!narrow(d, x) || !(mpfr_sgn(&x->left) > 0)) {
        mpfi_log(x, x);
        return;
    }
    mpfr_div(d, d, &x->left, MPFR_RNDU);
    mpfr_log(&x->left, &x->left, MPFR_RNDD);
    mpfr_set(&x->right, &x->left, MPFR_RNDU);
    mpfr_nextabove(&x->right);
    mpfr_add(&x->right, &x->right, d, MPFR_RNDU);
}

/* The angle of x + iy, y >= 0. Where x > 0 all numbers of the box are as far from 0 as its lower
 * corner, so its angle is off by at most (d + e) over that distance. */
static void narrow_angle(mpfi_t out, const mpfi_t y, const mpfi_t x)
{
    MPFR_DECL_INIT(d, BOUND_BITS);
    MPFR_DECL_INIT(e, BOUND_BITS);
    if (!narrow(d, x) || !narrow(e, y) || !(mpfr_sgn(&x->left) > 0) || !(mpfr_sgn(&y->left) >= 0)) {
        mpfi_atan2(out, y, x);
        return;
    }
    mpfr_add(d, d, e, MPFR_RNDU);
    mpfr_max(e, &x->left, &y->left, MPFR_RNDD);
    mpfr_div(d, d, e, MPFR_RNDU);
    mpfr_atan2(&out->left, &y->left, &x->left, MPFR_RNDD);
    mpfr_set(&out->right, &out->left, MPFR_RNDU);
    mpfr_nextabove(&out->right);
    mpfr_add(&out->right, &out->right, d, MPFR_RNDU);
    mpfr_sub(&out->left, &out->left, d, MPFR_RNDD);
    if (mpfr_sgn(&out->left) < 0)
        mpfr_set_zero(&out->left, 1);
}

/* ---- nodes ---------------------------------------------------------------------------------- */
#define OWN 13

static void work_all(mpfi_ptr all[OWN], sgm_work *w)
{
    mpfi_ptr of[OWN] = {w->power, w->rate, w->rest, w->shift, w->inverse, w->cosine, w->sine,
                        w->y,     w->u,    w->l,    w->arg,   w->part,    w->grow};
    for (size_t i = 0; i < OWN; i++)
        all[i] = of[i];
}

bool sgm_work_init(sgm_work *w, const sgm_item *g, const sgm_plan *plan, mpfr_prec_t bits)
{
    mpfi_ptr all[OWN];
    work_all(all, w);
    w->g = g;
    w->plan = plan;
    for (size_t i = 0; i < OWN; i++)
        mpfi_init2(all[i], bits);
    mpfi_set_q(w->rate, g->rate);
    mpfi_ui_sub(w->rest, 1, w->rate);
    mpfi_set_q(w->inverse, g->sigma);
    mpfi_ui_div(w->inverse, 1, w->inverse);
    mpfi_div_2ui(w->shift, w->inverse, 1);
    mpfi_mul_d(w->part, w->inverse, plan->shift);
    mpfi_cos(w->cosine, w->part);
    mpfi_sin(w->sine, w->part);
    mpfi_set_ui(w->arg, 0);
    mpfi_mul_d(w->grow, w->inverse, plan->h);
    mpfi_exp(w->grow, w->grow);
    w->at = INT64_MIN;
    w->terms = NULL;
    if (g->group == 1 || sgm_group_terms(w, bits))
        return true;
    sgm_work_clear(w);
    return false;
}

void sgm_work_clear(sgm_work *w)
{
    mpfi_ptr all[OWN];
    work_all(all, w);
    for (size_t i = 0; i < OWN; i++)
        mpfi_clear(all[i]);
    sgm_group_terms_clear(w);
}

#define LONGEST_RUN 64 /* of products, which widen what they make */

/* w->u = q e^u at the node j, or e^(y/s) for groups */
static void set_odds(sgm_work *w, int64_t j)
{
    mpfi_set_d(w->y, (double)j);
    mpfi_mul_d(w->y, w->y, w->plan->h);
    if (j - 1 == w->at && w->run < LONGEST_RUN) {
        mpfi_mul(w->u, w->u, w->grow);
        w->run++;
    } else if (j != w->at) {
        if (w->terms == NULL)
            mpfi_sub(w->u, w->y, w->shift);
        mpfi_mul(w->u, w->terms == NULL ? w->u : w->y, w->inverse);
        mpfi_exp(w->u, w->u);
        if (w->terms == NULL)
            mpfi_mul(w->u, w->u, w->rate);
        w->run = 0;
    }
    w->at = j;
}

void sgm_ratio(sgm_work *w, int64_t j, bool shifted)
{
    set_odds(w, j);
    if (!shifted) {
        if (w->terms != NULL)
            sgm_group_sums(w->l, NULL, NULL, w);
        else
            mpfi_add(w->l, w->u, w->rest);
        mpfi_set_ui(w->arg, 0);
        sgm_log(w->l);
        return;
    }
    if (w->terms != NULL) {
        sgm_group_sums(w->l, w->arg, NULL, w);
        mpfi_set(w->part, w->arg);
    } else {
        mpfi_mul(w->part, w->u, w->sine);
        mpfi_mul(w->l, w->u, w->cosine);
        mpfi_add(w->l, w->l, w->rest);
    }
    narrow_angle(w->arg, w->part, w->l);
    mpfi_sqr(w->part, w->part);
    mpfi_sqr(w->l, w->l);
    mpfi_add(w->l, w->l, w->part);
    sgm_log(w->l);
    mpfi_div_2ui(w->l, w->l, 1);
}

void sgm_weight(sgm_work *w)
{
    mpfi_mul(w->l, w->l, w->power);
    mpfi_sqr(w->part, w->y);
    mpfi_div_2ui(w->part, w->part, 1);
    mpfi_sub(w->l, w->l, w->part);
}

void sgm_edge(mpfr_t most, const sgm_work *w, double a)
{
    mpfi_t edge, part;
    mpfi_init2(edge, BOUND_BITS);
    mpfi_init2(part, BOUND_BITS);
    mpfi_set_ui(part, 0);
    if (!mpfi_is_nonneg(w->power)) {
        mpfi_mul_d(part, w->inverse, a / 2);
        mpfi_mul_ui(part, part, w->g->group);
        mpfi_cos(part, part); /* below 0 or about it: the logarithm is no number */
        mpfi_log(part, part);
        mpfi_mul(part, part, w->power);
    }
    mpfi_set_d(edge, a);
    mpfi_sqr(edge, edge);
    mpfi_div_2ui(edge, edge, 1);
    mpfi_add(edge, edge, part);
    mpfi_exp(edge, edge);
    mpfr_set(most, &edge->right, MPFR_RNDU);
    if (ival_bad(edge))
        mpfr_set_inf(most, 1);
    mpfi_clear(part);
    mpfi_clear(edge);
}

/* ---- what is left out ----------------------------------------------------------------------- */
/* With f = ln(phi r^p sqrt(2 pi)), f' = (p/s) a(y) - y, a = q e^u / r logistic. The nodes beyond
 * the last one, y, of a sum with step h add up to at most 1/h of the integral from y on, and that
 * is at most e^f(y) sqrt(pi/2) where f'(y+v) <= -v for all v >= 0: p >= 0, right   y >= p/s p < 0,
 * right    y >= 0 p >= 0, left    y <= 0 p < 0, left     f'(y) >= 0, as f'' <= -1 `far`, p >= 1:
 * r^p <= (1-q) + q e^(pu) by convexity, which makes the sum over all nodes beyond y
 * >= 0 at most sqrt(2 pi)/h times (1-q) e^(-y^2/2)/2 + q e^(p(p-1)/2s^2) (1 + h).
 *     A gap from u to v: f' has at most three zeros, as f'' has at most two; where f'(u) <= 0 <=
 * f'(v), one lies left of u and one right of v, so f falls and then rises on the gap, whose fewer
 * than (v - u)/h nodes are below the higher end.
 *     On the line Im y = a all this times e^(a^2/2) C_a. */

/* out = f'(y) at the node j, and l = f(y) */
static void set_slope(mpfi_t out, sgm_work *w, int64_t j)
{
    sgm_ratio(w, j, false);
    if (w->terms != NULL) {
        sgm_group_sums(w->arg, NULL, out, w);
        mpfi_div(out, out, w->arg);
        mpfi_set_ui(w->arg, 0);
    } else {
        mpfi_exp(w->part, w->l);
        mpfi_div(out, w->u, w->part);
    }
    mpfi_mul(out, out, w->power);
    mpfi_mul(out, out, w->inverse);
    mpfi_sub(out, out, w->y);
    sgm_weight(w);
}

/* most += e^l factor */
static void add_weight(mpfr_t most, sgm_work *w, double factor)
{
    mpfi_exp(w->l, w->l);
    mpfi_mul_d(w->l, w->l, factor);
    mpfr_add(most, most, &w->l->right, MPFR_RNDU);
    if (ival_bad(w->l))
        mpfr_set_inf(most, 1);
}

#define ROOT_HALF_PI 1.2534 /* above sqrt(pi/2) = 1.25331.. */
#define ROOT_TWO_PI 2.5067  /* above sqrt(2 pi) = 2.50662.. */

static bool left_end(mpfr_t most, sgm_work *w, mpfi_t slope)
{
    set_slope(slope, w, w->plan->first);
    add_weight(most, w, ROOT_HALF_PI);
    return mpfi_is_nonneg(w->power) ? w->plan->first <= 0 : mpfi_is_nonneg(slope) > 0;
}

static bool right_end(mpfr_t most, sgm_work *w, mpfi_t slope)
{
    MPFR_DECL_INIT(factor, BOUND_BITS);
    if (!w->plan->far) {
        set_slope(slope, w, w->plan->last);
        add_weight(most, w, ROOT_HALF_PI);
        mpfi_mul(slope, w->power, w->inverse);
        mpfi_mul_ui(slope, slope, w->g->group);
        mpfi_sub(slope, w->y, slope);
        return mpfi_is_nonneg(w->power) ? mpfi_is_nonneg(slope) > 0 : w->plan->last >= 0;
    }
    set_slope(slope, w, w->plan->last);
    mpfi_sqr(w->l, w->y);
    mpfi_div_2ui(w->l, w->l, 1);
    mpfi_neg(w->l, w->l);
    add_weight(most, w, ROOT_TWO_PI / 2);
    mpfi_sub_ui(slope, w->power, 1);
    mpfi_mul(w->l, slope, w->power);
    mpfi_mul(w->l, w->l, w->inverse);
    mpfi_mul(w->l, w->l, w->shift); /* p (p-1) / (2s^2) */
    if (w->terms != NULL) {
        mpfr_set_d(factor, ROOT_TWO_PI * (2 + w->plan->h), MPFR_RNDU);
        sgm_group_far(most, w, factor);
    } else {
        mpfi_log(w->part, w->rate);
        mpfi_add(w->l, w->l, w->part);
        add_weight(most, w, ROOT_TWO_PI * (2 + w->plan->h));
    }
    return w->plan->last >= 0 && mpfi_is_nonneg(slope) > 0;
}

static bool gap(mpfr_t most, sgm_work *w, mpfi_t slope)
{
    int64_t from = w->plan->gap_from, to = w->plan->gap_to;
    if (to <= from)
        return true;
    set_slope(slope, w, from);
    bool ok = mpfi_is_nonneg(w->power) && mpfr_sgn(&slope->right) <= 0;
    add_weight(most, w, (double)(to - from) * w->plan->h * 1.000001);
    set_slope(slope, w, to);
    add_weight(most, w, (double)(to - from) * w->plan->h * 1.000001);
    return ok && mpfi_is_nonneg(slope) > 0;
}

void sgm_cut(mpfr_t most, sgm_work *w)
{
    mpfi_t slope;
    MPFR_DECL_INIT(edge, BOUND_BITS);
    mpfi_init2(slope, mpfi_get_prec(w->l));
    mpfr_set_ui(most, 0, MPFR_RNDU);
    bool ok = left_end(most, w, slope);
    ok = right_end(most, w, slope) && ok;
    ok = gap(most, w, slope) && ok;
    mpfr_set_ui(edge, 1, MPFR_RNDU);
    if (w->plan->shift > 0)
        sgm_edge(edge, w, w->plan->shift);
    mpfr_mul(most, most, edge, MPFR_RNDU);
    mpfr_div_d(most, most, w->plan->h, MPFR_RNDU);
    if (!ok || mpfr_nan_p(most))
        mpfr_set_inf(most, 1);
    mpfi_clear(slope);
}

/* The trapezoidal rule of step h on a line, for an integrand that is analytic within a of it and at
 * most so much on both edges of that strip, where its integrals are I and I', misses at most
 * (I + I') / (e^(2 pi a/h) - 1). On the real line, |r^(it)| = e^(-t arg r) <= e^(ta/s) on the lower
 * edge and <= 1 on the upper one: (1 + e^(ta/s)) e^(a^2/2) C_a G(p). On Im y = a > 0, 2a < pi s,
 * the lower edge is the real line, where |r^(it)| = 1, and on the upper one, at 2a, it is <= 1: (1
 * + e^(2a^2) C_2a) G(p) for every t >= 0. */
static void add_lower_edge(mpfr_t most, const sgm_work *w, mpfr_srcptr t)
{
    MPFR_DECL_INIT(edge, BOUND_BITS);
    const sgm_plan *plan = w->plan;
    if (plan->shift > 0) {
        mpfr_add_ui(most, most, 1, MPFR_RNDU);
        return;
    }
    mpfr_mul_d(edge, t, plan->edge, MPFR_RNDU);
    mpfr_mul_ui(edge, edge, w->g->group, MPFR_RNDU);
    mpfr_mul(edge, edge, &w->inverse->right, MPFR_RNDU);
    mpfr_exp(edge, edge, MPFR_RNDU);
    mpfr_add_ui(edge, edge, 1, MPFR_RNDU);
    mpfr_mul(most, most, edge, MPFR_RNDU);
}

void sgm_missed(mpfr_t most, const sgm_work *w, mpfr_srcptr t)
{
    MPFR_DECL_INIT(rate, BOUND_BITS);
    const sgm_plan *plan = w->plan;
    double outer = plan->shift > 0 ? 2 * plan->edge : plan->edge;
    mpfr_const_pi(rate, MPFR_RNDD);
    mpfr_mul_2ui(rate, rate, 1, MPFR_RNDD);
    mpfr_mul_d(rate, rate, plan->edge, MPFR_RNDD);
    mpfr_div_d(rate, rate, plan->h, MPFR_RNDD);
    mpfr_expm1(rate, rate, MPFR_RNDD);
    sgm_edge(most, w, outer);
    add_lower_edge(most, w, t);
    mpfr_div(most, most, rate, MPFR_RNDU);
    /* outer < pi s, so that r has no zero and C_a no pole */
    mpfr_const_pi(rate, MPFR_RNDD);
    mpfr_mul_q(rate, rate, w->g->sigma, MPFR_RNDD);
    mpfr_div_ui(rate, rate, w->g->group, MPFR_RNDD);
    if (mpfr_cmp_d(rate, outer) <= 0 || !(plan->edge > 0) || mpfr_nan_p(most))
        mpfr_set_inf(most, 1);
}

/* With S the sum that is had, of all nodes but the cut: G' (1 - missed) - cut <= S <= G' (1 +
 * missed), and S itself is off by `error`. */
bool sgm_settle(mpfi_t sum, const sgm_work *w, mpfr_srcptr cut)
{
    MPFR_DECL_INIT(zero, BOUND_BITS);
    mpfr_t missed;
    mpfr_init2(missed, BOUND_BITS + mpfi_get_prec(sum)); /* 1 + missed must not round */
    mpfr_set_ui(zero, 0, MPFR_RNDN);
    sgm_missed(missed, w, zero);
    bool ok = mpfr_cmp_d(missed, 0.5) < 0 && mpfr_number_p(cut) && !ival_bad(sum);
    mpfr_add(&sum->right, &sum->right, cut, MPFR_RNDU);
    mpfr_sub(&sum->left, &sum->left, cut, MPFR_RNDD);
    mpfr_add_ui(missed, missed, 1, MPFR_RNDU);
    mpfr_div(&sum->left, &sum->left, missed, MPFR_RNDD);
    sgm_missed(missed, w, zero);
    mpfr_ui_sub(missed, 1, missed, MPFR_RNDD);
    mpfr_div(&sum->right, &sum->right, missed, MPFR_RNDU);
    mpfr_clear(missed);
    return ok && mpfr_sgn(&sum->left) > 0;
}

/* ---- real powers ---------------------------------------------------------------------------- */
mpfr_prec_t sgm_bits(const sgm_item *g, const sgm_plan *plan, double height)
{
    double far = fmax(fabs((double)plan->first), fabs((double)plan->last)) * plan->h;
    double k = (double)g->group;
    double largest = k * ((far + k / g->s) / g->s - g->log_rate - g->log_rest + 4);
    double size = (fabs(plan->power) + height) * largest + far * far;
    return 16 + (mpfr_prec_t)(fmin(log2(size + 4), 4096) + 2 * log2(k));
}

#define FIXED_WORK 128 /* of what is beside a sum in fixed point */

/* sum += phi r^p sqrt(2 pi) over the nodes */
static bool add_nodes(mpfi_t sum, sgm_work *w, const limits *lim)
{
    const sgm_plan *plan = w->plan;
    bool ok = true;
    for (int64_t j = plan->first; ok && j <= plan->last; j++) {
        j = sgm_next_node(plan, j);
        sgm_ratio(w, j, false);
        sgm_weight(w);
        sgm_exp(w->l);
        mpfi_add(sum, sum, w->l);
        ok = (j & 255) != 255 || lim == NULL || !limits_expired(lim);
    }
    return ok;
}

bool sgm_real(mpfi_t out, const sgm_item *g, const mpfi_t power, double about, mpfr_prec_t bits,
              const limits *lim)
{
    sgm_plan plan;
    sgm_work w;
    MPFR_DECL_INIT(zero, 2);
    mpfr_t cut;
    mpfi_t sum;
    if (sgm_split_real(out, g, power, bits))
        return true;
    if (!sgm_plan_make(&plan, g, about, 0, (double)bits * M_LN2, 1))
        return false;
    mpfi_init2(sum, bits + 32);
    mpfr_set_ui(zero, 0, MPFR_RNDN);
    bool fixed = sgm_fixed_sum(sum, g, &plan, power, zero, bits);
    if (!sgm_work_init(&w, g, &plan, fixed ? FIXED_WORK : bits + sgm_bits(g, &plan, 0))) {
        mpfi_clear(sum);
        return false;
    }
    mpfi_set(w.power, power);
    mpfr_init2(cut, BOUND_BITS);
    if (!fixed)
        mpfi_set_ui(sum, 0);
    bool ok = fixed || add_nodes(sum, &w, lim);
    sgm_cut(cut, &w);
    ok = ok && sgm_settle(sum, &w, cut);
    mpfi_mul_d(sum, sum, plan.h);
    mpfi_const_pi(w.part);
    mpfi_mul_2ui(w.part, w.part, 1);
    mpfi_sqrt(w.part, w.part);
    mpfi_div(out, sum, w.part);
    mpfi_clear(sum);
    mpfr_clear(cut);
    sgm_work_clear(&w);
    return ok && !ival_bad(out);
}
