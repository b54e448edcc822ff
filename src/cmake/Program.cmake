# SPDX-License-Identifier: MIT
set(DPACCT_PROGRAM_SOURCES
  src/document/answer.c
  src/document/answer_json.c
  src/document/cmd_bagging.c
  src/document/cmd_compose.c
  src/document/cmd_curve.c
  src/document/cmd_divergence.c
  src/document/cmd_generalization.c
  src/document/cmd_iterative.c
  src/document/cmd_kl_bound.c
  src/document/cmd_majority.c
  src/document/cmd_rr_prob.c
  src/document/common.c
  src/document/emit.c
  src/document/escape.c
  src/document/json_read.c
  src/document/json_scan.c
  src/document/json_write.c
  src/document/out.c
  src/document/request.c
  src/document/request_items.c
  src/document/request_object.c
  src/document/parameters.c
  src/document/table.c
  src/cli/argv.c
  src/cli/batch.c
  src/cli/cmd_theorems.c
  src/cli/complete.c
  src/cli/csv.c
  src/cli/generate.c
  src/cli/help.c
  src/cli/man.c
  src/cli/mem.c
  src/cli/program.c
  src/cli/progress.c
  src/cli/query.c
  src/cli/text.c
  src/cli/write.c
)
# Everything but main(), so that tests and fuzzers can link the readers too.
add_library(dpacct_program OBJECT ${DPACCT_PROGRAM_SOURCES})
target_include_directories(dpacct_program PUBLIC src)
target_compile_definitions(dpacct_program PRIVATE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
target_link_libraries(dpacct_program PUBLIC dpacct_internal PkgConfig::CJSON PRIVATE dpacct_flags)
add_executable(dpacct src/cli/main.c)
target_link_libraries(dpacct PRIVATE dpacct_program dpacct_flags)
