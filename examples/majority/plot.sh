#!/bin/sh
# SPDX-License-Identifier: MIT
# The noise functions of every design for eleven votes, as CSV, and as a plot when gnuplot is there.
#
#   plot.sh [PICTURE.svg]
set -eu
dpacct=${DPACCT:-dpacct}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
data=$(mktemp)
trap 'rm -f "$data"' EXIT
"$dpacct" majority -K 11 --epsilon 0.1 --delta 1e-5 --allowance 3 --target-delta 3e-5 \
    --plot-data --digits 6 >"$data"
cat "$data"
if [ $# -gt 0 ] && command -v gnuplot >/dev/null; then
    gnuplot -e "data='$data'; picture='$1'" "$here/plot.gp"
fi
