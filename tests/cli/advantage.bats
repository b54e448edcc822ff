#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "advantage: what is missing, too much or out of range is said" {
    refused "advantage: --approx: is missing, or one of pure, gdp, zcdp, rdp, a list in its place" advantage
    refused "advantage: --pure, --approx, --zcdp, --rdp, --gdp, --solve: exclude each other; give one of them" \
        advantage --pure 1 --gdp 1
    refused "advantage: --approx: excludes pure, gdp, zcdp, rdp and a list, and each of these the others; give one of them" \
        advantage --pure 1 -m 0.1
    refused "advantage: --prior: '2' must be a number from 0 to 1, of at most some thousand digits" advantage --pure 1 --prior 2
    refused "advantage: --max-advantage: is missing: the advantage that what is solved for may give" \
        advantage --solve mu
    refused "advantage: --delta: belongs to approximate zCDP, or to what is solved for; that of an (E, D)-DP guarantee stands beside its epsilon" \
        advantage --pure 1 --delta 1e-5
    refused "advantage: --rdp: must have orders above 1, each before its value" advantage --rdp 1,2
    refused "advantage: --group: has no theorem for points of a Renyi curve: give those of the group" \
        advantage --rdp 2,1 --group 2
}

@test "advantage: the game is that of the relation" {
    refused "advantage: --game: replaced is about one record for another, which is two steps of the add-remove adjacency of the guarantee: give it for replace-one, or ask about a group of 2" \
        advantage --pure 1 --game replaced
    refused "advantage: --game: in-out is about a record added or removed; the guarantee is for replace-one adjacency: ask about replaced, or give a guarantee for add-remove" \
        advantage --pure 1 --game in-out --adjacency replace-one
    ask advantage --pure 1 --game replaced --group 2
    [ "$status" -eq 0 ]
    ask advantage --pure 1 --game replaced --adjacency replace-one
    [ "$status" -eq 0 ]
}

@test "advantage: ties are decided exactly" {
    ask advantage --pure 'ln(3)' --max-advantage 1/2
    [ "$status" -eq 0 ]
    ask advantage --pure 'ln(3)' --max-advantage 0.49999999999999999999999999
    [ "$status" -eq 1 ]
    ask advantage --approx 0,0.005 --max-advantage 0.005
    [ "$status" -eq 0 ]
    ask advantage -m 'ln(3)' --max-advantage 1/2
    [ "$status" -eq 0 ]
    ask advantage --zcdp 0 --max-advantage 0
    [ "$status" -eq 0 ]
    ask advantage --solve epsilon --max-advantage 0.01 --delta 0.02
    [ "$status" -eq 1 ]
    ask advantage --solve epsilon --max-advantage 0.02 --delta 0.02
    [ "$status" -eq 0 ]
}

@test "advantage: a mechanism by its own options is the item" {
    local item
    item=$("$DPACCT" advantage -m gaussian:sigma=2x10 --prior 0.1 --json)
    same long "$item" "$("$DPACCT" advantage --of gaussian --sigma 2 --times 10 --prior 0.1 --json)"
    same equals "$item" "$("$DPACCT" advantage --prior=0.1 --of=gaussian --times=10 --sigma=2 --json)"
    same letters "$("$DPACCT" advantage -m bagging-with:n=600,k=30 --json)" \
        "$("$DPACCT" advantage --of bagging-with -n 600 -k30 --json)"
    same again "$(jq -c .results <<<"$item")" \
        "$(jq -c '.input + {command: "advantage"}' <<<"$item" | "$DPACCT" batch | jq -c .results)"
    same zcdp "$("$DPACCT" advantage --zcdp 0.3 --json | jq -c .guarantee.advantage_enclosure)" \
        "$("$DPACCT" advantage --of zcdp --rho 0.1 --times 3 --json | jq -c .guarantee.advantage_enclosure)"
    refused "advantage: --of: 'gaussian' needs its options behind it, as in --of gaussian --sigma 2" \
        advantage --of gaussian
    refused "advantage: --sigma: needs a value" advantage --of gaussian --sigma
}

@test "advantage: rates, beliefs and secrets that make no sense are said" {
    refused "advantage: --fpr: '1.5' must be a number from 0 to 1, of at most some thousand digits" advantage --pure 1 --fpr 1.5
    refused "advantage: --tpr: '95' must be a number from 0 to 1, of at most some thousand digits" advantage --pure 1 --tpr 95
    refused "advantage: --belief: '-1' must not be negative, such as 0.1 or ln(3)" advantage --pure 1 --belief -1
    refused "advantage: --kappa: must be k/n beside n equally likely secrets: a guess counts for k of them" \
        advantage --pure 1 --secrets 3 --kappa 0.5
    refused "advantage: --secrets: '0' must be a positive integer, such as 60000 or 10^9" advantage --pure 1 --secrets 0
    refused "advantage: --game: 'in' is not one of in-out|replaced; did you mean in-out?" advantage --pure 1 --game in
    refused "advantage: --tpr: is given twice; give it once" advantage --pure 1 --tpr 0.1 --tpr 0.2
}

@test "advantage: unsound rows are shown only when all are, and never decide" {
    same few null "$("$DPACCT" advantage --approx 1,1e-5 --json |
        jq '[.results[] | select(.verdict == "unsound")][0]')"
    same all '["ppv-approx-nofpr","posterior-approx-published"]' "$("$DPACCT" advantage --approx 1,1e-5 --all --json |
        jq -c '[.results[] | select(.verdict == "unsound") | .theorem]')"
    same guarantee '"adv-approx"' "$("$DPACCT" advantage --approx 1,1e-5 --all --json | jq -c .guarantee.theorem)"
}

@test "advantage: what is asked at several rates is in order, and asked again" {
    local answer
    answer=$("$DPACCT" advantage --gdp 1 --fpr 0.1 --fpr 0.01 --members 50 --json)
    same rates '["0.1","0.01"]' "$(jq -c '[.results[] | select(.theorem == "tpr-at-fpr") | .fpr_enclosure[0]]' <<<"$answer")"
    same members '["expected_members","fpr","tpr"]' "$(jq -c '[.results[] | select(.theorem == "tpr-at-fpr")][0] |
        keys | map(select(test("enclosure|theorem|verdict|assumptions") | not))' <<<"$answer")"
    same again "$(jq -c .results <<<"$answer")" \
        "$(jq -c '.input + {command: "advantage"}' <<<"$answer" | "$DPACCT" batch | jq -c .results)"
    same ledger "$("$DPACCT" advantage -m gaussian:sigma=2 -m 0.1 --json | jq -c .guarantee)" \
        "$(echo '{"mechanisms": [{"mechanism": "gaussian", "sigma": 2}, {"epsilon": 0.1}], "target_delta": 1e-5}' |
            "$DPACCT" advantage - --json | jq -c .guarantee)"
}

@test "advantage: what is solved for is for one record, and nothing without effect is passed over" {
    local option
    for option in '--game replaced' '--digits 3' '--adjacency replace-one'; do
        # shellcheck disable=SC2086 # options and their values
        refused "advantage: --group: is not solved for: give a guarantee in the place of solve, with the group and max_advantage, and search by that check" \
            advantage --solve epsilon --max-advantage 0.1 --group 2 $option
    done
    ask advantage --solve mu --max-advantage 0.1 --group 1 --prior 0.5
    [ "$status" -eq 0 ]
    for option in '--prior 0.1' '--fpr 0.1' '--tpr 0.1' '--secrets 3' '--kappa 0.1' '--belief 1' '--members 3' '--trainings 3'; do
        # shellcheck disable=SC2086
        refused "advantage: ${option% *}: has no effect on what is solved for: ask it of a guarantee" \
            advantage --solve rho --max-advantage 0.1 $option
    done
    refused "advantage: --members: is a question at false positive rates: give at least one in fpr" \
        advantage --pure 1 --members 10
    refused "advantage: --trainings: is a question about members that all of them reveal: give their number in members, and a rate in fpr" \
        advantage --pure 1 --fpr 0.1 --trainings 10
    refused "advantage: --game: replaced is about one record for another, which is a group of 2 and no other under the add-remove adjacency of the guarantee; for several records give it for replace-one, with their number as the group" \
        advantage --pure 1 --game replaced --group 4
}

@test "advantage: zCDP of groups and of several statements is proved, and refutes what Gaussian noise exceeds" {
    local source
    for source in '--zcdp 0.025 --group 2' '-m zcdp:rho=0.025 --group 2' '-m zcdp:rho=0.01x10' \
        '-m zcdp:rho=0.05 -m zcdp:rho=0.05'; do
        # shellcheck disable=SC2086
        ask advantage $source --max-advantage 0.2 --json
        [ "$status" -eq 3 ]
        same "$source" '["proved","proved"]' "$(jq -c '[.results[].verdict]' <<<"$output")"
        # shellcheck disable=SC2086
        ask advantage $source --max-advantage 0.23 -q
        [ "$status" -eq 0 ]
        # shellcheck disable=SC2086
        ask advantage $source --max-advantage 0.1769367262 -q
        [ "$status" -eq 1 ]
        # shellcheck disable=SC2086
        ask advantage $source --max-advantage 0.1769367263 -q
        [ "$status" -eq 3 ]
    done
    for source in '--zcdp 0.1' '-m zcdp:rho=0.1'; do
        # shellcheck disable=SC2086
        ask advantage $source --max-advantage 0.2 --json
        [ "$status" -eq 1 ]
        same "$source" '"exact"' "$(jq -c .results[0].verdict <<<"$output")"
    done
}

@test "advantage: zCDP with xi is as good as its best order, and refutes what randomized response exceeds" {
    local limit
    # the least over all orders are 0.47609945215304609971 and 0.28306321156975257431
    same one '["0.47609945215","0.47609945216"]' \
        "$("$DPACCT" advantage --zcdp 0.001,1 --digits 11 --json | jq -c .guarantee.advantage_enclosure)"
    for limit in '--zcdp 0.1,0.1' '-m zcdp:rho=0.05,xi=0.05x2'; do
        # shellcheck disable=SC2086
        same "$limit" '["0.28306321156","0.28306321157"]' \
            "$("$DPACCT" advantage $limit --digits 11 --json | jq -c .guarantee.advantage_enclosure)"
    done
    for limit in 0.477:0 0.47609945216:0 0.476099452:3 0.4622:3 0.4621:1 0.1:1; do # tanh(1/2) = 0.462117
        ask advantage --zcdp 0.001,1 --max-advantage "${limit%:*}" -q
        same "$limit" "${limit#*:}" "$status"
    done
    for limit in 0.438:0 0.4379:3 0.4226:3 0.4225:1; do # 0.1 + 0.9 tanh(3/8) = 0.42252
        ask advantage --zcdp 0.001,0.75 --delta 0.1 --max-advantage "${limit%:*}" -q
        same "$limit" "${limit#*:}" "$status"
    done
    ask advantage --zcdp 0.5,-0.1 --max-advantage 0.3 -q # 0.3829 of Gaussian noise breaks xi < 0
    [ "$status" -eq 3 ]
}

@test "advantage: the tail of a pair is that of one use of Gaussian noise, and of nothing else" {
    local source
    same one '["loss-tail-pair","exact"]' "$("$DPACCT" advantage -m gaussian:sigma=1 --belief 1 --json |
        jq -c '.results[-1] | [.theorem, .verdict]')"
    for source in gaussian:sigma=1x2 'gaussian:sigma=1 -m gaussian:sigma=1' bounded-range:eta=1 laplace:scale=1; do
        # shellcheck disable=SC2086
        same "$source" '["loss-tail-class","proved"]' "$("$DPACCT" advantage -m $source --belief 1 --json |
            jq -c '.results[-1] | [.theorem, .verdict]')"
    done
    # Stopping after the first of two where its loss exceeds 1, else taking the second, has 0.5476.
    same stop true "$("$DPACCT" advantage -m gaussian:sigma=1x2 --belief 1 --json |
        jq '.results[-1].exceed_probability_enclosure[1] | tonumber > 0.5475')"
    same attribute '["proved","proved"]' "$("$DPACCT" advantage -m gaussian:sigma=1 --secrets 10 --json |
        jq -c '[.results[-2:][].verdict]')"
}

@test "advantage: what is far below or near all numbers has a certified figure" {
    ask advantage --gdp 1e-5 --belief 10 --json
    same tail '["0","1.676666426e-323228463"]' \
        "$(jq -c '.results[] | select(.theorem == "loss-tail-class").exceed_probability_enclosure' <<<"$output")"
    ask advantage --gdp 1e300 --fpr 1e-300 --max-time 2 --json
    same all '["0.9999999999","1"]' \
        "$(jq -c '.results[] | select(.theorem == "tpr-at-fpr").tpr_enclosure' <<<"$output")"
    ask advantage --zcdp 1e300 --json
    same certain '["0.9999999999","1"]' "$(jq -c .guarantee.advantage_enclosure <<<"$output")"
    ask advantage --zcdp 1e6 --all --json # e tanh(e/2) = 1e6: e is above it by 1e-434288
    same e '["1000000","1000000.001"]' \
        "$(jq -c '.results[] | select(.theorem == "adv-rr-principle").rr_epsilon_enclosure' <<<"$output")"
    same stderr "" "$stderr"
    ask advantage --zcdp 1e-1000000 --json
    same tiny '["7.071067811e-500001","7.071067812e-500001"]' "$(jq -c .guarantee.advantage_enclosure <<<"$output")"
    ask advantage --zcdp 1e-300 --fpr 0.01 --json
    same rate '["0.01000000000","0.01000000001"]' \
        "$(jq -c '.results[] | select(.theorem == "tpr-at-fpr").tpr_enclosure' <<<"$output")"
    ask advantage --zcdp 0.1 --delta 1 --json
    same excess 0.5 "$(jq '.results[] | select(.theorem == "accuracy-prior").excess_over_prior' <<<"$output")"
}

@test "advantage: an exchange is a group of 2, which may do more than it" {
    ask advantage --of laplace --scale 2 --group 2 --game replaced --json
    same exchange '"proved"' "$(jq -c .guarantee.verdict <<<"$output")"
    ask advantage --of laplace --scale 2 --group 2 --json
    same group '"exact"' "$(jq -c .guarantee.verdict <<<"$output")"
}

@test "advantage: a mechanism by its name, or what looks like one" {
    refused "advantage: --gaussian: unknown option; did you mean --of gaussian?" advantage --gaussian --sigma 1
    refused "advantage: mechanism 1: 'gausian' is not a mechanism; did you mean 'gaussian'?" advantage --of gausian --sigma 1
    refused "advantage: --max-epsilon: unknown option; what is checked here is --max-advantage" \
        advantage --approx 1,1e-5 --max-epsilon 3
}

@test "advantage: rates and priors have an end" {
    local which
    for which in fpr tpr prior kappa; do
        refused "advantage: --$which: '1e-2000' must be a number from 0 to 1, of at most some thousand digits" \
            advantage --gdp 1 --$which 1e-2000
        run -0 "$DPACCT" advantage --gdp 1 --$which 1e-1000
    done
}

@test "advantage: what people ask for under other names is said" {
    refused "advantage: --pure: is one number, epsilon; did you mean --approx 1,1e-5?" advantage --pure 1,1e-5
    refused "advantage: --pure: '1,5' has a decimal comma; write 1.5" advantage --pure 1,5
    refused "advantage: --prior: '200%' must be a number from 0 to 1, of at most some thousand digits" advantage --pure 1 --prior 200%
    refused "advantage: --max-accuracy: unknown option; it is (1 + A)/2 at a prior of 1/2; what is checked is A, --max-advantage" \
        advantage --pure 1 --max-accuracy 0.6
    refused "advantage: --posterior: unknown option; it is shown for a pure guarantee at --prior; otherwise --belief T" \
        advantage --pure 1 --posterior 0.9
    refused "advantage: --attribute: unknown option; guesses of an attribute are --secrets N, or --kappa K of any prior" \
        advantage --approx 1,1e-5 --attribute 10
    refused "advantage: --ppv: unknown option; it is shown at each --fpr and --prior" advantage --pure 3 --ppv
    refused "advantage: --solve: 'sigma' is not solved for; Gaussian noise for mu is sigma = sensitivity/mu: solve mu" \
        advantage --solve sigma --max-advantage 0.1
    refused "advantage: --game: 'yeom' is replaced: the record or another in its place; in-out: with it or without" \
        advantage --pure 1 --game yeom
}

@test "advantage: where nothing is gained over the prior the accuracy is the prior" {
    ask advantage --of laplace --scale 2 --prior 0.3 --json # ln(7/3) is above the largest loss
    same nothing '[["0.7","0.7"],["0","0"]]' "$(jq -c '.results[] | select(.theorem == "accuracy-prior") |
        [.accuracy_enclosure, .excess_over_prior_enclosure]' <<<"$output")"
}

@test "advantage: every figure says what it takes of the game and of the attacker" {
    local game attacker="nothing of the attacker, who may know all other records: how well a given attack does is not told"
    for game in "--pure 1:a record in the data and out of it" \
        "--pure 1 --adjacency replace-one:a record and another in its place" \
        "--pure 1 --group 2 --game replaced:a record and another in its place" \
        "--gdp 1 --group 3:a group of records, all in the data or all out" \
        "--solve mu --max-advantage 0.1:a record in the data and out of it" \
        "--of gaussian --sigma 2:a record in the data and out of it"; do
        # shellcheck disable=SC2086
        ask advantage ${game%:*} --json
        same "$game" "[true,true,true]" "$(jq -c --arg game "told apart are ${game#*:}" --arg attacker "$attacker" \
            '[(.guarantee.assumptions | any(startswith($game))), (.guarantee.assumptions[-1] == $attacker),
              (.results | all(.assumptions | length > 2))]' <<<"$output")"
    done
    ask advantage --pure 1
    [[ $output == *"assumed: told apart are a record in the data and out of it"* ]]
    ask advantage --pure 1 --format statement
    [[ $output == *"Assumed: told apart are a record in the data and out of it"* ]]
}

# F(kappa) - kappa cancels where F is hardly above kappa; it is at least 0, and at most max F - x.
@test "advantage: the gain of an attribute is not negative, and not above the advantage" {
    ask advantage --pure 1e-1000000 --kappa 1e-18 --all --digits 3 --json
    same low 0 "$(jq '.results[] | select(.theorem == "attribute-adv").attribute_advantage_enclosure[0] | tonumber' <<<"$output")"
    same high "$(jq '[.results[] | select(.theorem == "adv-approx").advantage_enclosure[1]]' <<<"$output")" \
        "$(jq '[.results[] | select(.theorem == "attribute-adv").attribute_advantage_enclosure[1]]' <<<"$output")"
}

# The least point is not the same for each question: of order 2, or 8.
@test "advantage: of points of a Renyi curve each figure is the least that one of them gives" {
    local points="2,0.1 8,0.5 1.25,0.07 32,3.2 64,9" question figure
    for question in "--digits 12:advantage" "--kappa 0.001 --digits 12:reconstruction" "--fpr 0.9 --digits 12:tpr" \
        "--belief 0.5 --digits 12:exceed_probability" "--belief 2 --digits 12:exceed_probability"; do
        figure=${question#*:}
        local all=() each=() point
        for point in $points; do
            all+=(--rdp "$point")
            # shellcheck disable=SC2086
            each+=("$("$DPACCT" advantage --rdp "$point" ${question%:*} --json |
                jq -r "[.results[] | select(.${figure}_enclosure).${figure}_enclosure[1]][0]")")
        done
        # shellcheck disable=SC2086
        same "$question" "$(printf '%s\n' "${each[@]}" | sort -g | head -n 1)" \
            "$("$DPACCT" advantage "${all[@]}" ${question%:*} --json |
                jq -r "[.results[] | select(.${figure}_enclosure).${figure}_enclosure[1]][0]")"
    done
}

# 10000 (e/100 + 1e-5)^5, and 10^4 (3/10)^2 of rational rates
@test "advantage: members that all of several trainings reveal" {
    ask advantage --approx 1,1e-5 --fpr 0.01 --members 10000 --trainings 5 --digits 20 --json
    same five '["1.4868635078201570989e-4","1.4868635078201570990e-4"]' \
        "$(jq -c '.results[] | select(.theorem == "tpr-at-fpr").expected_members_in_all_enclosure' <<<"$output")"
    same assumed 1 "$(jq '[.results[0].assumptions[] | select(startswith("in each of the trainings"))] | length' <<<"$output")"
    ask advantage --pure 'ln(3)' --fpr 0.1 --members 10000 --trainings 2 --json
    same rational '["900","900"]' "$(jq -c '.results[] | select(.theorem == "tpr-at-fpr").expected_members_in_all_enclosure' <<<"$output")"
    ask advantage --gdp 1 --fpr 1 --members 10 --trainings 10^30 --json
    same all '["10","10"]' "$(jq -c '.results[] | select(.theorem == "tpr-at-fpr").expected_members_in_all_enclosure' <<<"$output")"
}

# E/k, (E + delta)/((1 - delta) k), of Gaussian noise (1 + x/k)/(1 - x) with x all but 1
@test "advantage: accuracy and odds of a right guess over those of the prior" {
    local ratios='.results[] | select(.theorem == "accuracy-prior") | [.accuracy_over_prior_enclosure, .odds_over_prior_enclosure]'
    ask advantage --pure 'ln(3)' --prior 0.4 --json # (3/4)/(3/5), 3/(3/2)
    same pure '[["1.25","1.25"],["2","2"]]' "$(jq -c "$ratios" <<<"$output")"
    ask advantage --approx 10,1e-5 --prior 0.3 --json
    same approx '["9440.008316","9440.008317"]' "$(jq -c "$ratios | .[1]" <<<"$output")"
    ask advantage --pure 1000 --prior 0.3 --json
    same huge '["8.443161917e433","8.443161918e433"]' "$(jq -c "$ratios | .[1]" <<<"$output")"
    ask advantage --approx 0,0.5 --prior 0 --json
    same certain '[["1","1"],["1","1"]]' "$(jq -c "$ratios" <<<"$output")"
    ask advantage --pure 1 --json
    same even '[null,null]' "$(jq -c "$ratios" <<<"$output")"
}

@test "advantage: of a list too the sum of both errors is shown" {
    ask advantage --of laplace --scale 1 --json # 1 - (1 - e^-1/2)
    same laplace '["0.6065306597","0.6065306598"]' "$(jq -c '.guarantee.fpr_plus_fnr_enclosure' <<<"$output")"
    ask advantage -m 'ln(3)x2' --json # delta(0) = 1 - (1 + 6 + 1)/16
    same rational '["0.5","0.5"]' "$(jq -c '.guarantee.fpr_plus_fnr_enclosure' <<<"$output")"
    ask advantage --of bagging-with -n 2 -k 2 --json
    same bagging '["0.25","0.25"]' "$(jq -c '.guarantee.fpr_plus_fnr_enclosure' <<<"$output")"
}

# c with Phi(mu - c) = e^t Phi(-c), by findroot at 60 digits
@test "advantage: the tail of a class of Gaussian noise of little mu has all its digits" {
    local mu t y
    while read -r mu t y; do
        ask advantage --gdp "$mu" --belief "$t" --json
        same "$mu $t" "$y" "$(jq -c '.results[] | select(.theorem == "loss-tail-class").exceed_probability_enclosure' <<<"$output")"
        same stderr "" "$stderr"
    done <<'END'
1e-30 1e-29 ["2.061439504e-23","2.061439505e-23"]
1e-5 0.385 ["4.293366811e-321866503","4.293366812e-321866503"]
1e-5 0.38 ["4.015957264e-313560621","4.015957265e-313560621"]
0.001 1 ["1.026595738e-217150","1.026595739e-217150"]
0.05 1 ["1.232182428e-88","1.232182429e-88"]
END
}
