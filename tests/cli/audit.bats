#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

two="audit --true-positives 90 --positives 100 --false-positives 10 --negatives 100"

@test "audit: a finding and no guarantee, its lower end, and what it takes" {
    # shellcheck disable=SC2086
    ask $two --method cp --json
    same guarantee null "$(jq -r .guarantee <<<"$output")"
    same bound '["1.542152394","1.542152395"]' "$(jq -c .finding.epsilon_lower_enclosure <<<"$output")"
    same below true "$(jq '.finding.epsilon_lower <= 1.542152394' <<<"$output")"
    same confidence '["0.95","0.95"]' "$(jq -c .finding.confidence_enclosure <<<"$output")"
    same strings true "$(jq '.finding.assumptions | length > 2 and all(type == "string")' <<<"$output")"
    same check null "$(jq -r .check <<<"$output")"
}

@test "audit: a refuted claim is status 1, another 0, a tie is refuted" {
    # shellcheck disable=SC2086
    run -1 "$DPACCT" $two --max-epsilon 1.72
    [[ $output == *'claim: (1.72, 0)-DP is refuted'* ]]
    # shellcheck disable=SC2086
    run -0 "$DPACCT" $two --max-epsilon 1.73
    [[ $output == *'is not refuted, which proves nothing'* ]]
    run -1 "$DPACCT" audit --correct 1 --trials 1 --confidence 0.25 --max-epsilon 'ln(3)' -q
    run -0 "$DPACCT" audit --correct 1 --trials 1 --confidence 0.25 --max-epsilon 'ln(3.0000000001)' -q
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $two -q
}

# All coins are published with probability 0.06, else none: accuracy 0.53, and in 6 % of the runs all guesses are right.
@test "audit: one run bounds epsilon, not the rate at which an attack is right; independent trials bound both" {
    ask audit --one-run --canaries 100 --guesses 100 --correct 100 --max-epsilon 1 --json
    same run '["epsilon_lower","p_value","confidence"]' \
        "$(jq -c '.finding | [keys_unsorted[] | select(IN("epsilon_lower", "p_value", "accuracy_lower", "confidence"))]' <<<"$output")"
    ask audit --correct 100 --trials 100 --json
    same coin '["0.9704869503","0.9704869504"]' "$(jq -c .finding.accuracy_lower_enclosure <<<"$output")"
}

@test "audit: an unsound row never decides" {
    ask audit --one-run --canaries 1000 --guesses 100 --correct 75 --target-delta 1e-4 --method 2023 --max-epsilon 0.68 --json
    same finding onerun-exact "$(jq -r .finding.theorem <<<"$output")"
    same shown "onerun-exact onerun-2023" "$(jq -r '[.results[].theorem] | join(" ")' <<<"$output")"
    same refuted false "$(jq .check.holds <<<"$output")"
}

@test "audit: bad counts are told from rates, and what would be right is said" {
    refused "audit: --true-positives: are more than the trials with the record; positives is the number of all of these, not of the calls" \
        audit --true-positives 101 --positives 100 --false-positives 10 --negatives 100
    refused "audit: --true-positives: '0.9' must be a count, an integer from 0 to 10^9; of a rate give the count behind it" \
        audit --true-positives 0.9 --positives 100 --false-positives 10 --negatives 100
    # shellcheck disable=SC2086
    refused "audit: --confidence: '95' must be above 0 and below 1; 95 % is 0.95, and certainty cannot be had" \
        $two --confidence 95
    # shellcheck disable=SC2086
    refused "audit: --confidence: '1' must be above 0 and below 1; 95 % is 0.95, and certainty cannot be had" \
        $two --confidence 1
    refused "audit: --correct: guesses are more than the trials" audit --correct 5 --trials 4
    refused "audit: --correct: guesses are more than all guesses" \
        audit --one-run --canaries 10 --guesses 5 --correct 6
    refused "audit: --guesses: are more than the canaries, of which each is guessed once at most" \
        audit --one-run --canaries 4 --guesses 5 --correct 5
}

@test "audit: rates, the other cells of the matrix and error probabilities are met with what is asked for" {
    refused "audit: --tpr: is a rate, of a plan; an audit takes the counts behind it, which tell how much it proves: true_positives of positives and false_positives of negatives, or correct of trials" \
        audit --tpr 0.9 --fpr 0.1
    run -2 "$DPACCT" audit --accuracy 0.9
    [[ $output == *"audit: --accuracy: is a rate, of a plan"* ]]
    refused "audit: --false-negatives: unknown option; give --positives, all trials with the record: true positives and false negatives together" \
        audit --true-positives 90 --false-negatives 10
    refused "audit: --tn: unknown option; give --negatives, all trials without the record: false positives and true negatives together" \
        audit --tn 90
    # shellcheck disable=SC2086
    refused "audit: --alpha: unknown option; it is 1 - C of --confidence C" $two --alpha 0.05
    # shellcheck disable=SC2086
    refused "audit: --max-delta: unknown option; the delta of the claim is --target-delta" $two --max-delta 1e-5
    # shellcheck disable=SC2086
    ask $two --confidence 0.05
    [[ $output == *"note: a statement of a confidence below 1/2 is more likely false than true"* ]]
}

@test "audit: what people call counts and methods is met with what is asked for" {
    refused "audit: --true-positives: '90%' must be a count, an integer from 0 to 10^9; of a rate give the count behind it" \
        audit --true-positives 90% --positives 100 --false-positives 10 --negatives 100
    refused "audit: --correct: '75%' must be a count, an integer from 0 to 10^9; of a rate give the count behind it" \
        audit --correct 75% --trials 100
    refused "audit: --tpr: is a rate, of a plan; an audit takes the counts behind it, which tell how much it proves: true_positives of positives and false_positives of negatives, or correct of trials" \
        audit --tpr 0.9 --fpr 0.1 --trials 100
    local counts="give --true-positives and --positives, all with the record, --false-positives and --negatives, all without"
    refused "audit: 90: unexpected argument; 'audit' takes only options; $counts" audit 90 100 10 100
    refused "audit: --confusion: unknown option; $counts" audit --confusion 90,10,10,90
    refused "audit: --wrong: unknown option; give --trials, or --guesses of one run: all of them, right or wrong" \
        audit --correct 150 --wrong 50
    # shellcheck disable=SC2086
    refused "audit: --threshold: unknown option; give the counts at one threshold, fixed on other data; of K that are tried each is --looks K" \
        $two --threshold 0.3
    # shellcheck disable=SC2086
    refused "audit: --method: 'clopper-pearson' is cp: the rectangle of two Clopper-Pearson limits" $two --method clopper-pearson
    # shellcheck disable=SC2086
    refused "audit: --mu: is of a claim of gdp, with method cp, sidak, fdp or profile: give these too" $two --mu 1
}

@test "audit: what is heuristic is refused with its false alarms" {
    local name
    for name in katz log-katz; do
        # shellcheck disable=SC2086
        refused "audit: --method: '$name' proves nothing: at rates of 0.95 and 50 trials each its 95 % limit is false with probability 5.960 %; fisher and cp keep 5 %" \
            $two --method $name
    done
    # shellcheck disable=SC2086
    refused "audit: --method: 'jeffreys' proves nothing: at rates of 0.9 and 0.04 and 50 trials each its 95 % limit is false with probability 11.4 %; fisher and cp keep 5 %" \
        $two --method jeffreys
    # shellcheck disable=SC2086
    refused "audit: --method: 'bootstrap' proves nothing: no probability bounds how often it is false, and without a false positive it is infinite; fisher and cp have a bound" \
        $two --method bootstrap
}

# Where canaries times delta are (1 - C) times the guesses, all of them right have a level of q^R more.
@test "audit: that nothing can be shown, or the other way round, is said" {
    local spent="so many guesses show nothing at this delta" turned="is one more look (looks 2)"
    local run="audit --one-run --canaries 1000 --guesses 20 --target-delta 1e-3"
    ask audit --one-run --canaries 1000 --guesses 20 --correct 20 --target-delta 1e-3 --json
    same equal "[true,[\"0\",\"0\"]]" "$(jq -c --arg s "$spent" \
        '[(.notes | any(startswith($s))), .finding.epsilon_lower_enclosure]' <<<"$output")"
    # shellcheck disable=SC2086
    ask $run --correct 20 --confidence 0.9499 --json
    same below "[false,true]" "$(jq -c --arg s "$spent" \
        '[(.notes | any(startswith($s))), .finding.epsilon_lower > 0]' <<<"$output")"
    local counts
    for counts in "--true-positives 9 --positives 100 --false-positives 10 --negatives 100:true" \
        "--true-positives 10 --positives 100 --false-positives 10 --negatives 100:false" \
        "--correct 49 --trials 99:true" "--correct 50 --trials 100:false" \
        "--one-run --canaries 9 --guesses 5 --correct 2:true"; do
        # shellcheck disable=SC2086
        ask audit ${counts%:*} --json
        same "$counts" "${counts#*:}" "$(jq --arg s "$turned" '.notes | any(endswith($s))' <<<"$output")"
    done
}

@test "audit: no number of trials refutes what the claim allows" {
    refused "audit: --tpr: and fpr are rates that the claim allows: no number of trials refutes it with that power; above e^epsilon fpr + delta they would" \
        audit --plan --claim-epsilon 'ln(3)' --tpr 0.6 --fpr 0.2 --power 0.8
    run -0 "$DPACCT" audit --plan --claim-epsilon 'ln(3)' --tpr 0.9 --fpr 0.2 --power 0.8
    run -2 "$DPACCT" audit --plan --claim-epsilon 'ln(3)' --tpr 0.6 --fpr 0.1 --power 0.8 --target-delta 0.3
    [[ $output == *"--tpr: and fpr are rates that the claim allows"* ]]
    run -2 "$DPACCT" audit --plan --claim-epsilon 'ln(3)' --one-run --accuracy 3/4 --power 0.8
    [[ $output == *"--accuracy: is one that the claim allows"* ]]
    run -0 "$DPACCT" audit --plan --claim-epsilon 'ln(3)' --one-run --accuracy 0.9 --power 0.8
}

# Trap T4: counts of one run are not those of independent trials.
@test "audit: one design at a time, whole" {
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $two --correct 5
    [[ $output == *"audit: --correct: is of another design"* ]]
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $two --one-run
    [[ $output == *"audit: --one-run: is of another design"* ]]
    run -2 "$DPACCT" audit --one-run --trials 5 --correct 5
    [[ $output == *"audit: --trials: are independent, the canaries of one run are not"* ]]
    run -2 "$DPACCT" audit --true-positives 5 --positives 5
    [[ $output == *"audit: --false-positives: is missing"* ]]
    run -2 "$DPACCT" audit
    [[ $output == *"audit: --true-positives: is missing"* ]]
    run -2 "$DPACCT" audit --correct 5 --trials 5 --method cp
    [[ $output == *"audit: --method: is of another design"* ]]
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $two --split 0.5
    [[ $output == *"audit: --split: is of the method cp"* ]]
    run -2 "$DPACCT" audit --one-run --canaries 9 --guesses 5 --correct 5 --inclusion 0.3 --target-delta 1e-5
    [[ $output == *"audit: --inclusion: other than by fair coins"* ]]
    refused "audit: --said-in: is of an inclusion other than by fair coins" \
        audit --one-run --canaries 9 --guesses 5 --correct 5 --said-in 3
    refused "audit: --said-in: are more than all guesses" \
        audit --one-run --canaries 9 --guesses 5 --correct 5 --inclusion 0.3 --said-in 6
}

@test "audit: a plan has no counts, and says what it would take" {
    ask audit --plan --claim-epsilon 5 --target-delta 1e-5 --method cp --json
    same needed 550 "$(jq .finding.trials_needed <<<"$output")"
    ask audit --plan --one-run --claim-epsilon 8 --confidence 0.99 --json
    same needed '"13731"' "$(jq .finding.trials_needed_exact <<<"$output")"
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $two --plan --claim-epsilon 1
    [[ $output == *"audit: --plan: is made before there are counts"* ]]
    run -2 "$DPACCT" audit --plan
    [[ $output == *"audit: --claim-epsilon: is missing"* ]]
    ask audit --plan --claim-epsilon 5 --target-delta 1e-5 --method cp --split 1/2 --json
    same even 550 "$(jq .finding.trials_needed <<<"$output")"
    ask audit --plan --claim-epsilon 5 --target-delta 1e-5 --method cp --split 1/10 --json
    same split 464 "$(jq .finding.trials_needed <<<"$output")"
    run -0 "$DPACCT" audit --true-positives 463 --positives 463 --false-positives 0 --negatives 463 --method cp --split 1/10 --target-delta 1e-5 --max-epsilon 5 -q
    run -1 "$DPACCT" audit --true-positives 464 --positives 464 --false-positives 0 --negatives 464 --method cp --split 1/10 --target-delta 1e-5 --max-epsilon 5 -q
    refused "audit: --split: is of the method cp, whose two limits share the error probability" \
        audit --plan --claim-epsilon 1 --split 0.3
    refused "audit: --quiet: a plan is a number of trials, and checks nothing; leave it out" \
        audit --plan --claim-epsilon 1 -q
    refused "audit: --mu: is of a claim of gdp; a plan has claim_epsilon" audit --plan --claim-epsilon 1 --mu 2
    run -2 "$DPACCT" audit --plan --one-run --claim-epsilon 1 --target-delta 0.06
    [[ $output == *"audit: --claim-epsilon: cannot be refuted at this delta"* ]]
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $two --claim-epsilon 1
    [[ $output == *"audit: --claim-epsilon: is of a plan"* ]]
}

@test "audit: a plan for two samples takes the rates of the attack" {
    local plan="audit --plan --claim-epsilon 1 --power 0.9"
    # shellcheck disable=SC2086
    ask $plan --tpr 0.9 --fpr 0.1 --json
    same needed 31 "$(jq .finding.trials_needed <<<"$output")"
    local method # of a claim of 0 too, where rates that show nothing are next to the claim
    for method in cp sidak; do
        ask audit --plan --claim-epsilon 0 --method $method --tpr 0.9 --fpr 0.5 --power 0.8 --json
        same "$method" '[36,"exact"]' "$(jq -c '[.finding.trials_needed,.finding.verdict]' <<<"$output")"
    done
    # of many trials a number that is enough and one that is too few
    for method in cp sidak fisher; do
        ask audit --plan --claim-epsilon 1 --method $method --tpr 0.5 --fpr 0.1835 --power 0.9 --json
        same "$method" '"proved"' "$(jq -c .finding.verdict <<<"$output")"
        same "$method" true "$(jq '.finding | (.trials_needed_exact | tonumber) as $n |
            (.trials_too_few_exact | tonumber) as $f | $f < $n and $n < 1.02 * $f' <<<"$output")"
    done
    ask audit --plan --claim-epsilon 10 --tpr 1 --fpr 0 --power 0.9 --json
    same perfect '[52247,"exact"]' "$(jq -c '[.finding.trials_needed,.finding.verdict]' <<<"$output")"
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $plan
    [[ $output == *"audit: --tpr: is missing; power is of an attack of known rates"* ]]
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $plan --tpr 0.9
    [[ $output == *"audit: --fpr: is missing; an attack on two samples has two rates"* ]]
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $plan --accuracy 0.9
    [[ $output == *"audit: --accuracy: is of the method coin and of one_run; two samples have tpr and fpr"* ]]
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $plan --one-run --tpr 0.9 --fpr 0.1
    [[ $output == *"audit: --tpr: is of two samples; the method coin and one_run have accuracy"* ]]
    run -2 "$DPACCT" audit --plan --claim-epsilon 1 --tpr 0.9 --fpr 0.1
    [[ $output == *"audit: --power: is missing"* ]]
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $plan --tpr 90 --fpr 0.1
    [[ $output == *"must be a rate, a number from 0 to 1"* ]]
}

# Traps T2 and T10: one finding of several figures, and the labels exchanged because FP > TP, take a share of the error probability.
@test "audit: looks at growing data, and exchanged labels, need to be announced" {
    local few="audit --true-positives 12 --positives 20 --false-positives 3 --negatives 20 --max-epsilon 0"
    # shellcheck disable=SC2086
    run -1 "$DPACCT" $few --confidence 0.9 -q
    # shellcheck disable=SC2086
    run -0 "$DPACCT" $few --confidence 0.9 --looks 50 -q
    ask audit --true-positives 3 --positives 20 --false-positives 12 --negatives 20 --json # labels as they were
    same reversed '["0","0"]' "$(jq -c .finding.epsilon_lower_enclosure <<<"$output")"
    ask audit --true-positives 17 --positives 20 --false-positives 8 --negatives 20 --looks 2 --json
    same two '"no more figures were looked at than announced; this one has its share of the error probability"' \
        "$(jq .finding.assumptions[-1] <<<"$output")"
}

# Of 10^6 canaries all thresholds were walked before; of more the ends are, step by step or, at large
# claims, run by run.
@test "audit: an adaptive audit takes 10^9 canaries" {
    local canaries guesses correct claim delta refuted lower p
    while read -r canaries guesses correct claim delta refuted lower p; do
        ask audit --one-run --canaries "$canaries" --guesses "$guesses" --correct "$correct" --method adaptive \
            --max-epsilon "$claim" --target-delta "$delta" --json
        same "$canaries $correct" "$refuted [\"$lower\",\"$p\"]" "$status $(jq -c '.results[0] |
            [.epsilon_lower_enclosure[0], .p_value_enclosure[1]]' <<<"$output")"
    done <<END
1e6 1e6 740000 1 1e-8 1 1.042216410 1.499250375e-5
1e6 1000 993 5 1e-9 0 3.069586953 0.6445338320
1e9 1e9 750000000 1 1e-12 1 1.098492163 3.380943784e-10
1e9 1e9 731080000 1 1e-12 0 0.9281648878 0.06339927040
1e9 1000 900 2 1e-12 1 2.000020652 0.03170500587
1e9 1e9 999999990 15 1e-12 1 17.89227735 1.159859044e-12
1e9 1e5 99980 8.5 1e-13 0 6.952079256 0.5286753595
END
}

# What the recursion comes to hardly changes with more of them; it ends where N is above 1.
@test "audit: the recursion of one run takes 10^9 guesses" {
    ask audit --one-run --canaries 1e9 --guesses 1e9 --correct 6e8 --method fdp --claim gdp --mu 0.01 --all --json
    same few '["onerun-fdp",["0.1729553024","0.1729553025"]]' \
        "$(jq -c '.results[0] | [.theorem,.mu_lower_enclosure]' <<<"$output")"
    same certificate '["onerun-profile",true]' \
        "$(jq -c '.results[1] | [.theorem,.mu_lower > 0.172955 and .mu_lower < 0.173]' <<<"$output")"
    ask audit --one-run --canaries 1e6 --guesses 1e6 --correct 6e5 --method fdp --target-delta 1e-8 --json
    local weaker
    weaker=$(jq .finding.epsilon_lower <<<"$output")
    ask audit --one-run --canaries 1e6 --guesses 1e6 --correct 6e5 --target-delta 1e-8 --json
    same weaker true "$(jq "$weaker < .finding.epsilon_lower and $weaker > 0.99 * .finding.epsilon_lower" <<<"$output")"
}

# Its steps are as many as a standard deviation of them has guesses.
@test "audit: the recursion of one run ends where time does, its guess and its decision too" {
    local start=$SECONDS
    local many="audit --one-run --canaries 1e9 --guesses 1e9 --correct 500100000 --method fdp --claim gdp --mu 1e-4"
    run -1 "$DPACCT" $many
    [[ "$output" == *"mu_lower = 0.0001625541135, p_value = 0.002809989917,"* ]]
    run -3 "$DPACCT" $many --max-time 0.05
    [[ "$output" == *"mu <= 1e-4 is not decided: the time limit was met"* ]]
    ((SECONDS - start < 10))
}

@test "audit: a plan of trials with a coin takes 10^5 of them" {
    ask audit --plan --claim-epsilon 1 --method coin --accuracy 0.735 --power 0.9 --json
    same needed '[108372,"exact"]' "$(jq -c '[.finding.trials_needed,.finding.verdict]' <<<"$output")"
    run -2 "$DPACCT" audit --plan --claim-epsilon 1 --method coin --accuracy 0.7310586 --power 0.9
    [[ $output == *"or not by as many trials as are tried"* ]]
}

# Where one kind of error is rare, and delta 0: roots of divergences next to rates of 1.
@test "audit: a number of two samples that is too few is too few" {
    ask audit --plan --method fisher --claim-epsilon 0 --tpr 0.0002 --fpr 0.0001 --power 0.8 --json
    same bounds true "$(jq '.finding | .trials_too_few < 220000 and .trials_needed > 250000 and .trials_needed < 300000' <<<"$output")"
    ask audit --plan --method fisher --claim-epsilon 0 --tpr 0.001 --fpr 0.0005 --power 0.8 --json
    same answered '0 true' "$status $(jq '.finding | .trials_too_few > 30000 and .trials_needed < 70000' <<<"$output")"
    ask audit --plan --method coin --claim-epsilon 1 --accuracy 0.731058 --power 0.049 --json
    same 'less often right' '0 56690' "$status $(jq .finding.trials_needed <<<"$output")"
}

@test "audit: plans of trials with a coin, and of one run, have their least number up to 10^9" {
    ask audit --plan --claim-epsilon 1 --power 0.9 --accuracy 0.7311 --method coin --json
    same coin 981365508 "$(jq .finding.trials_needed <<<"$output")"
    ask audit --plan --claim-epsilon 0 --power 0.3 --accuracy 0.50005 --one-run --json
    same run 125575442 "$(jq .finding.trials_needed <<<"$output")"
    ask audit --plan --claim-epsilon 1 --power 0.9 --accuracy 0.7310586 --method coin
    same more 2 "$status"
}

@test "audit: a plan that time cuts short is open, not impossible" {
    local late
    for late in "--method coin --accuracy 0.732" "--one-run --accuracy 0.732"; do
        # shellcheck disable=SC2086
        run -3 "$DPACCT" audit --plan --claim-epsilon 1 --power 0.9 --max-time 0.0002 $late
        [[ $output == *"the time limit was met before the answer was proved; raise it"* ]]
    done
}

@test "audit: a curve that is claimed is checked, as points or as mu-GDP" {
    local run="audit --one-run --canaries 100 --guesses 60 --correct 48 --method profile"
    # shellcheck disable=SC2086
    run -1 "$DPACCT" $run --claim-point 1,1e-4 --claim-point 0.5,1e-3
    [[ $output == *'finding: p_value = 0.00571'*'claim: the curve is refuted'* ]]
    # shellcheck disable=SC2086
    run -0 "$DPACCT" $run --claim-point 1,1e-4 --claim-point 0.9,1e-3
    # shellcheck disable=SC2086
    ask $run --claim-point 1,1e-4 --claim-point 0.5,1e-3 --json
    same check '{"holds":false,"curve":true}' "$(jq -c .check <<<"$output")"
    same given '["1","1e-4","0.5","1e-3"]' "$(jq -c .input.claim_point <<<"$output")"
    # shellcheck disable=SC2086
    ask $run --claim-point 'ln(2),1e-3' --json
    same log '["ln(2)","1e-3"]' "$(jq -c .input.claim_point <<<"$output")"
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $run --claim-point '1,ln(2)'
    [[ $output == *"audit: --claim-point: must have a delta of at most 1"* ]]
    # shellcheck disable=SC2086
    run -1 "$DPACCT" $run --claim gdp --mu 0.4
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $run
    [[ $output == *"audit: --claim-point: is missing, or a claim of gdp: the method profile is of a curve"* ]]
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $run --claim-point 1,1e-4 --max-epsilon 1
    [[ $output == *"audit: --max-epsilon: is no part of a claim of points"* ]]
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $run --claim-point 1,1e-4 --target-delta 1e-5
    [[ $output == *"audit: --target-delta: has no effect: each claim_point has its own"* ]]
    run -2 "$DPACCT" audit --one-run --canaries 9 --guesses 9 --correct 9 --claim-point 1,1e-4
    [[ $output == *"audit: --claim-point: is of one run with the method profile"* ]]
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $run --claim-point 1,2
    [[ $output == *"audit: --claim-point: must have a delta of at most 1"* ]]
}

# The limits are 1/2 and 1/2; guesses of the kinds 3/10 and 7/10 are both right with probability 21/100.
@test "audit: what ties with no leakage shows exactly 0" {
    ask audit --true-positives 2 --positives 2 --false-positives 0 --negatives 2 --method cp --claim gdp --confidence 1/2 --json
    same mu '["0","0"]' "$(jq -c .finding.mu_lower_enclosure <<<"$output")"
    ask audit --one-run --canaries 2 --guesses 2 --correct 2 --inclusion 0.3 --said-in 1 --confidence 0.79 --json
    same kinds '["0","0"]' "$(jq -c .finding.epsilon_lower_enclosure <<<"$output")"
    ask audit --one-run --canaries 2 --guesses 2 --correct 2 --inclusion 0.3 --said-in 1 --confidence 0.78 --json
    same above true "$(jq -c '.finding.epsilon_lower > 0.01' <<<"$output")"
    local method
    for method in exact adaptive fdp; do # (1 + delta)/2, and 1/8
        ask audit --one-run --canaries 1 --guesses 1 --correct 1 --target-delta 0.1 --confidence 0.45 --method $method --max-epsilon 0 --json
        same "$method" '[["0","0"],["0.55","0.55"],false]' "$(jq -c '[.finding.epsilon_lower_enclosure,.finding.p_value_enclosure,.check.holds]' <<<"$output")"
        ask audit --one-run --canaries 5 --guesses 3 --correct 3 --confidence 7/8 --method $method --json
        same "$method" '["0","0"]' "$(jq -c .finding.epsilon_lower_enclosure <<<"$output")"
    done
}

# The outcome ties with itself: 1 of 2 is of the rule, so that the level is at least 1 - (1-q)^2, which is 0.95 at
# ln(sqrt(20) - 1) = 1.2447699535...; (1-q)^2 of the reference is about 10^-463, and the first step to it is taken at once.
@test "audit: adaptive references so large that tails leave the doubles in a step keep the outcome in the rule" {
    local claim
    for claim in 356 400 533.604 545.05 600 640; do
        ask audit --one-run --canaries 11 --guesses 2 --correct 1 --method adaptive --confidence 0.05 --max-epsilon $claim --json
        same "$claim" '["1.244769953","1.244769954"]' "$(jq -c .finding.epsilon_lower_enclosure <<<"$output")"
    done
}

@test "audit: a claim of mu-GDP is checked" {
    refused "audit: --claim: needs method cp or sidak of two samples, or method fdp or profile of one run" \
        audit --true-positives 9 --positives 9 --false-positives 0 --negatives 9 --claim gdp --mu 3
    # shellcheck disable=SC2086
    run -1 "$DPACCT" $two --method cp --claim gdp --mu 1.85
    [[ $output == *'claim: mu <= 1.85 is refuted'* ]]
    # shellcheck disable=SC2086
    run -0 "$DPACCT" $two --method cp --claim gdp --mu 1.86
    ask audit --one-run --canaries 20 --guesses 20 --correct 18 --method fdp --claim gdp --mu 0.5 --json
    same refuted '{"holds":false,"max_mu":0.5,"max_mu_exact":"0.5"}' "$(jq -c .check <<<"$output")"
    run -0 "$DPACCT" audit --one-run --canaries 20 --guesses 20 --correct 18 --method fdp --claim gdp --mu 0.6
    # shellcheck disable=SC2086
    run -2 "$DPACCT" $two --method cp --claim gdp --max-epsilon 1
    [[ $output == *"audit: --max-epsilon: is no part of a claim of mu-GDP"* ]]
}

@test "one run, a curve: a claim below mu_lower is refuted" {
    ask audit --one-run --canaries 60 --guesses 10 --correct 9 --method profile --claim gdp --mu 0.189068321093
    same status 1 "$status"
    same claim 'claim: mu <= 0.189068321093 is refuted' "${lines[1]}"
}

# A mass of 10^9 trials is beyond all numbers as a product of powers, and is not itself; a curve next to its corner.
@test "one run, a curve: large first steps, and a root next to a decimal when time ends" {
    local run="audit --one-run --method fdp --claim gdp --json"
    # shellcheck disable=SC2086
    ask $run --canaries 11038 --guesses 11038 --correct 7948
    same 'large steps' '["0.3982861744","0.3982861745"]' "$(jq -c .finding.mu_lower_enclosure <<<"$output")"
    # shellcheck disable=SC2086
    run -1 --separate-stderr "$DPACCT" $run --canaries 6077951 --guesses 791271 --correct 412273 --mu 0.007031 --max-time 2.5
    [[ $(jq -r '.finding.p_value_enclosure[0]' <<<"$output") == 5.94428496*e-27 ]]
    [[ $(jq -r '.finding.p_value_enclosure[1]' <<<"$output") == 5.94428496*e-27 ]]
}

@test "audit: counts of 10^9 are decided at any claim" {
    local many="--positives 1000000000 --false-positives 0 --negatives 1000000000" at
    for at in 0 3.2e-8 0.1; do
        # shellcheck disable=SC2086
        run -1 "$DPACCT" audit --true-positives 700000000 $many --target-delta 2.02e-5 --max-epsilon $at
        [[ $output == *"is refuted"* && $output != *"precision limit"* ]]
    done
    # shellcheck disable=SC2086
    run -1 "$DPACCT" audit --true-positives 999999998 $many --target-delta 2.02e-5 --max-epsilon 3.2e-9 --max-time 1
    [[ $output == *"is refuted"* ]]
}

# N is tau up to m delta/(2v - r) = 1.4e-7/102, and next to it above 1; and 1.02e-3/96.
@test "audit: a p-value at which the recursion all but jumps is found" {
    local run="audit --one-run --method fdp --max-epsilon 0 --json"
    # shellcheck disable=SC2086
    ask $run --canaries 140 --guesses 140 --correct 121 --target-delta 1e-9
    same steep '[["1.372549019e-9","1.372549020e-9"],false,[]]' \
        "$(jq -c '[.finding.p_value_enclosure,.check.holds,.warnings]' <<<"$output")"
    # shellcheck disable=SC2086
    ask $run --canaries 102 --guesses 102 --correct 99 --target-delta 1e-5
    same steeper '[["1.062500000e-5","1.062500001e-5"],false,[]]' \
        "$(jq -c '[.finding.p_value_enclosure,.check.holds,.warnings]' <<<"$output")"
}

@test "audit: the recursion does not seek a p-value below what anyone asks" {
    local run="audit --one-run --canaries 1000 --guesses 1000 --correct 1000 --method fdp --max-time 2 --json"
    # shellcheck disable=SC2086
    ask $run --claim gdp --mu 0.01
    same floor '[["7.888609052e-31","7.888609053e-31"],false]' \
        "$(jq -c '[.finding.p_value_enclosure,.check.holds]' <<<"$output")" # 2^-100
    # shellcheck disable=SC2086
    ask $run --claim gdp --mu 0.01 --confidence 0.9999999999999999999999999999999999999999
    same alpha '[["1e-40","1e-40"],false]' \
        "$(jq -c '[.finding.p_value_enclosure,.check.holds]' <<<"$output")" # that, where it is less
    ask audit --one-run --canaries 20000 --guesses 20000 --correct 20000 --method fdp --max-epsilon 1 --json
    same epsilon '[["1.105488890e-2721","1.105488891e-2721"],false]' \
        "$(jq -c '[.finding.p_value_enclosure,.check.holds]' <<<"$output")" # 20000 ln(1 + 1/e), to its end
    ask audit --one-run --canaries 1e9 --guesses 1e9 --correct 500100000 --method fdp --target-delta 1e-9 --max-epsilon 0.0003 --max-time 2 --json
    same all '["2.899520195e-4","2.899520196e-4"]' "$(jq -c .finding.epsilon_lower_enclosure <<<"$output")"
}

# 2 Pr[Bin(100, Phi(1)) >= 90], 1 - (1 - half of it)^2, and Phi(z)^4/0.9 = Phi(1-z)^5/0.1
@test "audit: the p-value of a claim of mu-GDP" {
    local p='.finding.p_value_enclosure'
    # shellcheck disable=SC2086
    ask $two --method cp --claim gdp --mu 2 --digits 20 --json
    same cp '["0.13006789112461798935","0.13006789112461798936"]' "$(jq -c "$p" <<<"$output")"
    # shellcheck disable=SC2086
    ask $two --method sidak --claim gdp --mu 2 --digits 20 --json
    same sidak '["0.12583847704921661956","0.12583847704921661957"]' "$(jq -c "$p" <<<"$output")"
    ask audit --true-positives 5 --positives 5 --false-positives 0 --negatives 4 --method cp --split 0.1 --claim gdp --mu 1 --digits 20 --json
    same split '["0.48322843077315306384","0.48322843077315306385"]' "$(jq -c "$p" <<<"$output")"
    ask audit --true-positives 0 --positives 5 --false-positives 0 --negatives 4 --method cp --claim gdp --mu 1 --json
    same idle '["1","1"]' "$(jq -c "$p" <<<"$output")"
    ask audit --true-positives 900000000 --positives 1000000000 --false-positives 10 --negatives 1000000000 --method cp --claim gdp --mu 1 --json
    same large '["1.030248137e-106106701","1.030248138e-106106701"]' "$(jq -c "$p" <<<"$output")"
    # shellcheck disable=SC2086
    ask $two --method cp --claim gdp --mu 1e1000 --json
    same far '["1","1"]' "$(jq -c "$p" <<<"$output")"
    local mu # at the confidence at which mu_lower is the claim, p is alpha
    # shellcheck disable=SC2086
    ask $two --method cp --confidence 0.9 --claim gdp --digits 20 --json
    mu=$(jq -r '.finding.mu_lower_enclosure[0]' <<<"$output")
    # shellcheck disable=SC2086
    ask $two --method cp --claim gdp --mu "$mu" --digits 12 --json
    same back '["0.0999999999999","0.100000000000"]' "$(jq -c "$p" <<<"$output")"
}

# The recursion jumps within 1e-25 of the root, where secants are of no use.
@test "audit: the recursion of one run has all its digits where nearly all guesses are right" {
    local run="audit --one-run --method fdp --target-delta 1e-300 --digits 30"
    # shellcheck disable=SC2086
    ask $run --canaries 600 --guesses 600 --correct 600 --max-epsilon 'ln(2)' --json
    same p '["2.21434133252778805768919335959e-106","2.21434133252778805768919335960e-106"]' "$(jq -c .finding.p_value_enclosure <<<"$output")"
    # shellcheck disable=SC2086
    ask $run --canaries 20000 --guesses 20000 --correct 20000 --max-time 10 --json
    same epsilon '["8.80622395792950592473378188186","8.80622395792950592473378188187"]' "$(jq -c .finding.epsilon_lower_enclosure <<<"$output")"
    same stderr "" "$stderr"
}

# 60 % right of any number show nothing in the order of epsilon 1, and 0.3 is refuted in that of 0.3.
@test "audit: an adaptive audit that shows nothing says that its order may be too strict" {
    local run='audit --one-run --canaries 10000 --guesses 10000 --method adaptive'
    # shellcheck disable=SC2086
    ask $run --correct 6000
    [[ "$(tr -s ' \n' ' ' <<<"$output")" == *"note: outcomes are in the order of the reference epsilon 1, at which this attack shows nothing"* ]]
    # shellcheck disable=SC2086
    run -1 "$DPACCT" $run --correct 6000 --max-epsilon 0.3
    [[ "$output" != *"reference epsilon 1"* ]]
    # shellcheck disable=SC2086
    ask $run --correct 8000
    [[ "$output" != *"reference epsilon 1"* ]]
}
