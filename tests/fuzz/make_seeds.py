#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the first seeds and the dictionary: make_seeds.py PROGRAM.

The seeds of the command line come from the examples of the program's own help, so that a new
command has some. Files that fuzzing added stay as they are.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NUMBERS = """60000 0.1 .5 5. 1e-5 2.5E+3 1/3 2^-40 -1 +7 0 00 1e1000000 1e-1000000 1e1000001 2^3500000
2^-100000 ln(3) ln(1/3) -ln(2) ln(1) ln(0) ln(-1) ln(1e-300) ln(2^10) 1/0 0/1 1e5/3e2 1^1 0^0
0.99999999999999999999 9.5 999e-3 1e18 10^18 0x10 inf nan 1,5 1e 1e+ ^2 2^ / ln() ln(ln(2)) 1//2
4.9406564584124654e-324 1.7976931348623157e308 179769313486231580793e289""".split()
DOCUMENTS = [
    "{}", "[]", "null", '"text"', "1", "-0.5e+3", "[1,[2,[3]]]", '{"a":1,"b":[true,false,null]}',
    '{"a":"\\u00e9\\n\\ud83d\\ude00\\\\"}', '{"a":1,"a":2}', "[1,]", "01", '"\\ud800"', "[" * 64 + "]" * 64,
    "[" * 65 + "]" * 65, " [ 1 ,\t2\r\n] ", '{"40 digits":0.1234567890123456789012345678901234567890}',
    '"\\u0000"', '"\ufdd0"', "1e5x", '{"a" 1}', "nul", "[1 2]",
]
LEDGERS = [
    {"mechanisms": [{"epsilon": "0.1"}]},
    {"mechanisms": [{"name": "a", "epsilon": 0.1, "delta": 1e-6, "times": 35},
                    {"epsilon": "ln(3)", "mechanism": "pure-dp", "times": 2}],
     "target_delta": "1e-5"},
    {"mechanisms": [{"epsilon": "1/3", "times": "10"}, {"epsilon": "0.2", "times": 3}],
     "target_epsilon": "1", "digits": 20},
    {"mechanisms": [{"epsilon": "0.1", "times": "10^18"}], "max_epsilon": 1, "max_delta": "1e-6"},
    {"mechanisms": [{"epsilon": "0", "delta": "1"}], "claim": "1,0.1", "adjacency": "replace-one"},
    {"mechanisms": []},
    {"mechanisms": [{"epsilon": "0.1", "times": 100}], "method": "kov", "target_delta": "1e-9",
     "slack": "1e-9"},
    {"mechanisms": [{"epsilon": "1", "delta": "1e-9", "times": 7}], "solve": "times",
     "add": "0.5,1e-7", "max_epsilon": "9", "max_delta": "1e-5"},
    {"mechanisms": [{"mechanism": "gaussian", "sigma": 2, "times": 10},
                    {"mechanism": "laplace", "scale": "3", "sensitivity": "1/2"}],
     "target_delta": "1e-5"},
    {"mechanisms": [{"mechanism": "pair", "p": [0.5, "1/2"], "q": "1/4,3/4", "directions": "one"},
                    {"mechanism": "randomized-response", "epsilon": 1, "categories": 3}],
     "target_epsilon": 1},
    {"mechanisms": [{"mechanism": "zcdp", "rho": 0.1, "xi": "0"},
                    {"mechanism": "rdp", "alpha": [2, 4], "rdp": [0.1, 0.2], "times": 3}],
     "target_delta": 1e-6, "max_epsilon": 3},
]
EXTRA_LINES = [
    "compose -m 0.1x10 --claim 1,0", "compose -m 1e-9,1e-12x1000000 --target-delta 1e-5 --all",
    "compose -m 1,1e-5x10 --target-delta 1e-3 --method he2021 --all",
    "compose -m ln(2)x3 -m ln(4) --target-epsilon ln(8)", "compose -m 1e1000000 --target-delta 0",
    "kl-bound --epsilon 1e-100000", "rr-prob -K 3 --epsilon 0 --allowance 1",
    "theorems --format csv", "theorems no-such-theorem", "bagging-with -n 1 -k 1",
    "bagging-with -n 10^18 -k 10^17 -N 10^18 --all", "divergence --epsilon ln(3) --times 5 --order 1/2",
    "bagging-without -n 10 -k 3 -N 4", "curve -m 0.5x8 --epsilon-range 0:4:3",
    "curve -m 0.5,1e-6x8 --delta-range 1e-9:1:3 --json",
    "compose -m gaussian:sigma=2x10 -m laplace:scale=3,sensitivity=1/2 --target-delta 1e-5",
    "compose -m randomized-response:epsilon=ln(3),categories=4x7 --target-epsilon 1 --all",
    "compose -m pair:p=1/2,1/3,1/6,q=1/4,1/4,1/2,directions=onex3 --max-epsilon 2 --max-delta 0.1",
    "compose -m zcdp:rho=0.05,xi=0.01 -m rdp:alpha=2,4,8,rdp=0.1,0.2,0.4x2 --target-delta 1e-5",
    "compose -m pure-dp:epsilon=0.1x9 -m approx-dp:epsilon=1/3,delta=1e-6 --target-delta 1e-3",
    "compose -m gaussian:= -m :x -m a: -m gaussian:sigma=1x --target-delta 1e-3",
    "compose -m gaussian:sigma=,, --target-delta 1e-3", "compose -m gaussian:x2 --target-delta 1",
    "gaussian --sigma 2 --times 10 --target-epsilon 1 --all",
    "laplace --solve scale --max-epsilon 1 --max-delta 1e-6",
    "divergence -m gaussian:sigma=2 -m zcdp:rho=0.1 --order 2",
]


def examples(program):
    """[(command, [words])] from --help of every command."""
    found = []
    listing = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    body = listing.split("\ncommands:\n")[1].split("\n\n")[0]
    for name in re.findall(r"^  (\S+)", body, re.M):
        text = subprocess.run([program, name, "--help"], capture_output=True, text=True,
                              check=True).stdout
        for line in re.findall(r"^  dpacct (.*)$", text, re.M):
            if "<" not in line and "|" not in line:
                found.append(shlex.split(line))
    return found


def options(program):
    text = subprocess.run([program, "--generate", "bash"], capture_output=True, text=True,
                          check=True).stdout
    return sorted(set(re.findall(r"--[a-z][a-z-]+", text)))


def line_of(words):
    """The words as a batch line, for those that take a value each."""
    record, i = {"command": words[0]}, 1
    while i < len(words):
        name = words[i].lstrip("-")
        if i + 1 == len(words) or words[i + 1].startswith("--"):
            record[name] = True
            i += 1
            continue
        if name in ("m", "mechanism"):
            record.setdefault("mechanism", []).append(words[i + 1])
        else:
            record[name] = words[i + 1]
        i += 2
    return json.dumps(record)


def write(target, texts):
    folder = HERE / "seeds" / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(texts):
        data = text if isinstance(text, bytes) else text.encode()
        (folder / f"first-{number:03}").write_bytes(data)


def main():
    program = sys.argv[1]
    lines = examples(program) + [line.split() for line in EXTRA_LINES]
    lines = [words for words in lines if not words[-1].endswith(".json")]
    words = ["\n".join(line) + "\n" for line in lines]
    write("number", [bytes([9 + 7 * i % 50]) + n.encode() for i, n in enumerate(NUMBERS)])
    write("json", DOCUMENTS)
    write("ledger", [json.dumps(ledger) for ledger in LEDGERS])
    write("argv", words)
    write("digits", [w for w in words if not w.startswith(("theorems", "batch"))])
    queries = [line_of(line) for line in lines if line[0] not in ("theorems", "batch")]
    write("ask", queries + ["{}", "[]", "nope"])
    write("batch", [q + "\n" for q in queries] + ["\n".join(queries[:3]), "\n\n{}\n[]\nnope\n"])
    names = options(program)
    entries = (names + [f'\\"{n[2:]}\\"' for n in names]
               + ["\\n", "-m\\n", '\\":', '\\"command\\":', '\\"id\\":', '\\"mechanisms\\":[{',
                  '\\"epsilon\\":', '\\"delta\\":', '\\"times\\":']
               + [n for n in NUMBERS if '"' not in n] + sorted({line[0] for line in lines}))
    text = "# SPDX-License-Identifier: MIT\n" + "".join(f'"{e}"\n' for e in entries)
    (HERE / "dpacct.dict").write_text(text.replace("\\n", "\\x0A"))


main()
