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
    'majority --mechanisms 5 --epsilon 0.1 --target-epsilon 0.2'
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
    echo '{"mechanisms": [{"epsilon": "1"}], "max_epsilon": "1"}' >"$name"
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

@test "a check that fails, is open, is missing" {
    ask kl-bound --epsilon 0.1 --format junit
    [[ $output == *'skipped="1"'*'<skipped message="there is no budget to check"/>'* ]]
    ask bagging-with -n 60000 -k 300 --max-delta 0.004 --format junit
    same status 1 "$status"
    [[ $output == *'<failure message="'*'check: (0, 0.004)-DP does not hold" type="check"/>'* ]]
    ask bagging-with -n 60000 -k 300 --max-delta 0.004 --format github
    [[ $output == '::error title=dpacct bagging-with::(0, '*'%0Acheck: (0, 0.004)-DP does not hold' ]]
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
    [[ ${lines[4]} == 'compose-kov-log & proved & '*'epsilon\_i\textasciicircum{}2 \\' ]]
    refused "theorems: --format: 'junit' is not one of text|json|csv|tsv|markdown|latex|bibtex" theorems kov --format junit
}
