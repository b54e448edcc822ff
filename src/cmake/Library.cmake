# SPDX-License-Identifier: MIT
set(DPACCT_LIBRARY_SOURCES
  src/num/decimal.c
  src/num/figure.c
  src/num/guard.c
  src/num/ival.c
  src/num/literal.c
  src/num/logform.c
  src/num/number.c
  src/num/version.c
  src/bound/bagging.c
  src/bound/compose.c
  src/bound/composition.c
  src/bound/corollary.c
  src/bound/divergence.c
  src/bound/he2021.c
  src/bound/knapsack.c
  src/bound/registry.c
  src/bound/response.c
  src/bound/slack.c
  src/pld/atoms.c
  src/pld/complex.c
  src/pld/contour.c
  src/pld/direct.c
  src/pld/exact.c
  src/pld/lattice.c
  src/pld/limits.c
  src/pld/moments.c
  src/pld/profile.c
  src/pld/scan.c
  src/pld/smooth.c
  src/pld/tail.c
  src/pld/tilt.c
  src/pld/vote.c
  src/pld/waves.c
  src/solve/bagging.c
  src/solve/budget.c
  src/solve/compose.c
  src/solve/composing.c
  src/solve/divergence.c
  src/solve/optimal.c
  src/solve/response.c
  src/solve/refine.c
  src/solve/result.c
)
add_library(dpacct_objects OBJECT ${DPACCT_LIBRARY_SOURCES})
set_target_properties(dpacct_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(dpacct_objects PRIVATE dpacct_flags)
target_include_directories(dpacct_objects PUBLIC include ${MPFI_INCLUDE_DIR} PRIVATE src)

function(dpacct_library target kind)
  add_library(${target} ${kind} $<TARGET_OBJECTS:dpacct_objects>)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME dpacct VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC mpfi mpfr gmp m)
  if(DPACCT_SANITIZE)
    target_link_options(${target} PUBLIC -fsanitize=${DPACCT_SANITIZE})
  endif()
endfunction()
dpacct_library(dpacct_static STATIC)
if(BUILD_SHARED_LIBS)
  dpacct_library(dpacct_shared SHARED)
endif()
