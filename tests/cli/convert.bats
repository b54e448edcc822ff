#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "convert: what is missing, too much or out of range is said" {
    refused "convert: --pure, --approx, --zcdp, --rdp, --cdp, --gdp: one of them is needed" convert --order 2
    refused "convert: --pure, --approx, --zcdp, --rdp, --cdp, --gdp: exclude each other; give one of them" \
        convert --pure 1 --gdp 1 --order 2
    refused "convert: --target-delta: is missing, or target_epsilon, an order or zCDP in its place" convert --pure 1
    refused "convert: --target-epsilon, --target-delta, --order, --to: exclude each other; give one of them" \
        convert --pure 1 --order 2 --to zcdp
    refused "convert: --rdp: must be pairs of an order and its divergence" convert --rdp 2 --order 2
    refused "convert: --rdp: must have orders above 1, each before its value" convert --rdp 0.5,2 --order 2
    refused "convert: --zcdp: must have a rho >= 0" convert --zcdp=-1 --order 2
    refused "convert: --cdp: must be a mean and a tau" convert --cdp 1 --order 2
    refused "convert: --order: '1' must be a number above 1" convert --pure 1 --order 1
    refused "convert: --order: is above all orders that are given, and nothing is known there" \
        convert --rdp 2,1 --order 3
    refused "convert: --approx: has a delta above 0, with which Renyi divergences have no finite bound" \
        convert --approx 1,1e-9 --to zcdp
    refused "convert: --to: does not follow: the statement is zCDP already, or bounds no order above its greatest" \
        convert --rdp 2,1 --to zcdp
}

@test "convert: points in any number and order, from words and from JSON, are one curve" {
    local words lines
    words=$("$DPACCT" convert --rdp 8,0.4 --rdp 2,0.05 --rdp 32,2 --target-delta 1e-5 --json)
    same input '["8","0.4","2","0.05","32","2"]' "$(jq -c .input.rdp <<<"$words")"
    for points in '["8,0.4", "2,0.05", "32,2"]' '[8, 0.4, 2, 0.05, 32, 2]' '"8,0.4,2,0.05,32,2"'; do
        lines=$(echo "{\"command\": \"convert\", \"rdp\": $points, \"target_delta\": \"1e-5\"}" | "$DPACCT" batch)
        same results "$(jq -c .results <<<"$words")" "$(jq -c .results <<<"$lines")"
    done
    same again "$(jq -c .results <<<"$words")" \
        "$(jq -c '.input + {command: "convert"}' <<<"$words" | "$DPACCT" batch | jq -c .results)"
}

@test "convert: the unsound row is shown only when all are, and never decides" {
    same few null "$("$DPACCT" convert --zcdp 0.1 --target-delta 1e-5 --json |
        jq '[.results[] | select(.verdict == "unsound")][0]')"
    same all '["zcdp-to-dp-gaussian","zcdp-to-dp"]' "$("$DPACCT" convert --zcdp 0.1 --target-delta 1e-5 --all --json |
        jq -c '[.results[-1].theorem, .guarantee.theorem]')"
    silent 3 convert --zcdp 0.1 --max-epsilon 1.8 --max-delta 1e-5
    silent 1 convert --zcdp 0.1 --max-epsilon 1.7 --max-delta 1e-5
    silent 0 convert --zcdp 0.1 --max-epsilon 2 --max-delta 1e-5
}

@test "a decimal comma is no second number" {
    refused 'convert: --zcdp: after the comma stands xi; was 0.1 meant? For xi write 0,1.0' \
        convert --zcdp 0,1 --target-delta 1e-6
    refused 'convert: --zcdp: after the comma stands xi; was 0.05 meant? For xi write 0,05.0' \
        convert --zcdp=0,05 --target-delta 1e-6
    refused 'convert: --approx: after the comma stands delta, below 1; was 0.1 meant?' \
        convert --approx 0,1 --target-delta 1e-6
    works convert --zcdp 0,1.0 --target-delta 1e-6
    works convert --zcdp 0.1,0.2 --target-delta 1e-6
    works convert --zcdp 1,0 --target-delta 1e-6
    works convert --approx 1,0 --target-delta 1e-6
}
