/* SPDX-License-Identifier: MIT */
/* Groups of k records on a Poisson sample: r(y) = sum_j w_j e^(jy/s - j^2/(2s^2)), w_j the binomial
 * masses of k and q. r has positive terms that rise with y; on the line y + ia they lie in a sector
 * of angle k a/s, so what holds of one record with the angle a/s holds here with k a/s: 0 <= arg r
 * <= k a/s and cos(k a/2s) r(y) <= |r(y+ia)| <= r(y) for k a < pi s. ln r is convex in y. */
#include <math.h>
#include <stdlib.h>

#include "loss/gaussian.h"
#include "loss/sampled_gaussian_parts.h"
#include "num/ival.h"
#include "num/memory.h"

/* ---- doubles that choose -------------------------------------------------------------------- */
#define ALONE 36.0 /* e^-this beside 1 is nothing to a guess */
#define FEW_NODES 20000.0
#define LEAST_GAP 40.0
#define LN_ROOT 0.9189385332046727 /* ln sqrt(2 pi) */

static double log_term(const sgm_item *g, unsigned long j, double y)
{
    return g->log_part[j] + (double)j * y / g->s;
}

/* Of the terms, which rise and then fall, the largest. */
static unsigned long largest_term(const sgm_item *g, double y)
{
    unsigned long low = 0, high = g->group;
    while (low < high) {
        unsigned long middle = (low + high) / 2;
        if (log_term(g, middle + 1, y) > log_term(g, middle, y))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double sgm_group_log(const sgm_item *g, double y, double *mean, double *variance)
{
    unsigned long peak = largest_term(g, y);
    double top = log_term(g, peak, y), s[3] = {1, 0, 0};
    for (int side = -1; side <= 1; side += 2)
        for (unsigned long j = peak; side < 0 ? j > 0 : j < g->group;) {
            j = side < 0 ? j - 1 : j + 1;
            double l = log_term(g, j, y) - top, d = (double)j - (double)peak;
            if (l < -ALONE)
                break;
            double e = exp(l);
            s[0] += e;
            s[1] += e * d;
            s[2] += e * d * d;
        }
    double off = s[1] / s[0];
    *mean = (double)peak + off;
    *variance = fmax(0, s[2] / s[0] - off * off);
    return top + log(s[0]);
}

double sgm_group_turn(double *angle, const sgm_item *g, double y, double theta)
{
    unsigned long peak = largest_term(g, y);
    double top = log_term(g, peak, y), re = 0, im = 0;
    for (unsigned long j = 0; j <= g->group; j++) {
        double e = exp(fmax(log_term(g, j, y) - top, -700));
        re += e * cos((double)j * theta);
        im += e * sin((double)j * theta);
    }
    *angle = fmax(0, atan2(im, re));
    return top + log(hypot(re, im));
}

double sgm_group_upper(const sgm_item *g, double p)
{
    double most = -HUGE_VAL;
    for (unsigned long j = 1; j <= g->group; j++) {
        double square = (double)j * (double)j / (2 * g->s * g->s);
        most = fmax(most, g->log_part[j] + square * (1 + p * (p - 1)));
    }
    return most;
}

typedef struct window {
    double at, peak;
} window;

/* From y by such steps to where phi r^p is nothing beside its largest value. */
static double walk_out(const sgm_item *g, double p, double y, double by, double largest)
{
    double mean, variance;
    for (int i = 0; i < 1000; i++, y += by)
        if (p * sgm_group_log(g, y, &mean, &variance) - y * y / 2 < largest - ALONE)
            break;
    return y;
}

/* A mode of phi r^p, from y by its fixed point or, for p < 0, by halves. */
static window find_mode(const sgm_item *g, double p, double y)
{
    double mean, variance, low = (double)g->group * p / g->s, high = 0;
    window w;
    for (int i = 0; i < 40; i++) {
        if (p < 0)
            y = (low + high) / 2;
        sgm_group_log(g, y, &mean, &variance);
        if (p >= 0)
            y = p / g->s * mean;
        else
            *(p / g->s * mean > y ? &low : &high) = y;
    }
    w.at = y;
    w.peak = p * sgm_group_log(g, y, &mean, &variance) - y * y / 2;
    return w;
}

static double guess_step(const sgm_item *g, double p)
{
    double k = (double)g->group, bend = p < 0 ? -p * k * k / (8 * g->s * g->s) : 0;
    double edge = fmin(3 * g->s / k, sqrt(30 / (0.5 + bend)));
    double h = 2 * M_PI * edge / (30 + edge * edge / 2);
    return fmin(p < 0 ? fmax(h, 0.1 * g->s / k) : h, 0.5);
}

void sgm_group_guess(double k[3], const sgm_item *g, double p)
{
    window first = find_mode(g, p, 0), best = first;
    double h = guess_step(g, p), mean, variance, s[3] = {0, 0, 0}, count = 0;
    unsigned long modes = p >= 0 ? g->group : 0;
    for (unsigned long j = 1; j <= modes; j++) {
        window w = find_mode(g, p, (double)j * p / g->s);
        best = w.peak > best.peak ? w : best;
    }
    double l0 = sgm_group_log(g, best.at, &mean, &variance), done = -HUGE_VAL;
    for (unsigned long j = 0; j <= modes; j++) {
        window w = j == 0 ? first : find_mode(g, p, (double)j * p / g->s);
        double from = walk_out(g, p, w.at, -0.25, best.peak);
        double to = walk_out(g, p, w.at, 0.25, best.peak);
        if (from < done + LEAST_GAP) /* one window */
            from = done + h;
        count += fmax(0, (to - from) / h);
        for (double y = from; y <= to && count <= FEW_NODES; y += h) {
            double d = sgm_group_log(g, y, &mean, &variance) - l0;
            double e = exp(fmin(p * (l0 + d) - y * y / 2 - best.peak, 600));
            s[0] += e;
            s[1] += e * d;
            s[2] += e * d * d;
            done = y;
        }
    }
    double off = s[1] / s[0];
    k[0] = best.peak + log(s[0] * h) - LN_ROOT;
    k[1] = l0 + off;
    k[2] = fmax(0, s[2] / s[0] - off * off);
    if (count > FEW_NODES || !isfinite(k[0]))
        k[0] = k[1] = k[2] = HUGE_VAL;
}

/* ---- certified ------------------------------------------------------------------------------ */
/* out = ln w_j */
static void log_mass(mpfi_t out, const sgm_item *g, unsigned long j, const mpfi_t rate,
                     const mpfi_t rest)
{
    mpz_t ways;
    mpfi_t part;
    mpz_init(ways);
    mpfi_init2(part, mpfi_get_prec(out));
    mpz_bin_uiui(ways, g->group, j);
    mpfi_set_z(out, ways);
    mpfi_log(out, out);
    mpfi_mul_ui(part, rate, j);
    mpfi_add(out, out, part);
    mpfi_mul_ui(part, rest, g->group - j);
    mpfi_add(out, out, part);
    mpfi_clear(part);
    mpz_clear(ways);
}

bool sgm_group_terms(sgm_work *w, mpfr_prec_t bits)
{
    const sgm_item *g = w->g;
    size_t count = g->group + 1;
    mpfi_t rate, rest, angle;
    w->terms = memory_new(count, sizeof *w->terms);
    if (w->terms == NULL)
        return false;
    mpfi_init2(rate, bits);
    mpfi_init2(rest, bits);
    mpfi_init2(angle, bits);
    ival_log_q(rate, g->rate);
    ival_log1m_q(rest, g->rate);
    for (size_t j = 0; j < count; j++) {
        sgm_term *t = &w->terms[j];
        mpfi_ptr of[] = {t->weight, t->cosine, t->sine};
        for (size_t i = 0; i < 3; i++)
            mpfi_init2(of[i], bits);
        log_mass(t->weight, g, j, rate, rest);
        mpfi_mul_ui(angle, w->shift, j); /* 1/(2s) */
        mpfi_mul_ui(angle, angle, j);
        mpfi_mul(angle, angle, w->inverse);
        mpfi_sub(t->weight, t->weight, angle);
        mpfi_exp(t->weight, t->weight);
        mpfi_mul_d(angle, w->inverse, w->plan->shift);
        mpfi_mul_ui(angle, angle, j);
        mpfi_cos(t->cosine, angle);
        mpfi_sin(t->sine, angle);
    }
    mpfi_clear(angle);
    mpfi_clear(rest);
    mpfi_clear(rate);
    return true;
}

void sgm_group_terms_clear(sgm_work *w)
{
    for (size_t j = 0; w->terms != NULL && j <= w->g->group; j++) {
        mpfi_clear(w->terms[j].weight);
        mpfi_clear(w->terms[j].cosine);
        mpfi_clear(w->terms[j].sine);
    }
    memory_free(w->terms);
}

/* By terms e^(jy/s) w_j e^(-j^2/2s^2), each the one before times e^(y/s). */
void sgm_group_sums(mpfi_ptr re, mpfi_ptr im, mpfi_ptr mean, sgm_work *w)
{
    mpfi_t power, term;
    mpfi_init2(power, mpfi_get_prec(w->u));
    mpfi_init2(term, mpfi_get_prec(w->u));
    mpfi_set_ui(power, 1);
    mpfi_set_ui(re, 0);
    if (im != NULL)
        mpfi_set_ui(im, 0);
    if (mean != NULL)
        mpfi_set_ui(mean, 0);
    for (unsigned long j = 0; j <= w->g->group; j++) {
        const sgm_term *t = &w->terms[j];
        mpfi_mul(term, power, t->weight);
        if (im != NULL) {
            mpfi_mul(w->part, term, t->sine);
            mpfi_add(im, im, w->part);
            mpfi_mul(term, term, t->cosine);
        }
        if (mean != NULL) {
            mpfi_mul_ui(w->part, term, j);
            mpfi_add(mean, mean, w->part);
        }
        mpfi_add(re, re, term);
        mpfi_mul(power, power, w->u);
    }
    mpfi_clear(term);
    mpfi_clear(power);
}

void sgm_group_far(mpfr_t most, const sgm_work *w, mpfr_srcptr factor)
{
    mpfi_t one, l, part;
    mpfi_ptr all[] = {one, l, part};
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], mpfi_get_prec(w->l));
    mpfi_mul(one, w->inverse, w->shift); /* 1/(2s^2), which a term has lost */
    mpfi_add(one, one, w->l);
    for (unsigned long j = 1; j <= w->g->group; j++) {
        mpfi_mul_ui(l, one, j);
        mpfi_mul_ui(l, l, j);
        mpfi_exp(l, l);
        mpfi_mul(l, l, w->terms[j].weight);
        mpfr_mul(&l->right, &l->right, factor, MPFR_RNDU);
        mpfr_add(most, most, &l->right, MPFR_RNDU);
    }
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
}

void sgm_group_moment(mpfi_t out, const sgm_item *g, const mpfi_t x)
{
    mpfi_t rate, rest, part, sum, weight;
    mpfi_ptr all[] = {rate, rest, part, sum, weight};
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], mpfi_get_prec(out));
    ival_log_q(rate, g->rate);
    ival_log1m_q(rest, g->rate);
    mpfi_set_ui(sum, 0);
    for (unsigned long j = 0; j <= g->group; j++) {
        log_mass(weight, g, j, rate, rest);
        mpfi_exp(weight, weight);
        mpfi_mul_ui(part, x, j);
        mpfi_mul_ui(part, part, j);
        mpfi_exp(part, part);
        mpfi_mul(part, part, weight);
        mpfi_add(sum, sum, part);
    }
    mpfi_log(out, sum);
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
}

/* ---- the profile of one use ----------------------------------------------------------------- */
/* With r(y) = E where y = v: removed, sum_j w_j Phi(j/s - v) - E Phi(-v), r > E above v; added,
 * with r(v) = 1/E, Phi(v) - E sum_j w_j Phi(v - j/s). 1 - E and 0 where no v has that. */

/* out = ln r(y), and rise = its derivative, the mean number over s */
static void log_ratio(mpfi_t out, mpfi_t rise, sgm_work *w, mpfr_srcptr y)
{
    mpfi_set_fr(w->y, y);
    mpfi_mul(w->u, w->y, w->inverse);
    mpfi_exp(w->u, w->u);
    sgm_group_sums(out, NULL, rise, w);
    mpfi_div(rise, rise, out);
    mpfi_mul(rise, rise, w->inverse);
    mpfi_log(out, out);
}

/* v encloses where ln r = level, which is above its least value. By Newton's steps from the right,
 * as ln r is convex; then widened until signs at both ends prove it. */
static bool find_place(mpfi_t v, sgm_work *w, const mpfi_t level)
{
    mpfr_prec_t bits = mpfi_get_prec(v);
    mpfi_t l, rise;
    mpfr_t y, d;
    mpfi_init2(l, bits);
    mpfi_init2(rise, bits);
    mpfr_init2(y, bits);
    mpfr_init2(d, bits);
    mpfi_log(l, w->terms[1].weight); /* r >= that term: (level - l) s is right of it */
    mpfi_sub(l, level, l);
    mpfi_div(l, l, w->inverse);
    mpfr_set(y, &l->right, MPFR_RNDU);
    for (int i = 0; i < 400; i++) {
        log_ratio(l, rise, w, y);
        mpfr_sub(d, &l->left, &level->left, MPFR_RNDN);
        mpfr_div(d, d, &rise->right, MPFR_RNDN);
        mpfr_sub(y, y, d, MPFR_RNDN);
        if (!mpfr_number_p(y) || mpfr_zero_p(d) ||
            (mpfr_regular_p(y) && mpfr_get_exp(d) < mpfr_get_exp(y) - bits * 3 / 4))
            break;
    }
    bool ok = false;
    for (mpfr_exp_t slack = 40; !ok && mpfr_number_p(y) && slack < bits; slack *= 2) {
        mpfr_set_ui_2exp(d, 1, (mpfr_regular_p(y) ? mpfr_get_exp(y) : 0) + slack - bits, MPFR_RNDU);
        mpfr_sub(&v->left, y, d, MPFR_RNDD);
        mpfr_add(&v->right, y, d, MPFR_RNDU);
        log_ratio(l, rise, w, &v->left);
        ok = mpfr_lessequal_p(&l->right, &level->left);
        log_ratio(l, rise, w, &v->right);
        ok = ok && mpfr_greaterequal_p(&l->left, &level->right);
    }
    mpfr_clear(d);
    mpfr_clear(y);
    mpfi_clear(rise);
    mpfi_clear(l);
    return ok;
}

/* x = Phi(x) */
static void to_normal(mpfi_t x)
{
    mpfi_t root;
    mpfi_init2(root, mpfi_get_prec(x));
    mpfi_set_ui(root, 2);
    mpfi_sqrt(root, root);
    mpfi_div(x, x, root);
    mpfi_neg(x, x);
    ival_to_erfc(x);
    mpfi_div_2ui(x, x, 1);
    mpfi_clear(root);
}

/* s from v, and q and p the masses of the noise alone and of the mixture */
static void from_place(mpfi_t s, mpfi_t q, mpfi_t p, sgm_work *w, const mpfi_t v, const mpfi_t e)
{
    mpfi_t rate, rest, part;
    mpfr_prec_t bits = mpfi_get_prec(s);
    mpfi_ptr all[] = {rate, rest, part};
    bool add = w->g->add;
    for (size_t i = 0; i < 3; i++)
        mpfi_init2(all[i], bits);
    ival_log_q(rate, w->g->rate);
    ival_log1m_q(rest, w->g->rate);
    mpfi_set_ui(p, 0);
    for (unsigned long j = 0; j <= w->g->group; j++) {
        mpfi_mul_ui(s, w->inverse, j);
        mpfi_sub(s, s, v);
        if (add)
            mpfi_neg(s, s);
        to_normal(s);
        if (j == 0)
            mpfi_set(q, s);
        log_mass(part, w->g, j, rate, rest);
        mpfi_exp(part, part);
        mpfi_mul(s, s, part);
        mpfi_add(p, p, s);
    }
    mpfi_mul(part, e, add ? p : q);
    mpfi_sub(s, add ? q : p, part);
    for (size_t i = 0; i < 3; i++)
        mpfi_clear(all[i]);
}

/* False: not found at this precision. */
static bool profile_number(mpfi_t s, mpfr_t slope, sgm_work *w, mpfr_srcptr x)
{
    const sgm_item *g = w->g;
    mpfi_t level, e, v, least, q;
    mpfi_ptr all[] = {level, e, v, least, q};
    for (size_t i = 0; i < 5; i++)
        mpfi_init2(all[i], mpfi_get_prec(s));
    mpfi_set_fr(level, x);
    mpfi_exp(e, level);
    if (g->add)
        mpfi_neg(level, level);
    ival_log1m_q(least, g->rate);
    mpfi_mul_ui(least, least, g->group);
    bool ok = true;
    mpfr_set_ui(slope, 0, MPFR_RNDN);
    if (mpfr_lessequal_p(&level->right, &least->left)) {
        mpfi_ui_sub(s, 1, e);
        if (g->add)
            mpfi_set_ui(s, 0);
    } else if (mpfr_lessequal_p(&level->left, &least->right) || !find_place(v, w, level)) {
        mpfi_interv_si(s, 0, 1); /* too near the edge to tell */
        ok = false;
    } else {
        from_place(s, q, least, w, v, e);
        mpfr_mul(slope, &e->left, g->add ? &least->left : &q->left, MPFR_RNDN);
    }
    for (size_t i = 0; i < 5; i++)
        mpfi_clear(all[i]);
    return ok;
}

static bool is_narrow(const mpfi_t x, mpfr_prec_t bits)
{
    MPFR_DECL_INIT(width, 64);
    mpfi_diam_rel(width, x);
    return mpfi_is_zero(x) || mpfr_cmp_ui_2exp(width, 1, -bits) <= 0;
}

/* At rising precision: both masses are nearly equal where s is small beside them. */
static bool profile_to(mpfi_t s, mpfr_t slope, const sgm_item *g, mpfr_srcptr x)
{
    static const sgm_plan real = {.h = 1};
    mpfr_prec_t bits = mpfi_get_prec(s), work = bits + 128;
    mpfi_t wide;
    mpfi_init2(wide, work);
    bool done = false, memory = true;
    for (int i = 0; i < 4 && memory && !done; i++, work *= 2) {
        sgm_work w;
        mpfr_prec_t more = 64 + (mpfr_regular_p(x) ? labs(mpfr_get_exp(x)) % 4096 : 0);
        mpfi_set_prec(wide, work);
        memory = sgm_work_init(&w, g, &real, work + more);
        if (!memory)
            break;
        done = profile_number(wide, slope, &w, x) && mpfr_sgn(&wide->left) >= 0 &&
               is_narrow(wide, bits);
        sgm_work_clear(&w);
    }
    ival_clamp_ui(wide, 0, 1);
    mpfi_set(s, wide);
    mpfi_clear(wide);
    return memory;
}

bool sgm_group_profile(mpfi_t s, mpfr_t slope, const sgm_item *g, const mpfi_t x)
{
    mpfi_t other;
    mpfi_init2(other, mpfi_get_prec(s));
    bool ok = profile_to(s, slope, g, &x->left);
    if (ok && !mpfr_equal_p(&x->left, &x->right)) { /* it falls */
        ok = profile_to(other, slope, g, &x->right);
        mpfr_swap(&s->left, &other->left);
    }
    mpfi_clear(other);
    return ok;
}
