/* SPDX-License-Identifier: MIT */
/* DP-SGD: each step adds Gaussian noise to the clipped gradients of a Poisson sample. */
#ifndef MECHANISM_DP_SGD_H
#define MECHANISM_DP_SGD_H

#include "mechanism/types.h"
#include "num/limits.h"
#include "renyi/conversion.h"
#include "renyi/sampled.h"

/* The steps of a mechanism of the type dp-sgd. */
typedef struct dp_sgd {
    sampled of; /* one step */
    mpz_t steps;
    double count; /* about that */
} dp_sgd;

void dp_sgd_init(dp_sgd *s, const dp_mechanism *m, const mpz_t times);
void dp_sgd_clear(dp_sgd *s);

/* The sampling rate; and the number of steps: epochs / rate rounded up where that is not given, and
 * then the rate is above 0. */
void dp_sgd_rate(mpq_t rate, const dp_mechanism *m);
void dp_sgd_count(mpz_t steps, const dp_mechanism *m, const mpq_t rate);

/* Is a mechanism of this type about groups of more than one record, of which Renyi divergences are
 * not looked at? */
bool dp_sgd_is_group(const dp_mechanism *m);

/* Is that delta kept whatever the noise is? Total variation of the steps is at most that of what is
 * drawn: with probability (1-q)^(Tk) no record of the group is, in any step, and nothing differs.
 * As the noise falls it comes as near as one likes, at every epsilon, so for less it is not. */
bool dp_sgd_any_noise(const dp_mechanism *m, const mpz_t times, const mpq_t delta);

#define DP_SGD_ANY_NOISE "allows any noise: with no larger probability is a record ever drawn"

#define NOTE_ONE_SIDE                                                                              \
    "for groups of records that are all removed or all added, each sampled for itself; not for "   \
    "some removed and others added"

/* Their Renyi divergences, while *s lives; and that of order alpha alone. */
renyi_curve dp_sgd_curve(const dp_sgd *s);
void dp_sgd_divergence(mpfi_t r, const dp_sgd *s, const mpfi_t alpha);

/* The figure of the row at the order that was found best, and that order. The improved row is 0, or
 * less, where total variation at the least order shows it. whole: integers from 2 on only. False:
 * no order gives anything. */
bool dp_sgd_epsilon(mpfi_t out, mpq_t alpha, const dp_sgd *s, const mpq_t delta, bool improved,
                    bool whole);
bool dp_sgd_delta(mpfi_t out, mpq_t alpha, const dp_sgd *s, const mpfi_t x, bool improved,
                  bool whole);

typedef enum dp_sgd_unknown {
    DP_SGD_NOTHING,
    DP_SGD_NOISE,
    DP_SGD_STEPS,
    DP_SGD_RATE
} dp_sgd_unknown;

/* Has the search for it within that budget a bounded answer? */
dp_status dp_sgd_solvable(const dp_mechanism *m, dp_sgd_unknown unknown, const dp_options *opt,
                          dp_error *err);

/* The rows at the target, or at the budget where there is none, or what keeps the budget: the least
 * noise multiplier, a decimal, or the most steps, not the rate. The mechanism has then any value of
 * what is unknown. */
dp_status dp_sgd_privacy(dp_result *out, const dp_mechanism *m, const dp_number *target_epsilon,
                         const dp_number *target_delta, dp_sgd_unknown unknown,
                         const dp_options *opt, dp_error *err);

/* Is it proved that no order of the curve, and not total variation at the least one, gives delta at
 * epsilon x? */
bool dp_sgd_fails(const dp_sgd *s, const logform *x, const mpq_t delta, mpfr_prec_t bits);

/* The figure of one step alone that is asked for, exactly: of all steps together it is a lower end.
 * False, and nothing: of groups, where nothing happens, and where delta is not between 0 and 1. */
bool dp_sgd_one_step(mpfi_t out, const profile_in *in);

/* ---- in doubles, for searches: dp_sgd_guess.c ---- */

/* About ln kappa(t), and the least value over t of g(t) in dp_sgd_proof.c, in *at ln t; below 0 the
 * budget seems to be kept. */
double dp_sgd_log_kappa(double t);
double dp_sgd_least_gap(double *at, const sampled *of, double count, double epsilon,
                        double log_delta);

/* About the least noise multiplier with which the steps keep the budget, 0 where none was found,
 * and about the largest number of steps, at most 1e300. */
double dp_sgd_guess_noise(const dp_sgd *s, double epsilon, double log_delta, const limits *lim);
double dp_sgd_guess_steps(const dp_sgd *s, double epsilon, double log_delta);

#endif
