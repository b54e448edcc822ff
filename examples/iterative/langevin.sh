#!/bin/sh
# SPDX-License-Identifier: MIT
# Stochastic gradient Langevin dynamics that samples from a posterior: step size h, inverse
# temperature B, gradients clipped to norm C. A step is W - h g(W) + sqrt(2 h / B) N(0, I), g the
# mean over the batch. Divided by h, the noise on that mean has the standard deviation
# sqrt(2 / (h B)); the gradients of two records differ by at most 2 C.
set -eu
dpacct=${DPACCT:-dpacct}
step_size=0.1 inverse_temperature=600 clip=1
sigma=$(awk -v h="$step_size" -v b="$inverse_temperature" \
    'BEGIN { printf "%.6f", sqrt(2 / (h * b)) - 5e-7 }') # rounded down, which is the safe side
"$dpacct" iterative-gaussian --dataset-size 60000 --batch-size 100 --times 6000 --diameter $((2 * clip)) \
    --sigma "$sigma" --target-delta 1e-6
