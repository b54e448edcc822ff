#!/bin/bash
# SPDX-License-Identifier: MIT
# The registry's rows (TAP): who knows the id of a row finds its code, page and values by the name of
# its domain, and every row is shown by the command that it names when that is asked for all of them.
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

# Rows without a line among the values, with the test that has their figures, and why it is there.
unlisted='
bagging-independent-tightness  tests/catalog/t-counterexamples.c    no figure of its own, only its refutation
compose-rdp                    tests/vectors/soundness.py           the order it takes is chosen, and is in the figure
compose-pairs                  tests/compose/t-accounts.c           of lists of any types, beside other evaluators
compose-cells                  tests/compose/t-cells.c              beside the outcomes of all cells, enumerated
compose-cells-greatest         tests/compose/t-cells.c              a maximum of other rows, and its refutation
dp-sgd-pld                     tests/compose/t-dp-sgd-pld.c         beside another evaluator, and the single step
compose-renyi                  tests/compose/t-accounts.c           the order it takes is chosen, and is in the figure
compose-zcdp-sum               tests/compose/t-accounts.c           the order it takes is chosen, and is in the figure
filter-basic                   tests/compose/t-filter.c             its figures are sums of what is given
filter-zcdp                    tests/compose/t-filter.c             the order it takes is chosen, and is in the figure
filter-renyi                   tests/compose/t-filter.c             the order it takes is chosen, and is in the figure
filter-gaussian                tests/compose/t-filter.c             beside the exact profile at its budget
filter-optimal                 tests/compose/t-adaptive.c           no figure of its own, only its refutation
odometer-optimal               tests/compose/t-adaptive.c           no figure of its own, only its refutation
dp-sgd-renyi                   tests/mechanism/t-dp-sgd.c            the order it takes is chosen, and is in the figure
divergence-renyi-sum           tests/compose/t-accounts.c           beside the closed forms of its parts
pate-renyi                     tests/vote/t-pate.c                 the order it takes is chosen, and is in the figure
pate-lnmax-instance            tests/vote/t-pate-refuted.c         the order it takes is chosen, and is in the figure
pate-gnmax-instance            tests/vote/t-pate-votes.c           the order it takes is chosen, and is in the figure
pate-lnmax-script              tests/vote/t-pate-refuted.c           shown with given votes
pate-bagging-instance          tests/vote/t-pate-refuted.c         the order it takes is chosen, and is in the figure
pate-bagging-published         tests/vote/t-pate-refuted.c         shown with given fractions
pate-stop-after                tests/vote/t-pate-refuted.c           shown beside the count that is solved for
audit-gdp-to-eps               tests/attack/t-audit-refuted.c      beside the exact profile, at a true mu
audit-logkatz                  tests/attack/t-audit-refuted.c      no figure of its own, only its refutation
audit-bayes                    tests/attack/t-audit-refuted.c      no figure of its own, only its refutation
onerun-adaptive                tests/attack/t-audit-run.c          beside sums in doubles, its order too
onerun-profile                 tests/attack/t-audit-profile.c      its certificate is chosen; beside all mechanisms, by enumeration
igmm-certified                 tests/learning/t-igmm.c              the step it takes is chosen, and is in the figure
'
echo 1..7
"$dpacct" theorems --json | jq -r '.theorems[] | .id + " " + .command' | sort >"$work/rows"
while read -r id _; do
    domain=$(grep -lE "&${id//-/_}," src/*/rows.c | cut -d / -f 2)
    [ -n "$domain" ] && echo "$id $domain" || echo "$id none"
done <"$work/rows" >"$work/domains"
while read -r id domain; do
    grep -qE "^const bound ${id//-/_} = \{" -r "src/$domain" || echo "no row ${id//-/_} in src/$domain"
done <"$work/domains" | result 1 "a row is defined in its domain, and its symbol is its id"
while read -r id domain; do
    grep -qE -- "(^|[^-a-z0-9])$id([^-a-z0-9]|\$)" "docs/$domain.md" || echo "docs/$domain.md has no $id"
done <"$work/domains" | result 2 "the page of a domain names every row"
while read -r id domain; do
    jq -e --arg id "$id" 'any((.cases, .reference, .designs)[]?.expect; has($id))' \
        "tests/vectors/$domain.json" >"$work/any" && continue
    test=$(awk -v id="$id" '$1 == id { print $2 }' <<<"$unlisted")
    if [ -z "$test" ]; then
        echo "tests/vectors/$domain.json has no $id"
    elif ! grep -qE -- "$id|\b${id//-/_}\b" "$test"; then
        echo "$test has no $id"
    fi
done <"$work/domains" | result 3 "the values of a domain have every row, or a test is listed"
awk 'NF { print $1 }' <<<"$unlisted" | while read -r id; do
    domain=$(awk -v id="$id" '$1 == id { print $2 }' "$work/domains")
    jq -e --arg id "$id" 'any((.cases, .reference, .designs)[]?.expect; has($id))' \
        "tests/vectors/$domain.json" | grep -q true && echo "$id is listed and has values"
done | result 4 "the list of rows without values is not stale"

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
bagging-poisson --sampling-rate 0.1 --base-epsilon 1 --base-adjacency replace-one --adjacency replace-one
compose -m 0.1x10
compose -m 0.1x10 --slack 1e-6
compose -m 0.1x10 --target-delta 1e-5
compose -m 0.1x10 --target-delta 1e-5 --slack 1e-6
compose -m 1x10 --target-epsilon 8
compose -m 0.1x10 -m 0.2x3 --target-epsilon 1
compose -m gaussian:sigma=1x2 -m 0.1 --target-delta 1e-5
compose examples/ledger/regions.json --adjacency replace-one
curve examples/ledger/regions.json --delta-range 1e-6:1e-6:1
filter --add gaussian:sigma=10 --max-epsilon 1 --max-delta 1e-6
filter --add 0.1 --max-epsilon 1 --max-delta 1e-6
divergence --epsilon 0.1 --order 2
dp-sgd --noise-multiplier 1 --sampling-rate 0.01 --steps 100 --target-delta 1e-5
divergence -m gaussian:sigma=1 --order 2
kl-bound --epsilon 0.1
audit --true-positives 90 --positives 100 --false-positives 10 --negatives 100 --method cp --target-epsilon 1
audit --true-positives 90 --positives 100 --false-positives 10 --negatives 100 --method cp --claim gdp --target-delta 1e-5 --assume-gaussian
audit --correct 15 --trials 20
audit --one-run --canaries 100 --guesses 50 --correct 40
audit --one-run --canaries 100 --guesses 50 --correct 40 --target-delta 1e-5
audit --one-run --canaries 100 --guesses 50 --correct 40 --target-delta 1e-5 --method adaptive
audit --one-run --canaries 100 --guesses 50 --correct 40 --target-delta 1e-5 --method fdp
audit --one-run --canaries 100 --guesses 50 --correct 40 --method profile --claim gdp
audit --plan --claim-epsilon 1
convert --pure 1 --order 2
convert --pure 1 --to zcdp
convert --pure 1 --target-delta 1e-5
convert --zcdp 0.1 --target-delta 1e-5
convert --zcdp 0.1 --target-epsilon 1
convert --zcdp 0.1 --order 2
convert --rdp 2,1 --order 2
convert --cdp 0.5,1 --target-delta 1e-5
convert --cdp 0.5,1 --to zcdp
convert --gdp 1 --target-delta 1e-5
convert --gdp 1 --to zcdp
iterative-gaussian -N 600 --batch-size 600 -T 10 --diameter 2 --sigma 0.01 --target-delta 1e-5
iterative-gaussian -N 1 --batch-size 1 -T 1 --diameter 2 --sigma 1 --delta 1e-5 --slack 0.999999
generalization --epsilon 0.1 --delta 1e-9 --samples 50000
generalization --epsilon 0.1 --delta 1e-9 --samples 50000 --gap 0.5
majority -K 5 --epsilon 0.1 --delta 1e-5 --allowance 2 --target-delta 1e-3 --design all
majority -K 3 --epsilon 0.1 --allowance 1 --vote-mean 0.3 --design constant
pate --aggregator gnmax --sigma 40 --target-delta 1e-5
pate --aggregator lnmax --inverse-scale 0.04 --solve queries --max-epsilon 1 --max-delta 1e-3
advantage --approx 1,1e-5 --belief 1 --kappa 0.1
advantage --approx 1,1e-5 --secrets 3 --adjacency replace-one
advantage --approx 1,1e-5 --secrets 3 --kappa 2/3 --adjacency replace-one
advantage --pure 1
advantage --zcdp 0.1
advantage --zcdp 0.1 --delta 0.01
advantage --rdp 2,0.1
advantage --gdp 1 --belief 1
advantage -m 0.1x10
advantage --of bagging-with -n 100 -k 10 --belief 1
advantage --of gaussian --sigma 1 --belief 1
advantage --solve mu --max-advantage 0.1
rr-prob -K 5 --epsilon 0.1 --allowance 2
rr-prob -K 5 --epsilon 0.1 --delta 1e-6 --allowance 2 --composition general --slack 1e-6
QUESTIONS
echo '["0", "0", "0"]' >"$work/gamma.json"
"$dpacct" majority -K 5 --epsilon 0.1 --allowance 2 --gamma "$work/gamma.json" --json |
    jq -r '.results[].theorem + " majority"' >>"$work/shown"
echo '0.9 0.1' >"$work/fractions"
for aggregator in 'lnmax --inverse-scale 0.1' 'gnmax --sigma 9'; do
    echo '9 1' >"$work/votes"
    # shellcheck disable=SC2086
    "$dpacct" pate --aggregator $aggregator --votes "$work/votes" --target-delta 0.1 --all --json 2>/dev/null |
        jq -r '.results[].theorem + " pate"'
done >>"$work/shown"
"$dpacct" pate --aggregator lnmax --inverse-scale 0.1 --instance "$work/fractions" --target-delta 0.1 --all --json \
    2>/dev/null | jq -r '.results[].theorem + " pate"' >>"$work/shown"
# What is asked of mechanisms among the values.
jq -c '.cases[].ask + {all: true}' tests/vectors/mechanism.json | "$dpacct" batch |
    jq -r '.command as $c | .results[] | .theorem + " " + $c' >>"$work/shown"
# A statement that has no figure of its own: it says that none is possible.
echo "bagging-independent-tightness bagging-without
filter-optimal filter
audit-logkatz audit
audit-bayes audit
odometer-optimal filter" >>"$work/shown"
cut -d ' ' -f 1 "$work/shown" | sort -u >"$work/seen"
cut -d ' ' -f 1 "$work/rows" | comm -23 - "$work/seen" | result 5 "every row is shown by some question"

# What kl-bound shows, divergence shows too.
awk '$2 == "kl-bound" { print $1 }' "$work/shown" | sort -u >"$work/kl"
awk '$2 == "divergence" { print $1 }' "$work/shown" | sort -u | comm -23 "$work/kl" - |
    result 6 "divergence shows what kl-bound shows"

# What HACKING.md shows of the five theorems, and the files it names.
{
    grep -oE '`(src|tests|docs|include)/[^`*]*\.[a-z]+`' docs/HACKING.md | tr -d '`' | while read -r file; do
        [ -e "$file" ] || echo "there is no $file"
    done
    grep -E '^\| `[-a-z0-9]+` \| `src/' docs/HACKING.md | tr -d '|`' | while read -r id files; do
        for file in $files; do
            grep -qE -- "$id|\b${id//-/_}\b" "$file" || echo "$file has no $id"
        done
        grep -qE "^const bound ${id//-/_} = " "${files%% *}" || echo "${files%% *} defines no $id"
    done
    [ "$(grep -cE '^\| `[-a-z0-9]+` \| `src/' docs/HACKING.md)" -eq 5 ] || echo "five theorems are shown"
} | result 7 "the files that HACKING.md names are there, and those of a theorem have it"
