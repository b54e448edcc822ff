#!/bin/sh
# SPDX-License-Identifier: MIT
# From a bare Debian 12 to the main result: installs what a build needs, builds dpacct, and checks
# the privacy columns of Tables 2 to 5 of "On the Intrinsic Differential Privacy of Bagging"
# (Liu, Jia, Gong 2021). Run it as root or with sudo at hand, from any folder, as often as you like.
#
#   quickstart.sh [BUILD_FOLDER]        default: build/ beside the sources
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=${1:-$root/build}
packages="gcc libc6-dev make cmake pkg-config libgmp-dev libmpfr-dev libmpfi-dev libcjson-dev"

missing=
for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing="$missing $package"
done
if [ -n "$missing" ]; then
    echo "Installing:$missing"
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        as_root=sudo
        command -v sudo >/dev/null || { echo "Run this as root, or install sudo." >&2; exit 1; }
    fi
    $as_root apt-get update -qq
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

mkdir -p "$build"
build=$(cd "$build" && pwd)
log=$build/quickstart.log
echo "Building in $build"
{
    cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DDPACCT_TESTS=OFF &&
        cmake --build "$build" --parallel "$(nproc)"
} >"$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }
dpacct=$build/dpacct

# at_most BOUND COMMAND...: does the command's figure stay within the bound? Decided exactly by the
# exit status; anything but yes and no ends the script.
at_most() {
    set +e
    "$dpacct" "$@" -q
    status=$?
    set -e
    [ "$status" -le 1 ] || exit "$status"
    return "$status"
}

# The paper's epsilon k ln((n+1)/n) is k uses of ln((n+1)/n) composed; its delta is that of bagging.
epsilon_at_most() {
    at_most compose -m "ln($(($1 + 1))/$1)x$2" --max-epsilon "$3"
}

delta_at_most() {
    at_most bagging-with -n "$1" -k "$2" --max-delta "$3"
}

# judge epsilon|delta N K PRINTED: how the printed value relates to the true one. Half a unit of its
# last digit is added and taken away as a fraction of integers, so nothing is rounded here.
judge() {
    digits=${4#*.}
    scale=10
    for _ in $(seq ${#digits}); do scale=${scale}0; done
    while [ "$digits" != "${digits#0}" ]; do digits=${digits#0}; done
    if ! "$1_at_most" "$2" "$3" "$((digits * 10 + 5))/$scale" ||
        "$1_at_most" "$2" "$3" "$((digits * 10 - 5))/$scale"; then
        echo "no rounding"
    elif "$1_at_most" "$2" "$3" "$4"; then
        echo "bound"
    else
        echo "DOWN"
    fi
}

checked=0
down=
wrong=
row() { # TABLE DATASET N K EPSILON DELTA, the last two as printed in the paper
    published=$("$dpacct" bagging-with -n "$3" -k "$4" --format csv |
        awk -F, '$1 == "bagging-with-published" { print $4, $6 }')
    e=$(judge epsilon "$3" "$4" "$5")
    d=$(judge delta "$3" "$4" "$6")
    printf '%-5s %-7s %5s  %-7s %-15s %-5s  %-6s %-15s %s\n' "$1" "$2" "$4" \
        "$5" "${published% *}" "$e" "$6" "${published#* }" "$d"
    for pair in "epsilon=$5=$e" "delta=$6=$d"; do
        checked=$((checked + 1))
        value=${pair%=*}
        case $pair in
        *=DOWN) down="$down
  Table $1, $2, k = $4: $(echo "$value" | sed 's/=/ = /')" ;;
        *=bound) ;;
        *) wrong="$wrong $1:$4:$value" ;;
        esac
    done
}

cat <<'TEXT'

Tables 2 to 5 of the bagging paper: one model trained on k records drawn with replacement.
"paper" is the printed value; "certified" the value of the same formula, rounded up.
bound: the printed value is not below the true one.  DOWN: rounding took it below the truth,
so it bounds nothing. Decided exactly, by exit status of dpacct.

              epsilon = k ln((n+1)/n)          delta = 1 - ((n-1)/n)^k
table set        k  paper   certified               paper  certified
TEXT
row 2 MNIST 60000 300 0.005 0.005
row 2 MNIST 60000 500 0.0083 0.0083
row 2 MNIST 60000 1000 0.017 0.017
row 2 MNIST 60000 5000 0.083 0.08
row 2 MNIST 60000 10000 0.167 0.154
row 4 MNIST 60000 500 0.008 0.008
row 4 MNIST 60000 1000 0.017 0.017
row 4 MNIST 60000 5000 0.08 0.08
row 3 CIFAR10 50000 1000 0.02 0.02
row 3 CIFAR10 50000 5000 0.1 0.095
row 3 CIFAR10 50000 10000 0.2 0.181
row 3 CIFAR10 50000 20000 0.4 0.33
row 3 CIFAR10 50000 30000 0.6 0.45
row 5 CIFAR10 50000 1000 0.02 0.02
row 5 CIFAR10 50000 5000 0.1 0.095
row 5 CIFAR10 50000 10000 0.2 0.18

if [ -n "$wrong" ]; then
    echo
    echo "Not roundings of the true value:$wrong"
    exit 1
fi
count=$(printf '%s\n' "$down" | grep -c '=')
cat <<TEXT

All $checked printed values are the true ones rounded to nearest. $((checked - count)) of them are bounds;
these $count were rounded down and are none:$down

The same delta holds with epsilon = 0 (dpacct theorems bagging-with-exact), so an epsilon rounded
down does no harm. A delta rounded down is a guarantee at no epsilon. For instance:

\$ dpacct bagging-with -n 60000 -k 300
TEXT
"$dpacct" bagging-with -n 60000 -k 300
echo
echo "The program is $dpacct; 'dpacct --help' lists what else it answers."
