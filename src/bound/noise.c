/* SPDX-License-Identifier: MIT */
/* Noise functions and laws of votes in exact rationals: nothing is rounded here. */
#include "bound/noise.h"

#include <stdlib.h>

bool noise_init(noise *g, size_t voters)
{
    g->voters = voters;
    g->gamma = malloc((voters + 1) * sizeof *g->gamma);
    for (size_t l = 0; g->gamma != NULL && l <= voters; l++)
        mpq_init(g->gamma[l]);
    return g->gamma != NULL;
}

void noise_clear(noise *g)
{
    for (size_t l = 0; g->gamma != NULL && l <= g->voters; l++)
        mpq_clear(g->gamma[l]);
    free(g->gamma);
    g->gamma = NULL;
}

static size_t mid(const noise *g)
{
    return (g->voters + 1) / 2;
}

void noise_set_constant(noise *g, const mpq_t p)
{
    for (size_t l = 0; l <= g->voters; l++)
        mpq_set(g->gamma[l], p);
}

void noise_set_upper(noise *g, const mpq_t *upper)
{
    for (size_t l = mid(g); l <= g->voters; l++) {
        mpq_set(g->gamma[l], upper[l - mid(g)]);
        mpq_set(g->gamma[g->voters - l], upper[l - mid(g)]);
    }
}

/* gamma(l) = 2h(l) - 1 for l >= mid, h the probability that ones win the sample, a tie counting
 * half: sum_{j > k/2} C(l,j) C(K-l,k-j)/C(K,k). */
void noise_set_subsample(noise *g, size_t k)
{
    mpz_t all, win, part, other;
    mpz_inits(all, win, part, other, NULL);
    mpz_bin_uiui(all, g->voters, k);
    for (size_t l = mid(g); l <= g->voters; l++) {
        mpz_set_ui(win, 0); /* twice the favourable samples */
        for (size_t j = k / 2; j <= k && j <= l; j++) {
            if (2 * j < k || k - j > g->voters - l)
                continue;
            mpz_bin_uiui(part, l, j);
            mpz_bin_uiui(other, g->voters - l, k - j);
            mpz_mul(part, part, other);
            mpz_addmul_ui(win, part, 2 * j == k ? 1 : 2);
        }
        mpz_sub(mpq_numref(g->gamma[l]), win, all);
        mpz_set(mpq_denref(g->gamma[l]), all);
        mpq_canonicalize(g->gamma[l]);
        mpq_set(g->gamma[g->voters - l], g->gamma[l]);
    }
    mpz_clears(all, win, part, other, NULL);
}

/* (1 - gamma)/2 below mid, (1 + gamma)/2 from mid on */
static void answer(mpq_t b, const noise *g, size_t l)
{
    mpq_set_ui(b, 1, 1);
    if (l < mid(g))
        mpq_sub(b, b, g->gamma[l]);
    else
        mpq_add(b, b, g->gamma[l]);
    mpq_div_2exp(b, b, 1);
}

void noise_answer(mpq_t b, const noise *g, size_t l, bool mirrored)
{
    answer(b, g, mirrored ? g->voters - l : l);
    if (mirrored) {
        mpz_sub(mpq_numref(b), mpq_denref(b), mpq_numref(b));
        mpq_canonicalize(b);
    }
}

bool noise_is_symmetric(const noise *g)
{
    for (size_t l = 0; l < mid(g); l++)
        if (!mpq_equal(g->gamma[l], g->gamma[g->voters - l]))
            return false;
    return true;
}

int noise_sides(const noise *g)
{
    return noise_is_symmetric(g) ? 1 : 2;
}

/* The mirror image 1 - b(K - l) rises where b does. */
bool noise_is_monotone(const noise *g)
{
    mpq_t now, last;
    mpq_inits(now, last, NULL);
    bool rises = true;
    noise_answer(last, g, 0, false);
    for (size_t l = 1; rises && l <= g->voters; l++) {
        noise_answer(now, g, l, false);
        rises = mpq_cmp(now, last) >= 0;
        mpq_swap(now, last);
    }
    mpq_clears(now, last, NULL);
    return rises;
}

static void pivotal_one_way(mpq_t m, const noise *g, bool mirrored)
{
    mpq_t now, last, part;
    mpq_inits(now, last, part, NULL);
    noise_answer(last, g, 0, mirrored);
    for (size_t l = 1; l <= g->voters; l++) {
        noise_answer(now, g, l, mirrored);
        if (mpq_cmp(now, last) > 0) {
            mpq_sub(part, now, last);
            mpq_div(part, part, now);
            mpq_set_ui(last, l, 1);
            mpq_mul(part, part, last);
            if (mpq_cmp(part, m) > 0)
                mpq_set(m, part);
        }
        mpq_swap(now, last);
    }
    mpq_clears(now, last, part, NULL);
}

void noise_pivotal(mpq_t m, const noise *g)
{
    mpq_set_ui(m, 0, 1);
    pivotal_one_way(m, g, false);
    if (!noise_is_symmetric(g))
        pivotal_one_way(m, g, true);
}

/* Numerators over the product of the denominators; reduced at the end. */
void noise_law(mpq_t *law, size_t voters, const mpq_t *p, size_t count)
{
    mpz_t miss, under;
    mpz_init(miss);
    mpz_init_set_ui(under, 1);
    for (size_t l = 0; l <= voters; l++)
        mpq_set_ui(law[l], l == 0, 1);
    for (size_t i = 0; i < voters; i++) {
        mpq_srcptr hit = p[count == 1 ? 0 : i];
        mpz_sub(miss, mpq_denref(hit), mpq_numref(hit));
        mpz_mul(under, under, mpq_denref(hit));
        for (size_t l = i + 2; l-- > 0;) {
            mpz_mul(mpq_numref(law[l]), mpq_numref(law[l]), miss);
            if (l > 0)
                mpz_addmul(mpq_numref(law[l]), mpq_numref(law[l - 1]), mpq_numref(hit));
        }
    }
    for (size_t l = 0; l <= voters; l++) {
        mpz_set(mpq_denref(law[l]), under);
        mpq_canonicalize(law[l]);
    }
    mpz_clears(miss, under, NULL);
}

/* w_l = law(l) - law(K-l) */
static bool law_weights(mpq_t *w, size_t voters, const mpq_t *p, size_t count)
{
    noise law; /* only its array is used */
    if (!noise_init(&law, voters))
        return false;
    noise_law(law.gamma, voters, p, count);
    for (size_t l = (voters + 1) / 2; l <= voters; l++)
        mpq_sub(w[l - (voters + 1) / 2], law.gamma[l], law.gamma[voters - l]);
    noise_clear(&law);
    return true;
}

/* (2/(K+1)) Pr[K - l < Bin(K+1, 1/2) <= l] */
static void common_weights(mpq_t *w, size_t voters)
{
    size_t first = (voters + 1) / 2;
    mpz_t sum, part;
    mpz_inits(sum, part, NULL);
    for (size_t l = first; l <= voters; l++) {
        mpz_bin_uiui(part, voters + 1, l);
        mpz_add(sum, sum, part);
        if (l != voters + 1 - l) {
            mpz_bin_uiui(part, voters + 1, voters + 1 - l);
            mpz_add(sum, sum, part);
        }
        mpq_set_z(w[l - first], sum);
        mpz_set_ui(part, voters + 1);
        mpz_set(mpq_denref(w[l - first]), part);
        mpq_canonicalize(w[l - first]);
        mpq_div_2exp(w[l - first], w[l - first], voters);
    }
    mpz_clears(sum, part, NULL);
}

bool noise_weights(mpq_t *w, size_t voters, dp_vote_prior prior, const mpq_t *means, size_t count)
{
    mpq_t three_quarters;
    bool ok = true;
    size_t first = (voters + 1) / 2;
    switch (prior) {
    case DP_PRIOR_HALF:
        mpq_init(three_quarters);
        mpq_set_ui(three_quarters, 3, 4);
        ok = law_weights(w, voters, (const mpq_t *)&three_quarters, 1);
        mpq_clear(three_quarters);
        break;
    case DP_PRIOR_COMMON:
        common_weights(w, voters);
        break;
    case DP_PRIOR_MEAN:
        ok = law_weights(w, voters, means, count);
        break;
    case DP_PRIOR_VOTE: /* 2 C(K,l) / 2^K */
        for (size_t l = first; l <= voters; l++) {
            mpz_bin_uiui(mpq_numref(w[l - first]), voters, l);
            mpz_set_ui(mpq_denref(w[l - first]), 1);
            mpq_div_2exp(w[l - first], w[l - first], voters - 1);
        }
        break;
    }
    return ok;
}

void noise_errors(mpq_t variation, mpq_t disagreement, const noise *g, const mpq_t *law)
{
    mpq_t part, one;
    mpq_inits(part, one, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(variation, 0, 1);
    mpq_set_ui(disagreement, 0, 1);
    for (size_t l = 0; l <= g->voters; l++) {
        mpq_sub(part, one, g->gamma[l]);
        mpq_mul(part, part, law[l]);
        mpq_div_2exp(part, part, 1);
        mpq_add(disagreement, disagreement, part);
        if (l < mid(g))
            mpq_add(variation, variation, part);
        else
            mpq_sub(variation, variation, part);
    }
    mpq_abs(variation, variation);
    mpq_clears(part, one, NULL);
}
