/* SPDX-License-Identifier: MIT */
/* The profile of a product, its leaks among it, and its inverse:
 *     delta(x) = 1 - D (1 - s(x)),  D = prod (1 - delta_i),  s(x) = E_P[(1 - e^(x-L))_+].
 * For (epsilon_i, delta_i)-DP mechanisms, L the sum of the losses of randomized response, no
 * smaller value holds for the class. The top is the largest loss, for these the sum of epsilon. */
#ifndef ENGINE_INVERT_H
#define ENGINE_INVERT_H

#include "core/bound.h"
#include "engine/profile.h"

/* delta(x), x >= 0; `beyond` says that x >= top, where s = 0. DP_LIMIT leaves the best
 * enclosure found, DP_UNDECIDED says that the limits allowed none. */
dp_status optimal_delta(dp_figure *out, const engine *e, const logform *x, bool beyond,
                        size_t digits, const limits *lim);

/* The smallest x >= 0 with delta(x) <= delta, where 1 - D < delta < 1 and 0 < top are known. Never
 * above the top. */
dp_status optimal_epsilon(dp_figure *out, const engine *e, const mpq_t delta, size_t digits,
                          const limits *lim);

/* out encloses the same by a moment for each end, to about 2^-bits of it where the deviation of the
 * sum of the losses is as small beside its mean: of 10^20 uses and more. False: it says nothing. */
bool optimal_by_moments(mpfi_t out, const engine *e, const mpq_t delta, mpfr_prec_t bits,
                        const limits *lim);

/* Is the deviation of the losses so small beside their mean that these ends are looked at first;
 * or, `nearly`, that they may be all there is? */
bool optimal_is_narrow(const engine *e, bool nearly);

/* s* = 1 - (1 - delta)/D, at which delta(x) = delta */
void optimal_target(mpfi_t target, const product *p, const mpq_t delta);

/* The same as optimal_epsilon where the target is small beside the mass at the largest loss, to the
 * digits asked; false: not, and `out` is anything. */
bool optimal_near_top(dp_figure *out, const engine *e, const mpq_t delta, size_t digits,
                      const limits *lim);

/* delta(x) = leak + (1 - leak) s as a rational; false when it is none, or too large to form. */
bool optimal_rational_delta(dp_figure *out, const engine *e, const logform *x, bool beyond);

/* delta(0) <= delta, where delta(0) is rational: enclosures never settle that tie. */
bool optimal_is_zero(const engine *e, const mpq_t delta);

/* Is x >= top, from where on the profile is 1 - D? Notes it where that is not decided.
 */
dp_decision optimal_beyond(const engine *e, const logform *x, const limits *lim);

/* The largest loss, at least 0; infinite where there is none. */
void optimal_top(dp_figure *out, const engine *e, size_t digits);

/* The same as optimal_epsilon at any target: infinite below the leak, and at it where the losses
 * are not bounded. DP_LIMIT with an open end where that is not decided. */
dp_status optimal_epsilon_at(dp_figure *out, const engine *e, const mpq_t delta, size_t digits,
                             const limits *lim);

/* delta(x) as optimal_delta has it, and is delta(x) <= delta, at any x >= 0. */
dp_status optimal_delta_at(dp_figure *out, const engine *e, const logform *x, size_t digits,
                           const limits *lim);
dp_decision optimal_meets_at(const engine *e, const logform *x, const mpq_t delta,
                             const limits *lim);

/* The same proved by one moment, at little cost: false where that does not prove it. */
bool optimal_meets_by_moment(const engine *e, const logform *x, const mpq_t delta,
                             const limits *lim);

/* invert_one.c: what one law alone proves of epsilon at delta, or, where x is not NULL, from below
 * of delta at x, is taken into out. Does one law alone exceed delta at x? */
void optimal_by_one(mpfi_t out, const engine *e, const logform *x, const mpq_t delta, size_t digits,
                    const limits *lim);
bool optimal_fails_by_one(const engine *e, const logform *x, const mpq_t delta, const limits *lim);

/* Is delta(x) <= delta, for x known to be below the top? */
dp_decision optimal_meets(const engine *e, const logform *x, const mpq_t delta, const limits *lim);

#endif
