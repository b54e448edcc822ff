#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Ledgers as tables, and byte-order marks.
load helper

setup() {
    table=$BATS_TEST_TMPDIR/ledger.csv
}

rows() { # LINE...: the table, its lines ended as spreadsheets do
    printf '%s\r\n' "$@" >"$table"
}

wrong() { # MESSAGE LINE...: what is wrong with the table
    local message=$1
    shift
    rows "$@"
    refused "compose: $table: $message" compose "$table"
}

@test "a table and the same list as JSON have the same answer" {
    rows 'name,mechanism,epsilon,delta,times,sigma,n,subsample_size,base-epsilon,date,x-ticket' \
        '"a, ""b""",,0.1,1e-6,35,,,,,2026-01-05,"17"' \
        ' , pure-dp ,ln(3),,,,,,,,' \
        ',,,,,,,,,,' \
        '' \
        ',"gaussian",,,10, 4 ,,,,,"two' \
        'lines"' \
        ',bagging-with,,,,,60000,300,1,,'
    cat >"$BATS_TEST_TMPDIR/ledger.json" <<'JSON'
{"mechanisms": [{"name": "a, \"b\"", "epsilon": 0.1, "delta": 1e-6, "times": 35},
 {"mechanism": "pure-dp", "epsilon": "ln(3)"}, {"mechanism": "gaussian", "sigma": 4, "times": 10},
 {"mechanism": "bagging-with", "n": 60000, "k": 300, "base_epsilon": 1}]}
JSON
    for question in "compose --target-delta 0.1 --json" "curve --epsilon-range 1:2:2"; do
        # shellcheck disable=SC2086
        same "$question" "$("$DPACCT" $question "$BATS_TEST_TMPDIR/ledger.json")" "$("$DPACCT" $question "$table")"
        # shellcheck disable=SC2086
        same "- $question" "$("$DPACCT" $question "$table")" "$("$DPACCT" $question - <"$table")"
    done
    rows 'mechanism,p,q' 'pair,"1/2,1/2","1/4,3/4"'
    head_is "(0, 0.25)-DP, add-remove adjacency [compose-pairs: exact]" compose "$table" --target-epsilon 0
}

@test "line ends, marks and names of tables" {
    for text in 'epsilon,times\n0.1,3\n' 'epsilon,times\r\n0.1,3' '\xef\xbb\xbfepsilon,times\n0.1,3\n' \
        '"times","epsilon"\n3,0.1\n' '\n\nepsilon,times\r0.1,3\r'; do
        printf '%b' "$text" >"$table"
        head_is "(0.3, 0)-DP, add-remove adjacency [compose-optimal: exact]" compose "$table"
    done
    printf 'times,epsilon\n3,0.1\n' >"$BATS_TEST_TMPDIR/list"
    works compose "$BATS_TEST_TMPDIR/list"
    printf '\xef\xbb\xbf{"mechanisms": [{"epsilon": 0.1, "times": 3}]}' >"$table"
    head_is "(0.3, 0)-DP, add-remove adjacency [compose-optimal: exact]" compose "$table"
    printf '\xef\xbb\xbf\n\xef\xbb\xbf' >"$table"
    ask compose "$table"
    same status 2 "$status"
    printf '\xef\xbb\xbf[1, 1]' >"$BATS_TEST_TMPDIR/gamma.json"
    works majority -K 3 --epsilon 1 --allowance 3 --gamma "$BATS_TEST_TMPDIR/gamma.json"
}

@test "batch input may begin with a mark, and only begin" {
    local line='{"command": "kl-bound", "epsilon": 1, "id": 7}'
    run --separate-stderr "$DPACCT" batch < <(printf '\xef\xbb\xbf%s\n\xef\xbb\xbf%s\n' "$line" "$line")
    same status 2 "$status"
    same answers '7 null' "$(jq -r '.id' <<<"$output" | tr '\n' ' ' | sed 's/ $//')"
    run --separate-stderr "$DPACCT" batch < <(printf '\xef\xbb\xbf\n%s\n' "$line")
    same 'a first line that is a mark alone' '0 7' "$status $(jq -r .id <<<"$output")"
}

@test "what is wrong with a table is named by line and column" {
    local names='columns have the names of the fields of an entry, such as epsilon, delta, times, and commas between them'
    wrong "line 1: unknown column \"epsilom\"; $names" 'epsilom,times' 0.1,3
    wrong "line 1: unknown column \"epsilon;delta\"; $names" 'epsilon;delta' '0.1;0'
    wrong 'line 1: the column "base_epsilon" stands twice' 'n,base-epsilon,base_epsilon' 1,1,1
    wrong 'line 1: a column has no name' 'epsilon,,times' 0.1,,1
    wrong "line 3: epsilon 'x' is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)" \
        epsilon 0.1 x
    wrong 'line 2: epsilon is missing' 'name,epsilon' a,
    wrong 'line 5: delta must be a number from 0 to 1, such as 1e-5' 'name,epsilon,delta' '"a' 'b",1,0.5' '' c,1,1.5
    wrong 'line 2: unknown field "sigma" of '"'laplace'" mechanism,sigma,scale laplace,1,2
    wrong 'line 2: scale is missing' mechanism,sigma,scale laplace,,
    wrong "line 3: sigma: '-1' must be a number above 0, such as 2.5" mechanism,sigma gaussian,1 gaussian,-1
    wrong 'line 2: has 3 cells, the header 2' epsilon,times 1,2,3
    wrong 'line 3: has 1 cells, the header 2' epsilon,times 1,2 3
    wrong 'line 2: a quoted cell does not end' epsilon,times '"1,2' 3,4
    wrong 'line 2: a cell that holds quotes must begin with one' epsilon,name '1,b"c"'
    wrong 'line 2: a comma must follow a quoted cell; within it quotes stand twice' epsilon,name '1,"b"c'
    wrong 'line 2: a pure-dp mechanism has no delta' mechanism,epsilon,delta pure-dp,1,0
    wrong "line 2: unknown mechanism; did you mean 'gaussian'?" epsilon,mechanism 1,gauss
    rows epsilon,mechanism 1,square
    ask compose "$table"
    [[ $stderr == "dpacct: compose: $table: line 2: unknown mechanism; known are approx-dp, "* ]]
    printf 'name,epsilon\nb,1\n\xff,1\n' >"$table"
    ask compose "$table"
    [[ $stderr == "dpacct: compose: $table: line 3: "*UTF-8* ]] || { echo "$stderr"; return 1; }
    : >"$table"
    refused "compose: $table: line 1: a table needs a header row, such as epsilon,delta,times" compose "$table"
    rows epsilon
    refused "compose: --mechanism: is missing; give at least one mechanism" compose "$table"
    rows epsilon,times 0.1,x
    ask compose "$table" --json
    same argument "$table: line 2" "$(jq -r .error.argument <<<"$stderr")"
}

@test "a table of 100,000 entries is read at once" {
    { echo name,epsilon,delta,times && seq -f '"entry",0.00%.0f,1e-9,2' 100000 199999; } >"$table"
    works compose "$table" --method basic --max-time 5
    [ "$("$DPACCT" compose "$table" --method basic --json | jq '.input.mechanisms | length')" -eq 100000 ]
}
