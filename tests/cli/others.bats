#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "discrete-gaussian: what is solved for keeps the budget, and the next smaller one does not" {
    local budget=(--times 3 --max-epsilon 1 --max-delta 1e-6)
    head_is '(1, 9.99992e-7)-DP, sigma2 = 53.4914, add-remove adjacency [compose-pairs: exact]' \
        discrete-gaussian --solve sigma2 "${budget[@]}" --digits 6
    silent 0 discrete-gaussian --sigma2 53.4914 "${budget[@]}"
    silent 1 discrete-gaussian --sigma2 53.4913 "${budget[@]}"
    refused "discrete-gaussian: --sigma2: is missing" discrete-gaussian --target-delta 1e-5
    refused "discrete-gaussian: --sigma2: is what --solve is to find; leave it out" \
        discrete-gaussian --sigma2 3 --solve sigma2 --max-epsilon 1 --max-delta 1e-5
    refused "discrete-gaussian: --sigma2: must be at least 1/1000" discrete-gaussian --sigma2 1e-4 --target-delta 1e-5
}

@test "generalization: what is missing, too much or out of range is said" {
    refused "generalization: --epsilon: is missing; give it as --epsilon E" generalization -N 10
    refused "generalization: --failure: excludes --gap; give one of them, or --solve samples" \
        generalization --epsilon 0.1 -N 10 --gap 0.2 --failure 0.1
    refused "generalization: --gap: is missing; solving for the samples needs the gap and the failure" \
        generalization --epsilon 0.1 --solve samples
    refused "generalization: --samples: is what is solved for; leave it out" \
        generalization --epsilon 0.1 --solve samples --gap 0.2 -N 10
    refused "generalization: --gap: is not reached by this bound however many the samples" \
        generalization --epsilon 5 --gap 0.5 --failure 0.1 --solve samples
    refused "generalization: --delta: '2' must be a number from 0 to 1, such as 1e-5" \
        generalization --epsilon 1 --delta 2
    refused "generalization: --selection: '1e-100000' must be above 0, and with at most some thousand digits" \
        generalization --epsilon 1 -N 10 --selection 1e-100000
}

@test "generalization: a vacuous bound is no guarantee" {
    ask generalization --epsilon 10 --delta 1e-5 -N 60000 --json
    same status 0 "$status"
    same theorem generalization-mean "$(jq -r .guarantee.theorem <<<"$output")"
    same vacuous true "$(jq -r '.results[] | select(.theorem == "generalization-certified") | .vacuous' <<<"$output")"
    ask generalization --epsilon 10 --delta 1 -N 60000 --json
    same guarantee null "$(jq -r .guarantee <<<"$output")"
}

@test "records are -n, --dataset-size; older names are read" {
    local rest=(--batch-size 5 -T 3 --diameter 1 --sigma 1 --target-epsilon 1 --json) first
    first=$("$DPACCT" iterative-gaussian -n 10 "${rest[@]}")
    same key '"10"' "$(jq -c .input.n <<<"$first")"
    for name in --dataset-size --samples -N; do
        same "$name" "$first" "$("$DPACCT" iterative-gaussian $name 10 "${rest[@]}")"
    done
    same fields "$first" "$(echo '{"command": "iterative-gaussian", "samples": "10", "batch_size": "5", "times": "3",
        "diameter": 1, "sigma": 1, "target_epsilon": "1"}' | tr '\n' ' ' | "$DPACCT" batch)"
    same generalization "$("$DPACCT" generalization --epsilon 0.1 --samples 95727)" \
        "$("$DPACCT" generalization --epsilon 0.1 -n 95727)"
    refused "iterative-gaussian: --dataset-size: is given twice; give it once" iterative-gaussian -n 1 -N 2
}

@test "one form of output" {
    ask kl-bound --epsilon 1 --json --format csv
    same status 2 "$status"
    same stdout '' "$output"
    same error '["--json","and --format csv exclude each other; give one of them"]' "$(jq -c '[.error.argument, .error.message]' <<<"$stderr")"
    works kl-bound --epsilon 1 --json --format json
}

@test "iterative-gaussian: what is missing or out of range is said" {
    local steps=(iterative-gaussian -N 10 --batch-size 5 -T 3 --diameter 1 --sigma 1)
    refused "iterative-gaussian: --target-delta: is missing: there is no published epsilon here to take as the target" \
        "${steps[@]}"
    refused "iterative-gaussian: --slack: is missing; the published statement needs delta and slack" \
        "${steps[@]}" --delta 1e-5 --target-delta 0.1
    refused "iterative-gaussian: --batch-size: must be an integer from 1 to the samples" \
        iterative-gaussian -N 10 --batch-size 11 -T 3 --diameter 1 --sigma 1 --target-delta 0.1
    refused "iterative-gaussian: --sigma: '0' must be a number above 0, such as 2.5" \
        iterative-gaussian -N 10 --batch-size 5 -T 3 --diameter 1 --sigma 0 --target-delta 0.1
    silent 0 "${steps[@]}" --target-delta 0.1 --max-epsilon 2
    silent 3 "${steps[@]}" --target-delta 1e-9 --max-epsilon 0.01 # an upper bound refutes nothing
}

@test "ledgers: what bagging claims is proved by its whole profile, alone and beside others" {
    local ledger="$BATS_TEST_TMPDIR/one.json" mixed="$BATS_TEST_TMPDIR/mixed.json" bag
    bag='{"mechanism": "bagging-with", "n": 1000, "k": 100, "base_epsilon": 1, "base_delta": "1e-5"}'
    printf '{"mechanisms": [%s]}' "$bag" >"$ledger"
    printf '{"mechanisms": [%s, {"epsilon": 0.05}]}' "$bag" >"$mixed"
    ask compose "$ledger" --claim 0.1697,1e-3 --json
    same status 0 "$status"
    same claim '["proved",true,"compose-pairs","exact"]' \
        "$(jq -c '[.claim.verdict, .check.holds, .guarantee.theorem, .guarantee.verdict]' <<<"$output")"
    silent 0 compose "$ledger" --max-epsilon 0.1697 --max-delta 1e-3
    silent 1 compose "$ledger" --max-epsilon 0.1 --max-delta 1e-3
    ask compose "$mixed" --claim 0.2,1e-3 --json
    same status 1 "$status"
    same claim '["refuted",false,null,"exact"]' \
        "$(jq -c '[.claim.verdict, .check.holds, .check.why, .guarantee.verdict]' <<<"$output")"
    silent 0 compose "$mixed" --max-epsilon 0.2 --max-delta 2.6e-3
    silent 1 compose "$mixed" --max-epsilon 0.04 --max-delta 1e-4 # what stands beside it alone spends more
    silent 1 compose "$ledger" --add 0.05 --max-epsilon 0.2 --max-delta 1e-3
    silent 0 compose "$ledger" --add 0.05 --max-epsilon 0.2 --max-delta 2.6e-3
    silent 1 compose -m 0.05 --add 0.05 --max-epsilon 0.2 --max-delta 1e-3 --solve times "$ledger"
    silent 1 compose -m 0.21 --add 0.05 --max-epsilon 0.2 --max-delta 1e-3 "$ledger"
    ask curve "$mixed" --epsilon-range 0.1:0.3:3 --format csv --digits 4
    same curve "compose-pairs,exact compose-pairs,exact compose-pairs,exact" \
        "$(printf '%s\n' "$output" | sed 1d | cut -d, -f1,2 | paste -sd' ')"
    ask curve "$ledger" --epsilon-range 0.1:0.1697:2 --format csv --digits 4
    [[ ${lines[2]} == compose-pairs,exact,0.1697,0.1697,8.240e-5,8.241e-5 ]]
}

@test "ledgers: exact without replacement, by release, and one way under add-remove" {
    local ledger="$BATS_TEST_TMPDIR/one.json"
    echo '{"mechanisms": [{"mechanism": "bagging-without", "n": 10, "k": 5, "base_epsilon": 1}]}' >"$ledger"
    head_is '(0.2, 0.1715142062)-DP, add-remove adjacency [amplify-profile: exact]' compose "$ledger" --target-epsilon 0.2
    silent 0 compose "$ledger" --max-epsilon 0.2 --max-delta 0.17152
    silent 1 compose "$ledger" --max-epsilon 0.2 --max-delta 0.17151
    silent 1 compose "$ledger" -m 0.1 --max-epsilon 0.2 --max-delta 0.07 # by a response that is below it
    echo '{"mechanisms": [{"mechanism": "bagging-with", "n": 1000, "k": 10}]}' >"$ledger"
    head_is '(0, 0.09520785289)-DP, times = 10, add-remove adjacency [compose-optimal: exact]' \
        compose "$ledger" --solve times --max-delta 0.1
    # the larger data set alone leaks: 5/8 at epsilon 0, where a leak of both would be 3/4
    echo '{"mechanisms": [{"mechanism": "bagging-without", "n": 2, "k": 1}, {"epsilon": "ln(3)"}]}' >"$ledger"
    head_is '(0, 0.625)-DP, add-remove adjacency [compose-pairs: exact]' compose "$ledger" --target-epsilon 0
    silent 0 compose "$ledger" --max-epsilon 0 --max-delta 0.625
    silent 1 compose "$ledger" --max-epsilon 0 --max-delta 0.624999
    head_is '(0, 0.75)-DP, replace-one adjacency [compose-optimal: exact]' \
        compose "$ledger" --target-epsilon 0 --adjacency replace-one
    silent 1 compose "$ledger" --max-epsilon 0 --max-delta 0.7 --adjacency replace-one
}

@test "json: check and guarantee are always keys; an open check says why" {
    ask bagging-with -n 10 -k 2 --json
    same check null "$(jq -c '.check, .guarantee == null | select(. != false)' <<<"$output")"
    ask curve -m 0.1 --epsilon-range 0:1:2 --json
    same keys '[true,true,null,null]' "$(jq -c '[has("check"), has("guarantee"), .check, .guarantee]' <<<"$output")"
    ask compose -m 'ln(3)x2' --max-epsilon 'ln(3)' --max-delta 3/8 --json
    same check '{"holds":true,"max_epsilon":1.0986122886681096,"max_epsilon_exact":"ln(3)","max_delta":0.375,"max_delta_exact":"3/8"}' \
        "$(jq -c .check <<<"$output")"
    ask compose -m 0.1x3 --claim 0.29 --json
    same check '[false,0.29,"0.29","0",false]' \
        "$(jq -c '[.check.holds, .check.max_epsilon, .check.max_epsilon_exact, .check.max_delta_exact, .claim.holds]' <<<"$output")"
    ask compose -m 0.1x1e60 --max-epsilon 4995837495787997219838636520828431964279979378101843996718 --max-delta 1e-6 --json
    same status 3 "$status"
    same open '[null,"the method'"'"'s own limit was met; neither more time nor more memory will help"]' \
        "$(jq -c '[.check.holds, .check.why]' <<<"$output")"
    ask compose -m 0.1x1e60 --max-epsilon 4995837495787997219838636520828431964279979378101843996718 --max-delta 1e-6
    same status 3 "$status"
    [[ ${lines[1]} == "check: (4995837495787997219838636520828431964279979378101843996718, 1e-6)-DP is not decided: the method's own limit was met; "* ]]
}

@test "divergence and kl-bound: one mechanism or a list, not both; delta makes KL infinite" {
    refused "divergence: --epsilon: is missing; give it, or a list of mechanisms" divergence
    refused "divergence: --mechanism: excludes --epsilon, --delta and --times; give the list or the one mechanism" \
        divergence --epsilon 1 -m 0.1
    refused "kl-bound: delta: must be 0: where outputs may be impossible on one side (delta > 0) the KL divergence has no finite bound" \
        kl-bound -m 1,1e-5
    ask divergence --epsilon 1 --delta 1e-5 --json
    same kl '["Infinity",["Infinity","Infinity"]]' \
        "$(jq -c '.results[] | select(.theorem == "kl-tight") | [.value, .value_enclosure]' <<<"$output")"
    ask divergence --epsilon 'ln(3)' --json
    same "total variation" '["total_variation","0.5","0.5"]' \
        "$(jq -c '.results[0] | [.divergence, .value_enclosure[]]' <<<"$output")"
    same kinds "total_variation kl chi_squared squared_hellinger renyi max_divergence" \
        "$(jq -r '[.results[].divergence] | join(" ")' <<<"$output")"
    ask divergence -m 0 --order 2 --format csv
    answered 0 "theorem,verdict,divergence,value_lower,value_upper,alpha_lower,alpha_upper
divergence-total-variation,exact,total_variation,0,0,,
kl-tight,exact,kl,0,0,,
divergence-chi-squared,exact,chi_squared,0,0,,
divergence-squared-hellinger,exact,squared_hellinger,0,0,,
divergence-renyi,exact,renyi,0,0,2,2
divergence-max,exact,max_divergence,0,0,," ''
}

@test "theorems: one, all, and one that is misspelt" {
    ask theorems compose-optimal
    same status 0 "$status"
    same head 'compose-optimal [exact]' "${lines[0]}"
    refused "theorems: 'compose-optimul' is not a theorem; did you mean 'compose-optimal'?" \
        theorems compose-optimul
    ask theorems compose-optimal --json
    same keys 'schema version command input guarantee results check theorems warnings notes' \
        "$(jq -r 'keys_unsorted | join(" ")' <<<"$output")"
    same empty '[{"theorem":"compose-optimal"},null,[],null,[],[]]' \
        "$(jq -c '[.input, .guarantee, .results, .check, .warnings, .notes]' <<<"$output")"
    ask theorems --json
    same input '{}' "$(jq -c .input <<<"$output")"
    same unsound '' "$(jq -r '.theorems[] | select(.verdict == "unsound" and .counterexample == null) | .id' <<<"$output")"
}

@test "batch: order, ids and line numbers are kept, bad lines are passed over" {
    run --separate-stderr "$DPACCT" batch <<'LINES'
{"command": "kl-bound", "epsilon": 0.1, "id": {"a": [1.50, null]}}

not json
{"command": "kl-bond", "epsilon": 0.1, "id": 7}
{"command": "compose", "mechanisms": [{"epsilon": 0.1000000000000000000000000000000000000001}], "id": "x"}
LINES
    same status 2 "$status"
    same lines 4 "${#lines[@]}"
    same id '{"a":[1.50,null]}' "$(sed 's/.*"id":\({[^}]*}\).*/\1/' <<<"${lines[0]}")"
    same line 3 "$(jq .line <<<"${lines[1]}")"
    same line '[4,7]' "$(jq -c '[.line, .id]' <<<"${lines[2]}")"
    same digits 0.1000000000000000000000000000000000000001 \
        "$(jq -r '.input.mechanisms[0].epsilon' <<<"${lines[3]}")"
}

@test "batch: what an earlier line chose is not chosen for a later one" {
    local bag='{"command":"bagging-with","n":60000,"k":600,"base_epsilon":1' line
    local other=',"base_delta":"1e-5","base_adjacency":"add-remove"'
    printf '%s}\n' "$bag" "$bag$other" "$bag$other" "$bag$other,\"all\":true" "$bag,\"all\":true" \
        "$bag,\"all\":true" "$bag$other" "$bag" "$bag,\"all\":false" \
        >"$BATS_TEST_TMPDIR/lines"
    while IFS= read -r line; do
        "$DPACCT" batch <<<"$line"
    done <"$BATS_TEST_TMPDIR/lines" >"$BATS_TEST_TMPDIR/alone"
    same together "$(cat "$BATS_TEST_TMPDIR/alone")" "$("$DPACCT" batch <"$BATS_TEST_TMPDIR/lines")"
    same "different ones" 4 "$(sort -u "$BATS_TEST_TMPDIR/alone" | grep -c '"guarantee":{')"
}

@test "batch: the form of an answer is no question of a line" {
    local name
    for name in quiet help; do
        same "$name" "$name: is of the command line; a line is answered in JSON, leave it out" \
            "$(echo "{\"command\": \"kl-bound\", \"epsilon\": 1, \"$name\": true}" | "$DPACCT" batch | jq -r .error)"
        same "no $name" null \
            "$(echo "{\"command\": \"kl-bound\", \"epsilon\": 1, \"$name\": false}" | "$DPACCT" batch | jq -r .error)"
    done
    for field in '"format": "csv"' '"plot": "a.svg"' '"plot_data": true' '"plot-data": true'; do
        run --separate-stderr "$DPACCT" batch <<<"{\"command\": \"kl-bound\", \"epsilon\": 1, $field}"
        same "status of $field" 2 "$status"
        name=${field#\"}
        same "error of $field" "${name%%\"*}: is of the command line; a line is answered in JSON, leave it out" \
            "$(jq -r .error <<<"$output")"
    done
    run --separate-stderr "$DPACCT" batch <<<'{"command": "kl-bound", "epsilon": 1, "format": "json"}'
    same status 0 "$status"
}

@test "batch: memory stays constant over many lines" {
    many() { yes '{"command": "bagging-with", "n": 60000, "k": 300, "N": 7}' | head -n "$1"; }
    few=$(many 1000 | /usr/bin/env python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$DPACCT" batch)
    lots=$(many 100000 | /usr/bin/env python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$DPACCT" batch)
    [ "$lots" -lt $((few + 2000)) ] || { echo "$few kB, then $lots kB"; return 1; }
}

@test "hostile sizes are refused at once and in little memory" {
    (
        ulimit -v 1000000
        for x in 1e999999999 2^99999999999 1e-999999999 "$(printf '1%.0s' {1..100001})" 'ln(0)' '1/0'; do
            run timeout 5 "$DPACCT" compose -m "$x" --target-delta 1e-5
            [ "$status" -eq 2 ] || { echo "${x:0:40}: status $status"; exit 1; }
        done
        head -c 10000000 /dev/zero | tr '\0' 9 >"$BATS_TEST_TMPDIR/long.json"
        run timeout 10 "$DPACCT" compose "$BATS_TEST_TMPDIR/long.json"
        [ "$status" -eq 2 ]
        printf '%0.s[' {1..100000} >"$BATS_TEST_TMPDIR/deep.json"
        run timeout 10 "$DPACCT" compose "$BATS_TEST_TMPDIR/deep.json"
        [ "$status" -eq 2 ]
    )
}

@test "a full disk and a closed pipe end with status 3" {
    run --separate-stderr sh -c '"$1" bagging-with -n 10 -k 3 >/dev/full' sh "$DPACCT"
    same status 3 "$status"
    same message 'dpacct: the output could not be written' "$stderr"
    run --separate-stderr bash -c '{ sleep 0.2; "$1" bagging-with -n 10 -k 3; echo $? >"$2"; } | true' sh \
        "$DPACCT" "$BATS_TEST_TMPDIR/status"
    same "status of the pipe" 3 "$(cat "$BATS_TEST_TMPDIR/status")"
    same "nothing is said of it" '' "$stderr"
    run --separate-stderr bash -c 'set -o pipefail; yes "{\"command\": \"kl-bound\", \"epsilon\": 1}" | head -n 100000 | { "$1" batch; echo $? >"$2"; } | head -n 1 >/dev/null' sh "$DPACCT" "$BATS_TEST_TMPDIR/status"
    same "status of the pipe" 3 "$(cat "$BATS_TEST_TMPDIR/status")"
    same "nothing is said of it" '' "$stderr"
}

@test "ledgers hold bagging, alone and mixed, of one relation only" {
    ledger() { printf '%s' "$1" | "$DPACCT" compose - "${@:2}"; }
    run ledger '{"mechanisms": [{"mechanism": "bagging-with", "n": 2, "k": 1, "times": 2}]}' --max-delta 0.75 -q
    same "an exact tie" 0 "$status"
    run ledger '{"mechanisms": [{"mechanism": "bagging-with", "n": 2, "k": 1, "times": 2}]}' --max-delta 0.7499 -q
    same "just below" 1 "$status"
    run ledger '{"mechanisms": [{"mechanism": "bagging-with", "n": 9, "k": 3, "adjacency": "replace-one"}]}'
    same "two relations" "dpacct: compose: mechanism 1: is stated for replace-one adjacency, the list for add-remove: mechanisms for different relations do not compose" "$output"
    local stated="$BATS_TEST_TMPDIR/stated.json" other
    echo '{"adjacency": "replace-one", "mechanisms": [{"epsilon": 0.1}]}' >"$stated"
    for other in "compose $stated" "curve $stated --epsilon-range 0:1:2"; do
        # shellcheck disable=SC2086
        refused "${other%% *}: adjacency: is replace-one in the ledger and add-remove on the command line: what is private under one relation need not be under the other" \
            $other --adjacency add-remove
    done
    head_is '(0.1, 0)-DP, replace-one adjacency [compose-optimal: exact]' compose "$stated"
    head_is '(0.1, 0)-DP, replace-one adjacency [compose-optimal: exact]' compose "$stated" --adjacency replace-one
    echo '{"adjacency": "swap", "mechanisms": [{"epsilon": 0.1}]}' >"$stated"
    refused "compose: --adjacency: 'swap' is not one of add-remove|replace-one; did you mean replace-one?" compose "$stated" --adjacency add-remove
    run ledger '{"mechanisms": [{"mechanism": "bagging-with", "n": 9}]}'
    same missing "dpacct: compose: mechanism 1: subsample-size is missing" "$output"
    run ledger '{"mechanisms": [{"mechanism": "bagging", "n": 9}]}'
    same bagging "dpacct: compose: mechanisms: entry 1: unknown mechanism 'bagging'; did you mean 'bagging-with', 'bagging-without' or 'bagging-poisson'?" "$output"
    run ledger '{"mechanisms": [{"mechanism": "square", "n": 9}]}'
    [[ $output == "dpacct: compose: mechanisms: entry 1: unknown mechanism 'square'; known are approx-dp, pure-dp, gaussian, laplace, "*", bagging-poisson" ]]
}

@test "batch: a line that runs out of memory costs only itself" {
    local hostile='{"command":"compose","id":"b","mechanisms":[{"epsilon":0.1,"times":1000000}],"target_delta":1e-5,"max_memory":1000}'
    printf '%s\n' '{"command":"kl-bound","epsilon":0.1,"id":1}' "$hostile" "$hostile" \
        '{"command":"compose","id":2,"mechanisms":[{"epsilon":0.1,"times":35}],"target_delta":1e-5}' \
        >"$BATS_TEST_TMPDIR/lines"
    ask batch <"$BATS_TEST_TMPDIR/lines"
    same status 3 "$status"
    same lines '[1,"kl-bound",null]["b",null,2]["b",null,3][2,"compose",null]' \
        "$(jq -c '[.id, .command, .line]' <<<"$output" | tr -d '\n')"
    same errors 2 "$(grep -c '"error":"out of memory' <<<"$output")"
}

@test "batch: jobs give the same bytes, status and errors in the same order" {
    local questions=$BATS_TEST_TMPDIR/questions jobs i
    local hostile='{"command":"compose","id":"b","mechanisms":[{"epsilon":0.1,"times":1000000}],"target_delta":1e-5,"max_memory":1000}'
    {
        printf '{"command":"bagging-with","n":60000,"k":%d}\n' {1..1500}
        jq -c '.cases[0]?.ask // empty' "$DPACCT_SOURCE"/tests/vectors/*.json
        printf '%s\n' "$hostile" '' 'not json' "$hostile" '{"command":"kl-bond","id":7}'
        for i in 65535 65536 65537 200000; do head -c $i /dev/zero | tr '\0' y; echo; done
        jq -cn '[range(9000) | {epsilon: "0.001", delta: "1e-9"}]
            | {command: "compose", method: "basic", mechanisms: .[:(800, 1900, 9000)], id: length}'
        echo '{"command":"curve","mechanisms":[{"epsilon":"0.1","times":9}],"delta_range":"1e-12:1e-3:5000"}'
        for i in {1..1500}; do echo '{"command":"kl-bound","epsilon":0.1,"times":'"$i}"; done
        head -c 17000000 /dev/zero | tr '\0' x
        printf '\n{"command":"kl-bound","epsilon":1,"id":"last"}'
    } >"$questions"
    ask batch <"$questions"
    same status 3 "$status"
    mv "$BATS_TEST_TMPDIR/ask.out" "$BATS_TEST_TMPDIR/one"
    for jobs in 2 7; do
        timeout 60 "$DPACCT" batch --jobs $jobs <"$questions" >"$BATS_TEST_TMPDIR/many" 2>"$BATS_TEST_TMPDIR/said" || status=$?
        same status 3 "$status"
        same "lines said" 2 "$(wc -l <"$BATS_TEST_TMPDIR/said")"
        cmp "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/many"
    done
    run --separate-stderr timeout 60 "$DPACCT" batch -j 2 -q <"$questions"
    same status 3 "$status"
    same quiet '' "$output"
    refused "batch: --jobs: '0' must be an integer from 1 to 64" batch --jobs 0
    refused "batch: --jobs: '65' must be an integer from 1 to 64" batch --jobs 65
}

@test "batch: a line has its memory for itself, whatever was asked before" {
    local before
    for before in 'printf "{\"command\":\"kl-bound\",\"epsilon\":%d}\n" {1..200}' 'head -c 9000000 /dev/zero | tr "\0" x; echo'; do
        { eval "$before"; echo '{"command":"kl-bound","epsilon":1,"max_memory":30000}'; } >"$BATS_TEST_TMPDIR/lines"
        for jobs in 1 2; do
            run --separate-stderr bash -c '"$1" batch -j $2 <"$3" | tail -n 1 | jq -r .command' sh "$DPACCT" $jobs "$BATS_TEST_TMPDIR/lines"
            same "answer by $jobs" kl-bound "$output"
        done
    done
}

@test "batch: a job that the system ends costs the line it was at" {
    local slow='{"command":"majority","mechanisms":201,"epsilon":"0.1","delta":"1e-5","allowance":"10","target_delta":"1e-5","digits":4000,"id":"slow"}'
    { echo "$slow"; printf '{"command":"kl-bound","epsilon":"%d"}\n' {1..2000}; echo "$slow"; } >"$BATS_TEST_TMPDIR/lines"
    grep -v slow "$BATS_TEST_TMPDIR/lines" | "$DPACCT" batch >"$BATS_TEST_TMPDIR/one"
    timeout 60 "$DPACCT" batch --jobs 2 <"$BATS_TEST_TMPDIR/lines" >"$BATS_TEST_TMPDIR/many" &
    jobs_of() { ps -o "$1" --ppid "$(ps -o pid= --ppid $! | tr -d ' ')"; }
    until [ "$(jobs_of cputimes= | grep -c '[1-9]')" -eq 2 ]; do sleep 0.1; done # at the slow lines
    jobs_of pid= | xargs kill -KILL
    status=0
    wait $! || status=$?
    same status 3 "$status"
    same lost "[1,\"slow\"][2002,\"slow\"]" "$(jq -c 'select(.error | strings | test("ended by the system")) | [.line, .id]' "$BATS_TEST_TMPDIR/many" | tr -d '\n')"
    grep -v slow "$BATS_TEST_TMPDIR/many" | cmp - "$BATS_TEST_TMPDIR/one"
}

@test "batch: fewer jobs answer where no more can be started, and none is said" {
    local i few none
    for i in 1 2 3 4 5 6 7 8; do
        echo "{\"command\": \"kl-bound\", \"epsilon\": $i}"
    done >"$BATS_TEST_TMPDIR/lines"
    few=$({ ulimit -n 9 && "$DPACCT" batch --jobs 4; } <"$BATS_TEST_TMPDIR/lines" 3>&-)
    same answers "$("$DPACCT" batch <"$BATS_TEST_TMPDIR/lines")" "$few"
    none=$({ ulimit -n 4 && "$DPACCT" batch --jobs 4 2>&1; } <"$BATS_TEST_TMPDIR/lines" 3>&-) && return 1
    same none 'dpacct: batch: --jobs: no process can be started: Too many open files; ask without it' "$none"
}

@test "batch: jobs answer a line before the next one comes, and end with their reader" {
    coproc BOTH { timeout 20 "$DPACCT" batch --jobs 3; }
    local id
    for id in 1 2; do
        echo '{"command":"kl-bound","epsilon":1,"id":'"$id}" >&"${BOTH[1]}"
        read -r -t 10 -u "${BOTH[0]}" output
        same id "$id" "$(jq .id <<<"$output")"
    done
    kill "$BOTH_PID" || true
    run --separate-stderr bash -c 'yes "{\"command\": \"kl-bound\", \"epsilon\": 1}" | head -n 20000 | { timeout 20 "$1" batch -j 2; echo $? >"$2"; } | head -n 1 >/dev/null' sh "$DPACCT" "$BATS_TEST_TMPDIR/status"
    same "status of the pipe" 3 "$(cat "$BATS_TEST_TMPDIR/status")"
    same "nothing is said of it" '' "$stderr"
}

@test "batch: what its reader, its writer, its parent or the system ends leaves nothing behind" {
    run /usr/bin/env python3 "$BATS_TEST_DIRNAME/processes.py" "$DPACCT"
    same status 0 "$status" || { echo "$output"; return 1; }
    same tests 22 "$(grep -c '^ok ' <<<"$output")"
}

@test "batch: no pipe takes the place of a standard stream that is closed" {
    local jobs line='{"command":"kl-bound","epsilon":"0.1"}'
    for jobs in 1 3; do
        run --separate-stderr bash -c 'timeout 20 "$1" batch -j "$2" <&-' sh "$DPACCT" $jobs
        same "status without input" 3 "$status"
        same "answers without input" '' "$output"
        same "what is said" 'dpacct: batch: cannot read standard input' "$stderr"
        run --separate-stderr bash -c 'timeout 20 "$1" batch -j "$2" <<<"$3" >&-' sh "$DPACCT" $jobs "$line"
        same "status without output" 3 "$status"
        same "what is said" 'dpacct: the output could not be written' "$stderr"
        run bash -c 'timeout 20 "$1" batch -j "$2" <<<"$3" 2>&-' sh "$DPACCT" $jobs "$line"
        same "status without errors" 0 "$status"
        same answers 1 "${#lines[@]}"
    done
}
