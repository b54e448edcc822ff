#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Asks the program every question in the cases of the vector files and compares, in exact decimals
(TAP).

At several numbers of digits: the rows are the expected ones, every enclosure holds the expected value
(known to half a unit of its 110th digit), its ends differ by at most one unit of the last digit,
and the bare figure is a double beyond the safe end (the upper one of what is lost, the lower one of
what may be used), both as a double and as the text of the JSON token, and not far beyond it. Rows of theorems that the files do not know are not
looked at. The files must be what generate.py writes.

    check.py [DIGITS...]    at these numbers of digits only, without --all; the files are as they are
"""
import json
import math
import os
import subprocess
import sys
from decimal import Context, Decimal, getcontext
from pathlib import Path

sys.dont_write_bytecode = True

import values

HERE = Path(__file__).resolve().parent
# digits, and whether all rows are asked for
RUNS = [(1, False), (2, False), (10, True), (17, False), (30, False), (100, True)]
COUNTS = {"k", "N"}
LOWER = {"probability", "objective"} # safe at the lower end
getcontext().prec = 3000
getcontext().Emax, getcontext().Emin = 10**7, -(10**7)
LARGEST = Decimal(sys.float_info.max)


def half_unit(text):
    return Decimal(5).scaleb(Decimal(text).as_tuple().exponent - 1)


def unit(x, digits):
    """One unit of the last of `digits` digits of x."""
    return Decimal(1).scaleb(x.adjusted() - digits + 1)


def check_bare(token, upper):
    """`token` is the JSON number as text, or "Infinity". Decimals compare exactly."""
    if upper > LARGEST:
        return [] if token == "Infinity" else [f"{token} for an upper end beyond the doubles"]
    if token == "Infinity":
        return ["Infinity for a finite figure"]
    written, double = Decimal(token), float(token)
    found = []
    if written < upper:
        found.append(f"the text {token} is below the upper end {upper}")
    if Decimal(double) < upper:
        found.append(f"the double {token} is below the upper end {upper}")
    if upper > 0 and double == 0:
        found.append("0 for a positive figure")
    if upper == 0 and token != "0":
        found.append(f"{token} for 0")
    two_below = math.nextafter(math.nextafter(double, -math.inf), -math.inf)
    if double > 0 and Decimal(two_below) >= upper:
        found.append(f"{token} is more than a double above {upper}")
    return found


def check_bare_below(token, lower):
    """The same for a quantity that is safe at its lower end."""
    if token == "Infinity":
        return ["Infinity for a finite figure"]
    written, double = Decimal(token), float(token)
    found = []
    if written > lower:
        found.append(f"the text {token} is above the lower end {lower}")
    if Decimal(double) > lower:
        found.append(f"the double {token} is above the lower end {lower}")
    two_above = math.nextafter(math.nextafter(double, math.inf), math.inf)
    if Decimal(two_above) <= lower:
        found.append(f"{token} is more than a double below {lower}")
    return found


def check_figure(row, name, expected, digits):
    """What is wrong with the figure `name` of an answered row."""
    ends, token = row.get(name + "_enclosure"), row.get(name, "missing")
    if ends is None or token == "missing":
        return [f"{name} is missing"]
    if expected == "inf":
        infinite = ends == ["Infinity"] * 2 and token == "Infinity"
        return [] if infinite else [f"{ends}, {token}, not infinite"]
    if "Infinity" in ends:
        return [f"{ends} for {expected}"]
    lower, upper = map(Decimal, ends)
    value, slack = Decimal(expected), half_unit(expected)
    found = []
    if lower > value + slack or upper < value - slack:
        found.append(f"[{lower}, {upper}] does not hold {value}")
    if lower > upper:
        found.append("the ends are reversed")
    if upper > 0 and upper - lower > unit(upper, digits):
        found.append(f"[{lower}, {upper}] is wider than a unit of digit {digits}")
    for text in ends:
        if len(Decimal(text).normalize().as_tuple().digits) > digits:
            found.append(f"{text} has more than {digits} digits")
    return found + (check_bare_below(token, lower) if name in LOWER else check_bare(token, upper))


def check_row(row, expected, digits):
    found = []
    for name, value in expected.items():
        if name in COUNTS:
            shown = row.get(name, "missing")
            if shown != ("Infinity" if value == "inf" else value):
                found.append(f"{name} is {shown}, not {value}")
        else:
            found += [f"{name}: {fault}" for fault in check_figure(row, name, value, digits)]
    return found


def named(row):
    """A row that names the kind of its value has it under that name."""
    kind = row.get("divergence")
    return row if kind is None else row | {kind: row["value"],
                                           kind + "_enclosure": row["value_enclosure"]}


def check_answer(case, answer, digits, everything, known):
    if "error" in answer:
        return [answer["error"]]
    rows = {row["theorem"]: named(row) for row in answer["results"]}
    shown, expected = known & set(rows), set(case["expect"])
    found = []
    if not shown <= expected or everything and shown != expected:
        found.append(f"the rows are {sorted(shown)}, not {sorted(expected)}")
    for theorem, expected in case["expect"].items():
        if theorem in rows:
            found += [f"{theorem}: {f}" for f in check_row(rows[theorem], expected, digits)]
    doubts = [warning for warning in answer["warnings"] if not warning.endswith("?")]
    if doubts and set(rows) <= known:  # a question is about the input
        found.append(f"warnings: {doubts}")
    guarantee = dict(answer["guarantee"])
    if guarantee != rows.get(guarantee["theorem"]):
        found.append("the guarantee is not its row")
    return found


def ask_all(cases, digits, everything):
    """The answers, with the tokens of JSON numbers kept as text."""
    questions = [case["ask"] | {"all": everything, "digits": digits, "id": i}
                 for i, case in enumerate(cases)]
    done = subprocess.run([os.environ["DPACCT"], "batch"], text=True, capture_output=True,
                          input="".join(json.dumps(q) + "\n" for q in questions))
    answers = [json.loads(line, parse_float=str, parse_int=str)
               for line in done.stdout.splitlines()]
    assert [a["id"] for a in answers] == [str(i) for i in range(len(cases))], done.stderr
    return answers


def main():
    results = []
    for name in values.DOMAINS:
        cases = values.cases(name)
        known = set().union(*(case["expect"] for case in cases))
        for digits, everything in [(int(d), False) for d in sys.argv[1:]] or RUNS:
            for case, answer in zip(cases, ask_all(cases, digits, everything)):
                title = f"{name}: {case['name']} at {digits} digits"
                results.append((title, check_answer(case, answer, digits, everything, known)))
    if len(sys.argv) == 1:
        done = subprocess.run([sys.executable, HERE / "generate.py", "--check"], text=True,
                              capture_output=True)
        results.append(("the vector files are what generate.py writes",
                        done.stderr.splitlines() if done.returncode != 0 else []))
    print(f"1..{len(results)}")
    for number, (title, faults) in enumerate(results, 1):
        print(f"{'not ok' if faults else 'ok'} {number} - {title}")
        for fault in faults:
            print(f"#   {fault[:600]}")
    return 1 if any(faults for _, faults in results) else 0


if __name__ == "__main__":
    sys.exit(main())
