#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Reference values of private majorities, 30 digits, by another program (TAP): certificates to 20
digits, optima to 13, because the noise function shown is rounded, noise functions exactly; and every optimal noise function is certified again from its printed text."""
import sys
from decimal import Decimal
from fractions import Fraction

sys.dont_write_bytecode = True

import check
import values
results = []


def value_of(text):
    return Decimal(Fraction(text).numerator) / Decimal(Fraction(text).denominator) \
        if "/" in text else Decimal(text)


def close(ends, expected, loose):
    if expected == "inf":
        return ends[1] == "Infinity"
    lower, upper, value = Decimal(ends[0]), Decimal(ends[1]), value_of(expected)
    slack = abs(value) * (Decimal("1e-13") if loose else Decimal("1e-29")) + Decimal("1e-60")
    return lower <= value + slack and value - slack <= upper and lower <= upper


def faults(case, answer):
    if "error" in answer:
        yield answer["error"]
        return
    rows = {row["theorem"]: row for row in answer["results"]}
    for theorem, wanted in case["expect"].items():
        for name, expected in wanted.items():
            ends = rows.get(theorem, {}).get(name + "_enclosure")
            # the noise function shown is rounded, and so is the error that follows from it
            rounded = theorem == "majority-optimal" or name == "total_variation"
            if ends is None or not close(ends, expected, rounded):
                yield f"{theorem}: {name} {expected} is not in {ends}"
    for theorem, wanted in case.get("gamma", {}).items():
        shown = [Fraction(x) for x in rows[theorem]["gamma"]]
        if shown != [Fraction(x) for x in wanted]:
            yield f"{theorem}: gamma is {shown}"


def again(case, answer):
    """The printed gamma, read back, meets the target; nudged up, it does not."""
    gamma = answer["results"][0]["gamma"]
    ask = {k: v for k, v in case["ask"].items() if k not in ("design", "class")}
    exact = [Fraction(x) for x in gamma]
    nudged = [str(min(Fraction(1), x * (1 + Fraction(1, 10**6)) + Fraction(1, 10**7)))
              for x in exact]
    certified, refused = check.ask_all([{"ask": ask | {"gamma": g}} for g in (gamma, nudged)],
                                       12, False)
    if not certified["check"]["holds"]:
        yield "the printed gamma does not meet the target"
    if min(exact) < 1 and refused["check"]["holds"]:
        yield "a gamma nudged above it meets the target"


def main():
    cases = values.cases("vote", "designs")
    for case, answer in zip(cases, check.ask_all(cases, 20, True)):
        found = list(faults(case, answer))
        if case["ask"].get("design") == "optimal" and not found:
            found = list(again(case, answer))
        results.append((case["name"].replace("#", ""), found))
    print(f"1..{len(results)}")
    for i, (name, found) in enumerate(results, 1):
        print(f"{'not ' if found else ''}ok {i} - {name}")
        for line in found:
            print(f"# {line}"[:400])


if __name__ == "__main__":
    main()
