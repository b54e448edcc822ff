/* SPDX-License-Identifier: MIT */
/* What refutes a claim, by normal bounds, at shares of misses and of false positives. */
#include "attack/audit_many.h"

#include <math.h>

#include "attack/audit_sure.h"
#include "attack/binomial_guess.h"
#include "attack/quantile.h"
#include "num/binary64.h"
#include "num/ival.h"
#include "num/number.h"

#define ONE (1.01 * BINARY64_U)

/* ---- what is planned ---- */

static span span_of(const mpfi_t x)
{
    return (span){mpfr_get_d(&x->left, MPFR_RNDD), mpfr_get_d(&x->right, MPFR_RNDU)};
}

static span span_of_q(const mpq_t q)
{
    mpfi_t x;
    mpfi_init2(x, 64);
    mpfi_set_q(x, q);
    span s = span_of(x);
    mpfi_clear(x);
    return s;
}

#define DOUBT 0.02   /* of logarithms of tails: what is told refutes by so much, */
#define LITTLE 0.004 /* or is short of it by so much; the tables are off by less */
#define LOG_QUARTER (-1.3863)
#define NEARER 18
#define FAR_MOST 28.0

/* About the t of one of the tails, whose logarithm is y. */
static double reach(const many *m, int which, double y)
{
    return m->none[which] ? sqrt(-2 * fmin(y, 0)) : normal_guess(&m->law, y);
}

static double guess_log(const many *m, int which, double t)
{
    double lower = fmax(t, 0);
    return m->none[which] ? -lower * lower / 2 : log(erfc(t * 0.70710678118654752) / 2);
}

/* Evenly, and nearer and nearer to where the first tail alone is enough: that of the other sample
 * may be far steeper along the curve. */
static bool set_tries(many *m, int i, double log_level)
{
    double end = reach(m, 0, log_level), step = MANY_STEP / 2;
    m->log_level[i] = log_level;
    int even = (int)((end - step - MANY_FIRST) / MANY_STEP) + 1;
    m->tries[i] = even + NEARER;
    if (!(end > MANY_FIRST + 1) || m->tries[i] > MANY_TRIES)
        return false;
    for (int k = 0; k < m->tries[i]; k++) {
        double t = k < even ? MANY_FIRST + k * MANY_STEP : end - ldexp(step, even - k);
        m->tried[i][k] = t;
        m->reach[i][k] = reach(m, 1, log_level - guess_log(m, 0, t));
    }
    return true;
}

static bool set_product(many *m)
{
    mpfi_t x;
    mpfi_init2(x, 96);
    audit_fisher_log_level(x, m->in);
    m->level = span_of(x);
    mpfi_clear(x);
    normal_fill(&m->law, m->far + 2);
    double log_level = m->level.low - DOUBT;
    if (!(m->level.high <= LOG_QUARTER && log_level > m->law.at[m->law.count - 1].high))
        return false;
    for (int i = 0; i < 2; i++)
        m->alone[i] = reach(m, i, log_level);
    return set_tries(m, 0, log_level) && set_tries(m, 1, m->level.high + LITTLE);
}

static bool set_rectangle(many *m)
{
    mpfi_t x;
    share part;
    bool told = true;
    mpfi_init2(x, 96);
    share_init(&part, 96);
    for (int i = 0; i < 2; i++) {
        audit_part(&part, m->in, m->turned ? 1 - i : i);
        mpfi_log(x, part.yes);
        m->part_log[i] = span_of(x);
        if (m->none[i]) {
            mpfi_mul_si(x, x, -2);
            mpfi_sqrt(x, x);
        } else {
            told = upper_quantile(x, &part) && told;
        }
        m->z[i] = span_of(x);
    }
    share_clear(&part);
    mpfi_clear(x);
    normal_fill(&m->law, m->far + 2);
    return told && m->z[0].low > 0 && m->z[1].low > 0;
}

bool many_init(many *m, const audit_in *in, bool turned)
{
    mpfi_t x;
    mpq_t missed;
    m->in = in;
    m->fisher = in->of->method == DP_AUDIT_FISHER;
    m->last = -1;
    m->turned = turned;
    m->counted = false;
    mpfi_init2(x, 96);
    ival_exp_number(x, in->claim);
    m->odds = span_of(x);
    mpfi_clear(x);
    m->delta = span_of_q(in->delta);
    m->alarmed = span_of_q(number_rational(in->of->fpr));
    mpq_init(missed);
    mpq_set_ui(missed, 1, 1);
    mpq_sub(missed, missed, number_rational(in->of->tpr));
    m->missed = span_of_q(missed);
    if (turned) {
        span other = m->missed;
        m->missed = m->alarmed;
        m->alarmed = other;
    }
    m->none[0] = m->missed.high <= 0;
    m->none[1] = m->alarmed.high <= 0;
    mpq_set_ui(missed, 1, 1);
    mpq_sub(missed, missed, number_rational(in->of->power));
    double lack = mpq_get_d(missed), alpha = mpq_get_d(in->alpha);
    mpq_clear(missed);
    m->far = 3.5 + sqrt(-2 * log(fmin(fmax(lack, 1e-290), 0.5)));
    double level = 2 + sqrt(-2 * log(fmax(alpha, 1e-290)) + 12); /* alone is below it */
    m->far = fmax(m->far, m->fisher ? level - 1 : 0);
    if (!binary64_is_sound() || !(m->odds.high < 1e300 && m->delta.high < 1) || m->far > FAR_MOST ||
        m->missed.high >= 1 || m->alarmed.high >= 1 || alpha < 1e-280 || lack < 1e-280)
        return false;
    return m->fisher ? set_product(m) : set_rectangle(m);
}

void many_set(many *m, double n)
{
    m->n = n;
    m->root = m->more = sqrt(n);
    m->counted = false;
}

void many_set_count(many *m, double n, double most, unsigned long count)
{
    many_set(m, n);
    m->more = sqrt(most);
    m->counted = true;
    m->count = count;
}

/* ---- places, about ---- */

static double middle(span s)
{
    return (s.low + s.high) / 2;
}

#define NEWTON 8
#define QUARTER_TURN 1.5707963267948966
#define EDGE 1e-12

/* 2 (asin sqrt(u) - asin sqrt(a)) is nearly root(a, u): the one with root(at, other) = s, or, where
 * `second` is false, root(other, at) = s. -1 and 2: below 0, above 1. */
static double solve(double at, double s, bool second)
{
    double y = asin(sqrt(at)) + (second ? s : -s) / 2, p = at;
    for (int i = 0; i < NEWTON; i++) {
        y = fmin(fmax(y, EDGE), QUARTER_TURN - EDGE);
        double sine = sin(y), cosine = cos(y);
        p = sine * sine;
        double r = middle(second ? span_root(at, p) : span_root(p, at)), slope = second ? 2 : -2;
        if (!(fabs(r) < HUGE_VAL))
            break;
        if (fabs(r) > 1e-9 && second)
            slope = 2 * (p - at) / (r * sine * cosine);
        else if (fabs(r) > 1e-9)
            slope = 2 * sine * cosine * log(p / at * ((1 - at) / (1 - p))) / r;
        double by = (r - s) / slope;
        y -= by;
        if (fabs(by) < 1e-9 * fabs(s) * fmin(1, fabs(y)))
            break;
    }
    if (y <= 2 * EDGE || y >= QUARTER_TURN - 2 * EDGE)
        return y < 1 ? -1 : 2;
    double sine = sin(y);
    return sine * sine;
}

/* The u with root(a, u) = s. */
static double rate_above(double a, double s)
{
    if (a <= 0)
        return s > 0 ? -expm1(-s * s / 2) : -1;
    return solve(a, s, true);
}

/* The b with root(b, x) = s; -1: even 0 has less. */
static double share_below(double x, double s)
{
    return middle(span_root(0, x)) <= s ? -1 : fmin(solve(x, s, false), 1);
}

double many_place(const many *m, double p, double z)
{
    return fmin(fmax(share_below(p, -z / m->root), 0), 1);
}

/* ---- bounds ---- */

/* By the square root of any of the numbers: at least, and that of n at most. */
static span scaled(const many *m, span s)
{
    double low = s.low * (s.low < 0 ? m->more : m->root), high = s.high * m->root;
    return (span){low - 4 * ONE * fabs(low), high + 4 * ONE * fabs(high)};
}

span many_height(const many *m, const span *p, double a)
{
    span least = span_root(a, p->high), most = span_root(a, p->low);
    return scaled(m, (span){-least.high, -most.low});
}

/* max(1 - delta - E x, (1 - delta - x)/E); each operation is off by u of a number that is at most 1
 * + E x. */
span many_passed(const many *m, double x)
{
    span first = {1 - m->delta.high - m->odds.high * x, 1 - m->delta.low - m->odds.low * x};
    span other = {1 - m->delta.high - x, 1 - m->delta.low - x};
    double off = 4 * ONE * (1 + m->odds.high * x);
    double low = (other.low - 4 * ONE) / m->odds.high, high = (other.high + 4 * ONE) / m->odds.low;
    return (span){fmax(first.low - off, low - 4 * ONE * fabs(low)),
                  fmax(first.high + off, high + 4 * ONE * fabs(high))};
}

static span first_at(const many *m, double a, double x)
{
    span u = many_passed(m, x);
    return scaled(m, (span){span_root(a, u.low).low, span_root(a, u.high).high});
}

static span second_at(const many *m, double b, double x)
{
    return scaled(m, span_root(b, x));
}

/* ln Pr[Bin(n, u) <= count], at most for u = u.low, at least for u.high; both fall with n. */
static span count_at(const many *m, span u)
{
    span s = {-HUGE_VAL, 0};
    unsigned long n = (unsigned long)m->n;
    for (int i = 0; i < 2; i++) {
        double x = i == 0 ? u.high : u.low;
        sure_rate rate = {1 - x, x, ONE, 0};
        sure tail, slope;
        if (!(x > 0 && x < 1))
            continue;
        sure_tail(&tail, &slope, n - m->count, n, &rate);
        if (!(tail.off < 0.01))
            continue;
        *(i == 0 ? &s.low : &s.high) = i == 0 ? tail.x - tail.off : fmin(tail.x + tail.off, 0);
    }
    return s;
}

/* About the u at which the tail of misses is that of t. */
static double miss_rate(const many *m, double a, double t)
{
    if (!m->counted)
        return rate_above(a, t / m->root);
    double x = guess_low(m->n - (double)m->count, m->n, guess_log(m, 0, t));
    return 1 / (1 + exp(x));
}

/* ---- what refutes ---- */

/* x with 1 - F(x) = u */
static double curve(const many *m, double u)
{
    double rest = 1 - middle(m->delta) - u, e = middle(m->odds);
    return fmax(rest / e, rest + u - e * u);
}

#define BESIDE 1e-9
#define BESIDE_COUNT 1e-3 /* logarithms of factorials are off by more */

/* The b of the k-th t1 that is tried; -1: that is before the curve begins. */
static double tried(const many *m, double a, int sign, int k, double *x)
{
    int i = sign > 0 ? 0 : 1;
    double u = miss_rate(m, a, m->tried[i][k]);
    *x = u < 0 ? 1 - middle(m->delta) : u > 1 ? -1 : curve(m, u);
    if (!(*x > 0) || *x >= 1)
        return *x > 0 ? 1 : -1;
    return share_below(*x, m->reach[i][k] / m->root);
}

static double product_boundary(many *m, double a, int sign, double *x)
{
    double other, best;
    int k = m->last, tries = m->tries[sign > 0 ? 0 : 1];
    k = k < tries ? k : tries - 1;
    if (k < 0) {
        best = HUGE_VAL;
        for (int i = 0; i < tries; i++) {
            double b = tried(m, a, sign, i, &other);
            if (b <= best)
                k = i;
            best = fmin(b, best);
        }
    }
    best = tried(m, a, sign, k, x);
    for (int way = -1; way <= 1; way += 2)
        for (int i = k + way; i >= 0 && i < tries; i += way) {
            double b = tried(m, a, sign, i, &other);
            if (!(b < best))
                break;
            best = b;
            *x = other;
            k = i;
        }
    m->last = k;
    return best;
}

/* The same at the corner of the curve, where the top often is, between those that are tried. */
static void try_corner(double *best, double *x, const many *m, double a, int sign)
{
    double u = (1 - middle(m->delta)) / (1 + middle(m->odds));
    double first = m->counted
                       ? guess_log_tail(m->n - (double)m->count, m->n, log1p(-u) - log(u), NULL)
                       : guess_log(m, 0, middle(span_root(a, u)) * m->root);
    double rest = m->log_level[sign > 0 ? 0 : 1] - first;
    if (!(rest < 0))
        return;
    double b = share_below(u, reach(m, 1, rest) / m->root);
    if (b < *best) {
        *best = b;
        *x = u;
    }
}

double many_boundary(many *m, double a, int sign, double *x)
{
    double b;
    if (m->fisher) {
        b = product_boundary(m, a, sign, x);
        try_corner(&b, x, m, a, sign);
    } else {
        double z[2], beside = m->counted ? BESIDE_COUNT : BESIDE;
        for (int i = 0; i < 2; i++)
            z[i] = sign > 0 ? m->z[i].high * (1 + beside) : m->z[i].low * (1 - beside);
        double u = miss_rate(m, a, z[0]);
        *x = u > 1 ? -1 : curve(m, u);
        b = *x > 0 ? share_below(*x, z[1] / m->root) : -1;
    }
    if (!(*x > 0))
        *x = 1e-6 / (m->n * middle(m->odds));
    return sign > 0 ? b : fmax(b, 0);
}

/* ---- proofs ---- */

#define PIECES_MOST 800

typedef struct point {
    double x, log_tail[2];
} point;

static double log_high(const many *m, int which, double t)
{
    if (m->none[which])
        return t > 0 ? -t * t / 2 * (1 - 4 * ONE) : 0;
    return normal_high(&m->law, t);
}

static double log_low(const many *m, int which, double t)
{
    return m->none[which] ? -t * t / 2 * (1 + 4 * ONE) : normal_low(&m->law, t);
}

/* ln of the tail of misses at x. */
static span misses_at(const many *m, double a, double x)
{
    if (m->counted)
        return count_at(m, many_passed(m, x));
    span t = first_at(m, a, x);
    return (span){log_low(m, 0, t.high), log_high(m, 0, t.low)};
}

static point point_at(const many *m, double a, double b, double x)
{
    return (point){x, {misses_at(m, a, x).high, log_high(m, 1, second_at(m, b, x).low)}};
}

/* From l to r the first tail grows and the other one falls. */
static bool is_below(const many *m, double a, double b, const point *l, const point *r, int *left)
{
    if (l->log_tail[1] + r->log_tail[0] <= m->level.low - 1e-12)
        return true;
    double x = l->x + (r->x - l->x) / 2;
    if (--*left < 0 || !(x > l->x && x < r->x))
        return false;
    point p = point_at(m, a, b, x);
    if (p.log_tail[0] + p.log_tail[1] > m->level.low)
        return false;
    return is_below(m, a, b, l, &p, left) && is_below(m, a, b, &p, r, left);
}

/* Up to some x the first tail alone is low enough, and from some x on the other one. */
bool many_refutes(const many *m, double a, double b, double x)
{
    if (!m->fisher)
        return (m->counted ? misses_at(m, a, x).high <= m->part_log[0].low
                           : first_at(m, a, x).low >= m->z[0].high) &&
               second_at(m, b, x).low >= m->z[1].high;
    double u = miss_rate(m, a, m->alone[0] * (1 + BESIDE));
    double from = u > 0 && u < 1 ? curve(m, u) : -1;
    double to = rate_above(b, m->alone[1] * (1 + BESIDE) / m->root);
    if (!(from > 0 && from < 1 && to > 0 && to < 1))
        return false;
    point l = point_at(m, a, b, from), r = point_at(m, a, b, to);
    int left = PIECES_MOST;
    return l.log_tail[0] <= m->level.low && r.log_tail[1] <= m->level.low &&
           (to <= from || is_below(m, a, b, &l, &r, &left));
}

bool many_spares(const many *m, double a, double b, double x)
{
    double t = second_at(m, b, x).high;
    if (!m->fisher)
        return (m->counted ? misses_at(m, a, x).low > m->part_log[0].high
                           : first_at(m, a, x).high < m->z[0].low) &&
               t < m->z[1].low;
    return misses_at(m, a, x).low + log_low(m, 1, t) > m->level.high + 1e-12;
}
