#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Ranges, and pictures of answers.
load helper

bagging=(bagging-with -n 60000)

needs_gnuplot() {
    command -v gnuplot >/dev/null || skip "gnuplot is not there"
}

@test "a range asks the same question at each of its points" {
    works "${bagging[@]}" -k 100:10000:100 --json
    local list=$output
    same points '100 100 200 10000' "$(jq -r '[length, (.[0, 1, 99].input.k | tonumber)] | join(" ")' <<<"$list")"
    same 'one of them' "$("$DPACCT" "${bagging[@]}" -k 300 --json | jq -c .)" "$(jq -c '.[2]' <<<"$list")"
    /usr/bin/python3 - "$DPACCT_SOURCE/docs/schema/dpacct-1.schema.json" <<<"$list" 3<&0 <<'PY' || return 1
import json, os, sys
import jsonschema
jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(json.load(os.fdopen(3))[:2])
PY
    ask "${bagging[@]}" --subsample-size=100:1000:2 --digits 3
    same table "subsample-size  theorem             verdict  epsilon  delta
100             bagging-with-exact  exact    0        0.00167
1000            bagging-with-exact  exact    0        0.0166" "$(head -n 3 <<<"$output")"
    [[ $output == *$'\n\nnote: tight: by Theorem 5 '* ]] # what every point has
    ask gaussian --sigma 1:2:2 --group-size 3 --max-epsilon 1
    [[ $output == *'note: for groups of 3 records'* && $(grep -c '^note' <<<"$output") == 1 ]]
    ask gaussian --sigma 1:2:2 --group-size 3 --max-epsilon 1 --format markdown
    same 'below the table' '- note: for groups of 3 records, not for one

dpacct 0.1.0: `dpacct gaussian --sigma 1:2:2 --group-size 3 --max-epsilon 1 --format markdown`' "$(tail -n 3 <<<"$output")"
    ask gaussian --sigma 1:2:2 --group-size 3 --max-epsilon 1 --format latex
    same first '% dpacct 0.1.0: dpacct gaussian --sigma 1:2:2 --group-size 3 --max-epsilon 1 --format latex' "${lines[0]}"
    same last '% note: for groups of 3 records, not for one' "${lines[-1]}"
    # beside the count 0 stand no figures of 1
    ask bagging-with -n 10 -k 1:2:2 --solve N --max-delta 0.18 --format csv
    answered 1 'k,theorem,verdict,epsilon_lower,epsilon_upper,delta_lower,delta_upper,N_lower,N_upper,holds
1,bagging-with-exact,exact,0,0,0.1,0.1,1,1,true
2,bagging-with-exact,exact,,,,,0,0,false' ''
    ask bagging-with -n 10 -k 1:2:2 --solve N --max-delta 0.18
    same 'text' '2               bagging-with-exact  exact    -        -      none  fails' "${lines[2]}"
    ask bagging-with -n 10 -k 2 --solve N --max-delta 0.18 --format csv
    same 'one row' 'bagging-with-exact,exact,,,,,0,0' "${lines[1]}"
    ask compose -m 0.1x9 --target-delta 1e-9:1e-3:3 --format csv --digits 3 --max-epsilon 0.85
    answered 1 "target_delta,theorem,verdict,epsilon_lower,epsilon_upper,delta_lower,delta_upper,holds
1e-9,compose-optimal,exact,0.899,0.900,1e-9,1e-9,false
1e-6,compose-optimal,exact,0.899,0.900,1e-6,1e-6,false
1e-3,compose-optimal,exact,0.683,0.684,1e-3,1e-3,true" ''
    silent 1 "${bagging[@]}" -k 100:1000:10 --max-delta 0.01
    silent 0 "${bagging[@]}" -k 100:1000:10 --max-delta 0.02
    # where no row is a guarantee all are shown
    ask divergence --epsilon 0.1:1:2 --digits 3 --format csv
    same rows "$(("$DPACCT" divergence --epsilon 0.1 --format csv; "$DPACCT" divergence --epsilon 1 --format csv) | grep -vc ^theorem)" \
        "$(grep -vc ^epsilon <<<"$output")"
    # of several numbers one, beside which the others stay
    ask convert --approx 1,1e-9:1e-5:3 --target-epsilon 2 --format csv
    answered 0 "approx,theorem,verdict,epsilon_lower,epsilon_upper,delta_lower,delta_upper
1e-9,approx-profile,exact,2,2,1e-9,1e-9
1e-7,approx-profile,exact,2,2,1e-7,1e-7
1e-5,approx-profile,exact,2,2,1e-5,1e-5" ''
    works convert --zcdp 0.1:1:4,0.01 --target-delta 1e-6 --json
    same rho '["0.1,0.01","0.4,0.01","0.7,0.01","1,0.01"]' "$(jq -c '[.[].input.zcdp | if type == "array" then join(",") else . end]' <<<"$output")"
    works kl-bound --epsilon 1/3:1:2 --format markdown
    [[ $output == *"| 1/3 | "*"| 1 | "* ]]
    # points are decimals as they would be typed, also where a third would be exact
    local range
    while read -r range points; do
        works kl-bound --epsilon "$range" --json
        same "points of $range" "$points" "$(jq -r '[.[].input.epsilon] | join(" ")' <<<"$output")"
    done <<'END'
0.1:0.5:5 0.1 0.2 0.3 0.4 0.5
0:1:4 0 0.333333 0.666667 1
1:0:4 1 0.666667 0.333333 0
1/3:2:4 1/3 0.8888889 1.4444444 2
1e6:1000001:4 1000000 1000000.333333 1000000.666667 1000001
1e-30:3e-30:4 1e-30 1.666667e-30 2.333333e-30 3e-30
0:1e9:4 0 333333333 666666667 1000000000
END
    ask curve -m 0.1x10 --epsilon-range 0:1:4 --plot-data
    answered 0 'epsilon,compose-optimal
0,0.1225362236
0.333333,0.02896827766
0.666667,2.246704288e-3
1,0' ''
}

@test "ranges that are none" {
    refused "bagging-with: --models: is a second range beside --subsample-size; give one" "${bagging[@]}" -k 1:3:3 -N 1:3:3
    refused "bagging-with: --subsample-size: 'x' is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)" \
        "${bagging[@]}" -k 1:x:3
    refused "bagging-with: --subsample-size: asks for more than 1000 points" "${bagging[@]}" -k 1:3:1001
    refused "bagging-with: --subsample-size: '1:3' must be written A:B:N, such as 0:5:11" "${bagging[@]}" -k 1:3
    refused "bagging-with: --subsample-size: '-1' must be a positive integer, such as 60000 or 10^9 (at --subsample-size -1)" \
        "${bagging[@]}" -k 1:-1:2
    refused "bagging-with: --subsample-size: is a range, whose answers are several; statement is about one" \
        "${bagging[@]}" -k 1:3:3 --format statement
    refused "compose: --target-delta: is a range, for which the ledger is read at each point; name a file" \
        compose - --target-delta 0.1:0.2:2
    refused "convert: --zcdp: '1:2:2' is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)" \
        convert --zcdp 0.1:1:4,1:2:2 --target-delta 1e-6
    refused "bagging-with: --digits: '1:2:2' is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)" \
        "${bagging[@]}" -k 1 --digits 1:2:2
    local step='ends in a step, not in how many points; write'
    refused "kl-bound: --epsilon: '0.1:0.5:0.1' $step 0.1:0.5:5" kl-bound --epsilon 0.1:0.5:0.1
    refused "curve: --epsilon-range: '1:0:1/4' $step 1:0:5" curve -m 1 --epsilon-range 1:0:1/4
    refused "kl-bound: --epsilon: '0:1:0.3' $step it like 0:5:11" kl-bound --epsilon 0:1:0.3
    refused "kl-bound: --epsilon: '-0.5' must be a positive integer, such as 60000 or 10^9" kl-bound --epsilon 0:1:-0.5
}

@test "--plot-data prints the columns of the picture" {
    ask curve -m 0.1x100 --delta-range 1e-9:1e-3:3 --digits 4 --plot-data
    answered 0 "delta,compose-optimal
1e-9,5.960
1e-6,4.775
1e-3,3.116" ''
    ask compose -m 0.1x20 --all --target-delta 1e-6 --digits 3 --plot-data
    same bounds "theorem,verdict,epsilon
compose-optimal,exact,1.79" "$(head -2 <<<"$output")"
    ask "${bagging[@]}" --solve k --max-delta 1e-3:0.01:2 --plot-data
    answered 0 "max-delta,bagging-with-exact
1e-3,60
0.01,603" ''
    # at a target epsilon, theorems that answer for another one are no part of the curve
    ask compose -m 0.1x20 --all --target-epsilon 1:3:2 --digits 3 --plot-data
    same basic ' 0' "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "compose-basic") c = i } NR > 1 { printf "%s%s", (NR > 2 ? " " : ""), $c }' <<<"$output")"
    refused "bagging-with: --plot-data: there is no curve in the answer; give a range A:B:N for one of the numbers, or --all to compare bounds" \
        bagging-with -n 10 -k 1 --plot-data
    refused "curve: --plot-data: prints columns, as CSV, in the place of the answer; leave --format markdown out" \
        curve -m 0.1 --epsilon-range 0:1:2 --plot-data --format markdown
}

@test "--plot draws in the terminal and into files" {
    needs_gnuplot
    local file=$BATS_TEST_TMPDIR/picture
    ask compose -m 0.1x20 --all --target-delta 1e-6 --digits 4 --plot -
    same status 0 "$status"
    [[ $output == *"compose-optimal |"*"epsilon"* ]]
    works "${bagging[@]}" -k 100:10000:5 --plot -
    [[ $output =~ '  2000 '\ +'4000 '\ +'6000 '\ +'8000 '\ +'10000 ' ]] # apart
    for form in svg png pdf; do
        works "${bagging[@]}" -k 100:1000:3 --plot "$file.$form"
    done
    same forms "image/svg+xml image/png application/pdf" \
        "$(file -b --mime-type "$file.svg" "$file.png" "$file.pdf" | tr '\n' ' ' | sed 's/ $//')"
    same 'one curve' 1 "$(grep -c '<g id="gnuplot_plot_' "$file.svg")"
    ask "${bagging[@]}" -k 100:1000:3 --plot "$BATS_TEST_TMPDIR/no/such.svg"
    answered 3 '' 'dpacct: bagging-with: --plot: the file could not be written'
    # shellcheck disable=SC2016
    works "${bagging[@]}" -k 100:1000:3 --plot "$BATS_TEST_TMPDIR/\$(touch a)'; .svg"
    [ -s "$BATS_TEST_TMPDIR/\$(touch a)'; .svg" ]
}

@test "curves of a picture are told apart, and their labels do not meet" {
    # in the place of gnuplot what hands its script back
    printf '#!/bin/sh\nexec cat\n' >"$BATS_TEST_TMPDIR/gnuplot"
    chmod +x "$BATS_TEST_TMPDIR/gnuplot"
    local question=(compose "$DPACCT_SOURCE/examples/ledger/tuning.json" --all --digits 5 --target-delta 8e-6:1e-3:20)
    local script=$BATS_TEST_TMPDIR/script.svg style label
    DPACCT=$(command -v "$DPACCT")
    PATH=$BATS_TEST_TMPDIR:$PATH ask "${question[@]}" --plot "$script"
    [ "$status" -le 1 ]
    style=$(grep -o '\$data using .*' "$script" | sed 's/^.data using [0-9:]* //; s/, .$//')
    [ "$(wc -l <<<"$style")" -ge 7 ]
    same 'a style of each' '' "$(sort <<<"$style" | uniq -d)"
    same 'the bold ones' 1 "$(grep -c 'lw 4 .*#000000' <<<"$style")"
    label=$(grep '^set label' "$script" | sort -u)
    same labels 16 "$(grep -c . <<<"$label")"
    sed 's/.*graph \([0-9.]*\) left.*/\1/' <<<"$label" | sort -n | awk 'NR > 1 && $1 - last < 0.04 { bad = 1 } { last = $1 } END { exit bad }'
    # what lies on another curve within the width of a line is drawn once, and says so
    grep -q "^set label '≈ compose-filter'" <<<"$label"
    grep -q "^set label '= compose-kov-sum'" <<<"$label"
    same 'a line to each curve' "$(wc -l <<<"$style")" "$(grep -c '^set arrow' "$script")"
    # in a terminal each has a letter, which is also before its name
    PATH=$BATS_TEST_TMPDIR:$PATH ask "${question[@]}" --plot -
    grep -qF "set label '* compose-optimal'" <<<"$output"
    grep -qF "set label '~ compose-rdp'" <<<"$output"
    grep -qF "set label 'A compose-advanced'" <<<"$output"
    grep -qF "with points pt 'A'" <<<"$output"
}

@test "--plot says what is missing" {
    refused "curve: --plot: 'a.jpg' must end in .svg, .png or .pdf, or be - for the terminal" \
        curve -m 0.1 --epsilon-range 0:1:2 --plot a.jpg
    refused "curve: --plot: - draws below the text of the answer; give a file for other forms" \
        curve -m 0.1 --epsilon-range 0:1:2 --plot - --format csv
    local program
    program=$(command -v "$DPACCT")
    PATH=/nonexistent ask_untraced curve -m 0.1 --epsilon-range 0:1:2 --plot - && :
    DPACCT=$program
    answered 3 '' 'dpacct: curve: --plot: needs gnuplot, which is not there; install it (gnuplot-nox), or draw what --plot-data prints'
    # what it said where it is there: the loader ends with 127 where memory is short
    printf '#!/bin/sh\nprintf "\\033out of memory\\nmore\\n" >&2\nexit 127\n' >"$BATS_TEST_TMPDIR/gnuplot"
    chmod +x "$BATS_TEST_TMPDIR/gnuplot"
    PATH=$BATS_TEST_TMPDIR:$PATH ask_untraced curve -m 0.1 --epsilon-range 0:1:2 --plot - && :
    answered 3 '' 'dpacct: curve: --plot: gnuplot could not draw it: \x1bout of memory; --plot-data prints what it was given'
}

@test "the pictures of the documents are made by the commands beside them" {
    needs_gnuplot
    local made=$BATS_TEST_TMPDIR/made.svg line count=0 kept
    cd "$DPACCT_SOURCE"
    while read -r -a line; do
        kept=${line[-1]}
        ask "${line[@]:1:${#line[@]}-2}" "$made"
        [ "$status" -le 1 ] # where the ledger has a budget, some points are beyond it
        count=$((count + 1))
        if [ "$(grep -o 'GNUPLOT [0-9.a-z ]*' "$made")" = "$(grep -o 'GNUPLOT [0-9.a-z ]*' "$kept")" ]; then
            cmp "$made" "$kept"
        fi
    done < <(grep -h '^dpacct .* --plot docs/pictures/' docs/*.md README.md)
    same pictures "$(find docs/pictures -name '*.svg' | wc -l)" "$count"
}
