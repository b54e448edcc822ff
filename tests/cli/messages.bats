#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What the program says when something is wrong, and to whom.
load helper

hostile=$'a\n::error::\e[31m\x7f\xc2\x9b\xe2\x80\xae\xff'
shown='a\x0a::error::\x1b[31m\x7f\xc2\x9b\xe2\x80\xae\xff'
json_hostile='a\n::error::\u001b[31m\u007f\u009b\u202e'
json_shown='a\x0a::error::\x1b[31m\x7f\xc2\x9b\xe2\x80\xae'

# No control character and no invalid or active UTF-8 but the newline at the end of a line.
harmless() { # TEXT
    /usr/bin/python3 -c "
import sys, unicodedata
text = sys.stdin.buffer.read().decode('utf-8')
bad = {c for c in text if c != '\n' and unicodedata.category(c) in ('Cc', 'Cf', 'Zl', 'Zp')}
sys.exit(f'active characters: {bad}' if bad else 0)" <<<"$1"
}

@test "text from the command line is escaped in every message" {
    local message place
    for place in "$hostile" "--$hostile" "-$hostile"; do
        ask "$place"
        [ "$status" -eq 2 ] && [ "${#stderr_lines[@]}" -eq 1 ] && harmless "$stderr"
        for message in '' --json; do
            ask compose "$place" $message
            [ "$status" -eq 2 ] && [ "${#stderr_lines[@]}" -eq 1 ] && harmless "$stderr"
        done
    done
    refused "compose: $shown: cannot be read: No such file or directory" compose "$hostile"
    refused "'$shown' is not a command; see 'dpacct --help'" "$hostile"
    refused "'$shown' is not a command; see 'dpacct --help'" help "$hostile"
    refused "theorems: '$shown' is not a theorem; 'dpacct theorems' lists them" theorems "$hostile"
    refused "kl-bound: $shown: unexpected argument; 'kl-bound' takes only options" kl-bound "$hostile"
    local c option metavar
    for c in $(all_commands); do
        while read -r option _ metavar _; do
            [ "$metavar" = - ] && continue
            ask "$c" "--$option" "$hostile"
            [ "$status" -eq 2 ] && [ "${#stderr_lines[@]}" -eq 1 ] && harmless "$stderr" ||
                { echo "$c --$option: $stderr"; return 1; }
        done < <(options_of "$c")
        ask "$c" "--help=$hostile"
        [ "$status" -eq 2 ] && harmless "$stderr"
    done
}

@test "text from ledgers, noise functions and lines is escaped" {
    local key ledger=$BATS_TEST_TMPDIR/ledger.json
    printf '{"mechanisms": [{"epsilon": 1}], "%s": 1}' "$json_hostile" >"$ledger"
    refused "compose: $json_shown: unknown field of 'compose'" compose "$ledger"
    printf '{"threads": 2, "mechanisms": [{"epsilon": 1}]}' >"$ledger"
    refused "compose: threads: is asked with the question, and not kept in a ledger" compose "$ledger"
    printf '{"mechanisms": [{"epsilon": 1, "%s": 1}]}' "$json_hostile" >"$ledger"
    ask compose "$ledger"
    [ "$status" -eq 2 ] && [[ $stderr == *"\"$json_shown\""* ]] && harmless "$stderr"
    for key in mechanism name epsilon delta times; do
        for value in "\"$json_hostile\"" "[\"$json_hostile\"]"; do
            printf '{"mechanisms": [{"epsilon": 1, "%s": %s}]}' "$key" "$value" |
                sed 's/"epsilon": 1, "epsilon"/"epsilon"/' >"$ledger"
            ask compose "$ledger" --json
            harmless "$stderr" && harmless "$output" || { cat "$ledger"; return 1; }
            [ "$status" -eq 2 ] || [ "$key" = name ]
        done
    done
    printf '{"mechanisms": [{"epsilon": 1, "name": "%s"}]}' "$json_hostile" >"$ledger"
    works compose "$ledger" --json
    same name "$(jq .name <<<"{\"name\": \"$json_hostile\"}")" "$(jq .input.mechanisms[0].name <<<"$output")"
    printf '["%s"]' "$json_hostile" >"$ledger"
    ask majority -K 1 --epsilon 1 --allowance 1 --gamma "$ledger"
    [ "$status" -eq 2 ] && harmless "$stderr"
    for line in '{"command": "%s"}' '{"command": "kl-bound", "%s": 1}' '{"command": "kl-bound", "epsilon": "%s"}' \
        '{"command": "compose", "m": ["%s"]}' '{"command": "kl-bound", "epsilon": 1, "id": "%s"}'; do
        run --separate-stderr bash -c 'printf "%s\n" "$1" | "$DPACCT" batch' sh "${line//%s/$json_hostile}"
        harmless "$output" && harmless "$stderr" || { echo "$line: $output"; return 1; }
        same lines 1 "${#lines[@]}"
        jq . <<<"$output" >/dev/null
    done
}

@test "one option under two names is given twice" {
    local ledger=$BATS_TEST_TMPDIR/ledger.json
    echo '{"max-epsilon": 1, "mechanisms": [{"epsilon": 0.1}], "max_epsilon": 2}' >"$ledger"
    refused 'compose: max_epsilon: is given twice, first as "max-epsilon"; give it once' compose "$ledger"
    refused 'compose: max_epsilon: is given twice, first as "max-epsilon"; give it once' \
        compose "$ledger" --max-epsilon 3
    refused 'curve: max_epsilon: is given twice, first as "max-epsilon"; give it once' \
        curve "$ledger" --epsilon-range 0:1:2
    echo '{"mechanisms": [{"mechanism": "bagging-with", "n": 9, "k": 3, "dataset_size": 900}]}' >"$ledger"
    ask compose "$ledger"
    same status 2 "$status"
    [[ $stderr == *"is given twice; give it once"* ]]
    run bash -c 'printf "%s\n" "$1" | "$DPACCT" batch' sh \
        '{"command": "bagging-with", "n": 10, "k": 3, "max_delta": 0.1, "max-delta": 1}'
    same status 2 "$status"
    same error 'max-delta: is given twice, first as "max_delta"; give it once' "$(jq -r .error <<<"$output")"
    run bash -c 'printf "%s\n" "$1" | "$DPACCT" batch' sh \
        '{"command": "generalization", "epsilon": 1, "one_sided": true, "one-sided": false}'
    same status 2 "$status"
}

@test "with --json an error is one object on standard error, with the same text" {
    local words
    for words in 'kl-bound --epsilon -1' 'kl-bound --epsilonn 1' 'bagging-with -n 3' 'nonsense' \
        'compose /no/such/file' 'rr-prob -K 2 --epsilon 1 --allowance 1'; do
        # shellcheck disable=SC2086
        ask $words
        local plain=$stderr
        for form in --json '--format json' --format=json; do
            # shellcheck disable=SC2086
            ask $words $form
            same status 2 "$status"
            same stdout '' "$output"
            same lines 1 "${#stderr_lines[@]}"
            same schema dpacct/1 "$(jq -r .schema <<<"$stderr")"
            local command=${words%% *}
            [ "$command" = nonsense ] && command=
            same text "$plain" "$(jq -r --arg c "$command" \
                '"dpacct: " + ([$c, .error.argument, .error.message] | map(select(. != "")) | join(": "))' <<<"$stderr")"
            same help "dpacct${command:+ $command} --help" "$(jq -r .error.help <<<"$stderr")"
        done
    done
    ask rr-prob -K 10001 --epsilon 0.1 --allowance 30 --digits 10000 --max-memory 20000 --json
    same status 3 "$status"
    same help 'dpacct rr-prob --help' "$(jq -r .error.help <<<"$stderr")"
    [[ $(jq -r .error.message <<<"$stderr") == "out of memory"* ]]
    ask compose -m 1 -- --json
    [[ $stderr == dpacct:* ]]
}

@test "--quiet needs something to check" {
    refused 'bagging-with: --quiet: there is nothing to check; give --max-epsilon or --max-delta' \
        bagging-with -n 10 -k 3 -q
    refused 'compose: --quiet: there is nothing to check; give --max-epsilon or --max-delta' compose -m 1 --quiet
    refused 'audit: --quiet: there is nothing to check; give --mu or --claim-point or --max-epsilon' audit --correct 5 --trials 5 -q
    refused 'advantage: --quiet: there is nothing to check; give --max-advantage' advantage --pure 1 -q
    refused 'kl-bound: --quiet: there is nothing to check in this command; leave it out' kl-bound --epsilon 1 -q
    refused 'theorems: --quiet: there is nothing to check; name a theorem' theorems -q
    silent 0 theorems kl-tight
    silent 0 compose -m 1 --claim 1,0
    silent 0 compose -m 1 --add 1 --max-epsilon 2
}
