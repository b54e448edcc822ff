/* SPDX-License-Identifier: MIT */
/* The law of the loss of Gaussian noise on a Poisson sample. */
#include "loss/sampled_gaussian.h"

#include <math.h>
#include <stdlib.h>

#include "loss/gaussian.h"
#include "loss/sampled_gaussian_few.h"
#include "loss/sampled_profile.h"
#include "num/ival.h"
#include "num/memory.h"

static void law_clear(void *self)
{
    sgm *l = self;
    for (size_t i = 0; i < l->items; i++) {
        mpq_clear(l->item[i].sigma);
        mpq_clear(l->item[i].rate);
        mpz_clear(l->item[i].times);
        mpfi_clear(l->item[i].memo->log);
        memory_free(l->item[i].memo->tables);
        memory_free(l->item[i].memo);
        memory_free(l->item[i].log_part);
    }
    sgm_few_free(l->few);
    memory_free(l->item);
    memory_free(l);
}

/* A sum over a hundred nodes or so. */
#define NODE_FACTORS 4.0

static double law_factors(const void *self)
{
    const sgm *l = self;
    double sum = 0;
    for (size_t i = 0; i < l->items; i++)
        sum += NODE_FACTORS * (double)l->item[i].group;
    return sum;
}

static void law_uses(mpz_t to, const void *self)
{
    const sgm *l = self;
    for (size_t i = 0; i < l->items; i++)
        mpz_add(to, to, l->item[i].times);
}

/* ---- guesses -------------------------------------------------------------------------------- */
static void law_guess(double k[3], const void *self, double z, unsigned which)
{
    const sgm *l = self;
    (void)which;
    for (size_t i = 0; i < l->items; i++) {
        const sgm_item *g = &l->item[i];
        double own[3];
        sgm_guess(own, g, g->add ? -z : 1 + z);
        if (z == 0 || z == -1)
            own[0] = 0;
        k[0] += g->count * own[0];
        k[1] += g->count * (g->add ? -own[1] : own[1]);
        k[2] += g->count * own[2];
    }
}

#define REACH 8.0 /* standard deviations */

static void law_guess_range(double *top, double *reach, const void *self)
{
    const sgm *l = self;
    for (size_t i = 0; i < l->items; i++) {
        const sgm_item *g = &l->item[i];
        double k = (double)g->group, most = k * ((REACH + 0.5 * k / g->s) / g->s + g->log_rate);
        *top += g->add ? -g->log_rest * k * g->count : HUGE_VAL;
        *reach = fmax(*reach, fmax(fmax(most, k * log1p(g->q)), -k * g->log_rest));
    }
}

/* ---- real moments --------------------------------------------------------------------------- */
#define MOST_EXPONENT 33554432 /* of e */
#define SPARE 32               /* bits of a moment that are not worth nodes */
#define ROUGH_BITS 96          /* asked for by what bounds by a moment, of which these matter: */
#define ROUGH 20

/* k encloses ln G(p), however wide. r^p is convex for p >= 1 and p <= 0 and concave between, E r =
 * 1 and E r^p of q = 1 is e^x, x = p (p-1) / (2s^2): p >= 1 or p <= 0    0 <= ln G <= x and ln(1 -
 * q + q e^x), and G >= q^p e^x for p >= 1 and G <= (1-q)^p for p <= 0, as r >= 1 - q 0 <= p <= 1 p
 * ln(1-q) <= ln G <= 0; of groups with (1-q)^k in place of 1-q, k^2 x in place of x, and the sum of
 * w_j e^(j^2 x) in place of 1 - q + q e^x. */
static void closed_moment(mpfi_t k, const sgm_item *g, const mpfi_t p)
{
    mpfi_t x, rate, rest, part;
    mpfi_ptr all[] = {x, rate, rest, part};
    for (size_t i = 0; i < 4; i++)
        mpfi_init2(all[i], mpfi_get_prec(k));
    ival_log_q(rate, g->rate);
    ival_log1m_q(rest, g->rate);
    mpfi_mul_ui(rate, rate, g->group);
    mpfi_mul_ui(rest, rest, g->group);
    mpfi_set_q(part, g->sigma);
    mpfi_div_ui(part, part, g->group);
    mpfi_sqr(part, part);
    mpfi_mul_2ui(part, part, 1);
    mpfi_sub_ui(x, p, 1);
    mpfi_mul(x, x, p);
    mpfi_div(x, x, part);
    mpfi_set_ui(k, 0);
    if (mpfr_sgn(&x->right) <= 0) { /* 0 <= p <= 1 */
        mpfi_mul(part, p, rest);
        mpfr_set(&k->left, &part->left, MPFR_RNDD);
    } else if (mpfr_cmp_ui(&p->left, 1) < 0 && mpfr_sgn(&p->right) > 0) {
        mpfi_interv_si(k, 0, 0); /* about 0 or 1, of an interval of orders */
        mpfr_set(&k->right, &x->right, MPFR_RNDU);
        mpfi_mul(part, p, rest);
        mpfr_min(&k->left, &k->left, &part->left, MPFR_RNDD);
    } else {
        mpfr_set(&k->right, &x->right, MPFR_RNDU);
        if (mpfr_cmp_si(&x->right, MOST_EXPONENT) < 0) {
            if (g->group > 1) {
                mpfi_div_ui(part, x, g->group);
                mpfi_div_ui(part, part, g->group);
                sgm_group_moment(part, g, part);
            } else {
                mpfi_expm1(part, x);
                mpfi_mul_q(part, part, g->rate);
                mpfi_log1p(part, part);
            }
            mpfr_min(&k->right, &k->right, &part->right, MPFR_RNDU);
        }
        if (mpfr_cmp_ui(&p->left, 1) >= 0) {
            mpfi_mul(part, p, rate);
            mpfi_add(part, part, x);
            mpfr_max(&k->left, &k->left, &part->left, MPFR_RNDD);
        } else {
            mpfi_mul(part, p, rest);
            mpfr_min(&k->right, &k->right, &part->right, MPFR_RNDU);
        }
    }
    for (size_t i = 0; i < 4; i++)
        mpfi_clear(all[i]);
}

#define MOMENT_LOGS 200
/* k encloses ln M of one use at the number z */
static void moment_at(mpfi_t k, const sgm_item *g, mpfr_srcptr z, const limits *lim)
{
    if (mpfr_zero_p(z) || mpfr_cmp_si(z, -1) == 0) {
        mpfi_set_ui(k, 0);
        return;
    }
    mpfr_prec_t bits = mpfi_get_prec(k), times = (mpfr_prec_t)mpz_sizeinbase(g->times, 2);
    mpfr_exp_t size = mpfr_regular_p(z) ? labs(mpfr_get_exp(z)) : 0;
    mpfi_t p, sum;
    mpfi_init2(p, bits + 64 + (size < 4096 ? size : 0));
    mpfr_prec_t depth = bits > ROUGH_BITS ? bits - SPARE : ROUGH + times;
    mpfi_init2(sum, depth + 64);
    sgm_power(p, g, z);
    closed_moment(k, g, p);
    double c = mpfr_get_d(z, MPFR_RNDN);
    bool whole = mpfr_cmp_d(z, c) == 0, known = false;
    if (!limits_remain(lim, MOMENT_LOGS, depth))
        known = false;
    else if (whole)
        known = sgm_log_line(sum, g, c, depth, lim);
    else if (mpfr_number_p(z) && sgm_real(sum, g, p, mpfi_get_d(p), depth, lim)) {
        mpfi_log(sum, sum);
        known = true;
    }
    if (known) {
        mpfr_max(&k->left, &k->left, &sum->left, MPFR_RNDD);
        mpfr_min(&k->right, &k->right, &sum->right, MPFR_RNDU);
    }
    mpfi_clear(sum);
    mpfi_clear(p);
}

/* low = least of it and the chord of K from an end of [-1, 0] through the value k at `at`,
 * continued beyond: K is convex and 0 at both ends, so where -1 <= u <= at <= 0, K(u) >= K(at) u /
 * at, and where at <= v <= 0, K(v) >= K(at) (1+v) / (1+at). */
static void continue_chord(mpfr_t low, const mpfi_t k, mpfr_srcptr at, mpfr_srcptr end)
{
    mpfi_t x, y;
    mpfi_init2(x, mpfi_get_prec(k) + 64);
    mpfi_init2(y, mpfi_get_prec(k) + 64);
    mpfi_set_fr(x, end);
    mpfi_set_fr(y, at);
    if (mpfr_less_p(at, end)) {
        mpfi_add_ui(x, x, 1);
        mpfi_add_ui(y, y, 1);
    }
    mpfi_div(x, x, y);
    mpfi_mul(x, x, k);
    if (ival_bad(x))
        mpfr_set_inf(low, -1);
    else
        mpfr_set(low, &x->left, MPFR_RNDD);
    mpfi_clear(y);
    mpfi_clear(x);
}

/* K is convex: its ends bound it above. Below -1 <= z <= 0, where it is at most 0, by chords, or by
 * twice K(-1/2), which is below all of it. */
static void item_moment(mpfi_t k, const sgm_item *g, const mpfi_t z, const limits *lim)
{
    moment_at(k, g, &z->left, lim);
    if (mpfr_equal_p(&z->left, &z->right))
        return;
    mpfi_t other;
    MPFR_DECL_INIT(middle, 8);
    mpfr_t low, part;
    mpfi_init2(other, mpfi_get_prec(k));
    mpfr_init2(low, mpfi_get_prec(k));
    mpfr_init2(part, mpfi_get_prec(k));
    moment_at(other, g, &z->right, lim);
    if (mpfr_sgn(&z->left) < 0) {
        mpfr_set_d(middle, -0.5, MPFR_RNDN);
        if (mpfr_sgn(&z->right) < 0 && mpfr_cmp_si(&z->left, -1) > 0) {
            continue_chord(low, other, &z->right, &z->left);
            continue_chord(part, k, &z->left, &z->right);
            mpfr_max(low, low, part, MPFR_RNDD);
        } else {
            mpfr_set_inf(low, -1);
        }
        mpfi_union(k, k, other);
        moment_at(other, g, middle, lim);
        mpfr_mul_2ui(part, &other->left, 1, MPFR_RNDD);
        mpfr_max(low, low, part, MPFR_RNDD);
        mpfr_min(&k->left, &k->left, low, MPFR_RNDD);
    } else {
        mpfi_union(k, k, other);
    }
    mpfr_clear(part);
    mpfr_clear(low);
    mpfi_clear(other);
}

static void law_log_moment(mpfi_t k, const void *self, const mpfi_t z, const limits *lim)
{
    const sgm *l = self;
    mpfi_t one;
    mpfi_init2(one, mpfi_get_prec(k));
    mpfi_set_ui(k, 0);
    for (size_t i = 0; i < l->items; i++) {
        item_moment(one, &l->item[i], z, lim);
        ival_mul_z(one, one, l->item[i].times);
        mpfi_add(k, k, one);
    }
    mpfi_clear(one);
}

/* ---- exact and closed ----------------------------------------------------------------------- */
/* An added record makes no outcome more than 1/(1-q) times as likely, and nears that. */
static bool law_top(logform *to, const void *self)
{
    const sgm *l = self;
    mpq_t times, rest;
    mpq_inits(times, rest, NULL);
    bool ok = true;
    for (size_t i = 0; ok && i < l->items; i++) {
        const sgm_item *g = &l->item[i];
        mpz_sub(mpq_numref(rest), mpq_denref(g->rate), mpq_numref(g->rate));
        mpz_set(mpq_denref(rest), mpq_denref(g->rate));
        mpq_canonicalize(rest);
        mpq_inv(rest, rest);
        mpq_set_z(times, g->times);
        mpz_mul_ui(mpq_numref(times), mpq_numref(times), g->group);
        ok = g->add && logform_add_log(to, times, rest);
    }
    mpq_clears(times, rest, NULL);
    return ok;
}

/* The profile of the Gaussian, which falls. */
static void base_at(mpfi_t d, mpfr_t slope, const void *mu_squared, const mpfi_t y)
{
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(d));
    gaussian_profile_at(d, slope, mu_squared, &y->left);
    gaussian_profile_at(other, slope, mu_squared, &y->right);
    mpfr_swap(&d->left, &other->left);
    mpfi_clear(other);
}

static double law_terms(const void *self)
{
    const sgm *l = self;
    return l->items == 1 && l->item[0].group > 1 && mpz_cmp_ui(l->item[0].times, 1) == 0
               ? 1
               : sgm_few_terms(l);
}

static void law_limit(const void *self, const limits *lim)
{
    const sgm *l = self;
    sgm_few_limit(l->few, lim);
}

/* The moments of rare large losses say little of where they are. */
static bool law_places(double *low, double *high, const void *self, double log_s)
{
    const sgm *l = self;
    double uses = 0;
    for (size_t i = 0; i < l->items; i++)
        uses += l->item[i].count;
    if (l->item[0].add || (sgm_few_terms(l) == HUGE_VAL && !sgm_few_has_window(l)))
        return false;
    *low = sgm_few_place(l, log_s);
    *high = sgm_few_has_window(l) ? *low : *low * uses;
    return true;
}

static bool law_profile(mpfi_t s, mpfr_t slope, const void *self, const mpfi_t x)
{
    const sgm *l = self;
    if (!mpfr_number_p(&x->left) || !mpfr_number_p(&x->right) || law_terms(l) == HUGE_VAL)
        return false;
    if (l->items != 1 || mpz_cmp_ui(l->item[0].times, 1) != 0)
        return sgm_few_profile(s, slope, l, x);
    const sgm_item *g = &l->item[0];
    if (g->group > 1)
        return sgm_group_profile(s, slope, g, x);
    mpq_t mu;
    mpq_init(mu);
    mpq_mul(mu, g->sigma, g->sigma);
    mpq_inv(mu, mu);
    sampled_profile(s, slope, g->rate, g->add, base_at, mu, x);
    mpq_clear(mu);
    return true;
}

static const loss_ops sgm_ops = {
    .name = "sampled-gaussian",
    .clear = law_clear,
    .factors = law_factors,
    .uses = law_uses,
    .guess = law_guess,
    .guess_range = law_guess_range,
    .log_moment = law_log_moment,
    .multiply = sgm_multiply,
    .decay = sgm_decay,
    .near_decay = sgm_decay_guess,
    .near_atom = sgm_near_atom,
    .decay_beside = sgm_decay_beside,
    .top = law_top,
    .profile = law_profile,
    .terms = law_terms,
    .places = law_places,
    .limit = law_limit,
};

/* ---- adding --------------------------------------------------------------------------------- */
#define MOST_GUESS 1e150

static double guess_of(const mpq_t x)
{
    return fmin(fmax(mpq_get_d(x), 1 / MOST_GUESS), MOST_GUESS);
}

static void item_init(sgm_item *g, const mpq_t sigma, const mpq_t rate, bool add)
{
    g->group = 1;
    g->log_part = NULL;
    mpq_init(g->sigma);
    mpq_init(g->rate);
    mpz_init(g->times);
    mpq_set(g->sigma, sigma);
    mpq_set(g->rate, rate);
    g->add = add;
    g->s = guess_of(sigma);
    g->q = guess_of(rate);
    mpfi_t part;
    mpfi_init2(part, 64);
    ival_log_q(part, rate);
    g->log_rate = mpfi_get_d(part);
    ival_log1m_q(part, rate);
    g->log_rest = mpfi_get_d(part);
    mpfi_clear(part);
}

/* The terms of r for guesses. */
static bool set_group(sgm_item *g, unsigned long group)
{
    g->group = group;
    if (group == 1)
        return true;
    g->log_part = memory_new(group + 1, sizeof *g->log_part);
    double log_ways = 0;
    for (unsigned long j = 0; g->log_part != NULL && j <= group; j++) {
        double in = (double)j, out = (double)(group - j);
        g->log_part[j] =
            log_ways + in * g->log_rate + out * g->log_rest - in * in / (2 * g->s * g->s);
        log_ways += log(out / (in + 1));
    }
    return g->log_part != NULL;
}

#define MOST_TABLES 8 /* of some 40 KB */

/* The item of these, made where there is none; NULL: out of memory. */
static sgm_item *place(sgm *l, const mpq_t sigma, const mpq_t rate, unsigned long group, bool add)
{
    for (size_t i = 0; i < l->items; i++) {
        sgm_item *g = &l->item[i];
        if (g->add == add && g->group == group && mpq_equal(g->sigma, sigma) &&
            mpq_equal(g->rate, rate))
            return g;
    }
    if (l->items == l->room) {
        size_t room = l->room == 0 ? 4 : 2 * l->room;
        sgm_item *grown = memory_grow(l->item, room, sizeof *grown);
        if (grown == NULL)
            return NULL;
        l->item = grown;
        l->room = room;
    }
    if (l->few == NULL && (l->few = sgm_few_new()) == NULL)
        return NULL;
    sgm_memo *memo = memory_zero(1, sizeof *memo);
    if (memo == NULL)
        return NULL;
    mpfi_init2(memo->log, 64);
    sgm_item *made = &l->item[l->items++];
    item_init(made, sigma, rate, add);
    made->memo = memo;
    if (l->items <= MOST_TABLES && (memo->tables = sgm_tables_new()) == NULL)
        return NULL;
    return set_group(made, group) ? made : NULL;
}

/* All k records are in every sample: they move the sum by k. */
static dp_status add_gaussian(product *to, const mpq_t sigma, unsigned long group,
                              const mpz_t times)
{
    mpq_t mu;
    mpq_init(mu);
    mpq_set_ui(mu, group, 1);
    mpq_div(mu, mu, sigma);
    mpq_mul(mu, mu, mu);
    dp_status status = gaussian_add(to, mu, times);
    mpq_clear(mu);
    return status;
}

dp_status sampled_gaussian_add_group(product *to, const mpq_t sigma, const mpq_t rate,
                                     unsigned long group, const mpz_t times, bool add)
{
    if (mpq_sgn(rate) == 0 || mpz_sgn(times) == 0)
        return DP_OK;
    if (mpq_cmp_ui(rate, 1, 1) == 0)
        return add_gaussian(to, sigma, group, times);
    sgm *law = product_own(to, &sgm_ops, sizeof *law);
    sgm_item *item = law != NULL ? place(law, sigma, rate, group, add) : NULL;
    if (item == NULL)
        return DP_MEMORY;
    mpz_add(item->times, item->times, times);
    item->count = fmin(mpz_get_d(item->times), MOST_GUESS);
    return DP_OK;
}

dp_status sampled_gaussian_add(product *to, const mpq_t sigma, const mpq_t rate, const mpz_t times,
                               bool add)
{
    return sampled_gaussian_add_group(to, sigma, rate, 1, times, add);
}
