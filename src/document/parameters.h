/* SPDX-License-Identifier: MIT */
/* The parameters of the answer: its form, not its content. */
#ifndef DOCUMENT_PARAMETERS_H
#define DOCUMENT_PARAMETERS_H

#include "core/parameter.h"

extern const parameter output_format, output_width, output_json, output_quiet, output_help,
    output_plot, output_plot_data;
extern const parameter batch_jobs, batch_quiet, theorems_search, theorems_verdict, theorems_command,
    theorems_format;

extern const parameter *const document_parameters[]; /* all of them, ended by NULL */

#endif
