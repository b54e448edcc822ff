/* SPDX-License-Identifier: MIT */
/* The profile s(x) = E_P[(1 - e^(x-L))_+] of any product, by the evaluator that suits it:
 *   one law in closed form   that form, or few nodes of the plain contour where it is long
 *   one epsilon              terms added one by one near the top, else the lattice contour
 *   few atoms                meeting in the middle
 *   one such, and few atoms  that form shifted, likewise
 *   few uses of laws with ends, and few atoms    their ends, each along its own ray
 *   a common step            the lattice contour
 *   laws that decay          the plain contour, as far as they do
 *   anything else            the Gaussian bracket, whose width is chosen
 * All but the last two are exact to any precision, and the plain contour where a law decays without
 * end, as Gaussian noise does. */
#ifndef ENGINE_PROFILE_H
#define ENGINE_PROFILE_H

#include "engine/atoms.h"
#include "engine/ends.h"
#include "engine/lattice.h"
#include "engine/plain.h"
#include "engine/shifted.h"
#include "engine/smooth.h"

typedef struct engine {
    const product *product;
    totals all;
    lattice lattice;
    bool has_lattice;
    unsigned without; /* evaluators that are not tried, 1 << kind each: none but in tests */
} engine;

/* The product is not changed afterwards. DP_MEMORY; *e is then still safe to clear. */
dp_status engine_init(engine *e, const product *p);
void engine_clear(engine *e);

/* out = the largest loss; [0, infinity] where it is not bounded. */
void engine_top(mpfi_t out, const engine *e);

/* s(0) <= most->right <= 1, at no cost, from engine_top: for symmetric laws s(0) <= sum of
 * tanh(l/2) over the uses, l their largest losses, which is at most top/2; for others s(0) <= 1 -
 * e^-top <= top. */
void engine_distance(mpfi_t most, const engine *e, const mpfi_t top);

typedef enum profile_kind {
    PROFILE_DIRECT,
    PROFILE_CONTOUR,
    PROFILE_ATOMS,
    PROFILE_SMOOTH,
    PROFILE_CLOSED,
    PROFILE_PLAIN,
    PROFILE_SHIFTED,
    PROFILE_ENDS
} profile_kind;

typedef struct profile {
    const engine *engine;
    const limits *lim; /* outlives it */
    profile_kind kind;
    double gap;  /* of a bracket: that asked, or what can be had in time */
    bool exact;  /* the width of s is set by bits, not by gap */
    bool spared; /* bits could be had, but not cheaply */
    bool rough;  /* few bits of a closed form do: a search is still far off */
    mpfr_prec_t bits;
    contour contour;
    atoms atoms;
    shifted_sum shifted;
    trapezoid smooth, plain;
    ends_sum ends;
    /* the lattice cell last evaluated */
    mpz_t cell;
    bool has_cell;
    mpfi_t g, v;
} profile;

/* Prepares evaluations near x with s narrow to a relative 2^-bits, or to about `gap` where only a
 * bracket is to be had, or where `cheap` is asked and it costs less. */
dp_status profile_open(profile *p, const engine *e, double x, mpfr_prec_t bits, double gap,
                       bool cheap, const limits *lim);
void profile_close(profile *p);

/* s encloses s(x) for 0 <= x < top; slope is about e^x Q(L > x) = -ds/dx. */
dp_status profile_at(mpfi_ptr s, mpfr_ptr slope, profile *p, mpfi_srcptr x);

/* Does an evaluation take a pass over many nodes, which may serve FAR_POINTS points at once? They
 * are said before. DP_LIMIT, DP_MEMORY: the pass was not ended. */
bool profile_is_by_pass(const profile *p);
dp_status profile_foresee(profile *p, mpfr_srcptr const *x, size_t count, const limits *lim);

/* The square of the step of extremal functions (engine/extremal.h), 0 where there are none; after a
 * pass, does the law look even on their scale, as few nodes matter? */
double profile_area(const profile *p);
bool profile_is_even(const profile *p);

/* out = s(x) for 0 <= x < top where that is rational; false where it is not, or where that is not
 * told. */
bool exact_profile(mpq_t out, const product *p, const logform *x);

#endif
