#!/bin/bash
# SPDX-License-Identifier: MIT
# Every allocation of the program refused, one by one and at random (TAP): no signal, no status but
# 3 with a message that names memory, and nothing printed; or all is printed as if nothing had been.
set -u
: "${DPACCT:?the program}" "${DPACCT_SOURCE:?the source folder}" "${DPACCT_BUILD:?its build}"
# shellcheck source=tests/install/tap.sh
. "$DPACCT_SOURCE/tests/install/tap.sh"
preload=$DPACCT_BUILD/tests/faults/refuse.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
all=${DPACCT_FAULTS:-1500} # tried one by one; of later ones ever fewer

# refused ARGUMENTS...: with each allocation refused in turn, then with random ones refused
refused() {
    "$DPACCT" "$@" <input >expect 2>/dev/null
    status=$?
    rm -f report
    REFUSE_EXPECT=expect REFUSE_STATUS=$status REFUSE_REPORT=report REFUSE_ALL=$all \
        LD_PRELOAD=$preload "$DPACCT" "$@" <input >out 2>err
    [ $? -eq "$status" ] || { echo "the program itself was disturbed"; cat err; return 1; }
    cmp expect out || return 1
    grep '^tried [1-9]' report >>tried || { echo "nothing was refused"; return 1; }
    if grep -v '^tried' report | head -n 5 | grep .; then return 1; fi
    for seed in 1 2 3; do
        REFUSE_RANDOM=$seed LD_PRELOAD=$preload "$DPACCT" "$@" <input >out 2>err
        got=$?
        [ $got -eq "$status" ] && cmp -s expect out && continue
        [ $got -eq 3 ] && [ ! -s out ] && grep -q memory err && continue
        echo "seed $seed: status $got"
        cat err
        return 1
    done
}

cat >ledger.json <<'EOT'
{"mechanisms": [{"name": "a", "epsilon": 0.1, "delta": "1e-6", "times": 3},
 {"mechanism": "bagging-with", "n": 1000, "k": 100, "base_epsilon": 1, "base_delta": "1e-5"},
 {"epsilon": "ln(3)", "times": 2}], "target_delta": 1e-4}
EOT
cat >gamma.json <<'EOT'
[0, "1/3", 0.5, 1]
EOT
cat >list <<'EOT'
bagging-with -n 60000 -k 300 --all
bagging-with -n 60000 -k 300 --json --digits 60
bagging-with -n 60000 -k 300 --max-delta 0.004
bagging-with -n 60000 --solve k --max-delta 0.005
bagging-with -n 1000 -k 100 --base-epsilon 1 --base-delta 1e-5 --json
bagging-without -n 60000 -k 300 -N 10 --format csv
kl-bound --epsilon ln(3) --format markdown
bagging-with -n 2 -k 1 --max-delta 0.4 --format junit
bagging-with -n 2 -k 1 --max-delta 0.5 --format statement
theorems compose-optimal --format bibtex
bagging-without -n 10 -k 11
bagging-poisson --sampling-rate 0.01 -N 5 --base-epsilon 1 --json
compose -m 0.1,1e-6x35 --target-delta 1e-4
compose -m 0.1x20 -m ln(3)x5 -m 1/7,1e-9 --target-epsilon 2 --json
compose -m 0.1x20 -m 0.17x9 --target-delta 1e-6 --all
compose -m 0.1x3 --max-epsilon 0.3
compose -m 1,1e-5x1000 --claim 697.2,0.0086
compose -m 1,1e-5x1000 --claim 697.2,0.0086 --json
compose -m 0.1x20 --add 0.2 --max-epsilon 4 --max-delta 1e-6
compose -m 0.1x20 --add 0.2x2 --add gaussian:sigma=30 --max-epsilon 4 --max-delta 1e-6 --json
compose -m 0.1x2 -m 0.1x2 -m gaussian:sigma=30,date=2026-01-31 --by-entry --target-delta 1e-6
compose --solve epsilon --uses 100 --max-epsilon 1 --max-delta 1e-6
compose -m 0.01 --solve times --max-epsilon 1 --max-delta 1e-6 --json
compose -m 0.01x100000 --target-delta 1e-12
compose -m 0.1x0
compose no-such-file.json
compose ledger.json --json --all
compose ledger.json
compose ledger.csv --json
compose wrong.csv
compose --epsilon 0.1 --times 3 --solve epsilon --max-epsilon 1
bagging-with -n 10 --solve k --max-delta 0
compose -
curve -m 0.1x35 --epsilon-range 0:3:5 --json
curve -m 0.1x35 --delta-range 1e-9:1e-3:3
divergence --epsilon 0.5 --order 8 --json
divergence -m 0.1x3 -m 0.2 --order 2
kl-bound --epsilon 0.1 --times 100 --all
kl-bound --epsilon ln(3) --json
kl-bound --epsilon -1
audit --true-positives 90 --positives 100 --false-positives 10 --negatives 100 --max-epsilon 1 --all --json
audit --one-run --canaries 100 --guesses 50 --correct 40 --target-delta 1e-5 --all
audit --correct 5 --trials 4
audit --one-run --canaries 20 --guesses 20 --correct 18 --method fdp --claim gdp --mu 1
audit --one-run --canaries 20 --guesses 20 --correct 18 --method profile --claim-point 0.5,1e-3 --claim-point 1,1e-5
audit --one-run --canaries 20 --guesses 10 --correct 9 --method adaptive --target-delta 1e-5 --json
audit --plan --claim-epsilon 1 --json
generalization --epsilon 0.5 --delta 1e-6 -N 95727 --all --json
iterative-gaussian -N 60 --batch-size 6 -T 10 --diameter 2 --sigma 1 --target-delta 1e-5 --json
majority -K 11 --epsilon 0.1 --delta 1e-5 --allowance 3 --target-delta 1e-3 --json
majority -K 7 --epsilon 0.1 --allowance 1 --target-delta 0.1 --gamma gamma.json --json
majority -K 5 --epsilon 0.5 --allowance 2 --design constant --vote-mean 0.3
rr-prob -K 11 --epsilon 0.1 --allowance 3 --all
rr-prob -K 35 --epsilon 0.1 --delta 1e-5 --target-epsilon 0.65 --target-delta 0.1001 --composition general --slack 0.1 --json
theorems --json
theorems bagging-with-exact
theorems no-such-theorem
theorems --search Kairouz --json
compose -m 5%x3
--version
--help
compose --help
compose -h
--generate man
--generate dpacct-compose.1
--generate dpacct-ledger.5
--generate dpacct-json.5
--generate theorems
completion zsh
bagging-with --datasetsize 3
gaussian --sigma 2 --times 10 --target-delta 1e-5 --all
dp-sgd --noise-multiplier 2 --sampling-rate 0.01 --steps 10 --target-delta 1e-5 --all --method rdp
dp-sgd --noise-multiplier 2 --sampling-rate 0.01 --steps 1 --target-delta 1e-5
dp-sgd --noise-multiplier 2 --sampling-rate 1/2 --steps 20 --target-delta 1e-3 --digits 2 --group-size 2
dp-sgd --noise-multiplier 2 --sampling-rate 1/2 --steps 20 --target-delta 1e-3 --width 0.1
compose -m discrete-gaussian:sigma2=4,sensitivity=1x3 --target-delta 1e-3 --digits 3
compose -m sampled-laplace:scale=4,sampling-rate=1/2 --target-epsilon 0.1 --digits 3
compose -m bounded-range:eta=1/2x3 --target-delta 1e-3 --digits 3
dp-sgd --noise-multiplier 2 --sampling-rate 1 --solve steps --max-epsilon 1 --max-delta 1e-5 --digits 4
gaussian --solve sigma --times 10 --max-epsilon 1 --max-delta 1e-6 --digits 4 --json
advantage --approx 1,1e-5 --fpr 0.1 --belief 1 --kappa 0.1 --all
advantage --of gaussian --sigma 2 --times 3 --prior 0.1 --json
advantage -m 0.5x2 --fpr 0.1 --digits 3
advantage --zcdp 0.1 --tpr 0.5 --max-advantage 0.2
laplace --scale 4 --target-epsilon 0.1 --json
discrete-gaussian --solve sigma2 --sensitivity 1,2 --max-epsilon 1 --max-delta 0.1 --digits 2
compose -m gaussian:sigma=2x10 --target-delta 1e-5 --json
compose -m pair:p=1/2,1/3,1/6,q=1/4,1/4,1/2x3 -m 0.1,1e-9 --target-delta 1e-2 --digits 4
compose -m rdp:alpha=2,4,rdp=0.1,0.2 -m zcdp:rho=0.1 --target-delta 1e-5 --digits 4
filter -m 0.1,1e-8x5 --add gaussian:sigma=20 --slack 5e-7 --max-epsilon 2 --max-delta 1e-6
filter -m 0.1x9 --add 0.2 --max-epsilon 1 --json
compose -m 0.2,1e-6x2 --group-size 3 --target-delta 1e-2
compose -m discrete-laplace:scale=2x3 --target-delta 1e-2 --digits 3
compose -m gaussian:sigma= --target-delta 1e-5
divergence -m gaussian:sigma=2 --order 2
EOT
printf '{"mechanisms": [{"epsilon": 0.1, "epsilon": 0.2}]}' >input
printf '\357\273\277name,mechanism,epsilon,sigma,times\r\n"a ""b""",,0.1,,3\r\n,gaussian,,2,\r\n' >ledger.csv
printf 'epsilon,times\n0.1,3\n0.1,x\n' >wrong.csv
if [ ! -e "$preload" ]; then
    echo "1..0 # skip no preloading here"
    exit 0
fi
plan $(($(wc -l <list) + 4))
while read -r arguments; do
    # shellcheck disable=SC2086
    tap "dpacct $arguments" refused $arguments
done <list
enough() {
    awk '{ n += $2 } END { print n " refusals"; exit n < 20000 }' tried
}
# The system itself refuses, somewhere in a document of 20,000 items.
scarce() {
    awk 'BEGIN { printf "{\"mechanisms\": ["
                 for (i = 0; i < 20000; i++)
                     printf "%s{\"epsilon\": \"1/%d\"}", (i ? ", " : ""), 10000 + i
                 print "], \"target_epsilon\": 1}" }' >many.json
    for kib in 11000 12000 13000 14000 15000 16000 17000 18000 22000; do
        (ulimit -v "$kib" && exec "$DPACCT" compose many.json --max-time 0.1 --json) >out 2>err
        case $? in
        0) [ "$(jq '.input.mechanisms | length' out)" = 20000 ] || return 1 ;;
        3) [ ! -s out ] && grep -q memory err && echo refused >>scarce ;;
        *) cat err && return 1 ;;
        esac || return 1
    done
    [ -s scarce ]
}
tap "a document that does not fit into what the system gives" scarce
# The files are made by another process: what measures must be small itself.
large() {
    awk 'BEGIN { printf "["; for (i = 0; i < 4000000; i++) printf "1,"; print "1]" }' >ones.json
    awk 'BEGIN { printf "{\"mechanisms\":["
        for (i = 1; i < 1000000; i++) printf "{\"epsilon\":\"0.1\",\"times\":%d},", i
        print "{\"epsilon\":1}]}" }' >items.json
    lines 'BEGIN { for (i = 0; i < 8380000; i++) printf "1,"; print "1]}" }' >values.jsonl
    lines 'BEGIN { for (i = 0; i < 5590000; i++) printf "[],"; print "1]}" }' >lists.jsonl
    lines 'BEGIN { for (i = 0; i < 2090000; i++) printf "{\"e\":1},"; print "1]}" }' >objects.jsonl
    lines 'BEGIN { for (i = 0; i < 349000; i++)
        printf "{\"epsilon\":\"0.%05d\",\"delta\":\"1e-6\",\"times\":35},", i % 100000
        print "{\"epsilon\":1}]}" }' >items.jsonl
    awk 'BEGIN { printf "{\"command\":\"kl-bound\""
        for (i = 0; i < 1600000; i++) printf ",\"%x\":1", i
        print "}" }' >keys.jsonl
}
lines() {
    printf '{"command":"compose","method":"basic","mechanisms":['
    awk "$1"
}
large
# The peak of a process is at most the limit and 32 MB, the text and the nodes of a document included.
bounded() {
    /usr/bin/python3 - "$DPACCT" <<'EOT'
import resource, subprocess, sys
for limit in 10000000, 30000000, 100000000:
    for name in "ones.json", "items.json":
        run = subprocess.run([sys.argv[1], "compose", name, "--max-memory", str(limit), "--json"],
                             capture_output=True)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        print(name, limit, peak, run.returncode, run.stderr)
        fits = name == "ones.json" and limit > 50000000  # it is then refused as no ledger
        if peak > limit + 32000000 or run.returncode != (2 if fits else 3):
            sys.exit(1)
        if not fits and b"memory" not in run.stderr:
            sys.exit(1)
EOT
}
tap "the peak keeps to --max-memory" bounded
# A batch line of 16 MiB, whatever is in it, needs less than 256 MB.
line() {
    /usr/bin/python3 - "$DPACCT" <<'EOT'
import os, resource, subprocess, sys
for name in "values", "lists", "objects", "keys", "items":
    assert 15 << 20 < os.path.getsize(name + ".jsonl") <= 1 << 24
    with open(name + ".jsonl") as line, open("answer", "w") as out:
        run = subprocess.run([sys.argv[1], "batch"], stdin=line, stdout=out)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(name, peak, run.returncode)
    if peak > 256000000 or run.returncode != (0 if name == "items" else 2):
        sys.exit(1)
EOT
}
tap "a batch line of 16 MiB needs less than 256 MB" line
tap "thousands of allocations were refused" enough
finish
