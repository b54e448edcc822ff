#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

council=(majority -K 11 --epsilon 0.1 --delta 1e-5 --allowance 3 --target-delta 3e-5)

@test "majority: what is missing, too much or out of range is said" {
    refused "majority: --mechanisms: must be odd, so that the majority has no tie; leave one mechanism out" \
        majority -K 4 --epsilon 0.1 --allowance 2
    refused "majority: --mechanisms: must be at most 301 here; rr-prob answers for any number" \
        majority -K 303 --epsilon 0.1 --allowance 2
    refused "majority: --mechanisms: is missing; give it, or groups by -m" majority --epsilon 1 --allowance 1
    refused "majority: --epsilon: is missing; give it, or groups by -m" majority -K 3 --allowance 1
    refused "majority: --allowance, --target-epsilon: one of them is needed" majority -K 3 --epsilon 1
    refused "majority: --allowance, --target-epsilon: exclude each other; give one of them" \
        majority -K 3 --epsilon 1 --allowance 1 --target-epsilon 1
    refused "majority: --allowance: is a multiple of one epsilon; with groups give target_epsilon" \
        majority -m 0.1x2 -m 0.2 --allowance 1
    refused "majority: --mechanism: excludes --mechanisms, --epsilon and --delta; give groups or equal ones" \
        majority -K 3 -m 0.1x3 --target-epsilon 1
    refused "majority: --class: free needs mechanisms of equal parameters" \
        majority -m 0.1x2 -m 0.2 --target-epsilon 1 --class free
    refused "majority: --sample: must be an integer from 1 to the mechanisms" \
        majority -K 3 --epsilon 1 --allowance 1 --sample 4
    refused "majority: --design: double-subsample needs a target of at least one epsilon" \
        majority -K 3 --epsilon 1 --allowance 1/2 --design double-subsample
    refused "majority: --sample: is missing: the target is below one epsilon, so no size follows from it" \
        majority -K 3 --epsilon 1 --allowance 1/2 --design subsample
    refused "majority: --means: are missing; the prior of given means needs them" \
        majority -K 3 --epsilon 1 --allowance 1 --prior mean
    refused "majority: --means: are for the prior of given means" \
        majority -K 3 --epsilon 1 --allowance 1 --means 0.9
    refused "majority: --means: '0.4' must be from 1/2 to 1, where the error is linear in gamma, and of at most some hundred digits" \
        majority -K 3 --epsilon 1 --allowance 1 --prior mean --means 0.4
    refused "majority: --votes: must be one number for all votes, or one for each" \
        majority -K 3 --epsilon 1 --allowance 1 --votes 0.9,0.8
    refused "majority: --votes: '2' must be a number from 0 to 1, of at most some hundred digits" \
        majority -K 3 --epsilon 1 --allowance 1 --votes 0.9,2,0.1
}

@test "majority --gamma: the file is read, and checked against the target" {
    local file=$BATS_TEST_TMPDIR/gamma.json
    echo '[0.7, 0.7, 0.92, 1, "1", 1]' >"$file"
    silent 0 "${council[@]}" --gamma "$file"
    echo '[0.72, 0.72, 0.93, 1, 1, 1]' >"$file"
    silent 1 "${council[@]}" --gamma "$file"
    silent 0 "${council[@]}" --gamma "$file" --max-epsilon 0.4 --max-delta 3e-5
    echo '[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]' >"$file"
    silent 1 "${council[@]}" --gamma "$file"
    echo '[1, 1]' >"$file"
    refused "majority: --gamma: must have K + 1 values, or the (K + 1)/2 of the upper half" \
        "${council[@]}" --gamma "$file"
    echo '{"gamma": 1}' >"$file"
    refused "majority: $file: must be a JSON array of numbers" "${council[@]}" --gamma "$file"
    echo '[1, true]' >"$file"
    refused 'majority: gamma: must hold numbers, or strings such as "1/3"' "${council[@]}" --gamma "$file"
    refused "majority: $file.no: cannot be read: No such file or directory" \
        "${council[@]}" --gamma "$file.no"
}

@test "majority: thresholds decide on the first design" {
    silent 0 "${council[@]}" --design optimal --max-epsilon 0.3 --max-delta 3e-5
    silent 1 "${council[@]}" --design optimal --max-epsilon 0.29 --max-delta 3e-5
    silent 0 majority -K 11 --epsilon 0.1 --allowance 3 --design double-subsample --max-epsilon 0.3
    silent 1 majority -K 11 --epsilon 0.1 --allowance 3 --design double-subsample --max-epsilon 0.2999
}

@test "majority --plot-data: one line for each number of votes" {
    ask majority -K 5 --epsilon 0.1 --allowance 2 --design double-subsample --plot-data
    answered 0 "votes,majority-double-subsample
0,1
1,1
2,0.4
3,0.4
4,1
5,1" ''
}

@test "majority: batch takes arrays, groups and the same names" {
    run --separate-stderr "$DPACCT" batch <<'LINES'
{"command": "majority", "mechanisms": 5, "epsilon": "0.1", "target_epsilon": 0.2, "gamma": [0.4, 1, 1], "votes": [0.9, 0.8, 0.7, 0.6, "11/20"]}
{"command": "majority", "mechanism": ["0.1,1e-5x2", "0.5"], "target-epsilon": 0.4, "design": "subsample", "sample": 3}
LINES
    same status 0 "$status"
    same verdicts 'true 0.05922' "$(jq -r '[.check.holds, .results[0].total_variation_enclosure[1]] | map(tostring) | join(" ")' <<<"${lines[0]}")"
    same groups 'subsample ["1","1"]' "$(jq -rc '.results[0] | .design + " " + (.gamma | tostring)' <<<"${lines[1]}")"
}

# Table D.1.1 of the paper: general composition of k folds, and the majority itself at that target
@test "majority: the paper's four settings, and that they need no noise" {
    local ones=$BATS_TEST_TMPDIR/ones.json
    echo '[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]' >"$ones"
    while read -r k m delta needed; do
        ask compose -m "0.1,1e-5x$k" --slack 0.1 --method kov --json --digits 8
        # to the digits that the paper prints
        same "m of $k" "$m" "$(jq -r '.guarantee.epsilon_enclosure[0] | tonumber * 1e6 | round / 1e5' <<<"$output")"
        same "delta of $k" "$delta" "$(jq -r '.guarantee.delta_enclosure[0] | tonumber * 1e6 | round / 1e6' <<<"$output")"
        local target
        target=$(jq -r '.guarantee.epsilon_enclosure[1]' <<<"$output")
        ask majority -K 35 --epsilon 0.1 --delta 1e-5 --target-epsilon "$target" \
            --target-delta 0.1002 --gamma "$ones" --json --digits 8
        same "status of $k" 0 "$status"
        same "needed by $k" "$needed" "$(jq -r '.guarantee.delta_enclosure[0] | tonumber * 1e6 | round / 1e6' <<<"$output")"
    done <<'ROWS'
10 6.45215 0.10009 0.041139
13 7.57423 0.100117 0.025595
15 8.27084 0.100135 0.018254
20 9.8823 0.10018 0.007347
ROWS
}

@test "majority, rr-prob: the largest constant is exact where it is a short decimal" {
    ask majority -K 1 --epsilon 'ln(5)' --target-epsilon 'ln(2)' --design constant
    same stderr '' "$stderr"
    same constants '0.5 0.5 0.5' "$(awk '/^majority-constant|^rr-prob/ { printf "%s%s", s, $6; s = " " }' <<<"$output")"
    head_is 'probability = 0.5, epsilon = 0.6931471806, delta = 0 [rr-prob-simple: exact]' \
        rr-prob -K 1 --epsilon 'ln(5)' --target-epsilon 'ln(2)'
    ask majority -K 1 --epsilon 0.5 --delta 1e-3 --allowance 1 --target-delta 1e-3 --design constant
    same 'the majority itself' '(0.5, 0.001)-DP, epsilon_at_target_delta = 0.5, probability = 1, error = 0 [majority-constant: exact]' "${lines[0]}"
}

@test "rr-prob: what composition does not prove is refuted only by mechanisms that break it" {
    local ask=(rr-prob -K 11 --epsilon 0.1 --allowance 3)
    silent 0 "${ask[@]}" --max-epsilon 0.3
    silent 0 "${ask[@]}" --max-delta 1e-3
    silent 3 "${ask[@]}" --max-epsilon 0.29
    silent 1 "${ask[@]}" --max-epsilon 0.08
    silent 3 "${ask[@]}" --delta 1e-5 --max-epsilon 0.29
    silent 1 "${ask[@]}" --delta 1e-5 --max-epsilon 0.05
    ask "${ask[@]}" --max-epsilon 0.29
    same why 'check: (0.29, 0)-DP is not decided: composition alone does not prove it, and does not refute it' "${lines[1]}"
    # the same probability for independent mechanisms: between the two
    local file=$BATS_TEST_TMPDIR/gamma.json p=0.2974605825
    echo "[$p, $p, $p, $p, $p, $p]" >"$file"
    silent 0 majority -K 11 --epsilon 0.1 --allowance 3 --gamma "$file" --max-epsilon 0.29
    silent 1 majority -K 11 --epsilon 0.1 --allowance 3 --gamma "$file" --max-epsilon 0.08
}

@test "majority: a target that is met with equality is met, and shown exactly" {
    head_is '(0.5, 0.001)-DP, epsilon_at_target_delta = 0.5, error = 0.146484375 [majority-subsample: exact]' \
        majority -K 5 --epsilon 0.5 --delta 1e-3 --allowance 1 --target-delta 1e-3 --design subsample
    ask majority -K 11 --epsilon 0.1 --delta 1e-5 --allowance 1 --target-delta 1e-5
    same status 0 "$status"
    same stderr '' "$stderr"
    same 'both samples' 'majority-double-subsample exact 0.1 1e-5 0.1
majority-subsample exact 0.1 1e-5 0.1' "$(awk '/^majority-(double-)?subsample/ { print $1, $2, $3, $4, $5 }' <<<"$output")"
    # the epsilons of the two largest of the three groups; no infinity where nothing is infinite
    head_is '(0.6, 0)-DP, epsilon_at_target_delta = 0.6, error = 0.052734375 [majority-subsample: exact]' \
        majority -m 0.1x2 -m 0.3x2 -m 0.2 --target-epsilon 0.6 --design subsample --sample 3
    head_is '(0.3, 0.01)-DP, epsilon_at_target_delta = 0.3, error = 0.09375 [majority-subsample: exact]' \
        majority -m 0.1,0.01x2 -m 0.3,0.01 --target-epsilon 0.3 --target-delta 0.01 --design subsample --sample 1
    local file=$BATS_TEST_TMPDIR/gamma.json
    echo '["1/5", "3/5", 1]' >"$file"
    local given=(majority -K 5 --epsilon 0.5 --delta 1e-3 --allowance 1 --gamma "$file")
    silent 0 "${given[@]}" --target-delta 1e-3
    silent 1 "${given[@]}" --target-delta 0.0009999999999999999999999999999999999999999999999999999999999999999
    silent 0 "${given[@]}" --max-epsilon 0.5 --max-delta 1e-3
    silent 1 "${given[@]}" --max-epsilon 0.4999999999999999999999999999999999999999999999999999999999999 --max-delta 1e-3
}

@test "majority-double-subsample costs the largest epsilons, as many as decide, and says so" {
    head_is '(0.5, 0)-DP, epsilon_at_target_delta = 0.2, error = 0 [majority-double-subsample: exact]' \
        majority -K 3 --epsilon 0.1 --allowance 5 --design double-subsample
    head_is '(0.4, 0)-DP, epsilon_at_target_delta = 0.3, error = 0.052734375 [majority-double-subsample: exact]' \
        majority -m 0.1x4 -m 0.2 --target-epsilon 0.4 --design double-subsample
    ask theorems majority-double-subsample --json
    same statement 'the subsample of min(2m - 1, K) votes, m = target/epsilon rounded down, epsilon the largest epsilon_i; with delta_i = 0 for all i its exact cost is the sum of the min(m, (K+1)/2) largest epsilon_i' \
        "$(jq -r '.theorems[0].statement' <<<"$output")"
}

@test "majority: an epsilon that no finite one replaces is infinite, one that was not proved is not" {
    local file=$BATS_TEST_TMPDIR/gamma.json
    echo '[0.9, 1]' >"$file"
    ask majority -K 3 --epsilon 0.5 --delta 1e-3 --target-epsilon 10 --target-delta 1e-4 --gamma "$file"
    answered 1 "$output" ''
    same 'leaks alone exceed the target' '(10, 0.0001525483)-DP, epsilon_at_target_delta = inf, error = 0.0140625 [majority-given: exact]' "${lines[0]}"
    # e^-1e9 is beyond every exponent: a lower end, and no upper one
    ask majority -K 3 --epsilon 1e9 --delta 1e-3 --target-epsilon 10 --target-delta 1e-2 --design subsample --sample 1
    answered 0 "$output" 'dpacct: majority: warning: the precision limit was met before all asked digits were proved; the enclosure is shown as it is'
    same 'beyond the exponents' '(10, 1.000000000)-DP, epsilon_at_target_delta = [1.089562453, inf], error = 0.09375 [majority-subsample: proved]' "${lines[0]}"
}

@test "majority --gamma: the promised check is made at every kind of target" {
    local file=$BATS_TEST_TMPDIR/gamma.json
    echo '[1, 1]' >"$file"
    local given=(majority -K 3 --epsilon 'ln(2)' --gamma "$file")
    silent 1 "${given[@]}" --allowance 1
    silent 0 "${given[@]}" --allowance 2
    silent 1 "${given[@]}" --allowance 3/2
    silent 0 "${given[@]}" --allowance 5/2
    silent 1 "${given[@]}" --allowance 1.9999999999999999999999999999999999999999999
    ask "${given[@]}" --allowance 3/2
    same check 'check: (1.5 * ln(2), 0)-DP does not hold' "${lines[1]}"
    ask "${given[@]}" --allowance 2 --json
    same json '[true,"ln(4)","0"]' "$(jq -c '.check | [.holds, .max_epsilon_exact, .max_delta_exact]' <<<"$output")"
    ask "${given[@]}" --allowance 3/2 --json
    same 'json, a factor' '[false,1.0397207708399179,"1.5 * ln(2)"]' \
        "$(jq -c '.check | [.holds, .max_epsilon, .max_epsilon_exact]' <<<"$output")"
    silent 1 majority -m 'ln(2)x3' --target-epsilon 'ln(2)' --gamma "$file"
}

@test "majority-lower-bound: c_j <= p is decided exactly, in bounded time" {
    bound_at() { # ARGUMENT...
        ask majority -K 3 --allowance 1 --design constant --all "$@"
        same status 0 "$status" && awk '/^majority-lower-bound/ { print $(NF - 1) }' <<<"$output"
    }
    local nines
    nines=$(printf '9%.0s' {1..200})
    same 'just below' 0 "$(bound_at --epsilon 'ln(2)' --vote-mean "0.24$nines")"
    same 'at a step' 0.09375 "$(bound_at --epsilon 'ln(2)' --vote-mean 0.25)"
    same 'its mirror image' 0.09375 "$(bound_at --epsilon 'ln(2)' --vote-mean 0.75)"
    same 'just above' 0.09374999999 "$(bound_at --epsilon 'ln(2)' --vote-mean "0.25$(printf '0%.0s' {1..200})1")"
    same 'never' 0 "$(bound_at --epsilon 0.1 --vote-mean 0)"
    same 'always' 0 "$(bound_at --epsilon 0.1 --vote-mean 1)"
    same 'tiny epsilon' 0.09599999999 "$(bound_at --epsilon 1e-300 --vote-mean 0.2)"
    same 'with delta' 0.07933867937 "$(bound_at --epsilon 0.1 --delta 1e-4 --target-delta 1e-4 --vote-mean 0.2)"
}

@test "majority: a design that is not shown to be the optimum is not called exact" {
    ask majority -K 5 --epsilon 1e-12 --delta 0 --allowance 1/2 --target-delta 0 --class free --prior vote --design optimal
    same status 0 "$status"
    [[ $output == *'[majority-optimal: proved]'* && $stderr == *'the optimum was not reached'* ]]
}
