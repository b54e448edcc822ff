# SPDX-License-Identifier: MIT
add_library(dpacct_flags INTERFACE)
target_compile_features(dpacct_flags INTERFACE c_std_11)
target_compile_options(dpacct_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -Wformat=2 -fvisibility=hidden -fstack-protector-strong
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
if(DPACCT_WERROR)
  target_compile_options(dpacct_flags INTERFACE -Werror)
endif()
if(DPACCT_SANITIZE)
  target_compile_options(dpacct_flags INTERFACE -fsanitize=${DPACCT_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(dpacct_flags INTERFACE -fsanitize=${DPACCT_SANITIZE})
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_definitions(dpacct_flags INTERFACE _FORTIFY_SOURCE=2)
endif()
# No contraction and no fast-math: the few doubles that choose must be the same everywhere.
target_compile_options(dpacct_flags INTERFACE -ffp-contract=off)
