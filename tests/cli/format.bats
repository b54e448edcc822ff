#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Answers in the forms that reports, pull requests and pipelines take.
load helper

questions=(
    'compose -m 0.1,1e-7x35 --target-delta 1e-5 --max-epsilon 2 --all'
    'compose -m 0.1,0.1 --target-delta 0.01'
    'compose -m 0.1 --add 0.1 --max-epsilon 0.3'
    'curve -m 0.1x10 --epsilon-range 0:1:3'
    'divergence --epsilon 1'
    'bagging-with -n 60000 -k 300 --max-delta 0.01'
    'generalization --epsilon 3 --delta 1e-6 --samples 10'
    'audit --correct 150 --trials 200 --max-epsilon 0.5'
    'pate --aggregator lnmax --inverse-scale 0.05 --queries 100 --target-delta 1e-5'
    'gaussian --solve sigma --target-epsilon 1 --target-delta 1e-6')
forms='tsv markdown latex statement github junit'

@test "every form has the status and the warnings of the text, and an answer" {
    local question form wanted warned
    for question in "${questions[@]}"; do
        ask $question
        wanted=$status warned=$stderr
        for form in $forms; do
            ask $question --format "$form"
            answered "$wanted" "${output:-nothing}" "$warned" ||
                { printf 'question: %s --format %s\n' "$question" "$form"; return 1; }
            printf '%s\n' "$output" >>"$BATS_TEST_TMPDIR/all.$form"
            [ "$form" != junit ] || printf '\0' >>"$BATS_TEST_TMPDIR/all.junit"
        done
    done
    /usr/bin/python3 - "$BATS_TEST_TMPDIR" <<'END'
import re, sys, xml.etree.ElementTree as tree
read = lambda form: open(f'{sys.argv[1]}/all.{form}', newline='').read()
for text in read('junit').split('\0')[:-1]:
    suite, = tree.fromstring(text.strip().encode())
    case, = suite
    of = {part.tag for part in case} - {'system-out'}
    assert [suite.get(n) for n in ('tests', 'failures', 'errors', 'skipped')] == \
        ['1'] + [str(int(tag in of)) for tag in ('failure', 'error', 'skipped')], text
table = [re.findall(r'(?<!\\)\|', line) for line in read('markdown').splitlines() + ['']
         if line.startswith('| ') or not line]
for before, line in zip(table, table[1:]):
    assert not before or not line or len(line) == len(before), line
for line in read('latex').splitlines():
    assert line[:1] in '\\%' or line.endswith(' \\\\'), line
    assert line[:1] == '%' or line.count('$') % 2 == 0 and not re.search(r'\d\d10\^|(?<!\\)_', line), line
for block in re.findall(r'{ll(r*)}(.*?)\\end', read('latex'), re.S):
    for row in block[1].splitlines():
        assert not row.endswith('\\\\') or row.count(' & ') == 1 + len(block[0]), row
for line in read('github').splitlines():
    assert re.fullmatch(r'::(notice|warning|error) title=dpacct [a-z-]+::[^\r]*', line), line
END
}

@test "tsv is csv with tabs" {
    ask bagging-without -n 60000 -k 300 -N 10 --format csv
    local csv=$output
    ask bagging-without -n 60000 -k 300 -N 10 --format tsv
    answered 0 "${csv//,/$'\t'}" ''
}

@test "a table for a pull request, and for a paper" {
    ask compose -m 0.1,1e-7x35 --target-delta 1e-5 --max-epsilon 2 --digits 4 --format markdown
    answered 1 '**(2.348, 1e-5)-DP, add-remove adjacency \[compose-optimal: exact\]**

**check: (2, 1e-5)-DP does not hold**

| theorem | verdict | epsilon | delta |
| --- | --- | ---: | ---: |
| **compose-optimal** | exact | 2.348 | 1e-5 |
| compose-basic | proved | 3.5 | 3.500e-6 |

dpacct 0.1.0: `dpacct compose -m 0.1,1e-7x35 --target-delta 1e-5 --max-epsilon 2 --digits 4 --format markdown`' ''
    ask compose -m 1e-400,1e-11 -m 'ln(2)' --target-delta 1e-12 --all --digits 3 --format latex
    same status 0 "$status"
    [[ $output == *'compose-optimal} & exact & $\infty$ & $10^{-12}$ '* ]]
    [[ $output == *'compose-basic & proved & $0.694$ & $10^{-11}$ '* ]]
}

@test "the statement names unit, relation, assumptions, theorem, source, version, and asks again" {
    ask compose -m '1,1e-9x3' --group-size 2 --adjacency replace-one --target-delta 1e-6 \
        --max-epsilon "ln(3)" --format statement
    same status 1 "$status"
    same stderr '' "$stderr"
    [[ $output == 'The release satisfies (5.999997470, 1e-6)-differential privacy. The unit of privacy is a group of up to 2 records'* ]]
    [[ $output == *'(replace-one)'*'Check: (ln(3), 1e-6)-DP does not hold.'* ]]
    [[ $output == *'Theorem compose-pairs (exact: '*'Assumptions: '*'Source: Zhu, Dong, Wang 2022'* ]]
    [[ $output == *"Computed with dpacct "*": dpacct compose -m 1,1e-9x3 "*"--max-epsilon 'ln(3)' --format statement" ]]
    local first=$output
    dpacct() { "$DPACCT" "$@"; }
    same again "$first" "$(eval "${first##*safe side: }")"
}

@test "long figures are whole in every form" {
    local form figure
    ask compose -m 'ln(3)x2' --digits 10000 --json
    figure=$(jq -r '.guarantee.epsilon_enclosure[1]' <<<"$output")
    [ "${#figure}" -gt 10000 ]
    for form in text markdown latex statement github junit; do
        ask compose -m 'ln(3)x2' --digits 10000 --format "$form"
        [ "$status" -eq 0 ]
        # as often whole as begun
        same "whole figures of $form" "$(grep -oF "${figure:0:900}" <<<"$output" | wc -l)" \
            "$(grep -oF "${figure: -900}" <<<"$output" | wc -l)"
    done
}

@test "what is guaranteed is the safe end, also where the ends are apart" {
    local form question=(compose -m 0.1,1e-9x2000 -m 'ln(3)x77' -m 0.237x500 -m 0.0113x3000
        --target-delta 1e-5 --max-time 0.001 --max-epsilon 1000)
    ask "${question[@]}" --json
    local low high
    low=$(jq -r '.guarantee.epsilon_enclosure[0]' <<<"$output") high=$(jq -r '.guarantee.epsilon_enclosure[1]' <<<"$output")
    [ "$low" != "$high" ]
    for form in statement github junit text; do
        ask "${question[@]}" --format "$form"
        [[ $output == *"($high, 1e-5)-"* && $output != *'(['* ]] || { echo "$output"; return 1; }
    done
    [[ $output == *"[$low, $high]"* ]] # the table has both
}

@test "a statement claims no more than is proved" {
    ask compose -m 0.1,0.1 --target-delta 0.01 --format statement
    [[ $output == 'No finite epsilon is proved: '* ]]
    ask filter -m 0.1x5 --add 5 --max-epsilon 2 --max-delta 1e-6 --format statement
    [[ $output == 'Without what is refused, all that is released satisfies (2, 1e-6)-'* ]]
    ask curve -m 0.1x10 --epsilon-range 0:1:3 --format statement
    [[ $output == 'Each of these is proved: (0, 0.1225362236)-differential privacy; '* ]]
    ask audit --correct 150 --trials 200 --format statement
    [[ $output == 'The outcomes of an attack show that epsilon_lower is at least 0.8'*'guarantees nothing'* ]]
}

@test "what is no letter in names of files acts nowhere" {
    local name=$BATS_TEST_TMPDIR/$'a%b:c,d<&>"|_$\x1b\n.json' shown
    echo '{"mechanisms": [{"epsilon": "1"}], "max_epsilon": "1", "max_delta": "0"}' >"$name"
    ask compose "$name" --format github
    shown=${BATS_TEST_TMPDIR//:/%3A}
    answered 0 "::notice title=dpacct compose,file=$shown/a%25b%3Ac%2Cd<&>\"|_\$\\x1b\\x0a.json::(1, 0)-DP, add-remove adjacency [compose-optimal: exact]%0Acheck: (1, 0)-DP holds" ''
    ask compose "$name" --format junit
    [[ ${lines[2]} == *'/a%b:c,d&lt;&amp;&gt;&quot;|_$\x1b\x0a.json&apos; --format junit"'* ]]
    ask compose "$name" --format markdown
    [[ ${lines[-1]} == 'dpacct '*': `dpacct compose '*'/a%b:c,d<&>"|_$\x1b\x0a.json'"' --format markdown\`" ]]
    ask compose "$name" --format latex
    [[ ${lines[0]} == '% dpacct '*'\x1b\x0a.json'*' latex' ]]
}

@test "what a ledger names acts nowhere, and each entry is there" {
    printf '%s\n' '{"mechanisms": [{"name": "a|b*_<x>&%\u001b]]> \"q\"", "epsilon": "0.1"}, {"epsilon": "0.2"}]}' \
        >"$BATS_TEST_TMPDIR/names.json"
    ask compose "$BATS_TEST_TMPDIR/names.json" --target-delta 1e-5 --by-entry --format junit
    [[ $output == *$'\n1      a|b*_&lt;x&gt;&amp;%\\x1b]]&gt; &quot;q&quot; '* ]]
    ask compose "$BATS_TEST_TMPDIR/names.json" --target-delta 1e-5 --by-entry --format latex
    [[ $output == *$'\n1 & a\\textbar{}b*\\_\\textless{}x\\textgreater{}\\&\\%\\textbackslash{}x1b]]'* ]]
    [[ $output == *$'\\end{tabular}\n\n\\begin{tabular}{llrrrrr}'* ]]
    ask curve -m 0.1 --epsilon-range 0:0.1:41 --format latex
    [[ $output == *$'% \\usepackage{longtable}\n\\begin{longtable}{llrr}\n'*$'\\hline\n\\endhead\n'*$'\\end{longtable}' ]]
    ask compose "$BATS_TEST_TMPDIR/names.json" --target-delta 1e-5 --by-entry --format markdown
    [[ $output == *$'\n| 1 | a\\|b\\*\\_\\<x\\>\\&%\\\\x1b\\]\\]\\> "q" |'* ]]
}

@test "a check that fails, is open, is missing" {
    ask kl-bound --epsilon 0.1 --format junit
    [[ $output == *'skipped="1"'*'<skipped message="there is no budget to check"/>'* ]]
    ask bagging-with -n 60000 -k 300 --max-delta 0.004 --format junit
    same status 1 "$status"
    [[ $output == *'<failure message="'*'check: (0, 0.004)-DP does not hold" type="check"/>'* ]]
    ask bagging-with -n 60000 -k 300 --max-delta 0.004 --format github
    [[ $output == '::error title=dpacct bagging-with::(0, '*'%0Acheck: (0, 0.004)-DP does not hold'* ]]
    ask kl-bound --epsilon 0.1 --format github
    [[ $output == '::notice title=dpacct kl-bound::kl = '* ]]
}

@test "faults are one line on standard error in every form" {
    local form
    for form in $forms; do
        refused "compose: --max-epsilon: '-1' must not be negative, such as 0.1 or ln(3)" compose -m 1 --max-epsilon -1 --format "$form"
        ask kl-bound --epsilon 1 --json --format "$form"
        same status 2 "$status"
        [[ $output == '' && $stderr == *"\"and --format $form exclude each other; give one of them\""* ]]
    done
}

@test "every work that a source names has its entry, and each entry is whole" {
    "$DPACCT" theorems --json >"$BATS_TEST_TMPDIR/theorems.json"
    "$DPACCT" theorems --format bibtex >"$BATS_TEST_TMPDIR/all.bib"
    /usr/bin/python3 - "$BATS_TEST_TMPDIR" <<'END'
import json, re, sys
theorems = json.load(open(f'{sys.argv[1]}/theorems.json'))['theorems']
known, own = {}, set()
for t in theorems:
    cited = re.findall(r'\b(?:19|20)[0-9]{2}\b', t['source'].replace('Dwork et al. 2015, as quoted by', ''))
    assert sorted(cited) == sorted(w['year'] for w in t['works']), t['source']
    if not t['works'] or 'derived here' in t['source'] or 'this project' in t['source']:
        own.add('dpacct:' + t['id'])
    for w in t['works']:
        assert known.setdefault(w['key'], w) == w
        first = w['author'].split(' and ')[0].split()[-1]
        assert first in t['source'] and w['year'] in w['key'], w
        assert w['venue'].removeprefix('arXiv:') in w.get('doi', '') or 'arXiv:' not in w['venue'], w
entries = re.findall(r'^@(\w+){([^,]+),\n((?:  \w+ = {.*},?\n)+)}$', open(f'{sys.argv[1]}/all.bib').read(), re.M)
assert {key for _, key, _ in entries} == own | set(known) and len(entries) == len(own) + len(known)
for _, key, text in entries:
    fields = dict(re.findall(r'^  (\w+) = {(.*)},?$', text, re.M))
    for value in (fields[name] for name in fields if name != 'doi'):
        assert value.count('{') - value.count('\\{') == value.count('}') - value.count('\\}'), text
        assert not re.search(r'(?<!\\)[&%$#_^~]', value), text
    if key in known:
        assert all(known[key].get(n, '') == fields.get(n, '') for n in ('author', 'title', 'year', 'doi')), text
END
    ask theorems bagging-with-exact --format bibtex
    [[ $output == '@inproceedings{liu2021,'*$'\n@misc{dpacct:bagging-with-exact,\n  title = {{dpacct} theorem bagging-with-exact},'* ]]
    ask compose -m 0.1 --format statement
    [[ $output == *'Reference: Peter Kairouz, Sewoong Oh, Pramod Viswanath: The Composition Theorem for Differential Privacy. '*', 2015, doi:10.48550/arXiv.1311.0776.'* ]]
}

@test "theorems as tables" {
    ask theorems kov --format tsv
    same status 0 "$status"
    [ "${#lines[@]}" -eq 4 ] && [ "${lines[0]}" = $'id\tverdict\tsource\tstatement' ]
    [[ ${lines[2]} == $'compose-kov-log\tproved\tKairouz, '* ]]
    ask theorems compose-kov-log --format markdown
    [[ ${lines[2]} == '| compose-kov-log | proved | '*'sum epsilon\_i^2 |' ]]
    ask theorems compose-kov-log --format latex
    [[ ${lines[6]} == 'compose-kov-log & proved & '*'epsilon\_i\textasciicircum{}2 \\' ]]
    refused "theorems: --format: 'junit' is not one of text|json|csv|tsv|markdown|latex|bibtex" theorems kov --format junit
}

# gated LEDGER COMMAND...: its status where privacy/ledger.json is that
gated() {
    printf '%s\n' "$1" >privacy/ledger.json
    shift
    status=0
    PATH=$BATS_TEST_TMPDIR/bin:$PATH "$@" >made 2>complaints || status=$?
}

gates() { # COMMAND...: passes on a budget that is kept, fails on every other
    gated '{"mechanisms": [{"epsilon": "0.1", "times": 3}], "max_epsilon": "0.3"}' "$@"
    [ "$status" -eq 0 ] || { cat complaints; return 1; }
    cp made made.kept
    for ledger in '{"mechanisms": [{"epsilon": "0.1", "times": 3}], "max_epsilon": "0.29999999999999999999"}' \
        '{"mechanisms": [{"epsilon": "0.1"}]}' '{"mechanisms": [{"epsilonn": "0.1"}], "max_epsilon": 1}' \
        '{"mechanisms": [{"epsilon": "0.1", "delta": "0.1"}], "target_delta": "0.01", "max_epsilon": "1e300"}' ''; do
        gated "$ledger" "$@"
        [ "$status" -ne 0 ] || { printf 'passed: %s\n' "$ledger"; return 1; }
    done
}

@test "what examples/ci runs in pipelines fails where the budget is not kept" {
    local ci=$DPACCT_SOURCE/examples/ci job
    cd "$BATS_TEST_TMPDIR"
    mkdir privacy bin && ln -s "$DPACCT" bin/dpacct
    /usr/bin/python3 - "$ci" <<'END'
import sys, yaml
flow = yaml.safe_load(open(f'{sys.argv[1]}/github.yml'))
assert set(flow) == {'name', True, 'permissions', 'jobs'} and set(flow[True]) == {'pull_request', 'push'}
steps = flow['jobs']['budget']['steps']
assert all(('uses' in s) != ('run' in s) for s in steps)
ours = [s['run'] for s in steps if 'dpacct compose' in s.get('run', '')]
assert len(ours) == 2
open('github.sh', 'w').write('set -eo pipefail\n' + '\n'.join(ours))
open('install.sh', 'w').write(next(s['run'] for s in steps if s.get('name') == 'Install dpacct'))
job = yaml.safe_load(open(f'{sys.argv[1]}/gitlab.yml'))['privacy-budget']
assert job['artifacts']['reports']['junit'] == 'privacy-budget.xml'
open('gitlab.sh', 'w').write('set -e\n' + '\n'.join(job['script']))
END
    bash -n install.sh
    GITHUB_STEP_SUMMARY=summary gates bash github.sh
    same annotation '::notice title=dpacct compose,file=privacy/ledger.json::(0.3, 0)-DP, add-remove adjacency [compose-optimal: exact]%0Acheck: (0.3, 0)-DP holds%0Anote: max-delta is not given and means 0; at delta = 1e-6 epsilon is 0.3000' "$(cat made.kept)"
    grep -q '^| \*\*compose-optimal\*\* | exact | 0.3 | 0 |$' summary
    gates sh gitlab.sh
    grep -q '<testsuite ' privacy-budget.xml || [ ! -s privacy-budget.xml ]
    gates make -s -f "$ci/budget.mk" privacy-budget
    git init -q . && git config user.name n && git config user.email n@localhost
    cat >commit.sh <<'END'
git add privacy && git commit -qm ledger --allow-empty
END
    cp "$ci/pre-commit" .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit
    gates sh commit.sh
    same commits 1 "$(git rev-list --count HEAD)"
}

@test "the gates of the README hold with infinity, ties, and checks that are missing or open" {
    local gate
    gate=$(sed -n 's/.*--json | \(jq -es .*\)$/\1/p' "$DPACCT_SOURCE/README.md" | head -n 1)
    [[ $gate == *'.check.holds == true'* ]]
    gate_on() { # WANTED ARGUMENT...
        local wanted=$1 got=0
        shift
        "$DPACCT" "$@" --json 2>/dev/null | eval "$gate" >/dev/null || got=1
        same "gate on $*" "$wanted" "$got"
    }
    gate_on 0 compose -m 0.1x3 --max-epsilon 0.3
    gate_on 1 compose -m 0.1x3 --max-epsilon 0.29999999999999999999
    gate_on 1 compose -m 0.1,0.1 --target-delta 0.01 --max-epsilon 1e300
    gate_on 0 bagging-with -n 2 -k 1 --max-delta 0.5
    gate_on 1 compose -m 0.1x3
    gate_on 1 compose -m 0.1 --max-epsilon -1
    gate_on 1 convert --zcdp 0.1 --max-epsilon 2.1419 --max-delta 1e-6
    gate=$(sed -n "s/.*dpacct batch | \(jq -es .*\)$/\1/p" "$DPACCT_SOURCE/README.md" | head -n 1)
    lines_pass() { # WANTED LINE...
        local wanted=$1 got=0
        shift
        printf '%s\n' "$@" | "$DPACCT" batch | eval "$gate" >/dev/null || got=1
        same "gate on $*" "$wanted" "$got"
    }
    local kept='{"command": "bagging-with", "n": 2, "k": 1, "max_delta": 0.5}'
    lines_pass 0 "$kept" "$kept"
    lines_pass 1 "$kept" '{"command": "bagging-with", "n": 2, "k": 1, "max_delta": 0.4}'
    lines_pass 1 "$kept" '{"command": "bagging-with", "n": 2, "k": 1}'
    lines_pass 1 "$kept" '{"command": "bagging-with", "n": 2}'
    lines_pass 1 ''
}

@test "JSON of every command is a data frame by one line of pandas, and CSV too" {
    /usr/bin/python3 -c 'import pandas' 2>/dev/null || skip "pandas is not there"
    local lines=() c
    for c in "advantage --of pure-dp:epsilon=1" "audit --correct 150 --trials 200" "bagging-with -n 60000 -k 300 -N 2" \
        "bagging-without -n 60000 -k 300" "bagging-poisson --sampling-rate 0.01" "compose -m 0.1,0.1 --target-delta 0.01 --all" \
        "convert --zcdp 0.1 --target-delta 1e-6" "curve -m 0.1x10 --epsilon-range 0:1:3" "divergence --epsilon 1 --delta 0.1" \
        "dp-sgd --noise-multiplier 4 --sampling-rate 0.01 --steps 10 --target-delta 1e-5" \
        "filter -m 0.1x5 --add 0.2 --max-epsilon 2 --max-delta 1e-6" "gaussian --sigma 10 --target-delta 1e-5" \
        "generalization --epsilon 0.1 --delta 1e-6 --samples 1000000" "kl-bound --epsilon 0.1" \
        "iterative-gaussian -n 1000 --batch-size 10 -T 10 --diameter 1 --sigma 1 --target-delta 1e-5" \
        "laplace --scale 10 --target-delta 1e-5" "majority -K 5 --epsilon 0.1 --target-epsilon 0.2" \
        "pate --aggregator gnmax --sigma 40 --queries 100 --target-delta 1e-5" "rr-prob -K 35 --epsilon 0.1 --allowance 5"; do
        "$DPACCT" $c --json >>"$BATS_TEST_TMPDIR/all.json"
        case $c in compose* | divergence* | curve*)
            "$DPACCT" $c --format csv >"$BATS_TEST_TMPDIR/${c%% *}.csv" ;;
        esac
    done
    /usr/bin/python3 - "$BATS_TEST_TMPDIR" <<'END'
import json, math, sys, pandas
commands = []
for text in open(f'{sys.argv[1]}/all.json'):
    whole = pandas.json_normalize(json.loads(text))
    rows = pandas.json_normalize(json.loads(text), 'results')
    commands.append(whole.command[0])
    assert len(whole) == 1 and len(rows) > 0 and 'check' in whole or 'check.holds' in whole, text
    for name in rows:
        assert not hasattr(pandas.DataFrame, name), name
        if name + '_enclosure' in rows:
            assert not pandas.to_numeric(rows[name]).isna().all()
    if commands[-1] not in ('compose', 'divergence', 'curve'):
        continue
    table = pandas.read_csv(f'{sys.argv[1]}/{commands[-1]}.csv')
    assert list(table.theorem) == list(rows.theorem)
    for name in table:
        assert not hasattr(pandas.DataFrame, name), name
        if name.endswith('_upper') and name[:-6] in rows:
            for a, b in zip(pandas.to_numeric(rows[name[:-6]]), table[name]):
                assert a == b or math.isclose(a, b, rel_tol=1e-8) or math.isnan(a) and math.isnan(b), (name, a, b)
assert len(commands) == len(set(commands)) == 19, commands
END
}

@test "a statement says where a smaller value may be possible" {
    run --separate-stderr "$DPACCT" compose -m sampled-laplace:scale=1,sampling-rate=0.1x3 --target-delta 1e-3 \
        --max-time 0.02 --format statement
    [ "$status" -eq 0 ]
    [[ $output == *'computed up to a limit only: a smaller value may be possible'* ]]
    [[ $output != *'no smaller value is possible'* ]]
}
