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
    refused "majority: --means: must be at least 1/2: only then is the error linear in gamma" \
        majority -K 3 --epsilon 1 --allowance 1 --prior mean --means 0.4
    refused "majority: --votes: must be one number for all votes, or one for each" \
        majority -K 3 --epsilon 1 --allowance 1 --votes 0.9,0.8
    refused "majority: --votes: '2' must be a number from 0 to 1, such as 1e-5" \
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
