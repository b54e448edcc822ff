#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "no command: a short usage on standard error, status 2" {
    ask
    answered 2 '' "usage: dpacct COMMAND [OPTION]...
Try 'dpacct --help' for the commands, 'dpacct COMMAND --help' for one of them."
}

@test "--help and help print the same on standard output, -h the commands alone" {
    ask --help
    local first=$output
    same status 0 "$status"
    same stderr '' "$stderr"
    [[ $first == *"usage: dpacct COMMAND [OPTION]..."* ]]
    [[ $first == *"exit status: 0 done"* ]]
    ask help
    answered 0 "$first" ''
    ask -h
    same status 0 "$status"
    same stderr '' "$stderr"
    [[ $output == "usage: dpacct COMMAND [OPTION]..."*"commands:"* && $output != *examples:* ]]
}

@test "the help of every command: whole by --help and help COMMAND, its options by -h, no line over 80 columns" {
    local wide='^.{81,}$'
    for c in $(all_commands); do
        ask "$c" --help
        local first=$output
        same "status of $c" 0 "$status"
        same "stderr of $c" '' "$stderr"
        [[ ${lines[0]} == "usage: dpacct $c "* ]]
        [[ $first == *$'\nexamples:\n'*$'\noptions:\n'* ]]
        [[ $first == *"The manual is in dpacct-$c(1)." ]]
        same "wide lines of $c" '' "$(grep -v '^  dpacct ' <<<"$first" | grep -E "$wide")"
        ask help "$c"
        answered 0 "$first" ''
        ask "$c" -h
        same "status of $c -h" 0 "$status"
        same "stderr of $c -h" '' "$stderr"
        [[ ${lines[0]} == "usage: dpacct $c "* && $output != *$'\nexamples:\n'* ]]
        [ "${#output}" -lt "${#first}" ]
        same "wide lines of $c -h" '' "$(grep -E "$wide" <<<"$output")"
    done
}

@test "help wins over what follows and over what is missing, not over an earlier fault" {
    ask bagging-with --help --nonsense
    same status 0 "$status"
    same stderr '' "$stderr"
    ask rr-prob -qh
    same status 0 "$status"
    [ "${lines[0]}" = "usage: dpacct rr-prob -K K --epsilon E [OPTION]..." ]
    refused "bagging-with: --nonsense: unknown option; see 'dpacct bagging-with --help'" \
        bagging-with --nonsense --help
}

@test "the examples that the help shows run" {
    for c in $(all_commands); do
        while IFS= read -r line; do
            [[ $line == *' < '* ]] && continue # needs a file
            run --separate-stderr bash -c "\"\$DPACCT\" ${line#  dpacct } >/dev/null"
            [ "$status" -le 1 ] || { echo "$line: status $status: $stderr"; return 1; }
            [[ $stderr == *'warning: for batches of a fixed size'* ]] || same "stderr of $line" '' "$stderr"
        done < <("$DPACCT" "$c" --help | grep "^  dpacct $c ")
    done
}

@test "--version: the program, then each library with its licence; no place and no time" {
    ask --version
    same status 0 "$status"
    same stderr '' "$stderr"
    same lines 5 "${#lines[@]}"
    [[ ${lines[0]} =~ ^dpacct\ [0-9]+\.[0-9]+\.[0-9]+\ \(MIT\)$ ]]
    [[ ${lines[1]} =~ ^MPFR\ [0-9.]+.*\ \(LGPL-3.0-or-later\) ]]
    [[ ${lines[2]} =~ ^GMP\ [0-9.]+\ \(LGPL-3.0-or-later\ or\ GPL-2.0-or-later\)$ ]]
    [[ ${lines[3]} =~ ^MPFI\ [0-9.]+.*\ \(LGPL-2.1-or-later\)$ ]]
    [[ ${lines[4]} =~ ^cJSON\ [0-9.]+\ \(MIT\)$ ]]
    [[ $output != */* ]]
}

@test "unknown commands: the nearest name where one is near" {
    refused "'bagging-wiht' is not a command; did you mean 'bagging-with'?" bagging-wiht
    refused "'bagging-witout' is not a command; did you mean 'bagging-without'?" bagging-witout
    refused "'kl-bond' is not a command; did you mean 'kl-bound'?" kl-bond --epsilon 1
    refused "'composed' is not a command; did you mean 'compose'?" composed
    refused "'frobnicate' is not a command; see 'dpacct --help'" frobnicate
    refused "'' is not a command; see 'dpacct --help'" ''
    refused "'theorem' is not a command; did you mean 'theorems'?" help theorem
    refused "'Compose' is not a command; did you mean 'compose'?" Compose
}

@test "abbreviated commands are refused" {
    for c in compos bagging-w kl rr batc theor; do
        ask "$c"
        same "status of $c" 2 "$status"
        same stdout '' "$output"
        [[ $stderr == "dpacct: '$c' is not a command; "* ]]
    done
}

@test "a long command name is cut in the message" {
    local long
    long=$(printf 'b%.0s' {1..5000})
    refused "'${long:0:60}' is not a command; see 'dpacct --help'" "$long"
}

@test "--generate names what it can make" {
    refused "--generate: needs one of man, man-pages, bash, zsh, fish, theorems, schema, ledger-schema" --generate
    refused "--generate: needs one of man, man-pages, bash, zsh, fish, theorems, schema, ledger-schema" --generate troff
    for what in man man-pages dpacct-compose.1 dpacct-ledger.5 dpacct-json.5 bash zsh fish theorems; do
        ask --generate "$what"
        same "status of $what" 0 "$status"
        same stderr '' "$stderr"
        [ "${#lines[@]}" -gt 20 ]
    done
}

@test "completion: what --generate prints, by the name of the shell" {
    for shell in bash zsh fish; do
        ask completion $shell
        answered 0 "$("$DPACCT" --generate $shell)" ''
    done
    refused 'completion: SHELL: is missing; give bash, zsh or fish' completion
    refused "completion: SHELL: 'tcsh' is none of bash, zsh and fish" completion tcsh
}
