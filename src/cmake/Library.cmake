# SPDX-License-Identifier: MIT
set(DPACCT_LIBRARY_SOURCES
  src/num/cball.c
  src/num/decimal.c
  src/num/decimal_double.c
  src/num/domain.c
  src/num/figure.c
  src/num/guard.c
  src/num/ival.c
  src/num/literal.c
  src/num/logform.c
  src/num/memory.c
  src/num/number.c
  src/num/version.c
  src/num/wide.c
  src/bound/amplify.c
  src/bound/amplify_grouped.c
  src/bound/amplify_inverse.c
  src/bound/amplify_pair.c
  src/bound/amplify_with.c
  src/bound/bagging.c
  src/bound/compose.c
  src/bound/composition.c
  src/bound/known.c
  src/bound/corollary.c
  src/bound/distances.c
  src/bound/divergence.c
  src/bound/gaussian.c
  src/bound/he2021.c
  src/bound/generalization.c
  src/bound/generalization_published.c
  src/bound/igmm.c
  src/bound/majority.c
  src/bound/noise.c
  src/bound/knapsack.c
  src/bound/compose_rows.c
  src/bound/learning_rows.c
  src/bound/registry.c
  src/bound/sampling_rows.c
  src/bound/vote_rows.c
  src/bound/response.c
  src/bound/slack.c
  src/pld/atoms.c
  src/pld/complex.c
  src/pld/ballots.c
  src/pld/contour.c
  src/pld/corners.c
  src/pld/direct.c
  src/pld/eight.c
  src/pld/exact.c
  src/pld/lattice.c
  src/num/limits.c
  src/pld/moments.c
  src/pld/profile.c
  src/pld/scan.c
  src/pld/smooth.c
  src/pld/smooth_error.c
  src/pld/tail.c
  src/pld/ties.c
  src/pld/tilt.c
  src/pld/vote.c
  src/pld/waves.c
  src/solve/amplify.c
  src/solve/bagging.c
  src/solve/bagging_inverse.c
  src/solve/bagging_item.c
  src/solve/bagging_refute.c
  src/solve/bagging_solve.c
  src/solve/budget.c
  src/solve/compose.c
  src/solve/choosing.c
  src/solve/claims.c
  src/solve/composing.c
  src/solve/divergence.c
  src/solve/door.c
  src/solve/generalization.c
  src/solve/igmm.c
  src/solve/majority.c
  src/solve/majority_bound.c
  src/solve/majority_certify.c
  src/solve/majority_designs.c
  src/solve/majority_eight.c
  src/solve/majority_lower.c
  src/solve/majority_optimal.c
  src/solve/simplex.c
  src/solve/optimal.c
  src/solve/effort.c
  src/solve/optimal_edges.c
  src/solve/optimal_epsilon.c
  src/solve/optimal_exact.c
  src/solve/pairs.c
  src/solve/quantity.c
  src/solve/response.c
  src/solve/refine.c
  src/solve/result.c
  src/solve/search.c
)
add_library(dpacct_objects OBJECT ${DPACCT_LIBRARY_SOURCES})
target_link_libraries(dpacct_objects PUBLIC dpacct::mpfi dpacct::mpfr dpacct::gmp
                      PRIVATE dpacct_flags)
target_include_directories(dpacct_objects PUBLIC include PRIVATE src)

# What the program and the tests link: every symbol of the library can be reached.
add_library(dpacct_internal STATIC $<TARGET_OBJECTS:dpacct_objects>)
target_link_libraries(dpacct_internal PUBLIC dpacct::mpfi dpacct::mpfr dpacct::gmp m)
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

# The public headers use the types of GMP and MPFI; only GMP's functions are needed to fill them.
function(dpacct_library target kind name)
  add_library(${target} ${kind} ${ARGN})
  add_library(dpacct::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME dpacct EXPORT_NAME ${name}
                        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
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
