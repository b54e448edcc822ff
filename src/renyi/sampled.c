/* SPDX-License-Identifier: MIT */
/* Moments of the sampled Gaussian: the sum of an integer order, the alternating series, what holds
 * of orders that are too large, and which of them is taken. */
#include "renyi/sampled.h"

#include <math.h>

#include "num/ival.h"

#define GUARD_BITS 24
#define MOST_TERMS 4096          /* of a sum; a term takes some microseconds */
#define MOST_EXPONENT (1L << 28) /* of e, within the exponents of MPFR */
#define MOST_SERIES 2000
#define MOST_LOST 700  /* of ln(A - 1) */
#define SERIES_COST 12 /* a term of the series, in nodes of the trapezoidal rule */

/* out = 1 / (2 s^2) */
static void half_precision(mpfi_t out, const sampled *g)
{
    mpq_t c;
    mpq_init(c);
    mpq_mul(c, g->sigma, g->sigma);
    mpq_mul_2exp(c, c, 1);
    mpq_inv(c, c);
    mpfi_set_q(out, c);
    mpq_clear(c);
}

/* out = alpha (alpha-1) / (2 s^2) */
static void whole_moment(mpfi_t out, const sampled *g, const mpfi_t alpha)
{
    mpfi_t t;
    mpfi_init2(t, mpfi_get_prec(out));
    mpfi_sub_ui(t, alpha, 1);
    half_precision(out, g);
    mpfi_mul(out, out, alpha);
    mpfi_mul(out, out, t);
    mpfi_clear(t);
}

/* The moment of all q = 1 has an exponent that MPFR holds. */
static bool is_small(const sampled *g, const mpfi_t alpha)
{
    mpfi_t x;
    mpfi_init2(x, 64);
    whole_moment(x, g, alpha);
    bool small = mpfr_cmp_si(&x->right, MOST_EXPONENT) < 0;
    mpfi_clear(x);
    return small;
}

/* ---- an integer order ---- */

/* out = A - 1, terms of one sign */
static void sum_terms(mpfi_t out, const sampled *g, unsigned long alpha)
{
    mpfr_prec_t bits = mpfi_get_prec(out);
    mpfi_t weight, odds, c, term;
    mpfi_ptr all[] = {weight, odds, c, term};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], bits);
    half_precision(c, g);
    mpfi_set_q(odds, g->rate);
    ival_log1m_q(weight, g->rate);
    mpfi_mul_ui(weight, weight, alpha - 2);
    mpfi_exp(weight, weight);
    mpfi_mul(weight, weight, odds);
    mpfi_mul(weight, weight, odds);
    mpfi_mul_ui(weight, weight, alpha);
    mpfi_mul_ui(weight, weight, alpha - 1);
    mpfi_div_2ui(weight, weight, 1);
    mpfi_ui_sub(term, 1, odds);
    mpfi_div(odds, odds, term);
    mpfi_set_ui(out, 0);
    for (unsigned long j = 2; j <= alpha; j++) {
        mpfi_mul_ui(term, c, j * (j - 1));
        mpfi_expm1(term, term);
        mpfi_mul(term, term, weight);
        mpfi_add(out, out, term);
        mpfi_mul(weight, weight, odds);
        mpfi_mul_ui(weight, weight, alpha - j);
        mpfi_div_ui(weight, weight, j + 1);
    }
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

/* Bits of the relative error of a term: 4 roundings each, and those of the exponent */
static mpfr_prec_t sum_bits(const sampled *g, unsigned long alpha)
{
    double exponent = (double)alpha * (double)alpha * exp(fmin(-2 * g->log_sigma, 300));
    return GUARD_BITS + (mpfr_prec_t)fmin(2 * log2((double)alpha) + log2(1 + exponent), 2048);
}

bool sampled_sum(mpfi_t out, const sampled *g, const mpfi_t alpha)
{
    if (!mpfr_equal_p(&alpha->left, &alpha->right) || !mpfr_integer_p(&alpha->left) ||
        mpfr_cmp_ui(&alpha->left, MOST_TERMS) > 0 || mpfr_cmp_ui(&alpha->left, 2) < 0 ||
        !is_small(g, alpha))
        return false;
    unsigned long order = mpfr_get_ui(&alpha->left, MPFR_RNDN);
    mpfi_t x;
    mpfi_init2(x, mpfi_get_prec(out) + sum_bits(g, order));
    sum_terms(x, g, order);
    mpfi_log1p(out, x);
    mpfi_clear(x);
    return !ival_bad(out);
}

/* ---- the alternating series ---- */

/* With z0 = s^2 ln(1/q - 1) + 1/2, where the two terms of R are equal, R^alpha is expanded in
 * powers of the lesser one on either side, and t_i = C(alpha,i)/2 [q^i (1-q)^j e^((i^2-i) c)
 * erfc((i-z0)/(sqrt(2) s))
 *                         + q^j (1-q)^i e^((j^2-j) c) erfc((z0-j)/(sqrt(2) s))],
 * j = alpha - i, c = 1/(2 s^2). From i >= alpha on the signs alternate and under the integral the
 * terms decrease, so any two consecutive sums from there on enclose A between them. */
typedef struct series {
    const sampled *of;
    mpfi_srcptr alpha;
    mpfi_t log_rate, log_rest, z0, root, c; /* root = sqrt(2) s */
    mpfi_t choose, i, j, a, b;
    double log_small; /* of what is too small to matter */
} series;

#define SERIES_OWN 10
#define SERIES_ALL(s)                                                                              \
    {                                                                                              \
        (s)->log_rate, (s)->log_rest, (s)->z0, (s)->root, (s)->c, (s)->choose, (s)->i, (s)->j,     \
            (s)->a, (s)->b                                                                         \
    }

static void series_init(series *s, mpfr_prec_t bits)
{
    mpfi_ptr all[] = SERIES_ALL(s);
    for (size_t i = 0; i < SERIES_OWN; i++)
        mpfi_init2(all[i], bits);
    ival_log_q(s->log_rate, s->of->rate);
    ival_log1m_q(s->log_rest, s->of->rate);
    mpfi_set_q(s->root, s->of->sigma);
    mpfi_sqr(s->a, s->root);
    mpfi_sub(s->z0, s->log_rest, s->log_rate);
    mpfi_mul(s->z0, s->z0, s->a);
    mpfi_set_ui(s->b, 1);
    mpfi_div_2ui(s->b, s->b, 1);
    mpfi_add(s->z0, s->z0, s->b);
    mpfi_mul_2ui(s->a, s->a, 1);
    mpfi_sqrt(s->root, s->a);
    half_precision(s->c, s->of);
    mpfi_set_ui(s->choose, 1);
}

static void series_clear(series *s)
{
    mpfi_ptr all[] = SERIES_ALL(s);
    for (size_t i = 0; i < SERIES_OWN; i++)
        mpfi_clear(all[i]);
}

/* Bits that an erfc of x >= 0 needs, which is about e^(-x^2), as a factor of `by`: it takes long
 * for as many as x^2 */
static mpfr_prec_t erfc_bits(const series *s, const mpfi_t by, const mpfi_t x)
{
    double most = (double)mpfi_get_prec(x), near = fabs(mpfi_get_d(x));
    if (mpfr_sgn(&x->left) <= 0 || !mpfr_regular_p(&by->right))
        return mpfi_get_prec(x);
    double size = (double)mpfr_get_exp(&by->right) - (near * near + s->log_small) / M_LN2;
    return (mpfr_prec_t)fmin(most, fmax(size + GUARD_BITS, 2 * GUARD_BITS));
}

/* out = e^(c (k^2-k) + k ln p + m ln r) erfc(x) */
static void half_term(mpfi_t out, const series *s, const mpfi_t k, const mpfi_t m, mpfi_t x)
{
    mpfi_t part;
    mpfi_init2(part, mpfi_get_prec(out));
    mpfi_sub_ui(out, k, 1);
    mpfi_mul(out, out, k);
    mpfi_mul(out, out, s->c);
    mpfi_mul(part, k, s->log_rate);
    mpfi_add(out, out, part);
    mpfi_mul(part, m, s->log_rest);
    mpfi_add(out, out, part);
    mpfi_exp(out, out);
    mpfi_div(x, x, s->root);
    mpfi_set_prec(part, erfc_bits(s, out, x));
    mpfi_set(part, x);
    ival_to_erfc(part);
    mpfi_mul(out, out, part);
    mpfi_clear(part);
}

/* s->a = t_i */
static void set_term(series *s, unsigned long i)
{
    mpfi_t x;
    mpfi_init2(x, mpfi_get_prec(s->a));
    mpfi_set_ui(s->i, i);
    mpfi_sub_ui(s->j, s->alpha, i);
    mpfi_sub(x, s->i, s->z0);
    half_term(s->a, s, s->i, s->j, x);
    mpfi_sub(x, s->z0, s->j);
    half_term(s->b, s, s->j, s->i, x);
    mpfi_add(s->a, s->a, s->b);
    mpfi_mul(s->a, s->a, s->choose);
    mpfi_div_2ui(s->a, s->a, 1);
    mpfi_clear(x);
}

/* out = A, until two sums are that near */
static bool add_terms(mpfi_t out, series *s)
{
    mpfi_t before;
    mpfr_t small;
    mpfi_init2(before, mpfi_get_prec(out));
    mpfr_init2(small, 64);
    mpfr_set_d(small, s->log_small, MPFR_RNDN);
    mpfr_exp(small, small, MPFR_RNDN);
    mpfi_set_ui(out, 0);
    bool done = false;
    for (unsigned long i = 0; !done && i < MOST_SERIES; i++) {
        set_term(s, i);
        mpfi_set(before, out);
        mpfi_add(out, out, s->a);
        done = mpfr_cmp_ui(&s->alpha->right, i) < 0 && mpfr_cmpabs(&s->a->left, small) < 0 &&
               mpfr_cmpabs(&s->a->right, small) < 0;
        mpfi_mul(s->choose, s->choose, s->j);
        mpfi_div_ui(s->choose, s->choose, i + 1);
    }
    mpfi_union(out, out, before);
    mpfr_clear(small);
    mpfi_clear(before);
    return done;
}

bool sampled_series(mpfi_t out, const sampled *g, const mpfi_t alpha)
{
    mpfi_t t;
    mpfi_init2(t, mpfi_get_prec(alpha));
    mpfi_sub_ui(t, alpha, 1);
    double top = sampled_log_excess(g, mpfi_get_d(t)), bits = (double)mpfi_get_prec(out) + 8;
    mpfi_clear(t);
    if (!(top > -MOST_LOST && top < HUGE_VAL) || !is_small(g, alpha) ||
        mpfr_cmp_ui(&alpha->right, MOST_SERIES / 2) > 0)
        return false;
    double lost = fmax(0, -top / M_LN2) + 2 * fabs(log2(4 + exp(fmin(-2 * g->log_sigma, 300))));
    series s = {.of = g, .alpha = alpha, .log_small = top - bits * M_LN2};
    mpfi_t sum;
    series_init(&s, (mpfr_prec_t)(bits + lost) + GUARD_BITS);
    mpfi_init2(sum, mpfi_get_prec(s.c));
    bool ok = add_terms(sum, &s);
    mpfr_srcptr low = &sum->left;
    if (mpfr_cmp_ui(low, 1) < 0) /* R^alpha is convex in R, whose mean is 1 */
        mpfr_set_ui(&sum->left, 1, MPFR_RNDD);
    mpfi_log(sum, sum);
    mpfi_set(out, sum);
    mpfi_clear(sum);
    series_clear(&s);
    return ok && !ival_bad(out);
}

/* ---- what always holds ---- */

/* x = ln(e^x + e^y) */
static void log_add(mpfi_t x, const mpfi_t y)
{
    mpfi_t d;
    mpfi_init2(d, mpfi_get_prec(x));
    mpfi_sub(d, y, x);
    if (mpfr_sgn(&d->right) > 0) { /* e^-d + 1 above e^d overflows nowhere */
        mpfi_neg(d, d);
        mpfi_set(x, y);
    }
    mpfi_exp(d, d);
    mpfi_log1p(d, d);
    mpfi_add(x, x, d);
    mpfi_clear(d);
}

/* out = the least of it and the chord of ln A between the integers about alpha, on which ln A(1) =
 * 0: ln A is convex. */
static void take_chord(mpfr_t out, const sampled *g, const mpfi_t alpha)
{
    mpfi_t end, x, part;
    mpfi_ptr all[] = {end, x, part};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], mpfr_get_prec(out) + 32);
    mpfr_floor(&end->left, &alpha->left);
    mpfr_set(&end->right, &end->left, MPFR_RNDU);
    mpfi_set_ui(x, 0);
    bool ok = mpfr_cmp_ui(&end->left, 1) == 0 || sampled_sum(x, g, end);
    mpfi_sub(part, alpha, end); /* the share of the right end */
    ok = ok && mpfr_cmp_ui(&part->right, 1) <= 0;
    mpfi_ui_sub(end, 1, part);
    mpfi_mul(x, x, end);
    mpfr_floor(&end->left, &alpha->left);
    mpfr_add_ui(&end->left, &end->left, 1, MPFR_RNDN);
    mpfr_set(&end->right, &end->left, MPFR_RNDU);
    mpfi_t next;
    mpfi_init2(next, mpfi_get_prec(x));
    ok = ok && sampled_sum(next, g, end);
    mpfi_mul(next, next, part);
    mpfi_add(x, x, next);
    if (ok)
        mpfr_min(out, out, &x->right, MPFR_RNDU);
    mpfi_clear(next);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
}

/* By the convexity of x^alpha A is at most 1 - q + q E, E the moment without sampling, and, for
 * every l in (0, 1), l^(1-alpha) (1-q)^alpha + (1-l)^(1-alpha) q^alpha E: l = 1/alpha is taken. It
 * is at least 1 and at least q^alpha E. */
void sampled_closed(mpfi_t out, const sampled *g, const mpfi_t alpha)
{
    mpfi_t whole, part, other, t;
    mpfi_ptr all[] = {whole, part, other, t};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], mpfi_get_prec(out) + 64);
    whole_moment(whole, g, alpha);
    ival_log_q(part, g->rate);
    mpfi_add(other, whole, part);
    ival_log1m_q(t, g->rate);
    log_add(other, t); /* the first sum */
    mpfi_mul(part, part, alpha);
    mpfi_add(part, part, whole); /* ln(q^alpha E) */
    mpfr_set(&out->left, &part->left, MPFR_RNDD);
    mpfi_sub_ui(t, alpha, 1);
    mpfi_ui_div(whole, 1, t);
    mpfi_log1p(whole, whole);
    mpfi_mul(whole, whole, t); /* -(alpha-1) ln(1 - 1/alpha) */
    mpfi_add(part, part, whole);
    mpfi_log(whole, alpha);
    mpfi_mul(whole, whole, t);
    ival_log1m_q(t, g->rate);
    mpfi_mul(t, t, alpha);
    mpfi_add(whole, whole, t);
    log_add(part, whole); /* the second one */
    mpfr_min(&out->right, &other->right, &part->right, MPFR_RNDU);
    take_chord(&out->right, g, alpha);
    ival_at_least_zero(out);
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

/* ---- which is taken ---- */

/* Is the series shorter than the rule? Its terms fall as e^(-z0^2 c) n^(-alpha-2). */
static bool prefers_series(const sampled *g, const mpfi_t alpha, double bits)
{
    double s = exp(g->log_sigma), a = mpfi_get_d(alpha), rate = exp(g->log_rate);
    double z0 = s * (log1p(-rate) - g->log_rate) + 0.5 / s; /* over s */
    double depth = bits * M_LN2 - fmin(0, sampled_log_excess(g, a - 1));
    double terms = exp((depth - z0 * z0 / 2) / (a + 2)) + a + 4;
    double edge = fmin(sqrt(2 * depth), 3.14 * s), width = 4 * sqrt(2 * depth);
    double nodes = width * (depth + edge * edge / 2) / (2 * M_PI * edge);
    return terms < MOST_SERIES && terms * SERIES_COST < nodes;
}

void sampled_log_moment(mpfi_t out, const sampled *g, const mpfi_t alpha)
{
    if (mpq_sgn(g->rate) == 0) {
        mpfi_set_ui(out, 0);
        return;
    }
    if (mpq_cmp_ui(g->rate, 1, 1) == 0) {
        whole_moment(out, g, alpha);
        return;
    }
    mpfi_t x;
    mpfi_init2(x, mpfi_get_prec(out));
    bool ok = mpfr_cmp_ui(&alpha->left, 1) > 0 && mpfr_number_p(&alpha->right);
    ok = ok &&
         (sampled_sum(x, g, alpha) ||
          (prefers_series(g, alpha, (double)mpfi_get_prec(out)) && sampled_series(x, g, alpha)) ||
          sampled_trapezoid(x, g, alpha));
    if (!ok && mpfr_cmp_ui(&alpha->left, 1) >= 0)
        sampled_closed(x, g, alpha);
    else if (!ok)
        mpfr_set_nan(&x->right);
    mpfi_set(out, x);
    mpfi_clear(x);
}

void sampled_renyi(mpfi_t out, const sampled *g, const mpfi_t alpha)
{
    mpfi_t t;
    mpfi_init2(t, mpfi_get_prec(out));
    mpfi_sub_ui(t, alpha, 1);
    sampled_log_moment(out, g, alpha);
    mpfi_div(out, out, t);
    mpfi_clear(t);
}
