# SPDX-License-Identifier: MIT
"""Exact inputs as the program reads them."""
from fractions import Fraction

from mpmath import mp, mpf


def rational(text):
    """Exact value of 60000, 0.1, 1e-5, 1/3 or 2^-40."""
    if "/" in text:
        above, below = text.split("/")
        return rational(above) / rational(below)
    if "^" in text:
        base, exponent = text.split("^")
        return Fraction(base) ** int(exponent)
    return Fraction(text)


def real(x):
    """An mpf of a Fraction, of text such as 0.1 or ln(3), or of a number."""
    if isinstance(x, str):
        if x.startswith("ln("):
            return mp.log(real(rational(x[3:-1])))
        x = rational(x)
    if isinstance(x, Fraction):
        return mpf(x.numerator) / x.denominator
    return mpf(x)
