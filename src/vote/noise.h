/* SPDX-License-Identifier: MIT */
/* Noise functions gamma(0..K) of a private majority in exact rationals. mid = (K+1)/2, b(l) the
 * probability of the answer 1 when l votes are 1. */
#ifndef VOTE_NOISE_H
#define VOTE_NOISE_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "dpacct/majority.h"

/* K + 1 values */
typedef struct noise {
    size_t voters;
    mpq_t *gamma;
} noise;

bool noise_init(noise *g, size_t voters); /* all 0; false: out of memory */
void noise_clear(noise *g);

void noise_set_constant(noise *g, const mpq_t p);
/* Lemma 3.1: the majority of k votes drawn without replacement; 1 <= k <= K. */
void noise_set_subsample(noise *g, size_t k);
/* From the values of l = mid..K, mirrored. */
void noise_set_upper(noise *g, const mpq_t *upper);

/* b(l), or 1 - b(K - l) when `mirrored` */
void noise_answer(mpq_t b, const noise *g, size_t l, bool mirrored);
bool noise_is_symmetric(const noise *g);
/* How many answers must be looked at: 1 where the mirror image is the answer itself, or 2. */
int noise_sides(const noise *g);
/* Do the answer and its mirror image never fall as votes for 1 are added? */
bool noise_is_monotone(const noise *g);

/* max l (b(l) - b(l-1)) / b(l) over the rises of a monotone b, both ways: the answer is (m eps,
 * 0)-DP for independent (eps, 0)-DP mechanisms. */
void noise_pivotal(mpq_t m, const noise *g);

/* The law of the number of ones among `added` votes: part[l]/whole, not reduced. */
typedef struct vote_law {
    size_t voters, added;
    mpz_t *part; /* voters + 1 */
    mpz_t whole;
} vote_law;

bool vote_law_init(vote_law *law, size_t voters); /* no votes yet; false: out of memory */
void vote_law_clear(vote_law *law);
void vote_law_add(vote_law *law, const mpq_t p);   /* a vote that is 1 with probability p */
void vote_law_win(mpq_t win, const vote_law *law); /* Pr[majority = 1] */

/* w_l, l = mid..K: the expected error is sum w_l (1 - gamma(l)) / 2. `law` is that of the prior's
 * means, for DP_PRIOR_HALF and DP_PRIOR_MEAN. */
void noise_weight(mpq_t w, size_t l, size_t voters, dp_vote_prior prior, const vote_law *law);

/* |Pr[answer = 1] - Pr[majority = 1]| and Pr[answer != majority] under a law. */
void noise_errors(mpq_t variation, mpq_t disagreement, const noise *g, const vote_law *law);

#endif
