#!/bin/sh
# SPDX-License-Identifier: MIT
# Labels that subsample and aggregate may publish, for n teachers with Laplace noise of inverse scale
# 2/n: the counts of the tables of the DP-bagging supplement, and what is true.
#
#   labels.sh [DELTA]    1e-3 unless given: the delta that reproduces the tables, whose captions say 1e-5
#
# published  what the tables say (43 in three of them at n = 100, epsilon 1; 44 in a fourth)
# rule       answers until the published accountant reaches the budget: the last one breaks it
# sound      the last count within the budget, by the same accountant
# optimal    by optimal composition of queries of which only their epsilon is known
# renyi      by the Renyi divergence of Laplace noise
# noise      by optimal composition of Laplace noise
set -eu
dpacct=${DPACCT:-dpacct}
delta=${1:-1e-3}
echo "n    epsilon  published  rule   sound  optimal  renyi  noise"
while read -r n epsilon published; do
    "$dpacct" pate --aggregator lnmax --inverse-scale "2/$n" --solve queries \
        --max-epsilon "$epsilon" --max-delta "$delta" --all --format csv |
        awk -F, -v n="$n" -v epsilon="$epsilon" -v published="$published" '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "queries_lower") column = i }
            NR > 1 { queries[$1] = $column }
            END { printf "%-4d %-8s %-10s %-6s %-6s %-8s %-6s %s\n", n, epsilon, published,
                         queries["pate-stop-after"], queries["pate-moments"],
                         queries["pate-pure"], queries["pate-renyi"], queries["pate-laplace"] }'
done <<'TABLES'
50 1 11
50 3 85
50 5 211
100 1 43
100 3 338
100 5 843
150 1 95
150 3 759
150 5 1897
250 1 264
250 3 2108
250 5 5269
TABLES
