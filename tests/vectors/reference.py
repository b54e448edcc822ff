#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every figure of the reference lists is enclosed at 30 digits, rows not named are not looked at
(TAP)."""
import sys
from decimal import Decimal, getcontext

sys.dont_write_bytecode = True

import check
import values

getcontext().prec = 200  # sums of figures of more digits than the 28 of the default
getcontext().Emax, getcontext().Emin = 10**9, -(10**9)  # p-values of 10^9 trials


def enclosed(ends, expected):
    """The reference is right to half a unit of its last digit."""
    lower, upper = map(Decimal, ends)
    value, slack = Decimal(expected), check.half_unit(expected)
    return lower <= value + slack and value - slack <= upper and lower <= upper


def faults(case, answer):
    if "error" in answer:
        yield answer["error"]
        return
    for theorem, wanted in case["expect"].items():
        rows = [row for row in answer["results"] if row["theorem"] == theorem]
        if len(rows) != 1:
            yield f"{theorem} has {len(rows)} rows"
            continue
        for name, expected in wanted.items():
            count = rows[0].get(name + "_exact")
            ends = rows[0].get(name + "_enclosure") if count is None else [count, count]
            if ends is None or not enclosed(ends, expected):
                yield f"{theorem}: {name} {expected} is not in {ends}"
    unsound = {row["theorem"] for row in answer["results"] if row["verdict"] == "unsound"}
    if (answer["guarantee"] or {}).get("theorem") in unsound:
        yield "an unsound row is the guarantee"


def main():
    cases = [case for domain in values.DOMAINS for case in values.cases(domain, "reference")]
    print(f"1..{len(cases)}")
    for i, (case, answer) in enumerate(zip(cases, check.ask_all(cases, 30, True)), 1):
        found = list(faults(case, answer))
        print(f"{'not ' if found else ''}ok {i} - {case['name'].replace('#', '')}")
        for line in found:
            print(f"# {line}")


if __name__ == "__main__":
    main()
