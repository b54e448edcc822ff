# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# Sourced by the scripts beside it: `plan N`, then N times `tap NAME COMMAND...`, then `finish`.
tap_count=0
tap_failed=0

plan() {
    echo "1..$1"
}

# One test: passes when the command succeeds; its output is shown when it does not.
tap() {
    tap_name=$1
    shift
    tap_count=$((tap_count + 1))
    if tap_output=$("$@" 2>&1); then
        echo "ok $tap_count - $tap_name"
    else
        echo "not ok $tap_count - $tap_name"
        printf '%s\n' "$tap_output" | sed 's/^/# /'
        tap_failed=1
    fi
}

# The command must end with this status.
status_is() {
    expected=$1
    shift
    "$@"
    actual=$?
    [ "$actual" -eq "$expected" ] || { echo "status $actual, expected $expected: $*"; return 1; }
}

# Two texts must be the same.
same() {
    [ "$1" = "$2" ] || { printf 'expected:\n%s\ngot:\n%s\n' "$1" "$2"; return 1; }
}

finish() {
    exit "$tap_failed"
}
