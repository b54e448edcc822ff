# SPDX-License-Identifier: MIT
set(DPACCT_LIBRARY_SOURCES
  src/num/binary64.c
  src/num/cball.c
  src/num/cdisc.c
  src/num/date.c
  src/num/decimal.c
  src/num/decimal_digits.c
  src/num/decimal_double.c
  src/num/decimal_short.c
  src/num/domain.c
  src/num/figure.c
  src/num/correlate.c
  src/num/fejer.c
  src/num/fixed.c
  src/num/guard.c
  src/num/ival.c
  src/num/ival_tail.c
  src/num/limits.c
  src/num/literal.c
  src/num/logform.c
  src/num/memory.c
  src/num/misread.c
  src/num/misread_forms.c
  src/num/number.c
  src/num/threads.c
  src/num/turns.c
  src/num/version.c
  src/num/wide.c
  src/num/word.c
  src/core/bound.c
  src/core/door.c
  src/core/mechanism.c
  src/core/parameter.c
  src/core/parameters.c
  src/core/quantity.c
  src/core/refine.c
  src/core/result.c
  src/core/search.c
  src/core/value.c
  src/loss/block_power.c
  src/loss/bounded_range.c
  src/loss/bounded_range_nodes.c
  src/loss/buckets.c
  src/loss/copies.c
  src/loss/discrete.c
  src/loss/discrete_blocks.c
  src/loss/discrete_gaussian.c
  src/loss/discrete_gaussian_nodes.c
  src/loss/discrete_gaussian_profile.c
  src/loss/discrete_groups.c
  src/loss/discrete_laplace.c
  src/loss/discrete_nodes.c
  src/loss/discrete_profile.c
  src/loss/ends.c
  src/loss/even.c
  src/loss/gaussian.c
  src/loss/gaussian_blocks.c
  src/loss/gaussian_guess.c
  src/loss/gaussian_law.c
  src/loss/gaussian_tails.c
  src/loss/cells.c
  src/loss/composition.c
  src/loss/known.c
  src/loss/laplace.c
  src/loss/laplace_blocks.c
  src/loss/laplace_few.c
  src/loss/laplace_nodes.c
  src/loss/laplace_part.c
  src/loss/leaks.c
  src/loss/line.c
  src/loss/pair.c
  src/loss/product.c
  src/loss/response.c
  src/loss/response_blocks.c
  src/loss/response_cell.c
  src/loss/response_cell_fixed.c
  src/loss/response_exact.c
  src/loss/response_kary.c
  src/loss/response_list.c
  src/loss/response_nodes.c
  src/loss/response_scan.c
  src/loss/response_series.c
  src/loss/response_step.c
  src/loss/sampled_gaussian.c
  src/loss/sampled_gaussian_bend.c
  src/loss/sampled_gaussian_bend_lines.c
  src/loss/sampled_gaussian_bend_nodes.c
  src/loss/sampled_gaussian_bend_plan.c
  src/loss/sampled_gaussian_bend_search.c
  src/loss/sampled_gaussian_bend_terms.c
  src/loss/sampled_gaussian_decay.c
  src/loss/sampled_gaussian_excess.c
  src/loss/sampled_gaussian_few.c
  src/loss/sampled_gaussian_few_bounds.c
  src/loss/sampled_gaussian_few_nodes.c
  src/loss/sampled_gaussian_few_place.c
  src/loss/sampled_gaussian_few_plan.c
  src/loss/sampled_gaussian_fixed.c
  src/loss/sampled_gaussian_group.c
  src/loss/sampled_gaussian_group_profile.c
  src/loss/sampled_gaussian_growth.c
  src/loss/sampled_gaussian_guess.c
  src/loss/sampled_gaussian_line.c
  src/loss/sampled_gaussian_nodes.c
  src/loss/sampled_gaussian_split.c
  src/loss/sampled_gaussian_sum.c
  src/loss/sampled_gaussian_two.c
  src/loss/sampled_gaussian_window.c
  src/loss/sampled_gaussian_window_values.c
  src/loss/sampled_laplace.c
  src/loss/sampled_laplace_ends.c
  src/loss/sampled_laplace_far.c
  src/loss/sampled_laplace_nodes.c
  src/loss/sampled_laplace_rays.c
  src/loss/sampled_laplace_sum.c
  src/loss/sampled_profile.c
  src/loss/scan_item.c
  src/loss/steps.c
  src/loss/steps_copies.c
  src/loss/steps_groups.c
  src/loss/steps_groups_exact.c
  src/loss/steps_poisson.c
  src/loss/steps_replaced.c
  src/loss/steps_shared.c
  src/engine/atoms.c
  src/engine/atoms_size.c
  src/engine/compare.c
  src/engine/contour.c
  src/engine/effort.c
  src/engine/ends.c
  src/engine/ends_plan.c
  src/engine/ends_sum.c
  src/engine/ends_tables.c
  src/engine/exact.c
  src/engine/extremal.c
  src/engine/far_nodes.c
  src/engine/far_terms.c
  src/engine/inversion.c
  src/engine/inversion_chords.c
  src/engine/inversion_pairs.c
  src/engine/invert.c
  src/engine/invert_one.c
  src/engine/invert_edges.c
  src/engine/invert_epsilon.c
  src/engine/invert_exact.c
  src/engine/invert_target.c
  src/engine/invert_many.c
  src/engine/invert_top.c
  src/engine/lattice.c
  src/engine/lattice_cell.c
  src/engine/near_atom.c
  src/engine/plain.c
  src/engine/profile.c
  src/engine/scan.c
  src/engine/shifted.c
  src/engine/smooth.c
  src/engine/tail.c
  src/engine/tilt.c
  src/engine/totals.c
  src/engine/trapezoid.c
  src/engine/trapezoid_dropped.c
  src/renyi/conversion.c
  src/renyi/convert.c
  src/renyi/convert_ask.c
  src/renyi/convert_curve.c
  src/renyi/convert_pair.c
  src/renyi/convert_profile.c
  src/renyi/order.c
  src/renyi/parameters.c
  src/renyi/points.c
  src/renyi/rows.c
  src/renyi/sampled.c
  src/renyi/sampled_plan.c
  src/renyi/sampled_trapezoid.c
  src/renyi/single.c
  src/compose/ask.c
  src/compose/budget.c
  src/compose/budget_guess.c
  src/compose/calibrate.c
  src/compose/calibrate_approach.c
  src/compose/choosing.c
  src/compose/cells.c
  src/compose/cells_budget.c
  src/compose/cells_choices.c
  src/compose/claims.c
  src/compose/closed_forms.c
  src/compose/curves.c
  src/compose/composing.c
  src/compose/distances.c
  src/compose/divergence.c
  src/compose/divergence_ask.c
  src/compose/dp_sgd_pld.c
  src/compose/enclosed_pair.c
  src/compose/filter.c
  src/compose/filter_budget.c
  src/compose/filter_cost.c
  src/compose/groups.c
  src/compose/he2021.c
  src/compose/he2021_corollary.c
  src/compose/he2021_knapsack.c
  src/compose/moments.c
  src/compose/optimal.c
  src/compose/pairs.c
  src/compose/parameters.c
  src/compose/round_pair.c
  src/compose/rows.c
  src/compose/sides.c
  src/compose/slack.c
  src/sampling/amplify.c
  src/sampling/amplify_ask.c
  src/sampling/amplify_dominating.c
  src/sampling/amplify_end.c
  src/sampling/amplify_grouped.c
  src/sampling/amplify_inverse.c
  src/sampling/amplify_learner.c
  src/sampling/amplify_pair.c
  src/sampling/amplify_two_steps.c
  src/sampling/amplify_with.c
  src/sampling/bagging.c
  src/sampling/bagging_ask.c
  src/sampling/bagging_domain.c
  src/sampling/bagging_inverse.c
  src/sampling/bagging_laws.c
  src/sampling/bagging_refute.c
  src/sampling/bagging_solve.c
  src/sampling/bagging_types.c
  src/sampling/parameters.c
  src/sampling/rows.c
  src/vote/ballots.c
  src/vote/corners.c
  src/vote/council.c
  src/vote/eight.c
  src/vote/leaf_sums.c
  src/vote/majority.c
  src/vote/majority_bound.c
  src/vote/majority_certify.c
  src/vote/majority_designs.c
  src/vote/majority_eight.c
  src/vote/majority_lower.c
  src/vote/majority_optimal.c
  src/vote/majority_search.c
  src/vote/noise.c
  src/vote/parameters.c
  src/vote/pate.c
  src/vote/pate_account.c
  src/vote/pate_ask.c
  src/vote/pate_guess.c
  src/vote/pate_instance.c
  src/vote/pate_laplace.c
  src/vote/pate_moments.c
  src/vote/pate_shares.c
  src/vote/pate_solve.c
  src/vote/pate_solve_guess.c
  src/vote/pate_type.c
  src/vote/pate_votes.c
  src/vote/pivots.c
  src/vote/program.c
  src/vote/reading.c
  src/vote/rows.c
  src/vote/rr_prob.c
  src/vote/rr_prob_ask.c
  src/vote/rr_prob_independent.c
  src/vote/shortlist.c
  src/vote/simplex.c
  src/vote/ties.c
  src/attack/advantage.c
  src/attack/advantage_accuracy.c
  src/attack/advantage_ask.c
  src/attack/advantage_check.c
  src/attack/advantage_gain.c
  src/attack/advantage_response.c
  src/attack/advantage_rows.c
  src/attack/advantage_solve.c
  src/attack/audit_adaptive.c
  src/attack/audit_answers.c
  src/attack/audit_ask.c
  src/attack/audit_boundary.c
  src/attack/audit_bounds.c
  src/attack/audit_check.c
  src/attack/audit_course.c
  src/attack/audit_crossing.c
  src/attack/audit_fdp.c
  src/attack/audit_fdp_curve.c
  src/attack/audit_fdp_guess.c
  src/attack/audit_fdp_line.c
  src/attack/audit_fdp_run.c
  src/attack/audit_fisher.c
  src/attack/audit_heights.c
  src/attack/audit_inclusion.c
  src/attack/audit_layers.c
  src/attack/audit_cuts.c
  src/attack/audit_scale.c
  src/attack/audit_limits.c
  src/attack/audit_parameters.c
  src/attack/audit_path.c
  src/attack/audit_plan.c
  src/attack/audit_power.c
  src/attack/audit_profile.c
  src/attack/audit_published.c
  src/attack/audit_run.c
  src/attack/audit_search.c
  src/attack/audit_many.c
  src/attack/audit_many_search.c
  src/attack/audit_lack.c
  src/attack/audit_normal.c
  src/attack/audit_rare.c
  src/attack/audit_side.c
  src/attack/audit_sure.c
  src/attack/audit_top.c
  src/attack/audit_two.c
  src/attack/audit_walk.c
  src/attack/randomised.c
  src/attack/audit_far.c
  src/attack/audit_gap.c
  src/attack/audit_level.c
  src/attack/audit_misses.c
  src/attack/audit_order.c
  src/attack/binomial.c
  src/attack/binomial_guess.c
  src/attack/binomial_low.c
  src/attack/binomial_near.c
  src/attack/binomial_pair.c
  src/attack/odds.c
  src/attack/parameters.c
  src/attack/posterior.c
  src/attack/quantile.c
  src/attack/reconstruction.c
  src/attack/root.c
  src/attack/rows.c
  src/attack/tail.c
  src/attack/tpr.c
  src/attack/tpr_moments.c
  src/attack/tpr_rows.c
  src/learning/generalization.c
  src/learning/generalization_ask.c
  src/learning/generalization_published.c
  src/learning/igmm.c
  src/learning/igmm_ask.c
  src/learning/parameters.c
  src/learning/rows.c
  src/catalog/door.c
  src/catalog/filter.c
  src/catalog/registry.c
  src/catalog/types.c
  src/catalog/works.c
  src/mechanism/bounded_range.c
  src/mechanism/curve.c
  src/mechanism/discrete_gaussian.c
  src/mechanism/discrete_laplace.c
  src/mechanism/dp_sgd.c
  src/mechanism/dp_sgd_ask.c
  src/mechanism/dp_sgd_basic.c
  src/mechanism/dp_sgd_guess.c
  src/mechanism/dp_sgd_orders.c
  src/mechanism/dp_sgd_proof.c
  src/mechanism/dp_sgd_rows.c
  src/mechanism/dp_sgd_steps.c
  src/mechanism/noise.c
  src/mechanism/noise_rows.c
  src/mechanism/pair.c
  src/mechanism/parameters.c
  src/mechanism/release.c
  src/mechanism/response.c
  src/mechanism/rows.c
  src/mechanism/sampled_laplace.c
)
# Questions and answers as JSON, for dp_ask and the program.
if(DPACCT_DOCUMENT)
  list(APPEND DPACCT_LIBRARY_SOURCES
    src/document/answer.c
    src/document/answer_input.c
  src/document/answer_json.c
    src/document/state_json.c
    src/document/ask.c
    src/document/by_entry.c
  src/document/cmd_advantage.c
    src/document/cmd_audit.c
    src/document/cmd_bagging.c
    src/document/cmd_compose.c
    src/document/cmd_convert.c
    src/document/cmd_curve.c
    src/document/cmd_divergence.c
    src/document/cmd_filter.c
    src/document/cmd_dp_sgd.c
    src/document/cmd_generalization.c
    src/document/cmd_iterative.c
    src/document/cmd_kl_bound.c
    src/document/cmd_majority.c
    src/document/cmd_noise.c
    src/document/cmd_pate.c
    src/document/cmd_rr_prob.c
    src/document/commands.c
  src/document/common.c
    src/document/elsewhere.c
    src/document/near.c
    src/document/notes.c
    src/document/emit.c
    src/document/escape.c
    src/document/item_text.c
    src/document/item_types.c
    src/document/json_read.c
    src/document/json_scan.c
    src/document/out.c
    src/document/parameters.c
    src/document/range.c
  src/document/remaining.c
    src/document/request.c
    src/document/request_cells.c
  src/document/request_entry.c
  src/document/request_fields.c
  src/document/request_items.c
  src/document/request_list.c
    src/document/request_mechanisms.c
    src/document/request_object.c
    src/document/table.c
    src/document/width.c
  )
endif()
add_library(dpacct_objects OBJECT ${DPACCT_LIBRARY_SOURCES})
target_link_libraries(dpacct_objects PUBLIC dpacct::mpfi dpacct::mpfr dpacct::gmp
                      PRIVATE dpacct_flags)
target_include_directories(dpacct_objects PUBLIC include PRIVATE src)

# What the program and the tests link: every symbol of the library can be reached.
add_library(dpacct_internal STATIC $<TARGET_OBJECTS:dpacct_objects>)
foreach(library mpfi mpfr gmp)
  target_link_libraries(dpacct_internal PUBLIC
    $<IF:$<BOOL:$<TARGET_PROPERTY:STATIC_NUMBERS>>,dpacct::${library}_archive,dpacct::${library}>)
endforeach()
target_link_libraries(dpacct_internal PUBLIC m)
target_include_directories(dpacct_internal PUBLIC include)
if(DPACCT_SANITIZE)
  target_link_options(dpacct_internal PUBLIC -fsanitize=${DPACCT_SANITIZE})
endif()

# In an archive hidden symbols would still meet those of whoever links it. So the objects become
# one, and what is hidden becomes local to it.
set(archived $<TARGET_OBJECTS:dpacct_objects>)
if(CMAKE_OBJCOPY AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(archived ${PROJECT_BINARY_DIR}/dpacct_static.o)
  separate_arguments(machine UNIX_COMMAND "${CMAKE_C_FLAGS}")
  add_custom_command(OUTPUT ${archived}
    COMMAND ${CMAKE_C_COMPILER} ${machine} -r -nostdlib -o ${archived}
            $<TARGET_OBJECTS:dpacct_objects>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${archived}
    DEPENDS dpacct_objects $<TARGET_OBJECTS:dpacct_objects> COMMAND_EXPAND_LISTS VERBATIM)
endif()

# docs/library.md says what raises this. The file has the release behind it, so that none stands in
# the place of another.
set(DPACCT_SONAME 1)

# The public headers use the types of GMP and MPFI; only GMP's functions are needed to fill them.
function(dpacct_library target kind name)
  add_library(${target} ${kind} ${ARGN})
  add_library(dpacct::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME dpacct EXPORT_NAME ${name}
                        VERSION ${DPACCT_SONAME}.${PROJECT_VERSION} SOVERSION ${DPACCT_SONAME}
                        LINKER_LANGUAGE C)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC dpacct::gmp PRIVATE dpacct::mpfi dpacct::mpfr m)
  foreach(library mpfi mpfr)
    target_include_directories(${target} INTERFACE
      $<TARGET_PROPERTY:dpacct::${library},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
  if(DPACCT_SANITIZE)
    target_link_options(${target} PUBLIC -fsanitize=${DPACCT_SANITIZE})
  endif()
endfunction()
dpacct_library(dpacct_static STATIC static ${archived})
if(BUILD_SHARED_LIBS)
  dpacct_library(dpacct_shared SHARED dpacct $<TARGET_OBJECTS:dpacct_objects>)
  set(script ${PROJECT_SOURCE_DIR}/src/cmake/dpacct.map)
  target_link_options(dpacct_shared PRIVATE -Wl,-z,relro,-z,now -Wl,--version-script=${script})
  set_target_properties(dpacct_shared PROPERTIES LINK_DEPENDS ${script})
else()
  add_library(dpacct::dpacct ALIAS dpacct_static)
endif()
