# SPDX-License-Identifier: MIT
# Given as CMAKE_PROJECT_dpacct_INCLUDE with DPACCT_TESTS=OFF: the fuzz targets without the unit
# tests and what those need. The path is put in now, because a deferred call expands it too late.
enable_testing()
set(targets ${CMAKE_CURRENT_LIST_DIR}/CMakeLists.txt)
cmake_language(EVAL CODE "cmake_language(DEFER CALL include [[${targets}]])")
