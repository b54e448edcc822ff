#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# How answers look, on terminals and in pipes.
load helper

on_terminal() { # COLUMNS ARGUMENT...: sets status and output
    local columns=$1
    shift
    run env TERM=xterm /usr/bin/python3 "$DPACCT_SOURCE/tests/cli/terminal.py" "$columns" "$DPACCT" "$@"
}

@test "numbers stand point below point, with exponents below 0.0001 alone" {
    ask compose -m 0.1,1e-6x35 --target-delta 1e-4 --method advanced --all --slack 5e-5
    same status 0 "$status"
    # every line of the table has the point of epsilon, or its end, in one column
    local at=${lines[1]%%epsilon*} row number
    for row in "${lines[@]:2}"; do
        [[ $row == note:* || $row == ' '* ]] && break
        number=${row:${#at}}
        [[ $number =~ ^\ *[0-9]+ ]]
        same "the point of $row" "${#BASH_REMATCH}" "${place:=${#BASH_REMATCH}}"
    done
    head_is '(0, 0.0009995001672)-DP, add-remove adjacency [bagging-with-exact: exact]' \
        bagging-with -n 1000000000 -k 1000000
    head_is '(0, 0.0001)-DP, add-remove adjacency [bagging-poisson-exact: exact]' bagging-poisson --sampling-rate 0.0001
    head_is '(0, 9e-5)-DP, add-remove adjacency [bagging-poisson-exact: exact]' bagging-poisson --sampling-rate 9e-5
}

@test "a figure with fewer digits than asked is exact" {
    head_is '(0, 0.271)-DP, add-remove adjacency [bagging-with-exact: exact]' bagging-with -n 10 -k 3
    head_is '(1, 1.000000000)-DP, add-remove adjacency [gaussian-exact: exact]' gaussian --sigma 0.01 --target-epsilon 1
    head_is '(1, 1.0000)-DP, add-remove adjacency [gaussian-exact: exact]' \
        gaussian --sigma 0.01 --target-epsilon 1 --digits 5
    ask gaussian --sigma 0.01 --target-epsilon 1 --format csv # what reads columns knows both ends
    same csv 'gaussian-exact,exact,1,1,0.9999999999,1' "${lines[1]}"
}

@test "prose is broken at 80 columns in a pipe and at the width of a terminal" {
    ask dp-sgd --noise-multiplier 1 --sampling-rate 0.01 --steps 100 --target-delta 1e-5
    same 'wide lines' '' "$(sed 1d <<<"$output" | grep -E '^.{81,}$')"
    [[ $output == *$'\nnote: '*$'\n      '* ]]
    on_terminal 50 theorems kl-tight
    same status 0 "$status"
    same 'wide lines' '' "$(grep -E '^.{51,}$' <<<"$output")"
    [[ $output == *$'\n             '* ]]
    on_terminal 40 compose -h
    same 'wide lines' '' "$(grep -vE -- '--|[|]' <<<"$output" | grep -E '^.{41,}$')"
}

@test "a table turns where the terminal is too narrow, and stays as it is in a pipe" {
    local question=(kl-bound --epsilon 1 --all)
    on_terminal 30 "${question[@]}"
    same status 0 "$status"
    [[ $output == *$'\nkl-tight\n  verdict  exact\n  kl       0.4621171573'* ]]
    [[ $output != *'theorem '* ]]
    on_terminal 100 "${question[@]}"
    [[ $output == *$'\ntheorem '*'verdict'* ]]
    local wide=$output
    ask "${question[@]}"
    same 'the same in a pipe' "$output" "$(sed 's/\x1b\[[0-9]*m//g; /^next: /d' <<<"$wide")"
}

@test "red for what does not hold and what is unsound, on a terminal without NO_COLOR alone" {
    local red=$'\x1b[31m' end=$'\x1b[0m'
    local question=(compose -m '0.1,1e-6x35' --target-delta 1e-4 --slack 1e-6 --all --max-epsilon 1)
    on_terminal 200 "${question[@]}"
    same status 1 "$status"
    [[ $output == *")-DP ${red}does not hold${end}"* && $output == *"  ${red}UNSOUND${end}  "* ]]
    same 'nothing else is coloured' '' "$(sed "s/$red\(does not hold\|UNSOUND\)$end//g" <<<"${output//$'\x1b['/$'\x1b['}" | grep $'\x1b')"
    NO_COLOR=1 on_terminal 200 "${question[@]}"
    [[ $output == *'does not hold'* && $output != *$'\x1b'* ]]
    run env TERM=dumb /usr/bin/python3 "$DPACCT_SOURCE/tests/cli/terminal.py" 200 "$DPACCT" "${question[@]}"
    [[ $output == *'does not hold'* && $output != *$'\x1b'* ]]
    ask "${question[@]}"
    [[ $output == *'does not hold'* && $output != *$'\x1b'* ]]
    on_terminal 200 compose -m 0.1x3 --max-epsilon 0.3
    [[ $output == *'holds'* && $output != *$'\x1b'* ]]
}

@test "of a long noise function eight values are shown" {
    ask majority -K 35 --epsilon 0.1 --allowance 3 --design subsample
    same status 0 "$status"
    local shown
    shown=$(tr '\n' ' ' <<<"$output" | tr -s ' ')
    [[ $shown == *'gamma of majority-subsample, 18 to 35 votes: '* ]]
    [[ $shown == *'65/119 811/1309 ... (10 more; --json has all)'* ]]
    ask majority -K 15 --epsilon 0.1 --allowance 3 --design subsample
    [[ $output == *'gamma of majority-subsample, 8 to 15 votes: '* && $output != *more* ]]
}

@test "options that exclude each other read as one line with their dashes" {
    ask majority -h
    [[ $output == *$'\nexactly one of --allowance and --target-epsilon\n'* ]]
    ask advantage -h
    [[ $output == *$'\nat most one of --pure, --approx, --zcdp, --rdp, --gdp and --solve\n'* ]]
}

@test "work of more than a second says on a terminal what is being narrowed, and then removes that" {
    on_terminal 120 rr-prob -K 100001 --epsilon 0.1 --allowance 30 --digits 10000 --max-time 4
    same status 0 "$status"
    [[ $output =~ $'\r''dpacct: rr-prob: '[1-4]' s, the figure about 0.9051482536, more digits' ]]
    [[ $output =~ $'\r'\ +$'\r' ]]
    on_terminal 120 rr-prob -K 100001 --epsilon 0.1:0.2:2 --allowance 30 --digits 10000 --max-time 4
    [[ $output =~ 's, point 2 of 2, the figure about ' ]]
}
