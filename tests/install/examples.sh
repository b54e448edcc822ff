#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every example but the C program and the quickstart, which check.sh builds.
set -u
: "${DPACCT:?the program}" "${DPACCT_SOURCE:?the source folder}"
export DPACCT
# shellcheck source=tests/install/tap.sh
. "$DPACCT_SOURCE/tests/install/tap.sh"
examples=$DPACCT_SOURCE/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
budget=$examples/ci/check-budget.sh

first_lines() { # COUNT COMMAND...: what it prints first
    lines=$1
    shift
    "$@" 2>/dev/null | head -n "$lines"
}

echo '{"mechanisms": [{"epsilon": "0.1", "times": 3}]}' >"$work/open.json"
echo '{"mechanisms": [{"epsilonn": "0.1"}], "max_epsilon": 1}' >"$work/broken.json"

table='question               epsilon       delta           theorem
bagging 300 of 60000   0             4.987562267e-3  bagging-with-exact (exact)
bagging 1000 of 60000  0             0.01652868278   bagging-with-exact (exact)
bagging 5000 of 60000  0             0.07995622430   bagging-with-exact (exact)
10 uses of 0.1         0.9993709058  1e-6            compose-optimal (exact)
100 uses of 0.1        4.774567589   1e-6            compose-optimal (exact)
1000 uses of 0.1       19.34467145   1e-6            compose-optimal (exact)
a mistake on purpose   -             -               refused: '

asked='composition: epsilon in [2.061308722, 2.061308723]
bagging:     epsilon 0.009999833338000001 delta 0 within the budget: True
refused:     --subsample-size: '"'1,5'"' has a decimal comma; write a point, such as 0.1'

handles='after epoch 1 epsilon 1.543630452
after epoch 2 epsilon 2.254084651
after epoch 3 epsilon 2.818942269
refused: sigma has a decimal comma; write a point, such as 0.1'

sgd='table  data     sigma  claim           moments    proved  delta(0)  (0, delta) holds
2      MNIST    200    0.005, 0.005    0.01064    0       1.981e-3  true
2      MNIST    150    0.0083, 0.0083  0.01350    0       2.642e-3  true
4      MNIST    150    0.008, 0.008    0.01355    0       2.642e-3  true
2,4    MNIST    100    0.017, 0.017    0.01868    0       3.963e-3  true
2      MNIST    19     0.083, 0.08     0.07795    0       0.02087   true
4      MNIST    19     0.08, 0.08      0.07795    0       0.02087   true
2      MNIST    8      0.167, 0.154    0.1621     0       0.04971   true
3,5    CIFAR10  72     0.02, 0.02      0.01969    0       4.263e-3  true
3,5    CIFAR10  11.5   0.1, 0.095      0.09667    0       0.02674   true
3      CIFAR10  4.9    0.2, 0.181      0.1986     0       0.06326   true
5      CIFAR10  4.9    0.2, 0.18       0.1989     0       0.06326   true
3      CIFAR10  2.18   0.4, 0.33       0.3953     0       0.1479    true
3      CIFAR10  1.4    0.6, 0.45       0.6084     0       0.2471    true'

labels='n    epsilon  published  rule   sound  optimal  renyi  noise
50   1        11         11     10     24       38     48
50   3        85         85     84     146      242    295
50   5        211        211    210    330      557    666
100  1        43         43     42     95       150    190
100  3        338        338    337    583      960    1170
100  5        843        843    842    1315     2212   2645
150  1        95         95     94     213      336    426
150  3        759        759    758    1308     2153   2626
150  5        1897       1897   1896   2956     4965   5937
250  1        264        264    263    590      931    1182
250  3        2108       2108   2107   3632     5970   7281
250  5        5269       5269   5268   8210     13765  16461'

# One curve for each theorem but those that are equal.
plots_costs() {
    command -v gnuplot >/dev/null || return 0
    status_is 1 sh "$examples/compose-cost/cost.sh" --plot "$work/costs.svg" >/dev/null || return 1
    same 9 "$(grep -c '<g id="gnuplot_plot_' "$work/costs.svg")"
}

plan 22
tap "ledger: the dashboard is within its budget" same \
    "(5.389934136, 1e-6)-DP, add-remove adjacency [compose-optimal: exact]" \
    "$(first_lines 1 "$DPACCT" compose "$examples/ledger/dashboard.json")"
tap "ledger: the tuning is within its budget" same \
    "(5.058629684, 1e-5)-DP, replace-one adjacency [compose-optimal: exact]" \
    "$(first_lines 1 "$DPACCT" compose "$examples/ledger/tuning.json")"
for ledger in dashboard tuning; do
    tap "ci: $ledger passes" status_is 0 sh "$budget" "$examples/ledger/$ledger.json"
done
tap "ci: a tighter epsilon fails" status_is 1 sh "$budget" "$examples/ledger/tuning.json" 5.05
tap "ci: a tighter delta fails" status_is 1 sh "$budget" "$examples/ledger/tuning.json" 5.1 9e-6
tap "ci: the failure is said" same "$examples/ledger/tuning.json: NOT within the budget" \
    "$(first_lines 1 sh "$budget" "$examples/ledger/tuning.json" 5.05)"
tap "ci: no threshold is no verdict" status_is 2 sh "$budget" "$work/open.json"
tap "ci: a threshold met exactly passes" status_is 0 sh "$budget" "$work/open.json" 0.3
tap "ci: a broken ledger is no verdict" status_is 2 sh "$budget" "$work/broken.json"
tap "iterative: Langevin dynamics" same "(0.3484832156, 1e-6)-DP, epsilon_one = 0.5069465638, replace-one adjacency [igmm-certified: proved]" \
    "$(first_lines 1 sh "$examples/iterative/langevin.sh")"
tap "iterative: federated averaging" same "(1.839467967, 1e-5)-DP, epsilon_one = 0.8333473206, replace-one adjacency [igmm-certified: proved]" \
    "$(first_lines 1 sh "$examples/iterative/federated.sh")"
tap "dp-sgd: the sigmas of a paper on bagging" same "$sgd" "$(sh "$examples/dp-sgd/bagging-2021.sh")"
tap "attack: the noises of a paper on attacks" same "$(sed -n '/^\$ sh examples.attack/,/^```/p' "$DPACCT_SOURCE/docs/attack.md" | sed '1d;$d')" \
    "$(sh "$examples/attack/evaluating.sh")"
tap "attack: the limit lines" same '1 1.71829 0.632121 0.462118 0.462123' \
    "$(sh "$examples/attack/evaluating.sh" plot | grep '^1 ')"
tap "compose-cost: the data of docs/compose.md" same \
    "$(cat "$DPACCT_SOURCE/docs/data/ledger-costs.dat")" "$(sh "$examples/compose-cost/cost.sh")"
tap "compose-cost: the plot, where gnuplot is there" plots_costs
tap "majority: the data of the plot" same "votes,majority-optimal,majority-constant,majority-constant-composed,majority-double-subsample,majority-subsample
0,1,0.872019,0.832614,1,1" "$(first_lines 2 sh "$examples/majority/plot.sh" "$work/gamma.svg")"
tap "pate: the labels of a supplement on DP bagging" same "$labels" "$(sh "$examples/pate/labels.sh")"
tap "notebook: the table" same "$table" \
    "$(python3 "$examples/notebook/table.py" | sed 's/refused: .*/refused: /')"
tap "ask: Python through the shared library" same "$asked" \
    "$(python3 "$examples/ask.py" "${DPACCT%/*}/libdpacct.so.1")"
tap "handles: Python through the shared library" same "$handles" \
    "$(python3 "$examples/handles.py" "${DPACCT%/*}/libdpacct.so.1")"
finish
