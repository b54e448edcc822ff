/* SPDX-License-Identifier: MIT */
/* Groups of k records on a Poisson sample: r(y) = sum_j w_j e^(jy/s - j^2/(2s^2)), w_j the binomial
 * masses of k and q. r has positive terms that rise with y; on the line y + ia they lie in a sector
 * of angle k a/s, so what holds of one record with the angle a/s holds here with k a/s: 0 <= arg r
 * <= k a/s and cos(k a/2s) r(y) <= |r(y+ia)| <= r(y) for k a < pi s. ln r is convex in y. */
#include <math.h>
#include <stdlib.h>

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

/* ln G and the mean and variance of ln r where all k records are in the sample, where that counts
 * most: its mode, at the end, is `best`. For large p the nodes of a sum are no longer apart. */
static bool guess_all(double k[3], const sgm_item *g, double p, window best)
{
    double n = (double)g->group, at = n * p / g->s, rate = n / g->s;
    if (!(p > 1 && fabs(best.at - at) <= 1e-9 * at && largest_term(g, at - 10) == g->group &&
          log_term(g, g->group - 1, at - 10) < log_term(g, g->group, at - 10) - ALONE))
        return false;
    k[0] = p * g->log_part[g->group] + p * rate * p * rate / 2;
    k[1] = g->log_part[g->group] + p * rate * rate;
    k[2] = rate * rate;
    return true;
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
    if (guess_all(k, g, p, best))
        return;
    double l0 = sgm_group_log(g, best.at, &mean, &variance), done = -HUGE_VAL;
    for (unsigned long j = 0; j <= modes; j++) {
        window w = j == 0 ? first : find_mode(g, p, (double)j * p / g->s);
        double from = walk_out(g, p, w.at, -0.25, best.peak);
        double to = walk_out(g, p, w.at, 0.25, best.peak);
        if (from < done + LEAST_GAP) /* one window */
            from = done + h;
        count += fmax(0, (to - from) / h);
        double nodes = ceil((to - from) / h);
        for (double i = 0; i <= nodes && count <= FEW_NODES; i++) {
            double y = from + i * h;
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
void sgm_group_log_mass(mpfi_t out, const sgm_item *g, unsigned long j, const mpfi_t rate,
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
        sgm_group_log_mass(t->weight, g, j, rate, rest);
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
        sgm_group_log_mass(weight, g, j, rate, rest);
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
