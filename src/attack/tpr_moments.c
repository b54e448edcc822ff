/* SPDX-License-Identifier: MIT */
/* The largest true positive rate that Renyi divergences allow: an event makes the two laws binary,
 * and the divergences of these are at most the stated ones, in both directions. Of one order, or of
 * several given ones, no smaller bound is possible: the binary pair is itself in the class. */
#include "attack/tpr.h"

#include <math.h>

#include "attack/root.h"
#include "num/ival.h"
#include "renyi/order.h"

void attacker_level(mpq_t r, const attacker *a, mpq_srcptr alpha)
{
    mpq_mul(r, a->line.rho, alpha);
    mpq_add(r, r, a->line.xi);
    if (mpq_sgn(r) < 0)
        mpq_set_ui(r, 0, 1);
}

typedef struct order_goal {
    const attacker *a;
    double (*least)(const void *, double, double);
    const void *of;
} order_goal;

static double at_order(const void *of, mpq_srcptr alpha, double t)
{
    const order_goal *g = of;
    (void)alpha;
    double r = mpq_get_d(g->a->line.rho) * (1 + t) + mpq_get_d(g->a->line.xi);
    return g->least(g->of, t, r > 0 ? r : 0);
}

size_t attacker_least_point(const attacker *a, double (*least)(const void *, double, double),
                            const void *of)
{
    size_t best = 0;
    double low = HUGE_VAL;
    for (size_t i = 0; i < a->points; i += 2) {
        double there = least(of, mpq_get_d(a->point[i]) - 1, mpq_get_d(a->point[i + 1]));
        if (there < low) {
            low = there;
            best = i;
        }
    }
    return best;
}

bool attacker_order(mpq_t alpha, const attacker *a, double (*least)(const void *, double, double),
                    const void *of)
{
    const order_goal g = {a, least, of};
    const order_search s = {.at = at_order, .of = &g};
    return order_choose(alpha, &s);
}

/* A rate x in (0, 1) and 1 - x, and what is asked of one order. */
typedef struct shift {
    mpq_srcptr x, rest, alpha, level;
} shift;

/* ln(1 - x + x e^s): by what it is above 0 or, where that is large, by its terms: nothing cancels,
 * however near x is to 0 or to 1, and no exponent ends. */
static void mean_exp(mpfi_t out, const mpfi_t s, const shift *q)
{
    mpfi_t e;
    mpfi_init2(e, mpfi_get_prec(out));
    mpfi_expm1(e, s);
    mpfi_mul_q(e, e, q->x);
    if (mpfr_cmp_d(&e->left, -0.5) >= 0 && mpfr_cmp_ui(&e->right, 1) <= 0) {
        mpfi_log1p(out, e);
    } else {
        bool grows = mpfr_sgn(&s->left) > 0;
        mpfi_set(e, s);
        if (grows)
            mpfi_neg(e, e);
        mpfi_exp(e, e);
        mpfi_mul_q(e, e, grows ? q->rest : q->x);
        mpfi_add_q(e, e, grows ? q->x : q->rest);
        mpfi_log(e, e);
        if (grows)
            mpfi_add(out, e, s);
        else
            mpfi_set(out, e);
    }
    mpfi_clear(e);
}

/* With y of odds e^L times those of x, and A(s) = ln(1 - x + x e^(sL)):
 *     D_alpha(y || x) = (A(alpha) - alpha A(1))/(alpha-1),
 *     D_alpha(x || y) = A(1-alpha)/(alpha-1) + A(1);
 * the greater one, less r. Both grow with L, as y leaves x. */
static void divergence_less(mpfi_t out, const mpfi_t l, const void *of)
{
    const shift *q = of;
    mpfi_t t, one, other, s;
    mpfi_ptr all[] = {t, one, other, s};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], mpfi_get_prec(out));
    mpfi_set_q(t, q->alpha);
    mpfi_sub_ui(t, t, 1);
    mpfi_set(s, l);
    mean_exp(one, s, q);
    mpfi_mul(s, l, t);
    mpfi_neg(s, s);
    mean_exp(other, s, q);
    mpfi_div(other, other, t);
    mpfi_add(other, other, one); /* x || y */
    mpfi_mul_q(s, l, q->alpha);
    mean_exp(out, s, q);
    mpfi_mul_q(one, one, q->alpha);
    mpfi_sub(out, out, one);
    mpfi_div(out, out, t); /* y || x */
    ival_take_most(out, other);
    mpfi_sub_q(out, out, q->level);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

/* The same in doubles, at alpha = 1 + t, by the logarithms of x and 1 - x. */
typedef struct rates {
    double log_x, log_rest;
} rates;

static double near_mean_exp(const rates *q, double s)
{
    double up = q->log_x + s, low = q->log_rest;
    double more = s > 1 ? exp(up) - exp(q->log_x) : exp(q->log_x) * expm1(s);
    return more > -0.5 && more < 1 ? log1p(more) : fmax(up, low) + log1p(exp(-fabs(up - low)));
}

static double near_divergence(const rates *q, double l, double t)
{
    double one = near_mean_exp(q, l);
    return fmax((near_mean_exp(q, (t + 1) * l) - (t + 1) * one) / t,
                near_mean_exp(q, -t * l) / t + one);
}

#define NEAREST 1e-12
#define FARTHEST 1e100

/* About the L where it is r. */
static double shift_guess(const void *of, double t, double r)
{
    const rates *q = of;
    double low = 0, high = 1;
    while (high < FARTHEST && near_divergence(q, high, t) < r) {
        low = high;
        high *= 4;
    }
    while (low == 0 && high > NEAREST && near_divergence(q, high / 4, t) > r)
        high /= 4;
    for (int i = 0; i < 60 && high - low > 1e-13 * high; i++) {
        double middle = (low + high) / 2;
        *(near_divergence(q, middle, t) < r ? &low : &high) = middle;
    }
    return high;
}

static rates rates_of(const attacker *a)
{
    mpq_t rest;
    mpq_init(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, a->x);
    rates q = {ival_guess_log(a->x), ival_guess_log(rest)};
    mpq_clear(rest);
    return q;
}

/* y = x u/(1-x + x u) and 1-y = (1-x)/(1-x + x u), u = e^L */
static void shifted(mpfi_t y, mpfi_t rest, const mpfi_t l, mpq_srcptr x)
{
    mpfi_t u, sum;
    mpq_t less;
    mpfi_init2(u, mpfi_get_prec(y));
    mpfi_init2(sum, mpfi_get_prec(y));
    mpq_init(less);
    mpq_set_ui(less, 1, 1);
    mpq_sub(less, less, x);
    mpfi_neg(u, l);
    mpfi_exp(u, u);
    mpfi_mul_q(u, u, less); /* (1-x)/u */
    mpfi_add_q(sum, u, x);
    mpfi_set_q(y, x);
    mpfi_div(y, y, sum);
    mpfi_div(rest, u, sum);
    ival_clamp_ui(y, 0, 1);
    ival_clamp_ui(rest, 0, 1);
    mpq_clear(less);
    mpfi_clear(sum);
    mpfi_clear(u);
}

/* L of F(x), x in a->x */
static void at_level(mpfi_t l, const attacker *a, mpq_srcptr alpha, mpq_srcptr level)
{
    mpq_t less, rest;
    mpfr_t guess;
    mpq_inits(less, rest, NULL);
    mpfr_init2(guess, 64);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(less, alpha, rest);
    mpq_sub(rest, rest, a->x);
    const shift q = {a->x, rest, alpha, level};
    const rates near_to = rates_of(a);
    double most = mpq_get_d(level),
           near = most > 1e-18 ? shift_guess(&near_to, mpq_get_d(less), most) : 0;
    if (near > NEAREST && near < FARTHEST) {
        mpfr_set_d(guess, near, MPFR_RNDN);
    } else { /* too small for doubles: about sqrt(2 r/(alpha x (1-x))) */
        mpfr_set_q(guess, level, MPFR_RNDN);
        mpfr_sqrt(guess, guess, MPFR_RNDN);
    }
    if (near > 1e-3 && near < FARTHEST)
        root_enclose(l, divergence_less, &q, &(root_start){.near = near, .error = 1e-11 * near});
    else
        root_enclose(l, divergence_less, &q, &(root_start){.from = guess});
    if (mpfr_sgn(&l->left) < 0) /* not told: not below 0, at most infinite */
        mpfr_set_zero(&l->left, 1);
    mpfr_clear(guess);
    mpq_clears(less, rest, NULL);
}

/* The least over the points. */
static void least_of_points(mpfi_t l, const attacker *a)
{
    const rates near_to = rates_of(a);
    size_t first = attacker_least_point(a, shift_guess, &near_to);
    mpq_t rest;
    mpfi_t other;
    mpq_init(rest);
    mpfi_init2(other, mpfi_get_prec(l));
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, a->x);
    mpfi_set_ui(l, 0);
    if (mpq_sgn(a->point[first + 1]) > 0)
        at_level(l, a, a->point[first], a->point[first + 1]);
    for (size_t i = 0; i < a->points; i += 2) {
        const shift q = {a->x, rest, a->point[i], a->point[i + 1]};
        if (i == first || root_is_beyond(l, divergence_less, &q))
            continue;
        mpfi_set_ui(other, 0);
        if (mpq_sgn(a->point[i + 1]) > 0)
            at_level(other, a, a->point[i], a->point[i + 1]);
        ival_take_least(l, other);
    }
    mpfi_clear(other);
    mpq_clear(rest);
}

void tpr_of_moments(mpfi_t y, mpfi_t rest, const attacker *a)
{
    mpfi_t l;
    mpq_t level;
    mpfi_init2(l, mpfi_get_prec(y));
    mpq_init(level);
    if (a->by == BY_ZCDP) {
        attacker_level(level, a, a->alpha);
        mpfi_set_ui(l, 0);
        if (mpq_sgn(level) > 0)
            at_level(l, a, a->alpha, level);
    }
    if (a->by == BY_RDP)
        least_of_points(l, a);
    shifted(y, rest, l, a->x);
    mpq_clear(level);
    mpfi_clear(l);
}

/* Below it all orders are about as good, and doubles do not tell them apart. */
#define TINY_RHO 1e-20

bool tpr_choose(attacker *a)
{
    if (mpq_get_d(a->line.rho) < TINY_RHO && mpq_sgn(a->line.xi) == 0)
        return false;
    const rates near_to = rates_of(a);
    return attacker_order(a->alpha, a, shift_guess, &near_to);
}
