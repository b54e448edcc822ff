#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures dpacct beside the same formulas in Python, in one run on this machine. Never fails by
# time. Finds the program as $DPACCT, else in build/; needs python3-mpmath, uses hyperfine if there.
#
#   tests/bench/run.sh --once   asks every question once and measures nothing: is all of it there?
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
DPACCT=${DPACCT:-$root/build/dpacct}
[ -x "$DPACCT" ] || { echo "bench: $DPACCT is missing; build it or set DPACCT" >&2; exit 1; }
export DPACCT
python=/usr/bin/python3
"$python" -c 'import mpmath' 2>/dev/null || python=python3
exec "$python" "$root/tests/bench/measure.py" "$@"
