#!/bin/sh
# SPDX-License-Identifier: MIT
# What each composition theorem costs on one ledger, beside the optimum.
#
#   cost.sh [LEDGER] > costs.dat        the epsilon of every sound theorem for a range of delta
#   cost.sh --table DELTA [LEDGER]      a table at one delta, with the ratio to the optimum
#   cost.sh --plot PICTURE [LEDGER]     the same range as a picture
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
dpacct=${DPACCT:-dpacct}

# Rows "delta theorem epsilon" of the sound theorems, strongest first. Whether the ledger's own budget
# holds is not asked here.
costs() { # LEDGER DELTA...
    ledger=$1
    shift
    for delta; do
        "$dpacct" compose "$ledger" --target-delta "$delta" --all --format csv --digits 6 |
            awk -F, -v delta="$delta" 'NR > 1 && $2 != "unsound" { print delta, $1, $4 }'
    done
}

if [ "${1:-}" = --table ]; then
    costs "${3:-$here/../ledger/tuning.json}" "$2" | awk '
        NR == 1 { optimum = $3; printf "%-28s %-8s %s\n", "theorem", "epsilon", "times the optimum" }
        { printf "%-28s %-8s %.2f\n", $2, $3, $3 / optimum }'
    exit
fi

if [ "${1:-}" = --plot ]; then
    exec "$dpacct" compose "${3:-$here/../ledger/tuning.json}" --target-delta 8e-6:1e-3:20 --all --digits 6 \
        --plot "$2"
fi

echo "# SPDX-License-Identifier: MIT"
costs "${1:-$here/../ledger/tuning.json}" 1e-3 3e-4 1e-4 3e-5 1e-5 9e-6 8e-6 | awk '
    !($1 in seen) { seen[$1]; delta[++rows] = $1 }
    !($2 in known) { known[$2]; theorem[++columns] = $2 }
    { epsilon[$1, $2] = $3 }
    END {
        line = "delta"
        for (j = 1; j <= columns; j++) line = line " " theorem[j]
        print line
        for (i = 1; i <= rows; i++) {
            line = delta[i]
            for (j = 1; j <= columns; j++)
                line = line " " ((delta[i], theorem[j]) in epsilon ? epsilon[delta[i], theorem[j]] : "nan")
            print line
        }
    }'
