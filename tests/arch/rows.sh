#!/bin/bash
# SPDX-License-Identifier: MIT
# The registry's rows (TAP): the C symbol of a row is its id, and every row is shown by the command
# that it names when that is asked for all of them.
set -u
: "${DPACCT_SOURCE:?the source folder}" "${DPACCT_BUILD:?the build folder}"
dpacct=$DPACCT_BUILD/dpacct
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$DPACCT_SOURCE" || exit 1

result() { # NUMBER NAME < REPORT: passes when the report is empty
    sed 's/^/# /' >"$work/report"
    [ ! -s "$work/report" ] || printf 'not '
    echo "ok $1 - $2"
    cat "$work/report"
}

echo 1..3
"$dpacct" theorems --json | jq -r '.theorems[] | .id + " " + .command' | sort >"$work/rows"
while read -r id _; do
    grep -qE "^(static )?const bound ${id//-/_} = \{" -r src || echo "no row ${id//-/_}"
done <"$work/rows" | result 1 "the symbol of a row is its id"

# Every question that shows a row the others do not show.
while read -r question; do
    # shellcheck disable=SC2086
    "$dpacct" $question --all --json 2>/dev/null |
        jq -r '.command as $c | .results[] | .theorem + " " + $c'
done >"$work/shown" <<'QUESTIONS'
bagging-with -n 100 -k 10 --target-epsilon 0.1
bagging-with -n 100 -k 10 --target-epsilon 0.1 --adjacency replace-one
bagging-with -n 100 -k 10 --base-epsilon 1 --base-delta 1e-5
bagging-with -n 100 -k 10 --base-epsilon 1 --base-delta 1e-5 --target-epsilon 0.1
bagging-without -n 100 -k 10 --target-epsilon 0.1
bagging-without -n 100 -k 10 -N 3 --subsamples independent
bagging-without -n 100 -k 10 --base-epsilon 1
bagging-without -n 100 -k 10 --base-epsilon 1 --target-epsilon 0.1
bagging-without -n 100 -k 10 --base-epsilon 1 --base-adjacency add-remove
bagging-without -n 100 -k 10 -N 3 --subsamples independent --base-epsilon 1
bagging-poisson --sampling-rate 0.1 -N 2
compose -m 0.1x10
compose -m 0.1x10 --slack 1e-6
compose -m 0.1x10 --target-delta 1e-5
compose -m 0.1x10 --target-delta 1e-5 --slack 1e-6
compose -m 1x10 --target-epsilon 8
compose -m 0.1x10 -m 0.2x3 --target-epsilon 1
divergence --epsilon 0.1 --order 2
kl-bound --epsilon 0.1
iterative-gaussian -N 600 --batch-size 600 -T 10 --diameter 2 --sigma 0.01 --target-delta 1e-5
iterative-gaussian -N 1 --batch-size 1 -T 1 --diameter 2 --sigma 1 --delta 1e-5 --slack 0.999999
generalization --epsilon 0.1 --delta 1e-9 --samples 50000
generalization --epsilon 0.1 --delta 1e-9 --samples 50000 --gap 0.5
majority -K 5 --epsilon 0.1 --delta 1e-5 --allowance 2 --target-delta 1e-3 --design all
majority -K 3 --epsilon 0.1 --allowance 1 --vote-mean 0.3 --design constant
rr-prob -K 5 --epsilon 0.1 --allowance 2
rr-prob -K 5 --epsilon 0.1 --delta 1e-6 --allowance 2 --composition general --slack 1e-6
QUESTIONS
echo '["0", "0", "0"]' >"$work/gamma.json"
"$dpacct" majority -K 5 --epsilon 0.1 --allowance 2 --gamma "$work/gamma.json" --json |
    jq -r '.results[].theorem + " majority"' >>"$work/shown"
# A statement that has no figure of its own: it says that none is possible.
echo "bagging-independent-tightness bagging-without" >>"$work/shown"
cut -d ' ' -f 1 "$work/shown" | sort -u >"$work/seen"
cut -d ' ' -f 1 "$work/rows" | comm -23 - "$work/seen" | result 2 "every row is shown by some question"

# What kl-bound shows, divergence shows too.
awk '$2 == "kl-bound" { print $1 }' "$work/shown" | sort -u >"$work/kl"
awk '$2 == "divergence" { print $1 }' "$work/shown" | sort -u | comm -23 "$work/kl" - |
    result 3 "divergence shows what kl-bound shows"
