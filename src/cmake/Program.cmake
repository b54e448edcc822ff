# SPDX-License-Identifier: MIT
set(DPACCT_PROGRAM_SOURCES
  src/cli/argv.c
  src/cli/argv_of.c
  src/cli/batch.c
  src/cli/batch_line.c
  src/cli/checks.c
  src/cli/citation.c
  src/cli/cmd_completion.c
  src/cli/cmd_theorems.c
  src/cli/complete.c
  src/cli/csv.c
  src/cli/entries.c
  src/cli/figures.c
  src/cli/form_parts.c
  src/cli/forms.c
  src/cli/generate.c
  src/cli/gnuplot.c
  src/cli/grid.c
  src/cli/help.c
  src/cli/hints.c
  src/cli/job.c
  src/cli/jobs.c
  src/cli/json_write.c
  src/cli/ledger_csv.c
  src/cli/man.c
  src/cli/man_formats.c
  src/cli/markup.c
  src/cli/mem.c
  src/cli/parts.c
  src/cli/next.c
  src/cli/picture.c
  src/cli/picture_parts.c
  src/cli/picture_script.c
  src/cli/processors.c
  src/cli/program.c
  src/cli/progress.c
  src/cli/query.c
  src/cli/range.c
  src/cli/roff.c
  src/cli/schema.c
  src/cli/schema_fixed.c
  src/cli/schema_input.c
  src/cli/schema_literals.c
  src/cli/schema_parts.c
  src/cli/schema_rows.c
  src/cli/screen.c
  src/cli/series.c
  src/cli/statement.c
  src/cli/tables.c
  src/cli/text.c
  src/cli/worker.c
  src/cli/write.c
)
# Everything but main(), so that tests and fuzzers can link the readers too.
add_library(dpacct_program OBJECT ${DPACCT_PROGRAM_SOURCES})
target_include_directories(dpacct_program PUBLIC src)
target_compile_definitions(dpacct_program PRIVATE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
if(DPACCT_SANITIZE)
  target_compile_definitions(dpacct_program PRIVATE DPACCT_WATCHED)
endif()
target_link_libraries(dpacct_program PUBLIC dpacct_internal PkgConfig::CJSON PRIVATE dpacct_flags)
add_executable(dpacct src/cli/main.c)
set_target_properties(dpacct PROPERTIES STATIC_NUMBERS ${DPACCT_STATIC_NUMBERS})
# Its tables are full of pointers: the pages that the loader changes at each start are a tenth of
# the time of a closed form.
option(DPACCT_FIXED_ADDRESS "Link the program for one address: faster to start, less hardened" OFF)
if(DPACCT_FIXED_ADDRESS)
  set_target_properties(dpacct PROPERTIES POSITION_INDEPENDENT_CODE OFF)
endif()
target_link_libraries(dpacct PRIVATE dpacct_program dpacct_flags)
