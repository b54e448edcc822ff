/* SPDX-License-Identifier: MIT */
/* The linear program over symmetric gamma(mid..K): maximise sum w gamma subject to G gamma <= R for
 * every multiset of corners, G_l = [(a_l - E a'_l) - (a_(K-l) - E a'_(K-l))]/(1+E), R = (E - 1 + 2
 * delta)/(1 + E), and 0 <= gamma <= 1. */
#ifndef VOTE_PROGRAM_H
#define VOTE_PROGRAM_H

#include "vote/council.h"
#include "vote/simplex.h"

/* A multiset: a leaf of the three corners, or eight counts. */
typedef struct cut {
    size_t leaf;
    octet vertices;
} cut;

typedef struct program {
    const council *c;
    size_t n; /* (K+1)/2 */
    bool free_class;
    mpfr_prec_t bits;    /* enough for differences of the size of the budget */
    mpfi_t odds, budget; /* E and R */
    bool scaled;         /* rows are divided by R, which is above 0 */
    mpfi_t unit;         /* what a row is multiplied by: 1/(1+E), divided by R when scaled */
    eight eight;
    simplex simplex;
    size_t *counts;
    mpfr_t *law[4]; /* room to work */
    cut *used;      /* by the row number in the simplex */
    size_t used_count, used_room;
    size_t steps;
} program;

/* law <- the law at a cut, K + 1 values, under p or p'. DP_UNDECIDED when time ran out. */
dp_status program_law(mpfr_t *law, program *p, const cut *k, bool primed, mpfr_rnd_t way);

/* The rows that are likely to be active in the end, n of them; a cut has the leaf as its index. In
 * doubles: to be used where the budget is far above their roundings. */
dp_status program_search(row_name *active, program *p);

/* Leaves that may be violated by the solution, or nearly so: at most `room` of them. */
dp_status program_near(size_t *leaf, size_t *count, size_t room, const program *p);

/* For a line of progress: the rows so far allow no more than this. */
void program_tell(const program *p, double most);

/* gamma from the solution, scaled into the target, with its objective and the bound on the optimum
 * that the multipliers prove. */
dp_status program_certify(program *p, proposal *out);

#endif
