#!/bin/sh
# SPDX-License-Identifier: MIT
# "Evaluating Differentially Private Machine Learning in Practice" (Jayaraman, Evans 2019) sets four
# accountants beside each other at the same nominal epsilon: T = 100 passes, delta = 1e-5, one release
# of sensitivity 1 a pass. What the noise of each really gives, and what an attacker gains from it.
#
#   evaluating.sh              the table
#   evaluating.sh plot         the limit lines of the leakage plots, for gnuplot: plot.gp
#
# The noises are those of the authors' formulas, in doubles; of rdp those of their table for q = 0.02
# and 5000 steps. What stands beside them is certified: true epsilon at delta = 1e-5, and the largest
# advantage (true less false positive rate), all rounded up.
set -eu
dpacct=${DPACCT:-dpacct}
passes=100 delta=1e-5

number() { # COMMAND...: the upper end of the first figure of the guarantee, to 4 digits
    "$dpacct" "$@" --digits 4 --json | jq -r "$field"
}

noise() { # RULE EPSILON: the standard deviation, to 6 digits
    awk -v rule="$1" -v e="$2" -v t="$passes" -v d="$delta" 'BEGIN {
        if (rule == "naive") s = t * sqrt(2 * log(1.25 * t / d)) / e
        if (rule == "advanced") s = sqrt(t * log(2.5 * t / d)) * (sqrt(log(2 / d) + 2 * e) + sqrt(log(2 / d))) / e
        if (rule == "zcdp") s = sqrt(t / 2) * (sqrt(log(1 / d) + e) + sqrt(log(1 / d))) / e
        printf "%.6g", s }'
}

plot() {
    echo "# epsilon, e^epsilon - 1, 1 - e^-epsilon, tanh(epsilon/2), and with delta = $delta"
    for e in 0.01 0.02 0.05 0.1 0.2 0.5 1 2 5 10; do
        row='[.results[] | select(.theorem == $t) | .advantage_enclosure[1]][0]'
        pure=$("$dpacct" advantage --pure "$e" --all --digits 6 --json)
        approx=$("$dpacct" advantage --approx "$e,$delta" --all --digits 6 --json)
        echo "$e $(echo "$pure" | jq -r --arg t adv-yeom "$row") $(echo "$pure" |
            jq -r --arg t adv-one-direction "$row") $(echo "$pure" | jq -r --arg t adv-approx "$row") $(
            echo "$approx" | jq -r --arg t adv-approx "$row")"
    done
}

row() { # EPSILON SIGMA-OF-RDP
    field='.results[] | select(.theorem == "adv-approx") | .advantage_enclosure[1]'
    printf '%-8s %-11s' "$1" "$(number advantage --approx "$1,$delta")"
    for rule in naive advanced zcdp; do
        sigma=$(noise "$rule" "$1")
        field='.guarantee.epsilon_enclosure[1]'
        epsilon=$(number gaussian --sigma "$sigma" --times "$passes" --target-delta "$delta")
        field='.guarantee.advantage_enclosure[1]'
        gain=$(number advantage --of gaussian --sigma "$sigma" --times "$passes")
        printf ' %-8s %-10s %-10s' "$sigma" "$epsilon" "$gain"
    done
    field='.guarantee.epsilon_enclosure[1]'
    printf ' %-6s %s\n' "$2" "$(number dp-sgd --noise-multiplier "$2" --sampling-rate 0.02 --steps 5000 \
        --method rdp --target-delta "$delta")"
}

if [ "${1:-}" = plot ]; then
    plot
    exit
fi
printf '%-8s %-11s' nominal 'at most'
for rule in naive advanced zcdp; do
    printf ' %-8s %-10s %-10s' "$rule" epsilon advantage
done
printf ' %-6s %s\n' rdp epsilon
row 0.01 525
row 0.1 70
row 1 7
row 5 1.669
row 10 1.056
row 50 0.551
row 100 0.445
row 1000 0.219
