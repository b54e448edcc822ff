# SPDX-License-Identifier: MIT
set(DPACCT_PROGRAM_SOURCES
  src/document/json_read.c
  src/document/json_scan.c
  src/document/json_write.c
  src/cli/args.c
  src/cli/argv.c
  src/cli/batch.c
  src/cli/cmd_bagging.c
  src/cli/cmd_compose.c
  src/cli/cmd_curve.c
  src/cli/cmd_divergence.c
  src/cli/cmd_generalization.c
  src/cli/cmd_iterative.c
  src/cli/cmd_kl_bound.c
  src/cli/cmd_majority.c
  src/cli/cmd_rr_prob.c
  src/cli/cmd_theorems.c
  src/cli/common.c
  src/cli/complete.c
  src/cli/emit.c
  src/cli/escape.c
  src/cli/generate.c
  src/cli/help.c
  src/cli/items.c
  src/cli/man.c
  src/cli/mem.c
  src/cli/object.c
  src/cli/out.c
  src/cli/progress.c
  src/cli/query.c
  src/cli/report.c
  src/cli/report_json.c
  src/cli/table.c
)
# Everything but main(), so that tests and fuzzers can link the readers too.
add_library(dpacct_program OBJECT ${DPACCT_PROGRAM_SOURCES})
target_include_directories(dpacct_program PUBLIC src)
target_compile_definitions(dpacct_program PRIVATE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
target_link_libraries(dpacct_program PUBLIC dpacct_internal PkgConfig::CJSON PRIVATE dpacct_flags)
add_executable(dpacct src/cli/main.c)
target_link_libraries(dpacct PRIVATE dpacct_program dpacct_flags)
