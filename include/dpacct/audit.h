/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_AUDIT_H
#define DPACCT_AUDIT_H

#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dp_audit_method {
    DP_AUDIT_BY_DESIGN = 0, /* fisher for two samples, coin, exact for one run */
    DP_AUDIT_CP,
    DP_AUDIT_SIDAK,
    DP_AUDIT_FISHER,
    DP_AUDIT_COIN,
    DP_AUDIT_EXACT,
    DP_AUDIT_ADAPTIVE,
    DP_AUDIT_FDP,
    DP_AUDIT_PROFILE,
    DP_AUDIT_2023
} dp_audit_method;

/* What an attack came to. One design: two samples (the first four counts), coin (the next two), or
 * one run (the next three). Counts are integers from 0 to 10^9; NULL where a design has none. */
typedef struct dp_audit {
    const dp_number *true_positives, *positives, *false_positives, *negatives;
    const dp_number *correct, *trials;
    const dp_number *canaries, *guesses; /* correct of the guesses were right */
    bool one_run;
    bool replaced;                /* the trials differ by a record in the place of another */
    bool fixed_positions;         /* the canaries that are guessed were named before the run */
    const dp_number *delta;       /* of the claim, in [0, 1]; NULL: 0 */
    const dp_number *confidence;  /* in (0, 1) */
    const dp_number *split;       /* in (0, 1); NULL: 1/2 */
    const dp_number *looks;       /* how many figures were announced; NULL: 1 */
    const dp_number *at_epsilon;  /* of the curve, or NULL */
    const dp_number *said_in;     /* how many of the guesses said "in"; NULL: not told */
    const dp_number *inclusion;   /* in (0, 1); NULL: 1/2 */
    bool gdp;                     /* the claim is mu-GDP ... */
    const dp_number *mu;          /* ... for this mu; NULL: the least one is asked alone */
    const dp_number *claim_point; /* epsilon, delta, epsilon, ...: claimed together; or NULL */
    size_t claim_points;          /* numbers of both kinds */
    bool assume_gaussian;
    dp_audit_method method;
    bool plan; /* how many trials can refute claim_epsilon? Without counts, design by the method */
    const dp_number *claim_epsilon;
    const dp_number *accuracy, *power; /* in (0, 1): of an attack that is known, or NULL */
    const dp_number *tpr, *fpr; /* in [0, 1]: of one with two samples, in place of accuracy */
} dp_audit;

/* What the outcomes of an attack prove against a claim: a lower bound of epsilon.
 *   rows       epsilon_lower, its lower end the statement: it exceeds the least epsilon of the
 *              mechanism, at its delta, with a probability of at most 1 - confidence; p_value
 *              where opt->max_epsilon is given; the limits of the rates; mu_lower; delta_lower
 *   check      opt->max_epsilon, mu or claim_point: DP_NO where the claim is refuted, which a tie
 * is; DP_YES says that it is not, which proves nothing about it guarantee  the row that decides; it
 * guarantees nothing, and is a finding errors     DP_DOMAIN: more successes than trials, two
 * designs or half of one, methods and options of another design; DP_UNAVAILABLE: no number of
 * trials can refute it */
DP_API dp_status dp_audit_evaluate(dp_result *out, const dp_audit *a, const dp_options *opt,
                                   dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
