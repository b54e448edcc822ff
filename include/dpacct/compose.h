/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_COMPOSE_H
#define DPACCT_COMPOSE_H

#include <gmp.h>

#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One mechanism: (epsilon, delta)-DP, used `times` times. */
typedef struct dp_item {
    dp_number epsilon;
    mpq_t delta;
    mpz_t times;
} dp_item;

/* A list of parameters, fixed in advance. The mechanisms may be chosen adaptively; each has its
 * parameters given the outputs of the earlier ones. All are private under the same relation between
 * data sets, which is chosen when the list is made. */
typedef struct dp_composition {
    dp_item *item;
    size_t count, room;
    dp_relation adjacency;
    struct dp_known *known; /* what the library knows of items beyond their pairs */
    struct dp_uses *uses;   /* mechanisms of other types, see account.h */
    struct dp_cells *cells; /* of disjoint data, see dp_composition_add_cells */
} dp_composition;

/* An empty list: under add-remove adjacency, or under the one named. */
DP_API void dp_composition_init(dp_composition *c);
DP_API void dp_composition_init_under(dp_composition *c, dp_relation adjacency);
DP_API void dp_composition_clear(dp_composition *c);

/* Appends (epsilon, delta) used `times` times; equal neighbours are not merged here. The numbers
 * may be those of an item of the list. That the mechanism is private under the list's relation is
 * up to the caller. DP_DOMAIN: epsilon < 0, delta outside [0, 1], times < 1, NULL. DP_MEMORY.
 * Queries look at the items again, also at those that were changed in place. */
DP_API dp_status dp_composition_add(dp_composition *c, const dp_number *epsilon, const mpq_t delta,
                                    const mpz_t times, dp_error *err);

/* Appends releases about disjoint data: a partition of all possible records, fixed in advance, and
 * for each of its `count` cells the list of what is released about the records there, each of them
 * `times` times. Several calls that name the same partition are about the same cells; NULL is
 * another partition each time. Under replace-one adjacency a record may move to another cell: a
 * mechanism there must be private with its parameters both where a record of its cell changes and
 * where one is added or removed, and have a law that is the same in both directions. Composed by
 * dp_compose and dp_compose_curve.
 *   errors   DP_DOMAIN: no cell, times < 1, a cell that itself has cells or is of another relation,
 *            another number of cells than the partition of that name has, NULL. DP_MEMORY */
DP_API dp_status dp_composition_add_cells(dp_composition *c, const char *partition,
                                          const dp_composition *cell, size_t count,
                                          const mpz_t times, dp_error *err);

/* The list under which groups of `size` records are what one record is under `from`: neighbours are
 * `size` steps of its relation apart. Each mechanism by its own theorem, then composed: Gaussian
 * and Laplace noise have `size` times the sensitivity, zCDP size^2 rho; what is known by (epsilon,
 * delta) alone has the curve of all chains of `size` steps, which some mechanism attains (Dong,
 * Roth, Su 2022, Theorem 2.14), and which lies below that of (size epsilon, delta (e^(size epsilon)
 * - 1) / (e^epsilon - 1)); randomized response with more than two answers is bounded by the curve
 * of its epsilon. Of disjoint data the records may be in different cells.
 *   to       empty; on failure it is empty again. With size = 1 it becomes a copy of `from`.
 *   errors   DP_DOMAIN: size < 1, `to` not empty, NULL; DP_UNAVAILABLE: a mechanism of the list has
 *            no theorem for groups (pair, rdp, zcdp with xi > 0, bagging), or, where (epsilon,
 *            delta) are all that is known, size above 1000; DP_UNDECIDED: a tie in a curve that
 *            cannot be told; DP_MEMORY */
DP_API dp_status dp_composition_for_groups(dp_composition *to, const dp_composition *from,
                                           const mpz_t size, dp_error *err);

typedef enum dp_compose_method {
    DP_COMPOSE_OPTIMAL = 0,
    DP_COMPOSE_BASIC,
    DP_COMPOSE_ADVANCED,
    DP_COMPOSE_KOV,
    DP_COMPOSE_HE2021,
    DP_COMPOSE_ZCDP,
    DP_COMPOSE_RDP,
    DP_COMPOSE_FILTER
} dp_compose_method;

typedef enum dp_compose_unknown {
    DP_SOLVE_NOTHING = 0,
    /* Where no value fits check.holds is DP_NO, and the row is that of the least value, beside a
     * figure of 0; of a parameter there is no row then. */
    DP_SOLVE_TIMES,    /* how many more uses of `add` (or of the single item) fit the budget */
    DP_SOLVE_EPSILON,  /* the largest epsilon of `uses` more mechanisms within the budget   */
    DP_SOLVE_PARAMETER /* the least noise `parameter` of the only mechanism of the list, or of
                        * `added` beside the list                                            */
} dp_compose_unknown;

/* What is asked about the composition. At most one target: with neither, the end point. */
typedef struct dp_compose_query {
    const dp_composition *list;
    dp_compose_method method;
    const dp_number *target_epsilon; /* report delta there, or NULL */
    const dp_number *target_delta;   /* report epsilon there, or NULL */
    const dp_number *slack;          /* for theorems that need one; NULL: from the target */
    const dp_number *claim_epsilon;  /* audit the claim (epsilon, delta), or NULL */
    const dp_number *claim_delta;
    const dp_item *add; /* the next release, or NULL; its `times` is not read */
    dp_compose_unknown solve;
    mpz_srcptr uses;             /* for DP_SOLVE_EPSILON */
    const dp_number *use_delta;  /* delta of each of them */
    const char *parameter;       /* for DP_SOLVE_PARAMETER: "sigma", "scale" */
    const dp_composition *added; /* the next release as a list, in place of `add`, or NULL */
    bool adaptive; /* parameters depend on earlier outputs: DP_COMPOSE_FILTER alone answers */
} dp_compose_query;

/* The composition of the list.
 *   rows       (epsilon, delta) and what a theorem chose (slack, rho, alpha); first the optimum
 *                delta(x) = 1 - prod(1-delta_i) (1 - E[(1 - e^(x-L))_+])
 *              at the target, never above basic composition; then the closed forms that the method
 *              and opt->all ask for, strongest first
 *   claim      check.holds tells whether the claim is true; the rows hold the optimum at the
 *              claimed epsilon and at the claimed delta
 *   verdict    a row is DP_EXACT where mechanisms of these parameters attain it; with an item that
 *              is known by an upper bound (see dp_composition_add_bagging) it is DP_PROVED, and
 *              check.holds is DP_NO only where a lower bound refutes the budget
 *   add        the list with one use of it more; the count `times` is how many uses fit; `added`
 *              likewise, all of it once more each time
 *   rounding   every figure is an enclosure; where a limit is met it is wider than asked, and a
 *              warning says so
 *   adaptive   a check is decided by the filter at the target, or at its delta where there is none;
 *              DP_UNAVAILABLE: another method, a claim, `add` or `solve`, or mechanisms of other
 * types errors     DP_DOMAIN: an empty list without `add` or `solve`, two targets; an epsilon < 0,
 * a delta outside [0, 1] or a logarithm, slack outside (0, 1), uses < 1; half a claim, a claim
 * beside a target or a budget; add or solve without a budget; DP_UNAVAILABLE: the method says
 * nothing about this target theorems   compose-*, he2021-*: see dp_theorem_at */
DP_API dp_status dp_compose(dp_result *out, const dp_compose_query *q, const dp_options *opt,
                            dp_error *err);

/* Points of the privacy profile: one row of the optimum for each of the `count` epsilons, or, where
 * `delta` is not NULL, for each of the deltas.
 *   errors   DP_DOMAIN: an empty list, epsilon < 0, delta outside [0, 1] or a logarithm, neither */
DP_API dp_status dp_compose_curve(dp_result *out, const dp_composition *list,
                                  const dp_number *epsilon, const dp_number *delta, size_t count,
                                  const dp_options *opt, dp_error *err);

#ifdef __cplusplus
}
#endif
#endif
