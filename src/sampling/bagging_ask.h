/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_BAGGING_ASK_H
#define SAMPLING_BAGGING_ASK_H

#include "core/result.h"
#include "loss/known.h"
#include "sampling/amplify.h"

/* Which unknown of the query is not read; DP_SOLVE_NONE: all are known. */
#define DP_SOLVE_NONE ((dp_bagging_unknown)-1)
dp_status bagging_domain(const dp_bagging *b, dp_bagging_unknown unknown, dp_error *err);

/* Is base^count >= 1 - delta, that is, is the delta for any learner at most `delta`? Exact;
 * DP_UNKNOWN where neither the bits nor the time tell. */
dp_decision bagging_miss_meets(const bagging_miss *s, const mpq_t delta, const limits *lim);

/* Decides the check of the result about b, where one is asked. */
dp_status bagging_decide(dp_result *out, const dp_bagging *b, const dp_options *opt);

/* Is the mechanism (epsilon, delta)-DP, by the strongest bound that has a formula? *tight says that
 * a "no" is final and not the looseness of a bound. */
dp_decision bagging_meets(const dp_bagging *b, const dp_number *epsilon, const mpq_t delta,
                          const dp_options *opt, bool *tight);

/* The bound for any learner that belongs to the sampling scheme. */
const bound *bagging_exact_bound(const dp_bagging *b);

/* The rows of a private learner, after the result was started. */
dp_status bagging_private(dp_result *out, const dp_bagging *b, const dp_options *opt,
                          dp_error *err);

/* The same without the row of the whole law: for lists, which have that already. */
dp_status bagging_bounds(dp_result *out, const dp_bagging *b, const dp_options *opt, dp_error *err);

/* The pair of one model (of all, for disjoint subsamples) rounded to an end; context is a
 * dp_bagging. False where it is out of range. */
bool bagging_model_pair(dp_number *epsilon, mpq_t delta, const void *context, dp_end end,
                        mpfr_prec_t bits);

/* Is one model's profile the curve of its pair? At rate 1 the pair is the learner's own; a learner
 * that only leaks does so with probability eta delta0. kind: as what it enters a list; may be NULL.
 */
bool bagging_is_pair(known_kind *kind, const dp_bagging *b);

/* As what a leak alone enters a list: the larger of two data sets leaks where a record is added or
 * removed, either does where one is replaced. */
known_kind bagging_leak_kind(const dp_bagging *b);

/* Members of known_ops: bagging_laws.c. */
bool bagging_has_law(const dp_known *k);
dp_status bagging_law(product *to, const dp_known *k, const mpz_t times, dp_end end, bool backward);

/* out = the least epsilon at which b is at most the target delta, infinite where there is none;
 * DP_LIMIT where it is left wide. */
dp_status bagging_invert(dp_figure *out, const bound *b, const dp_bagging *bagging,
                         const dp_options *opt);

/* Is it proved that some learner of the class makes the mechanism not (epsilon, delta)-DP? */
bool bagging_refutes(const dp_bagging *b, const dp_number *epsilon, const mpq_t delta,
                     const dp_options *opt);

void bagging_remarks(dp_result *out, const dp_bagging *b);

#endif
