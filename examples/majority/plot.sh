#!/bin/sh
# SPDX-License-Identifier: MIT
# The noise functions of every design for eleven votes, as CSV, and as a picture where gnuplot is there.
#
#   plot.sh [PICTURE.svg]
set -eu
dpacct=${DPACCT:-dpacct}
gamma() { # OPTION...
    "$dpacct" majority -K 11 --epsilon 0.1 --delta 1e-5 --allowance 3 --target-delta 3e-5 \
        --plot-data --digits 6 "$@"
}
if [ $# -gt 0 ] && command -v gnuplot >/dev/null; then
    gamma --plot "$1"
else
    gamma
fi
