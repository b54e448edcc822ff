/* SPDX-License-Identifier: MIT */
/* The profile of two equal uses of the sampled Gaussian, by one integral of closed forms. With m =
 * 1/(s sqrt 2), y1,2 = (a +- b)/sqrt 2 and X = q e^(m (a - m)), both a and b standard normal,
 *     r(y1) r(y2) = (1-q + X e^(mb)) (1-q + X e^(-mb)),
 * which increases with a and is E at a(b) = m + ln(D / (q (C + sqrt(C^2 + D)))) / m, where C =
 * (1-q) cosh(mb), D = E - (1-q)^2 > 0. Removed, E = e^x, Q(t) = Phi(-t): s(x) = integral of f,   f
 * = phi(b) integral over a > a(b) of phi(a) (r r - E) = phi(b) (q^2 Q(a - 2m) + 2 q (1-q)
 * e^(-m^2/2) cosh(mb) Q(a - m) - D Q(a)), even in b. Added, E = e^-x: the integral of -f/E with Phi
 * for Q, that of (1 - r r/E) over a < a(b). On b = beta + i eta, theta = m |eta| < pi/2: a(b) is
 * analytic, for C^2 + D = 0 asks for real cosh(mb)^2 - 1 < -1. The arguments of both factors of E
 * sum to 0, so m |Im a(b)| = theta is impossible but at eta = 0, and |Im a(b)| <= |eta|. Hence on
 * Im a = Im a(b), |phi(a) phi(b)| <= phi(Re a) phi(beta) e^(eta^2) and |r r| <= r r at the real
 * parts. With angles of at most 2 theta, cos(theta)^2 (1-q + |X| e^(m beta)) (1-q + |X| e^(-m
 * beta)) <= E <= the same without the cosine: a(beta) <= Re a(b), and r r <= E / cos(theta)^2 at Re
 * a(b) and beta. So |f| has an integral on Im b = eta of at most e^(eta^2) V, V the integral of f
 * with + E for - E, and of f/E where added of at most e^(eta^2) (1 + 1/cos(theta)^2): the
 * trapezoidal rule of step h misses at most twice that over e^(2 pi eta/h) - 1, of V too. Nodes
 * beyond B >= m add at most 2
 * ((1-q)^2 + q^2) Q(B) + 2 q (1-q) (Q(B - m) + Q(B + m)), twice that to V; added, 2 Q(B). */
#include <math.h>

#include "loss/gaussian_tails.h"
#include "loss/sampled_gaussian_few.h"
#include "num/ival.h"

typedef struct two_plan {
    double h, edge; /* eta, short as h */
    int64_t last;   /* B = last h */
    mpfr_prec_t work;
} two_plan;

/* ---- plans, which choose -------------------------------------------------------------------- */
#define ROUGH_DEPTH 14.0
#define ROUGH_RANGE 38.0 /* where phi is 0 in doubles */
#define SPARE_BITS 40
#define TRIALS 40
#define MOST_NODES 1e6
#define LEAST_D 1e-20     /* of the rate */
#define NODE_SECONDS 1e-4 /* at 128 bits */

static double short_of(double x)
{
    int exponent;
    double m = frexp(x, &exponent);
    return ldexp(floor(ldexp(m, 20)), exponent - 20);
}

static double near_move(const sgm_item *g)
{
    return M_SQRT1_2 / g->s;
}

/* The largest step is that of an edge of about sqrt(depth), or of the widest there is. */
static void plan_step(two_plan *plan, const sgm_item *g, double depth)
{
    double widest = fmin(0.997 * M_PI_2 / near_move(g), 8 * sqrt(depth));
    plan->h = 0;
    for (int i = 0; i < TRIALS; i++) {
        double edge = short_of(widest * exp(-0.07 * i)), all = depth;
        if (g->add)
            all += log1p(1 / pow(cos(edge * near_move(g)), 2));
        double h = 2 * M_PI * edge / (all + edge * edge);
        if (h > plan->h) {
            plan->h = short_of(h);
            plan->edge = edge;
        }
    }
}

/* What is about known of s and its terms: logarithms. */
typedef struct two_size {
    double s, whole, part; /* of V, or of the whole where added; of D over q */
} two_size;

static double tail_of(double t)
{
    return erfc(t * M_SQRT1_2) / 2;
}

static two_size near_size(const sgm_item *g, double x)
{
    double sign = g->add ? -1 : 1, m = near_move(g), q = g->q, rest = 1 - q;
    /* next to the end of the losses it may be lost in rounding */
    double d = fmax(expm1(sign * x) + q * (2 - q), LEAST_D * q), sum = 0, none = 0;
    two_plan plan;
    plan_step(&plan, g, ROUGH_DEPTH);
    double far = exp(-m * m / 2), most = ROUGH_RANGE + m;
    if (!(most < MOST_NODES * plan.h))
        return (two_size){.s = NAN};
    for (double b = 0; b <= most; b += plan.h) {
        double c = rest * cosh(b * m), phi = (b > 0 ? 2 : 1) * exp(-b * b / 2);
        double a = sign * (m + (log(d / q) - log(c + hypot(c, sqrt(d)))) / m);
        double alone = d * tail_of(a), one = 2 * q * c * far * tail_of(a - sign * m);
        sum += phi * sign * (q * q * tail_of(a - 2 * sign * m) + one - alone);
        none += phi * tail_of(a);
    }
    double unit = plan.h / sqrt(2 * M_PI), e = exp(x);
    two_size size = {.part = log(d / q)};
    size.s = log(fmax(sum * unit * (g->add ? e : 1), 1e-300));
    size.whole = g->add ? log(d * e * none * unit) : log(2 * e * none * unit + exp(size.s));
    size.whole = fmax(size.s, fmin(size.whole, size.s + 500));
    return size;
}

/* To about 2^-bits of s. */
static void plan_two(two_plan *plan, const sgm_item *g, const two_size *size, double bits)
{
    double small = bits * M_LN2 + 4, m = near_move(g), range = small - size->s;
    plan_step(plan, g, small - size->s + (g->add ? 0 : size->whole));
    double edge = sqrt(2 * range);
    if (!g->add)
        edge = fmax(edge, m + sqrt(2 * fmax(0, range + g->log_rate)));
    plan->last = (int64_t)fmin(ceil(edge / plan->h) + 1, MOST_NODES);
    double lost = (size->whole - size->s + fmax(0, -size->part)) / M_LN2;
    plan->work = (mpfr_prec_t)(bits + lost) + SPARE_BITS;
}

/* ---- nodes ---------------------------------------------------------------------------------- */
typedef struct two {
    bool add;
    gaussian_tails tails;
    mpfi_t q, rest, m, e, d, log;              /* 1 - q, E, D, ln(D/q) */
    mpfi_t far;                                /* 2 q (1-q) e^(-m^2/2) */
    mpfi_t b, c, a, part, one, phi, sum, none; /* the sums of f and of phi Q(a) */
} two;

#define OWN 15
#define ALL(w)                                                                                     \
    {                                                                                              \
        (w)->q, (w)->rest, (w)->m, (w)->e, (w)->d, (w)->log, (w)->far, (w)->b, (w)->c, (w)->a,     \
            (w)->part, (w)->one, (w)->phi, (w)->sum, (w)->none                                     \
    }

/* False: out of memory; cleared then all the same. */
static bool two_init(two *w, const sgm_item *g, mpfr_srcptr x, mpfr_prec_t work)
{
    mpfi_ptr all[OWN] = ALL(w);
    for (size_t i = 0; i < OWN; i++)
        mpfi_init2(all[i], work);
    w->add = g->add;
    mpfi_set_q(w->q, g->rate);
    mpfi_ui_sub(w->rest, 1, w->q);
    mpfi_set_q(w->m, g->sigma);
    mpfi_sqr(w->m, w->m);
    mpfi_mul_2ui(w->m, w->m, 1);
    mpfi_sqrt(w->m, w->m);
    mpfi_ui_div(w->m, 1, w->m);
    mpfi_set_fr(w->part, x);
    if (g->add)
        mpfi_neg(w->part, w->part);
    ival_expm1(w->d, w->part);
    mpfi_add_ui(w->e, w->d, 1);
    mpfi_add_ui(w->part, w->rest, 1);
    mpfi_mul(w->part, w->part, w->q); /* 1 - (1-q)^2 */
    mpfi_add(w->d, w->d, w->part);
    mpfi_div(w->log, w->d, w->q);
    mpfi_log(w->log, w->log);
    mpfi_sqr(w->far, w->m);
    mpfi_div_2ui(w->far, w->far, 1);
    mpfi_neg(w->far, w->far);
    mpfi_exp(w->far, w->far);
    mpfi_mul(w->far, w->far, w->q);
    mpfi_mul(w->far, w->far, w->rest);
    mpfi_mul_2ui(w->far, w->far, 1);
    mpfi_set_ui(w->sum, 0);
    mpfi_set_ui(w->none, 0);
    return gaussian_tails_init(&w->tails, work);
}

static void two_clear(two *w)
{
    mpfi_ptr all[OWN] = ALL(w);
    for (size_t i = 0; i < OWN; i++)
        mpfi_clear(all[i]);
    gaussian_tails_clear(&w->tails);
}

/* out = Q(a - k m), or Phi of it where added */
static void set_part(mpfi_t out, two *w, unsigned long k)
{
    mpfi_mul_ui(w->b, w->m, k);
    mpfi_sub(w->b, w->a, w->b);
    if (w->add)
        mpfi_neg(w->b, w->b);
    gaussian_tail(out, &w->tails, w->b);
}

/* Adds the node jh and, where j > 0, the one at -jh: sqrt(2 pi) of them. */
static void add_node(two *w, const two_plan *plan, int64_t j)
{
    mpfi_set_d(w->b, plan->h * (double)j); /* 20 bits times fewer than 2^20: exact */
    mpfi_sqr(w->phi, w->b);
    mpfi_div_2ui(w->phi, w->phi, 1);
    mpfi_neg(w->phi, w->phi);
    sgm_exp(w->phi);
    if (j > 0)
        mpfi_mul_2ui(w->phi, w->phi, 1);
    mpfi_mul(w->part, w->b, w->m);
    sgm_exp(w->part);
    mpfi_ui_div(w->c, 1, w->part);
    mpfi_add(w->c, w->c, w->part);
    mpfi_div_2ui(w->c, w->c, 1); /* cosh */
    mpfi_mul(w->part, w->c, w->rest);
    mpfi_sqr(w->a, w->part);
    mpfi_add(w->a, w->a, w->d);
    mpfi_sqrt(w->a, w->a);
    mpfi_add(w->a, w->a, w->part);
    sgm_log(w->a);
    mpfi_sub(w->a, w->log, w->a);
    mpfi_div(w->a, w->a, w->m);
    mpfi_add(w->a, w->a, w->m);
    set_part(w->one, w, 1);
    mpfi_mul(w->one, w->one, w->far);
    mpfi_mul(w->one, w->one, w->c);
    set_part(w->part, w, 2);
    mpfi_mul(w->part, w->part, w->q);
    mpfi_mul(w->part, w->part, w->q);
    mpfi_add(w->one, w->one, w->part);
    set_part(w->part, w, 0);
    mpfi_mul(w->c, w->part, w->d);
    mpfi_sub(w->one, w->one, w->c);
    mpfi_mul(w->one, w->one, w->phi);
    mpfi_add(w->sum, w->sum, w->one);
    mpfi_mul(w->part, w->part, w->phi);
    mpfi_add(w->none, w->none, w->part);
}

/* ---- errors --------------------------------------------------------------------------------- */
/* out >= what is missed, over V or, where added, at all; false where the strip is too wide. */
static bool set_missed(mpfi_t out, two *w, const two_plan *plan)
{
    mpfi_t part;
    mpfi_init2(part, FEW_BITS);
    mpfi_const_pi(part);
    mpfi_mul_d(part, part, plan->edge);
    mpfi_div_d(part, part, plan->h);
    mpfi_mul_2ui(part, part, 1);
    mpfi_expm1(out, part);
    mpfi_set_d(part, plan->edge);
    mpfi_sqr(part, part);
    mpfi_exp(part, part);
    mpfi_mul_2ui(part, part, 1);
    mpfi_div(out, part, out);
    mpfi_mul_d(part, w->m, plan->edge); /* theta */
    bool ok = mpfr_cmp_d(&part->right, 1.570796) < 0 && plan->edge > 0 && plan->h > 0;
    mpfi_cos(part, part);
    mpfi_sqr(part, part);
    mpfi_ui_div(part, 1, part);
    mpfi_add_ui(part, part, 1);
    if (w->add)
        mpfi_mul(out, out, part);
    mpfi_clear(part);
    return ok && !ival_bad(out);
}

/* out >= what is left out beyond the last node; false where that is too near */
static bool set_cut(mpfi_t out, two *w, const two_plan *plan)
{
    mpfi_t far, part;
    mpfi_init2(far, FEW_BITS);
    mpfi_init2(part, FEW_BITS);
    mpfi_set_d(far, plan->h * (double)plan->last);
    gaussian_tail(out, &w->tails, far);
    bool ok = w->add || mpfr_greaterequal_p(&far->left, &w->m->right);
    if (!w->add) { /* (1-q)^2 + q^2 <= 1 */
        mpfi_sub(part, far, w->m);
        mpfi_add(far, far, w->m);
        gaussian_tail(part, &w->tails, part);
        gaussian_tail(far, &w->tails, far);
        mpfi_add(part, part, far);
        mpfi_mul(part, part, w->q);
        mpfi_add(out, out, part);
    }
    mpfi_mul_2ui(out, out, 1);
    mpfi_clear(part);
    mpfi_clear(far);
    return ok;
}

/* s and the slope from the sums */
static bool settle(mpfi_t s, mpfr_t slope, two *w, const two_plan *plan)
{
    mpfi_t missed, cut, whole;
    mpfi_ptr all[] = {missed, cut, whole};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], FEW_BITS);
    bool ok = set_missed(missed, w, plan) && set_cut(cut, w, plan);
    mpfi_const_pi(w->part);
    mpfi_mul_2ui(w->part, w->part, 1);
    mpfi_sqrt(w->part, w->part);
    mpfi_d_div(w->part, plan->h, w->part);
    mpfi_mul(w->sum, w->sum, w->part);
    mpfi_mul(w->none, w->none, w->part);
    if (w->add) {
        mpfi_neg(w->sum, w->sum);
        mpfi_div(w->sum, w->sum, w->e);
        mpfr_sub(slope, &w->none->left, &w->sum->left, MPFR_RNDN);
    } else {
        mpfi_mul(w->none, w->none, w->e);
        mpfr_set(slope, &w->none->left, MPFR_RNDN);
        mpfi_add(whole, w->none, cut);
        mpfi_mul_2ui(whole, whole, 1);
        mpfi_add(whole, whole, w->sum);
        mpfi_ui_sub(w->part, 1, missed);
        ok = ok && mpfr_sgn(&w->part->left) > 0;
        mpfi_div(whole, whole, w->part); /* V */
        mpfi_mul(missed, missed, whole);
    }
    mpfi_set(s, w->sum);
    mpfr_add(&cut->right, &cut->right, &missed->right, MPFR_RNDU);
    mpfr_add(&s->right, &s->right, &cut->right, MPFR_RNDU);
    mpfr_sub(&s->left, &s->left, &missed->right, MPFR_RNDD);
    ok = ok && !ival_bad(s);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
    return ok;
}

static bool sum_up(mpfi_t s, mpfr_t slope, const sgm_item *g, mpfr_srcptr x, const two_plan *plan,
                   const limits *lim)
{
    two w;
    bool ok = two_init(&w, g, x, plan->work) && mpfr_sgn(&w.d->left) > 0;
    for (int64_t j = 0; ok && j <= plan->last; j++) {
        add_node(&w, plan, j);
        ok = j % 16 != 15 || lim == NULL || !limits_expired(lim);
    }
    ok = ok && settle(s, slope, &w, plan);
    two_clear(&w);
    return ok;
}

/* By how many bits s is wider than a relative 2^-bits. */
static double bits_short(const mpfi_t s, double bits)
{
    MPFR_DECL_INIT(part, FEW_BITS);
    if (!(mpfr_sgn(&s->left) > 0))
        return 30;
    mpfr_sub(part, &s->right, &s->left, MPFR_RNDU);
    mpfr_div(part, part, &s->left, MPFR_RNDU);
    mpfr_log2(part, part, MPFR_RNDU);
    return fmin(bits + mpfr_get_d(part, MPFR_RNDU), 200);
}

#define LOOKS 8

bool sgm_two_profile(mpfi_t s, mpfr_t slope, const sgm_item *g, mpfr_srcptr x, double bits,
                     const limits *lim)
{
    two_size size = near_size(g, mpfr_get_d(x, MPFR_RNDN));
    double more = 0;
    for (int i = 0; i < LOOKS && isfinite(size.s) && isfinite(size.whole); i++) {
        two_plan plan;
        plan_two(&plan, g, &size, bits + more);
        double seconds = NODE_SECONDS * (double)plan.last * (double)plan.work / 128;
        if (lim != NULL && seconds > limits_left(lim)) {
            limits_note(lim, DP_MET_TIME);
            return false;
        }
        if (!sum_up(s, slope, g, x, &plan, lim))
            return false;
        double lacks = bits_short(s, bits);
        if (lacks <= 0)
            return true;
        more += lacks + 2;
    }
    return false;
}
