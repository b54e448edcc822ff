#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What holds for every option of every command; the lists are read from the help.
load helper
set +T # without the line of a failure, which names its question, and in a fifth of the time

# A value of the option's kind: the first that is not refused for what it is.
value_for() { # COMMAND NAME CHOICES
    local try
    echo '[1, 1]' >"$BATS_TEST_TMPDIR/list.json"
    echo '[[1, 1]]' >"$BATS_TEST_TMPDIR/lists.json"
    for try in "${3%%|*}" 1 0.5 2 0:1:2 2026-01-31 "$BATS_TEST_TMPDIR/list.json" "$BATS_TEST_TMPDIR/lists.json"; do
        ask "$1" "--$2" "$try" --no-such-option
        [[ $stderr == *"--no-such-option: unknown option"* ]] && { echo "$try"; return; }
    done
    echo "no value found for $1 --$2" >&2
    return 1
}

@test "every command has options, and each takes --help" {
    for c in $(all_commands); do
        options_of "$c" | grep -q '^help h - -$'
    done
    options_of bagging-with | grep -qx 'dataset-size n SIZE -'
    options_of bagging-with | grep -qx 'solve - PARAMETER k|N'
    options_of bagging-with | grep -qx 'all - - -'
}

@test "option names and letters are unique within a command" {
    for c in $(all_commands); do
        same "names of $c" '' "$(options_of "$c" | cut -d' ' -f1 | sort | uniq -d)"
        same "letters of $c" '' "$(options_of "$c" | cut -d' ' -f2 | grep -v -- - | sort | uniq -d)"
    done
}

@test "an option that needs a value says so at the end of the line, long and short" {
    for c in $(all_commands); do
        while read -r name letter metavar _; do
            [ "$metavar" = - ] && continue
            refused "$c: --$name: needs a value: --$name $metavar" "$c" "--$name"
            [ "$letter" = - ] || refused "$c: --$name: needs a value: --$name $metavar" "$c" "-$letter"
        done < <(options_of "$c")
    done
}

@test "a flag takes no value" {
    for c in $(all_commands); do
        while read -r name _ metavar _; do
            [ "$metavar" = - ] && [ "$name" != help ] || continue
            refused "$c: --$name: takes no value" "$c" "--$name=1"
            refused "$c: --$name: takes no value" "$c" "--$name="
        done < <(options_of "$c")
    done
}

@test "an option given twice is refused, in any spelling; a flag and what is repeatable are not" {
    local repeatable
    for c in $(all_commands); do
        repeatable=$(option_lines "$c" | sed -n 's/.*--\([a-z-]*\) .*; repeatable$/ \1 /p')
        while read -r name letter metavar choices; do
            [ "$metavar" = - ] || [[ $repeatable == *" $name "* ]] && continue
            v=$(value_for "$c" "$name" "$choices")
            refused "$c: --$name: is given twice; give it once" "$c" "--$name" "$v" "--$name" "$v"
            refused "$c: --$name: is given twice; give it once" "$c" "--$name=$v" "--$name" "$v"
            [ "$letter" = - ] ||
                refused "$c: --$name: is given twice; give it once" "$c" "-$letter" "$v" "--$name=$v"
        done < <(options_of "$c")
    done
    silent 0 compose -m 1 --max-epsilon 1 --json --json -qqq
    head_is '(0.3, 0)-DP, add-remove adjacency [compose-optimal: exact]' compose -m 0.1 -m 0.2
}

@test "an empty value is refused for every option" {
    for c in $(all_commands); do
        while read -r name _ metavar _; do
            [ "$metavar" = - ] && continue
            ask "$c" "--$name="
            same "status of $c --$name=" 2 "$status"
            same stdout '' "$output"
            [[ $stderr == "dpacct: $c: "*"''"* ]]
        done < <(options_of "$c")
    done
}

@test "a misspelt option is refused with the nearest name" {
    for c in $(all_commands); do
        while read -r name _; do
            [ "${#name}" -ge 5 ] || continue
            wrong=${name:0:1}${name:2:1}${name:1:1}${name:3}
            [ "$wrong" = "$name" ] && continue
            refused "$c: --$wrong: unknown option; did you mean --$name?" "$c" "--$wrong" 1
            refused "$c: --$wrong: unknown option; did you mean --$name?" "$c" "--$wrong=1"
        done < <(options_of "$c")
    done
}

@test "an abbreviated option is refused, even where it is unique" {
    for c in $(all_commands); do
        while read -r name _; do
            short=${name%?}
            options_of "$c" | grep -q "^$short " && continue
            ask "$c" "--$short"
            same "status of $c --$short" 2 "$status"
            same stdout '' "$output"
            [[ $stderr == "dpacct: $c: --$short: unknown option; "* ]]
        done < <(options_of "$c")
    done
    refused "bagging-with: --dataset: unknown option; did you mean --dataset-size?" \
        bagging-with --dataset 10 -k 3
}

@test "names are not case-folded, and dashes are not underscores on the command line" {
    refused "kl-bound: --Epsilon: unknown option; did you mean --epsilon?" kl-bound --Epsilon 1
    refused "bagging-with: --dataset_size: unknown option; did you mean --dataset-size?" \
        bagging-with --dataset_size 10 -k 1
}

@test "far-off names get no suggestion; letters neither" {
    refused "kl-bound: --zzzzzzzz: unknown option; see 'dpacct kl-bound --help'" kl-bound --zzzzzzzz
    refused "kl-bound: -z: unknown option; see 'dpacct kl-bound --help'" kl-bound -z 3
    refused 'kl-bound: -\x01: unknown option; see '"'dpacct kl-bound --help'" kl-bound $'-\x01'
    refused "kl-bound: -é: unknown option; see 'dpacct kl-bound --help'" kl-bound $'-\xc3\xa9'
}

@test "a long name is cut in the message" {
    local long
    long=$(printf 'n%.0s' {1..3000})
    refused "kl-bound: --${long:0:60}: unknown option; see 'dpacct kl-bound --help'" kl-bound "--$long"
    refused "kl-bound: ${long:0:60}: unexpected argument; 'kl-bound' takes only options" kl-bound "$long"
}

@test "options stand anywhere, as --name value, --name=value, -n value or -nvalue" {
    local wanted='(0, 0.271)-DP, add-remove adjacency [bagging-with-exact: exact]'
    head_is "$wanted" bagging-with -n 10 -k 3
    head_is "$wanted" bagging-with -n10 -k3
    head_is "$wanted" bagging-with --dataset-size 10 --subsample-size 3
    head_is "$wanted" bagging-with --subsample-size=3 --dataset-size=10
    head_is "$wanted" bagging-with -k3 --dataset-size=10 --models 1
    local ledger=$BATS_TEST_TMPDIR/ledger.json
    echo '{"mechanisms": [{"epsilon": "0.1"}]}' >"$ledger"
    head_is '(0.2, 0)-DP, add-remove adjacency [compose-optimal: exact]' compose "$ledger" -m 0.1
    head_is '(0.2, 0)-DP, add-remove adjacency [compose-optimal: exact]' compose -m 0.1 "$ledger"
}

@test "letters may be bundled, the last with its value" {
    silent 0 bagging-with -qn10 -k3 --max-delta 1
    silent 0 bagging-with -qk3 -qn 10 --max-delta 1
    refused "bagging-with: --subsample-size: '3q' has something behind its last digit; write 3" \
        bagging-with -n10 -k3q
    refused "bagging-with: --subsample-size: '=3' begins with a sign that no number has; write 3" \
        bagging-with -n10 -k=3
    refused "bagging-with: -x: unknown option; see 'dpacct bagging-with --help'" bagging-with -qxn10
}

@test "the word after an option is its value, whatever it looks like" {
    refused "bagging-with: --dataset-size: '-k' is an option where a number belongs; give the number before it" \
        bagging-with -n -k 3
    refused "bagging-with: --dataset-size: '--' is an option where a number belongs; give the number before it" \
        bagging-with -n -- -k 3
}

@test "negative values reach the range check" {
    refused "bagging-with: --dataset-size: '-5' must be a positive integer, such as 60000 or 10^9" \
        bagging-with -n -5 -k 3
    refused "bagging-with: --subsample-size: '-3' must be a positive integer, such as 60000 or 10^9" \
        bagging-with -n 5 -k-3
    refused "bagging-with: --max-delta: '-1' must be a number from 0 to 1, such as 1e-5" \
        bagging-with -n 5 -k 3 --max-delta -1
    refused "bagging-with: --max-delta: '-1e-9' must be a number from 0 to 1, such as 1e-5" \
        bagging-with -n 5 -k 3 --max-delta=-1e-9
    ask kl-bound --epsilon -0.5
    same status 2 "$status"
    [[ $stderr == "dpacct: kl-bound: --epsilon: '-0.5' must "* ]]
}

@test "-- ends the options" {
    ask bagging-with -q -n 10 -k 3 --max-delta 1 --
    answered 0 '' ''
    refused "bagging-with: -q: unexpected argument; 'bagging-with' takes only options" \
        bagging-with -n 10 -k 3 -- -q
    refused "compose: --json: cannot be read: No such file or directory" compose -m 1 -- --json
    refused "compose: --: cannot be read: No such file or directory" compose -m 1 -- --
}

@test "surplus arguments are refused" {
    refused "bagging-with: 7: unexpected argument; 'bagging-with' takes only options" \
        bagging-with -n 10 -k 3 7
    refused "bagging-with: -: unexpected argument; 'bagging-with' takes only options" \
        bagging-with -n 10 -k 3 -
    refused "compose: b: unexpected argument; give [FILE] once" compose a b
    refused "theorems: b: unexpected argument; give [ID] once" theorems kl-tight b
    refused "batch: lines.jsonl: unexpected argument; 'batch' takes only options; it reads standard input: dpacct batch < lines.jsonl" batch lines.jsonl
}

@test "mechanism syntax: every part that is wrong is named" {
    local number="is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)"
    local empty="'' is empty; give a number such as 0.1, 1e-5, 1/3, 2^-40 or ln(3)"
    for c in compose curve kl-bound; do
        refused "$c: mechanism 1: epsilon $empty" "$c" -m ''
        refused "$c: mechanism 1: epsilon $empty" "$c" -m x
        refused "$c: mechanism 1: epsilon $empty" "$c" -m ',1e-5'
        refused "$c: mechanism 1: epsilon 'y' $number" "$c" -m y
        refused "$c: mechanism 1: delta $empty" "$c" -m '0.1,'
        refused "$c: mechanism 1: delta '0,0' has a decimal comma; write 0.0" "$c" -m 0.1,0,0
        refused "$c: mechanism 1: times $empty" "$c" -m 0.1x
        refused "$c: mechanism 1: times '3x4' is a product; give a number of uses on its own, or multiply it out, such as 6e4" "$c" -m 0.1x3x4
        refused "$c: mechanism 1: times must be a positive integer, such as 60000 or 10^9" "$c" -m 0.1x0
        refused "$c: mechanism 1: times must be a positive integer, such as 60000 or 10^9" "$c" -m 0.1x-1
        refused "$c: mechanism 1: times must be a positive integer, such as 60000 or 10^9" "$c" -m 0.1x1.5
        refused "$c: mechanism 1: '1xln(3)' has its uses before its loss; write ln(3)x1" "$c" -m '1xln(3)'
        refused "$c: mechanism 1: after the comma stands delta, below 1 and not 000" "$c" -m 0.1,2
        refused "$c: mechanism 1: delta must be a number from 0 to 1, such as 1e-5" "$c" -m 0.1,-1e-9
        refused "$c: mechanism 1: delta must be a number from 0 to 1, such as 1e-5" "$c" -m '0.1,ln(2)'
        refused "$c: mechanism 2: epsilon 'y' $number" "$c" -m 1 -m y
        for e in -0.1 'ln(1/2)' '-ln(3)'; do
            ask "$c" -m "$e"
            same "status of $e" 2 "$status"
            same stdout '' "$output"
            [[ $stderr == "dpacct: $c: mechanism 1: epsilon must "* ]]
        done
    done
}

@test "values outside the domain of each option are refused by name" {
    local loss="-1 -1e-30 ln(1/2) -ln(3)" probability="-1 -1e-30 2 1.0000001 ln(1.01) ln(1.1)"
    local slack="0 1 -1 2 ln(1.5)" count="0 -1 1.5 ln(3)" positive="0 -1 ln(2)" questions=0
    local bagging="bagging-with -n 10 -k 2" alone="iterative-gaussian -N 4 --batch-size 2 -T 1"
    alone+=" --diameter 1 --sigma 1 --target-delta 0.1"
    local vote="-K 3 --epsilon 1 --allowance 1"
    while read -r option values question; do
        for text in ${!values}; do
            ask $question "--$option=$text"
            same "status of $question --$option=$text" 2 "$status"
            same stdout '' "$output"
            same "lines of $option" 1 "${#stderr_lines[@]}"
            [[ $stderr == "dpacct: ${question%% *}: --$option: "* ]]
            questions=$((questions + 1))
        done
    done <<END
target-epsilon loss compose -m 1
target-delta probability compose -m 1
slack slack compose -m 1 --target-delta 0.1
uses count compose --solve epsilon --max-epsilon 1
use-delta probability compose --solve epsilon --max-epsilon 1 --uses 2
claim loss compose -m 1
epsilon loss compose
delta probability compose --epsilon 1
times count compose --epsilon 1
epsilon loss curve --epsilon-range 0:1:2
delta probability curve --epsilon 1 --epsilon-range 0:1:2
times count curve --epsilon 1 --epsilon-range 0:1:2
max-epsilon loss compose -m 1
max-delta probability compose -m 1
max-delta probability curve -m 1 --epsilon-range 0:1:2
max-epsilon loss $bagging
max-delta probability $bagging
target-epsilon loss $bagging
base-epsilon loss $bagging
base-delta probability $bagging --base-epsilon 1
target-delta probability $bagging --base-epsilon 1
models count $bagging
sampling-rate probability bagging-poisson
order positive divergence --epsilon 1
epsilon loss divergence
delta probability divergence --epsilon 1
times count divergence --epsilon 1
epsilon loss kl-bound
times count kl-bound --epsilon 1
delta slack $alone --slack 0.1
slack slack $alone --delta 0.1
max-delta probability $alone
epsilon loss generalization -N 100
delta probability generalization --epsilon 1
samples count generalization --epsilon 1
failure slack generalization --epsilon 1
gap positive generalization --epsilon 1
sets count generalization --epsilon 1
selection positive generalization --epsilon 1
target-delta probability majority $vote
sample count majority $vote
slack slack majority $vote
votes probability majority $vote
target-delta probability rr-prob $vote
slack slack rr-prob $vote --composition general
max-delta probability rr-prob $vote
END
    [ "$questions" -gt 180 ]
}
