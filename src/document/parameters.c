/* SPDX-License-Identifier: MIT */
/* The parameters of the answer: its form, not its content. */
#include "document/parameters.h"

#include <stddef.h>

const parameter output_format = {
    .name = "format",
    .kind = KIND_CHOICE,
    .preset = "text",
    .choices = "text|json|csv|tsv|markdown|latex|statement|github|junit",
    .brief = "output form",
    .manual = "Text for people, one JSON object for programs, CSV or TSV with one line per row, a "
              "table in markdown or latex, a statement to paste into a report, an annotation for "
              "GitHub Actions, or a JUnit report with one test case for the check.",
};

const parameter output_width = {
    .name = "width",
    .kind = KIND_POSITIVE,
    .brief = "how wide the enclosure may be, in place of digits",
    .manual = "Absolute: as many digits are proved as that takes, instead of --digits. Where a "
              "limit is met before, the enclosure is shown as it is, and a warning says so.",
};

const parameter output_json = {
    .name = "json",
    .kind = KIND_FLAG,
    .brief = "short for --format json",
    .manual = "The object follows the published JSON Schema dpacct/1.",
};

const parameter output_quiet = {
    .name = "quiet",
    .kind = KIND_FLAG,
    .brief = "print nothing, only exit",
    .manual = "The exit status is the answer to a check; without one it is an error. Errors are "
              "still reported.",
};

const parameter output_help = {
    .name = "help",
    .kind = KIND_FLAG,
    .brief = "show this help",
    .manual = "Shows the usage of the command and exits.",
};

const parameter output_plot = {
    .name = "plot",
    .kind = KIND_TEXT,
    .brief = "draw the answer: FILE.svg, FILE.png, FILE.pdf, or -",
    .manual = "A curve or range, the bounds of compose --all, the noise functions of majority; - "
              "draws in the terminal. gnuplot does it, which must be there.",
};

const parameter output_plot_data = {
    .name = "plot-data",
    .key = "plot_data",
    .kind = KIND_FLAG,
    .brief = "print what --plot would draw as CSV",
    .manual = "One line for each point, one column for each curve, as gnuplot and matplotlib read.",
};

const parameter batch_quiet = {
    .name = "quiet",
    .kind = KIND_FLAG,
    .brief = "print nothing, only exit",
    .manual = "The exit status is 2 when a line was bad.",
};

const parameter batch_jobs = {
    .name = "jobs",
    .kind = KIND_COUNT,
    .preset = "1",
    .domain = &domain_jobs,
    .brief = "processes that answer lines at once, 1 to 64",
    .manual = "The answers and their order are those of one: byte for byte.",
};

const parameter theorems_format = {
    .name = "format",
    .kind = KIND_CHOICE,
    .preset = "text",
    .choices = "text|json|csv|tsv|markdown|latex|bibtex",
    .brief = "output form",
    .manual = "Text for people, one JSON object for programs, CSV, TSV or a table with one line "
              "per theorem, or the entries of BibTeX for the works that their sources name; a "
              "theorem derived here is an entry of its own.",
};

const parameter theorems_search = {
    .name = "search",
    .kind = KIND_TEXT,
    .brief = "those that hold the words, in any of their texts",
    .manual = "In id, statement, source, assumptions or proof; capitals are no difference.",
};

const parameter theorems_verdict = {
    .name = "verdict",
    .kind = KIND_CHOICE,
    .choices = "exact|proved|unsound|per-instance",
    .brief = "those of that verdict",
    .manual = "unsound are published statements that fail.",
};

const parameter theorems_command = {
    .name = "command",
    .kind = KIND_TEXT,
    .brief = "those that the command shows",
    .manual = "The name of a command, such as compose.",
};

const parameter *const document_parameters[] = {
    &output_format,    &output_width,     &output_json,     &output_quiet, &output_help,
    &output_plot,      &output_plot_data, &batch_jobs,      &batch_quiet,  &theorems_search,
    &theorems_verdict, &theorems_command, &theorems_format, NULL};
