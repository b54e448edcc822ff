#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What a person asks next: a command behind the answer, on a terminal alone, which runs as it stands.
load helper

on_terminal() { # WORDS: sets status and output
    run env TERM=xterm /usr/bin/python3 "$DPACCT_SOURCE/tests/cli/terminal.py" 300 bash -c "cd '$DPACCT_SOURCE' && \"\$DPACCT\" $1"
}

next_of() { # the command behind the answer, without its reason; sets reason
    local line=${lines[-1]}
    next='' reason=''
    [[ $line == 'next: dpacct '* ]] || return 0
    line=${line#next: dpacct }
    next=${line%%  # *} reason=${line##*  # }
}

# The next command, and the ones after it, are answered: status 0, or 1 where the budget is not kept.
runs_on() { # WORDS
    local words=$1 count
    for count in 1 2 3 4 5; do
        on_terminal "$words"
        [ "$status" -le 1 ] || { printf '%s: %s\n' "$words" "$output"; return 1; }
        next_of
        [ -n "$next" ] || return 0
        words=$next
    done
    echo "no end: $words"
    return 1
}

@test "the command that people ask next, and its reason" {
    local words wanted
    while IFS='|' read -r words wanted; do
        on_terminal "$words"
        next_of
        same "after $words" "$wanted" "${next:+$next  # $reason}" || return 1
        [ -z "$next" ] || runs_on "$next" || return 1
    done <<'LIST'
compose -m 0.1x350|compose -m 0.1x350 --target-delta 1e-6  # epsilon at a delta, in place of the sum
compose -m 0.1x350 --max-epsilon 3|compose -m 0.1x350 --max-epsilon 3 --solve times  # how many uses fit
compose --epsilon 0.1 --times 350 --max-epsilon 3 --max-delta 1e-6|compose --epsilon 0.1 --max-epsilon 3 --max-delta 1e-6 --solve times  # how many uses fit
compose -m 0.1x30 -m gaussian:sigma=2 --max-epsilon 3 --max-delta 1e-6|compose -m 0.1x30 -m gaussian:sigma=2 --by-entry --target-delta 1e-6  # what each entry costs
compose -m 0.1x9 -m 'ln(2)' --max-epsilon=1|compose -m 0.1x9 -m 'ln(2)' --max-epsilon=1 --max-delta 1e-6  # with a small delta
compose examples/ledger/tuning.json|compose examples/ledger/tuning.json --add 0.1  # what is left, and does one more fit?
compose examples/ledger/tuning.json --max-epsilon 3|compose examples/ledger/tuning.json --by-entry --target-delta 1e-5  # what each entry costs
compose examples/ledger/survey.csv --target-delta 1e-5|compose examples/ledger/survey.csv --target-delta 1e-5 --by-entry  # what each entry costs
compose -m 0.1x20 --add 0.2 --max-epsilon 2|compose -m 0.1x20 --add 0.2 --max-epsilon 2 --max-delta 1e-6  # with a small delta
compose -m 0.1x20 --add 0.2 --max-epsilon 3 --max-delta 1e-6|compose -m 0.1x20 --max-epsilon 3 --max-delta 1e-6 --solve sigma  # the Gaussian noise of one release more
gaussian --sigma 2 --target-delta 1e-5|gaussian --solve sigma --max-epsilon 1 --max-delta 1e-5  # the noise for epsilon = 1
gaussian --sigma=2 --max-epsilon 1 --target-delta 1e-6|gaussian --max-epsilon 1 --target-delta 1e-6 --solve sigma  # the noise that keeps it
laplace --scale 2 --max-epsilon 0.1|laplace --max-epsilon 0.1 --solve scale  # the noise that keeps it
discrete-gaussian --sigma2 4 --max-epsilon 0.5 --max-delta 1e-6|discrete-gaussian --max-epsilon 0.5 --max-delta 1e-6 --solve sigma2  # noise that keeps it
dp-sgd --noise-multiplier 1 --sampling-rate 0.01 --steps 100 --target-delta 1e-5 --max-epsilon 0.5|dp-sgd --sampling-rate 0.01 --steps 100 --target-delta 1e-5 --max-epsilon 0.5 --solve noise-multiplier  # the noise that keeps it
bagging-with -n 60000 -k 300 -N 10 --max-delta 0.01|bagging-with -n 60000 -N 10 --max-delta 0.01 --solve k  # the largest subsample that fits
bagging-with -n60000 -k300 -N 10 --max-delta 0.01|bagging-with -n60000 -N 10 --max-delta 0.01 --solve k  # the largest subsample that fits
bagging-poisson --sampling-rate 0.1 --max-delta 0.01|bagging-poisson --max-delta 0.01 --solve q  # the largest rate that fits
pate --aggregator gnmax --sigma 40 --queries 1000 --max-epsilon 1 --max-delta 1e-5|pate --aggregator gnmax --sigma 40 --max-epsilon 1 --max-delta 1e-5 --solve queries  # how many answers fit
curve -m 0.1x10 --epsilon-range 0:1:3|curve -m 0.1x10 --epsilon-range 0:1:3 --plot -  # the same as a picture
bagging-with -n 60000 -k 100:300:3|bagging-with -n 60000 -k 100:300:3 --plot -  # the same as a picture
kl-bound --epsilon 0.1|kl-bound --epsilon 0.1 --all  # beside the other bounds
kl-bound --epsilon 0.1 --all|kl-bound --epsilon 0.1 --all --format statement  # a paragraph for a report
convert --zcdp 0.1 --max-epsilon 1 --max-delta 1e-6|
audit --plan --claim-epsilon 8|
theorems kl-tight|
LIST
}

@test "what follows the examples of the help runs as it stands" {
    local c example
    for c in $(all_commands); do
        while read -r example; do
            runs_on "$example" || return 1
        done < <("$DPACCT" "$c" --help | sed -n 's/^  dpacct \([^<]*\)$/\1/p')
    done
}

@test "what reads the answer gets the answer alone" {
    local words
    for words in 'compose -m 0.1x350' 'gaussian --sigma 2 --target-delta 1e-5' 'curve -m 0.1x10 --epsilon-range 0:1:3' \
        'bagging-with -n 60000 -k 100:300:3'; do
        # shellcheck disable=SC2086
        ask $words
        [[ $output$stderr != *next:* ]]
        for form in '--json' '--format csv' '--format markdown' '--format statement' '--format github'; do
            on_terminal "$words $form"
            [[ $output != *next:* ]]
        done
    done
    on_terminal 'compose -m 0.1x3 --max-epsilon 1 -q'
    same quiet '' "$output"
    on_terminal 'compose - --target-delta 1e-6 <<<'"'"'{"mechanisms": [{"epsilon": 0.1}]}'"'"
    [[ $output == *compose-optimal* && $output != *next:* ]] # it was read already
    on_terminal "compose -m 0.1x3 -m \$'0.1\\x1b' --target-delta 1e-6"
    [[ $output != *next:* ]]
    on_terminal 'filter -m 0.1x5 --add 0.2 --max-epsilon 2 --max-delta 1e-6' # a ledger, for the next question
    [[ $output != *next:* ]]
}
