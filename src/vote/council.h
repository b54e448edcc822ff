/* SPDX-License-Identifier: MIT */
#ifndef VOTE_COUNCIL_H
#define VOTE_COUNCIL_H

#include "core/result.h"
#include "num/logform.h"
#include "vote/ballots.h"
#include "vote/eight.h"
#include "vote/majority.h"
#include "vote/ties.h"

/* One question, prepared. */
typedef struct council {
    const dp_majority *m;
    const dp_options *opt;
    limits lim;
    size_t voters;  /* K */
    logform target; /* the target epsilon */
    corners corners;
    bool pure;      /* every delta_i is 0 */
    size_t parts;   /* one in so many of the time left may raise the precision of what is ready */
    mpq_t *weights; /* (K+1)/2 of the prior */
} council;

/* A design on its way to a row. */
typedef struct proposal {
    const bound *bound;
    noise g;
    dp_figure delta, epsilon; /* certified */
    dp_figure probability;    /* of a constant */
    dp_figure objective, objective_bound;
    bool has_probability, has_objective;
    size_t worst[VERTICES]; /* of delta */
    size_t pure_cost; /* of a subsample: with every delta_i = 0 the sum of that many of the largest
                         epsilons is its exact cost; or 0 */
} proposal;

/* What was read of a noise function, the answer and its mirror image together. */
typedef struct reading {
    mpfi_t delta, epsilon;
    dp_decision finite;     /* of epsilon: see ballots_epsilon */
    size_t worst[VERTICES]; /* of delta */
} reading;

void reading_init(reading *r, mpfr_prec_t bits);
void reading_clear(reading *r);
void reading_take_delta(reading *r, const mpfi_t delta, const size_t *vertices, bool mirrored);
void reading_take_epsilon(reading *r, const mpfi_t epsilon, dp_decision finite);
void standing_join(standing *s, const standing *other);

/* Answers that are not monotone, by a table that is open. */
dp_status eight_certify(reading *r, eight *t, const noise *g, const logform *x, const mpq_t delta,
                        mpfr_prec_t bits);
dp_status eight_stand(standing *s, eight *t, const noise *g, const logform *x, const mpq_t delta,
                      mpfr_prec_t bits);

void proposal_init(proposal *p, const bound *b);
void proposal_clear(proposal *p);

/* Is the design asked for? */
bool council_wants(const council *c, dp_design d);

/* Appends the noise functions of a design to the list, not yet certified; of DP_DESIGN_ALL the
 * given one. */
#define COUNCIL_PROPOSALS 5
typedef struct proposing {
    const council *c;
    proposal *list;
    size_t *count;
    dp_error *err;
    const bound *row; /* of the design at hand */
} proposing;
dp_status council_propose(dp_design d, proposing *p, dp_result *out);

/* The smallest delta at x and the smallest epsilon at `delta` of each noise function, to the asked
 * digits where the limits allow. DP_UNDECIDED: they allow nothing. */
dp_status council_certify(const council *c, proposal *list, size_t count, const logform *x,
                          mpq_srcptr delta);

/* Do both figures agree with themselves to the asked digits? */
bool council_agrees(const council *c, const proposal *p);

/* Where B - e^x B' - delta stands at its worst, ties decided exactly; not known where a limit was
 * met. */
dp_status council_stand(standing *s, const council *c, const noise *g, const logform *x,
                        const mpq_t delta);

/* Is the noise function (x, delta)-DP? */
dp_status council_within(dp_decision *answer, const council *c, const noise *g, const logform *x,
                         const mpq_t delta);

/* The exact epsilon of a subsample of pure mechanisms at delta = 0, where it is rational. */
void proposal_set_pure_cost(const council *c, proposal *p);

/* Rows with lower bounds on the error of every private answer, where they apply. `law` is that of
 * the given votes. */
dp_status council_lower_bound(dp_result *out, const council *c, const vote_law *law);

/* E = e^x, and R = (E - 1 + 2 delta)/(1 + E). */
void council_odds(mpfi_t odds, const logform *x);

/* The solution of the linear program: gamma, objective and its bound. */
dp_status council_optimise(const council *c, proposal *p);

#endif
