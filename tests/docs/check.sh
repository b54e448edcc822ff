#!/bin/bash
# SPDX-License-Identifier: MIT
# The documents tell the truth (TAP): generated ones are what the program generates, the man page and
# the completions load, every ```console block shows exactly what its commands print, and relative
# links lead somewhere.
#
#   check.sh                    checks everything
#   check.sh fill DOCUMENT...   rewrites the console blocks with what their commands print
set -u
root=${DPACCT_SOURCE:-$(cd -- "$(dirname -- "$0")/../.." && pwd)}
dpacct=${DPACCT:?the binary to check with}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$dpacct" "$work/dpacct"
PATH=$work:$PATH
tests=0

result() { # NAME STATUS FILE: shows FILE as the reason
    tests=$((tests + 1))
    if [ "$2" -eq 0 ]; then
        echo "ok $tests - $1"
    else
        echo "not ok $tests - $1"
        head -n 40 "$3" | sed 's/^/# /'
    fi
}

export DPACCT_SOURCE=$root
# Runs the "$ " lines of the console blocks of a document; writes what the blocks should look like.
run_blocks() { # DOCUMENT
    awk '
        function flush_command() {
            if (command == "") return
            close(shell_command)
            shell_command = "cd \"" root "\" && { " command "\n} 2>/dev/null"
            while ((shell_command | getline line) > 0) print line
            close(shell_command)
            command = ""
        }
        BEGIN { root = ENVIRON["DPACCT_SOURCE"] }
        /^```console$/ { inside = 1; print; next }
        inside && /^```$/ { flush_command(); inside = 0; print; next }
        !inside { print; next }
        continued { print; command = command "\n" $0; continued = /\\$/; next }
        /^\$ / { flush_command(); print; command = substr($0, 3); continued = /\\$/; next }
    ' "$1"
}
if [ "${1:-}" = fill ]; then
    shift
    for document in "$@"; do
        run_blocks "$document" >"$work/made" && cp "$work/made" "$document"
    done
    exit 0
fi

# ---- generated documents ---------------------------------------------------------------------
generated() { # WHAT FILE
    dpacct --generate "$1" >"$work/made" 2>"$work/err"
    diff -u "$root/$2" "$work/made" >"$work/diff" 2>&1
    result "$2 is what --generate $1 prints" $? "$work/diff"
}
generated theorems docs/theorems.md
dpacct --generate man-pages >"$work/pages"
while read -r page; do
    generated "$page" "docs/man/$page"
done <"$work/pages"
(cd "$root/docs/man" && printf '%s\n' *) | sort >"$work/present"
sort "$work/pages" | diff - "$work/present" >"$work/diff"
result "docs/man holds the pages of man-pages and no others" $? "$work/diff"
generated schema docs/schema/dpacct-1.schema.json
generated ledger-schema docs/schema/ledger-1.schema.json
for shell in bash zsh fish; do
    generated $shell docs/completions/dpacct.$shell
done

for page in "$root"/docs/man/*; do
    man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null | sed "s|^|${page##*/}: |"
done >"$work/warnings"
[ ! -s "$work/warnings" ]
result "the man pages have no warnings" $? "$work/warnings"

# ---- completions -----------------------------------------------------------------------------
complete_bash() { # WORDS...: what bash offers for the last word
    bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        f=$(complete -p dpacct | sed "s/.*-F \([^ ]*\).*/\1/"); "$f" dpacct "${!#}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$root/docs/completions/dpacct.bash" "$@"
}
complete_bash dpacct bagging-w >"$work/offers" 2>&1
grep -qx 'bagging-with *' "$work/offers"
result "bash completes a command" $? "$work/offers"
complete_bash dpacct compose --method op >"$work/offers" 2>&1
grep -qx 'optimal *' "$work/offers"
result "bash completes the value of an option" $? "$work/offers"
complete_bash dpacct theorems kl-dw >"$work/offers" 2>&1
grep -qx 'kl-dwork *' "$work/offers"
result "bash completes the id of a theorem" $? "$work/offers"
zsh -f -c 'autoload -Uz compinit && compinit -u -d "$1/dump"; source "$2"; whence -w _dpacct' \
    zsh "$work" "$root/docs/completions/dpacct.zsh" >"$work/offers" 2>&1
grep -q function "$work/offers"
result "zsh loads the completions" $? "$work/offers"
fish --no-config -c "source '$root/docs/completions/dpacct.fish'; complete -C 'dpacct bagging-w'" \
    >"$work/offers" 2>&1
grep -q '^bagging-with' "$work/offers"
result "fish completes a command" $? "$work/offers"
fish --no-config -c "source '$root/docs/completions/dpacct.fish'; complete -C 'dpacct theorems kl-dw'" \
    >"$work/offers" 2>&1
grep -q '^kl-dwork' "$work/offers"
result "fish completes the id of a theorem" $? "$work/offers"

# ---- hand-written documents ------------------------------------------------------------------
documents() {
    find "$root" \( -name build -o -name .git \) -prune -o -name '*.md' -print | sort
}

for document in $(documents); do
    name=${document#"$root"/}
    if grep -q '^```console$' "$document"; then
        run_blocks "$document" >"$work/made"
        diff -u "$document" "$work/made" >"$work/diff"
        result "$name shows what its commands print" $? "$work/diff"
    fi
    : >"$work/broken"
    grep -o '](\([^)]*\))' "$document" | sed 's/^](//; s/)$//; s/#.*//' | while read -r link; do
        case $link in '' | *://* | mailto:*) continue ;; esac
        [ -e "$(dirname "$document")/$link" ] || echo "$link leads nowhere" >>"$work/broken"
    done
    [ ! -s "$work/broken" ]
    result "$name has no broken link" $? "$work/broken"
done
echo "1..$tests"
