/* SPDX-License-Identifier: MIT */
/* The law of the loss of Gaussian noise: all of it is one normal law. */
#include <math.h>

#include "loss/gaussian.h"
#include "loss/line.h"
#include "num/memory.h"

typedef struct gaussian {
    mpq_t mu_squared;
    double guess; /* mu^2, within the squares of doubles */
} gaussian;

static void law_clear(void *self)
{
    gaussian *g = self;
    mpq_clear(g->mu_squared);
    memory_free(g);
}

static double law_factors(const void *self)
{
    (void)self;
    return 1;
}

/* However many there were, they are one. */
static void law_uses(mpz_t to, const void *self)
{
    (void)self;
    mpz_add_ui(to, to, 1);
}

static void law_guess(double k[3], const void *self, double z, unsigned which)
{
    const gaussian *g = self;
    if ((which & LOSS_K) != 0)
        k[0] += g->guess / 2 * z * (z + 1);
    if ((which & LOSS_K1) != 0)
        k[1] += g->guess * (z + 0.5);
    if ((which & LOSS_K2) != 0)
        k[2] += g->guess;
}

#define REACH 8.0 /* standard deviations */

static void law_guess_range(double *top, double *reach, const void *self)
{
    const gaussian *g = self;
    *top = HUGE_VAL;
    *reach = fmax(*reach, g->guess / 2 + REACH * sqrt(g->guess));
}

/* out = mu^2 z(z+1)/2 at the number z, from which z + 1 is formed exactly or to all bits of out */
static void moment_at(mpfi_t out, const gaussian *g, mpfr_srcptr z)
{
    mpfi_t factor;
    mpfi_init2(factor, mpfi_get_prec(out));
    mpfr_add_ui(&out->left, z, 1, MPFR_RNDD);
    mpfr_add_ui(&out->right, z, 1, MPFR_RNDU);
    mpfi_mul_fr(out, out, z);
    mpfi_set_q(factor, g->mu_squared);
    mpfi_mul(out, out, factor);
    mpfi_div_2ui(out, out, 1);
    mpfi_clear(factor);
}

/* K is a parabola with its least value at -1/2. */
static void law_log_moment(mpfi_t k, const void *self, const mpfi_t z, const limits *lim)
{
    (void)lim;
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(k));
    moment_at(k, self, &z->left);
    if (!mpfr_equal_p(&z->left, &z->right)) {
        moment_at(other, self, &z->right);
        mpfi_union(k, k, other);
        if (mpfr_cmp_d(&z->left, -0.5) < 0 && mpfr_cmp_d(&z->right, -0.5) > 0) {
            mpfr_set_d(&other->left, -0.5, MPFR_RNDN);
            mpfr_set_d(&other->right, -0.5, MPFR_RNDN);
            mpfi_t least;
            mpfi_init2(least, mpfi_get_prec(k));
            moment_at(least, self, &other->left);
            mpfi_union(k, k, least);
            mpfi_clear(least);
        }
    }
    mpfi_clear(other);
}

typedef struct node_work {
    mpfi_t mu_squared, lean, t, x, theta; /* lean = 2c + 1 */
} node_work;

static void node_work_init(node_work *w, const gaussian *g, const line *at)
{
    mpfi_t *all[] = {&w->mu_squared, &w->lean, &w->t, &w->x, &w->theta}, highest;
    mpfi_init2(highest, 64);
    line_height(highest, at, at->last);
    /* the angle, about mu^2 t (|c| + 1), is wanted to an absolute error */
    double angle = log2(fmax(g->guess, 1)) + log2(fabs(at->c) + 1);
    mpfr_exp_t whole = mpfr_regular_p(&highest->right) ? mpfr_get_exp(&highest->right) : 0;
    whole += (mpfr_exp_t)angle;
    mpfi_clear(highest);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfi_init2(*all[i], at->work + 16 + (whole > 0 ? whole : 0));
    mpfi_set_q(w->mu_squared, g->mu_squared);
    mpfi_set_d(w->lean, at->c);
    mpfi_mul_2ui(w->lean, w->lean, 1);
    mpfi_add_ui(w->lean, w->lean, 1);
}

static void node_work_clear(node_work *w)
{
    mpfi_clear(w->mu_squared);
    mpfi_clear(w->lean);
    mpfi_clear(w->t);
    mpfi_clear(w->x);
    mpfi_clear(w->theta);
}

/* z(z+1) - c(c+1) = -t^2 + i t (2c+1) */
static dp_status law_multiply(cball *phi, const void *self, const line *at, const uint64_t *node,
                              size_t count, const limits *lim)
{
    node_work w;
    cball factor;
    dp_status status = DP_OK;
    node_work_init(&w, self, at);
    cball_init(&factor, at->work);
    for (size_t i = 0; status == DP_OK && i < count; i++) {
        line_height(w.t, at, node[i]);
        mpfi_mul(w.theta, w.mu_squared, w.t);
        mpfi_mul(w.x, w.theta, w.t);
        mpfi_mul(w.theta, w.theta, w.lean);
        mpfi_div_2ui(w.theta, w.theta, 1);
        mpfi_div_2ui(w.x, w.x, 1);
        mpfi_neg(w.x, w.x);
        cball_exp(&factor, w.x, w.theta);
        cball_mul(&phi[i], &phi[i], &factor);
        if (limits_expired(lim))
            status = DP_LIMIT;
    }
    cball_clear(&factor);
    node_work_clear(&w);
    return status;
}

static dp_status law_blocks(block_law *out, const void *self, const block_line *at)
{
    return gaussian_blocks(out, ((const gaussian *)self)->mu_squared, at);
}

/* mu^2 t^2 / 2, rounded down throughout */
static void law_decay(mpfr_t low, const void *self, double c, mpfr_srcptr t)
{
    (void)c;
    const gaussian *g = self;
    mpfr_t square;
    mpfr_init2(square, mpfr_get_prec(low));
    mpfr_sqr(square, t, MPFR_RNDD);
    mpfr_set_q(low, g->mu_squared, MPFR_RNDD);
    mpfr_mul(low, low, square, MPFR_RNDD);
    mpfr_div_2ui(low, low, 1, MPFR_RNDD);
    mpfr_clear(square);
}

static size_t law_resonances(scan_item *out, size_t room, const void *self, const line *at)
{
    (void)out;
    (void)room;
    (void)self;
    (void)at;
    return 0;
}

static bool law_top(logform *to, const void *self)
{
    (void)to;
    (void)self;
    return false;
}

/* The profile falls, so each end is that of an end of x. */
static bool law_profile(mpfi_t s, mpfr_t slope, const void *self, const mpfi_t x)
{
    if (!mpfr_number_p(&x->left) || !mpfr_number_p(&x->right))
        return false;
    const gaussian *g = self;
    gaussian_profile_at(s, slope, g->mu_squared, &x->left);
    if (mpfr_equal_p(&x->left, &x->right))
        return true;
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(s));
    gaussian_profile_at(other, slope, g->mu_squared, &x->right);
    mpfr_swap(&s->left, &other->left);
    mpfi_clear(other);
    return true;
}

static const loss_ops gaussian_ops = {
    .name = "gaussian",
    .clear = law_clear,
    .symmetric = true,
    .factors = law_factors,
    .uses = law_uses,
    .guess = law_guess,
    .guess_range = law_guess_range,
    .log_moment = law_log_moment,
    .multiply = law_multiply,
    .blocks = law_blocks,
    .decay = law_decay,
    .resonances = law_resonances,
    .top = law_top,
    .profile = law_profile,
};

#define MOST_GUESS 1e150 /* its square is a double */

dp_status gaussian_add(product *to, const mpq_t mu_squared, const mpz_t times)
{
    if (mpq_sgn(mu_squared) == 0 || mpz_sgn(times) == 0)
        return DP_OK;
    loss *held = product_find(to, &gaussian_ops);
    if (held == NULL) {
        gaussian *made = memory_new(1, sizeof *made);
        if (made == NULL)
            return DP_MEMORY;
        mpq_init(made->mu_squared);
        dp_status status = product_take(to, (loss){&gaussian_ops, made});
        if (status != DP_OK)
            return status;
        held = &to->item[to->count - 1];
    }
    gaussian *g = held->self;
    mpq_t all;
    mpq_init(all);
    mpq_set_z(all, times);
    mpq_mul(all, all, mu_squared);
    mpq_add(g->mu_squared, g->mu_squared, all);
    mpq_clear(all);
    g->guess = fmin(mpq_get_d(g->mu_squared), MOST_GUESS);
    return DP_OK;
}

bool gaussian_of(mpq_t mu_squared, const product *p)
{
    const loss *held = product_find(p, &gaussian_ops);
    mpq_set_ui(mu_squared, 0, 1);
    if (held != NULL)
        mpq_set(mu_squared, ((const gaussian *)held->self)->mu_squared);
    return held != NULL;
}

/* ---- other routes --------------------------------------------------------------------------- */
void gaussian_kl(mpq_t out, const mpq_t mu_squared)
{
    mpq_div_2exp(out, mu_squared, 1);
}

void gaussian_renyi(mpfi_t out, const mpq_t mu_squared, const mpfi_t alpha)
{
    mpfi_t half;
    mpfi_init2(half, mpfi_get_prec(out));
    mpfi_set_q(half, mu_squared);
    mpfi_div_2ui(half, half, 1);
    mpfi_mul(out, alpha, half);
    mpfi_clear(half);
}
