# SPDX-License-Identifier: MIT
"""Randomized response for a majority in mpmath, written from the papers, not from the C sources.

As in sampling.py, a question is what a batch line asks and the answer holds every row of --all.
"""
import math
import operator
from fractions import Fraction

from mpmath import mp, mpf

import compose
from mechanism import gaussian_delta, gaussian_epsilon
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


def moments_order(ask, rho, whole):
    """The order less one of the published accountant: a whole number, or 10 digits rounded up."""
    if "target_delta" in ask:
        t = mp.sqrt(-mp.log(real(ask["target_delta"])) / rho)
        cost = lambda t: rho * (t + 1) - mp.log(real(ask["target_delta"])) / t
    else:
        t = (real(ask["target_epsilon"]) - rho) / (2 * rho)
        cost = lambda t: t * (rho * (t + 1) - real(ask["target_epsilon"]))
    if whole:
        return min((max(1, int(mp.floor(t)) + i) for i in range(2)), key=cost)
    unit = mpf(10) ** (int(mp.floor(mp.log10(t))) - 9)
    return mp.ceil(t / unit) * unit


def laplace_delta(e, n, x):
    """Of n Laplace mechanisms of that epsilon. Times e^(-loss/2) one is e^(-e/2)/2 (atoms at e and -e, and 1/2 between), so that n
    are sums of shifted powers of integration; the k-fold integrals h_k of 2 sinh(t/2) come by a recurrence."""
    bits = 640 + 4 * n  # of numbers in fixed point
    with mp.workprec(bits + 40):
        def fixed(y):
            return int(mp.nint(mp.ldexp(y, bits)))
        places = [fixed(b) for b in ((n - 2 * m) * e - x for m in range(n + 1)) if b > 0]
        h = [fixed(2 * mp.sinh(mp.ldexp(mpf(b), -bits - 1))) for b in places]
        after = [fixed(4 * mp.cosh(mp.ldexp(mpf(b), -bits - 1)) - 4) for b in places]
        power, row, total = places, [math.comb(n, m) for m in range(n + 1)], 0  # power = b^(k+1) / (k+1)!
        for k in range(n + 1):
            total += (math.comb(n, k) * (-1) ** k * sum(map(operator.mul, row, h))) >> k
            h, after = after, [4 * (h0 - p) for h0, p in zip(h, power)]
            power = [(p * b >> bits) // (k + 2) for p, b in zip(power, places)]
            quotient = []  # the row times (y - 1) / (y + 1)
            for m in range(n + 1):
                quotient.append((row[m - 1] - quotient[m - 1] if m > 0 else 0) - row[m])
            row = quotient
        return mp.exp((x - n * e) / 2) * mp.ldexp(mpf(total), -n - bits)


def pate(ask):
    asked = int(rational(ask.get("queries", "1")))
    answered = int(rational(ask.get("answered", str(asked))))
    rows = {}
    if ask["aggregator"] == "lnmax":
        epsilon = 2 * rational(ask["inverse_scale"])
        rho = real(epsilon * epsilon * asked) / 2
        uses = {"epsilon": str(epsilon), "times": str(asked)}
        target = {k: v for k, v in ask.items() if k.startswith("target")}
        e = real(epsilon) / 2
        if "target_epsilon" in ask:
            x = rational(ask["target_epsilon"])
            figures = {"epsilon": x, "delta": laplace_delta(e, 2 * asked, real(x))}
        else:
            delta = rational(ask["target_delta"])
            low, high = mpf(0), 2 * asked * e
            for _ in range(8):
                middle = (low + high) / 2
                low, high = (middle, high) if laplace_delta(e, 2 * asked, middle) > real(delta) else (low, middle)
            x = mp.findroot(lambda x: laplace_delta(e, 2 * asked, x) - real(delta), (low, high), solver="anderson")
            figures = {"epsilon": x, "delta": delta}
        rows["pate-laplace"] = figures
        rows["pate-pure"] = compose.compose({"mechanisms": [uses], **target})["compose-optimal"]
    else:
        square = 2 * answered / rational(ask["sigma"]) ** 2
        if ask["aggregator"] == "confident-gnmax":
            square += asked / rational(ask["sigma_threshold"]) ** 2
        rho = real(square) / 2
        with mp.workdps(mp.dps + 40):
            mu = mp.sqrt(mpf(square.numerator) / square.denominator)
            if "target_epsilon" in ask:
                x = rational(ask["target_epsilon"])
                figures = {"epsilon": x, "delta": gaussian_delta(mu, real(x))}
            else:
                delta = rational(ask["target_delta"])
                figures = {"epsilon": gaussian_epsilon(mu, real(delta)), "delta": delta}
        rows["pate-gaussian"] = figures
    t = moments_order(ask, rho, ask["aggregator"] == "lnmax")
    figures = {"alpha": Fraction(int(t) + 1) if ask["aggregator"] == "lnmax" else 1 + t}
    if "target_delta" in ask:
        delta = rational(ask["target_delta"])
        figures |= {"epsilon": rho * (t + 1) - mp.log(real(delta)) / t, "delta": delta}
    else:
        x = rational(ask["target_epsilon"])
        figures |= {"epsilon": x, "delta": min(mpf(1), mp.exp(t * (rho * (t + 1) - real(x))))}
    return rows | {"pate-moments": figures}
