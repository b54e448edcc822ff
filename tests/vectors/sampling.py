# SPDX-License-Identifier: MIT
"""Bagging in mpmath, written from the papers, not from the C sources.

A question is what a batch line asks, strings for numbers; the answer is {theorem: {quantity:
value}} with every row that --all shows. Working precision is mp.dps, set by the caller. Exact
rationals are Fractions, infinity is mp.inf.
"""
from fractions import Fraction

from mpmath import mp, mpf

from number import rational, real

def miss(scheme, n, draws):
    """Probability that a fixed record is in no subsample."""
    if scheme == "bagging-without":
        return 1 - Fraction(draws, n)
    if n == 1:
        return Fraction(0)
    if draws * n.bit_length() < 100000:
        return Fraction(n - 1, n) ** draws
    return mp.exp(draws * mp.log1p(-mpf(1) / n))


def hit(scheme, n, draws):
    s = miss(scheme, n, draws)
    if isinstance(s, Fraction):
        return 1 - s
    return -mp.expm1(draws * mp.log1p(-mpf(1) / n))


def bagging(ask):
    scheme = ask["command"]
    n = int(rational(ask["n"]))
    if "solve" in ask:
        return bagging_solve(ask, scheme, n)
    k, models = int(rational(ask["k"])), int(rational(ask.get("N", "1")))
    draws = k * models
    delta = hit(scheme, n, draws)
    rows = {scheme + "-exact": {"epsilon": Fraction(0), "delta": delta}}
    if ask.get("adjacency") == "replace-one":  # the published pairs are for add-remove
        return rows
    if scheme == "bagging-without":
        epsilon = mp.log1p(mpf(draws) / (n + 1 - draws))
        rows[scheme + "-published"] = {"epsilon": epsilon, "delta": delta}
        return rows
    epsilon = draws * mp.log1p(mpf(1) / n)
    rows[scheme + "-published"] = {"epsilon": epsilon, "delta": delta}
    naive = min(models * hit(scheme, n, k), Fraction(1), key=real)
    rows[scheme + "-naive"] = {"epsilon": epsilon, "delta": naive}
    return rows


def bagging_solve(ask, scheme, n):
    """The largest count by integer comparison, started from a floating guess."""
    name = ask["solve"]
    other = int(rational(ask.get("N", "1") if name == "k" else ask["k"]))
    most = rational(ask["max_delta"])
    row = {"epsilon": Fraction(0)}
    if scheme == "bagging-without":
        draws = n if most >= 1 else int(n * most)
    elif most >= 1:
        row.update(delta=Fraction(1), **{name: mp.inf})
        return {scheme + "-exact": row}
    elif n == 1:
        draws = 0
    else:
        draws = max(0, int(mp.floor(mp.log1p(-real(most)) / mp.log1p(-mpf(1) / n))) - 2)
        while (n - 1) ** (draws + 1) * most.denominator >= (
            most.denominator - most.numerator
        ) * n ** (draws + 1):
            draws += 1
    count = draws // other
    # where none fits, the row is that of 1
    delta = hit(scheme, n, max(count, 1) * other)
    row.update(delta=delta, **{name: Fraction(count)})
    return {scheme + "-exact": row}
