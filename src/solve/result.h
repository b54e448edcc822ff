/* SPDX-License-Identifier: MIT */
#ifndef SOLVE_RESULT_H
#define SOLVE_RESULT_H

#include "bound/bound.h"
#include "dpacct/result.h"

/* Empties the result, keeping its memory. */
void result_start(dp_result *r);

/* A new empty row, or NULL when out of memory. */
dp_row *result_row(dp_result *r, const bound *b);

/* A new quantity at the end of the row; its figure is ready to be set. */
dp_figure *row_quantity(dp_row *row, const char *name);
dp_figure *row_figure(const dp_row *row, const char *name);

/* Gives the row a noise function: a copy of `count` values for `first` votes and more. */
dp_status row_gamma(dp_row *row, const char *design, const mpq_t *gamma, size_t first,
                    size_t count);

/* Refines count figures of a row in place; a precision limit becomes a warning. */
dp_status result_refine(dp_result *r, dp_figure *out, size_t count, bound_eval eval, const void *in,
                        const dp_options *opt, mpfr_prec_t extra_bits);

/* Evaluates b for `in` to opt->digits and appends its row. */
dp_status result_evaluate(dp_result *r, const bound *b, const void *in, const dp_options *opt);

/* The same for every bound of the registry that belongs to the family, applies and is wanted. */
dp_status result_evaluate_family(dp_result *r, const char *family, const void *in,
                                 const dp_options *opt);

/* Warnings and notes are static texts; repeated ones are kept once. */
void result_warn(dp_result *r, const char *text);
void result_note(dp_result *r, const char *text);

/* Fills in what the check is about: a threshold that was not given takes the fallback, or 0. */
void result_check_start(dp_result *r, const dp_options *opt, const dp_number *epsilon_fallback,
                        const dp_number *delta_fallback);

dp_status fail(dp_error *err, dp_status status, const char *argument, const char *message);

#endif
