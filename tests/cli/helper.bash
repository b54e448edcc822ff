# SPDX-License-Identifier: MIT
# Shared by the bats files: every question checks the status and both streams.
# shellcheck disable=SC2034,SC2154 # what ask sets by name
bats_require_minimum_version 1.5.0

same() { # WHAT EXPECTED ACTUAL
    [ "$2" = "$3" ] && return
    printf '%s differs\n--- expected\n%s\n--- actual\n%s\n' "$1" "$2" "$3"
    return 1
}

# What `run --separate-stderr` does, without its eight processes: there are thousands of questions.
ask() { # ARGUMENT...: sets status, output, stderr, lines and stderr_lines
    local -
    set +T # bats traces every command of a test, which takes most of the time of a question
    ask_untraced "$@"
}

ask_untraced() {
    local out=$BATS_TEST_TMPDIR/ask.out err=$BATS_TEST_TMPDIR/ask.err
    status=0
    "$DPACCT" "$@" >"$out" 2>"$err" || status=$?
    taken output lines <"$out"
    taken stderr stderr_lines <"$err"
}

taken() { # TEXT LINES: standard input into these variables, empty lines not among the lines
    local -n text=$1 list=$2
    IFS= read -r -d '' text || true
    while [[ $text == *$'\n' ]]; do text=${text%$'\n'}; done
    IFS=$'\n' read -r -d '' -a list <<<"$text" || true
}

answered() { # STATUS STDOUT STDERR, after ask
    same status "$1" "$status" && same stdout "$2" "$output" && same stderr "$3" "$stderr"
}

refused() { # MESSAGE ARGUMENT...
    local message=$1
    shift
    ask "$@"
    answered 2 '' "dpacct: $message" || { printf 'question: %s\n' "$*" | cut -c1-300; return 1; }
}

silent() { # STATUS ARGUMENT...: the exit status is the answer
    local wanted=$1
    shift
    ask "$@" -q
    answered "$wanted" '' '' || { printf 'question: %s\n' "$*" | cut -c1-300; return 1; }
}

works() { # ARGUMENT...: status 0, an answer, nothing on stderr
    ask "$@"
    same status 0 "$status" && same stderr '' "$stderr" && [ -n "$output" ] ||
        { printf 'question: %s\n' "$*" | cut -c1-300; return 1; }
}

head_is() { # LINE ARGUMENT...: status 0, nothing on stderr, the first line
    local line=$1
    shift
    ask "$@"
    same status 0 "$status" && same stderr '' "$stderr" && same 'first line' "$line" "${lines[0]}"
}

all_commands() {
    "$DPACCT" --help | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'
}

# The notes of the last answer, a line for each
notes() {
    awk '/^note: / { if (n != "") print n; n = $0; next }
        n != "" && /^      / { sub(/^ +/, " "); n = n $0 }
        END { if (n != "") print n }' <<<"$output"
}

# A line for each option of the command, its phrase behind it
option_lines() { # COMMAND
    "$DPACCT" "$1" -h | awk '
        function put() { if (text != "") print text; text = "" }
        /^options:/ { on = 1; next }
        on && /^$/ { put(); exit }
        on && /^  (-.,|   ) --/ { put(); text = $0; next }
        on { sub(/^ */, ""); text = text (text ~ /[|]$/ ? "" : " ") $0 }'
}

# name, letter or "-", metavar or "-", choices or "-": one line for each option of the command
options_of() { # COMMAND
    option_lines "$1" | awk '
        {
            letter = "-"; metavar = "-"; choices = "-"; field = 1
            if ($1 ~ /^-[A-Za-z],$/) { letter = substr($1, 2, 1); field = 2 }
            name = substr($field, 3)
            if ($0 ~ /^  (-.,|   ) --[a-z0-9-]+ [^ ]/) metavar = $(field + 1)
            if (match($0, /: +([A-Za-z0-9-]+[|][^ ]*|[a-z-]+( \[[^]]*\])?$)/))
                choices = substr($0, RSTART + 2, RLENGTH - 2)
            sub(/^ */, "", choices)
            sub(/ .*/, "", choices)
            print name, letter, metavar, choices
        }'
}

# The delta of the guarantee, read from JSON by python so that every digit stays.
json_field() { # PYTHON-EXPRESSION on the document d; stdin is the document
    /usr/bin/python3 -c "
import json, sys
d = json.load(sys.stdin, parse_float=str, parse_int=str)
print($1)"
}
