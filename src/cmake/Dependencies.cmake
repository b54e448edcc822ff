# SPDX-License-Identifier: MIT
include(${CMAKE_CURRENT_LIST_DIR}/Numbers.cmake)
foreach(library gmp mpfr mpfi)
  if(NOT TARGET dpacct::${library})
    message(FATAL_ERROR "lib${library} is missing: install libgmp-dev, libmpfr-dev, libmpfi-dev")
  endif()
endforeach()
find_package(PkgConfig REQUIRED)
pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson)
