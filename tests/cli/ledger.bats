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
{"mechanisms": [{"name": "a, \"b\"", "epsilon": 0.1, "delta": 1e-6, "times": 35, "date": "2026-01-05", "x-ticket": "17"},
 {"mechanism": "pure-dp", "epsilon": "ln(3)"}, {"mechanism": "gaussian", "sigma": 4, "times": 10, "x-ticket": "two\r\nlines"},
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
    local names='the first row names the columns, such as epsilon,delta,times'
    wrong 'line 1: unknown column "epsilom"; did you mean "epsilon"?' 'epsilom,times' 0.1,3
    wrong "line 1: \"epsilon;delta\" has semicolons; between columns stand commas, and $names" 'epsilon;delta' '0.1;0'
    wrong "line 1: \"0.1\" is no name; $names" 0.1,1e-6
    # whatever the name of the file
    run --separate-stderr bash -c 'printf "eps,delta\n0.1,1e-6\n" | "$DPACCT" compose -'
    same 'a wrong name' 'dpacct: compose: -: line 1: unknown column "eps"; did you mean "epsilon"?' "$stderr"
    run --separate-stderr bash -c 'printf "hello\n" | "$DPACCT" compose -'
    same 'no table' "dpacct: compose: -: line 1: unknown column \"hello\"; $names, and a ledger that is no table is JSON" "$stderr"
    wrong 'line 1: the column "base_epsilon" stands twice' 'n,base-epsilon,base_epsilon' 1,1,1
    wrong 'line 1: a column has no name' 'epsilon,,times' 0.1,,1
    wrong "line 3: epsilon 'x' is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)" \
        epsilon 0.1 x
    wrong 'line 2: epsilon is missing' 'name,epsilon' a,
    wrong 'line 5: delta must be a number from 0 to 1, such as 1e-5' 'name,epsilon,delta' '"a' 'b",1,0.5' '' c,1,1.5
    wrong 'line 2: unknown field "sigma" of '"'laplace'; give the scale, which is the standard deviation over the square root of 2" mechanism,sigma,scale laplace,1,2
    wrong 'line 2: scale is missing' mechanism,sigma,scale laplace,,
    wrong "line 3: sigma: '-1' must be a number above 0, such as 2.5" mechanism,sigma gaussian,1 gaussian,-1
    wrong 'line 2: has 3 cells, the header 2' epsilon,times 1,2,3
    wrong 'line 3: has 1 cells, the header 2' epsilon,times 1,2 3
    wrong 'line 2: a quoted cell does not end' epsilon,times '"1,2' 3,4
    wrong 'line 2: a cell that holds quotes must begin with one' epsilon,name '1,b"c"'
    wrong 'line 2: a comma must follow a quoted cell; within it quotes stand twice' epsilon,name '1,"b"c'
    wrong 'line 2: a pure-dp mechanism has no delta' mechanism,epsilon,delta pure-dp,1,0
    wrong "line 2: unknown mechanism 'gauss'; did you mean 'gaussian'?" epsilon,mechanism 1,gauss
    rows epsilon,mechanism 1,square
    ask compose "$table"
    [[ $stderr == "dpacct: compose: $table: line 2: unknown mechanism '"*"'; known are approx-dp, "* ]]
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

dated() { # a ledger with dates, and what people write beside them
    ledger=$BATS_TEST_TMPDIR/dated.json
    cat >"$ledger" <<'JSON'
{"owner": "team A", "x-id": {"a": [1]}, "date": "2026-03-31", "target_delta": "1e-5", "mechanisms": [
 {"name": "counts", "epsilon": 0.1, "delta": "1e-8", "times": 12, "date": "2026-01-05", "url": "u"},
 {"name": "Geh\u00e4lter\u001b", "mechanism": "gaussian", "sigma": 8, "times": 4, "date": "2026-02-01T09:00Z"},
 {"name": "counts again", "epsilon": "0.1", "delta": "1e-8", "times": 12, "date": "2026-03-05", "x-": 1e400},
 {"mechanism": "pure-dp", "epsilon": "ln(3)", "date": "2026-12-20"}]}
JSON
}

@test "--by-entry: own, marginal and cumulative figures are those of lists" {
    dated
    for target in "--target-delta 1e-5 epsilon" "--target-epsilon 1.5 delta"; do
        read -r option at figure <<<"$target"
        works compose "$ledger" --by-entry "$option" "$at" --json
        "$DPACCT" compose "$ledger" --by-entry "$option" "$at" --format csv >"$BATS_TEST_TMPDIR/table.csv"
        /usr/bin/python3 - "$DPACCT" "$ledger" "$option" "$at" "$figure" "$BATS_TEST_TMPDIR/table.csv" <<<"$output" 3<&0 <<'PY'
import csv, json, os, subprocess, sys
from fractions import Fraction
program, ledger, option, at, figure, table = sys.argv[1:]
entries = json.load(os.fdopen(3))["entries"]
items = json.load(open(ledger), parse_float=str)["mechanisms"]
def ends(list, name):
    if not list:
        return Fraction(0), Fraction(0)
    line = {"command": "compose", "mechanisms": list, "digits": 25, option[2:]: at}
    out = subprocess.run([program, "batch"], input=json.dumps(line), capture_output=True, text=True)
    return [Fraction(x) for x in json.loads(out.stdout)["guarantee"][name + "_enclosure"]]
def check(what, enclosure, low, high):
    given = [Fraction(x) for x in enclosure]
    assert given[0] <= low <= high <= given[1], (what, enclosure)
    assert given[1] - given[0] <= max(abs(given[1]), high) / 10**9 + (high - low), what
whole = ends(items, figure)
assert [e["entry"] for e in entries] == [1, 2, 3, 4]
for i, e in enumerate(entries):
    for name in ("epsilon", "delta"):
        check("own", e[f"own_{name}_enclosure"], *ends(items[i:i + 1], name))
    check("cumulative", e[f"cumulative_{figure}_enclosure"], *ends(items[:i + 1], figure))
    without = ends(items[:i] + items[i + 1:], figure)
    check("marginal", e[f"marginal_{figure}_enclosure"], whole[0] - without[1], whole[1] - without[0])
for row, e in zip(csv.DictReader(open(table, encoding="utf8")), entries, strict=True):
    assert row["name"] == e.get("name", "").replace("\x1b", "\\x1b") and row["date"] == e["date"] and row["times"] == e["times"]
    for end, k in ("lower", 0), ("upper", 1):
        for name in ("own_epsilon", "own_delta", "marginal_" + figure, "cumulative_" + figure):
            assert Fraction(row[f"{name}_{end}"]) == Fraction(e[name + "_enclosure"][k]), (name, end)
PY
    done
    works compose "$ledger" --by-entry --digits 4
    same table "$(printf '%s\n' \
        'entry  name          date        times  own_epsilon  own_delta  marginal_epsilon  cumulative_epsilon' \
        '2      Gehälter\x1b  2026-02-01   4     0.9264       1e-5       0.3134            1.595')" \
        "$(sed -n '/^entry/p;/^2 /p' <<<"$output")"
    works compose "$ledger" --by-entry --digits 4 --group-size 2
    refused "compose: --by-entry: needs a target at which costs compare; give --target-delta or --target-epsilon" \
        compose -m 0.1 --by-entry
    refused "compose: --by-entry: excludes --add, --solve and --claim" compose "$ledger" --by-entry --claim 1
    refused "compose: --by-entry: needs a list; give a ledger, or -m" compose --epsilon 1 --by-entry --target-delta 0.1
}

@test "--from and --to: the entries of those days, and a note that says so" {
    dated
    works compose "$ledger" --from 2026-02-01 --to 2026-03-05 --json
    same 'all entries, and the days' '4 2026-02-01' "$(jq -r '.input | "\(.mechanisms | length) \(.from)"' <<<"$output")"
    same note "about entries dated from 2026-02-01 up to 2026-03-05 alone: 2 of 4, the others are left out" "$(jq -r '.notes[0]' <<<"$output")"
    same 'again' "$(jq -S . <<<"$output")" \
        "$(jq -c '.input + {command: "compose"}' <<<"$output" | "$DPACCT" batch | jq -S .)"
    works compose "$ledger" -m 0.2,1e-9 --from 2026-02-01 --by-entry --target-delta 1e-6 --json
    same 'what -m gives has no date' '1 4' "$(jq -r '.input | "\(.mechanism | length) \(.mechanisms | length)"' <<<"$output")"
    same 'again' "$(jq -S . <<<"$output")" \
        "$(jq -c '.input + {command: "compose"}' <<<"$output" | "$DPACCT" batch | jq -S .)"
    ask compose "$ledger" --from 2026-02-01 --max-delta 1e-5 --format github
    [[ $output == *$'%0Anote: about entries dated from 2026-02-01 alone: 3 of 4, the others are left out%0Anote: max-epsilon is not given and means 0'* ]]
    works compose "$ledger" --from 2026-01-05 --json
    same 'nothing is left out' null "$(jq '.notes[0]' <<<"$output")"
    works compose "$ledger" --from 2026-02-01 --format statement
    [[ $output == *"a list of 3 entries, those of some days alone, 1 left out."* ]]
    refused "compose: --from: leaves no entry of the list: all are of other days" compose "$ledger" --from 2027-01-01
    refused "compose: --from: needs dates: no entry of the list has one; give a ledger whose entries do" compose -m 0.1x350 --from 2026-01-01
    refused "compose: --to: needs dates: no entry of the list has one; give a ledger whose entries do" compose -m 0.1x350 --to 2026-01-01
    refused "compose: --to: is before --from" compose "$ledger" --from 2026-02-02 --to 2026-02-01
    refused "compose: --from: '2026-02-29' must be a day of the calendar, written like 2026-01-31" \
        compose "$ledger" --from 2026-02-29
    printf 'epsilon,date\n1,2026-01-01\n2,\n' >"$table"
    refused "compose: $table: line 3: has no date, which --from and --to need of every entry" compose "$table" --to 2026-02-01
}

@test "names of a ledger act nowhere in csv and tsv" {
    printf '%s\n' '{"mechanisms": [{"name": "a\u001b[31m\u202eb\nc\t\"d\"", "epsilon": "0.1"}]}' >"$BATS_TEST_TMPDIR/names.json"
    ask compose "$BATS_TEST_TMPDIR/names.json" --target-delta 0.1 --by-entry --format csv
    [[ ${lines[1]} == '1,"a\x1b[31m\xe2\x80\xaeb\x0ac\x09""d""",'* ]]
    ask compose "$BATS_TEST_TMPDIR/names.json" --target-delta 0.1 --by-entry --format tsv
    [[ ${lines[1]} == $'1\ta\\x1b[31m\\xe2\\x80\\xaeb\\x0ac\\x09"d"\t'* ]]
}

@test "what people remark is kept, and dates are checked" {
    dated
    works compose "$ledger" --json
    same owner 'team A [1] 2026-03-31 u 1e400' "$(/usr/bin/python3 -c '
import json, sys
i = json.load(sys.stdin, parse_float=str)["input"]
print(i["owner"], i["x-id"]["a"], i["date"], i["mechanisms"][0]["url"], i["mechanisms"][2]["x-"])' <<<"$output")"
    rows 'epsilon,date,"x-a ""b""",owner' '1,2026-01-01T10:00,z,"a, b"'
    works compose "$table" --json
    same remarks '{"date":"2026-01-01T10:00","x-a \"b\"":"z","owner":"a, b"}' \
        "$(jq -c '.input.mechanisms[0] | del(.epsilon, .delta, .times)' <<<"$output")"
    wrong "line 2: date '5.1.2026' must be a day of the calendar, written like 2026-01-31" epsilon,date 1,5.1.2026
    wrong 'line 1: the column "x-a" stands twice' epsilon,x-a,x-a 1,2,3
    printf '{"mechanisms": [{"epsilon": 1}], "date": "2026-13-01"}' >"$ledger"
    refused "compose: date '2026-13-01' must be a day of the calendar, written like 2026-01-31" compose "$ledger"
    works filter -m 0.1 --max-epsilon 1 --max-delta 1e-6
    same state '"team B"' "$(echo '{"command": "filter", "owner": "team B", "mechanisms": [{"epsilon": 0.1}],
        "max_epsilon": 1, "max_delta": 1e-6}' | tr -d '\n' | "$DPACCT" batch | jq -c .state.owner)"
}

@test "the command line wins over a ledger for what it states alone" {
    local ledger=$BATS_TEST_TMPDIR/both.json list='"mechanisms":[{"epsilon":"0.1","delta":"1e-8","times":35}]'
    echo "{$list,\"max_epsilon\":3,\"target_delta\":\"1e-6\"}" >"$ledger"
    ask compose "$ledger" --target-epsilon 2
    same 'status' 0 "$status"
    same 'the budget stays' '(2, 0.0001040777425)-DP, add-remove adjacency [compose-optimal: exact]
check: (3, 1e-6)-DP holds' "$(head -n 2 <<<"$output")"
    ask compose "$ledger" --target-epsilon 2 --max-epsilon 2
    same 'half of it' 'check: (2, 1e-6)-DP does not hold' "${lines[1]}"
    ask compose "$ledger" --target-delta 1e-5
    same 'the target is the half' 'check: (3, 1e-5)-DP holds' "${lines[1]}"
    ask compose "$ledger" --claim 3,1e-5
    same 'a claim is of the command line' 'claim: (3, 1e-5)-DP proved' "${lines[1]}"
    echo "{$list,\"target_epsilon\":3,\"max_delta\":\"1e-6\"}" >"$ledger"
    ask compose "$ledger" --target-delta 1e-5
    same 'the other way' 'check: (3, 1e-6)-DP holds' "${lines[1]}"
    ask compose "$ledger" --claim 3,1e-9
    same 'refuted' 'claim: (3, 1e-9)-DP refuted' "${lines[1]}"
    refused 'compose: --claim, --target-delta: exclude each other; give one of them' \
        compose "$ledger" --claim 3,1e-9 --target-delta 1e-5
}

@test "groups of disjoint data: the greatest cell, two cells where a record moves" {
    local ledger=$BATS_TEST_TMPDIR/cells.json cell='"mechanism":"discrete-laplace","scale":1'
    echo "{\"mechanisms\":[{\"mechanism\":\"parallel\",\"cells\":[[{$cell}],[{$cell}]]}]}" >"$ledger"
    head_is "(1, 0)-DP, add-remove adjacency [compose-cells: exact]" compose "$ledger"
    head_is "(2, 0)-DP, replace-one adjacency [compose-cells: exact]" compose "$ledger" --adjacency replace-one
    head_is "(1, 0.3378347122)-DP, replace-one adjacency [compose-cells: exact]" \
        compose "$ledger" --adjacency replace-one --target-epsilon 1
    "$DPACCT" compose "$ledger" -q --max-epsilon 1
    run "$DPACCT" compose "$ledger" -q --max-epsilon 1 --adjacency replace-one
    [ "$status" -eq 1 ]
    run "$DPACCT" compose "$ledger" -q --claim 1,0.3378 --adjacency replace-one
    [ "$status" -eq 1 ]
    "$DPACCT" compose "$ledger" -q --claim 1,0.3379 --adjacency replace-one
    # what fits is what fits in every cell; a record that moves spends in two
    ask compose "$ledger" --add 0.5 --max-epsilon 3 --json
    same 'add' '[4,"2","0.5"]' "$(jq -c '.remaining | [.times, .epsilon_exact, (.next | tonumber | . - 1.5 | tostring)[:3]]' <<<"$output")"
    ask compose "$ledger" --add 0.5 --max-epsilon 3 --adjacency replace-one --json
    same 'add, moved' '[2,"1"]' "$(jq -c '.remaining | [.times, .epsilon_exact]' <<<"$output")"
    ask compose "$ledger" --add 3 --solve times --max-epsilon 3
    same 'none' 'not even times = 1 fits: times = 1 already gives (3, 0.4402008476)-DP, add-remove adjacency [compose-cells: exact]' "${lines[0]}"
    same 'status' 1 "$status"
    head_is '(3, 0)-DP, use_epsilon = 0.5, add-remove adjacency [compose-cells: exact]' \
        compose "$ledger" --solve epsilon --uses 4 --max-epsilon 3
    # both records of a group in one cell, or one in each
    head_is "(2, 0)-DP, add-remove adjacency [compose-cells: exact]" compose "$ledger" --group-size 2
    head_is "(4, 0)-DP, replace-one adjacency [compose-cells: exact]" compose "$ledger" --group-size 2 --adjacency replace-one
    ask compose "$ledger" --group-size 2 --by-entry --target-epsilon 1
    same entry "$(awk '/^compose-cells/ { print $4 }' <<<"$output")" "$(awk '$2 == "parallel" { print $NF }' <<<"$output")"
    refused 'filter: cells: of disjoint data are composed by compose, with adaptive parameters too, and by curve; no calibration or attack here is about them' \
        filter "$ledger" --add 0.1 --max-epsilon 3
    # parameters that depend on outputs: a filter for each choice of cells
    local first='{"epsilon":"0.1","delta":"1e-8","times":100}' second='{"epsilon":"0.2","delta":"1e-8","times":40}'
    local beside='{"epsilon":"0.05","times":3}' choice=$BATS_TEST_TMPDIR/choice.json list relation at=(--target-delta 1e-5 --adaptive parameters)
    echo "{\"mechanisms\":[{\"mechanism\":\"parallel\",\"cells\":[[$first],[$second]]},$beside]}" >"$ledger"
    for relation in add-remove replace-one; do
        list=$second,$beside
        [ $relation = add-remove ] || list=$first,$list
        echo "{\"mechanisms\":[$list]}" >"$choice"
        ask compose "$choice" "${at[@]}" --adjacency $relation --json
        same "filter of the worst choice, $relation" "$(jq -c '.guarantee.epsilon_enclosure' <<<"$output")" \
            "$("$DPACCT" compose "$ledger" "${at[@]}" --adjacency $relation --json | jq -c '.guarantee.epsilon_enclosure')"
    done
    silent 0 compose "$ledger" --adaptive parameters --max-epsilon 6.9 --max-delta 1e-5
    silent 3 compose "$ledger" --adaptive parameters --max-epsilon 6.8 --max-delta 1e-5
    refused 'compose: --method: must be filter where parameters depend on earlier outputs: the other theorems are about parameters fixed in advance (see theorem filter-optimal); the command filter has sharper filters' \
        compose "$ledger" "${at[@]}" --method optimal
    echo '{"mechanisms":[{"mechanism":"parallel","cells":[[],[{"epsilon":"x"}]]}]}' >"$ledger"
    refused "compose: mechanism 1: cell 2: mechanism 1: epsilon 'x' is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)" compose "$ledger"
    echo '{"mechanisms":[{"mechanism":"parallel","cells":[[],[]]}]}' >"$ledger"
    refused "compose: cells: are empty, and nothing stands beside them; give at least one mechanism" compose "$ledger"
    refused 'compose: mechanism 1: needs "cells", an array with an array of mechanisms for each group of data' \
        compose -m parallel:partition=a
}
