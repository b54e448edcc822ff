/* SPDX-License-Identifier: MIT */
/* The search for an order: a grid of logarithms of t = alpha - 1, a golden section about its best
 * point, and the corners. */
#include "renyi/order.h"

#include <math.h>

#include "num/decimal.h"

/* t from 10^-6, below which the conversions are sound and of no use, to where the best order of a
 * statement that can be written stands: about 1/sqrt(rho). */
#define LEAST_LOG (-13.8)
#define MOST_LOG 80.0
#define LOG_STEP 0.7
#define GOLDEN_STEPS 30
#define PARABOLA_STEP 0x1p-14
#define ORDER_BITS 64
#define ORDER_DIGITS 10

void order_less_one(mpfi_t out, mpq_srcptr alpha)
{
    mpq_t q;
    mpq_init(q);
    mpz_sub(mpq_numref(q), mpq_numref(alpha), mpq_denref(alpha));
    mpz_set(mpq_denref(q), mpq_denref(alpha)); /* (a-b)/b is in lowest terms where a/b is */
    mpfi_set_q(out, q);
    mpq_clear(q);
}

/* At alpha = 1 + t, exactly */
static double value_at(const order_search *s, double t)
{
    mpq_t alpha;
    mpq_init(alpha);
    mpq_set_d(alpha, t);
    mpz_add(mpq_numref(alpha), mpq_numref(alpha), mpq_denref(alpha));
    double found = s->at(s->of, alpha, t);
    mpq_clear(alpha);
    return isnan(found) ? HUGE_VAL : found;
}

static double value_log(const order_search *s, double u)
{
    return value_at(s, exp(u));
}

/* Golden section in [a, b], of logarithms: where the value is least, in *least. */
static double narrow(double *least, const order_search *s, double a, double b)
{
    const double share = 0.6180339887498949;
    double c = b - share * (b - a), d = a + share * (b - a);
    double at_c = value_log(s, c), at_d = value_log(s, d);
    for (int i = 0; i < GOLDEN_STEPS; i++) {
        if (at_c <= at_d) { /* both may be infinite, beyond what is known */
            b = d;
            d = c;
            at_d = at_c;
            c = b - share * (b - a);
            at_c = value_log(s, c);
        } else {
            a = c;
            c = d;
            at_c = at_d;
            d = a + share * (b - a);
            at_d = value_log(s, d);
        }
    }
    *least = fmin(at_c, at_d);
    return at_c < at_d ? c : d;
}

/* The lowest point of a parabola through three points, twice: values next to each other differ by
 * their rounding alone, those of this step do not; nor is it judged by more than a share of how
 * much these differ. u where that leads nowhere. */
static double sharpen(const order_search *s, double u, double least)
{
    const double h = PARABOLA_STEP;
    double from = u;
    for (int i = 0; i < 2; i++) {
        double a = value_log(s, u - h), b = value_log(s, u), c = value_log(s, u + h);
        double shift = h / 2 * (a - c) / (a + c - 2 * b);
        if (!(a + c > 2 * b) || !(fabs(shift) < 16 * h))
            return from;
        u += shift;
    }
    return value_log(s, u) <= least + 1e-14 * fabs(least) ? u : from;
}

/* About ln(alpha - 1), within what is searched */
static double log_order(mpq_srcptr alpha, double none)
{
    if (alpha == NULL)
        return none;
    mpfi_t t;
    mpfi_init2(t, ORDER_BITS);
    order_less_one(t, alpha);
    mpfi_log(t, t);
    double u = mpfi_get_d(t);
    mpfi_clear(t);
    return fmax(fmin(u, MOST_LOG), LEAST_LOG);
}

/* alpha = 1 + e^u as a decimal, within the orders; false when out of memory */
static bool freeze(mpq_t alpha, const order_search *s, double u)
{
    mpfr_t x;
    mpfr_init2(x, ORDER_BITS);
    mpfr_set_d(x, u, MPFR_RNDN);
    mpfr_exp(x, x, MPFR_RNDN);
    bool ok = dec_round_fr(alpha, x, DP_UPPER, ORDER_DIGITS);
    mpfr_clear(x);
    if (!ok)
        return false;
    mpz_add(mpq_numref(alpha), mpq_numref(alpha), mpq_denref(alpha));
    if (s->most != NULL && mpq_cmp(alpha, s->most) > 0)
        mpq_set(alpha, s->most);
    if (s->least != NULL && mpq_cmp(alpha, s->least) < 0)
        mpq_set(alpha, s->least);
    return true;
}

/* Is a corner better than what was found? */
static bool at_corner(mpq_t alpha, const order_search *s, double best)
{
    mpq_srcptr chosen = NULL;
    mpfi_t t;
    mpfi_init2(t, ORDER_BITS);
    for (size_t i = 0; i < s->corners; i++) {
        order_less_one(t, s->corner[i]);
        double found = s->at(s->of, s->corner[i], mpfi_get_d(t));
        if (found < HUGE_VAL && found <= best) {
            best = found;
            chosen = s->corner[i];
        }
    }
    mpfi_clear(t);
    if (chosen != NULL)
        mpq_set(alpha, chosen);
    return chosen != NULL;
}

double order_lowest_near(double *at, const order_search *s, double near, double width)
{
    double least = value_log(s, near), closer;
    *at = near;
    double u = narrow(&closer, s, near - width, near + width);
    if (closer < least) {
        *at = sharpen(s, u, closer);
        return closer;
    }
    return least;
}

double order_lowest(double *at, const order_search *s)
{
    double low = log_order(s->least, LEAST_LOG), high = log_order(s->most, MOST_LOG);
    double best = HUGE_VAL;
    *at = low;
    if (low > high)
        return best;
    for (double u = low;; u = fmin(u + LOG_STEP, high)) {
        double found = value_log(s, u);
        if (found < best) {
            best = found;
            *at = u;
        }
        if (!(u < high))
            break;
    }
    double closer = HUGE_VAL;
    if (best < HUGE_VAL) {
        double u = narrow(&closer, s, fmax(*at - LOG_STEP, low), fmin(*at + LOG_STEP, high));
        if (closer < best) {
            best = closer;
            *at = sharpen(s, u, closer);
        }
    }
    return best;
}

bool order_choose(mpq_t alpha, const order_search *s)
{
    double at, best = order_lowest(&at, s);
    if (log_order(s->least, LEAST_LOG) > log_order(s->most, MOST_LOG))
        return false;
    return at_corner(alpha, s, best) || (best < HUGE_VAL && freeze(alpha, s, at));
}
