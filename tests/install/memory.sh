#!/bin/sh
# SPDX-License-Identifier: MIT
# Valgrind over every command and every way to end: no invalid access, nothing uninitialised, no
# leak, and the exit status that the command has without it.
set -u
: "${DPACCT:?the program}" "${DPACCT_SOURCE:?the source folder}"
# shellcheck source=tests/install/tap.sh
. "$DPACCT_SOURCE/tests/install/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# checked STATUS INPUT ARGUMENTS...
checked() {
    expected=$1 input=$2
    shift 2
    printf '%s' "$input" | valgrind -q --error-exitcode=99 --leak-check=full \
        --show-leak-kinds=all --errors-for-leak-kinds=all "$DPACCT" "$@" >"$work/out" 2>"$work/err"
    actual=$?
    [ "$actual" -eq "$expected" ] || {
        echo "status $actual, expected $expected: dpacct $*"
        cat "$work/err"
        return 1
    }
}

lines='{"command": "bagging-with", "n": 60000, "k": 300, "id": "a"}
{"command": "compose", "mechanisms": [{"epsilon": 0.1, "times": 35}], "target_delta": 1e-5}
{"command": "compose", "mechanisms": 1}
not JSON
{"command": "rr-prob", "mechanisms": 11, "epsilon": "0.1", "allowance": 3}
{"command": "kl-bound", "epsilon": "ln(3)"}
'

# STATUS ARGUMENTS
while read -r status arguments; do
    [ -n "$status" ] && echo "$status $arguments"
done >"$work/cases" <<'EOT'
0 bagging-with -n 60000 -k 300 --all
1 bagging-with -n 60000 -k 300 --max-delta 0.004
0 bagging-with -n 60000 --solve k --max-delta 0.005
0 bagging-without -n 60000 -k 300 -N 10 --format csv
0 bagging-without -n 60000 -k 300 -N 10 --max-delta 0.1 --format statement
0 compose -m 0.1,1e-6x35 --target-delta 1e-4
0 compose -m 0.1x20 -m ln(3)x5 -m 1/7,1e-9 --target-epsilon 2
0 compose -m 0.1x20 -m 0.17x9 --target-delta 1e-6 --all
1 compose -m 1,1e-5x1000 --claim 697.2,0.0086
0 compose -m 0.1x20 --add 0.2 --max-epsilon 4 --max-delta 1e-6
0 compose --solve epsilon --uses 100 --max-epsilon 1 --max-delta 1e-6
0 compose -m 0.01x100000 --target-delta 1e-12
2 compose no-such-file.json
0 curve -m 0.1x35 --epsilon-range 0:3:5
0 kl-bound --epsilon 0.1 --times 100 --all
0 rr-prob -K 11 --epsilon 0.1 --allowance 3 --all
0 rr-prob -K 35 --epsilon 0.1 --delta 1e-5 --target-epsilon 0.65 --target-delta 0.1001 --composition general --slack 0.1
0 theorems --json
2 theorems no-such-theorem
0 --help
0 --generate man
0 --generate dpacct-compose.1
2 bagging-wiht -n 1
EOT
cases=$(wc -l <"$work/cases")
plan $((cases + 3))
while read -r status arguments; do
    # shellcheck disable=SC2086
    tap "dpacct $arguments" checked "$status" "" $arguments
done <"$work/cases"
tap "dpacct batch" checked 2 "$lines" batch
tap "dpacct compose FILE" checked 0 "" compose "$DPACCT_SOURCE/examples/ledger/dashboard.json"
tap "dpacct compose -" checked 2 '{"mechanisms": [{"epsilon": 0.1, "epsilon": 0.2}]}' compose -
finish
