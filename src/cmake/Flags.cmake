# SPDX-License-Identifier: MIT
include(CheckCCompilerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(dpacct_flags INTERFACE)
target_compile_features(dpacct_flags INTERFACE c_std_11)
target_compile_options(dpacct_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -Wformat=2 -fvisibility=hidden -fstack-protector-strong)
if(DPACCT_WERROR)
  target_compile_options(dpacct_flags INTERFACE -Werror)
endif()
# Indirect branches land only where they may, where the machine can check that.
check_c_compiler_flag(-fcf-protection=full DPACCT_CF_PROTECTION)
if(DPACCT_CF_PROTECTION)
  target_compile_options(dpacct_flags INTERFACE -fcf-protection=full)
endif()
# No contraction and no fast-math: the few doubles that choose must be the same everywhere.
target_compile_options(dpacct_flags INTERFACE -ffp-contract=off)
# Doubles are doubles: the 80-bit registers of 32-bit x86 round twice.
if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(i.86|x86|x86_64|AMD64)$")
  target_compile_options(dpacct_flags INTERFACE -msse2 -mfpmath=sse)
endif()
# Reproducible: where the source and the build lie leaves no trace in what is made.
target_compile_options(dpacct_flags INTERFACE
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)

# Of files that take longer to optimise than they then save.
set(DPACCT_UNOPTIMISED -O0 -U_FORTIFY_SOURCE)

if(DPACCT_SANITIZE)
  target_compile_options(dpacct_flags INTERFACE -fsanitize=${DPACCT_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(dpacct_flags INTERFACE -fsanitize=${DPACCT_SANITIZE})
elseif(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
  target_compile_options(dpacct_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  check_c_compiler_flag(-fstack-clash-protection DPACCT_STACK_CLASH)
  if(DPACCT_STACK_CLASH)
    target_compile_options(dpacct_flags INTERFACE -fstack-clash-protection)
  endif()
endif()
# Threads where the C library itself has them, so that nobody who links dpacct needs another one.
set(THREADS_PREFER_PTHREAD_FLAG OFF)
find_package(Threads)
if(DPACCT_THREADS AND CMAKE_USE_PTHREADS_INIT AND NOT CMAKE_THREAD_LIBS_INIT)
  target_compile_definitions(dpacct_flags INTERFACE DPACCT_THREADS)
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  target_link_options(dpacct_flags INTERFACE -Wl,-z,relro,-z,now)
endif()
