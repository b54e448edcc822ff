#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "filter: the answer is the state, which the next question is asked with" {
    local state="$BATS_TEST_TMPDIR/state.json" step
    ask filter --add 0.1 --max-epsilon 2 --max-delta 1e-6
    same status 0 "$status"
    echo "$output" >"$state"
    for step in 2 3 4 5 6 7 8 9; do
        ask filter "$state" --add 0.1
        same "status $step" 0 "$status"
        same "stderr $step" '' "$stderr"
        echo "$output" >"$state"
    done
    same entries 1 "$(jq '.mechanisms | length' "$state")"
    same fixed '["zcdp","2","1e-6","parameters","add-remove"]' \
        "$(jq -c '[.method, .max_epsilon, .max_delta, .adaptive, .adjacency]' "$state")"
    ask filter "$state" --add 5
    answered 1 '' 'dpacct: filter: warning: refused: it would exceed the budget; do not release it'
    ask filter "$state" --add 0.1 --json
    same state "$(jq -S . "$state")" "$("$DPACCT" filter "$state" | jq -S .)"
    same check true "$(jq .check.holds <<<"$output")"
    ask compose "$state"
    same status 2 "$status"
}

@test "filter: more delta than one item has is a state too" {
    ask filter --max-epsilon 1 --json -m 0.1,0.75x2
    same spent '[["0","1","1"],["0.2","0.5","1"]]' \
        "$(jq -c '.state.mechanisms | map([.epsilon, .delta, .times])' <<<"$output")"
}

@test "filter: every method, and its state through JSON and batch" {
    local method rest state="$BATS_TEST_TMPDIR/state.json"
    for method in zcdp basic rdp gaussian; do
        case $method in
        basic) rest=(-m 0.1x3) ;;
        *) rest=(-m gaussian:sigma=30x2 --slack 5e-7) ;;
        esac
        works filter "${rest[@]}" --add 0,1e-8 --method "$method" --max-epsilon 1 --max-delta 1e-6
        echo "$output" >"$state"
        same method "\"$method\"" "$(jq .method "$state")"
        works filter "$state"
        same "state again" "$(jq -S . "$state")" "$(jq -S . <<<"$output")"
        jq -c '{command: "filter", add: ["0,1e-9"]} + del(.adaptive)' "$state" >"$state.line"
        same "batch $method" true "$("$DPACCT" batch <"$state.line" | jq .check.holds)"
    done
}

@test "filter: exact ties, logarithms too" {
    silent 0 filter -m 0.1x9 --add 0.1 --max-epsilon 1
    silent 1 filter -m 0.1x9 --add 0.1000000000000000000000000000000000001 --max-epsilon 1
    silent 0 filter -m 'ln(3)x3' --add 'ln(2)' --max-epsilon 'ln(54)'
    silent 1 filter -m 'ln(3)x3' --add 'ln(2)x2' --max-epsilon 'ln(54)'
    silent 0 filter -m 0.5,5e-7 --add 0.1,5e-7 --max-epsilon 1 --max-delta 1e-6 --method basic
    silent 1 filter -m 0.5,5e-7 --add 0.1,5.1e-7 --max-epsilon 1 --max-delta 1e-6 --method basic
    silent 1 filter -m 2 --max-epsilon 1
}

@test "filter: what is missing, or does not go together, is said" {
    refused "filter: --max-epsilon: is missing: a filter needs its budget" filter --add 0.1
    refused "filter: --max-delta: must be above 0 and below 1 for this method; basic needs none" \
        filter --add 0.1 --max-epsilon 1 --method zcdp
    refused "filter: --slack: must not be above max_delta, of which it is a part" \
        filter --add 0.1 --max-epsilon 1 --max-delta 1e-6 --slack 1e-5
    refused "filter: --order: is for the method rdp alone" \
        filter --add 0.1 --max-epsilon 1 --max-delta 1e-6 --order 4
    refused "filter: --method: has no statement about a mechanism of the list: basic needs a largest epsilon, zcdp a \
rho, rdp a finite divergence of its order, gaussian Gaussian noise" \
        filter --add laplace:scale=3 --method gaussian --max-epsilon 1 --max-delta 1e-6
    refused "filter: mechanism 1: epsilon 'y' is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)" filter --add y --max-epsilon 1
    ask filter -m 0.1 --add 0.1,1e-7 --max-epsilon 1 --max-delta 1e-6
    answered 1 '' 'dpacct: filter: warning: refused: the deltas of mechanisms would exceed what the slack leaves of max_delta; the split is fixed before the first release'
}

@test "filter: beyond the budget no pair stands in a row" {
    local method add
    for method in zcdp basic rdp; do
        for add in 0 0.1; do
            ask filter -m 5 --add "$add" --max-epsilon 2 --max-delta 1e-5 --method "$method" --json
            same "status $method $add" 1 "$status"
            same "row $method $add" '[null,1,false,false,true]' "$(jq -c '[.guarantee, (.results | length)] +
                [.results[0] | has("epsilon"), has("delta"), has("spent")]' <<<"$output")"
        done
        ask filter -m 5 --max-epsilon 2 --max-delta 1e-5 --method "$method" --all --format statement
        same "statement $method" 'No guarantee is proved.' "${lines[0]}"
        ask filter -m 5 --max-epsilon 2 --max-delta 1e-5 --method "$method" --format csv
        same "csv $method" theorem,verdict,spent_lower,spent_upper,budget_lower "$(cut -d, -f1-5 <<<"${lines[0]}")"
    done
}

@test "filter: what is guaranteed where an addition is refused is the state without it" {
    local list=(-m 0.1x10 --max-epsilon 2 --max-delta 1e-5) spent
    ask filter "${list[@]}" --json
    spent=$(jq .guarantee.spent <<<"$output")
    ask filter "${list[@]}" --add 5 --json
    same spent "[$spent,false,true]" "$(jq -c '[.guarantee.spent, .check.holds, (.notes | any(test("without the addition")))]' <<<"$output")"
    ask filter "${list[@]}" --add 5 --format github
    same headline '::error title=dpacct filter::without what is refused: (2, 1e-5)-DP' "${lines[0]%%, spent*}"
}
