#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

not_a_number="is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)"
count="must be a positive integer, such as 60000 or 10^9"

@test "bagging: the exact row first, the published pair, the naive one with --all" {
    ask bagging-with -n 60000 -k 300 --format csv
    answered 0 "theorem,verdict,epsilon_lower,epsilon_upper,delta_lower,delta_upper
bagging-with-exact,exact,0,0,4.987562266e-3,4.987562267e-3
bagging-with-published,proved,4.999958333e-3,4.999958334e-3,4.987562266e-3,4.987562267e-3" ''
    ask bagging-with -n 60000 -k 300 -N 10 --format csv --all --digits 4
    answered 0 "theorem,verdict,epsilon_lower,epsilon_upper,delta_lower,delta_upper
bagging-with-exact,exact,0,0,0.04877,0.04878
bagging-with-published,proved,0.04999,0.05000,0.04877,0.04878
bagging-with-naive,proved,0.04999,0.05000,0.04987,0.04988" ''
    ask bagging-without -n 60000 -k 300 -N 10 --format csv --all --digits 4
    answered 0 "theorem,verdict,epsilon_lower,epsilon_upper,delta_lower,delta_upper
bagging-without-exact,exact,0,0,0.05,0.05
bagging-without-published,proved,0.05129,0.05130,0.05,0.05" ''
}

@test "bagging: sizes are read exactly, in every spelling" {
    local wanted='(0, 0.004987562267)-DP, add-remove adjacency [bagging-with-exact: exact]'
    local zeros=00000000000000000000000000000
    for n in 60000 60000.0 6e4 6E+4 0.6e5 .6e5 600000e-1 120000/2 +60000 0060000; do
        head_is "$wanted" bagging-with -n "$n" -k 300
        head_is "$wanted" bagging-with -n 60000 -k 3e2 -N 1/1
    done
    head_is '(0, 1e-9)-DP, add-remove adjacency [bagging-without-exact: exact]' \
        bagging-without -n 10^9 -k 1
    head_is "(0, 9.999999999${zeros}1e-31)-DP, add-remove adjacency [bagging-with-exact: exact]" \
        bagging-with -n 1000000000100000000010000000001 -k 1 --digits 40
}

@test "bagging: the one-record edges" {
    head_is '(0, 1)-DP, add-remove adjacency [bagging-with-exact: exact]' bagging-with -n 1 -k 1
    head_is '(0, 1)-DP, add-remove adjacency [bagging-without-exact: exact]' bagging-without -n 7 -k 7
    head_is '(0, 0.5)-DP, add-remove adjacency [bagging-with-exact: exact]' bagging-with -n 2 -k 1
}

@test "bagging: --adjacency is named and changes no figure" {
    head_is '(0, 0.271)-DP, add-remove adjacency [bagging-with-exact: exact]' \
        bagging-with -n 10 -k 3 --adjacency add-remove
    head_is '(0, 0.271)-DP, replace-one adjacency [bagging-with-exact: exact]' \
        bagging-with -n 10 -k 3 --adjacency replace-one
    refused "bagging-with: --adjacency: 'add' is not one of add-remove|replace-one; did you mean add-remove?" \
        bagging-with -n 10 -k 3 --adjacency add
}

@test "bagging: --digits sets the digits, from 1 to 10000" {
    head_is '(0, 0.005)-DP, add-remove adjacency [bagging-with-exact: exact]' \
        bagging-with -n 60000 -k 300 --digits 1
    head_is '(0, 0.0049875622666307823)-DP, add-remove adjacency [bagging-with-exact: exact]' \
        bagging-with -n 60000 -k 300 --digits 17
    for d in 0 -1 10001 1e9 1.5 'ln(3)'; do
        refused "bagging-with: --digits: '$d' must be an integer from 1 to 10000" \
            bagging-with -n 10 -k 3 --digits "$d"
    done
    refused "bagging-with: --digits: 'ten' $not_a_number" bagging-with -n 10 -k 3 --digits ten
}

@test "bagging: a check that holds is status 0, one that fails is status 1 and no complaint" {
    ask bagging-with -n 60000 -k 300 --max-delta 0.005
    same status 0 "$status"
    same stderr '' "$stderr"
    same line 'check: (0, 0.005)-DP holds' "${lines[1]}"
    ask bagging-with -n 60000 -k 300 --max-delta 0.004
    same status 1 "$status"
    same stderr '' "$stderr"
    same line 'check: (0, 0.004)-DP does not hold' "${lines[1]}"
    ask bagging-with -n 60000 -k 300 --max-delta 1/200 --max-epsilon 'ln(3)'
    same status 0 "$status"
    same stderr '' "$stderr"
    same line 'check: (ln(3), 1/200)-DP holds' "${lines[1]}"
    ask bagging-with -n 60000 -k 300 --max-epsilon 1000
    same status 1 "$status"
    same stderr '' "$stderr"
    same line 'check: (1000, 0)-DP does not hold' "${lines[1]}"
}

@test "bagging-with: ties are exact" {
    silent 0 bagging-with -n 2 -k 1 --max-delta 0.5
    silent 0 bagging-with -n 2 -k 1 --max-delta 1/2
    silent 0 bagging-with -n 2 -k 1 --max-delta 5e-1
    silent 1 bagging-with -n 2 -k 1 --max-delta 0.49999999999999999999
    silent 1 bagging-with -n 2 -k 1 --max-delta 0.4999999999999999999999999999999999999999999999999999999999
    silent 0 bagging-with -n 10 -k 2 --max-delta 0.19
    silent 1 bagging-with -n 10 -k 2 --max-delta 0.18999999999999999999999999
    silent 0 bagging-with -n 10 -k 3 -N 2 --max-delta 0.468559
    silent 1 bagging-with -n 10 -k 3 -N 2 --max-delta 0.468558999999999999999999999999999999999999999
    # 1 - 2^-100
    silent 0 bagging-with -n 2 -k 10 -N 10 \
        --max-delta 1267650600228229401496703205375/1267650600228229401496703205376
    silent 1 bagging-with -n 2 -k 10 -N 10 \
        --max-delta 1267650600228229401496703205374/1267650600228229401496703205375
    silent 0 bagging-with -n 1 -k 5 --max-delta 1
    silent 1 bagging-with -n 1 -k 5 --max-delta 0.99999999999999999999
    silent 1 bagging-with -n 10^30 -k 1 --max-delta 0
    silent 0 bagging-with -n 10^30 -k 1 --max-delta 1e-30
    silent 1 bagging-with -n 10^30 -k 1 --max-delta 9.9999999999999999999999999999999999e-31
}

@test "bagging-without: ties are exact" {
    silent 0 bagging-without -n 3 -k 1 --max-delta 1/3
    silent 0 bagging-without -n 3 -k 1 --max-delta 0.33333333333333333333333333333333333334
    silent 1 bagging-without -n 3 -k 1 --max-delta 0.33333333333333333333333333333333333333
    silent 0 bagging-without -n 7 -k 2 -N 3 --max-delta 6/7
    silent 1 bagging-without -n 7 -k 2 -N 3 --max-delta 857142857142857142/1000000000000000000
    silent 0 bagging-without -n 7 -k 7 --max-delta 1
}

@test "--solve k and N: the largest count, ties included, and the next one fails" {
    local head
    head_is '(0, 0.19)-DP, k = 2, add-remove adjacency [bagging-with-exact: exact]' \
        bagging-with -n 10 --solve k --max-delta 0.19
    head_is '(0, 0.1)-DP, k = 1, add-remove adjacency [bagging-with-exact: exact]' \
        bagging-with -n 10 --solve k --max-delta 0.189999999999999999999
    head_is '(0, 0.3439)-DP, N = 2, add-remove adjacency [bagging-with-exact: exact]' \
        bagging-with -n 10 -k 2 --solve N --max-delta 0.3439
    head_is '(0, 0.25)-DP, N = 50, add-remove adjacency [bagging-without-exact: exact]' \
        bagging-without -n 60000 -k 300 --solve N --max-delta 1/4
    head_is '(0, 0.6)-DP, k = 3, add-remove adjacency [bagging-without-exact: exact]' \
        bagging-without -n 10 -N 2 --solve k --max-delta 0.79999999999
    for delta in 0.005 0.1 0.73 1e-4; do
        k=$("$DPACCT" bagging-with -n 60000 --solve k --max-delta $delta --json |
            json_field "d['guarantee']['k']")
        silent 0 bagging-with -n 60000 -k "$k" --max-delta $delta
        silent 1 bagging-with -n 60000 -k $((k + 1)) --max-delta $delta
    done
}

@test "--solve: nothing fits, anything fits" {
    # the row of the least value says what would do
    for delta in 0.09999999999999999 0; do
        ask bagging-with -n 10 --solve k --max-delta $delta
        same status 1 "$status"
        same stderr '' "$stderr"
        same head 'not even k = 1 fits: k = 1 already gives (0, 0.1)-DP, add-remove adjacency [bagging-with-exact: exact]' "${lines[0]}"
        same check "check: (0, $delta)-DP does not hold" "${lines[1]}"
        [[ $(notes) == *'note: not even k = 1 fits; the least budget is delta = 0.1 at epsilon = 0'* ]]
    done
    while read -r budget question; do
        # shellcheck disable=SC2086
        ask $question --json
        same "status of $question" 1 "$status"
        same "answer to $question" "false $budget" "$(jq -r '"\(.check.holds) \(.guarantee.delta_enclosure[1] // "none")"' <<<"$output")"
    done <<'LIST'
0.19 bagging-with -n 10 -k 2 --solve N --max-delta 0.18
0.3 bagging-without -n 10 -N 3 --solve k --max-delta 0.299
0.2 bagging-without -n 10 -k 2 --solve N --max-delta 0.199
0 bagging-poisson --solve q --max-delta 0
0 bagging-poisson --base-epsilon 1 --solve q --max-epsilon 0 --max-delta 0
0.2211992170 laplace --scale 1 --solve times --max-epsilon 0.5
0.9999990592 gaussian --sigma 0.1 --solve times --max-epsilon 1 --max-delta 1e-6
none gaussian --solve sigma --max-epsilon 1
none laplace --solve scale --max-epsilon 0 --max-delta 0
0.2876491367 compose -m 1 --solve times --max-epsilon 0.5
1.106924478e-3 compose -m 0.1x20 --add 1 --solve times --max-epsilon 2.1
0.4590242761 compose -m 5 --add 1 --solve times --max-epsilon 5
9.955119791e-3 compose --solve epsilon --uses 10 --use-delta 1e-3 --max-epsilon 1 --max-delta 1e-3
LIST
    silent 1 gaussian --solve sigma --max-epsilon 1
    silent 0 bagging-with -n 10 --solve k --max-delta 0.1
    ask compose -m 1 --solve times --max-epsilon 0.5
    [[ $(notes) == *'note: not even times = 1 fits; the least budget is delta = 0.2877 at epsilon = 0.5, or at delta = 0 epsilon is 1'* ]]
    ask bagging-without -n 10 -N 20 --solve k --max-delta 0.5
    same status 1 "$status"
    [[ $(notes) == *'note: whatever the budget: there are not as many records as would be drawn'* ]]
    head_is '(0, 1e-600)-DP, q = 1e-600, add-remove adjacency [bagging-poisson-exact: exact]' \
        bagging-poisson --solve q --max-delta 1e-600
    head_is '(0, 1)-DP, N = any, add-remove adjacency [bagging-with-exact: exact]' \
        bagging-with -n 10 -k 3 --solve N --max-delta 1
    head_is '(0, 1)-DP, k = 10, add-remove adjacency [bagging-without-exact: exact]' \
        bagging-without -n 10 --solve k --max-delta 1
    same json Infinity "$("$DPACCT" bagging-with -n 10 -k 3 --solve N --max-delta 1 --json |
        json_field "d['guarantee']['N']")"
}

@test "--solve: a solved count is a number, with its exact text beside it" {
    same k '300,"300"' "$("$DPACCT" bagging-with -n 60000 --solve k --max-delta 0.005 --json |
        jq -c '.guarantee | .k, .k_exact' | paste -sd,)"
    # rounded down where no double holds it
    same N '35120171885942100000000000000,"35120171885942100409166993613"' "$("$DPACCT" bagging-with \
        -n 1e30 -k 3 --solve N --max-delta 0.1 --json | jq -c '.results[0] | .N_exact as $n | .N, $n' |
        sed 's/^3.5120171885942100*e+28$/35120171885942100000000000000/' | paste -sd,)"
    same any '"Infinity","Infinity"' "$("$DPACCT" bagging-with -n 10 -k 3 --solve N --max-delta 1 --json |
        jq -c '.guarantee | .N, .N_exact' | paste -sd,)"
}

@test "--solve: where any number will do, the guarantee is that of the supremum" {
    head_is '(2.744, 1)-DP, N = any, add-remove adjacency [bagging-independent-exact: exact]' \
        bagging-without -n 13 -k 9 --subsamples independent --base-epsilon 'ln(2)' \
        --base-delta 0.5 --solve N --max-delta 1 --max-epsilon 2.744
    head_is '(1, 1)-DP, k = any, add-remove adjacency [bagging-with-exact: exact]' \
        bagging-with -n 13 -N 2 --base-epsilon 0.1 --base-delta 1 --solve k --max-delta 1 --max-epsilon 1
    head_is '(1, 1)-DP, N = any, add-remove adjacency [bagging-poisson-exact: exact]' \
        bagging-poisson --sampling-rate 1e-9 --base-epsilon 0.1 --solve N --max-delta 1 --max-epsilon 1
    # nothing is lost by a learner that looks at nothing, or at no record
    head_is '(0, 0)-DP, N = any, add-remove adjacency [amplify-with-pair: proved]' \
        bagging-with -n 10 -k 3 --base-epsilon 0 --solve N --max-delta 0 --max-epsilon 0
    head_is '(0, 0)-DP, k = any, add-remove adjacency [amplify-with-pair: proved]' \
        bagging-with -n 10 -N 3 --base-epsilon 0 --solve k --max-delta 0.1 --max-epsilon 0
    head_is '(0, 0)-DP, N = any, add-remove adjacency [bagging-poisson-exact: exact]' \
        bagging-poisson --sampling-rate 0 --solve N --max-delta 0
    head_is '(0, 0)-DP, k = 3, add-remove adjacency [amplify-profile: exact]' \
        bagging-without -n 10 -N 3 --base-epsilon 0 --solve k --max-delta 0 --max-epsilon 0
}

@test "--solve: on the boundary of a private learner" {
    head_is '(0.7, 0)-DP, N = 7, add-remove adjacency [amplify-dominating: exact]' \
        bagging-poisson --sampling-rate 1 --base-epsilon 0.1 --solve N --max-delta 0 --max-epsilon 0.7
    head_is '(0.1, 0)-DP, N = 5, add-remove adjacency [amplify-profile: exact]' \
        bagging-without -n 10 -k 2 --base-epsilon 0.1 --solve N --max-delta 0 --max-epsilon 0.1
    head_is '(0, 0.0591)-DP, N = 2, add-remove adjacency [amplify-dominating: exact]' \
        bagging-with -n 10 -k 3 --base-epsilon 0 --base-delta 0.1 --solve N --max-delta 0.0591 --max-epsilon 0
}

@test "--solve: far out in the tail no engine is asked" {
    head_is '(1, 1.000000000e-10)-DP, N = 262579827064607925412, add-remove adjacency [amplify-composed: proved]' \
        bagging-with -n 10^12 -k 100 --base-epsilon 0.1 --solve N --max-epsilon 1 --max-delta 1e-10
    head_is '(1, 1.000000000e-6)-DP, N = 1178960268675500912, add-remove adjacency [amplify-composed: proved]' \
        bagging-without -n 10^6 -k 218 --subsamples independent --base-epsilon 1e-6 --solve N \
        --max-epsilon 1 --max-delta 1e-6 --max-time 3
}

@test "--solve: what it needs and what it excludes" {
    refused "bagging-with: --solve: 'n' is not one of k|N; did you mean N?" bagging-with -n 10 --solve n
    refused "bagging-with: --subsample-size: is what --solve asks for; leave it out" \
        bagging-with -n 10 -k 2 --solve k --max-delta 0.5
    refused "bagging-with: --models: is what --solve asks for; leave it out" \
        bagging-with -n 10 -k 2 -N 2 --solve N --max-delta 0.5
    refused "bagging-with: --subsample-size: is missing; give it, or solve for it with --solve" \
        bagging-with -n 10 --solve N --max-delta 0.5
    ask bagging-with -n 10 --solve k
    same status 2 "$status"
    same stdout '' "$output"
    [[ $stderr == "dpacct: bagging-with: --"*"max-delta"* || $stderr == *"max_delta"* ]]
}

@test "bagging: a learner known under the other relation, exactly" {
    local two="bagging-without -n 10 -k 5 --base-epsilon 0.5 --base-adjacency add-remove"
    head_is '(0.2, 0.1460356546)-DP, add-remove adjacency [amplify-grouped: exact]' \
        $two --target-epsilon 0.2
    silent 0 $two --max-epsilon 0.2 --max-delta 0.16
    silent 0 $two --max-epsilon 0.2 --max-delta 0.14603565457
    silent 1 $two --max-epsilon 0.2 --max-delta 0.14603565456
    # in a ledger it answers by the same profile
    ask compose - --target-epsilon 0.2 <<<'{"mechanisms": [{"mechanism": "bagging-without", "n": 10,
        "k": 5, "base_epsilon": "0.5", "base_adjacency": "add-remove"}]}'
    same status 0 "$status"
    [[ ${lines[0]} == "(0.2, 0.1460356546)-DP, add-remove adjacency [amplify-grouped: exact]" ]]
    # the odds (1 - q + q E)/(1 - q + q/E), which are E at q = 1/2 and E^2 at q = 1
    for q in 1/2=0.5 1=1; do
        head_is "(${q#*=}, 0)-DP, replace-one adjacency [amplify-grouped: exact]" bagging-poisson \
            --sampling-rate "${q%=*}" --base-epsilon 0.5 --base-adjacency add-remove \
            --adjacency replace-one
    done
}

@test "bagging: what a bound does not prove is refuted only by a learner that breaks it" {
    local with="bagging-with -n 10 -k 5 --base-epsilon 0.5"
    silent 0 $with --max-epsilon 0.1 --max-delta 0.0772
    silent 0 $with --max-epsilon 0.1 --max-delta 0.0734880114230 # the profile is attained
    silent 1 $with --max-epsilon 0.1 --max-delta 0.0734880114229
    silent 1 $with --max-epsilon 0.1 --max-delta 0.01
    silent 1 $with --max-epsilon 0.3142 # at delta 0 the ratio is attained
    silent 0 $with --max-epsilon 0.3143
    # where a record is replaced no learner is known to have all of it
    with+=" --adjacency replace-one"
    silent 0 $with --max-epsilon 0.1 --max-delta 0.0753
    silent 3 $with --max-epsilon 0.1 --max-delta 0.075
    silent 1 $with --max-epsilon 0.1 --max-delta 0.03
    ask $with --max-epsilon 0.1 --max-delta 0.075
    same line 'check: (0.1, 0.075)-DP is not decided: not proved by this bound, which is not known to be tight' \
        "${lines[1]}"
    # two disjoint blocks: together less than what one that holds the record always would show
    local blocks="bagging-without -n 2 -k 1 -N 2 --base-epsilon ln(3)"
    head_is '(0, 0.5)-DP, add-remove adjacency [amplify-profile: proved]' $blocks --target-epsilon 0
    silent 3 $blocks --max-epsilon 0 --max-delta 0.4
    silent 1 $blocks --max-epsilon 1.09
    silent 0 $blocks --max-epsilon 'ln(3)'
    # a learner known under replace-one alone says nothing about Poisson samples, nor does it break
    silent 3 bagging-poisson --sampling-rate 0.1 --base-epsilon 1 --base-adjacency replace-one \
        --max-epsilon 1 --max-delta 0.05
    silent 1 bagging-poisson --sampling-rate 0.1 -N 3 --base-epsilon 1 --max-epsilon 0.1
}

@test "bagging: ties at rate 1, and where a learner only leaks" {
    for one in "bagging-poisson --sampling-rate 1" "bagging-without -n 7 -k 7" "bagging-with -n 1 -k 1"; do
        silent 0 $one --base-epsilon 0.1 --max-epsilon 0.1
        silent 1 $one --base-epsilon 0.1 --max-epsilon 0.09999999999999999999999999
        silent 0 $one --base-epsilon 0.1 --base-delta 0.01 --max-epsilon 0.1 --max-delta 0.01
        silent 1 $one --base-epsilon 0.1 --base-delta 0.01 --max-epsilon 0.1 --max-delta 0.0099999999999999999
        ask $one --base-epsilon 5 --digits 1
        same stderr '' "$stderr"
        [[ ${lines[0]} == "(5, 0)-DP, add-remove adjacency ["* ]]
    done
    silent 0 bagging-poisson --sampling-rate 1 -N 5 --base-epsilon 0.1 --max-epsilon 0.5
    silent 0 bagging-with -n 10 -k 3 --base-epsilon 0 --base-delta 0.1 --max-delta 0.03
    silent 0 bagging-with -n 2 -k 2 --base-epsilon 'ln(3)' --max-epsilon 'ln(4)'
    silent 1 bagging-with -n 2 -k 2 --base-epsilon 'ln(3)' --max-epsilon 'ln(3.99999999999999999999)'
    # delta0 ((1 + 2/2)^2 - 1)/2
    silent 0 bagging-with -n 2 -k 2 --base-epsilon 'ln(3)' --base-delta 0.01 --max-epsilon 'ln(4)' --max-delta 0.015
    silent 0 bagging-without -n 10 -k 5 --subsamples independent -N 2 --base-epsilon 'ln(3)' --max-epsilon 'ln(4)'
}

@test "bagging: epsilon at a target delta, in closed form or between decided ends" {
    head_is '(0.15856190567480219626531, 1e-6)-DP, add-remove adjacency [amplify-profile: exact]' \
        bagging-without -n 60000 -k 6000 --base-epsilon 1 --target-delta 1e-6 --digits 23
    head_is '(0.5, 0.01)-DP, add-remove adjacency [amplify-profile: exact]' \
        bagging-without -n 10 -k 10 --base-epsilon 0.5 --base-delta 0.01 --target-delta 0.01
    head_is '(inf, 0.001)-DP, add-remove adjacency [amplify-profile: exact]' \
        bagging-without -n 10 -k 5 --base-epsilon 0.5 --base-delta 0.01 --target-delta 0.001
    # with replacement: what is printed keeps the target, the last digit less is refuted
    local with="bagging-with -n 60000 -k 6000 --base-epsilon 1"
    head_is '(0.17175731836187902184346972312933627743, 1e-6)-DP, add-remove adjacency [amplify-dominating: exact]' \
        $with --target-delta 1e-6 --digits 38
    silent 0 $with --max-epsilon 0.17175731836187902184346972312933627743 --max-delta 1e-6
    silent 1 $with --max-epsilon 0.17175731836187902184346972312933627742 --max-delta 1e-6
    # ten models compose the whole of one, and as a list of one they are the same
    head_is '(1.476435448, 1e-6)-DP, add-remove adjacency [amplify-dominating: exact]' \
        bagging-poisson --sampling-rate 0.1 -N 10 --base-epsilon 1 --target-delta 1e-6
    ask compose -m bagging-poisson:sampling_rate=0.1,models=10,base_epsilon=1 --target-delta 1e-6
    [[ ${lines[0]} == "(1.476435448, 1e-6)-DP, add-remove adjacency [compose-pairs: exact]" ]]
    # a record that may be drawn too often: single points of the profile
    ask bagging-with -n 10 -k 2000 --base-epsilon 0.01 --target-delta 1e-6
    [[ ${lines[0]} == *"[amplify-with-hybrid: proved]" && ${lines[*]} == *"single points of it"* ]]
    # many digits keep the time, and what they leave open is an interval
    SECONDS=0
    ask $with --target-delta 1e-6 --digits 10000 --max-time 1
    same status 0 "$status"
    [[ ${lines[0]} == "(0.171"*"-DP, add-remove adjacency [amplify-dominating: exact]" ]]
    [[ $SECONDS -lt 20 ]]
}

@test "bagging: what is missing" {
    for c in bagging-with bagging-without; do
        refused "$c: --dataset-size: is missing; give it as --dataset-size SIZE" $c
        refused "$c: --dataset-size: is missing; give it as --dataset-size SIZE" $c -k 3
        refused "$c: --subsample-size: is missing; give it, or solve for it with --solve" $c -n 10
    done
}

@test "bagging: wrong kinds and ranges of every count" {
    for text in 0 -1 1.5 1e-1 1/3 'ln(3)' -0; do
        refused "bagging-with: --dataset-size: '$text' $count" bagging-with -n "$text" -k 3
        refused "bagging-with: --subsample-size: '$text' $count" bagging-with -n 10 -k "$text"
        refused "bagging-without: --models: '$text' $count" bagging-without -n 10 -k 3 -N "$text"
    done
    for text in x 0x10 inf -inf nan Infinity 1e 1e+ 1.e5 1. . e5 60,000 '60 000' ' 10' '10 ' 1_000 \
        1e5.5 2^ ^2 2^0.5 1//3 1/ /3 1/3/5 'ln(3' 'ln 3' 'log(3)' 'LN(3)' --1 +-1 10k ½ １; do
        ask bagging-with -n "$text" -k 3
        same "status of $text" 2 "$status"
        same "lines of $text" 1 "${#stderr_lines[@]}"
        [[ $stderr == "dpacct: bagging-with: --dataset-size: '"*"' "*"; "* ]] || { echo "$text: $stderr"; return 1; }
    done
    refused "bagging-with: --dataset-size: '1/0' divides by zero" bagging-with -n 1/0 -k 3
    refused "bagging-with: --dataset-size: '0^-1' divides by zero" bagging-with -n 0^-1 -k 3
    refused "bagging-with: --dataset-size: 'ln(0)' takes the logarithm of a number that is not positive" \
        bagging-with -n 'ln(0)' -k 3
    refused "bagging-with: --dataset-size: 'ln(-2)' takes the logarithm of a number that is not positive" \
        bagging-with -n 'ln(-2)' -k 3
}

@test "bagging: thresholds out of range" {
    for text in 1.1 -0.1 2 1.0000000000000000000000001 'ln(2)'; do
        refused "bagging-with: --max-delta: '$text' must be a number from 0 to 1, such as 1e-5" \
            bagging-with -n 10 -k 3 --max-delta "$text"
    done
    for text in -1 -1e-300 'ln(1/2)' '-ln(2)'; do
        ask bagging-with -n 10 -k 3 --max-epsilon "$text"
        same status 2 "$status"
        same stdout '' "$output"
        [[ $stderr == "dpacct: bagging-with: --max-epsilon: '$text' must "* ]]
    done
    silent 1 bagging-with -n 10 -k 3 --max-epsilon -0
    silent 1 bagging-with -n 10 -k 3 --max-epsilon 'ln(1)'
}

@test "bagging-without: more draws than records" {
    local message="--subsample-size: models times subsample size exceeds the data set: without replacement at most n records can be drawn"
    refused "bagging-without: --subsample-size: exceeds the data set: at most n records can be drawn without replacement; were n and k swapped?" \
        bagging-without -n 10 -k 11
    refused "bagging-without: $message" bagging-without -n 10 -k 2 -N 6
    works bagging-without -n 10 -k 2 -N 5
    works bagging-with -n 10 -k 11
}

@test "a long literal is named, not repeated" {
    local long
    long=1$(printf '7%.0s' {1..60})
    refused "bagging-with: --digits: '(a long literal)' must be an integer from 1 to 10000" \
        bagging-with -n 10 -k 3 --digits "$long"
    refused "bagging-with: --max-delta: '(a long literal)' must be a number from 0 to 1, such as 1e-5" \
        bagging-with -n 10 -k 3 --max-delta "$long"
    refused "bagging-with: --dataset-size: '(a long literal)' $not_a_number" \
        bagging-with -n "x$long" -k 3
    refused "bagging-with: --digits: '${long:0:60}' must be an integer from 1 to 10000" \
        bagging-with -n 10 -k 3 --digits "${long:0:60}"
}

@test "epsilon at a target delta: both ends are proved at any number of digits" {
    # ln(1 + (e^0.1 - 1)/2), below which delta is above its least value
    ask bagging-without -n 10 -k 5 --base-epsilon 0.1 --base-delta 1e-3 --target-delta 0.0005 \
        --adjacency replace-one --digits 1300 --format csv
    same status 0 "$status"
    /usr/bin/python3 -c '
import sys
from mpmath import mp, mpf, log1p, expm1
mp.dps = 1400
truth = log1p(expm1(mpf("0.1")) / 2)
low, high = map(mpf, sys.argv[1].split(",")[2:4])
assert low <= truth <= high and high - low < mpf(10) ** -1300, (low - truth, high - truth)' "${lines[1]}"
}

@test "solve: where nothing fits the figures are said to be of 1, in any command" {
    local question of
    while IFS='|' read -r of question; do
        # shellcheck disable=SC2086 # words
        ask $question --json
        same "status $question" 1 "$status"
        same "answer $question" "[0,\"0\",{\"$of\":\"1\"},false]" \
            "$(jq -c --arg of "$of" '[.guarantee[$of, $of + "_exact"], .guarantee_of, .check.holds]' <<<"$output")"
        # shellcheck disable=SC2086 # words
        ask $question
        [[ ${lines[0]} == "not even $of = 1 fits: $of = 1 already gives ("*')-DP, add-remove adjacency ['* ]]
        [[ ${lines[3]} == *' none' ]]
        # shellcheck disable=SC2086 # words
        ask $question --format statement
        [[ ${lines[0]} == "Not even $of = 1 is within the budget; what follows is of $of = 1. The release satisfies ("*')-differential privacy. '* ]]
    done <<'QUESTIONS'
k|bagging-with -n 60000 --solve k --max-delta 1e-7
N|bagging-poisson --sampling-rate 0.1 --solve N --max-delta 1e-4
times|gaussian --sigma 0.1 --solve times --max-epsilon 0.1 --max-delta 1e-6
times|compose -m 3 --solve times --max-epsilon 1 --max-delta 1e-6
steps|dp-sgd --noise-multiplier 0.5 --sampling-rate 0.1 --solve steps --max-epsilon 0.1 --max-delta 1e-6
queries|pate --aggregator gnmax --sigma 2 --solve queries --max-epsilon 0.01 --max-delta 1e-9
QUESTIONS
    works bagging-with -n 10 --solve k --max-delta 0.5 --json
    same 'of what fits' null "$(jq .guarantee_of <<<"$output")"
}
