/* SPDX-License-Identifier: MIT */
/* Amplification by subsampling of a learner that is itself (eps0, delta0)-DP. E0 = e^eps0, eta the
 * probability that a fixed record is in the subsample. */
#ifndef SAMPLING_AMPLIFY_H
#define SAMPLING_AMPLIFY_H

#include "sampling/bagging.h"

/* What relation the learner's guarantee must be brought to, and how. */
typedef enum amplify_route {
    AMPLIFY_DIRECT,       /* as it is                                                        */
    AMPLIFY_GROUP_BASE,   /* samples of fixed size, a learner known under add-remove: two steps */
    AMPLIFY_GROUP_RESULT, /* Poisson, the same learner, a result under replace-one: two steps */
    AMPLIFY_SAME_SIZE,    /* Poisson, learner and result under replace-one: one step, or missed */
    AMPLIFY_NOTHING       /* the learner's relation says nothing about this scheme           */
} amplify_route;

amplify_route amplify_way(const dp_bagging *b);

/* Are samples with one thing and with the other in its place one step of the learner apart? */
bool amplify_is_one_step(const dp_bagging *b);

/* The learner as it is: growth = E0 - 1, delta = delta0. */
void amplify_base(mpfi_t growth, mpfi_t delta, const dp_bagging *b);

/* odds = e^eps0, where that is rational. */
bool amplify_base_odds(mpq_t odds, const dp_bagging *b);

/* The learner after AMPLIFY_GROUP_BASE where that applies: (2 eps0, worst delta of two steps). */
void amplify_learner(mpfi_t growth, mpfi_t delta, const dp_bagging *b);

/* out = the worst delta of two neighbouring steps at 2 eps0 and beyond: that of g(g(0)). */
void amplify_twice(mpfi_t out, const mpfi_t growth, const mpfi_t delta);

/* out = min(1, delta + odds p, 1 - (1-delta-p)/odds), the farthest an event goes in one step. */
void amplify_step_q(mpq_t out, const mpq_t p, const mpq_t odds, const mpq_t delta);

/* rise = e^x - 1 at the target */
void amplify_rise(mpfi_t rise, const logform *at);

/* eta of one subsample, or of all N disjoint ones together; with replacement that of one draw. */
void amplify_rate_q(mpq_t eta, const dp_bagging *b);

/* The epsilon of the amplified pair where it is an exact number: of one model, of all disjoint
 * ones, with replacement of one draw. False where it is not. */
bool amplify_end(dp_number *epsilon, const dp_bagging *b);

/* Is x >= times that number? Unknown where it is not exact. */
dp_decision amplify_beyond(const dp_bagging *b, const mpz_t times, const logform *x);

/* The delta of the amplified pair where it is rational; with replacement of so many draws. */
bool amplify_leak(mpq_t delta, const dp_bagging *b, const mpz_t draws);

/* True when the N models need composition: all schemes but disjoint blocks, N > 1. */
bool amplify_composes(const dp_bagging *b);

/* One model's pair (eps', delta'): what is composed N times. Enclosed. */
void amplify_pair(mpfi_t epsilon, mpfi_t delta, const dp_bagging *b);

/* The same as figures, exact where it is. */
dp_status amplify_pair_figures(dp_figure *out, const dp_bagging *b, const wanted *want);

/* The profile of one model, or of all disjoint ones, where no record is drawn twice. */
const bound *amplify_curve(const dp_bagging *b);

/* Is the value of that profile attained by some learner at every target? */
bool amplify_attained(const bagging_in *in);

/* a* = (1 - delta)/(2 + growth) and g^-1(a*) = max(0, (a* - delta)/E0) */
void amplify_knee(mpfi_t knee, mpfi_t back, const mpfi_t growth, const mpfi_t delta);

/* out = (epsilon, target): the least epsilon at which the curve is at most in->target; assumes that
 * it is above it at 0. */
dp_status amplify_inverse(dp_figure *out, const bagging_in *in, const wanted *want);

/* The pair of amplify_grouped for Poisson samples at the rate eta. */
void amplify_grouped_pair(mpfi_t epsilon, mpfi_t delta, const dp_bagging *b, const mpq_t eta);

/* The value of amplify_grouped at the target, or for the adding direction. */
void amplify_grouped_value(dp_figure *out, const bagging_in *in, bool adding, const wanted *want);

/* delta(x) of a chain of j neighbouring steps, each (growth + 1, delta)-DP, at e^x = 1 + rise: the
 * exact worst case over all learners. */
void amplify_group(mpfi_t out, const mpfi_t growth, const mpfi_t delta, const mpz_t j,
                   const mpfi_t rise);

/* All models by the whole law of one, where there is one that the closed profile does not show; its
 * engine is on a bagging_in with a target. Both answers of the decision are proofs. */
extern const bound amplify_dominating;
bool amplify_has_dominating(const dp_bagging *b);
dp_decision amplify_dominating_meets(const dp_bagging *b, const dp_number *epsilon,
                                     const mpq_t delta, const dp_options *opt);

extern const bound amplify_point, amplify_profile, amplify_grouped, amplify_replaced, amplify_add;
/* Its engine, on a bagging_in, composes amplify_pair. */
extern const bound amplify_composed;
extern const bound amplify_with_pair, amplify_with_bbg, amplify_with_hybrid, amplify_with_mixture;

#endif
