/* SPDX-License-Identifier: MIT */
#ifndef CORE_RESULT_H
#define CORE_RESULT_H

#include "core/bound.h"
#include "dpacct/result.h"

/* Empties the result, keeping its memory. */
void result_start(dp_result *r);

/* A new empty row, or NULL when out of memory. */
dp_row *result_row(dp_result *r, const bound *b);

/* What the row says of its quantities are lower bounds. */
void row_set_lower_bounds(dp_row *row);

/* A new quantity at the end of the row, of the kind that its name has; its figure is ready to be
 * set. One too many takes the last place, which result_end refuses. */
dp_figure *row_quantity(dp_row *row, const char *name);
dp_figure *row_figure(const dp_row *row, const char *name);

/* Takes the quantity of that name out of the row, where it has one. */
void row_drop(dp_row *row, const char *name);

/* Appends a row of another result, whose own becomes an empty one. */
dp_status result_take_row(dp_result *r, dp_row *from);

/* What the rows are about is known by an upper bound alone: none of them, from `first` on, is
 * exact.
 */
void result_weaken(dp_result *r, size_t first);

/* Orders two figures by their upper ends, to 256 bits. */
int figure_compare_upper(const dp_figure *a, const dp_figure *b);

/* Gives the row a noise function: a copy of `count` values for `first` votes and more. */
dp_status row_gamma(dp_row *row, const char *design, const mpq_t *gamma, size_t first,
                    size_t count);

/* Refines count figures of a row in place; a precision limit becomes a warning. */
dp_status result_refine(dp_result *r, dp_figure *out, size_t count, bound_eval eval, const void *in,
                        const dp_options *opt, mpfr_prec_t extra_bits);

/* Evaluates b for `in` to opt->digits and appends its row. */
dp_status result_evaluate(dp_result *r, const bound *b, const void *in, const dp_options *opt);

/* The same for every one of the rows that belongs to the family, applies and is wanted. */
dp_status result_evaluate_family(dp_result *r, const bound *const *rows, const char *family,
                                 const void *in, const dp_options *opt);

/* The end of a query: whoever was refused memory on the way, the query says so; a result that holds
 * more than fits is refused; an error that says nothing yet names the limit that was met. */
dp_status result_end(dp_result *r, dp_status status, dp_error *err);

/* Warnings and notes are static texts; repeated ones are kept once. One too many is refused as a
 * quantity is. */
void result_warn(dp_result *r, const char *text);
void result_note(dp_result *r, const char *text);
void result_assume(dp_result *r, const char *text);

/* Fills in what the check is about: a threshold that was not given takes the fallback, or 0. */
void result_check_start(dp_result *r, const dp_options *opt, const dp_number *epsilon_fallback,
                        const dp_number *delta_fallback);

/* Five texts, of which limit_text takes the one for what was met: nothing but the method's own
 * limit, time, memory, both, precision. `before` says before what, the others what follows. */
#define LIMIT_TEXTS(before, one, both, end)                                                        \
    {                                                                                              \
        "the method's own limit was met" before end, "the time limit was met" before one,          \
            "the memory limit was met" before one,                                                 \
            "the time and the memory limit were met" before both,                                  \
            "the precision limit was met" before end                                               \
    }
#define LIMIT_ADVICE(before)                                                                       \
    LIMIT_TEXTS(before, "; raise it", "; raise them",                                              \
                "; neither more time nor more memory will help")
const char *limit_text(const char *const text[5], unsigned met);

/* A figure that stayed wider than asked: says which limit was met. */
void result_warn_wide(dp_result *r);

/* The options, with a place where work under them gathers what is met. */
dp_options options_meeting(const dp_options *opt, unsigned *met);

/* The answer to the check, and what was met on the way to it: where it is open, that is why. */
void result_decide(dp_result *r, dp_decision holds, unsigned met);

/* The threshold `by` times epsilon. So many times ln(R) is a number only where it is ln(R^by);
 * elsewhere the factor is kept. */
void check_set_multiple(dp_check *check, const dp_number *epsilon, const mpq_t by);

/* An error that says nothing yet, whatever the caller left in it. */
void error_start(dp_error *err);

dp_status fail(dp_error *err, dp_status status, const char *argument, const char *message);

/* Why the library gives up: for DP_UNDECIDED and DP_LIMIT the limit that was met. */
dp_status result_fail(const dp_result *r, dp_error *err, dp_status status);

#endif
