# SPDX-License-Identifier: MIT
# GMP, MPFR and MPFI as imported targets. The build uses this file, and so does the installed
# package configuration. Found by file because MPFI ships no .pc file.
function(dpacct_find_number_library name header)
  string(TOUPPER ${name} upper)
  find_path(${upper}_INCLUDE_DIR ${header})
  find_library(${upper}_LIBRARY ${name})
  if(${upper}_INCLUDE_DIR AND ${upper}_LIBRARY AND NOT TARGET dpacct::${name})
    add_library(dpacct::${name} UNKNOWN IMPORTED)
    set_target_properties(dpacct::${name} PROPERTIES
      IMPORTED_LOCATION "${${upper}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${${upper}_INCLUDE_DIR}")
  endif()
  mark_as_advanced(${upper}_INCLUDE_DIR ${upper}_LIBRARY)
endfunction()
dpacct_find_number_library(gmp gmp.h)
dpacct_find_number_library(mpfr mpfr.h)
dpacct_find_number_library(mpfi mpfi.h)
