/* SPDX-License-Identifier: MIT */
/* Noise functions and laws of votes in exact rationals: nothing is rounded here. */
#include "vote/noise.h"

#include "num/memory.h"

bool noise_init(noise *g, size_t voters)
{
    g->voters = voters;
    g->gamma = memory_new(voters + 1, sizeof *g->gamma);
    for (size_t l = 0; g->gamma != NULL && l <= voters; l++)
        mpq_init(g->gamma[l]);
    return g->gamma != NULL;
}

void noise_clear(noise *g)
{
    for (size_t l = 0; g->gamma != NULL && l <= g->voters; l++)
        mpq_clear(g->gamma[l]);
    memory_free(g->gamma);
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

bool vote_law_init(vote_law *law, size_t voters)
{
    *law = (vote_law){.voters = voters};
    mpz_init_set_ui(law->whole, 1);
    law->part = memory_new(voters + 1, sizeof *law->part);
    for (size_t l = 0; law->part != NULL && l <= voters; l++)
        mpz_init_set_ui(law->part[l], l == 0);
    return law->part != NULL;
}

void vote_law_clear(vote_law *law)
{
    for (size_t l = 0; law->part != NULL && l <= law->voters; l++)
        mpz_clear(law->part[l]);
    memory_free(law->part);
    mpz_clear(law->whole);
}

void vote_law_add(vote_law *law, const mpq_t p)
{
    mpz_t miss;
    mpz_init(miss);
    mpz_sub(miss, mpq_denref(p), mpq_numref(p));
    mpz_mul(law->whole, law->whole, mpq_denref(p));
    law->added++;
    for (size_t l = law->added + 1; l-- > 0;) {
        mpz_mul(law->part[l], law->part[l], miss);
        if (l > 0)
            mpz_addmul(law->part[l], law->part[l - 1], mpq_numref(p));
    }
    mpz_clear(miss);
}

/* q = part/whole, reduced */
static void share(mpq_t q, const mpz_t part, const mpz_t whole)
{
    mpz_set(mpq_numref(q), part);
    mpz_set(mpq_denref(q), whole);
    mpq_canonicalize(q);
}

void vote_law_win(mpq_t win, const vote_law *law)
{
    mpz_t sum;
    mpz_init(sum);
    for (size_t l = (law->voters + 1) / 2; l <= law->voters; l++)
        mpz_add(sum, sum, law->part[l]);
    share(win, sum, law->whole);
    mpz_clear(sum);
}

/* (2/(K+1)) Pr[K - l < Bin(K+1, 1/2) <= l] */
static void common_weight(mpq_t w, size_t l, size_t voters)
{
    mpz_t sum, part;
    mpz_inits(sum, part, NULL);
    for (size_t i = voters + 1 - l; i <= l; i++) {
        mpz_bin_uiui(part, voters + 1, i);
        mpz_add(sum, sum, part);
    }
    mpz_set_ui(part, voters + 1);
    share(w, sum, part);
    mpq_div_2exp(w, w, voters);
    mpz_clears(sum, part, NULL);
}

void noise_weight(mpq_t w, size_t l, size_t voters, dp_vote_prior prior, const vote_law *law)
{
    mpz_t gap;
    switch (prior) {
    case DP_PRIOR_HALF:
    case DP_PRIOR_MEAN:
        mpz_init(gap);
        mpz_sub(gap, law->part[l], law->part[voters - l]);
        share(w, gap, law->whole);
        mpz_clear(gap);
        break;
    case DP_PRIOR_COMMON:
        common_weight(w, l, voters);
        break;
    case DP_PRIOR_VOTE: /* 2 C(K,l) / 2^K */
        mpz_bin_uiui(mpq_numref(w), voters, l);
        mpz_set_ui(mpq_denref(w), 1);
        mpq_div_2exp(w, w, voters - 1);
        break;
    }
}

/* Over the common denominator of gamma and the law. */
void noise_errors(mpq_t variation, mpq_t disagreement, const noise *g, const vote_law *law)
{
    mpz_t below, part, above, all;
    mpz_inits(below, part, above, all, NULL);
    mpz_set_ui(below, 1);
    for (size_t l = 0; l <= g->voters; l++)
        mpz_lcm(below, below, mpq_denref(g->gamma[l]));
    for (size_t l = 0; l <= g->voters; l++) {
        mpz_sub(part, mpq_denref(g->gamma[l]), mpq_numref(g->gamma[l])); /* 1 - gamma */
        mpz_mul(part, part, below);
        mpz_divexact(part, part, mpq_denref(g->gamma[l]));
        mpz_mul(part, part, law->part[l]);
        mpz_add(all, all, part);
        if (l < mid(g))
            mpz_add(above, above, part);
        else
            mpz_sub(above, above, part);
    }
    mpz_mul(below, below, law->whole);
    mpz_mul_2exp(below, below, 1);
    mpz_abs(above, above);
    share(variation, above, below);
    share(disagreement, all, below);
    mpz_clears(below, part, above, all, NULL);
}
