# SPDX-License-Identifier: MIT
"""Randomized response for a majority in mpmath, written from the papers, not from the C sources.

As in sampling.py, a question is what a batch line asks and the answer holds every row of --all.
"""
from fractions import Fraction

from mpmath import mp, mpf

from number import rational, real

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
