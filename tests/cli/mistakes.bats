#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What people type who come from elsewhere: each gets a sentence of its own that says what is right.
load helper

@test "numbers of other kinds: what is wrong, and what to write" {
    local text what instead
    while IFS='|' read -r text what instead; do
        refused "kl-bound: --epsilon: '$text' $what; $instead" kl-bound --epsilon "$text"
    done <<'END'
5%|is a percentage|write 0.05
60,000|has thousands marks|write 60000
60_000|has thousands marks|write 60000
60k|has a letter for a power of ten|write 60000
1e−6|has a dash that is not the minus sign|write 1e-6
0.1×3|is a product|write 0.3
0.1X3|is a product|give a number of uses on its own, or multiply it out, such as 6e4
0.1*3|is a product|write 0.3
5, 1e-6|has a blank in it|write it without
20s|has a unit|write 20
1GB|has a unit|write 1000000000
inf|is no finite number|leave out what has no limit
.1.|has more than one point|write .1
1,5|has a decimal comma|write 1.5
END
    # what is outside the domain was not meant
    refused "kl-bound: --times: '5%' must be a positive integer, such as 60000 or 10^9" kl-bound --epsilon 1 --times 5%
    refused "kl-bound: --max-time: '20s' has a unit; write 20" kl-bound --epsilon 1 --max-time 20s
    refused "kl-bound: --max-memory: '1GB' has a unit; write 1000000000" kl-bound --epsilon 1 --max-memory 1GB
}

@test "mechanisms in other signs" {
    local text what
    while IFS='|' read -r text what; do
        refused "compose: mechanism 1: $what" compose -m "$text"
    done <<'END'
0.1×3|'0.1×3' has another sign than x before its uses; write 0.1x3
0.1X3|'0.1X3' has another sign than x before its uses; write 0.1x3
0.1*3|'0.1*3' has another sign than x before its uses; write 0.1x3
3x0.1|'3x0.1' has its uses before its loss; write 0.1x3
35*(0.1,1e-6)|'35*(0.1,1e-6)' has its uses before its loss; write 0.1,1e-6x35
5, 1e-6|'5, 1e-6' has a blank in it; write 5,1e-6
0.1 3|'0.1 3' has two numbers; write 0.1x3
3 0.1|'3 0.1' has two numbers; write 0.1x3
5 1e-6|'5 1e-6' has two numbers; write 5,1e-6
0.1,1e-6,35|'0.1,1e-6,35' has a second comma; write 0.1,1e-6x35
0.1, 1e-6, 35|'0.1, 1e-6, 35' has a second comma; write 0.1,1e-6x35
(0.1,1e-6)|'(0.1,1e-6)' has brackets; write 0.1,1e-6
0.1;1e-6|'0.1;1e-6' has another sign than a comma before delta; write 0.1,1e-6
ln(3) x 2|'ln(3) x 2' has a blank in it; write ln(3)x2
5%x3|epsilon '5%' is a percentage; write 0.05
0.1,5%|delta '5%' is a percentage; write 0.05
0.1x1k|times '1k' has a letter for a power of ten; write 1000
0,1x3|after the comma stands delta, below 1 and not 000; was 0.1x3 meant?
1,000|after the comma stands delta, below 1 and not 000; was 1.000 or 1000 meant?
END
    refused "compose: --mechanism: 'gaussian:2' is not TYPE:name=value,...[xTIMES]; did you mean gaussian:sigma=2?" \
        compose -m gaussian:2
    refused "compose: mechanisms: entry 1: unknown mechanism 'gausian'; did you mean 'gaussian'?" compose -m gausian:sigma=2
    refused "compose: mechanism 1: 'gaussian' lacks its parameters; did you mean gaussian:sigma=...?" compose -m gaussian
    refused "compose: mechanism 2: 'laplace' lacks its parameters; did you mean laplace:scale=...?" compose -m 0.1 --add laplacex3
    refused "compose: mechanism 1: 'parallel' holds cells, and stands in ledgers alone" compose -m parallel
    refused "compose: mechanism 1: unknown field \"sgma\" of 'gaussian'; did you mean \"sigma\"?" compose -m gaussian:sgma=2
}

@test "pairs: a thousand is not read as a pair" {
    refused "compose: --claim: '1,000' has a number 000 behind a comma; write a thousand without marks" compose -m 1 --claim 1,000
    refused "convert: --zcdp: '1,000' has a number 000 behind a comma; write a thousand without marks" \
        convert --zcdp 1,000 --target-delta 1e-6
    silent 0 compose -m 1 --claim 1,0
}

@test "words that lead nowhere" {
    refused "'version' is not a command; did you mean 'dpacct --version'?" version
    refused "'-V' is not a command; did you mean 'dpacct --version'?" -V
    refused "'kl' is not a command; did you mean 'kl-bound'?" kl
    refused "'bagging' is not a command; did you mean 'bagging-with', 'bagging-without' or 'bagging-poisson'?" bagging
    refused "'poisson' is not a command; did you mean 'bagging-poisson'?" poisson
    refused "'check' is not a command; did you mean 'dpacct compose FILE --max-epsilon E --max-delta D'?" check
    refused "'discrete-laplace' is not a command; did you mean 'dpacct compose -m discrete-laplace:scale=...'?" discrete-laplace
    refused "'-m' is not a command; options stand behind the command: dpacct compose -m" -m 1 compose
    refused "compose: 0.1,1e-6x35: cannot be read: No such file or directory; did you mean -m 0.1,1e-6x35?" \
        compose 0.1,1e-6x35
    refused "compose: max-epsilon=3: cannot be read: No such file or directory; did you mean --max-epsilon=3?" \
        compose max-epsilon=3
    refused "compose: -max-epsilon: long options have two dashes; did you mean --max-epsilon?" compose -m 1 -max-epsilon 3
    refused "rr-prob: -k: unknown option; did you mean -K, which is --mechanisms?" rr-prob -k 3
    refused "kl-bound: -e: unknown option; did you mean --epsilon?" kl-bound -e 1
    refused "dp-sgd: --q: unknown option; did you mean --sampling-rate?" dp-sgd --q 0.01
    refused "compose: --sigma: unknown option; it is one of gaussian, iterative-gaussian, pate" compose --sigma 3
    refused "bagging-poisson: 0.01: unexpected argument; 'bagging-poisson' takes only options; did you mean --sampling-rate 0.01? -q is --quiet" \
        bagging-poisson -q 0.01
    refused "bagging-with: 10: unexpected argument; 'bagging-with' takes only options; did you mean -n 10?" bagging-with 10 3
    refused "bagging-with: --epsilon: unknown option; did you mean --target-epsilon, --base-epsilon or --max-epsilon?" \
        bagging-with --epsilon 1
    refused "batch: FILE: unexpected argument; 'batch' takes only options; it reads standard input: dpacct batch < FILE" batch FILE
    ask help
    answered 0 "$("$DPACCT" --help)" ''
}

@test "theorems: a part of a name lists what holds it; by words, verdict and command" {
    works theorems kov
    same kov '' "$(grep '^[a-z]' <<<"$output" | grep -v kov || true)"
    works theorems --command compose --verdict unsound --json
    same verdicts '["unsound"]' "$(jq -c '[.theorems[].verdict] | unique' <<<"$output")"
    same input '{"verdict":"unsound","command":"compose"}' "$(jq -c .input <<<"$output")"
    works theorems --search KAIROUZ --format csv
    [[ $output == *compose-optimal* && $output != *bagging-with* ]]
    works theorems kov --json
    same input '{"search":"kov"}' "$(jq -c .input <<<"$output")"
    refused "theorems: no theorem is of that kind; 'dpacct theorems' lists all of them" theorems --search zzzz
    refused "theorems: --command: 'compos' is not a command; did you mean 'compose'?" theorems --command compos
    refused "theorems: 'compose-optimul' is not a theorem; did you mean 'compose-optimal'?" theorems compose-optimul
}

@test "a check that stays open says what is known, and whether a limit would help" {
    ask compose -m 0.1x10 --adaptive parameters --max-epsilon 0.9 --max-delta 1e-6
    same status 3 "$status"
    same note 'note: proved is (1.713, 1e-6)-DP; no limit was met, and none would help if raised' "$(notes | grep '^note: proved')"
}

@test "what is read, and was probably not meant, is warned about" {
    local swapped="an epsilon below 0.01 stands beside a delta of 0.01 or more: were they swapped? epsilon comes first"
    ask compose -m 1e-6,0.1x3
    same status 0 "$status"
    same warning "dpacct: compose: warning: $swapped" "$stderr"
    ask curve -m 1 -m 0.0099,0.01 --epsilon-range 0:1:2
    same warning "dpacct: curve: warning: $swapped" "$stderr"
    works compose -m 0.01,0.01 -m 0.1,0.1 -m 0,0.5 -m 0.001,0.009
    works compose -m bagging-with:n=10,k=3,base-epsilon=0.001 --target-delta 0.5
    local method
    for method in advanced he2021 zcdp rdp filter; do
        ask compose -m 0.1,1e-7x100 --method $method --json
        same "warnings of $method" '["the method needs target-delta, target-epsilon or slack; without them these are the figures of basic composition"]' \
            "$(jq -c .warnings <<<"$output")"
        works compose -m 0.1,1e-7x100 --method $method --slack 1e-6
    done
    works compose -m 0.1x100 --method kov
    works compose -m 0.1x100 --method basic
    ask bagging-with -n 10 --solve k --max-delta 0.01
    same status 1 "$status"
    [[ $(notes) == *"note: not even k = 1 fits; the least budget is delta = 0.1 at epsilon = 0"* ]]
    ask compose -m 0.1x350
    [[ $(notes) == *"at delta = 1e-6 epsilon is 10.07; ask with target-delta"* ]]
    run bash -c '"$DPACCT" theorems 2>&1 >/dev/full | head -1; "$DPACCT" theorems 2>"$0" | head -1; cat "$0"' "$BATS_TEST_TMPDIR/err"
    same lines 2 "${#lines[@]}"
}

@test "fields of ledgers" {
    local ledger=$BATS_TEST_TMPDIR/ledger.json
    echo '{"mechanisms": [{"epsilom": 1}]}' >"$ledger"
    refused 'compose: mechanism 1: unknown field "epsilom"; did you mean "epsilon"?' compose "$ledger"
    echo '{"mechanisms": [{"epsilon": 1, "count": 2}]}' >"$ledger"
    refused 'compose: mechanism 1: unknown field "count"; did you mean "times"?' compose "$ledger"
    echo '{"taget_delta": 1e-5, "mechanisms": [{"epsilon": 1}]}' >"$ledger"
    refused 'compose: taget_delta: unknown field; did you mean "target_delta"?' compose "$ledger"
    echo '{"mechanisms": [{"mechanism": "bagging-with", "n": 9, "subsample": 3}]}' >"$ledger"
    refused "compose: mechanism 1: unknown field \"subsample\" of 'bagging-with'; did you mean \"subsample-size\"?" compose "$ledger"
    # what the command line asks takes the place of what the ledger asks
    echo '{"target_delta": 1e-5, "mechanisms": [{"epsilon": 0.1, "times": 20}]}' >"$ledger"
    works compose "$ledger" --target-epsilon 1 --json
    same input '["1",null]' "$(jq -c '[.input.target_epsilon, .input.target_delta]' <<<"$output")"
    works compose "$ledger" --json
    same input '[null,"1e-5"]' "$(jq -c '[.input.target_epsilon, .input.target_delta]' <<<"$output")"
    echo '{"mechanisms": [{"epsilon": "5%"}]}' >"$ledger"
    refused "compose: mechanism 1: epsilon '5%' is a percentage; write 0.05" compose "$ledger"
    run bash -c 'printf "%s\n" "$1" | "$DPACCT" batch' sh '{"command": "kl-bound", "epsilon": "5%"}'
    same error "--epsilon: '5%' is a percentage; write 0.05" "$(jq -r .error <<<"$output")"
}

@test "forty words from elsewhere: what was meant" {
    local words meant
    while IFS='|' read -r meant words; do
        eval "ask $words"
        same "status of $words" 2 "$status" && same "output of $words" '' "$output" &&
            same "lines of $words" 1 "${#stderr_lines[@]}" || return 1
        [[ $stderr == *"$meant" ]] || { printf '%s: %s\n' "$words" "$stderr"; return 1; }
    done <<'LIST'
did you mean -m 0.1x35?|compose 0.1 x 35
did you mean --target-delta?|compose -m 0.1x35 --delta-target 1e-6
did you mean --max-epsilon?|compose -m 0.1x35 --epsilon-max 3
'1^-6' is a power of 1; write 1e-6|compose -m 0.1x35 --target-delta 1^-6
did you mean rdp?|compose -m 0.1x35 --target-delta 1e-6 --method renyi
did you mean basic?|compose -m 0.1x35 --target-delta 1e-6 --method naive
did you mean advanced?|compose -m 0.1x35 --target-delta 1e-6 --method Strong
did you mean replace-one?|compose -m 0.1x35 --target-delta 1e-6 --adjacency substitute
did you mean replace-one?|compose -m 0.1x35 --target-delta 1e-6 --adjacency bounded
did you mean add-remove?|compose -m 0.1x35 --target-delta 1e-6 --adjacency unbounded
write gaussian:sigma=2|compose -m gaussian,sigma=2 --target-delta 1e-6
write gaussian:sigma=2x10|compose -m 'gaussian(sigma=2)x10' --target-delta 1e-6
write gaussian:sigma=2|compose -m 'gaussian sigma=2' --target-delta 1e-6
did you mean "sigma"?|compose -m gaussian:std=2 --target-delta 1e-6
the scale is the sensitivity over epsilon: give that|compose -m laplace:epsilon=1
write 0.1,1e-6|compose -m eps=0.1,delta=1e-6
write 0.1x35|compose -m epsilon=0.1x35
were n and k swapped?|bagging-without -n 300 -k 60000
did you mean --times?|gaussian --sigma 2 --steps 10
did you mean --times?|laplace --scale 2 --queries 10
did you mean --sigma?|gaussian --noise-multiplier 2 --target-delta 1e-5
did you mean --sigma2?|discrete-gaussian --variance 4
did you mean --scale?|laplace -b 2 --target-delta 0.1
did you mean --zcdp?|convert --rho 0.1 --target-delta 1e-5
did you mean --gdp?|convert --mu 1 --target-delta 1e-5
did you mean --pure or --approx?|convert --epsilon 1 --target-delta 1e-5
did you mean --rdp 2,0.1?|convert --rdp 2 0.1 --target-delta 1e-5
did you mean --approx 1,1e-5?|convert --approx 1 1e-5
did you mean 'dpacct compose'?|help composition
did you mean 'dpacct advantage'?|membership --gdp 1
did you mean --pure or --approx?|advantage --eps 1
did you mean --true-positives?|audit --tp 10
did you mean unsound?|theorems --verdict bad
did you mean lnmax?|pate --aggregator laplace
did you mean --noise-multiplier?|dp-sgd --noise 1
did you mean --max-epsilon or --max-delta?|compose -m 0.1 --budget 1
did you mean --sampling-rate?|dp-sgd --rate-sampling 0.1
did you mean --epsilon-range?|curve --range-epsilon 0:1:3 -m 0.1
did you mean --threads?|compose -m 0.1 --cores 4
did you mean markdown?|compose -m 0.1x35 --format md
LIST
    ask bagging-with -n 300 -k 60000
    same warning 'dpacct: bagging-with: warning: more than twice as many records are drawn for a model as there are: were n and k swapped?' "$stderr"
}

@test "names of other accountants and of papers: mechanisms, fields, options, commands" {
    local words meant
    while IFS='|' read -r meant words; do
        eval "ask $words"
        answered 2 '' "$stderr" && same "lines of $words" 1 "${#stderr_lines[@]}" || return 1
        [[ $stderr == *"; $meant" ]] || { printf '%s: %s\n' "$words" "$stderr"; return 1; }
    done <<'LIST'
did you mean bounded-range:eta=E, for weights e^(E u / (2 sensitivity))?|compose -m exponential:epsilon=0.5x10 --target-delta 1e-6
did you mean bounded-range:eta=E, for weights e^(E u / (2 sensitivity))?|compose -m exp:0.5 --target-delta 1e-6
did you mean bounded-range:eta=E, for weights e^(E u / (2 sensitivity))?|compose -m ExponentialMechanismDpEvent:epsilon=1
did you mean 'gaussian'?|compose -m GaussianDpEvent:noise_multiplier=2
did you mean 'gaussian'?|compose -m make_gaussian:scale=2
did you mean gaussian:sigma=S?|compose -m analytic-gaussian:sigma=2
did you mean gaussian:sigma=S, with S = 1/mu?|compose -m gdp:mu=1
did you mean discrete-laplace:scale=B, with B = sensitivity / epsilon?|compose -m geometric:epsilon=1
did you mean 'discrete-laplace'?|compose -m DiscreteLaplaceDpEvent:noise_parameter=1
did you mean dp-sgd:noise-multiplier=S,sampling-rate=Q,steps=T?|compose -m PoissonSampledDpEvent:q=0.01
did you mean dp-sgd:noise-multiplier=S,sampling-rate=Q,steps=T?|compose -m subsampled_gaussian:sigma=1,q=0.01
did you mean randomized-response:epsilon=E,categories=K?|compose -m k-RR:k=5
did you mean approx-dp:epsilon=E,delta=D?|compose -m EpsilonDeltaDpEvent:epsilon=1
did you mean rdp:alpha=A,rdp=R?|compose -m renyi:order=2
it has no type of its own; where it is (E, 0)-DP as a whole, write pure-dp:epsilon=E|compose -m sparse-vector:epsilon=1
it has no type of its own; where it is (E, 0)-DP as a whole, write pure-dp:epsilon=E|compose -m "report noisy max:epsilon=1"
it has no type of its own; write what is proved of it as approx-dp:epsilon=E,delta=D|compose -m shuffle:epsilon=1
uses stand behind a mechanism, as in gaussian:sigma=2x10; a list is several -m|compose -m SelfComposedDpEvent:count=3
name its noise, such as laplace:scale=B,sensitivity=L or gaussian:sigma=S,sensitivity=L|compose -m histogram:bins=3
did you mean "sigma"?|compose -m gaussian:noise_multiplier=2
did you mean "sensitivity"?|compose -m gaussian:l2_sensitivity=1,sigma=2
did you mean "alpha"?|compose -m rdp:order=2,rdp=0.1
the divergence is called rdp, as in rdp:alpha=2,rdp=0.1|compose -m rdp:alpha=2,epsilon=0.1
did you mean "noise_multiplier"?|compose -m dp-sgd:sigma=1,sampling-rate=0.01,steps=100
did you mean "sampling_rate"?|compose -m dp-sgd:noise_multiplier=1,sampling_probability=0.01,steps=100
give the scale, which is the standard deviation over the square root of 2|compose -m laplace:sigma=1
did you mean --noise-multiplier?|dp-sgd --sigma 1
did you mean --sampling-rate?|dp-sgd --sample-rate 0.01
did you mean --dataset-size?|dp-sgd --number_of_examples 60000
did you mean --epochs?|dp-sgd --num-epochs 10
did you mean --steps?|dp-sgd --num-steps 10
no clipping norm is needed: the noise multiplier is the noise over it|dp-sgd --max-grad-norm 1
no clipping norm is needed: the noise multiplier is the noise over it|dp-sgd --l2_norm_clip 1
all real orders are searched, none is given|dp-sgd --alphas 2
all real orders are searched, none is given|compose -m 0.1 --orders 2
there is no grid to choose: --digits says how closely is proved|compose -m 0.1 --value-discretization-interval 1e-4
batches are Poisson samples unless --sampling says otherwise|dp-sgd --poisson-sampling
what is printed as a guarantee is always an upper bound|compose -m 0.1 --pessimistic-estimate
did you mean pld?|dp-sgd --method prv
did you mean noise-multiplier?|dp-sgd --solve sigma
did you mean steps?|dp-sgd --solve epochs
did you mean optimal?|compose -m 0.1 --method fft
did you mean add-remove?|compose -m 0.1 --adjacency ADD_OR_REMOVE_ONE
did you mean --max-epsilon?|compose -m 0.1 --total-epsilon 1
did you mean --slack?|compose -m 0.1 --slack-delta 1e-6
did you mean --delta-range?|curve -m 0.1 --deltas 1e-9:1e-3:3
did you mean --epsilon-range?|curve -m 0.1 --target-epsilon 1
the noise that a budget needs is --solve sigma --max-epsilon E --max-delta D|gaussian --epsilon 1 --delta 1e-6
give its square root, sigma|gaussian --variance 4
Gaussian noise is --gdp MU, where mu is the sensitivity over sigma|convert --sigma 2
did you mean --rdp?|convert --renyi 2,0.1
did you mean --approx?|convert --approx-dp 1,1e-6
did you mean --models?|bagging-with -n 60000 -k 300 --n-estimators 10
models are drawn by a number of records: -k, the share times n|bagging-with -n 60000 --fraction 0.1
did you mean --mechanisms?|majority --ensemble 11
the answer is on standard output: > FILE keeps it; --format says how it is written|compose -m 0.1 --output out.json
the answer is on standard output: > FILE keeps it; --format says how it is written|compose -m 0.1 -o out.json
did you mean 'dpacct dp-sgd'?|compute_dp_sgd_privacy --noise_multiplier 1
did you mean 'dpacct dp-sgd --solve noise-multiplier --max-epsilon E --max-delta D'?|get_noise_multiplier
mechanisms are given as dpacct compose -m TYPE:...; did you mean bounded-range:eta=E, for weights e^(E u / (2 sensitivity))?|exponential --epsilon 1
LIST
    refused "convert: --to: 'dp' is asked as --target-delta D, or --target-epsilon E, in place of --to" convert --zcdp 0.1 --to dp
    refused "compose: mechanisms: entry 1: unknown mechanism 'foo'; known are approx-dp, pure-dp, gaussian, laplace, discrete-laplace, discrete-gaussian, randomized-response, pair, bounded-range, zcdp, rdp, dp-sgd, sampled-laplace, pate, parallel, bagging-with, bagging-without, bagging-poisson" \
        compose -m foo:bar=1
    echo '{"mechanisms": [{"mechanism": 7}]}' >"$BATS_TEST_TMPDIR/ledger.json"
    ask compose "$BATS_TEST_TMPDIR/ledger.json"
    same status 2 "$status"
    run bash -c 'printf "%s\n" "$1" | "$DPACCT" batch' sh '{"command": "dp-sgd", "max_grad_norm": 1}'
    same error "max_grad_norm: unknown field of 'dp-sgd'; no clipping norm is needed: the noise multiplier is the noise over it" "$(jq -r .error <<<"$output")"
}

@test "two hundred mistyped commands: one line each, and for most what was meant" {
    run /usr/bin/python3 "$DPACCT_SOURCE/tests/cli/mistyped.py"
    same status 0 "$status" || { echo "$output"; return 1; }
}

@test "an option of another command is answered with what it is here, or where it is" {
    run /usr/bin/python3 "$DPACCT_SOURCE/tests/cli/foreign.py"
    same status 0 "$status" || { echo "$output"; return 1; }
    local words meant
    while IFS='|' read -r meant words; do
        # shellcheck disable=SC2086
        ask $words 1
        answered 2 '' "dpacct: ${words%% *}: ${words#* }: unknown option; $meant"
    done <<'LIST'
it is one of compose|majority --use-delta
it is one of compose, filter|gaussian --add
it is one of bagging-with, bagging-without, bagging-poisson|compose --base-epsilon
it is one of audit|compose --plan
did you mean --method rdp?|compose --rdp
did you mean --claim gdp?|audit --gdp
did you mean --format csv?|convert --csv
did you mean --format junit?|compose --xml
did you mean --design optimal?|majority --optimal
did you mean --adjacency replace-one?|gaussian --substitution
did you mean --sampling poisson?|dp-sgd --poisson
did you mean --target-epsilon or --max-epsilon?|dp-sgd --eps
did you mean --max-epsilon?|compose --eps-max
did you mean --max-epsilon?|compose --budget-epsilon
did you mean --dataset-size?|dp-sgd --train-size
did you mean --slack?|compose --delta-prime
did you mean --plot?|curve --png
did you mean 'dpacct --version'?|compose --version
the file stands by itself: dpacct compose FILE|compose --ledger
colour is for terminals, and NO_COLOR=1 in the environment turns it off|compose --no-color
it is 1 - tpr|advantage --fnr
see 'dpacct compose --help'|compose --type
LIST
}
