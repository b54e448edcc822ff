/* SPDX-License-Identifier: MIT */
#ifndef DPACCT_ACCOUNT_H
#define DPACCT_ACCOUNT_H

#include "dpacct/mechanism.h"
#include "dpacct/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Handles for callers that do not know GMP's and MPFR's types: everything in and out is text, and
 * what they hold is not for them to see. None is changed by being asked: an account may be asked by
 * several threads at once, with one question. Whatever a call refuses leaves all handles as they
 * were; free functions do nothing to NULL, and NULL for anything else is DP_DOMAIN. */

/* A list of mechanisms under one relation between data sets, which is fixed here. Their parameters
 * are fixed in advance, unless a question says otherwise; the mechanisms themselves may be chosen
 * adaptively. NULL: DP_DOMAIN, DP_MEMORY. */
typedef struct dp_account dp_account;
DP_API dp_account *dp_account_new(dp_relation relation, dp_error *err);
DP_API void dp_account_free(dp_account *a);

/* Adds a copy of the mechanism, used `times` times ("35"; NULL: once).
 *   errors   DP_DOMAIN: a parameter is missing, or does not go with another; times is no positive
 *            integer; the mechanism has no statement for the relation. DP_MEMORY */
DP_API dp_status dp_account_add(dp_account *a, const dp_mechanism *m, const char *times,
                                dp_error *err);

/* What is asked: parameters by the names of the options of `compose`, dashes or underscores:
 * target-delta or target-epsilon, max-epsilon, max-delta, method, slack, group-size, adaptive
 * ("parameters": they depend on earlier outputs), digits, max-time, max-memory; "all" is "true" or
 * "false". What is set again takes the place of what was. Where
 * max-time or max-memory is not set there is no such limit.
 *   errors   DP_DOMAIN: no such parameter, or no value of its domain. DP_MEMORY */
typedef struct dp_question dp_question;
DP_API dp_question *dp_question_new(void); /* NULL: out of memory */
DP_API void dp_question_free(dp_question *q);
DP_API dp_status dp_question_set(dp_question *q, const char *parameter, const char *value,
                                 dp_error *err);

/* *out becomes the answer, to be freed; NULL where the call fails, with the errors of
 * dp_compose, and with group-size those of dp_composition_for_groups. */
typedef struct dp_answer dp_answer;
DP_API dp_status dp_account_ask(dp_answer **out, const dp_account *a, const dp_question *q,
                                dp_error *err);
DP_API void dp_answer_free(dp_answer *a);

/* Rows, theorems, warnings; it lives as long as the answer. */
DP_API const dp_result *dp_answer_result(const dp_answer *a);

/* A quantity of the row that decides ("epsilon", "delta"), at its safe end, with the digits asked
 * for, as text to be released with dp_text_free; NULL where there is none, or no memory. And as a
 * double that is not inside it, the infinity on that side where there is none. */
DP_API char *dp_answer_text(const dp_answer *a, const char *quantity);
DP_API double dp_answer_double(const dp_answer *a, const char *quantity);

/* Is the budget kept: DP_UNKNOWN too where none was asked about. */
DP_API dp_decision dp_answer_holds(const dp_answer *a);

#ifdef __cplusplus
}
#endif
#endif
