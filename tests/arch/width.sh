#!/bin/bash
# SPDX-License-Identifier: MIT
# No 64-bit integer is cut to a `long` of 32 bits: the compiler for such a target says so, with the
# libraries' macros, which would hide it, switched off where there is a switch (TAP).
set -u
: "${DPACCT_SOURCE:?the source folder}"
cd "$DPACCT_SOURCE" || exit 1
if [ ! -e /usr/include/i386-linux-gnu/gmp.h ]; then
    echo 1..1
    echo "ok 1 - width # SKIP no headers of a 32-bit machine"
    exit 0
fi
clang=(clang --target=i386-linux-gnu -std=c11 -D_GNU_SOURCE -DMPFR_USE_NO_MACRO
    -Werror -Wsystem-headers -Wshorten-64-to-32 -Wconstant-conversion -Wshift-count-overflow
    -Wtautological-constant-compare -Isrc -Iinclude)
mapfile -t files < <(find src -name '*.c' | sort)
# The libraries' headers, read once for all files.
headers=$(mktemp) || exit 1
trap 'rm -f "$headers"' EXIT
printf '#include <%s.h>\n' stdio stdlib string gmp mpfr mpfi |
    "${clang[@]}" -x c-header - -o "$headers" || exit 1
check=("${clang[@]}" -fsyntax-only -include-pch "$headers")
echo "1..$((${#files[@]} + 1))"
number=0
for file in "${files[@]}"; do
    number=$((number + 1))
    if found=$("${check[@]}" "$file" 2>&1); then
        echo "ok $number - $file"
    else
        echo "not ok $number - $file"
        grep -E 'error:' <<<"$found" | head -n 20 | sed 's/^/# /'
    fi
done
# The check can fail: this cuts.
number=$((number + 1))
if printf '%s\n' '#include <mpfr.h>' '#include <stdint.h>' \
    'void f(mpfr_t x, uint64_t k); void f(mpfr_t x, uint64_t k) { mpfr_mul_ui(x, x, k, MPFR_RNDU); }' |
    "${check[@]}" -x c - >/dev/null 2>&1; then
    echo "not ok $number - a number that is cut is found"
else
    echo "ok $number - a number that is cut is found"
fi
