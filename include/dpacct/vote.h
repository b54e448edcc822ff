/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_VOTE_H
#define DPACCT_VOTE_H

#include <gmp.h>

#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dp_vote_composition {
    DP_VOTE_SIMPLE = 0, /* (K epsilon, K delta)                                     */
    DP_VOTE_GENERAL     /* Kairouz, Oh, Viswanath, with a slack: their Theorem 3.4  */
} dp_vote_composition;

/* Private majority by randomized response: K mechanisms, each (epsilon, delta)-DP with a one-bit
 * vote; with some probability the true majority is published, else a fair coin. */
typedef struct dp_response {
    mpz_t mechanisms; /* K, odd */
    dp_number epsilon;
    mpq_t delta;
    const dp_number *allowance;      /* m: the target is m epsilon; or NULL */
    const dp_number *target_epsilon; /* the target itself; exactly one of the two */
    mpq_t target_delta;
    dp_vote_composition composition;
    const dp_number *slack; /* for DP_VOTE_GENERAL; NULL otherwise */
} dp_response;

DP_API void dp_response_init(dp_response *r);
DP_API void dp_response_clear(dp_response *r);

/* The largest probability with which the true majority may be published within the target.
 *   rows       probability, with the (epsilon, delta) it keeps:
 *                rr-prob-simple, rr-prob-general  from composition alone: each mechanism is
 *                                     (epsilon, delta)-DP given the outputs of the earlier ones
 *                rr-prob-independent  for independent mechanisms with delta = 0
 *                rr-prob-printed      the published formula without its clamps (opt->all; unsound)
 *   rounding   figures are enclosures; a probability is safe at its lower end
 *   errors     DP_DOMAIN: K even or < 1, epsilon or target_epsilon < 0, delta or target_delta
 *              outside [0, 1], allowance <= 0, both or neither target, slack outside (0, 1), a
 *              slack without general composition or general composition without one
 *   theorem    Jiang, Zhang, Joshi 2024, Lemma A.1 */
DP_API dp_status dp_response_probability(dp_result *out, const dp_response *r,
                                         const dp_options *opt, dp_error *err);

/* How the votes of teachers, each trained on records of its own, become one published answer. */
typedef enum dp_aggregator {
    DP_LNMAX = 0,      /* argmax of the votes with Laplace noise of scale 1/inverse_scale   */
    DP_GNMAX,          /* argmax of the votes with Gaussian noise                           */
    DP_CONFIDENT_GNMAX /* the same where the most votes, with noise, reach the threshold    */
} dp_aggregator;

typedef enum dp_pate_unknown {
    DP_PATE_NOTHING = 0,
    DP_PATE_QUERIES, /* the most queries within the budget  */
    DP_PATE_SIGMA    /* the least sigma within it           */
} dp_pate_unknown;

/* Private aggregation of teachers' votes. One record belongs to one teacher, and the records of the
 * others do not move when it comes, goes or changes: two votes of each query move by one. */
typedef struct dp_pate {
    dp_aggregator aggregator;
    dp_relation adjacency;            /* the figures are the same under both */
    const dp_number *inverse_scale;   /* lnmax */
    const dp_number *sigma;           /* gnmax, confident-gnmax */
    const dp_number *sigma_threshold; /* confident-gnmax: noise of the threshold test */
    const dp_number *queries;         /* asked; NULL: 1 */
    const dp_number *answered;        /* at most, of confident-gnmax; NULL: as many as are asked */
    const dp_number *target_epsilon;  /* delta at this epsilon, or NULL */
    const dp_number *target_delta;    /* epsilon at this delta, or NULL */
    const dp_number *teachers;        /* the sum of each query's votes, or NULL */
    const dp_number *threshold;       /* of confident-gnmax, where votes are given */
    const mpq_t *votes;               /* of each query in turn, for vote_classes classes; or NULL */
    size_t vote_count, vote_classes;
    /* DP bagging, lnmax alone: a line for each record, of which for each query the fractions of the
     * teachers that hold it by their vote, one for each class; or NULL. With votes these are the
     * votes of all partitions, divided by their number. */
    const mpq_t *instance;
    size_t instance_count, instance_line;
    const dp_number *classes; /* of `instance`; NULL: 2 */
    dp_pate_unknown solve;    /* within the budget of the options */
} dp_pate;

/* The privacy of the answers.
 *   rows       epsilon and delta, with the order alpha that a row was evaluated at:
 *                pate-gaussian  the exact profile of the noisy votes
 *                pate-laplace   the same of Laplace noise
 *                pate-pure      optimal composition of queries that are (2 inverse_scale)-DP
 *                pate-renyi     Renyi divergence of the noisy votes (both: opt->all, or a limit)
 *                pate-moments   the published moments accountant (opt->all)
 *                pate-stop-after  the published count of labels (solving; unsound)
 *                pate-lnmax-instance, pate-gnmax-instance, pate-bagging-instance
 *                               what the given votes or fractions spent, DP_PER_INSTANCE:
 *                               computed from private data, no privacy, never the guarantee
 *                pate-lnmax-script, pate-bagging-published
 *                               the same as published (opt->all; unsound)
 *   solve      each row with the most queries, or the least sigma, that it proves to fit
 *   rounding   figures are enclosures; a solved sigma is a decimal of the asked digits
 *   errors     DP_DOMAIN: a number outside its domain, one that the aggregator needs and is
 *              missing, or does not have, answered above queries, two targets; solve without a
 *              budget, or with votes; votes that do not sum to teachers, fractions that do not sum
 *              to 1, of other queries; DP_UNAVAILABLE: no target and no bounded loss, a budget
 *              that any value meets
 *   theorems   pate-*: Papernot et al. 2017, 2018, and what is proved beside them */
DP_API dp_status dp_pate_privacy(dp_result *out, const dp_pate *p, const dp_options *opt,
                                 dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
