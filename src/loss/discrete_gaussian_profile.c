/* SPDX-License-Identifier: MIT */
/* The privacy profile of discrete Gaussian noise, and its inverse, by sums over the noise. */
#include <math.h>

#include "loss/discrete_gaussian.h"
#include "loss/discrete_gaussian_nodes.h"
#include "num/ival.h"
#include "num/number.h"

#define LN2 0.6931471805599453

/* E_k = e^(-k^2 / (2 sigma2)), norm = sum of all. */
typedef struct noise {
    mpq_srcptr sigma2;
    mpz_srcptr distance;
    mpfr_prec_t bits;
    mpz_t far;                         /* E_far is below 2^-bits */
    mpfi_t variance, norm, fall, step; /* fall = e^(-1/sigma2), step = D / sigma2 */
    mpfi_t sum, mass, ratio, keep, part;
    mpfr_t rest;
} noise;

static void noise_init(noise *n, const mpq_t sigma2, const mpz_t distance, mpfr_prec_t bits)
{
    double variance = mpq_get_d(sigma2);
    /* terms multiply up errors of those before, and begin with differences of about a step */
    int more;
    frexp(variance, &more);
    *n = (noise){.sigma2 = sigma2, .distance = distance};
    n->bits = bits + 64 + 2 * (more > 0 ? more : 0) + discrete_gaussian_lost(variance);
    mpfi_ptr all[] = {n->variance, n->norm,  n->fall, n->step, n->sum,
                      n->mass,     n->ratio, n->keep, n->part};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(all[i], n->bits);
    mpfr_init2(n->rest, 64);
    mpz_init(n->far);
    mpz_set_d(n->far, ceil(sqrt(2 * variance * LN2 * (double)n->bits)) + 1);
    mpfi_set_q(n->variance, sigma2);
    mpfi_set_z(n->step, distance);
    mpfi_div(n->step, n->step, n->variance);
    mpfi_set_ui(n->part, 0);
    discrete_gaussian_waves(n->norm, n->fall, n->variance, n->part); /* sqrt(2 pi sigma2) theta */
    mpfi_const_pi(n->part);
    mpfi_mul(n->part, n->part, n->variance);
    mpfi_mul_2ui(n->part, n->part, 1);
    mpfi_sqrt(n->part, n->part);
    mpfi_mul(n->norm, n->norm, n->part);
    mpfi_ui_div(n->fall, 1, n->variance);
    mpfi_neg(n->fall, n->fall);
    mpfi_exp(n->fall, n->fall);
}

static void noise_clear(noise *n)
{
    mpfi_ptr all[] = {n->variance, n->norm,  n->fall, n->step, n->sum,
                      n->mass,     n->ratio, n->keep, n->part};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_clear(all[i]);
    mpfr_clear(n->rest);
    mpz_clear(n->far);
}

/* out = e^(k / (2 sigma2)) */
static void power(mpfi_t out, const noise *n, const mpz_t k)
{
    mpfi_set_z(out, k);
    mpfi_div(out, out, n->variance);
    mpfi_div_2ui(out, out, 1);
    mpfi_exp(out, out);
}

/* E_k, and its ratio to the next below, E_(k-1) / E_k = e^((2k-1) / (2 sigma2)). */
static void begin(noise *n, const mpz_t k)
{
    mpz_t at;
    mpz_init(at);
    mpz_mul(at, k, k);
    mpz_neg(at, at);
    power(n->mass, n, at);
    mpz_mul_2exp(at, k, 1);
    mpz_sub_ui(at, at, 1);
    power(n->ratio, n, at);
    mpz_clear(at);
}

/* rest >= the sum of all E_j, j < k, given E_k and a ratio below 1: these only fall further. */
static bool is_rest_small(noise *n)
{
    if (mpfr_cmp_ui(&n->ratio->right, 1) >= 0)
        return false;
    mpfr_mul(n->rest, &n->mass->right, &n->ratio->right, MPFR_RNDU);
    MPFR_DECL_INIT(left, 64);
    mpfr_ui_sub(left, 1, &n->ratio->right, MPFR_RNDD);
    mpfr_div(n->rest, n->rest, left, MPFR_RNDU);
    mpfr_div_2ui(left, &n->sum->left, (unsigned long)n->bits, MPFR_RNDD);
    return mpfr_cmp(n->rest, left) <= 0;
}

/* What lies above `far`, where the sum begins there and not at a k above it, enters its right end:
 * at most E_far r / (1 - r), r = e^-((2 far + 1) / (2 sigma2)). */
static void add_above(noise *n)
{
    mpz_t at;
    mpz_init(at);
    mpz_mul_2exp(at, n->far, 1);
    mpz_add_ui(at, at, 1);
    mpz_neg(at, at);
    power(n->part, n, at);
    mpz_clear(at);
    mpfi_ui_sub(n->keep, 1, n->part);
    mpfi_div(n->part, n->part, n->keep);
    mpfi_mul(n->part, n->part, n->mass);
    mpfr_add(&n->sum->right, &n->sum->right, &n->part->right, MPFR_RNDU);
}

/* u = e^(x - l_j), keep = 1 - u at the first j, of which the loss is l + gap: a small gap is exact.
 */
static void begin_keeping(mpfi_t u, noise *n, const mpz_t skipped, const mpfi_t gap)
{
    ival_mul_z(u, n->step, skipped);
    mpfi_add(u, u, gap);
    mpfi_neg(u, u);
    mpfi_expm1(n->keep, u);
    mpfi_neg(n->keep, n->keep);
    ival_at_least_zero(n->keep);
    mpfi_exp(u, u);
}

/* n->sum = sum of E_j (1 - e^(-gap - (k - j) step)) over j <= k, gap NULL: of E_j; divided by norm.
 * slope, where it is wanted, is about the sum of the E_j e^(..) over norm. */
static void sum_below(noise *n, mpfr_ptr slope, const mpz_t k, mpfi_srcptr gap)
{
    bool cut = mpz_cmp(k, n->far) > 0;
    mpfi_t u, turn;
    mpfi_init2(u, n->bits);
    mpfi_init2(turn, n->bits);
    mpz_t skipped;
    mpz_init(skipped);
    if (cut)
        mpz_sub(skipped, k, n->far);
    begin(n, cut ? n->far : k);
    mpfi_set_ui(n->sum, 0);
    if (cut)
        add_above(n);
    mpfi_neg(turn, n->step);
    mpfi_exp(turn, turn);
    mpfi_set_ui(n->keep, 1);
    if (gap != NULL)
        begin_keeping(u, n, skipped, gap);
    size_t left = 2 * mpz_get_ui(n->far) + 2; /* further on E_j is small beside the first */
    for (bool done = false; !done; left--) {
        mpfi_mul(n->part, n->mass, n->keep);
        mpfi_add(n->sum, n->sum, n->part);
        if (slope != NULL)
            mpfr_fma(slope, &n->mass->left, &u->left, slope, MPFR_RNDN);
        done = is_rest_small(n) || left == 0 || ival_bad(n->sum);
        mpfi_mul(n->mass, n->mass, n->ratio);
        mpfi_mul(n->ratio, n->ratio, n->fall);
        if (gap != NULL) {
            mpfi_mul(u, u, turn);
            mpfi_ui_sub(n->keep, 1, u);
        }
    }
    mpfr_add(&n->sum->right, &n->sum->right, n->rest, MPFR_RNDU);
    mpfi_div(n->sum, n->sum, n->norm);
    if (slope != NULL)
        mpfr_div(slope, slope, &n->norm->left, MPFR_RNDN);
    mpz_clear(skipped);
    mpfi_clear(turn);
    mpfi_clear(u);
}

/* l = D (D - 2k) / (2 sigma2), exactly */
static void loss_of(mpq_t l, const noise *n, const mpz_t k)
{
    mpz_mul_2exp(mpq_numref(l), k, 1);
    mpz_sub(mpq_numref(l), n->distance, mpq_numref(l));
    mpz_mul(mpq_numref(l), mpq_numref(l), n->distance);
    mpz_set_ui(mpq_denref(l), 1);
    mpq_div(l, l, n->sigma2);
    mpq_div_2exp(l, l, 1);
}

/* n->sum encloses s(x) of all x of the interval, x >= 0 but for roundings: with k the greatest at
 * which the loss may be above x, gap = l_k - x. Of a term that is negative 0 is taken. */
static void profile_from(noise *n, mpfr_ptr slope, const mpfi_t x)
{
    mpz_t k;
    mpq_t l;
    mpfi_t gap;
    mpfi_init2(gap, n->bits + mpfi_get_prec(x));
    mpz_init(k);
    mpq_init(l);
    mpfi_div(gap, x, n->step); /* k < D/2 - x / step */
    mpfi_mul_2ui(gap, gap, 1);
    mpfi_sub_z(gap, gap, n->distance);
    mpfi_neg(gap, gap);
    mpfi_div_2ui(gap, gap, 1);
    mpfr_get_z(k, &gap->right, MPFR_RNDU);
    mpz_sub_ui(k, k, 1);
    loss_of(l, n, k);
    mpfi_set_q(gap, l);
    mpfi_sub(gap, gap, x);
    mpfr_ptr low = &gap->left;
    if (mpfr_sgn(low) < 0) /* the term may be none: then it is 0 */
        mpfr_set_zero(low, 1);
    sum_below(n, slope, k, gap);
    mpq_clear(l);
    mpz_clear(k);
    mpfi_clear(gap);
}

/* s(x) = 1 - e^x + e^x s(-x) for x < 0, the pair being symmetric; of slope e^x (1 - s(-x) -
 * slope(-x)). */
static void profile_at(mpfi_t s, mpfr_t slope, noise *n, mpfr_srcptr x)
{
    mpfi_t at;
    mpfi_init2(at, mpfr_get_prec(x));
    mpfi_set_fr(at, x);
    mpfi_abs(at, at);
    mpfr_set_ui(slope, 0, MPFR_RNDN);
    profile_from(n, slope, at);
    ival_clamp_ui(n->sum, 0, 1);
    if (ival_bad(n->sum))
        mpfi_interv_si(n->sum, 0, 1);
    if (mpfr_sgn(x) < 0) { /* 1 - e^x (1 - s(-x)) */
        mpfi_ui_sub(n->sum, 1, n->sum);
        mpfr_sub(slope, &n->sum->left, slope, MPFR_RNDN);
        mpfi_set_fr(n->part, x);
        mpfi_exp(n->part, n->part);
        mpfr_mul(slope, slope, &n->part->left, MPFR_RNDN);
        mpfi_mul(n->sum, n->sum, n->part);
        mpfi_ui_sub(n->sum, 1, n->sum);
    }
    mpfi_set(s, n->sum);
    mpfi_clear(at);
}

/* The profile falls, so each end is that of an end of x. */
void discrete_gaussian_profile(mpfi_t s, mpfr_t slope, const mpq_t sigma2, const mpz_t distance,
                               const mpfi_t x)
{
    noise n;
    noise_init(&n, sigma2, distance, mpfi_get_prec(s));
    profile_at(s, slope, &n, &x->left);
    if (!mpfr_equal_p(&x->left, &x->right)) {
        mpfi_t other;
        mpfi_init2(other, mpfi_get_prec(s));
        profile_at(other, slope, &n, &x->right);
        mpfr_swap(&s->left, &other->left);
        mpfi_clear(other);
    }
    noise_clear(&n);
}

/* ---- the inverse ---------------------------------------------------------------------------- */
/* out = P[k' <= k] */
static void below(mpfi_t out, noise *n, const mpz_t k)
{
    if (mpz_sgn(k) < 0) {
        sum_below(n, NULL, k, NULL);
        mpfi_set(out, n->sum);
        return;
    }
    mpz_t other;
    mpz_init(other);
    mpz_add_ui(other, k, 1);
    mpz_neg(other, other);
    sum_below(n, NULL, other, NULL);
    mpfi_ui_sub(out, 1, n->sum);
    mpz_clear(other);
}

/* out = ln((F - delta) / G), F and G the masses of the noise up to k under P and Q: where the event
 * k' <= k has F - e^x G = delta. 1, or 0 where F <= delta, or -1 where that is not told. */
static int cut(mpfi_t out, noise *n, const mpz_t k, const mpfi_t delta)
{
    below(out, n, k);
    mpfi_sub(out, out, delta);
    if (!(mpfr_sgn(&out->left) > 0))
        return mpfr_sgn(&out->right) <= 0 ? 0 : -1;
    mpz_t moved;
    mpfi_t under;
    mpz_init(moved);
    mpfi_init2(under, n->bits);
    mpz_sub(moved, k, n->distance);
    below(under, n, moved);
    mpfi_div(out, out, under);
    mpfi_log(out, out);
    mpfi_clear(under);
    mpz_clear(moved);
    return ival_bad(out) ? -1 : 1;
}

/* Is cut(k) at least, or at most, l_j? Proved where `sure`, else about. `some` and x are what cut
 * said of k; where it is none, it is -infinity. */
static bool is_beside(const noise *n, int some, const mpfi_t x, const mpz_t j, bool least,
                      bool sure)
{
    mpq_t l;
    mpq_init(l);
    loss_of(l, n, j);
    bool told = some == 1;
    if (told && sure)
        told = least ? mpfr_cmp_q(&x->left, l) >= 0 : mpfr_cmp_q(&x->right, l) <= 0;
    else if (told)
        told = least ? mpfr_cmp_q(&x->right, l) >= 0 : mpfr_cmp_q(&x->left, l) <= 0;
    else
        told = some == 0 && !least;
    mpq_clear(l);
    return told;
}

/* About: cut(k) >= l_(k+1). */
static bool is_past(noise *n, const mpz_t k, const mpfi_t delta, mpfi_t x)
{
    mpz_t next;
    mpz_init(next);
    mpz_add_ui(next, k, 1);
    int some = cut(x, n, k, delta);
    bool past = is_beside(n, some, x, next, true, false);
    mpz_clear(next);
    return past;
}

/* With p and q the masses of k + 1, p/q = e^l_(k+1), cut(k+1) is the logarithm of the mediant of
 * (F - delta)/G and p/q: it lies between cut(k) and l_(k+1). The l_k fall, so the cuts rise with k
 * as long as cut(k) <= l_(k+1), and fall from then on. Leaves about the last k before they fall. */
static void find(mpz_t k, noise *n, const mpfi_t delta, mpfi_t x)
{
    mpz_t low, step;
    mpz_inits(low, step, NULL);
    mpz_fdiv_q_2exp(k, n->distance, 1); /* further on l_k < 0 */
    mpz_set_ui(step, 1);
    mpz_sub(low, k, step);
    while (is_past(n, low, delta, x)) {
        mpz_set(k, low);
        mpz_mul_2exp(step, step, 1);
        mpz_sub(low, low, step);
    }
    for (;;) { /* past at k, or there is no need; not at low */
        mpz_sub(step, k, low);
        if (mpz_cmp_ui(step, 1) <= 0)
            break;
        mpz_fdiv_q_2exp(step, step, 1);
        mpz_add(step, step, low);
        mpz_set(is_past(n, step, delta, x) ? k : low, step);
    }
    mpz_clears(low, step, NULL);
}

#define ASIDE 2

/* The greatest cut of k - 2 .. k + 2, and 0, is proved to be the greatest of all where cut(a) <=
 * l_a at some a of them, below which they rise, and cut(b) >= l_(b+1) at some b, beyond which they
 * fall, or l_(b+1) <= 0, beyond which no event is the best at any x >= 0. */
static bool best_cut(mpfi_t out, noise *n, const mpz_t k, const mpfi_t delta, mpfi_t x)
{
    mpz_t at, next, twice;
    mpz_inits(at, next, twice, NULL);
    bool rises = false, falls = false, told = true;
    mpfi_set_ui(out, 0);
    for (long i = -ASIDE; told && i <= ASIDE; i++) {
        mpz_set_si(at, i);
        mpz_add(at, at, k);
        mpz_add_ui(next, at, 1);
        mpz_mul_2exp(twice, next, 1);
        int some = cut(x, n, at, delta);
        told = some >= 0;
        rises = rises || is_beside(n, some, x, at, false, true);
        falls =
            falls || is_beside(n, some, x, next, true, true) || mpz_cmp(twice, n->distance) >= 0;
        if (some == 1)
            ival_take_most(out, x);
    }
    mpz_clears(at, next, twice, NULL);
    return told && rises && falls;
}

/* delta(x) = max over k of F - e^x G: the epsilon of delta is the greatest cut. */
void discrete_gaussian_epsilon(mpfi_t out, const mpq_t sigma2, const mpz_t distance,
                               const mpq_t delta)
{
    noise n;
    mpz_t k;
    mpfi_t x;
    size_t small = mpz_sizeinbase(mpq_denref(delta), 2); /* F is about as small as delta */
    noise_init(&n, sigma2, distance,
               mpfi_get_prec(out) + (mpfr_prec_t)(small < 4096 ? small : 4096));
    mpz_init(k);
    mpfi_t best, target; /* delta may be a long fraction */
    mpfi_init2(x, n.bits);
    mpfi_init2(best, n.bits);
    mpfi_init2(target, n.bits);
    mpfi_set_q(target, delta);
    find(k, &n, target, x);
    if (!best_cut(best, &n, k, target, x) || ival_bad(best)) {
        mpfi_interv_si(best, 0, 1);
        mpfr_set_inf(&best->right, 1);
    }
    mpfi_set(out, best);
    mpfi_clear(target);
    mpfi_clear(best);
    mpfi_clear(x);
    mpz_clear(k);
    noise_clear(&n);
}
