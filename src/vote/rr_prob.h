/* SPDX-License-Identifier: MIT */
#ifndef VOTE_RR_PROB_H
#define VOTE_RR_PROB_H

#include "core/bound.h"
#include "dpacct/vote.h"
#include "num/logform.h"

/* One question about randomized response; what must be decided exactly is decided beforehand. */
typedef struct response_in {
    const dp_response *r;
    const logform *target; /* the target epsilon */
    mpq_srcptr delta;      /* the target delta */
    bool simple_sure;      /* (K epsilon, K delta) is within the target */
    /* Independent mechanisms with delta = 0: the K - N that matter, N = max(0, ceil(m) - 1). */
    const struct lattice *majority; /* NULL when this case does not apply */
    mpz_srcptr voters;              /* K - N */
    mpz_srcptr cell;                /* their atom with the least loss that still wins */
    bool majority_sure;             /* target >= (K+1)/2 epsilon: the majority itself is private */
    const struct limits *lim;       /* of its sum */
} response_in;

/* Is (K epsilon, K delta) within (target, delta)? Decided exactly; in solve. */
bool response_is_simple_sure(const response_in *q);

/* out = min(1, (1 - e^-t + 2 delta e^-t) / (1 - e^-t + 2 x e^-t)), t the target epsilon and x the
 * most by which the majority can exceed it. */
void response_probability(dp_figure *out, const response_in *q, const mpfi_t x, const wanted *want);

/* e^t; false where it is not a rational of moderate size. */
bool response_odds_q(mpq_t odds, const response_in *q);

/* The same for a rational x; false where e^t is not a rational of moderate size. */
bool response_probability_q(mpq_t p, const response_in *q, const mpq_t x);

/* out[1], out[2] = the target */
void response_target(dp_figure *out, const response_in *q, const wanted *want);

extern const bound rr_prob_simple, rr_prob_general, rr_prob_independent, rr_prob_printed;

#endif
