/* SPDX-License-Identifier: MIT */
/* Votes of many queries gathered, and their bounds about, in doubles: these choose an order. */
#include <math.h>
#include <stdlib.h>

#include "loss/laplace.h"
#include "num/memory.h"
#include "vote/pate_instance.h"

static int compare(const void *a, const void *b)
{
    const pate_query *x = a, *y = b;
    int order = 0;
    for (size_t c = 0; order == 0 && c < x->classes; c++)
        order = mpq_cmp(x->votes[c], y->votes[c]);
    return order;
}

#define GUESS_BITS 64

static void guess_log_q(pate_query *q, const pate_account *of, mpq_srcptr threshold,
                        pate_tails *tails)
{
    mpfi_t lq;
    mpfi_init2(lq, GUESS_BITS);
    pate_log_q(lq, of, q, tails);
    q->log_q = mpfr_get_d(&lq->right, MPFR_RNDU);
    if (of->kind == DP_CONFIDENT_GNMAX) {
        pate_log_q_test(lq, of, q, threshold);
        q->log_q_test = mpfr_get_d(&lq->right, MPFR_RNDU);
    }
    mpfi_clear(lq);
}

pate_tails *pate_guess_tails(void)
{
    return pate_tails_new(GUESS_BITS);
}

void pate_query_read(pate_query *q, const pate_account *of, const mpq_t *votes, size_t classes,
                     mpq_srcptr threshold, pate_tails *tails)
{
    *q = (pate_query){.votes = votes, .classes = classes, .times = 1};
    for (size_t c = 1; c < classes; c++)
        if (mpq_cmp(votes[c], votes[q->most]) > 0)
            q->most = c;
    guess_log_q(q, of, threshold, tails);
}

dp_status pate_votes_init(pate_votes *v, const pate_account *of, const mpq_t *votes, size_t count,
                          size_t classes, mpq_srcptr threshold)
{
    *v = (pate_votes){.of = of, .threshold = threshold};
    size_t lines = count / classes;
    v->query = memory_zero(lines, sizeof *v->query);
    if (v->query == NULL)
        return DP_MEMORY;
    for (size_t i = 0; i < lines; i++)
        v->query[i] = (pate_query){.votes = votes + i * classes, .classes = classes, .times = 1};
    qsort(v->query, lines, sizeof *v->query, compare);
    for (size_t i = 0; i < lines; i++)
        if (v->count > 0 && compare(&v->query[v->count - 1], &v->query[i]) == 0)
            v->query[v->count - 1].times++;
        else
            v->query[v->count++] = v->query[i];
    pate_tails *tails = pate_guess_tails();
    for (size_t i = 0; i < v->count; i++) {
        size_t times = v->query[i].times;
        pate_query_read(&v->query[i], of, v->query[i].votes, classes, threshold, tails);
        v->query[i].times = times;
    }
    pate_tails_free(tails);
    return DP_OK;
}

void pate_votes_clear(pate_votes *v)
{
    memory_free(v->query);
}

static double log_sum(double a, double b)
{
    return fmax(a, b) + log1p(exp(-fabs(a - b)));
}

static double lnmax(double lq, double e, double l, double base)
{
    if (!(lq <= -log1p(exp(e))))
        return base;
    double a = (l + 1) * log1p(-exp(lq)) - l * log1p(-exp(e + lq));
    return fmin(base, log_sum(a, lq + e * l) / l);
}

static double gnmax(double lq, double v, double alpha)
{
    double mu = sqrt(-v * lq), e2 = mu / v, s = alpha - 1, base = alpha / v;
    bool ok = mu > 1 && alpha <= mu + 1 && lq + e2 < 0 &&
              lq <= (mu - 1) * e2 - mu * (log1p(1 / mu) - log1p(-1 / mu));
    if (!ok)
        return base;
    double a = alpha * log1p(-exp(lq)) - s * log1p(-exp((lq + e2) * (mu - 1) / mu));
    double b = lq + s * ((mu + 1) / v - lq / mu);
    return fmin(base, log_sum(a, b) / s);
}

void pate_votes_guess(mpfi_t r, const void *of, mpq_srcptr alpha)
{
    const pate_votes *v = of;
    double order = mpq_get_d(alpha), scale = mpq_get_d(v->of->scale), base = 0, sum = 0;
    double test = 2 * mpq_get_d(v->of->threshold) * mpq_get_d(v->of->threshold);
    if (v->of->kind == DP_LNMAX) {
        mpfi_t at;
        mpfi_init2(at, GUESS_BITS);
        mpfi_set_q(at, alpha);
        laplace_renyi(r, v->of->scale, at);
        mpfi_clear(at);
        base = 2 * mpfr_get_d(&r->right, MPFR_RNDU);
    }
    for (size_t i = 0; i < v->count; i++) {
        const pate_query *q = &v->query[i];
        double one = v->of->kind == DP_LNMAX ? lnmax(q->log_q, 2 * scale, order - 1, base)
                                             : gnmax(q->log_q, scale * scale, order);
        if (v->of->kind == DP_CONFIDENT_GNMAX)
            one += gnmax(q->log_q_test, test, order);
        sum += one * (double)q->times;
    }
    if (isnan(sum))
        sum = HUGE_VAL;
    mpfi_set_d(r, sum);
}

/* ln((e^(alpha e) + e^((1-alpha) e)) / (1 + e^e)) / s, s = alpha - 1 */
static double response(double e, double s)
{
    if (s * e > 500)
        return e - log1p(exp(-e)) / s;
    return log1p(exp(e) * expm1(s * e) * -expm1(-(s + 1) * e) / (1 + exp(e))) / s;
}

/* 2 ln((alpha e^(s e) + s e^(-alpha e)) / (alpha + s)) / s */
static double guess_laplace(double e, double s)
{
    double a = s + 1, small = e * s < 1e-4 && e < 1e-4 ? s * a * e * e / 2 : 0;
    if (small > 0)
        return 2 * log1p(small) / s;
    if (s * e > 500)
        return 2 * (e + log(a / (a + s)) / s);
    return 2 * log((a * exp(s * e) + s * exp(-a * e)) / (a + s)) / s;
}

void pate_curve_guess(mpfi_t r, const void *of, mpq_srcptr alpha)
{
    const pate_account *a = of;
    if (a->kind != DP_LNMAX) {
        pate_curve(r, of, alpha);
        return;
    }
    double about = guess_laplace(mpq_get_d(a->scale), mpq_get_d(alpha) - 1) * mpz_get_d(a->asked);
    mpfi_set_d(r, isnan(about) ? HUGE_VAL : about);
}

void pate_shares_guess(mpfi_t r, const void *of, mpq_srcptr alpha)
{
    const pate_shares *v = of;
    double *one = memory_new(v->spreads, sizeof *one), most = 0;
    double order = mpq_get_d(alpha), scale = mpq_get_d(v->of->scale);
    for (size_t i = 0; one != NULL && i < v->spreads; i++) {
        double e = scale * mpq_get_d(v->spread[i]);
        one[i] =
            fmin(response(e, order - 1), guess_laplace(scale * mpq_get_d(v->far[i]), order - 1));
        if (v->query != NULL)
            one[i] = lnmax(v->query[v->asked[i]].log_q, e, order - 1, one[i]);
    }
    for (size_t u = 0; one != NULL && u < v->records; u++) {
        double sum = 0;
        for (size_t x = 0; x < v->queries; x++)
            sum += one[v->at[u * v->queries + x]];
        most = fmax(most, sum);
    }
    mpfi_set_d(r, isnan(most) ? HUGE_VAL : most);
    memory_free(one);
}
