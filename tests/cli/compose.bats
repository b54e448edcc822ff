#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

not_a_number="is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)"
optimal="add-remove adjacency [compose-optimal: exact]"

# The mean of one use is 0.1 tanh(1/20), and 1/e of Laplace noise of scale 1, 1/2 of sigma 1.
@test "compose: of very many uses epsilon is their mean, at any number of them" {
    local uses
    for uses in 1e30 1e1000 1e100000; do
        ask compose -m "0.1x$uses" --target-delta 1e-5 --json
        near_mean 0.1*tanh\(mpf\(1\)/20\) "$uses"
        ask compose -m "laplace:scale=1x$uses" --target-delta 1e-5 --json
        near_mean exp\(-1\) "$uses"
        ask compose -m "gaussian:sigma=1x$uses" --target-delta 1e-5 --json
        near_mean mpf\(1\)/2 "$uses"
    done
    run -0 "$DPACCT" compose -m 0.1x1e1000 --max-epsilon 4.9959e997 --max-delta 1e-5 --quiet
    run -1 "$DPACCT" compose -m 0.1x1e1000 --max-epsilon 4.9958e997 --max-delta 1e-5 --quiet
}

near_mean() { # OF-ONE USES: the enclosure of epsilon in $output is about that
    /usr/bin/python3 -c '
import json, sys
from mpmath import mp, mpf, exp, tanh
mp.dps = 30
mean = eval(sys.argv[1]) * mpf(sys.argv[2])
low, high = map(mpf, json.loads(sys.argv[3])["guarantee"]["epsilon_enclosure"])
assert abs(low / mean - 1) < 1e-9 and abs(high / mean - 1) < 1e-9 and low <= high, (low, mean, high)' "$@" "$output"
}

@test "compose: the end point without a target" {
    head_is "(0.3, 0)-DP, $optimal" compose -m 0.1x3
    head_is "(0.3, 0)-DP, $optimal" compose -m 0.1 -m 0.1 -m 0.1
    head_is "(0.6, 0.75)-DP, $optimal" compose -m 0.3,1/2x2
    head_is "(1, 2.999997001e-6)-DP, $optimal" compose -m 1/4,1e-6x3 -m 0.25
    head_is "(0, 0)-DP, $optimal" compose -m 0
    refused 'compose: mechanism 1: after the comma stands delta, below 1 and not 000; was 0.1 meant?' compose -m 0,1
    refused 'compose: mechanism 1: after the comma stands delta, below 1 and not 000; was 1.000x3 or 1000x3 meant?' compose -m 1,000x3
}

@test "compose: epsilon at a target delta, delta at a target epsilon" {
    head_is "(1.687429333, 0.001)-DP, $optimal" compose -m 0.1,1e-5x35 --target-delta 1e-3
    head_is "(0.5, 0.08056885741)-DP, $optimal" compose -m 0.1,1e-5x35 --target-epsilon 0.5
    head_is "(0, 0.9)-DP, $optimal" compose -m 0.3x7 --target-delta 0.9
    head_is "(2.1, 0)-DP, $optimal" compose -m 0.3x7 --target-delta 0
    head_is "(5, 0)-DP, $optimal" compose -m 0.3x7 --target-epsilon 5
    refused "compose: --target-delta, --target-epsilon: exclude each other; give one of them" \
        compose -m 1 --target-delta 1e-5 --target-epsilon 1
}

@test "compose, curve: one mechanism without a list" {
    local list one
    for rest in "" "--target-delta 1e-4" "--max-epsilon 3 --max-delta 1e-4" "--group-size 2 --target-epsilon 1"; do
        # shellcheck disable=SC2086
        list=$("$DPACCT" compose -m 0.1,1e-6x35 $rest) one=$("$DPACCT" compose --epsilon 0.1 --delta 1e-6 --times 35 $rest)
        same "compose $rest" "$list" "$one"
    done
    same curve "$("$DPACCT" curve -m 'ln(3)x4' --epsilon-range 0:4:3)" \
        "$("$DPACCT" curve --epsilon 'ln(3)' --times 4 --epsilon-range 0:4:3)"
    ask compose --epsilon 1/3 --json
    same input '["1/3","0","1",null]' "$(jq -c '.input | [.epsilon, .delta, .times, .mechanisms]' <<<"$output")"
    ask compose -m 1/3 --json
    same input '[null,null,null,1]' "$(jq -c '.input | [.epsilon, .delta, .times, (.mechanisms | length)]' <<<"$output")"
    head_is "(2, 0)-DP, times = 20, $optimal" compose --epsilon 0.1 --solve times --max-epsilon 2
    same uses "$("$DPACCT" compose --solve epsilon --uses 9 --max-epsilon 1)" \
        "$("$DPACCT" compose --solve epsilon --times 9 --max-epsilon 1)"
    refused "compose: --mechanism: excludes --epsilon, --delta and --times; give the list or the one mechanism" \
        compose --epsilon 0.1 -m 0.1
    refused "compose: --mechanism: excludes --epsilon, --delta and --times; give the list or the one mechanism" \
        compose --times 2 -m 0.1
    refused "compose: --epsilon: is missing; --delta and --times are about the mechanism that it describes" \
        compose --delta 1e-6
    refused "compose: --times: is what --solve is to find; leave it out" \
        compose --epsilon 0.1 --times 3 --solve times --max-epsilon 2
    refused "curve: --epsilon: is missing; --delta and --times are about the mechanism that it describes" \
        curve --times 2 --epsilon-range 0:1:2
    echo '{"mechanisms": [{"epsilon": 1}], "times": 2}' >"$BATS_TEST_TMPDIR/ledger.json"
    refused 'compose: times: is of one mechanism: it belongs in "mechanisms"' compose "$BATS_TEST_TMPDIR/ledger.json"
}

@test "compose: below the probability of a leak no epsilon is finite" {
    head_is "(inf, 0.7)-DP, $optimal" compose -m 0.1,0.5x2 --target-delta 0.7
    head_is "(0.2, 0.75)-DP, $optimal" compose -m 0.1,0.5x2 --target-delta 0.75
    head_is "(inf, 0.7499999999999999999999)-DP, $optimal" \
        compose -m 0.1,0.5x2 --target-delta 0.7499999999999999999999 --digits 30
}

@test "compose: epsilons of ln(R) stay exact" {
    ask compose -m 'ln(3)x2' --target-epsilon 'ln(3)' --format csv
    answered 0 "theorem,verdict,epsilon_lower,epsilon_upper,delta_lower,delta_upper
compose-optimal,exact,1.098612288,1.098612289,0.375,0.375
compose-basic,proved,2.197224577,2.197224578,0,0" ''
    ask compose -m 'ln(3)x10' --target-epsilon 'ln(59049)' --format csv --digits 3
    answered 0 "theorem,verdict,epsilon_lower,epsilon_upper,delta_lower,delta_upper
compose-optimal,exact,10.9,11.0,0,0
compose-basic,proved,10.9,11.0,0,0" ''
}

@test "compose: ties of sums are exact" {
    silent 0 compose -m 0.1 -m 0.1 -m 0.1 --max-epsilon 0.3
    silent 0 compose -m 0.1x3 --max-epsilon 3/10
    silent 1 compose -m 0.1x3 --max-epsilon 0.2999999999999999999999999
    silent 0 compose -m 1/3x3 --max-epsilon 1
    silent 1 compose -m 0.3333333333333333333333334x3 --max-epsilon 1
    silent 0 compose -m 'ln(3)x10' --max-epsilon 'ln(59049)'
    silent 0 compose -m 'ln(59049)' --max-epsilon 'ln(59049)'
    silent 1 compose -m 'ln(3)x10' --max-epsilon 'ln(59048.99999999999999999999999999)'
    silent 0 compose -m 'ln(3)x10' --max-epsilon 'ln(59049.00000000000000000000000001)'
    silent 0 compose -m 'ln(3)x10' --max-epsilon 10.98612288668109691396
    silent 1 compose -m 'ln(3)x10' --max-epsilon 10.98612288668109691395
    silent 0 compose -m 'ln(2)' -m 'ln(3)' --max-epsilon 'ln(6)'
    silent 0 compose -m 'ln(4)' -m 'ln(8)x2' --max-epsilon 'ln(256)'
    silent 1 compose -m 'ln(4)' -m 'ln(8)x2' --max-epsilon 'ln(255)'
}

@test "compose: ties of delta are exact" {
    silent 0 compose -m 0.1,0.5x2 --max-epsilon 0.2 --max-delta 0.75
    silent 1 compose -m 0.1,0.5x2 --max-epsilon 0.2 --max-delta 0.74999999999999999999
    silent 0 compose -m 'ln(3)x2' --max-epsilon 'ln(3)' --max-delta 3/8
    silent 1 compose -m 'ln(3)x2' --max-epsilon 'ln(3)' --max-delta 0.37499999999999999999
    silent 0 compose -m 'ln(3)' --max-epsilon 0 --max-delta 1/2
    silent 1 compose -m 'ln(3)' --max-epsilon 0 --max-delta 0.49999999999999999999
    silent 0 compose -m 'ln(3)' --max-delta 0.5
    silent 0 compose -m 5 --max-delta 1
    silent 0 compose -m 0 --max-epsilon 0
}

@test "compose: ties of rational and logarithmic losses together are exact" {
    local tie=(compose -m 'ln(3)' -m 0.1)
    silent 0 "${tie[@]}" --max-epsilon 'ln(2)' --max-delta 0.25
    silent 1 "${tie[@]}" --max-epsilon 'ln(2)' --max-delta 0.24999999999999999999999999999999
    silent 0 "${tie[@]}" --claim 'ln(2),1/4'
    silent 1 "${tie[@]}" --claim 'ln(2),0.24999999999999999999999999999999'
    silent 0 compose -m 'ln(3)' --add 0.1 --max-epsilon 'ln(2)' --max-delta 0.25
    silent 1 compose -m 'ln(3)' --add 0.1 --max-epsilon 'ln(2)' --max-delta 0.2499999999999999999
    silent 0 compose -m 'ln(3),0.1x2' -m 0.01x3 -m 1/70,0.5 --max-epsilon 'ln(5)' --max-delta 0.69625
    # 0.1 four times stays within ln(3/2), five times does not
    head_is "(0.6931471806, 0.25)-DP, times = 4, $optimal" \
        compose -m 'ln(3)' --add 0.1 --solve times --max-epsilon 'ln(2)' --max-delta 0.25
    head_is "(0.6931471806, 0.25)-DP, use_epsilon = 0.4054651081, $optimal" \
        compose -m 'ln(3)' --solve epsilon --uses 1 --max-epsilon 'ln(2)' --max-delta 0.25
    head_is "(0.6931471806, 0.25)-DP, $optimal" "${tie[@]}" --target-epsilon 'ln(2)'
}

@test "compose: a check uses the whole curve, and the target where a threshold is left out" {
    # neither end point meets it, the curve between them does
    silent 0 compose -m 0.1x100 --max-epsilon 5 --max-delta 2.8e-7
    silent 1 compose -m 0.1x100 --max-epsilon 5 --max-delta 2.7e-7
    ask compose -m 0.1x100 --target-epsilon 5 --max-delta 2.8e-7
    same status 0 "$status"
    same stderr '' "$stderr"
    same line 'check: (5, 2.8e-7)-DP holds' "${lines[1]}"
    ask compose -m 0.1x100 --target-delta 1e-6 --max-epsilon 5
    same status 0 "$status"
    same line 'check: (5, 1e-6)-DP holds' "${lines[1]}"
    silent 1 compose -m 0.1x100 --target-delta 2.7e-7 --max-epsilon 5
    # a loose method does not change the answer
    silent 0 compose -m 0.1x100 --method basic --max-epsilon 5 --max-delta 2.8e-7
}

@test "compose: out-of-range values of every option" {
    for text in 2 -1e-9 1.00000000000000000001 'ln(2)'; do
        for o in target-delta max-delta; do
            refused "compose: --$o: '$text' must be a number from 0 to 1, such as 1e-5" \
                compose -m 1 --$o "$text"
        done
    done
    for text in 0 1 -0.1 1.5 'ln(2)'; do
        refused "compose: --slack: '$text' must be a number above 0 and below 1, such as 1e-6" \
            compose -m 1 --slack "$text"
    done
    for o in target-epsilon max-epsilon; do
        ask compose -m 1 --$o -1
        same status 2 "$status"
        same stdout '' "$output"
        [[ $stderr == "dpacct: compose: --$o: '-1' must "* ]]
        refused "compose: --$o: 'x' $not_a_number" compose -m 1 --$o x
    done
    for o in target-delta max-delta slack; do
        refused "compose: --$o: 'x' $not_a_number" compose -m 1 --$o x
    done
    refused "compose: --adjacency: 'swap' is not one of add-remove|replace-one; did you mean replace-one?" \
        compose -m 1 --adjacency swap
    ask compose -m 1 --method best
    same status 2 "$status"
    same stdout '' "$output"
    [[ $stderr == "dpacct: compose: --method: 'best' is not one of optimal|basic|advanced|kov"* ]]
}

@test "compose: nothing to compose" {
    refused "compose: --mechanism: is missing; give at least one mechanism" compose
    refused "compose: --mechanism: is missing; give at least one mechanism" compose --target-delta 0.1
}

@test "compose --method: the named theorem decides, basic beside it" {
    head_is '(0.3, 0)-DP, add-remove adjacency [compose-basic: proved]' compose -m 0.1x3 --method basic
    ask compose -m 0.05,1e-9x400 --method kov --target-delta 1e-5 --format csv --digits 5
    same status 0 "$status"
    same stderr '' "$stderr"
    grep -q '^compose-kov-log,proved,5.3069,5.3070,1e-5,1e-5' <<<"$output"
    grep -q '^compose-kov-hoeffding,proved,5.3069,5.3070,1e-5,1e-5' <<<"$output"
    [[ ${lines[1]} == compose-kov-hoeffding,* ]]
    head_is '(0.1, 0)-DP, replace-one adjacency [compose-basic: proved]' \
        compose -m 0.1 --method advanced --adjacency replace-one
    refused "compose: --method: gives no guarantee for this target: it needs a slack between 0 and 1 beyond the deltas of the mechanisms" \
        compose -m 0.1,0.1x2 --method advanced --target-delta 0.1
    local missing='compose: --target-delta: is missing: what is known of this list by curves alone gives no epsilon without a delta; give target_delta or target_epsilon'
    refused "$missing" compose -m zcdp:rho=0.1
    refused "$missing" compose -m gaussian:sigma=2x3 --method rdp
    refused "compose: --method: gives no guarantee for this list and target: optimal needs a pair of every mechanism, zcdp and rdp a curve and a target; the others are about lists of (epsilon, delta) alone" \
        compose -m zcdp:rho=0.1 --method kov
}

@test "compose --all: strongest first, the optimum never behind another, unsound rows last and marked" {
    ask compose -m 0.05,1e-9x400 --target-delta 1e-5 --all --format csv
    same status 0 "$status"
    [[ ${lines[1]} == compose-optimal,exact,* ]]
    printf '%s\n' "$output" | awk -F, 'NR > 1 {
        if ($2 == "unsound") unsound = 1
        else { if (unsound || $4 + 0 < last) exit 1; last = $4 + 0 }
    }'
}

@test "compose: the answer is for the target where the sum prints the same" {
    head_is "(6, 1e-60)-DP, $optimal" compose -m 0.1x50 -m 0.2 --target-delta 1e-60 --digits 1
}

@test "compose --claim: proved is 0, refuted is 1 and explained" {
    ask compose -m 0.1x3 --claim 0.3
    same status 0 "$status"
    same stderr '' "$stderr"
    same line 'claim: (0.3, 0)-DP proved' "${lines[1]}"
    ask compose -m 0.1x3 --claim 0.29999999999999999999
    same status 1 "$status"
    same stderr '' "$stderr"
    same line 'claim: (0.29999999999999999999, 0)-DP refuted' "${lines[1]}"
    [[ $(notes) == *"note: refuted by "* ]]
    silent 0 compose -m 'ln(3)x2' --claim 'ln(3),3/8'
    silent 1 compose -m 'ln(3)x2' --claim 'ln(3),0.37499999999999999999'
    refused "compose: --claim: 'x' $not_a_number" compose -m 1 --claim x
    refused "compose: --claim: '' is empty; give a number such as 0.1, 1e-5, 1/3, 2^-40 or ln(3)" \
        compose -m 1 --claim 1,
    refused 'compose: --claim: after the comma stands delta, below 1; was 1.2 meant?' compose -m 1 --claim 1,2
    for other in --add --solve --max-epsilon --max-delta; do
        value=1
        [ $other = --solve ] && value=times
        refused "compose: --claim, $other: exclude each other; give one of them" \
            compose -m 1 --claim 1 $other $value
    done
}

@test "compose --add: does one more use fit, and how many" {
    ask compose -m 0.1x2 --add 0.1 --max-epsilon 0.3 --format csv
    answered 0 "theorem,verdict,epsilon_lower,epsilon_upper,delta_lower,delta_upper
compose-optimal,exact,0.3,0.3,0,0" ''
    silent 0 compose -m 0.1x2 --add 0.1 --max-epsilon 0.3
    silent 1 compose -m 0.1x2 --add 0.1 --max-epsilon 0.29999999999999999999
    refused "compose: --max-epsilon: is missing; give the budget to stay within" compose -m 1 --add 1
    refused "compose: --solve: and --add take a budget, --max-epsilon and --max-delta, not a target" \
        compose -m 1 --add 1 --target-delta 0.1 --max-epsilon 2
}

@test "compose --add: any list; what was spent, how many fit, and the largest pure release" {
    ask compose -m 0.1x20 --add 0.2 --max-epsilon 2 --max-delta 1e-6
    same status 0 "$status"
    [[ $output == *"
spent before:  epsilon = 1.788609118 at delta = 1e-6; delta = 0 at epsilon = 2
it fits:       1 time
what is left:  one pure release of epsilon = 0.2283651446; 0.2283651447 is proved not to fit" ]]
    silent 0 compose -m 0.1x20 --add 0.2283651446 --max-epsilon 2 --max-delta 1e-6
    silent 1 compose -m 0.1x20 --add 0.2283651447 --max-epsilon 2 --max-delta 1e-6
    works compose -m 0.1x20 --add 0.1x2 --add 0.2 --add gaussian:sigma=30,sensitivity=1x2 --max-epsilon 3 --max-delta 1e-6 --json
    local times
    times=$(jq .remaining.times <<<"$output")
    same add '[["0.1","2"],["0.2","1"],["30","2"]]' "$(jq -c '[.input.add[] | [.epsilon // .sigma, .times]]' <<<"$output")"
    works compose -m 0.1x20 --add 0.3x2 --max-epsilon 3 --max-delta 1e-6 --json
    same keys 'times times_exact spent_epsilon spent_delta epsilon epsilon_exact spent_epsilon_enclosure spent_delta_enclosure next next_fits' \
        "$(jq -r '.remaining | keys_unsorted | join(" ")' <<<"$output")"
    same again "$output" "$(jq -c '.input + {command: "compose"}' <<<"$output" | "$DPACCT" batch)"
    same 'pair of one use more' "$(jq -c '[.guarantee.delta, .guarantee.times]' <<<"$output")" \
        "$("$DPACCT" compose -m 0.1x20 -m 0.3x2 --target-epsilon 3 --json | jq -c '[.guarantee.delta, null]')"
    # so many of them fit, and one more does not
    times=$(jq .remaining.times <<<"$output")
    silent 0 compose -m 0.1x20 -m "0.3x$((2 * times))" --max-epsilon 3 --max-delta 1e-6
    silent 1 compose -m 0.1x20 -m "0.3x$((2 * times + 2))" --max-epsilon 3 --max-delta 1e-6
    ask compose -m 0.1x11 --add 0.2 --max-epsilon 1 --json
    same status 1 "$status"
    same nothing '[true,null]' "$(jq -c '[.remaining.nothing, .remaining.epsilon]' <<<"$output")"
    # a tie is exact: the budget is used up by 0.1
    works compose -m 0.1x9 --add 0.1 --max-epsilon 1 --json
    same tie '["0.1","0.1000000001",false]' "$(jq -c '.remaining | [.epsilon_exact, .next, .next_fits]' <<<"$output")"
    same 'no addition' null "$("$DPACCT" compose -m 0.1 --max-epsilon 1 --json | jq .remaining)"
    refused 'compose: mechanism 2: epsilon '"'5%'"' is a percentage; write 0.05' compose -m 1 --add 5% --max-epsilon 2
}

@test "compose --solve times: the largest number, ties included, and one more fails" {
    times() { "$DPACCT" compose "$@" --json | json_field "d['guarantee']['times']"; }
    same times 10 "$(times -m 0.3 --add 0.1 --solve times --max-epsilon 1.3)"
    same times 9 "$(times -m 0.3 --add 0.1 --solve times --max-epsilon 1.29999999999999999)"
    n=$(times -m 0.1x20 --add 0.1 --solve times --max-epsilon 3 --max-delta 1e-6)
    silent 0 compose -m 0.1x20 -m "0.1x$n" --max-epsilon 3 --max-delta 1e-6
    silent 1 compose -m 0.1x20 -m "0.1x$((n + 1))" --max-epsilon 3 --max-delta 1e-6
    refused "compose: --add: is missing; name the mechanism whose uses are to be counted" \
        compose -m 0.1 -m 0.2 --solve times --max-epsilon 1
    refused "compose: --max-epsilon: is missing; give the budget to stay within" \
        compose -m 0.1 --solve times
}

@test "compose --solve times: of the only mechanism in all, of --add beside the list" {
    ask compose -m 0.1x3 --add 0.1 --solve times --max-epsilon 1 --json
    same times 7 "$(json_field "d['guarantee']['times']" <<<"$output")"
    ask compose -m 0.1x3 --solve times --max-epsilon 1 --json
    same times 10 "$(json_field "d['guarantee']['times']" <<<"$output")"
}

@test "compose --solve times: a large budget is solved exactly, not cut off" {
    ask compose -m 0.1 --solve times --max-epsilon 10^2000 --json
    same status 0 "$status"
    same stderr '' "$stderr"
    same times 1e2001 "$(json_field "d['guarantee']['times_exact']" <<<"$output")"
}

@test "compose --solve times: the pair shown holds for the number shown" {
    # any number of uses is (3, 1)-DP, and not (3, 0)-DP
    ask compose -m 0.1x20 --solve times --max-epsilon 3 --max-delta 1 --json
    same status 0 "$status"
    same times Infinity "$(json_field "d['guarantee']['times']" <<<"$output")"
    same delta 1 "$(json_field "d['guarantee']['delta']" <<<"$output")"
}

@test "compose --solve epsilon: the decimal shown fits the budget, the next does not" {
    ask compose --solve epsilon --uses 100 --max-epsilon 1 --max-delta 1e-6 --json --digits 20
    same status 0 "$status"
    same stderr '' "$stderr"
    local use=$(json_field "d['guarantee']['use_epsilon_exact']" <<<"$output")
    silent 0 compose -m "${use}x100" --max-epsilon 1 --max-delta 1e-6
    silent 1 compose -m "$(/usr/bin/python3 -c "
from decimal import Decimal; x = Decimal('$use'); print(x.next_plus(__import__('decimal').Context(prec=20)))")x100" \
        --max-epsilon 1 --max-delta 1e-6
    ask compose --solve epsilon --uses 3 --max-epsilon 1 --json
    same use 0.3333333333 "$(json_field "d['guarantee']['use_epsilon_exact']" <<<"$output")"
    refused "compose: --uses: is missing; say how many uses are to share the budget" \
        compose --solve epsilon --max-epsilon 1
    refused "compose: --uses: is only for --solve epsilon, sigma and scale" compose -m 1 --uses 3
    refused "compose: --use-delta: is only for --solve epsilon" compose -m 1 --use-delta 0.1
    refused "compose: --add: is not for --solve epsilon, sigma or scale, which find the next release; give --uses" \
        compose -m 1 --add 1 --solve epsilon --uses 3 --max-epsilon 1
}

@test "compose --solve sigma and scale: the least noise of the next releases, beside what is spent" {
    local spent solved uses value below type
    while read -r uses solved spent; do
        # shellcheck disable=SC2086
        works compose $spent --solve "$solved" --uses "$uses" --max-epsilon 1 --max-delta 1e-6 --json
        value=$(json_field "d['guarantee']['${solved}_exact']" <<<"$output")
        below=$(/usr/bin/python3 -c "from decimal import *; print(Decimal('$value').next_minus(Context(prec=10)))")
        type=gaussian
        [ "$solved" = sigma ] || type=laplace
        # shellcheck disable=SC2086
        silent 0 compose $spent -m "$type:$solved=${value}x$uses" --max-epsilon 1 --max-delta 1e-6 &&
            silent 1 compose $spent -m "$type:$solved=${below}x$uses" --max-epsilon 1 --max-delta 1e-6 || return 1
    done <<'LIST'
1 sigma -m 0.1x5
10 sigma -m gaussian:sigma=8x3 -m 0.05x4
3 sigma -m 0.3,1e-7 -m laplace:scale=9
2 scale -m 0.1,1e-8x5
4 scale -m gaussian:sigma=9 -m randomized-response:epsilon=0.2
LIST
    # alone it is what the command of the noise finds
    same alone "$("$DPACCT" gaussian --solve sigma --times 7 --max-epsilon 1 --max-delta 1e-6 | head -n 2)" \
        "$("$DPACCT" compose --solve sigma --uses 7 --max-epsilon 1 --max-delta 1e-6 | head -n 2)"
    head_is '(1, 0)-DP, scale = 2, add-remove adjacency [compose-pairs: exact]' compose -m 0.1x5 --solve scale --max-epsilon 1
    # the budget of a ledger is that of the question
    head_is '(5.1, 1.000000000e-5)-DP, sigma = 8.990393637, replace-one adjacency [compose-pairs: exact]' \
        compose "$DPACCT_SOURCE/examples/ledger/tuning.json" --solve sigma
    ask compose -m 0.1x50 --solve sigma --max-epsilon 1 --max-delta 1e-6
    answered 1 'check: (1, 1e-6)-DP does not hold

note: nothing is left: what is spent already is beyond the budget, whatever the
      noise of the next release' ''
    ask compose -m 0.1x5 --solve sigma --max-epsilon 1
    same status 1 "$status"
    # a bound says what keeps the budget, and not what does not
    ask compose -m zcdp:rho=0.01 --solve sigma --max-epsilon 1 --max-delta 1e-5
    same status 0 "$status"
    [[ $(notes) == *'within the limits it is not known whether less would'* ]]
    refused "compose: --solve: and --add take a budget, --max-epsilon and --max-delta, not a target" \
        compose -m 0.1 --solve sigma --target-delta 1e-6
    refused "compose: --max-epsilon: is missing; give the budget to stay within" compose -m 0.1 --solve sigma
    refused "compose: --use-delta: is only for --solve epsilon" compose -m 1 --solve sigma --use-delta 0.1
}

@test "compose --solve epsilon: a large budget is no limit" {
    ask compose --solve epsilon --uses 3 --max-epsilon 3e2000 --json
    same status 0 "$status"
    same use 1e2000 "$(json_field "d['guarantee']['use_epsilon_exact']" <<<"$output")"
}

@test "compose --solve slack" {
    refused "compose: --solve: slack needs a --method that has one, such as kov" compose -m 1 --solve slack
    refused "compose: --solve: slack needs --target-delta or --target-epsilon" \
        compose -m 1 --solve slack --method kov
    ask compose -m 0.05,1e-6x400 --method kov --solve slack --target-delta 1e-3 --json --digits 6
    same status 0 "$status"
    same slack "['6.00319e-4', '6.00320e-4']" "$(json_field \
        "[r for r in d['results'] if r['theorem'] == 'compose-kov-log'][0]['slack_enclosure']" <<<"$output")"
}

@test "compose: limits of time and memory end with status 3 or a wider enclosure, never a guess" {
    ask compose -m 0.1x1000000 --target-delta 1e-5 --max-memory 1000
    answered 3 '' 'dpacct: compose: out of memory: the memory limit was met; raise --max-memory'
    local list=$BATS_TEST_TMPDIR/list.json
    /usr/bin/python3 -c '
print("{\"mechanisms\": [" + ", ".join("{\"epsilon\": \"0.%d\"}" % (100000 + i) for i in range(20000)) + "]}")' >"$list"
    ask compose "$list" --max-epsilon 186.6215340 --max-delta 1e-5 --max-time 0.01 -q
    [ "$status" -eq 3 ]
    same stdout '' "$output"
    refused "compose: --max-time: '0' must be a number above 0, such as 2.5" compose -m 1 --max-time 0
    refused "compose: --max-memory: '0' must be a positive integer, such as 60000 or 10^9" \
        compose -m 1 --max-memory 0
    refused "compose: --max-memory: '1.5' must be a positive integer, such as 60000 or 10^9" \
        compose -m 1 --max-memory 1.5
}

@test "curve: exact points, one row each" {
    ask curve -m 'ln(3)x2' --epsilon-range 0:4:3 --format csv
    answered 0 "theorem,verdict,epsilon_lower,epsilon_upper,delta_lower,delta_upper
compose-optimal,exact,0,0,0.5,0.5
compose-optimal,exact,2,2,0.1006839938,0.1006839939
compose-optimal,exact,4,4,0,0" ''
    ask curve -m 0.1x10 --epsilon-range 0.7:0.7:1 --format csv --digits 3
    same status 0 "$status"
    same lines 2 "${#lines[@]}"
    ask curve -m 0.1,1e-9x100 --delta-range 1e-10:1e-4:3 --format csv --digits 4
    same status 0 "$status"
    [[ ${lines[1]} == compose-optimal,exact,inf,inf,1e-10,1e-10 ]]
    [[ ${lines[3]} == compose-optimal,exact,3.*,1e-4,1e-4 ]]
}

@test "curve: ranges are checked" {
    local r
    refused "curve: --epsilon-range, --delta-range: one of them is needed" curve -m 1
    refused "curve: --epsilon-range, --delta-range: exclude each other; give one of them" \
        curve -m 1 --epsilon-range 0:1:2 --delta-range 0.1:1:2
    refused "curve: --mechanism: is missing; give at least one mechanism" curve --epsilon-range 0:1:2
    for r in 1 0:1 x; do
        refused "curve: --epsilon-range: '$r' must be written A:B:N, such as 0:5:11" \
            curve -m 1 --epsilon-range "$r"
    done
    refused "curve: --epsilon-range: 'x' $not_a_number" curve -m 1 --epsilon-range x:1:2
    refused "curve: --epsilon-range: '2:3' $not_a_number" curve -m 1 --epsilon-range 0:1:2:3
    refused "curve: --epsilon-range: 'ln(2)' must be a plain number" curve -m 1 --epsilon-range 'ln(2):1:2'
    refused "curve: --epsilon-range: '0' must be a positive integer, such as 60000 or 10^9" \
        curve -m 1 --epsilon-range 0:1:0
    refused "curve: --epsilon-range: must not be negative" curve -m 1 --epsilon-range 0:-1:2
    refused "curve: --epsilon-range: asks for more than 10,000 points" curve -m 1 --epsilon-range 0:1:10001
    refused "curve: --epsilon-range: asks for more than 10,000 points" curve -m 1 --epsilon-range 0:1:10^40
    refused "curve: --delta-range: must run between numbers above 0 and at most 1" \
        curve -m 1 --delta-range 0:1:2
    refused "curve: --delta-range: must run between numbers above 0 and at most 1" \
        curve -m 1 --delta-range 0.1:2:2
}

@test "a count of a million digits does not outlast the time" {
    run -0 --separate-stderr timeout 20 "$DPACCT" compose -m 0.1x1e1000000 --target-delta 0.1 --max-time 2
    [[ $output == "(4.995837"* ]]
    run -0 --separate-stderr timeout 20 "$DPACCT" compose -m "dp-sgd:noise_multiplier=1,sampling_rate=0.01,steps=1x1e1000000" -m 1 --target-epsilon 1 --max-time 2
    [[ $stderr == *"limit was met"* ]]
}

@test "compose: what was not asked is said with the figure of a usual delta" {
    has_note() { # NOTE WORD...
        local note=$1
        shift
        ask "$@"
        same note "note: $note" "$(notes | tail -1)"
    }
    has_note 'the end point is a sum, and no optimum at a larger delta: at delta = 1e-6 epsilon is 2.559; ask with target-delta' \
        compose -m 0.1x35
    has_note 'the end point is a sum, and no optimum at a larger delta: at delta = 1e-4 epsilon is 2.062; ask with target-delta' \
        compose -m 0.1,1e-6x35
    has_note 'at delta = 1e-6 epsilon is 10.07; ask with target-delta' \
        compose -m 0.1x350 --max-epsilon 4 --max-delta 1e-6
    has_note 'the end point is a sum, and no optimum at a larger delta; ask with target-delta' \
        compose -m 0.1x35 --method basic
    has_note 'max-delta is not given and means 0; at delta = 1e-6 epsilon is 2.559' compose -m 0.1x35 --max-epsilon 3
    # of the question as it was asked: how much fits, with what is added, which noise
    has_note 'max-delta is not given and means 0; with max-delta = 1e-6 times is 46' compose -m 0.1x350 --max-epsilon 3 --solve times
    has_note 'max-delta is not given and means 0; with max-delta = 1e-6 times is 8' \
        compose -m 0.1x20 --max-epsilon 3 --add 0.2 --solve times
    has_note "max-delta is not given and means 0; $("$DPACCT" compose -m 0.1x20 -m 0.2x3 --max-epsilon 3 | sed -n 's/.*; at/at/p')" \
        compose -m 0.1x20 --max-epsilon 3 --add 0.2x3
    has_note 'max-delta is not given and means 0; with max-delta = 1e-6 sigma is 6.6' compose -m 0.1x5 --solve sigma --max-epsilon 1
    has_note 'max-delta is not given and means 0; with max-delta = 1e-6 sigma is 4.225' gaussian --solve sigma --max-epsilon 1
    has_note 'max-delta is not given and means 0; at delta = 1e-6 epsilon is 2.142' convert --zcdp 0.1 --max-epsilon 1
    has_note 'max-epsilon is not given and means 0; at delta = 1/1000 epsilon is 1.631' compose -m 0.1x35 --max-delta 1/1000
    ask compose -m 0.1
    same 'one use has none' '' "$(notes)"
}

@test "compose: groups of records" {
    head_is "(1, 0.4621171573)-DP, add-remove adjacency [compose-pairs: exact]" \
        compose -m 1 --group-size 2 --target-epsilon 1
    head_is "(1, 0.375)-DP, $optimal" compose -m 1,0.375 --group-size 1
    same "size 1" "$("$DPACCT" compose -m 0.1,1e-6x3 --target-delta 1e-5)" \
        "$("$DPACCT" compose -m 0.1,1e-6x3 --target-delta 1e-5 --group-size 1)"
    refused "compose: pair: has no theorem for groups of records with these parameters; give what is \
known of it for groups as a mechanism, without a group size" \
        compose -m pair:p=1/2,1/2,q=1/3,2/3 --group-size 2
    refused "compose: bagging: has no theorem for groups of records here: its items are about one record" \
        compose -m bagging-with:n=100,k=2 --group-size 2
    refused "compose: --group-size: is for the mechanisms of the list; --add, and --solve epsilon, sigma and scale ask about one that is not \
in it" compose -m 1 --group-size 2 --add 1 --max-epsilon 3
}

@test "compose: where parameters depend on earlier outputs only the filter answers" {
    filter="(2.450788001, 1e-6)-DP, slack = 1e-6, add-remove adjacency [compose-filter: proved]"
    head_is "$filter" compose -m 0.1x20 --adaptive parameters --target-delta 1e-6
    head_is "$filter" compose -m 0.1x20 --adaptive parameters --target-delta 1e-6 --all
    silent 0 compose -m 0.1x20 --adaptive parameters --max-epsilon 2.4508 --max-delta 1e-6
    silent 3 compose -m 0.1x20 --adaptive parameters --max-epsilon 2 --max-delta 1e-6
    method="compose: --method: must be filter where parameters depend on earlier outputs: the other theorems are about \
parameters fixed in advance (see theorem filter-optimal); the command filter has sharper filters"
    refused "$method" compose -m 0.1x20 --adaptive parameters --method optimal --target-delta 1e-6
    refused "compose: --adaptive: is not covered for mechanisms of other types or for groups: the filter is about \
(epsilon, delta) alone" compose -m gaussian:sigma=3 --adaptive parameters --target-delta 1e-6
    refused "compose: --adaptive: excludes claim, add and solve, which the optimum decides; ask with a budget" \
        compose -m 0.1 --adaptive parameters --claim 1,0.1
    ledger=$BATS_TEST_TMPDIR/adaptive.json
    echo '{"adaptive": "parameters", "target_delta": "1e-6", "mechanisms": [{"epsilon": 0.1, "times": 20}]}' > "$ledger"
    head_is "$filter" compose "$ledger"
    refused "$method" compose --method kov "$ledger"
    refused "curve: adaptive: is not known to 'curve', whose figures would be about another list" \
        curve --epsilon-range 0:1:2 "$ledger"
}

@test "compose: without leaks the published deltas are the slack, exactly" {
    for given in --slack --target-delta; do
        works compose -m 0.1x100 "$given" 1e-18 --all --digits 3 --json
        same deltas 1e-18 "$(jq -r '[.results[] | select(.verdict == "unsound" and
            .theorem != "he2021-corollary-2").delta_enclosure[]] | unique | join(" ")' <<<"$output")"
    done
}

@test "a largest loss that has no closed number ends a list all the same" {
    ask compose -m sampled-laplace:scale=0.5,sampling-rate=0.1x3 --target-delta 0
    same status 0 "$status"
    same first '(1.482086125, 0)-DP, add-remove adjacency [compose-pairs: exact]' "${lines[0]}"
    ask compose -m sampled-laplace:scale=0.5,sampling-rate=0.1x3
    same first '(1.482086125, 0)-DP, add-remove adjacency [compose-pairs: exact]' "${lines[0]}"
    for times in '' x3; do
        ask compose -m "sampled-laplace:scale=0.5,sampling-rate=0.1$times" --max-epsilon 4 --max-delta 0 -q
        same status 0 "$status"
        ask compose -m "sampled-laplace:scale=0.5,sampling-rate=0.1$times" --max-epsilon 0.49 --max-delta 0 -q
        same status 1 "$status"
    done
    ask compose -m 1,1e-5 -m sampled-laplace:scale=2,sampling-rate=0.5 --target-delta 1e-5 --max-epsilon 5 --max-delta 1e-5
    same status 0 "$status"
    same first '(1.280929804, 1e-5)-DP, add-remove adjacency [compose-pairs: exact]' "${lines[0]}"
}
