/* SPDX-License-Identifier: MIT */
/* Moments of the sampled Gaussian by the trapezoidal rule, any order above 1. What is not summed is
 * bounded:
 *     by the step h    of e^(-y^2/2) R^w, w >= 0, the rule is off by at most kappa times its
 * integral, kappa = 2 e^(a^2/2) / (e^(2 pi a/h) - 1) for every 0 < a < pi s: there |R(y + ia)| <=
 * R(y), and the rule misses at most the integrals over the two edges of the strip over e^(2 pi a/h)
 * - 1 right of y       B <= e^L + alpha e^(-y^2/2), L = alpha ln R - y^2/2, whose slope is at most
 *                      alpha/s - y: all nodes beyond y > alpha/s + 1 weigh less than that at y
 *     left of y < -1   R <= 1 there: less than (1 + alpha) e^(-y^2/2)
 *     blocks           ln R is convex: the same with its chord, and the nearer y
 * with B, R as in sampled_plan.c, and all but B without 1/sqrt(2 pi). */
#include <math.h>

#include "num/ival.h"
#include "renyi/sampled.h"

#define GUARD_BITS 16
#define MOST_EXTRA 1024
#define LEAST_TOP (-700.0) /* of ln(A - 1): what is less is not worth so many bits */
#define WIDE_BITS 64
#define SCALED_FROM 20.0 /* ln A from where on A itself is summed */

/* Either the sum of B, or, where A is large, that of e^(L - scale). */
typedef struct rule {
    const sampled *of;
    const sampled_plan *plan;
    mpfi_srcptr alpha;
    mpfi_t t, rate, sigma, shift; /* alpha - 1, q, s and 1/(2s) */
    mpfi_t sum, y, x, l, b;       /* the sum, and of one node */
    mpfi_t dropped, part, ratio;  /* what is left out */
    mpfr_t scale;
    bool scaled;
} rule;

#define OWN 9
static void rule_init(rule *r, mpfr_prec_t bits)
{
    mpfi_ptr of[] = {r->t, r->rate, r->sigma, r->shift, r->sum, r->y, r->x, r->l, r->b},
             wide[] = {r->dropped, r->part, r->ratio};
    for (size_t i = 0; i < OWN; i++)
        mpfi_init2(of[i], bits);
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(wide[i], WIDE_BITS);
    mpfr_init2(r->scale, WIDE_BITS);
    mpfi_sub_ui(r->t, r->alpha, 1);
    mpfi_set_q(r->rate, r->of->rate);
    mpfi_set_q(r->sigma, r->of->sigma);
    mpfi_ui_div(r->shift, 1, r->sigma);
    mpfi_div_2ui(r->shift, r->shift, 1);
    mpfi_set_ui(r->sum, 0);
    mpfi_set_ui(r->dropped, 0);
    r->scaled = r->plan->top > SCALED_FROM;
    mpfr_set_d(r->scale, r->scaled ? r->plan->top : 0, MPFR_RNDN);
}

static void rule_clear(rule *r)
{
    mpfi_ptr all[] = {r->t, r->rate, r->sigma, r->shift,   r->sum,  r->y,
                      r->x, r->l,    r->b,     r->dropped, r->part, r->ratio};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
    mpfr_clear(r->scale);
}

/* y = k h, exact: 12 and 50 bits */
static void set_node(mpfi_t y, const rule *r, int64_t k)
{
    mpfi_set_d(y, (double)k);
    mpfi_mul_d(y, y, r->plan->h);
}

/* x = R - 1 = q expm1((y - shift) / s) */
static void set_excess(mpfi_t x, const mpfi_t y, const rule *r)
{
    mpfi_sub(x, y, r->shift);
    mpfi_div(x, x, r->sigma);
    mpfi_expm1(x, x);
    mpfi_mul(x, x, r->rate);
}

/* x = x e^(-y^2/2 - scale) */
static void weigh(mpfi_t x, mpfi_t y, const rule *r)
{
    mpfi_sqr(y, y);
    mpfi_div_2ui(y, y, 1);
    mpfi_add_fr(y, y, r->scale);
    mpfi_neg(y, y);
    mpfi_exp(y, y);
    mpfi_mul(x, x, y);
}

/* sum += B(y), as R expm1(t ln R) - t x, or += e^(alpha ln R - y^2/2 - scale) */
static void add_node(rule *r, int64_t k)
{
    set_node(r->y, r, k);
    set_excess(r->x, r->y, r);
    mpfi_log1p(r->l, r->x);
    if (r->scaled) {
        mpfi_mul(r->b, r->l, r->alpha);
        mpfi_sqr(r->y, r->y);
        mpfi_div_2ui(r->y, r->y, 1);
        mpfi_sub(r->b, r->b, r->y);
        mpfi_sub_fr(r->b, r->b, r->scale);
        mpfi_exp(r->b, r->b);
    } else {
        mpfi_mul(r->l, r->l, r->t);
        mpfi_expm1(r->l, r->l);
        mpfi_add_ui(r->b, r->x, 1);
        mpfi_mul(r->b, r->b, r->l);
        mpfi_mul(r->x, r->x, r->t);
        mpfi_sub(r->b, r->b, r->x);
        ival_at_least_zero(r->b);
        weigh(r->b, r->y, r);
    }
    mpfi_add(r->sum, r->sum, r->b);
}

/* l = alpha ln R(y) - y^2/2 - scale at the node k, and y */
static void set_log(mpfi_t l, rule *r, int64_t k)
{
    set_node(r->y, r, k);
    set_excess(l, r->y, r);
    mpfi_log1p(l, l);
    mpfi_mul(l, l, r->alpha);
    mpfi_sqr(r->x, r->y);
    mpfi_div_2ui(r->x, r->x, 1);
    mpfi_sub(l, l, r->x);
    mpfi_sub_fr(l, l, r->scale);
}

/* l: at most so much more on [u, v] than at u, whose logs are l and b. Beyond u the chord of ln R
 * gives s w' - w'^2/2, s = (b - l)/w + w/2, w the width: at its top s^2/2 for 0 <= s <= w. */
static void raise_log(rule *r, int64_t u, int64_t v)
{
    set_node(r->y, r, v - u);
    mpfi_sub(r->x, r->b, r->l);
    mpfi_div(r->x, r->x, r->y);
    mpfi_div_2ui(r->y, r->y, 1);
    mpfi_add(r->x, r->x, r->y);
    mpfi_mul_2ui(r->y, r->y, 1);
    if (mpfr_sgn(&r->x->right) <= 0)
        return; /* it falls from u on */
    if (mpfr_cmp(&r->x->left, &r->y->right) >= 0) {
        mpfi_set(r->l, r->b); /* it rises up to v */
        return;
    }
    ival_at_least_zero(r->x);
    mpfi_sqr(r->x, r->x); /* s^2/2 is never less than the most of it */
    mpfi_div_2ui(r->x, r->x, 1);
    mpfi_add(r->l, r->l, r->x);
}

/* part = what a node from u to v weighs at most */
static void set_most(rule *r, int64_t u, int64_t v)
{
    set_log(r->l, r, u);
    if (v > u) {
        set_log(r->b, r, v);
        raise_log(r, u, v);
    }
    mpfi_exp(r->part, r->l);
    set_node(r->y, r, u >= 0 ? u : v);
    mpfi_set(r->ratio, r->alpha);
    weigh(r->ratio, r->y, r);
    mpfi_add(r->part, r->part, r->ratio);
}

static bool visit(void *context, int64_t from, int64_t to, bool keep)
{
    rule *r = context;
    for (int64_t k = from; keep && k <= to; k++)
        add_node(r, k);
    if (keep)
        return true;
    set_most(r, from, to);
    mpfi_mul_d(r->part, r->part, (double)(to - from + 1));
    mpfi_mul_d(r->part, r->part, r->plan->h);
    mpfi_add(r->dropped, r->dropped, r->part);
    return true;
}

/* Nodes beyond the ends: sums over them are below the integrals from the last node on. False: the
 * plan ends too early for that. */
static bool add_ends(rule *r)
{
    set_node(r->part, r, r->plan->last);
    mpfi_mul(r->part, r->part, r->sigma);
    mpfi_sub(r->part, r->part, r->sigma);
    mpfi_sub(r->part, r->part, r->alpha);
    set_node(r->ratio, r, r->plan->first);
    if (!mpfi_is_nonneg(r->part) || mpfr_cmp_si(&r->ratio->right, -1) > 0)
        return false;
    set_most(r, r->plan->last, r->plan->last);
    mpfi_add(r->dropped, r->dropped, r->part);
    set_node(r->ratio, r, r->plan->first);
    mpfi_add_ui(r->part, r->alpha, 1);
    weigh(r->part, r->ratio, r);
    mpfi_add(r->dropped, r->dropped, r->part);
    return true;
}

/* kappa; false: the edge is not inside pi s, or the step is too coarse. */
static bool set_kappa(mpfi_t kappa, const rule *r)
{
    mpfi_ptr x = (mpfi_ptr)r->part;
    mpfi_const_pi(x);
    mpfi_mul(x, x, r->sigma);
    bool inside = mpfr_cmp_d(&x->left, r->plan->edge) > 0 && r->plan->edge > 0;
    mpfi_const_pi(x);
    mpfi_mul_2ui(x, x, 1);
    mpfi_mul_d(x, x, r->plan->edge);
    mpfi_div_d(x, x, r->plan->h);
    mpfi_expm1(x, x);
    mpfi_set_d(kappa, r->plan->edge);
    mpfi_mul_d(kappa, kappa, r->plan->edge);
    mpfi_div_2ui(kappa, kappa, 1);
    mpfi_exp(kappa, kappa);
    mpfi_mul_2ui(kappa, kappa, 1);
    mpfi_div(kappa, kappa, x);
    return inside && mpfr_cmp_d(&kappa->right, 0.5) < 0;
}

/* The sum and all that it misses, S to S', becomes A e^-scale or A - 1: with G the integral,
 * |sum - G| <= kappa (G + c), c = 0 for A, and 2 + 2 alpha for A - 1, whose parts are e^(-y^2/2)
 * R^w with w = alpha, 0 and 1 and the factors 1, 1 - alpha and alpha. */
static bool settle(rule *r)
{
    mpfi_t kappa, more;
    mpfi_init2(kappa, WIDE_BITS);
    mpfi_init2(more, mpfi_get_prec(r->sum)); /* 1 + kappa must not round */
    bool ok = add_ends(r) && set_kappa(kappa, r);
    mpfi_mul_d(r->sum, r->sum, r->plan->h);
    mpfr_add(&r->sum->right, &r->sum->right, &r->dropped->right, MPFR_RNDU);
    mpfi_const_pi(r->y);
    mpfi_mul_2ui(r->y, r->y, 1);
    mpfi_sqrt(r->y, r->y);
    mpfi_div(r->sum, r->sum, r->y);
    if (!r->scaled) {
        mpfi_add_ui(more, r->alpha, 1);
        mpfi_mul_2ui(more, more, 1);
        mpfi_mul(more, more, kappa);
        mpfr_sub(&r->sum->left, &r->sum->left, &more->right, MPFR_RNDD);
        mpfr_add(&r->sum->right, &r->sum->right, &more->right, MPFR_RNDU);
    }
    ival_at_least_zero(r->sum);
    mpfr_add_ui(&more->right, &kappa->right, 1, MPFR_RNDU);
    mpfr_div(&r->sum->left, &r->sum->left, &more->right, MPFR_RNDD);
    mpfr_ui_sub(&more->left, 1, &kappa->right, MPFR_RNDD);
    mpfr_div(&r->sum->right, &r->sum->right, &more->left, MPFR_RNDU);
    mpfi_clear(more);
    mpfi_clear(kappa);
    return ok;
}

/* Bits that are lost: where terms of the size of t x cancel, and in the arguments of exponentials
 */
static mpfr_prec_t lost_bits(const sampled_plan *p)
{
    double ends = fmax(fabs((double)p->last), fabs((double)p->first)) * p->h;
    double size = ends * ends + p->alpha * (fabs(p->log_rate) + ends / p->sigma + 1);
    double lost = log2(size + 4) + log2(p->alpha) + log2((double)p->nodes + 1);
    if (p->top < 0)
        lost -= p->top / M_LN2;
    return GUARD_BITS + (mpfr_prec_t)fmin(lost, MOST_EXTRA);
}

bool sampled_rule(mpfi_t out, const sampled *g, const mpfi_t alpha, const sampled_plan *p)
{
    rule r = {.of = g, .plan = p, .alpha = alpha};
    rule_init(&r, mpfi_get_prec(out) + lost_bits(p));
    sampled_plan_walk(p, visit, &r);
    bool ok = settle(&r);
    if (r.scaled) {
        mpfi_log(r.sum, r.sum);
        mpfi_add_fr(r.sum, r.sum, r.scale);
        ival_at_least_zero(r.sum);
    } else {
        mpfi_log1p(r.sum, r.sum);
    }
    mpfi_set(out, r.sum);
    rule_clear(&r);
    return ok && !ival_bad(out);
}

bool sampled_trapezoid(mpfi_t out, const sampled *g, const mpfi_t alpha)
{
    mpfi_t less;
    mpfi_init2(less, mpfi_get_prec(alpha));
    mpfi_sub_ui(less, alpha, 1);
    double t = mpfi_get_d(less), top = sampled_log_excess(g, t);
    mpfi_clear(less);
    if (!(top < HUGE_VAL) || top < LEAST_TOP || mpfr_inf_p(&alpha->right))
        return false;
    double depth = ((double)mpfi_get_prec(out) + 8) * M_LN2 + 8;
    double strip = depth + log(4 + 2 * t) - fmin(0, top); /* the error is of A + 2 alpha */
    sampled_plan p;
    return sampled_plan_make(&p, g, t, top, depth, strip) && sampled_rule(out, g, alpha, &p);
}
