/* SPDX-License-Identifier: MIT */
#include "attack/audit_sure.h"

#include <math.h>

#include "num/binary64.h"
#include "num/ival.h"

/* One operation is off by a share of u, or a little more where it is rounded twice. */
#define ONE (1.01 * BINARY64_U)
#define LN_2 0.69314718055994530942

/* ---- logarithm and exponential ---- */

/* ln 2^e m, m between sqrt(1/2) and sqrt(2): 2 (s + s^3/3 + ... + s^23/23), s = (m-1)/(m+1), |s| <
 * 0.1716, which leaves out less than 1e-20. m - 1 is exact, s is off by 2 operations, the sum,
 * which is within 0.011 of 1, by few more: 8 u of ln m at most, below 3 u; e ln 2 and the sum by 3
 * u of |e| + 1. */
sure sure_log(double x, double off)
{
    int e;
    double m = frexp(x, &e), s, square, sum = 0;
    if (!(x > 0) || isinf(x) || !(off < 0.01))
        return (sure){0, HUGE_VAL};
    if (m < 0.70710678) {
        m *= 2;
        e--;
    }
    s = (m - 1) / (m + 1);
    square = s * s;
    for (int j = 23; j > 1; j -= 2)
        sum = (sum + 1.0 / j) * square;
    return (sure){e * LN_2 + 2 * s * (1 + sum), 8 * ONE * (fabs((double)e) + 1) + 1.01 * off};
}

/* e^x, x <= 1, and what share it may be off: x - e ln 2 is off by 4 u (|x| + 1), the series of 16
 * terms, between 0.7 and 1.5, by fewer than 60 u. */
static double exp_of(double *off, sure x)
{
    if (!(x.x <= 1 && x.x > -600 && x.off < 0.01)) {
        *off = HUGE_VAL;
        return 0;
    }
    double e = floor(x.x / LN_2 + 0.5), r = x.x - e * LN_2, sum = 1;
    for (int j = 16; j > 0; j--)
        sum = 1 + sum * r / j;
    *off = 1.02 * (x.off + ONE * (4 * fabs(x.x) + 64));
    return ldexp(sum, (int)e);
}

/* ---- tails ---- */

/* Below 16 from the product, which is exact; else Stirling's series, which alternates: the first
 * term left out is 1/(1680 n^7). */
static sure log_factorial(double n)
{
    if (n < 16) {
        double x = 1;
        for (double j = 2; j <= n; j++)
            x *= j;
        return sure_log(x, 0);
    }
    sure l = sure_log(n, 0);
    double r = 1 / n, main = (n + 0.5) * l.x;
    double rest = r / 12 - r * r * r / 360 + r * r * r * r * r / 1260;
    return (sure){main - n + 0.91893853320467274178 + rest,
                  (n + 0.5) * l.off * 1.01 + 6 * ONE * (fabs(main) + n + 1) + 2.3e-12};
}

sure sure_log_mass(double k, double n, const sure_rate *p)
{
    sure of[5] = {log_factorial(n), log_factorial(k), log_factorial(n - k),
                  sure_log(p->yes, p->yes_off), sure_log(p->no, p->no_off)};
    double by[5] = {1, -1, -1, k, n - k};
    sure sum = {0, 0};
    double size = 0;
    for (int i = 0; i < 5; i++) {
        if (by[i] == 0)
            continue;
        sum.x += by[i] * of[i].x;
        sum.off += fabs(by[i]) * of[i].off;
        size += fabs(by[i] * of[i].x);
    }
    sum.off = 1.01 * (sum.off + 8 * ONE * size);
    return sum;
}

#define MOST_TERMS 5000

/* Pr[Bin >= k]/Pr[Bin = k] = 1 + s_1 (1 + s_2 (...)), s_j = (n-k-j+1) yes/((k+j) no), which fall:
 * the rest is a geometric series at most. off: a share, of 5 operations and the odds for each
 * factor, one for each sum. */
static double over_mass(double *off, double k, double n, const sure_rate *p)
{
    double odds = p->yes / p->no, left = n - k, at = k + 1, term = 1, sum = 1, count = 0, ratio = 0;
    *off = HUGE_VAL;
    if (!(left * odds < 0.9999 * at) || !(p->yes_off + p->no_off < 1e-6))
        return 1;
    for (; left > 0 && term > 1e-18 * sum && count < MOST_TERMS; count++, left--, at++) {
        ratio = left * odds / at;
        term *= ratio;
        sum += term;
    }
    if (left > 0 && count >= MOST_TERMS)
        return 1;
    *off = 1.02 * count * (p->yes_off + p->no_off + 8 * ONE) + 4 * ONE;
    if (left > 0)
        *off += 1.02 * term / sum * ratio / (1 - ratio) + 1e-17;
    return sum;
}

/* As much as is known of a product of numbers that are off by shares. */
static sure times(double x, double off)
{
    return (sure){x, fabs(x) * (1.02 * off + 8 * ONE)};
}

void sure_tail(sure *log_tail, sure *slope, unsigned long k, unsigned long n, const sure_rate *p)
{
    double off, less, v = (double)k, r = (double)n;
    sure_rate turned = {p->no, p->yes, p->no_off, p->yes_off};
    *log_tail = *slope = (sure){0, k == 0 ? 0 : HUGE_VAL};
    if (k == 0)
        return;
    double over = over_mass(&off, v, r, p);
    if (off < 1e-3) {
        sure mass = sure_log_mass(v, r, p), more = sure_log(over, off);
        *log_tail = (sure){mass.x + more.x, mass.off + more.off + 2 * ONE * fabs(mass.x)};
        *slope = times(v * p->no / over, off + p->no_off);
        return;
    }
    over = over_mass(&off, r - v + 1, r, &turned); /* 1 - Pr[Bin <= k-1] */
    double other = exp_of(&less, sure_log_mass(v - 1, r, p));
    double below = other * over, doubt = 1.02 * (off + less) + 4 * ONE, rest = 1 - below;
    if (!(doubt < 1e-3 && rest > 1e-3))
        return;
    double rest_off = 1.02 * below * doubt / rest + 2 * ONE;
    *log_tail = sure_log(rest, rest_off); /* k q Pr[k] = (n-k+1) p Pr[k-1] */
    *slope = times((r - v + 1) * p->yes * other / rest, less + rest_off + p->yes_off);
}

/* ---- claims ---- */

/* A number between two doubles next to each other, or of the enclosure. */
static void between(double to[2], const mpfi_t x)
{
    to[0] = mpfr_get_d(&x->left, MPFR_RNDD);
    to[1] = mpfr_get_d(&x->right, MPFR_RNDU);
}

void sure_claim_set(sure_claim *c, const audit_in *in)
{
    mpfi_t x;
    share part;
    mpfi_init2(x, 96);
    share_init(&part, 96);
    ival_exp_number(x, in->claim);
    c->odds = mpfi_get_d(x);
    c->delta = mpq_get_d(in->delta);
    if (in->of->method == DP_AUDIT_FISHER) {
        audit_fisher_log_level(x, in);
        between(c->level[0], x);
    }
    for (int i = 0; i < 2 && in->of->method != DP_AUDIT_FISHER; i++) {
        audit_part(&part, in, i);
        mpfi_log(x, part.yes);
        between(c->level[i], x);
    }
    share_clear(&part);
    mpfi_clear(x);
}

/* ---- the product ---- */

/* What the sum of the logarithms is at x, at least, and at most anywhere from 0 to `reach`, x <=
 * reach: concave in x, it is below its tangent, whose slope is E S1/(F (1-F)) - S2/(x (1-x)). */
static void product_between(double to[2], const sure_claim *c, const audit_side *s, double x,
                            double reach)
{
    double f = c->odds * x + c->delta;
    sure_rate caught = {f, 1 - f, 8 * ONE, 10 * ONE / (1 - f)};
    sure_rate passed = {1 - x, x, 2 * ONE, 0};
    sure tail[2], slope[2];
    to[0] = -HUGE_VAL;
    to[1] = HUGE_VAL;
    if (!(f < 1 && x > 0))
        return;
    sure_tail(&tail[0], &slope[0], s->caught, s->members, &caught);
    sure_tail(&tail[1], &slope[1], s->passed, s->outsiders, &passed);
    double off = 1.01 * (tail[0].off + tail[1].off) + 2 * ONE * (fabs(tail[0].x) + fabs(tail[1].x));
    double rise = c->odds / (f * (1 - f)) * slope[0].x, fall = slope[1].x / (x * (1 - x));
    double doubt = rise * (20 * ONE + 1.01 * caught.no_off) + fall * 8 * ONE +
                   1.01 * c->odds / (f * (1 - f)) * slope[0].off +
                   1.01 * slope[1].off / (x * (1 - x));
    double most =
        fmax((rise - fall + 1.01 * doubt) * (reach - x), (fall - rise + 1.01 * doubt) * x);
    double sum = tail[0].x + tail[1].x;
    if (!(off < 1 && doubt < HUGE_VAL && rise >= 0))
        return;
    to[0] = sum - off;
    to[1] = sum + off + 1.01 * fmax(most, 0) + 4 * ONE * fabs(sum);
}

dp_decision sure_product(const sure_claim *c, const audit_in *in, const audit_side *side, double w)
{
    audit_side both[2];
    double corner = (1 - c->delta) / (1 + c->odds), to[2], other[2];
    both[0] = side != NULL ? *side : audit_first_side(in, 0);
    both[1] = audit_mirrored(&both[0]);
    /* a little short of the corner, where F is this line for certain */
    double x = corner * (side != NULL ? exp(w) : 1 - 0x1p-44);
    double reach = side != NULL ? 1 : corner * (1 + 0x1p-44);
    product_between(to, c, &both[0], x, reach);
    if (side == NULL)
        product_between(other, c, &both[1], x, reach);
    if (to[0] > c->level[0][1] && x < corner * (1 - 0x1p-48))
        return DP_NO;
    return to[1] <= c->level[0][0] && (side != NULL || other[1] <= c->level[0][0]) ? DP_YES
                                                                                   : DP_UNKNOWN;
}

/* ---- the rectangle ---- */

static sure_rate rate_at(double logit)
{
    double small = 1 / (1 + exp(fabs(logit))); /* whatever it is, it is this double */
    return logit < 0 ? (sure_rate){small, 1 - small, 0, 2 * ONE}
                     : (sure_rate){1 - small, small, 2 * ONE, 0};
}

sure_limit sure_limit_of(const sure_claim *c, unsigned long k, unsigned long n, int which,
                         double logit)
{
    double apart = 1e-8 * (1 + fabs(logit));
    sure_limit l = {.low = rate_at(logit - apart), .high = rate_at(logit + apart)};
    sure tail, slope;
    sure_tail(&tail, &slope, k, n, &l.low);
    l.told[0] = tail.x + tail.off * 1.01 <= c->level[which][0] - 1e-15 * fabs(tail.x);
    sure_tail(&tail, &slope, k, n, &l.high);
    l.told[1] = tail.x - tail.off * 1.01 >= c->level[which][1] + 1e-15 * fabs(tail.x);
    return l;
}

/* Is y - delta >= E x, or 1 - x - delta >= E (1 - y), for certain, or certainly neither? Each side
 * is off by fewer than 8 operations on numbers of at most 1, or a share of as many. */
static bool exceeds(const sure_claim *c, const sure_rate *yes, const sure_rate *no, bool all)
{
    double slack = all ? 16 * ONE : -16 * ONE, right = c->odds * no->no;
    return yes->yes - c->delta - slack >= right * (1 + slack);
}

dp_decision sure_rectangle(const sure_claim *c, const sure_limit *y, const sure_limit *pass)
{
    if (y->told[0] && pass->told[0] &&
        (exceeds(c, &y->low, &pass->low, true) || exceeds(c, &pass->low, &y->low, true)))
        return DP_YES;
    if (y->told[1] && pass->told[1] && !exceeds(c, &y->high, &pass->high, false) &&
        !exceeds(c, &pass->high, &y->high, false))
        return DP_NO;
    return DP_UNKNOWN;
}
