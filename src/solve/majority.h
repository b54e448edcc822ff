/* SPDX-License-Identifier: MIT */
#ifndef SOLVE_MAJORITY_H
#define SOLVE_MAJORITY_H

#include "bound/majority.h"
#include "num/logform.h"
#include "pld/ballots.h"
#include "pld/eight.h"
#include "solve/result.h"

/* One question, prepared. */
typedef struct council {
    const dp_majority *m;
    const dp_options *opt;
    limits lim;
    size_t voters;  /* K */
    logform target; /* the target epsilon */
    corners corners;
    bool pure;      /* every delta_i is 0 */
    mpq_t *weights; /* (K+1)/2 of the prior */
} council;

/* A design on its way to a row. */
typedef struct proposal {
    const bound *bound;
    const char *design;
    noise g;
    dp_figure delta, epsilon; /* certified */
    dp_figure probability;    /* of a constant */
    dp_figure objective, objective_bound;
    bool has_probability, has_objective;
    size_t worst[VERTICES]; /* of delta */
    size_t pure_cost; /* of a subsample: the exact cost in epsilons when every delta is 0; or 0 */
} proposal;

void proposal_init(proposal *p, const bound *b, const char *design);
void proposal_clear(proposal *p);

/* Is the design asked for? */
bool council_wants(const council *c, dp_design d);

/* The noise functions asked for, not yet certified; the one that decides first. */
#define COUNCIL_PROPOSALS 5
dp_status council_propose(const council *c, proposal *list, size_t *count, dp_result *out,
                          dp_error *err);

/* The smallest delta at x and the smallest epsilon at `delta` of each noise function, to the asked
 * digits where the limits allow. *proved says whether they did. */
dp_status council_certify(const council *c, proposal *list, size_t count, const logform *x,
                          mpq_srcptr delta, bool *proved);

/* E = e^x, and R = (E - 1 + 2 delta)/(1 + E). */
void council_odds(mpfi_t odds, const logform *x);

/* The solution of the linear program: gamma, objective and its bound. */
dp_status council_optimise(const council *c, proposal *p);

#endif
