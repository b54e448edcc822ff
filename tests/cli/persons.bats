#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What people asked in their first hour, as they typed it: the command, what it prints, its status.
load helper

optimal='add-remove adjacency [compose-optimal: exact]'

@test "1. a majority's guarantee in JSON is one true pair, the other figure has its own name" {
    ask majority -K 11 --epsilon 0.1 --delta 1e-5 --allowance 3 --target-delta 3e-5 --json
    same status 0 "$status"
    same stderr '' "$stderr"
    same 'names' '["delta","delta_at_target_epsilon","epsilon","epsilon_at_target_delta"]' \
        "$(jq -c '[.guarantee | keys[] | select(test("^(epsilon|delta)") and (endswith("_enclosure") | not))]' <<<"$output")"
    local epsilon delta
    epsilon=$(jq -r '.guarantee.epsilon_enclosure[1]' <<<"$output")
    delta=$(jq -r '.guarantee.delta_enclosure[1]' <<<"$output")
    silent 0 majority -K 11 --epsilon 0.1 --delta 1e-5 --allowance 3 --target-delta 3e-5 \
        --max-epsilon "$epsilon" --max-delta "$delta"
}

@test "2. 350 uses of 0.1: the sum is no optimum, and a lone budget means delta = 0" {
    ask compose -m 0.1x350
    answered 0 "(35, 0)-DP, $optimal

theorem          verdict  epsilon  delta
compose-optimal  exact    35       0
compose-basic    proved   35       0

note: the end point is a sum, and no optimum at a larger delta: at delta = 1e-6
      epsilon is 10.07; ask with target-delta" ''
    head_is "(10.06466419, 1e-6)-DP, $optimal" compose -m 0.1x350 --target-delta 1e-6
    ask compose -m 0.1x350 --max-epsilon 4
    same status 1 "$status"
    same stderr '' "$stderr"
    same check 'check: (4, 0)-DP does not hold' "${lines[1]}"
    same note 'note: max-delta is not given and means 0; at delta = 1e-6 epsilon is 10.07' "$(notes)"
}

@test "3. decimal commas, thousands and swapped pairs" {
    refused 'compose: mechanism 1: after the comma stands delta, below 1 and not 000; was 1.000 or 1000 meant?' \
        compose -m 1,000
    refused 'compose: mechanism 1: after the comma stands delta, below 1 and not 000; was 0.1x3 meant?' \
        compose -m 0,1x3
    ask compose -m 1e-6,0.1x3
    same status 0 "$status"
    same stderr 'dpacct: compose: warning: an epsilon below 0.01 stands beside a delta of 0.01 or more: were they swapped? epsilon comes first' "$stderr"
}

@test "4. a method without what it needs says so; where nothing fits the status is 1, with the least budget" {
    local method
    for method in rdp advanced he2021 filter; do
        ask compose -m 0.1x35 --method $method
        same "status of $method" 0 "$status"
        same "stderr of $method" 'dpacct: compose: warning: the method needs target-delta, target-epsilon or slack; without them these are the figures of basic composition' "$stderr"
        same "head of $method" '(3.5, 0)-DP, add-remove adjacency [compose-basic: proved]' "${lines[0]}"
    done
    ask bagging-with -n 10 --solve k --max-delta 0.01
    same status 1 "$status"
    [[ $(notes) == *'note: not even k = 1 fits; the least budget is delta = 0.1 at epsilon = 0'* ]]
}

@test "5. iterative-gaussian says why it is far above dp-sgd, which it names" {
    ask iterative-gaussian -n 60000 --batch-size 256 -T 14040 --diameter 2 --sigma 0.01 --target-delta 1e-5
    same status 0 "$status"
    same head '(408.7336687, 1e-5)-DP, epsilon_one = 3.990648270, replace-one adjacency [igmm-certified: proved]' "${lines[0]}"
    [[ $stderr == *'warning: '*'points of its curve: an upper bound, loose for many steps. Where batches are Poisson samples, dp-sgd is exact'* ]]
    [[ $stderr == *'mostly far less: noise_multiplier 2 sigma batch_size / diameter, sampling_rate batch_size / n' ]]
}

@test "6. quiet without a check is an error, a closed pipe is none" {
    refused 'compose: --quiet: there is nothing to check; give --max-epsilon or --max-delta' compose -m 0.1 -q
    run --separate-stderr bash -c '"$DPACCT" theorems | head -1'
    answered 0 'bagging-with-exact [exact]' ''
}

@test "7. what is left, and does one more release fit?" {
    local ledger=$DPACCT_SOURCE/examples/ledger/tuning.json
    ask compose "$ledger" --add 0.04,1e-8
    answered 0 '(5.1, 9.498590346e-6)-DP, replace-one adjacency [compose-optimal: exact]
check: (5.1, 1e-5)-DP holds

theorem          verdict  epsilon  delta
compose-optimal  exact    5.1      9.498590346e-6

spent before:  epsilon = 5.058629684 at delta = 1e-5; delta = 9.421211887e-6 at epsilon = 5.1
it fits:       6 times
what is left:  one pure release of epsilon = 0.1150365763; 0.1150365764 is proved not to fit' ''
    silent 1 compose "$ledger" --add 0.4,1e-7
    ask compose -m 0.1x3 --max-epsilon 2 --add 0.3x2 --json
    same status 0 "$status"
    same remaining '2' "$(jq -r '.remaining.times' <<<"$output")"
    same 'the least that is left' '1.7' "$(jq -r '.remaining | [.. | strings | select(test("^1[.]7"))][0]' <<<"$output")"
}

@test "8. which release costs what, by entry and by date" {
    local ledger=$DPACCT_SOURCE/examples/ledger/survey.csv
    ask compose "$ledger" --target-delta 1e-5 --by-entry
    same status 0 "$status"
    same stderr '' "$stderr"
    same head '(3.335196194, 1e-5)-DP, add-remove adjacency [compose-pairs: exact]' "${lines[0]}"
    [[ $output =~ 'salaries '\ +'2026-02-01  12 '\ +'1.698035205 ' ]]
    ask compose "$ledger" --target-delta 1e-5 --by-entry --from 2026-02-01
    same status 0 "$status"
    same head '(2.766359870, 1e-5)-DP, add-remove adjacency [compose-pairs: exact]' "${lines[0]}"
    same note 'note: about entries dated from 2026-02-01 alone: 2 of 3, the others are left out' "$(notes)"
}

@test "9. a statement to paste, and the work behind a theorem" {
    ask gaussian --sigma 5 --times 10 --target-delta 1e-6 --format statement
    same status 0 "$status"
    same stderr '' "$stderr"
    local words
    words=$(tr '\n' ' ' <<<"$output")
    [[ $words == 'The release satisfies (2.921600591, 1e-6)-differential privacy. '*'unit of privacy'* ]]
    [[ $words == *gaussian-exact*'dpacct gaussian --sigma 5 --times 10 --target-delta 1e-6'* ]]
    ask theorems compose-optimal --format bibtex
    same status 0 "$status"
    [[ $output == '@inproceedings{kairouz2015,'* ]]
}

@test "10. a table for a pull request, an annotation and a report for a pipeline" {
    ask kl-bound --epsilon 1 --format tsv
    answered 0 $'theorem\tverdict\tkl_lower\tkl_upper\nkl-tight\texact\t0.4621171572\t0.4621171573' ''
    ask kl-bound --epsilon 1 --format markdown
    same status 0 "$status"
    [[ $output == *'| kl-tight | exact | 0.4621171573 |'* || $output == *'| **kl-tight** | exact | 0.4621171573 |'* ]]
    ask compose -m 0.1x3 --max-epsilon 0.2 --format github
    same status 1 "$status"
    [[ $output == '::error title=dpacct compose::'*'check: (0.2, 0)-DP does not hold'* ]]
    ask compose -m 0.1x3 --max-epsilon 0.2 --format junit
    same status 1 "$status"
    [[ $output == *'tests="1" failures="1"'* ]]
}

@test "11. a range is a row for each value, and a picture needs gnuplot alone" {
    ask bagging-with -n 60000 -k 100:300:3
    same status 0 "$status"
    same stderr '' "$stderr"
    same row '300 bagging-with-exact exact 0 0.004987562267' "$(grep '^300 ' <<<"$output" | tr -s ' ')"
    ask curve -m 0.1x10 --epsilon-range 0:1:3 --plot-data
    answered 0 'epsilon,compose-optimal
0,0.1225362236
0.5,9.929626918e-3
1,0' ''
    run --separate-stderr env PATH=/nowhere "$DPACCT" curve -m 0.1x10 --epsilon-range 0:1:3 --plot picture.svg
    answered 3 '' 'dpacct: curve: --plot: needs gnuplot, which is not there; install it (gnuplot-nox), or draw what --plot-data prints'
}

@test "12. ledgers as people keep them: remarks, a byte-order mark, a table" {
    printf '\xef\xbb\xbf{"mechanisms":[{"epsilon":0.1,"owner":"a","date":"2026-01-05","x-ticket":1}],"url":"u"}' >"$BATS_TEST_TMPDIR/ledger.json"
    ask compose "$BATS_TEST_TMPDIR/ledger.json" --json
    same status 0 "$status"
    same stderr '' "$stderr"
    same kept '{"url":"u","owner":"a","date":"2026-01-05","ticket":1}' \
        "$(jq -c '.input | {url} + (.mechanisms[0] | {owner, date, ticket: ."x-ticket"})' <<<"$output")"
    head_is '(3.335196194, 1e-5)-DP, add-remove adjacency [compose-pairs: exact]' \
        compose "$DPACCT_SOURCE/examples/ledger/survey.csv" --target-delta 1e-5
}
