#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what the tests need on a bare Debian 12, builds (Release; ASan and UBSan; on amd64 for
# i386 too) and runs every test. Logs are kept in build/logs. The last line is "N passed, N failed".
#
#   tests/run.sh              everything
#   tests/run.sh PATTERN...   only the parts whose names match, e.g. 'unit*' vectors
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
logs=$root/build/logs
export LC_ALL=C.UTF-8
export DPACCT_SOURCE=$root DPACCT_BUILD=$root/build/tests DPACCT=$root/build/tests/dpacct
export CMOCKA_MESSAGE_OUTPUT=TAP PYTHONDONTWRITEBYTECODE=1
# MPFR asks for its thread's state at each call: what leaks is found without watching that.
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:intercept_tls_get_addr=0
export UBSAN_OPTIONS=print_stacktrace=1
part_limit=600 # seconds
# The release build tries every random case; the others, which look for what is independent of the
# case (memory, the width of a long), a share of them.
share="DPACCT_TEST_FACTOR=${DPACCT_TEST_FACTOR:-0.2}"
# What gcc guesses worse at -O1, which compiles in half the time: the release build warns of it.
not_at_o1="-Wno-maybe-uninitialized -Wno-format-truncation"
machine=$(dpkg --print-architecture 2>/dev/null)

build_packages="gcc libc6-dev make cmake pkg-config libgmp-dev libmpfr-dev libmpfi-dev libcjson-dev"
test_packages="libcmocka-dev libflint-arb-dev bats jq python3 python3-jsonschema python3-mpmath python3-gmpy2 python3-pandas
    python3-yaml valgrind
    clang libclang-rt-14-dev clang-format shellcheck zsh fish man-db binutils dpkg-dev file
    locales g++ procps gnuplot-nox"
# For the 32-bit build, on amd64; where they cannot be had, its parts are skipped.
i386_packages="gcc-multilib libgmp-dev:i386 libmpfr-dev:i386 libmpfi-dev:i386 libcjson-dev:i386
    libcmocka-dev:i386"

# ---- one part: run.sh --part NAME COMMAND ----------------------------------------------------
# A part passes when every test it announces is there and passes, and it ends with status 0.
count_tap='
    /^1\.\.[0-9]+/ { plan += substr($1, 4); plans++ }
    /^(not )?ok([ \t]|$)/ {
        seen++
        if ($0 ~ /# *[Ss][Kk][Ii][Pp]/) skipped++
        else if ($1 == "ok") passed++
        else failed++
    }
    END {
        why = ""
        if (status == 124) why = "took too long"
        else if (!plans) why = "no plan"
        else if (plan == 0) why = "ran no tests"
        else if (plan != seen) why = "announced " plan " tests, ran " seen + 0
        else if (status != 0 && !failed) why = "ended with status " status
        print passed + 0, failed + 0, skipped + 0, why
    }'

run_part() {
    start=$(date +%s)
    timeout -k 10 "$part_limit" sh -c "$2" >"$logs/$1.tap" 2>"$logs/$1.err" </dev/null
    status=$?
    awk -v status="$status" "$count_tap" "$logs/$1.tap" >"$logs/$1.result"
    read -r passed failed skipped why <"$logs/$1.result"
    printf '%4ds  %-34s %4d passed' "$(($(date +%s) - start))" "$1" "$passed"
    [ "$failed" -eq 0 ] || printf ', %d FAILED' "$failed"
    [ "$skipped" -eq 0 ] || printf ', %d skipped' "$skipped"
    [ -z "$why" ] || printf ', CRASHED: %s' "$why"
    echo
}

# ---- parts that need no script of their own --------------------------------------------------
tap_result() { # NUMBER NAME STATUS FILE: shows FILE when the status is not 0
    if [ "$3" -eq 0 ]; then
        echo "ok $1 - $2"
    else
        echo "not ok $1 - $2"
        sed 's/^/# /' "$4"
    fi
}

build_part() { # FOLDER OPTIONS...
    folder=$root/build/$1
    shift
    echo 1..2
    cmake -S "$root" -B "$folder" -DDPACCT_WERROR=ON "$@" >"$folder.log" 2>&1
    tap_result 1 "configures" $? "$folder.log"
    cmake --build "$folder" --parallel "$(nproc)" >"$folder.log" 2>&1
    tap_result 2 "builds without warnings" $? "$folder.log"
}

sources() { # find's tests: files of the project, build folders left out, whatever the root's name
    find "$root" -mindepth 1 \( -name 'build*' -o -name .git \) -prune -o -type f \( "$@" \) -print
}

# each LOG COMMAND...: runs COMMAND on the files listed on standard input, of which there are some
each() {
    log=$1
    shift
    files=$(cat)
    [ -n "$files" ] || { echo "found no files" >"$log"; return 1; }
    printf '%s\n' "$files" | tr '\n' '\0' | xargs -0 "$@" >"$log" 2>&1
}

style_part() {
    echo 1..2
    sources -name '*.c' -o -name '*.h' | each "$logs/format.log" clang-format --dry-run -Werror
    tap_result 1 "clang-format" $? "$logs/format.log"
    sources -name '*.sh' -o -path '*/.ci/run' |
        each "$logs/shellcheck.log" shellcheck -x -P "$root" -S warning
    tap_result 2 "shellcheck" $? "$logs/shellcheck.log"
}

case ${1:-} in
--part)
    run_part "$2" "$3"
    exit 0 ;;
--build-tests)
    build_part tests -DCMAKE_BUILD_TYPE=Release
    exit 0 ;;
--build-asan)
    build_part asan -DCMAKE_BUILD_TYPE=RelWithDebInfo -DDPACCT_SANITIZE=address,undefined \
        -DDPACCT_QUICK=ON -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g1 -DNDEBUG $not_at_o1"
    exit 0 ;;
--build-i386)
    export PKG_CONFIG_LIBDIR=/usr/lib/i386-linux-gnu/pkgconfig:/usr/share/pkgconfig
    build_part i386 -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-m32 -DCMAKE_CXX_COMPILER= \
        -DDPACCT_QUICK=ON -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG $not_at_o1"
    exit 0 ;;
--style)
    style_part
    exit 0 ;;
esac

# ---- what must be installed ------------------------------------------------------------------
missing_of() { # PACKAGES...: those that are not installed
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
            printf ' %s' "$package"
    done
}

as_root=
[ "$(id -u)" -eq 0 ] || as_root=sudo

install_missing() { # PACKAGES...
    # shellcheck disable=SC2046
    set -- $(missing_of "$@")
    [ $# -gt 0 ] || return 0
    echo "Installing: $*"
    $as_root apt-get update -qq
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

install_packages() {
    # shellcheck disable=SC2086
    install_missing $build_packages $test_packages
}

install_i386() {
    [ "$machine" = amd64 ] || return 1
    dpkg --print-foreign-architectures | grep -qx i386 || $as_root dpkg --add-architecture i386
    # shellcheck disable=SC2086
    install_missing $i386_packages
}

# ---- the list of parts: NAME, a tab, COMMAND; the longest first ------------------------------
# Registered tests of a build, each a program or script that prints TAP.
registered() { # BUILD: build/BUILD, as parts unit-BUILD-NAME
    ctest --test-dir "$root/build/$1" --show-only=json-v1 2>/dev/null |
        jq -r --arg build "$1" --arg folder "$root/build/$1" '.tests[]
            | ([.properties[]? | select(.name == "ENVIRONMENT") | .value[]] | @sh) as $set
            | ([.properties[]? | select(.name == "WORKING_DIRECTORY") | .value]
               + [$folder] | first | @sh) as $in
            | "unit-\($build)-\(.name | gsub("[^A-Za-z0-9_.-]"; "-"))\tcd \($in) && " +
              "env DPACCT_BUILD=\($folder | @sh) DPACCT=\("\($folder)/dpacct" | @sh) \($set) " +
              (.command | @sh)'
}

parts() {
    part vectors "$root/tests/vectors/check.py"
    part reference "$root/tests/vectors/reference.py"
    part designs "$root/tests/vectors/designs.py"
    part soundness "$root/tests/vectors/soundness.py"
    part install "sh $root/tests/install/check.sh"
    part memory "sh $root/tests/install/memory.sh"
    part faults "bash $root/tests/faults/program.sh"
    part fuzz "bash $root/tests/fuzz/run.sh 2"
    part schema "$root/tests/schema/validate.py"
    registered asan | sed "s/\tcd /\texport $share; cd /"
    # what refuses memory looks for crashes and leaks, where the sanitizers see them
    registered tests | grep -v '^unit-tests-refused-'
    if [ "$i386" = yes ]; then
        # what looks for crashes and leaks does so where it is quicker
        registered i386 | grep -vE '^unit-i386-(extremes|fuzz-.*|refused-.*|t-differential|t-brackets|t-mixtures)	' |
            sed "s/\tcd /\texport $share; cd /"
        part vectors-i386 "env DPACCT=$root/build/i386/dpacct $root/tests/vectors/check.py 2 30"
        part same-i386 "$root/tests/vectors/same.py $DPACCT $root/build/i386/dpacct"
    else
        part i386 "printf '1..1\\nok 1 - i386 # SKIP its packages are not there\\n'"
    fi
    for file in "$root"/tests/cli/*.bats; do
        part "cli-$(basename "$file" .bats)" "bats --tap $file"
    done
    part docs "bash $root/tests/docs/check.sh"
    part examples "sh $root/tests/install/examples.sh"
    part bench "sh $root/tests/bench/run.sh --once"
    for file in "$root"/tests/arch/*.sh; do
        part "arch-$(basename "$file" .sh)" "bash $file"
    done
    part style "sh $root/tests/run.sh --style"
}

part() {
    printf '%s\t%s\n' "$1" "$2"
}

# wanted PATTERNS...: the lines of standard input whose part matches one
wanted() {
    while IFS= read -r line; do
        name=${line%%"$(printf '\t')"*}
        [ $# -gt 0 ] || printf '%s\n' "$line"
        for pattern in "$@"; do
            # shellcheck disable=SC2254
            case $name in $pattern) printf '%s\n' "$line"; break ;; esac
        done
    done
}

run_list() { # runs the parts of a list on all cores
    tr '\t\n' '\0\0' <"$1" | xargs -0 -r -n 2 -P "$(nproc)" sh "$root/tests/run.sh" --part
}

# ---- everything ------------------------------------------------------------------------------
mkdir -p "$logs" && rm -f "$logs"/*
begin=$(date +%s)
if ! install_packages; then
    echo "The packages could not be installed; run this as root or with sudo."
    echo "0 passed, 1 failed"
    exit 1
fi
i386=no
install_i386 && i386=yes
{
    part build-tests "sh $root/tests/run.sh --build-tests"
    part build-asan "sh $root/tests/run.sh --build-asan"
    [ "$i386" = no ] || part build-i386 "sh $root/tests/run.sh --build-i386"
} >"$logs/builds.list"
run_list "$logs/builds.list"
parts | wanted "$@" >"$logs/parts.list"
run_list "$logs/parts.list"

passed=0 failed=0 skipped=0
while IFS="$(printf '\t')" read -r name command; do
    ok=0 bad=0 skip=0 why="left no result"
    [ ! -s "$logs/$name.result" ] || read -r ok bad skip why <"$logs/$name.result"
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
    [ -z "$why" ] || failed=$((failed + 1))
    [ -n "$why" ] || [ "$bad" -gt 0 ] || continue
    printf '\n---- %s: %s\n' "$name" "${why:-$bad failed}"
    awk '/^not ok/ && !/# *[Ss][Kk][Ii][Pp]/ { show = 1; print; next }
         /^#/ && show { print; next } { show = 0 }' "$logs/$name.tap" | head -n 100
    [ -z "$why" ] || { tail -n 5 "$logs/$name.tap"; }
    tail -n 20 "$logs/$name.err"
    echo "($command)"
done <<EOT
$(cat "$logs/builds.list" "$logs/parts.list")
EOT
[ -s "$logs/parts.list" ] || { echo "no part has such a name"; failed=$((failed + 1)); }

printf '\nLogs: build/logs. %d skipped. %d minutes %d seconds.\n' "$skipped" \
    $((($(date +%s) - begin) / 60)) $((($(date +%s) - begin) % 60))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
