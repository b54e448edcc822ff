/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_ADVANTAGE_H
#define DPACCT_ADVANTAGE_H

#include <gmp.h>

#include "dpacct/compose.h"
#include "dpacct/convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which two worlds the attacker tells apart: one record in the data or not, which is what
 * add-remove adjacency is about; or one record against another in its place, the data of the same
 * size, which is replace-one. */
typedef enum dp_game {
    DP_GAME_OF_RELATION = 0, /* the one that the relation is about */
    DP_GAME_IN_OUT,
    DP_GAME_REPLACED
} dp_game;

typedef enum dp_attacker_unknown {
    DP_ATTACKER_NOTHING = 0,
    DP_ATTACKER_EPSILON, /* the largest epsilon, beside `delta`, ... */
    DP_ATTACKER_RHO,     /* ... rho of zCDP, ... */
    DP_ATTACKER_MU       /* ... or mu of GDP, with an advantage of at most max_advantage */
} dp_attacker_unknown;

/* A guarantee, and what is asked about attackers that know everything but one record. NULL, 0:
 * not asked. */
typedef struct dp_attacker {
    const dp_conversion *statement; /* pure, approx, zcdp, rdp or gdp, with no question; or ... */
    const dp_composition *list;     /* ... a list; neither where something is solved for */
    dp_relation adjacency;          /* of the statement; a list has its own */
    mpz_srcptr group;               /* records that enter or leave together; NULL: 1 */
    dp_game game;
    const dp_number *delta; /* of approximate zCDP, or beside the epsilon that is solved for */
    const dp_number *prior; /* probability of "in", in [0, 1]; NULL: 1/2 */
    const mpq_t *fpr;       /* false positive rates at which the true one is asked */
    size_t fpr_count;
    const dp_number *tpr;     /* a true positive rate at which the false one is asked */
    const dp_number *secrets; /* equally likely values of what is to be reconstructed */
    const dp_number *kappa;   /* the largest prior probability that a guess counts */
    const dp_number
        *belief; /* a loss t >= 0: how often is the posterior odds above e^t the prior's */
    const dp_number *members;       /* how many members there are to be revealed */
    const dp_number *trainings;     /* ... by each of so many independent trainings */
    const dp_number *max_advantage; /* a budget, in [0, 1] */
    dp_attacker_unknown solve;
} dp_attacker;

/* What an attacker gains, at most, from one output.
 *   rows       advantage (true less false positive rate) by every theorem that applies, the
 *              strongest first; accuracy at the prior; then what is asked: tpr, fpr, ppv,
 *              posterior_max, posterior_min, exceed_probability, attribute_advantage,
 *              reconstruction, expected_members (and _in_all trainings); epsilon, rho, mu where
 *              solved for
 *   rounding   figures are enclosures; what an attacker gains is safe at its upper end, what is
 *              solved for, the least fpr and posterior_min at the lower one
 *   check      is the advantage at most max_advantage, whatever mechanism has the guarantee?
 *   errors     DP_DOMAIN: not one source, numbers outside their domains, a game that the relation
 * is not about; DP_UNAVAILABLE: no theorem for groups of such a guarantee; DP_UNDECIDED theorems
 * adv-*, accuracy-prior, tpr-at-fpr, ppv-*, posterior-*, loss-tail-*, attribute-adv, rero-* */
DP_API dp_status dp_advantage(dp_result *out, const dp_attacker *q, const dp_options *opt,
                              dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
