# SPDX-License-Identifier: MIT
# GMP, MPFR and cJSON by pkg-config; MPFI ships no .pc file on Debian.
find_package(PkgConfig REQUIRED)
pkg_check_modules(GMP REQUIRED IMPORTED_TARGET gmp)
pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr>=4.0)
pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson)
find_path(MPFI_INCLUDE_DIR mpfi.h REQUIRED)
find_library(MPFI_LIBRARY mpfi REQUIRED)
