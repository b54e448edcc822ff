#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Computes the expected values in the cases of the vector files (see values.py).

Each case holds the question as a batch line asks it ("ask"), the figures of every row
that --all shows ("expect", written by this program: 110 significant digits, rounded to nearest,
computed with mpmath at 180 digits), and mostly "reference": 30 digits of some of these
figures, computed with mpmath at 60 digits by another program. The two must agree, and the file
must be what this program writes:

    generate.py          rewrites "expect" in place
    generate.py --check  changes nothing; status 1 when something differs
"""
import json
import sys
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from mpmath import mp

sys.dont_write_bytecode = True  # a test leaves nothing behind in the sources

import compose
import mechanism
import renyi
import sampling
import values
import vote

DIGITS = 110
# By command; a list of one mechanism of a type has the formula of that name in mechanism.py.
FORMULAS = {
    "bagging-with": sampling.bagging,
    "bagging-without": sampling.bagging,
    "compose": compose.compose,
    "convert": renyi.convert,
    "dp-sgd": mechanism.dp_sgd,
    "gaussian": mechanism.gaussian,
    "kl-bound": compose.divergence,
    "laplace": mechanism.laplace,
    "pate": vote.pate,
    "rr-prob": vote.response,
}


def text_of(value):
    """DIGITS significant digits, fewer when the value is a shorter decimal."""
    if value == mp.inf:
        return "inf"
    context = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN, Emax=10**7, Emin=-(10**7))
    if isinstance(value, Fraction):
        decimal = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    else:
        decimal = context.create_decimal(mp.nstr(value, DIGITS + 20, strip_zeros=False))
    return format(decimal.normalize(context), "f" if -8 < decimal.adjusted() < 40 else "E")


def evaluate(ask):
    mp.dps = 180
    alone = ask["mechanisms"] if len(ask.get("mechanisms", [])) == 1 else [{}]
    if "mechanism" in alone[0]:
        rows = getattr(mechanism, alone[0]["mechanism"].replace("-", "_"))(ask | alone[0])
    else:
        rows = FORMULAS[ask["command"]](ask)
    return {t: {q: text_of(v) for q, v in row.items()} for t, row in rows.items()}


def half_unit(text):
    """Half a unit of the last digit shown."""
    return Decimal(5).scaleb(Decimal(text).as_tuple().exponent - 1)


def disagreements(case):
    for theorem, row in case.get("reference", {}).items():
        for quantity, reference in row.items():
            value = case["expect"][theorem][quantity]
            if "inf" in (reference, value):
                agrees = reference == value
            else:
                slack = half_unit(reference) * Decimal("1.0000000001")
                agrees = abs(Decimal(value) - Decimal(reference)) <= slack
            if not agrees:
                yield f"{case['name']}: {theorem} {quantity}: {value} is not {reference}"


def layout(document):
    """One line for each case, so that differences are easy to read."""
    lines = ["{", f'"$comment": {json.dumps(document["$comment"])},',
             f'"about": {json.dumps(document["about"])},']
    for name in values.LISTS:
        if document.get(name):
            lines += [f'"{name}": [', ",\n".join(map(json.dumps, document[name])), "],"]
    lines[-1] = lines[-1].rstrip(",")
    return "\n".join(lines + ["}"]) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    failed = False
    for name in values.DOMAINS:
        path = values.path(name)
        before = path.read_text()
        document = json.loads(before)
        for case in document.get("cases", []):
            case["expect"] = evaluate(case["ask"])
            for message in disagreements(case):
                print(message, file=sys.stderr)
                failed = True
        after = layout(document)
        if check and before != after:
            print(f"{path.name} is not what generate.py writes", file=sys.stderr)
            failed = True
        elif not check:
            path.write_text(after)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
