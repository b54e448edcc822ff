#!/bin/bash
# SPDX-License-Identifier: MIT
# Fuzzes every target from its seeds: run.sh [SECONDS [TARGET...]]. Prints TAP. A finding is kept in
# build/fuzz/findings and shown. New inputs are forgotten, unless KEEP names a folder for them.
set -u
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
build=$root/build/fuzz
seconds=${1:-5}
shift
log=$build/build.log

if ! command -v clang >/dev/null; then
    echo "1..1"
    echo "ok 1 - fuzz targets # SKIP clang is not installed"
    exit 0
fi
mkdir -p "$build/findings"
if ! { cmake -S "$root" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O0 -g1 -DNDEBUG" \
        -DDPACCT_FUZZ=ON -DDPACCT_TESTS=OFF -DBUILD_SHARED_LIBS=OFF \
        -DDPACCT_SANITIZE=fuzzer-no-link,address,undefined \
        -DCMAKE_PROJECT_dpacct_INCLUDE="$here/only.cmake" &&
        cmake --build "$build" --parallel 2; } >"$log" 2>&1; then
    echo "1..1"
    echo "not ok 1 - fuzz targets build"
    tail -n 30 "$log" | sed 's/^/# /'
    exit 1
fi

targets=("$@")
if [ $# -eq 0 ]; then
    for file in "$here"/target_*.c; do
        name=$(basename "$file" .c)
        targets+=("${name#target_}")
    done
fi

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
fuzz() { # TARGET: status of libFuzzer; what it said is in scratch/TARGET.log
    new=${KEEP:-$scratch}/$1
    mkdir -p "$new"
    # shellcheck disable=SC2086
    "$build/fuzz-$1" ${FUZZ_OPTIONS:-} -dict="$here/dpacct.dict" -max_len=4096 \
        -max_total_time="$seconds" -timeout=120 -rss_limit_mb=1500 -malloc_limit_mb=1200 \
        -print_final_stats=1 -artifact_prefix="$scratch/$1." "$new" "$here/seeds/$1" \
        >"$scratch/$1.log" 2>&1
}

echo "1..${#targets[@]}"
number=0 bad=0
for target in "${targets[@]}"; do
    number=$((number + 1))
    fuzz "$target"
    status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/$target.log")
    if [ "$status" -eq 0 ] && [ "${runs:-0}" -gt 0 ]; then
        echo "ok $number - $target"
        echo "# $runs runs"
        continue
    fi
    bad=$((bad + 1))
    echo "not ok $number - $target"
    tail -n 60 "$scratch/$target.log" | sed 's/^/# /'
    for finding in "$scratch/$target".*; do
        [ "$finding" != "$scratch/$target.log" ] || continue
        cp "$finding" "$build/findings/"
        echo "# $(basename "$finding"), as base64:"
        base64 "$finding" | sed 's/^/# /'
    done
done
[ "$bad" -eq 0 ]
