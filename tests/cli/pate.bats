#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

secret='dpacct: pate: warning: per-instance figures are computed from private votes: no differential privacy, not to be published'
lnmax=(pate --aggregator lnmax --inverse-scale 1/20)

setup() {
    file=$BATS_TEST_TMPDIR/votes
}

@test "pate: what is missing, too much or out of range is said" {
    refused "pate: --inverse-scale: is missing; this aggregator needs it" pate --aggregator lnmax
    refused "pate: --sigma: is missing; this aggregator needs it" pate --aggregator gnmax --target-delta 1e-5
    refused "pate: --sigma: is not of this aggregator; leave it out" "${lnmax[@]}" --sigma 3
    refused "pate: --answered: must not exceed the queries that are asked" \
        pate --aggregator confident-gnmax --sigma 1 --sigma-threshold 1 --queries 3 --answered 4 --target-delta 0.1
    refused "pate: --target-delta: is missing: Gaussian noise has no finite epsilon of its own; give target_delta or target_epsilon" \
        pate --aggregator gnmax --sigma 40
    refused "pate: --queries: is what solve is to find; leave it out" \
        "${lnmax[@]}" --queries 3 --solve queries --max-epsilon 1
    refused "pate: --solve: must be queries for lnmax, which has no sigma" \
        "${lnmax[@]}" --solve sigma --max-epsilon 1
    refused "pate: --classes: is of instance alone" "${lnmax[@]}" --classes 3
}

@test "pate: the last query that fits, not the first that breaks the budget" {
    silent 0 "${lnmax[@]}" --queries 10 --max-epsilon 1
    silent 1 "${lnmax[@]}" --queries 11 --max-epsilon 1 # of the noisy votes
    head_is "(1, 0)-DP, queries = 10, add-remove adjacency [pate-laplace: exact]" \
        "${lnmax[@]}" --solve queries --max-epsilon 1 --max-delta 0
    local gnmax=(pate --aggregator gnmax --sigma 40 --max-epsilon 1 --max-delta 1e-5)
    silent 0 "${gnmax[@]}" --queries 57
    silent 1 "${gnmax[@]}" --queries 58
    run --separate-stderr "$DPACCT" "${lnmax[@]}" --solve queries --max-epsilon 1 --max-delta 1e-3 --all --json
    same queries "pate-laplace 31 pate-renyi 25 pate-pure 16 pate-moments 6 pate-stop-after 7" \
        "$(jq -r '[.results[] | .theorem, .queries_exact] | join(" ")' <<<"$output")"
}

@test "pate: in lists Laplace noise is that of the two votes that move" {
    local votes=pate:aggregator=lnmax,inverse-scale=1/25,queries=5
    head_is '(0.6057430704, 1e-5)-DP, add-remove adjacency [compose-pairs: exact]' \
        compose -m "${votes}x2" --target-delta 1e-5
    local first=$output
    works compose -m laplace:scale=25x20 --target-delta 1e-5
    same rows "$first" "$output"
    works compose -m "$votes" -m gaussian:sigma=9 --group-size 3 --target-delta 1e-5
    first=${lines[0]}
    head_is "$first" compose -m laplace:scale=25,sensitivity=3x10 -m gaussian:sigma=3 --target-delta 1e-5
    works compose -m "$votes" --target-delta 1e-5 --all
    [[ $output == *compose-renyi* && $output == *compose-zcdp-sum* ]]
    silent 0 compose -m "$votes" --max-epsilon 0.4
    silent 1 compose -m "$votes" --max-epsilon 0.399
}

@test "pate: neither queries nor noise beyond a budget" {
    ask pate --aggregator gnmax --sigma 2 --solve queries --max-epsilon 0.01 --max-delta 1e-9
    same status 1 "$status"
    same first 'not even queries = 1 fits: queries = 1 already gives (0.01, 0.2727165027)-DP, add-remove adjacency [pate-gaussian: exact]' "${lines[0]}"
    silent 1 pate --aggregator confident-gnmax --sigma-threshold 1 --solve sigma --max-epsilon 1 --max-delta 1e-5
    refused 'pate: --max-delta: is missing: Gaussian noise has no finite epsilon at delta = 0' \
        pate --aggregator gnmax --solve sigma --max-epsilon 1
    ask pate --aggregator gnmax --queries 9 --solve sigma --max-epsilon 1 --max-delta 0
    same status 1 "$status"
    [[ $(notes) == *'note: no sigma fits: delta is above 0 at every epsilon and any sigma' ]]
}

@test "pate: votes decide nothing" {
    echo '250 0' >"$file"
    local gnmax=(pate --aggregator gnmax --sigma 40 --votes "$file" --target-delta 1e-5)
    ask "${gnmax[@]}" --max-epsilon 0.1 --json
    same status 1 "$status"
    same stderr "$secret" "$stderr"
    same verdicts 'exact true per-instance' \
        "$(jq -r '[.guarantee.verdict, (.results[1].epsilon < 0.1), .results[1].verdict] | join(" ")' <<<"$output")"
    ask "${gnmax[@]}" --max-epsilon 0.1 -q
    same status 1 "$status"
}

@test "pate: votes in lines, with commas, as JSON, in a batch" {
    printf '# votes\n\n 3 4/2\t1 \r\n1,2,3\n' >"$file"
    ask "${lnmax[@]}" --votes "$file" --target-delta 0.1 --json
    local first=$output
    same votes '[["3","4/2","1"],["1","2","3"]]' "$(jq -c .input.votes <<<"$first")"
    echo '[[3, "4/2", 1], ["1", 2, 3]]' >"$file"
    ask "${lnmax[@]}" --votes "$file" --target-delta 0.1 --json
    same answer "$first" "$output"
    run --separate-stderr "$DPACCT" batch <<<"$(jq -c '.input + {command: "pate"}' <<<"$first")"
    same fed "$(jq -c .results <<<"$first")" "$(jq -c .results <<<"$output")"
}

@test "pate: fractions with votes: equation (3), never above either alone" {
    local shares=$BATS_TEST_TMPDIR/shares
    printf '30 1 0\n9 8 7\n' >"$file"
    printf '.4 .3 .3 .9 .1 0\n1 0 0 1/3 1/3 1/3\n' >"$shares"
    local bagging=(pate --aggregator lnmax --inverse-scale 1/2 --instance "$shares" --classes 3 --target-delta 1e-3)
    ask "${bagging[@]}" --json
    local alone
    alone=$(jq '.results[-1].epsilon' <<<"$output")
    ask "${bagging[@]}" --votes "$file" --json
    same rows 'pate-lnmax-instance pate-bagging-instance true true' \
        "$(jq -r --argjson alone "$alone" '[.results[-2:][].theorem, (.results[-1].epsilon < $alone),
            (.results[-1].epsilon < .results[-2].epsilon)] | join(" ")' <<<"$output")"
    refused "pate: --votes: must be those of the queries of instance, by class" "${bagging[@]:0:7}" --target-delta 0.1 \
        --classes 2 --votes "$file"
}

@test "pate: hostile files of votes" {
    local ask=("${lnmax[@]}" --target-delta 0.1 --votes "$file")
    printf '1 2\n3\n' >"$file"
    refused "pate: --votes: must have as many numbers in each line as in the first" "${ask[@]}"
    printf '1 x\n' >"$file"
    refused "pate: --votes: 'x' is not a number; write it like 60000, 0.1, 1e-5, 1/3, 2^-40 or ln(3)" "${ask[@]}"
    printf '1 -1\n' >"$file"
    refused "pate: --votes: '-1' must be a number of votes: 0 or more, of at most some hundred digits" "${ask[@]}"
    printf '1 1e999999\n' >"$file"
    refused "pate: --votes: '1e999999' must be a number of votes: 0 or more, of at most some hundred digits" "${ask[@]}"
    printf '1 \0 2\n' >"$file"
    refused "pate: $file: is not text" "${ask[@]}"
    printf '# nothing\n' >"$file"
    refused "pate: $file: holds no numbers" "${ask[@]}"
    yes '1 2 3 4' | head -n 30000 >"$file"
    refused "pate: --votes: must have at most 100000 numbers" "${ask[@]}"
    for text in '[]' '[1]' '[[]]' '[[1], 2]' '[["1,2"]]' '[["1;2"]]' '[[[1]]]' '[[1]' '[{}]'; do
        echo "$text" >"$file"
        ask "${ask[@]}"
        same "$text" '2 ' "$status $output"
    done
    rm "$file"
    refused "pate: $file: cannot be read: No such file or directory" "${ask[@]}"
    echo '3 4' >"$file"
    refused "pate: --teachers: must be the sum of the votes of each query" "${ask[@]}" --teachers 8
    refused "pate: --queries: must be the number of lines of votes; leave it out" "${ask[@]}" --queries 8
    echo '1/3 1/3' >"$file"
    refused "pate: --instance: must sum to 1 for each query, with thirds written 1/3" \
        "${lnmax[@]}" --target-delta 0.1 --instance "$file"
}
