#!/bin/sh
# SPDX-License-Identifier: MIT
# A step of a pipeline: fails when the releases in a ledger exceed the privacy budget.
#
#   check-budget.sh LEDGER [MAX_EPSILON [MAX_DELTA]]
#
# Without thresholds those in the ledger hold. Exit status: 0 within the budget, 1 not within it,
# 2 no verdict (a mistake in the ledger, or a limit was met). A pipeline must treat 2 as a failure.
set -u
dpacct=${DPACCT:-dpacct}

ledger=${1:?usage: check-budget.sh LEDGER [MAX_EPSILON [MAX_DELTA]]}
set -- "$ledger" ${2:+--max-epsilon "$2"} ${3:+--max-delta "$3"}

# One run: the exit status is the verdict, the text is for the log.
report=$("$dpacct" compose "$@")
status=$?
case $status in
0)
    if ! printf '%s\n' "$report" | grep -q '^check: '; then
        echo "check-budget: $ledger: no threshold, neither in the ledger nor here" >&2
        exit 2
    fi
    verdict="within the budget" ;;
1) verdict="NOT within the budget" ;;
*)
    echo "check-budget: $ledger: no verdict (dpacct ended with status $status)" >&2
    exit 2 ;;
esac
printf '%s: %s\n%s\n' "$ledger" "$verdict" "$report"
exit "$status"
