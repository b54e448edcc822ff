/* SPDX-License-Identifier: MIT */
/* The law of the loss of Laplace noise on a Poisson sample. */
#include "loss/sampled_laplace.h"

#include <math.h>

#include "loss/laplace.h"
#include "loss/sampled_laplace_parts.h"
#include "loss/sampled_profile.h"
#include "num/ival.h"
#include "num/memory.h"

static void law_clear(void *self)
{
    slm *l = self;
    for (size_t i = 0; i < l->items; i++) {
        mpq_clear(l->item[i].epsilon);
        mpq_clear(l->item[i].rate);
        mpz_clear(l->item[i].times);
        slm_rule_clear(&l->item[i].memo->rule);
        mpfi_clear(l->item[i].memo->log);
        memory_free(l->item[i].memo);
    }
    memory_free(l->item);
    memory_free(l);
}

/* A sum over a hundred points or so. */
#define NODE_FACTORS 60.0

static double law_factors(const void *self)
{
    return NODE_FACTORS * (double)((const slm *)self)->items;
}

static void law_uses(mpz_t to, const void *self)
{
    mpz_add_ui(to, to, ((const slm *)self)->items);
}

/* ---- guesses -------------------------------------------------------------------------------- */
#define PANELS 16
static const double point[5] = {-0.906179845938664, -0.5384693101056831, 0, 0.5384693101056831,
                                0.906179845938664};
static const double weight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                 0.4786286704993665, 0.2369268850561891};

static void set_guess(slm_memo *m, const slm_item *g, size_t i, double l, double mass)
{
    double log = log1p(g->q * expm1(l)), r = exp(log);
    m->loss[i] = g->add ? -log : log;
    m->mass[i] = g->add ? mass : mass * r;
    m->qmass[i] = g->add ? mass * r : mass;
}

static void set_guesses(slm_item *g)
{
    set_guess(g->memo, g, 0, -g->e, 0.5);
    set_guess(g->memo, g, 1, g->e, exp(-g->e) / 2);
    for (size_t i = 0; i < SLM_GUESSES - 2; i++) {
        double x = ((double)(i / 5) + (1 + point[i % 5]) / 2) / PANELS;
        double mass = g->e / 2 * exp(-g->e * x) * weight[i % 5] / 2 / PANELS;
        set_guess(g->memo, g, i + 2, (2 * x - 1) * g->e, mass);
    }
}

/* ln E e^(zL): where z L is small by P, where (z+1) L is by Q, else with the largest term out. */
static double guess_log(const slm_memo *m, double z, double top, double sum)
{
    double reach = fmax(fabs(m->loss[0]), fabs(m->loss[1])), near = 0;
    bool by_q = fabs(z + 1) < fabs(z);
    double step = by_q ? z + 1 : z;
    if (fabs(step) * reach > 1)
        return top + log(sum);
    for (size_t i = 0; i < SLM_GUESSES; i++)
        near += (by_q ? m->qmass[i] : m->mass[i]) * expm1(step * m->loss[i]);
    return log1p(near);
}

static void law_guess(double k[3], const void *self, double z, unsigned which)
{
    const slm *l = self;
    for (size_t n = 0; n < l->items; n++) {
        const slm_item *g = &l->item[n];
        const slm_memo *m = g->memo;
        double top = fmax(z * m->loss[0], z * m->loss[1]), sum = 0, mean = 0, square = 0;
        for (size_t i = 0; i < SLM_GUESSES; i++) {
            double w = m->mass[i] * exp(z * m->loss[i] - top);
            sum += w;
            mean += w * m->loss[i];
            square += w * m->loss[i] * m->loss[i];
        }
        mean /= sum;
        if ((which & LOSS_K) != 0)
            k[0] += g->count * guess_log(m, z, top, sum);
        if ((which & LOSS_K1) != 0)
            k[1] += g->count * mean;
        if ((which & LOSS_K2) != 0)
            k[2] += g->count * fmax(0, square / sum - mean * mean);
    }
}

static void law_guess_range(double *top, double *reach, const void *self)
{
    const slm *l = self;
    *top = HUGE_VAL; /* ln(1 - q + q e^e) is no number of ours */
    for (size_t i = 0; i < l->items; i++) {
        const slm_memo *m = l->item[i].memo;
        *reach = fmax(*reach, fmax(fabs(m->loss[0]), fabs(m->loss[1])));
    }
}

/* ---- real moments --------------------------------------------------------------------------- */
/* K is convex and at most 0 within [-1, 0], where twice K(-1/2) is below it. */
static void item_moment(mpfi_t k, const slm_item *g, const mpfi_t z, const limits *lim)
{
    slm_moment(k, g, &z->left, lim);
    if (mpfr_equal_p(&z->left, &z->right))
        return;
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(k));
    slm_moment(other, g, &z->right, lim);
    mpfi_union(k, k, other);
    if (mpfr_sgn(&z->left) < 0) {
        MPFR_DECL_INIT(middle, 8);
        mpfr_set_d(middle, -0.5, MPFR_RNDN);
        slm_moment(other, g, middle, lim);
        mpfi_mul_2ui(other, other, 1);
        mpfr_min(&k->left, &k->left, &other->left, MPFR_RNDD);
    }
    mpfi_clear(other);
}

static void law_log_moment(mpfi_t k, const void *self, const mpfi_t z, const limits *lim)
{
    const slm *l = self;
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

/* ---- closed --------------------------------------------------------------------------------- */
/* d = the profile of Laplace noise at y: 0 from e on, 1 - e^y up to -e, and slope -dd/dy, both with
 * all y of the interval on one side; else d only holds all. */
static void base_at(mpfi_t d, mpfr_t slope, const void *epsilon, const mpfi_t y)
{
    mpfi_t e, edge;
    mpfi_init2(e, mpfi_get_prec(y));
    mpfi_init2(edge, mpfi_get_prec(y));
    mpfi_set_q(e, epsilon);
    mpfi_sub(d, y, e);
    mpfi_add(edge, y, e);
    if (mpfr_sgn(&edge->right) <= 0) {
        mpfi_set(d, y);
        mpfi_exp(edge, y);
        mpfr_set(slope, &edge->left, MPFR_RNDN);
    } else {
        if (mpfr_sgn(&d->right) > 0)
            mpfr_set_zero(&d->right, 1);
        if (mpfr_sgn(&d->left) > 0)
            mpfr_set_zero(&d->left, 1);
        mpfi_div_2ui(d, d, 1);
        mpfi_exp(edge, d);
        mpfr_set(slope, &edge->left, MPFR_RNDN);
        mpfr_div_2ui(slope, slope, 1, MPFR_RNDN);
        if (mpfi_is_zero(d))
            mpfr_set_zero(slope, 1);
    }
    mpfi_expm1(d, d);
    mpfi_neg(d, d);
    mpfi_clear(edge);
    mpfi_clear(e);
}

/* The loss falls or rises with that of the noise, whose ends are atoms. */
static void law_near_top(mpfi_t to, const void *self)
{
    const slm *l = self;
    mpfi_t log, mass;
    mpfi_init2(log, mpfi_get_prec(to) + 32);
    mpfi_init2(mass, mpfi_get_prec(to) + 32);
    for (size_t i = 0; i < l->items; i++) {
        const slm_item *g = &l->item[i];
        slm_atom(log, mass, g, !g->add);
        if (g->add)
            mpfi_neg(log, log);
        ival_mul_z(log, log, g->times);
        mpfi_add(to, to, log);
    }
    mpfi_clear(mass);
    mpfi_clear(log);
}

/* One use only. */
static bool law_profile(mpfi_t s, mpfr_t slope, const void *self, const mpfi_t x)
{
    const slm *l = self;
    if (l->items != 1 || mpz_cmp_ui(l->item[0].times, 1) != 0 || !mpfr_number_p(&x->left) ||
        !mpfr_number_p(&x->right))
        return false;
    const slm_item *g = &l->item[0];
    sampled_profile(s, slope, g->rate, g->add, base_at, g->epsilon, x);
    return true;
}

static const loss_ops slm_ops = {
    .name = "sampled-laplace",
    .clear = law_clear,
    .factors = law_factors,
    .uses = law_uses,
    .guess = law_guess,
    .guess_range = law_guess_range,
    .log_moment = law_log_moment,
    .multiply = slm_multiply,
    .decay = slm_decay,
    .resonances = slm_resonances,
    .near_top = law_near_top,
    .profile = law_profile,
    .ends = &slm_ends,
};

/* ---- adding --------------------------------------------------------------------------------- */
#define MOST_GUESS 1e150

static double guess_of(const mpq_t x)
{
    return fmin(fmax(mpq_get_d(x), 1 / MOST_GUESS), MOST_GUESS);
}

static bool item_init(slm_item *g, const mpq_t epsilon, const mpq_t rate, bool add)
{
    *g = (slm_item){.add = add, .e = guess_of(epsilon), .q = guess_of(rate)};
    g->memo = memory_new(1, sizeof *g->memo);
    if (g->memo == NULL)
        return false;
    mpfi_init2(g->memo->log, 64);
    g->memo->found = false;
    g->memo->rule.bits = 0;
    mpq_init(g->epsilon);
    mpq_init(g->rate);
    mpz_init(g->times);
    mpq_set(g->epsilon, epsilon);
    mpq_set(g->rate, rate);
    set_guesses(g);
    return true;
}

/* The item of these, made where there is none; NULL: out of memory. */
static slm_item *place(slm *l, const mpq_t epsilon, const mpq_t rate, bool add)
{
    for (size_t i = 0; i < l->items; i++) {
        slm_item *g = &l->item[i];
        if (g->add == add && mpq_equal(g->epsilon, epsilon) && mpq_equal(g->rate, rate))
            return g;
    }
    if (l->items == l->room) {
        size_t room = l->room == 0 ? 4 : 2 * l->room;
        slm_item *grown = memory_grow(l->item, room, sizeof *grown);
        if (grown == NULL)
            return NULL;
        l->item = grown;
        l->room = room;
    }
    if (!item_init(&l->item[l->items], epsilon, rate, add))
        return NULL;
    return &l->item[l->items++];
}

dp_status sampled_laplace_add(product *to, const mpq_t epsilon, const mpq_t rate, const mpz_t times,
                              bool add)
{
    if (mpq_cmp_ui(epsilon, SAMPLED_LAPLACE_MOST, 1) > 0)
        return DP_DOMAIN;
    if (mpq_sgn(epsilon) == 0 || mpq_sgn(rate) == 0 || mpz_sgn(times) == 0)
        return DP_OK;
    if (mpq_cmp_ui(rate, 1, 1) == 0)
        return laplace_add(to, epsilon, times);
    slm *law = product_own(to, &slm_ops, sizeof *law);
    slm_item *item = law != NULL ? place(law, epsilon, rate, add) : NULL;
    if (item == NULL)
        return DP_MEMORY;
    mpz_add(item->times, item->times, times);
    item->count = fmin(mpz_get_d(item->times), MOST_GUESS);
    return DP_OK;
}
