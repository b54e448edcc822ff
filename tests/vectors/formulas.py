# SPDX-License-Identifier: MIT
"""The published formulas in mpmath, written from the papers, not from the C sources.

A question is what a batch line asks, strings for numbers; the answer is {theorem: {quantity:
value}} with every row that --all shows. Working precision is mp.dps, set by the caller. Exact
rationals are Fractions, infinity is mp.inf.
"""
from fractions import Fraction

from mpmath import mp, mpf

import composition
from number import rational, real

# Bagging


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
    delta = hit(scheme, n, count * other) if count > 0 else Fraction(0)
    row.update(delta=delta, **{name: Fraction(count)})
    return {scheme + "-exact": row}


# Divergence


def divergence(ask):
    if "mechanisms" in ask:
        items = composition.items_of(ask)
    else:
        items = [(ask["epsilon"], Fraction(0), int(rational(ask.get("times", "1"))))]
    growth = mp.fsum(t * real(e) * mp.expm1(real(e)) for e, _, t in items)
    return {
        "kl-tight": {"kl": composition.centre(items)},
        "kl-bun-steinke": {"kl": composition.square(items) / 2},
        "kl-dwork-rothblum": {"kl": growth / 2},
        "kl-dwork": {"kl": growth},
    }


# Randomized response for a majority


def response(ask):
    voters = int(rational(ask["mechanisms"]))
    epsilon, own_delta = ask["epsilon"], rational(ask.get("delta", "0"))
    delta = rational(ask.get("target_delta", "0"))
    target = response_target(ask, epsilon)
    slack = real(ask["slack"]) if "slack" in ask else None
    figures = {"epsilon": target, "delta": delta}
    loss, leak = voters * real(epsilon), min(mpf(1), voters * real(own_delta))
    rows = {"rr-prob-simple": probability(real(target), real(delta), loss, leak)}
    if ask.get("composition") == "general":
        m = loss * mp.tanh(real(epsilon) / 2)
        v = voters * real(epsilon) ** 2
        loss = min(loss, m + mp.sqrt(2 * v * mp.log(mp.e + mp.sqrt(v) / slack)),
                   m + mp.sqrt(2 * v * mp.log(1 / slack)))
        leak = -mp.expm1(voters * mp.log1p(-real(own_delta)) + mp.log1p(-slack))
        rows["rr-prob-general"] = probability(real(target), real(delta), loss, leak)
    rows["rr-prob-printed"] = probability(real(target), real(delta), loss, leak, clamped=False)
    if own_delta == 0:
        rows["rr-prob-independent"] = independent(voters, epsilon, target, real(delta))
    return {theorem: {"probability": p, **figures} for theorem, p in rows.items()}


def response_target(ask, epsilon):
    text = ask.get("target_epsilon")
    if text is not None:
        return real(text) if text.startswith("ln(") else rational(text)
    if epsilon.startswith("ln("):
        return rational(ask["allowance"]) * real(epsilon)
    return rational(ask["allowance"]) * rational(epsilon)


def truthful(target, delta, excess):
    """The largest p with p excess + (1-p)(1-E)/2 <= delta."""
    grow = mp.expm1(target)
    return mpf(1) if excess <= delta else min(mpf(1), (grow + 2 * delta) / (grow + 2 * excess))


def probability(target, delta, loss, leak, clamped=True):
    odds, most = mp.exp(target), mp.exp(loss)
    excess = (most - odds + (1 + odds) * leak) / (most + 1)
    if clamped:
        excess = max(leak, excess)
        return truthful(target, delta, excess)
    return min(mpf(1), (odds - 1 + 2 * delta) / (odds - 1 + 2 * excess))


def independent(voters, epsilon, target, delta):
    """Idle voters on one side first; the others differ by their full epsilon."""
    winning = (voters + 1) // 2
    ratio = real(target) / real(epsilon)
    if isinstance(target, Fraction) and not epsilon.startswith("ln("):
        ratio = target / rational(epsilon)
    elif abs(ratio - mp.nint(ratio)) < mpf(10) ** (20 - mp.dps):
        ratio = int(mp.nint(ratio))  # a common factor of two logarithms
    if ratio >= winning:
        return mpf(1)
    rest = voters - max(0, int(mp.ceil(ratio)) - 1)
    up = 1 / (1 + mp.exp(-real(epsilon)))
    win = lambda p: mp.fsum(mp.binomial(rest, j) * p**j * (1 - p) ** (rest - j)
                            for j in range(winning, rest + 1))
    excess = max(mpf(0), win(up) - mp.exp(real(target)) * win(1 - up))
    return truthful(real(target), delta, excess)
