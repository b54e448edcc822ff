#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Asks two programs, built for different machines, the same questions and compares what they print
byte for byte (TAP): every question of the vector files, and those that have gone wrong.

    same.py PROGRAM OTHER
"""
import json
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True

import values

# What was false when a `long` of 32 bits cut it, and what comes near 64 bits.
COMMANDS = """
bagging-with -n 10 -k 2 --solve N --max-delta 0.3439
bagging-with -n 1e12 -k 100 --solve N --max-delta 1e-3
bagging-without -n 6e15 -k 5e5 -N 4294967297 --all
bagging-poisson --sampling-rate 1e-9 --base-epsilon 0.1 --base-delta 1e-9 --target-epsilon 1e-9 --all
majority -K 11 --epsilon 0.1 --delta 1e-5 --allowance 1 --target-delta 1e-3 --prior vote
majority -K 5 --epsilon 0.5 --delta 1e-3 --allowance 1 --target-delta 1e-3 --design all
rr-prob -K 1001 --epsilon 0.1 --allowance 30 --all
compose -m 0.1x350 --target-delta 1e-5 --digits 17 --all
compose -m 0.1x1000000 --target-delta 1e-50 --all
compose -m 0.1x1000000000000 --target-delta 1e-5
compose -m 2e-10x30000000000000000000 -m 2.4e-10 --target-epsilon 2 --digits 24
compose -m 1e-10x100000000000000000000 -m 1.2e-10 --target-epsilon 2
compose -m 0.1x30 -m 0.123456789x20 -m 0.0987654321,1e-9x11 --target-delta 1e-9 --all
compose -m 'ln(3)x5000000000' --target-epsilon 'ln(10)'
compose -m 1e-8,1e-12x9000000000 --target-delta 1e-2
compose -m 0.1 --solve times --max-epsilon 1000000 --max-delta 1e-10
kl-bound --epsilon 1e-9 --times 99999999999
divergence --epsilon 0.1 --times 6000000000 --order 5/2 --all
iterative-gaussian -N 60000 --batch-size 600 -T 6000000000 --diameter 2 --sigma 0.01 --target-delta 1e-5
generalization --epsilon 0.1 --delta 1e-9 --samples 5000000000
curve -m 0.1x5000000000 --epsilon-range 0:10:5
"""


def questions():
    for domain in values.DOMAINS:
        for case in values.cases(domain):
            everything = case["ask"]["command"] != "compose"  # he2021 takes its time
            yield case["ask"] | {"all": everything, "digits": 17}


def agree(one, other):
    """Equal, but for rows by an order of Renyi, which is chosen in doubles: where all orders far out
    give nearly the same, the wider registers of the 32-bit build may find another."""
    if one == other:
        return True
    answers = [json.loads(text) for text in (one, other)]
    if any("alpha" in (a.get("guarantee") or {}) for a in answers):
        return False
    for a in answers:
        a["results"] = [row for row in a.get("results", []) if "alpha" not in row]
    return answers[0] == answers[1]


def run(program, *arguments, text=None):
    done = subprocess.run([program, *arguments], input=text, text=True, capture_output=True,
                          timeout=500)
    return done.stdout, done.stderr, done.returncode


def main():
    programs = sys.argv[1:]
    asked = [json.dumps(q) for q in questions()]
    commands = [line for line in COMMANDS.splitlines() if line]
    assert asked
    print(f"1..{len(commands) + 1}")
    answers = [run(p, "batch", text="\n".join(asked) + "\n")[0].splitlines() for p in programs]
    faults = [f"{q}\n# {a}\n# {b}" for q, a, b in zip(asked, *answers)
              if not agree(a, b)]
    ok = not faults and len(answers[0]) == len(answers[1]) == len(asked)
    print("ok" if ok else "not ok", f"1 - {len(asked)} questions of the vector files")
    for fault in faults[:5]:
        print("#", fault)
    for number, command in enumerate(commands, 2):
        one, other = (run(p, *shlex.split(command)) for p in programs)
        print("ok" if one == other and one[2] != 2 else "not ok", number, "-", command)
        if one != other or one[2] == 2:
            print("\n".join("# " + line for a in (one, other) for line in "".join(a[:2]).splitlines()))


main()
