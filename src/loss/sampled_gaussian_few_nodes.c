/* SPDX-License-Identifier: MIT */
/* The nodes of the path of few uses of the sampled Gaussian: tables of the factors of g, and their
 * sums (sampled_gaussian_few.c has their errors). */
#include <math.h>

#include "loss/sampled_gaussian_few.h"
#include "num/ival.h"
#include "num/memory.h"

#define MORE_BITS 40 /* of exponents and angles */

/* Factors of one index; 1 below `first`. */
typedef struct factors {
    cball *at;
    int64_t first, last;
    size_t count;
} factors;

typedef struct few_table {
    const few_plan *plan;
    const sgm_item *g;
    factors w, u, v;
    cball *sum;       /* of the w up to each */
    mpfr_t most, all; /* A; what a sum is off by */
    mpfi_t order;     /* 1 + z0 + kappa sin phi */
} few_table;

/* ---- factors -------------------------------------------------------------------------------- */
/* error = max(error, radius / |midpoint|) */
static void raise_error(mpfr_t error, const cball *z)
{
    MPFR_DECL_INIT(part, FEW_BITS);
    mpfr_srcptr larger = mpfr_cmpabs(z->re, z->im) > 0 ? z->re : z->im;
    mpfr_div(part, z->radius, larger, MPFR_RNDA);
    mpfr_abs(part, part, MPFR_RNDU);
    if (mpfr_nan_p(part))
        mpfr_set_inf(part, 1);
    mpfr_max(error, error, part, MPFR_RNDU);
}

/* re + i im = kappa/2 (-+ sin(omega -+ phi) +- i cos(omega -+ phi)), the upper signs for `outer` */
static void set_rate(mpfi_t re, mpfi_t im, const few_plan *plan, bool outer)
{
    mpfi_set_d(re, plan->omega);
    if (outer)
        mpfi_sub_d(re, re, plan->phi);
    else
        mpfi_add_d(re, re, plan->phi);
    mpfi_cos(im, re);
    mpfi_sin(re, re);
    if (outer)
        mpfi_neg(re, re);
    else
        mpfi_neg(im, im);
    mpfi_mul_d(re, re, plan->kappa);
    mpfi_mul_d(im, im, plan->kappa);
    mpfi_div_2ui(re, re, 1);
    mpfi_div_2ui(im, im, 1);
}

#define LONGEST_RUN 64 /* of products, which widen what they make */

/* out = e^(kh), where it holds that of k - 1 by as many products as *run says */
static void set_power(mpfi_t out, unsigned *run, const mpfi_t grow, double h, int64_t k)
{
    if (*run > 0 && *run < LONGEST_RUN) {
        mpfi_mul(out, out, grow);
        ++*run;
        return;
    }
    mpfi_set_d(out, (double)k * h); /* 20 bits times fewer than 2^32: exact */
    sgm_exp(out);
    *run = 1;
}

/* e^(rate e^(kh)) for the k up to `last`; of less than 2^-work in the exponent it is 1. */
static bool fill_factors(factors *f, mpfr_t error, const few_plan *plan, bool outer, int64_t last)
{
    mpfr_prec_t bits = plan->work + MORE_BITS;
    double eta = -(double)plan->work * M_LN2 - log(plan->kappa / 2);
    f->first = (int64_t)floor(eta / plan->h);
    f->last = last > f->first ? last : f->first;
    f->count = (size_t)(f->last - f->first) + 1;
    f->at = cball_list_new(f->count, plan->work);
    if (f->at == NULL)
        return false;
    mpfi_t re, im, x, y, grow, power;
    mpfi_ptr all[] = {re, im, x, y, grow, power};
    for (size_t i = 0; i < 6; i++)
        mpfi_init2(all[i], bits);
    set_rate(re, im, plan, outer);
    mpfi_set_d(grow, plan->h);
    mpfi_exp(grow, grow);
    unsigned run = 0;
    for (size_t i = 0; i < f->count; i++) {
        set_power(power, &run, grow, plan->h, f->first + (int64_t)i);
        mpfi_mul(x, re, power);
        mpfi_mul(y, im, power);
        cball_turn(&f->at[i], y);
        sgm_exp(x);
        cball_mul_i(&f->at[i], &f->at[i], x);
        raise_error(error, &f->at[i]);
    }
    for (size_t i = 0; i < 6; i++)
        mpfi_clear(all[i]);
    return true;
}

typedef struct ray {
    mpfi_t s, y0, cosine, sine, x, theta, re, im, log, part, other, out;
    mpfi_t grow, power, unit; /* e^h, e^(jh), and ln(s h / sqrt(2 pi)) */
    mpfr_t tilt;              /* kappa sin phi, up */
    unsigned run;
} ray;

#define OWN 15
#define ALL(r)                                                                                     \
    {                                                                                              \
        (r)->s, (r)->y0, (r)->cosine, (r)->sine, (r)->x, (r)->theta, (r)->re, (r)->im, (r)->log,   \
            (r)->part, (r)->other, (r)->out, (r)->grow, (r)->power, (r)->unit                      \
    }

static void ray_init(ray *r, const few_table *a)
{
    mpfi_ptr all[OWN] = ALL(r);
    for (size_t i = 0; i < OWN; i++)
        mpfi_init2(all[i], a->plan->work + MORE_BITS);
    mpfr_init2(r->tilt, FEW_BITS);
    mpfi_set_q(r->s, a->g->sigma);
    ival_log1m_q(r->y0, a->g->rate);
    ival_log_q(r->part, a->g->rate);
    mpfi_sub(r->y0, r->y0, r->part);
    mpfi_mul(r->y0, r->y0, r->s);
    mpfi_mul_2ui(r->part, r->s, 1);
    mpfi_ui_div(r->part, 1, r->part);
    mpfi_add(r->y0, r->y0, r->part);
    mpfi_set_d(r->part, a->plan->omega);
    mpfi_cos(r->cosine, r->part);
    mpfi_sin(r->sine, r->part);
    mpfi_sub_ui(r->part, a->order, 1);
    mpfi_sub_d(r->part, r->part, a->plan->z0);
    mpfr_set(r->tilt, &r->part->right, MPFR_RNDU);
    mpfi_set_d(r->grow, a->plan->h);
    mpfi_exp(r->grow, r->grow);
    mpfi_mul_d(r->unit, r->s, a->plan->h);
    mpfi_const_pi(r->part);
    mpfi_mul_2ui(r->part, r->part, 1);
    mpfi_sqrt(r->part, r->part);
    mpfi_div(r->unit, r->unit, r->part);
    mpfi_log(r->unit, r->unit);
    r->run = 0;
}

/* x = f(x), |f'| <= 1 */
static void gentle(mpfi_t x, int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t))
{
    MPFR_DECL_INIT(wide, FEW_BITS);
    mpfr_sub(wide, &x->right, &x->left, MPFR_RNDU);
    f(&x->left, &x->left, MPFR_RNDD);
    mpfr_set(&x->right, &x->left, MPFR_RNDU);
    mpfr_nextabove(&x->right);
    mpfr_sub(&x->left, &x->left, wide, MPFR_RNDD);
    mpfr_add(&x->right, &x->right, wide, MPFR_RNDU);
}

static void ray_clear(ray *r)
{
    mpfi_ptr all[OWN] = ALL(r);
    for (size_t i = 0; i < OWN; i++)
        mpfi_clear(all[i]);
    mpfr_clear(r->tilt);
}

/* x, theta: l = x + i theta at the node j; log = ln|N|, im = arg N, N = 1 - e^-l: its real part,
 * -expm1(-x) + 2 e^-x sin^2(theta/2), is a sum of positive terms */
static void set_place(ray *r, const few_plan *plan, int64_t j)
{
    set_power(r->power, &r->run, r->grow, plan->h, j);
    mpfi_mul(r->x, r->power, r->cosine);
    mpfi_mul(r->theta, r->power, r->sine);
    mpfi_neg(r->part, r->x);
    gentle(r->part, mpfr_expm1);
    mpfi_neg(r->re, r->part);
    mpfi_add_ui(r->part, r->part, 1);
    mpfi_mul_2ui(r->part, r->part, 1); /* 2 e^-x */
    mpfi_div_2ui(r->other, r->theta, 1);
    mpfi_set(r->im, r->other);
    gentle(r->im, mpfr_cos);
    gentle(r->other, mpfr_sin);
    mpfi_mul(r->part, r->part, r->other);
    mpfi_mul(r->im, r->im, r->part);
    mpfi_mul(r->part, r->part, r->other);
    mpfi_add(r->re, r->re, r->part);
    mpfi_sqr(r->log, r->re);
    mpfi_sqr(r->part, r->im);
    mpfi_add(r->log, r->log, r->part);
    sgm_log(r->log);
    mpfi_div_2ui(r->log, r->log, 1);
    mpfi_div(r->im, r->im, r->re);
    gentle(r->im, mpfr_atan);
}

/* *to = h phi(y) (dy / d ln rho) e^((1 + z0) l), and most += A's */
static void set_weight(cball *to, ray *r, few_table *a, int64_t j)
{
    const few_plan *plan = a->plan;
    set_place(r, plan, j);
    mpfi_set_d(r->part, plan->z0);
    mpfi_add_ui(r->part, r->part, 1);
    mpfi_mul(r->out, r->part, r->x);
    mpfi_mul(r->re, r->part, r->theta);
    mpfi_sub(r->out, r->out, r->log);
    mpfi_sub(r->re, r->re, r->im);
    mpfi_set_d(r->part, (double)j * plan->h);
    mpfi_add(r->out, r->out, r->part);
    mpfi_add_d(r->re, r->re, plan->omega);
    mpfi_add(r->log, r->log, r->x);
    mpfi_mul(r->log, r->log, r->s);
    mpfi_add(r->log, r->log, r->y0); /* Re y */
    mpfi_add(r->im, r->im, r->theta);
    mpfi_mul(r->im, r->im, r->s); /* Im y */
    mpfi_mul(r->part, r->log, r->im);
    mpfi_sub(r->re, r->re, r->part);
    mpfi_sqr(r->log, r->log);
    mpfi_sqr(r->im, r->im);
    mpfi_sub(r->log, r->log, r->im);
    mpfi_div_2ui(r->log, r->log, 1);
    mpfi_sub(r->out, r->out, r->log);
    mpfi_add(r->out, r->out, r->unit);
    MPFR_DECL_INIT(grow, FEW_BITS);
    mpfr_mul(grow, &r->x->right, r->tilt, MPFR_RNDU);
    mpfr_add(grow, grow, &r->out->right, MPFR_RNDU);
    mpfr_exp(grow, grow, MPFR_RNDU);
    mpfr_add(a->most, a->most, grow, MPFR_RNDU);
    cball_turn(to, r->re);
    sgm_exp(r->out);
    cball_mul_i(to, to, r->out);
}

static bool fill_weights(few_table *a, mpfr_t error)
{
    const few_plan *plan = a->plan;
    a->w.first = plan->first;
    a->w.count = (size_t)(plan->last - plan->first) + 1;
    a->w.at = cball_list_new(a->w.count, plan->work);
    a->sum = cball_list_new(a->w.count, plan->work);
    if (a->w.at == NULL || a->sum == NULL)
        return false;
    ray r;
    ray_init(&r, a);
    for (size_t i = 0; i < a->w.count; i++) {
        set_weight(&a->w.at[i], &r, a, plan->first + (int64_t)i);
        raise_error(error, &a->w.at[i]);
        mpfr_add(a->sum[i].re, a->w.at[i].re, i > 0 ? a->sum[i - 1].re : a->sum[i].re, MPFR_RNDN);
        mpfr_add(a->sum[i].im, a->w.at[i].im, i > 0 ? a->sum[i - 1].im : a->sum[i].im, MPFR_RNDN);
    }
    ray_clear(&r);
    return true;
}

/* ---- nodes ---------------------------------------------------------------------------------- */
static void table_clear(few_table *a)
{
    cball_list_free(a->w.at, a->w.count);
    cball_list_free(a->u.at, a->u.count);
    cball_list_free(a->v.at, a->v.count);
    cball_list_free(a->sum, a->w.count);
    mpfr_clears(a->most, a->all, (mpfr_ptr)0);
    mpfi_clear(a->order);
}

/* all = what every sum is off by: roundings, the rule on the ray, and nodes left out of it */
static void set_error(few_table *a, mpfr_srcptr w, mpfr_srcptr u, mpfr_srcptr v)
{
    const few_plan *plan = a->plan;
    MPFR_DECL_INIT(part, FEW_BITS);
    mpfi_t missed;
    mpfi_init2(missed, FEW_BITS);
    mpfr_set_ui_2exp(a->all, 4 * a->w.count + 64, -plan->work, MPFR_RNDU);
    mpfr_add(a->all, a->all, w, MPFR_RNDU);
    mpfr_add(a->all, a->all, u, MPFR_RNDU);
    mpfr_add(a->all, a->all, v, MPFR_RNDU);
    bool known = mpfr_cmp_d(a->all, 0x1p-10) < 0;
    mpfr_mul_d(a->all, a->all, 1.02, MPFR_RNDU);
    mpfr_sqrt(part, a->u.at[a->u.count - 1].size, MPFR_RNDU); /* of the last, which falls */
    mpfr_add(a->all, a->all, part, MPFR_RNDU);
    mpfr_mul(a->all, a->all, a->most, MPFR_RNDU);
    mpfr_mul_2ui(a->all, a->all, 1, MPFR_RNDU);
    few_mass(part, a->g, plan->omega + plan->beta, a->order);
    mpfr_set(&missed->right, part, MPFR_RNDU);
    few_mass(part, a->g, plan->omega - plan->beta, a->order);
    mpfr_add(&missed->right, &missed->right, part, MPFR_RNDU);
    mpfr_set(&missed->left, &missed->right, MPFR_RNDU);
    mpfi_t rate;
    mpfi_init2(rate, FEW_BITS);
    mpfi_const_pi(rate);
    mpfi_mul_2ui(rate, rate, 1);
    mpfi_mul_d(rate, rate, plan->beta);
    mpfi_div_d(rate, rate, plan->h);
    mpfi_expm1(rate, rate);
    mpfi_div(missed, missed, rate);
    mpfi_mul_2ui(missed, missed, 1);
    mpfr_add(a->all, a->all, &missed->right, MPFR_RNDU);
    few_cut(part, a->g, plan, a->order);
    mpfr_add(a->all, a->all, part, MPFR_RNDU);
    if (!known || mpfr_nan_p(a->all))
        mpfr_set_inf(a->all, 1);
    mpfi_clear(rate);
    mpfi_clear(missed);
}

/* The nodes of the path with e^u < 2 take all of the ray. */
static int64_t whole_nodes(const few_plan *plan)
{
    return (int64_t)(M_LN2 / (2 * plan->h)) + 2;
}

/* Where U has fallen to the square of what matters. */
static int64_t last_factor(const few_plan *plan)
{
    double rate = plan->kappa / 4 * sin(plan->omega - plan->phi);
    int64_t none = (int64_t)(log(((double)plan->work * M_LN2 + 4) / rate) / plan->h) + 1;
    int64_t whole = plan->last + 2 * whole_nodes(plan), all = plan->last + 2 * plan->nodes;
    return none < whole ? whole : none < all ? none : all;
}

/* 1/(1-q), to which the weights of all of the ray add up where z0 = 0 */
static void set_whole(mpfr_t out, const sgm_item *g, mpfr_rnd_t way)
{
    mpq_t rest;
    mpq_init(rest);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, g->rate);
    mpq_inv(rest, rest);
    mpfr_set_q(out, rest, way);
    mpq_clear(rest);
}

static bool table_init(few_table *a, const sgm_item *g, const few_plan *plan)
{
    MPFR_DECL_INIT(w, FEW_BITS);
    MPFR_DECL_INIT(u, FEW_BITS);
    MPFR_DECL_INIT(v, FEW_BITS);
    *a = (few_table){.plan = plan, .g = g};
    mpfr_inits2(FEW_BITS, a->most, a->all, (mpfr_ptr)0);
    mpfi_init2(a->order, FEW_BITS);
    few_vertex(a->order, plan, plan->phi);
    mpfi_add_ui(a->order, a->order, 1);
    mpfr_set_ui(a->most, 0, MPFR_RNDU);
    if (plan->z0 == 0)
        set_whole(a->most, g, MPFR_RNDU);
    mpfr_set_ui(w, 0, MPFR_RNDU);
    mpfr_set_ui_2exp(u, 1, 2 - plan->work, MPFR_RNDU); /* of a factor that is taken for 1 */
    mpfr_set(v, u, MPFR_RNDU);
    bool ok = fill_weights(a, w) && fill_factors(&a->u, u, plan, true, last_factor(plan)) &&
              fill_factors(&a->v, v, plan, false, plan->last);
    if (ok)
        set_error(a, w, u, v);
    return ok;
}

/* z *= b, with two scratches */
static void times(mpfr_t re, mpfr_t im, const cball *b, mpfr_t part, mpfr_t other)
{
    mpfr_mul(part, re, b->re, MPFR_RNDN);
    mpfr_mul(other, im, b->im, MPFR_RNDN);
    mpfr_sub(part, part, other, MPFR_RNDN);
    mpfr_mul(other, re, b->im, MPFR_RNDN);
    mpfr_mul(im, im, b->re, MPFR_RNDN);
    mpfr_add(im, im, other, MPFR_RNDN);
    mpfr_swap(re, part);
}

/* out -= the sum of the weights from j on, where that is left out of its terms */
static void take_rest(cball *out, const few_table *a, int64_t j)
{
    const cball *all = &a->sum[a->w.count - 1];
    if (a->plan->z0 != 0 || j > a->plan->last)
        return;
    mpfr_sub(out->re, out->re, all->re, MPFR_RNDN);
    mpfr_sub(out->im, out->im, all->im, MPFR_RNDN);
    if (j > a->plan->first) {
        const cball *before = &a->sum[j - a->plan->first - 1];
        mpfr_add(out->re, out->re, before->re, MPFR_RNDN);
        mpfr_add(out->im, out->im, before->im, MPFR_RNDN);
    }
}

/* out += the terms of the nodes from j on, at the node n of the path */
static void add_terms(cball *out, const few_table *a, int64_t n, int64_t j)
{
    const few_plan *plan = a->plan;
    mpfr_t part, other, re, im;
    mpfr_inits2(plan->work, part, other, re, im, (mpfr_ptr)0);
    int64_t last = n < whole_nodes(plan) ? plan->last : a->u.last - 2 * n;
    for (; j <= plan->last && j <= last; j++) {
        const cball *w = &a->w.at[j - plan->first];
        mpfr_set(re, w->re, MPFR_RNDN);
        mpfr_set(im, w->im, MPFR_RNDN);
        if (j - 2 * n >= a->v.first)
            times(re, im, &a->v.at[j - 2 * n - a->v.first], part, other);
        if (j + 2 * n >= a->u.first)
            times(re, im, &a->u.at[j + 2 * n - a->u.first], part, other);
        mpfr_add(out->re, out->re, re, MPFR_RNDN);
        mpfr_add(out->im, out->im, im, MPFR_RNDN);
        if (plan->z0 == 0) {
            mpfr_sub(out->re, out->re, w->re, MPFR_RNDN);
            mpfr_sub(out->im, out->im, w->im, MPFR_RNDN);
        }
    }
    take_rest(out, a, j);
    mpfr_clears(part, other, re, im, (mpfr_ptr)0);
}

/* out = g at the node n of the path */
static void set_moment(cball *out, const few_table *a, int64_t n)
{
    const few_plan *plan = a->plan;
    int64_t j = a->u.first - 2 * n; /* below this one U is 1, and V below the next */
    if (j > a->v.first + 2 * n)
        j = a->v.first + 2 * n;
    if (j > plan->last)
        j = plan->last + 1;
    if (j < plan->first)
        j = plan->first;
    mpfr_set_zero(out->re, 1);
    mpfr_set_zero(out->im, 1);
    if (plan->z0 == 0) { /* charged as one of the terms */
        set_whole(out->re, a->g, MPFR_RNDN);
    } else if (j > plan->first) {
        mpfr_set(out->re, a->sum[j - plan->first - 1].re, MPFR_RNDN);
        mpfr_set(out->im, a->sum[j - plan->first - 1].im, MPFR_RNDN);
    }
    add_terms(out, a, n, j);
    mpfr_set(out->radius, a->all, MPFR_RNDU);
    mpfr_set_inf(out->size, 1);
    cball_measure(out);
}

bool few_nodes(few_node *node, const sgm *l, const few_plan *plan)
{
    few_table a;
    cball value;
    bool ok = true;
    cball_init(&value, plan->work);
    for (size_t i = 0; ok && i < l->items; i++) {
        ok = table_init(&a, &l->item[i], plan);
        for (int64_t n = 0; ok && n <= plan->nodes; n++) {
            set_moment(&value, &a, n);
            cball_pow(&value, &value, l->item[i].times);
            cball_mul(&node[n].term, &node[n].term, &value);
        }
        table_clear(&a);
    }
    cball_clear(&value);
    return ok;
}
