#!/bin/sh
# SPDX-License-Identifier: MIT
# Federated averaging with a trusted server: the records are 10000 clients, 200 of them take part in
# each of 300 rounds, each sends an update clipped to norm 1, and the server adds Gaussian noise of
# standard deviation 0.05 to the mean. Neighbours differ in one client.
set -eu
dpacct=${DPACCT:-dpacct}
"$dpacct" iterative-gaussian --dataset-size 10000 --batch-size 200 --times 300 --diameter 2 --sigma 0.05 \
    --target-delta 1e-5
