#!/bin/sh
# SPDX-License-Identifier: MIT
# What each composition theorem costs on one ledger, as data that gnuplot reads: for every delta the
# optimal epsilon and that of each theorem.
#
#   cost.sh [LEDGER] > costs.dat
#   gnuplot -e "data='costs.dat'; picture='costs.svg'" cost.gp
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
ledger=${1:-$here/../ledger/tuning.json}
dpacct=${DPACCT:-dpacct}

echo "# delta optimal rdp zcdp kov hoeffding advanced basic"
for delta in 1e-3 3e-4 1e-4 3e-5 1e-5 9e-6 8e-6; do
    "$dpacct" compose "$ledger" --target-delta "$delta" --max-epsilon 10 --all --format csv --digits 6 |
        awk -F, -v delta="$delta" '
            { epsilon[$1] = $4 }
            END {
                print delta, epsilon["compose-optimal"], epsilon["compose-rdp"], epsilon["compose-zcdp"],
                    epsilon["compose-kov-log"], epsilon["compose-kov-hoeffding"],
                    epsilon["compose-advanced"], epsilon["compose-basic"]
            }'
done
