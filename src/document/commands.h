/* SPDX-License-Identifier: MIT */
#ifndef DOCUMENT_COMMANDS_H
#define DOCUMENT_COMMANDS_H

#include "document/answer.h"
#include "document/request.h"

extern const command cmd_advantage, cmd_audit, cmd_bagging_with, cmd_bagging_without,
    cmd_bagging_poisson, cmd_compose, cmd_convert, cmd_curve, cmd_discrete_gaussian, cmd_divergence,
    cmd_dp_sgd, cmd_filter, cmd_generalization, cmd_iterative_gaussian, cmd_kl_bound, cmd_majority,
    cmd_rr_prob, cmd_gaussian, cmd_laplace, cmd_pate;

/* In the order of the help. */
#define QUERY_COMMANDS                                                                             \
    &cmd_advantage, &cmd_audit, &cmd_bagging_with, &cmd_bagging_without, &cmd_bagging_poisson,     \
        &cmd_compose, &cmd_convert, &cmd_curve, &cmd_discrete_gaussian, &cmd_divergence,           \
        &cmd_dp_sgd, &cmd_filter, &cmd_gaussian, &cmd_generalization, &cmd_iterative_gaussian,     \
        &cmd_kl_bound, &cmd_laplace, &cmd_majority, &cmd_pate, &cmd_rr_prob

/* The commands that answer a question, which a line of a batch may name; ends with NULL. A program
 * has more commands in a list of its own. */
extern const command *const query_commands[];

/* The options common to all queries, as the library takes them. */
dp_options common_options(const args *a, report *r);

/* With --width an answer is asked for at a few digits, and again, where this says true, at those
 * that the largest figure takes; the input then has no digits. */
void width_begin(dp_options *opt, const args *a, report *r);
bool width_goes_on(dp_options *opt, const args *a, report *r);
void width_end(args *a);

/* Says on what the described mechanisms of the list rest. */
void note_described(report *r, const args *a);

/* The list becomes that of --group-size; before the question. The note says so, after it. */
dp_status group_records(args *a, report *r);
void note_groups(report *r, args *a);

/* Says that a missing half of the budget means 0, or that an end point is a sum, and, of the list
 * where there is one, what a usual delta would give. Once for an answer. */
void note_usual(report *r, const args *a, const dp_compose_query *q, const dp_options *opt);
/* The same for what asks otherwise: is a usual delta to be asked of, with these options; and what
 * it gives. */
bool note_wants_usual(dp_number *delta, dp_options *own, const report *r, const args *a);
void note_usual_epsilon(report *r, const dp_figure *epsilon);

/* One mechanism by the options that are `single`, or a list by -m or a ledger: fills the
 * composition. */
int single_or_list(args *a, report *r);

#endif
