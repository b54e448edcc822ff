# SPDX-License-Identifier: MIT
include(${CMAKE_CURRENT_LIST_DIR}/Numbers.cmake)
foreach(library gmp mpfr mpfi)
  if(NOT TARGET dpacct::${library})
    message(FATAL_ERROR "lib${library} is missing: install libgmp-dev, libmpfr-dev, libmpfi-dev")
  endif()
endforeach()
# The program's own copies, which cost it no linking at each start and no jumps through tables.
set(DPACCT_ARCHIVES_THERE ON)
foreach(library gmp mpfr mpfi)
  string(TOUPPER ${library} upper)
  get_filename_component(folder ${${upper}_LIBRARY} DIRECTORY)
  if(EXISTS ${folder}/lib${library}.a)
    add_library(dpacct::${library}_archive STATIC IMPORTED)
    set_target_properties(dpacct::${library}_archive PROPERTIES
      IMPORTED_LOCATION ${folder}/lib${library}.a
      INTERFACE_INCLUDE_DIRECTORIES "${${upper}_INCLUDE_DIR}")
  else()
    set(DPACCT_ARCHIVES_THERE OFF)
  endif()
endforeach()
set(DPACCT_STATIC_NUMBERS_PRESET OFF)
if(DPACCT_ARCHIVES_THERE AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT DPACCT_SANITIZE)
  set(DPACCT_STATIC_NUMBERS_PRESET ON)
endif()
option(DPACCT_STATIC_NUMBERS "Link GMP, MPFR and MPFI into the program"
       ${DPACCT_STATIC_NUMBERS_PRESET})
if(DPACCT_STATIC_NUMBERS AND NOT DPACCT_ARCHIVES_THERE)
  message(FATAL_ERROR "DPACCT_STATIC_NUMBERS needs libgmp.a, libmpfr.a and libmpfi.a")
endif()
find_package(PkgConfig REQUIRED)
if(DPACCT_DOCUMENT) # the program
  pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson>=1.7.13)
endif()

# The oldest versions that have what is called.
function(dpacct_require library version least)
  if(version VERSION_LESS least)
    message(FATAL_ERROR "${library} ${version} is too old: dpacct needs ${least} or newer")
  endif()
  message(STATUS "${library} ${version}")
endfunction()
function(dpacct_header_version out file)
  set(text)
  foreach(name IN LISTS ARGN)
    file(STRINGS ${file} line REGEX "^#define[ \t]+${name}[ \t]+[0-9]+" LIMIT_COUNT 1)
    string(REGEX REPLACE ".*[ \t]([0-9]+).*" "\\1" number "${line}")
    list(APPEND text "${number}")
  endforeach()
  list(JOIN text "." text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
# Debian's gmp.h may stand in a folder of the machine's name.
dpacct_header_version(mpfr ${MPFR_INCLUDE_DIR}/mpfr.h MPFR_VERSION_MAJOR MPFR_VERSION_MINOR
                      MPFR_VERSION_PATCHLEVEL)
dpacct_header_version(mpfi ${MPFI_INCLUDE_DIR}/mpfi.h MPFI_VERSION_MAJOR MPFI_VERSION_MINOR
                      MPFI_VERSION_PATCHLEVEL)
dpacct_header_version(gmp ${GMP_INCLUDE_DIR}/gmp.h __GNU_MP_VERSION __GNU_MP_VERSION_MINOR
                      __GNU_MP_VERSION_PATCHLEVEL)
dpacct_require(GMP "${gmp}" 6.2.0)
dpacct_require(MPFR "${mpfr}" 4.1.0)
dpacct_require(MPFI "${mpfi}" 1.5.3)

# Calls on distinct objects may run in parallel: MPFR's caches must belong to the thread.
if(NOT CMAKE_CROSSCOMPILING AND NOT DEFINED DPACCT_MPFR_TLS)
  file(WRITE ${PROJECT_BINARY_DIR}/tls/tls.c
       "#include <mpfr.h>\nint main(void) { return mpfr_buildopt_tls_p() ? 0 : 1; }\n")
  try_run(ran built ${PROJECT_BINARY_DIR}/tls ${PROJECT_BINARY_DIR}/tls/tls.c
          CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${MPFR_INCLUDE_DIR};${GMP_INCLUDE_DIR}"
          LINK_LIBRARIES ${MPFR_LIBRARY} ${GMP_LIBRARY})
  if(built AND ran EQUAL 0)
    set(DPACCT_MPFR_TLS ON CACHE INTERNAL "MPFR is thread-safe")
  elseif(built)
    message(FATAL_ERROR "MPFR was built without thread-local storage: dpacct's threads would "
                        "share its caches")
  else()
    message(FATAL_ERROR "a program that calls MPFR cannot be linked")
  endif()
endif()
