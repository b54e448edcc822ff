/* SPDX-License-Identifier: MIT */
/* Values of the moments of the sampled Gaussian at complex powers (sampled_gaussian_bend.h), by the
 * trapezoidal rule on a line Im y = alpha, in 128-bit fixed point, u = 2^-112: the sum of
 *     phi(y + i alpha) e^(w eps) = e^(w eps - y^2/2 - i alpha y) e^(alpha^2/2) / sqrt(2 pi).
 * w is taken as (re + i im) 2^f to 2^-108 of itself, |w| >= 2^(f-1). eps is off by e1 |eps| where
 * it is by a series, and then at least 2^(scale-1), else by e0 (sampled_gaussian_excess.c); the
 * product of both, below 2^14 in modulus, by 2 units times 2^(f+scale) more: in all by at most (e1
 * + 2^-107) |w eps| + (e0 + 4u) |w|. The exponent is off by 8 units more, the angle too, the
 * functions by 8 each, at most 2^-106 of a term, and 8 units of the sum. A weight with one part of
 * 1/2 or more, off by its own error, makes that 2^-105. Where the exponent is SKIPPED below the
 * largest one a term is left out; both in doubles, whose errors are below 2^-10 there. */
#include "loss/sampled_gaussian_bend.h"

#include <math.h>
#include <stdlib.h>

#include "num/ival.h"
#include "num/memory.h"

#ifdef FIXED

#define SKIPPED 76.0
#define LEFT_OUT 75.0
#define MOST_PRODUCT 16000.0
#define MOST_NODES 8192
#define MOST_PLACE 176.0 /* y^2/2 < 2^14 */
#define WORK 128
#define CLEAR 3.2 /* of Re eps */

typedef struct bend_node {
    excess e;
    fixed128 square, turn;        /* y^2/2 and alpha y */
    double re, im, size, quarter; /* of the excess; about y^2/2 - ln|W| */
    double own, part;             /* e0 + 4u and e1 + 2^-107 */
} bend_node;

struct bend_nodes {
    bend_rule rule;
    double low; /* 2 e^v at the first node */
    size_t count;
    double *exponent;    /* scratch */
    bend_weight *weight; /* of a window; NULL: none */
    bend_node node[];
};

static bend_nodes *nodes_new(size_t count, bool weighted)
{
    bend_nodes *x = memory_new(1, sizeof *x + count * (sizeof x->node[0] + sizeof(double)));
    if (x == NULL)
        return NULL;
    *x = (bend_nodes){.count = count};
    x->exponent = (double *)(void *)&x->node[count];
    if (weighted && (x->weight = memory_new(count, sizeof x->weight[0])) == NULL) {
        memory_free(x);
        return NULL;
    }
    return x;
}

/* d as in sampled_gaussian_excess.c */
static bool set_node(bend_node *to, const excess_line *at, fixed128 y, fixed128 turn, double d)
{
    if (!excess_at(&to->e, at, y))
        return false;
    to->square = fixed_mul(y, y) / 2;
    to->turn = turn;
    to->re = ldexp(fixed_get_d(to->e.re), to->e.scale);
    to->im = ldexp(fixed_get_d(to->e.im), to->e.scale);
    to->size = hypot(to->re, to->im);
    to->quarter = fixed_get_d(to->square);
    bool series = to->e.scale < 0;
    to->own = series ? 0 : (16 * d + 261) * 0x1p-112;
    to->part = 0x1p-107 + (series ? (2 * d + 121) * 0x1p-112 : 0);
    return true;
}

bend_nodes *bend_nodes_new(const sgm_item *g, const bend_rule *rule, const bend_window *window)
{
    excess_line at;
    double count = (double)(rule->last - rule->first) + 1;
    double far = fmax(fabs((double)rule->first), fabs((double)rule->last)) * rule->h;
    fixed128 shift, h;
    if (!(count >= 1 && count <= MOST_NODES) || !(far < MOST_PLACE) || !(rule->shift < 16) ||
        !excess_line_init(&at, g, rule->shift) || !fixed_set_d(&shift, rule->shift) ||
        !fixed_set_d(&h, rule->h))
        return NULL;
    size_t nodes = (size_t)count;
    bend_nodes *x = nodes_new(nodes, window->width > 0);
    if (x == NULL)
        return NULL;
    x->rule = *rule;
    for (size_t i = 0; i < nodes; i++) {
        fixed128 y = (rule->first + (int64_t)i) * h;
        if (!set_node(&x->node[i], &at, y, fixed_mul(y, shift), far + 2 / g->s + 4)) {
            bend_nodes_free(x);
            return NULL;
        }
    }
    if (x->weight != NULL && !bend_weights(x->weight, window, rule, nodes)) {
        bend_nodes_free(x);
        return NULL;
    }
    for (size_t i = 0; x->weight != NULL && i < nodes; i++)
        x->node[i].quarter -= x->weight[i].log;
    double v = g->log_rate - g->log_rest + ((double)rule->first * rule->h - 0.5 / g->s) / g->s;
    x->low = 2.01 * exp(fmin(v, 10));
    return x;
}

void bend_nodes_free(bend_nodes *nodes)
{
    if (nodes != NULL)
        memory_free(nodes->weight);
    memory_free(nodes);
}

/* x = (re + i im) 2^*scale; false where it is not known to 2^-108 of itself */
static bool take_power(fixed128 *re, fixed128 *im, int *scale, const mpfi_t x, const mpfi_t y)
{
    MPFR_DECL_INIT(part, 64);
    MPFR_DECL_INIT(wide, 64);
    mpfr_srcptr larger = mpfr_cmpabs(&x->left, &y->left) > 0 ? &x->left : &y->left;
    if (!mpfr_regular_p(larger) || labs(mpfr_get_exp(larger)) > 64)
        return false;
    *scale = (int)mpfr_get_exp(larger);
    mpfr_sub(wide, &x->right, &x->left, MPFR_RNDU);
    mpfr_sub(part, &y->right, &y->left, MPFR_RNDU);
    mpfr_add(wide, wide, part, MPFR_RNDU);
    mpfr_abs(part, larger, MPFR_RNDD);
    mpfr_div_2ui(part, part, 110, MPFR_RNDD);
    if (!mpfr_lessequal_p(wide, part))
        return false;
    mpfr_t a;
    mpfr_init2(a, mpfr_get_prec(&x->left));
    mpfr_div_2si(a, &x->left, *scale, MPFR_RNDN);
    bool ok = fixed_set_fr(re, a);
    mpfr_div_2si(a, &y->left, *scale, MPFR_RNDN);
    ok = fixed_set_fr(im, a) && ok;
    mpfr_clear(a);
    return ok;
}

typedef struct sums {
    fixed128 re, im;
    double error, skipped; /* in units of e^top */
    int scale;
    double top;
} sums;

/* Adds the term of a node; false: not within range. */
static bool add_term(sums *s, const bend_node *at, const bend_weight *w, fixed128 re, fixed128 im,
                     int scale, double product)
{
    int n, k = scale + at->e.scale;
    fixed128 x = fixed_mul(re, at->e.re) - fixed_mul(im, at->e.im);
    fixed128 y = fixed_mul(re, at->e.im) + fixed_mul(im, at->e.re), a, b;
    if (!(product < MOST_PRODUCT))
        return false;
    fixed128 m = fixed_exp(&n, fixed_shift(x, k) - at->square);
    n += (w != NULL ? w->scale : 0) - s->scale;
    if (n > 1)
        return false;
    m = fixed_shift(m, n);
    fixed_turn(&a, &b, fixed_shift(y, k) - at->turn);
    if (w != NULL) {
        x = fixed_mul(a, w->re) - fixed_mul(b, w->im);
        b = fixed_mul(a, w->im) + fixed_mul(b, w->re);
        a = x;
    }
    s->re += fixed_mul(m, a);
    s->im += fixed_mul(m, b);
    return true;
}

static bool add_all(sums *s, const bend_nodes *x, size_t count, fixed128 re, fixed128 im, int scale,
                    double p, double t)
{
    double size = hypot(p, t);
    s->top = -HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        const bend_node *at = &x->node[i];
        x->exponent[i] = p * at->re - t * at->im - at->quarter;
        s->top = fmax(s->top, x->exponent[i]);
    }
    if (!(fabs(s->top) < MOST_PRODUCT))
        return false;
    s->scale = (int)ceil(s->top / M_LN2) + 1;
    for (size_t i = 0; i < count; i++) {
        const bend_node *at = &x->node[i];
        if (x->exponent[i] < s->top - SKIPPED) {
            s->skipped += 1;
            continue;
        }
        const bend_weight *w = x->weight != NULL ? &x->weight[i] : NULL;
        if (!add_term(s, at, w, re, im, scale, size * at->size))
            return false;
        double own = size * (at->size * at->part + at->own) + 0x1p-105;
        s->error += exp(x->exponent[i] - s->top) * (own + (w != NULL ? 2 * w->error : 0));
    }
    return true;
}

/* out = (re + i im) 2^scale, and its error, times h e^(alpha^2/2) / sqrt(2 pi) */
static void set_ball(cball *out, const sums *s, const bend_nodes *x)
{
    MPFR_DECL_INIT(error, 64);
    MPFR_DECL_INIT(part, 64);
    mpfi_t unit;
    mpfi_init2(unit, WORK);
    mpfi_t lift;
    mpfi_init2(lift, WORK);
    mpfi_set_d(lift, x->rule.shift);
    mpfi_sqr(lift, lift);
    mpfi_div_2ui(lift, lift, 1);
    mpfi_exp(lift, lift);
    mpfi_const_pi(unit);
    mpfi_mul_2ui(unit, unit, 1);
    mpfi_sqrt(unit, unit);
    mpfi_d_div(unit, x->rule.h, unit);
    mpfi_mul(unit, unit, lift);
    mpfr_set_d(error, s->error * 1.01 + s->skipped * 1.01 * exp(-LEFT_OUT), MPFR_RNDU);
    mpfr_set_d(part, s->top + 0.01, MPFR_RNDU);
    mpfr_exp(part, part, MPFR_RNDU);
    mpfr_mul(error, error, part, MPFR_RNDU);
    mpfr_set_ui_2exp(part, 8 * x->count + 8, s->scale - FIXED_POINT, MPFR_RNDU);
    mpfr_add(error, error, part, MPFR_RNDU);
    fixed_get_fr(out->re, s->re, MPFR_RNDN);
    fixed_get_fr(out->im, s->im, MPFR_RNDN);
    mpfr_mul_2si(out->re, out->re, s->scale, MPFR_RNDN);
    mpfr_mul_2si(out->im, out->im, s->scale, MPFR_RNDN);
    mpfr_set(out->radius, error, MPFR_RNDU);
    mpfr_set_inf(out->size, 1);
    cball_measure(out);
    cball_mul_i(out, out, unit);
    mpfi_clear(lift);
    mpfi_clear(unit);
}

bool bend_sum(cball *out, const bend_nodes *x, size_t count, const mpfi_t re, const mpfi_t im)
{
    fixed128 a, b;
    int scale;
    sums s = {0};
    if (!take_power(&a, &b, &scale, re, im) ||
        !add_all(&s, x, count, a, b, scale, mpfr_get_d(&re->left, MPFR_RNDN),
                 mpfr_get_d(&im->left, MPFR_RNDN)))
        return false;
    set_ball(out, &s, x);
    return true;
}

size_t bend_count(const bend_nodes *x, double p, double t, double need, bool leaves)
{
    double lift = x->rule.shift * x->rule.shift / 2;
    size_t count = x->count, first = 0;
    for (size_t i = 0; i < x->count; i++) {
        const bend_node *at = &x->node[i];
        bool below = p * at->re - t * at->im - at->quarter + lift < -need;
        if (!below)
            first = i + 1;
        else if (leaves && at->re > CLEAR && i > first + 1 && first > 0)
            count = first + 1; /* from here on along another path */
        if (count < x->count)
            break;
    }
    return first < count ? first + 1 : x->count < first + 1 ? x->count : count;
}

size_t bend_nodes_count(const bend_nodes *nodes)
{
    return nodes->count;
}

/* There, where y < 0 and a window is nearly 1, h phi rises: the nodes add up to at most Phi of the
 * first one, times e^(|p| |eps|), |eps| <= 2 e^v where that is at most 1. */
void bend_cut(mpfr_t most, const bend_nodes *x, double p)
{
    double lift = x->rule.shift * x->rule.shift / 2 + 0.01;
    mpfr_set_d(most, p * x->low * 1.001 - x->node[0].quarter + lift, MPFR_RNDU);
    mpfr_exp(most, most, MPFR_RNDU); /* Phi(y) <= e^(-y^2/2) / 2 */
    if (x->rule.first >= 0 || !(x->low <= 1) || !mpfr_number_p(most))
        mpfr_set_inf(most, 1);
}

#else
bend_nodes *bend_nodes_new(const sgm_item *g, const bend_rule *rule, const bend_window *window)
{
    (void)g, (void)rule, (void)window;
    return NULL;
}

void bend_nodes_free(bend_nodes *nodes)
{
    (void)nodes;
}

bool bend_sum(cball *out, const bend_nodes *x, size_t count, const mpfi_t re, const mpfi_t im)
{
    (void)out, (void)x, (void)count, (void)re, (void)im;
    return false;
}

size_t bend_count(const bend_nodes *x, double p, double t, double need, bool leaves)
{
    (void)x, (void)p, (void)t, (void)need, (void)leaves;
    return 0;
}

size_t bend_nodes_count(const bend_nodes *nodes)
{
    (void)nodes;
    return 0;
}

void bend_cut(mpfr_t most, const bend_nodes *x, double p)
{
    (void)x, (void)p;
    mpfr_set_inf(most, 1);
}

#endif
