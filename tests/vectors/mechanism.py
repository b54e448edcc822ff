# SPDX-License-Identifier: MIT
"""Mechanisms in mpmath, written from the papers, not from the C sources.

As in sampling.py, a question is what a batch line asks, for the function of a type with what a list
says of its one mechanism; the answer holds the rows about one mechanism alone.
"""
import math
from fractions import Fraction

from mpmath import mp, mpf

from number import rational, real


def normal(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def gaussian_delta(mu, x):
    """Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu); the difference loses few digits."""
    return normal(mu / 2 - x / mu) - mp.exp(x) * normal(-mu / 2 - x / mu)


def gaussian_epsilon(mu, delta):
    """By bisection at few digits, then the secant at all of them."""
    if gaussian_delta(mu, mpf(0)) <= delta:
        return mpf(0)
    with mp.workdps(30):
        low, high = mpf(0), mu * mu / 2 + mu * mp.sqrt(2 * mp.log(1 / delta)) + 1
        for _ in range(60):
            middle = (low + high) / 2
            if gaussian_delta(mu, middle) > delta:
                low = middle
            else:
                high = middle
    return mp.findroot(lambda x: mp.log(gaussian_delta(mu, x) / delta), (low, high), solver="secant")


def gaussian(ask):
    ratio = rational(ask.get("sensitivity", "1")) / rational(ask["sigma"])
    square = ratio * ratio * int(rational(ask.get("times", "1")))
    with mp.workdps(mp.dps + 40):
        mu = mp.sqrt(mpf(square.numerator) / square.denominator)
        if "target_epsilon" in ask:
            x = rational(ask["target_epsilon"])
            rows = {"gaussian-exact": {"epsilon": x, "delta": gaussian_delta(mu, real(x))}}
            classic = {"epsilon": x, "delta": 1.25 * mp.exp(-((real(x) / mu) ** 2) / 2)}
        else:
            delta = rational(ask["target_delta"])
            rows = {"gaussian-exact": {"epsilon": gaussian_epsilon(mu, real(delta)), "delta": delta}}
            classic = {"epsilon": mu * mp.sqrt(2 * mp.log(1.25 / real(delta))), "delta": delta}
        if 0 < classic["epsilon"] < 1 and 0 < classic["delta"] < 1:
            rows["gaussian-classic"] = classic
        return rows


def laplace(ask):
    epsilon = rational(ask.get("sensitivity", "1")) / rational(ask["scale"])
    if "target_epsilon" in ask:
        x = rational(ask["target_epsilon"])
        delta = Fraction(0) if x >= epsilon else -mp.expm1(real(x - epsilon) / 2)
        return {"laplace-exact": {"epsilon": x, "delta": delta}}
    delta = rational(ask["target_delta"])
    if delta == 0:
        return {"laplace-exact": {"epsilon": epsilon, "delta": delta}}
    return {"laplace-exact": {"epsilon": max(mpf(0), real(epsilon) + 2 * mp.log1p(-real(delta))), "delta": delta}}


def discrete_laplace(ask):
    """Masses of the noise, outcome by outcome: loss a (D - 2j), j = 0 .. D."""
    a, distance = 1 / rational(ask["scale"]), int(rational(ask.get("sensitivity", "1")))
    r = mp.exp(-real(a))
    p = [1 / (1 + r), *((1 - r) / (1 + r) * r**j for j in range(1, distance)), r**distance / (1 + r)]
    if "target_epsilon" in ask:
        x = real(ask["target_epsilon"])
        losses = [(real(a * (distance - 2 * j)), p[j]) for j in range(distance + 1)]
        delta = mp.fsum(-m * mp.expm1(x - lost) for lost, m in losses if lost > x)
        at = rational(ask["target_epsilon"]) if "ln" not in ask["target_epsilon"] else x
        return {"discrete-laplace-exact": {"epsilon": at, "delta": delta or Fraction(0)}}
    delta = rational(ask["target_delta"])
    if delta == 0:
        return {"discrete-laplace-exact": {"epsilon": a * distance, "delta": delta}}
    events = [(mp.fsum(p[: m + 1]) - real(delta), mp.fsum(p[distance - m :])) for m in range(distance)]
    epsilon = max([mpf(0), *(mp.log(above / below) for above, below in events if above > 0)])
    return {"discrete-laplace-exact": {"epsilon": epsilon or Fraction(0), "delta": delta}}


def discrete_gaussian(ask):
    """Sums over the noise; epsilon by the events k <= m, their masses F and G: the greatest ln((F - delta)/G)."""
    sigma2, distance = rational(ask["sigma2"]), int(rational(ask.get("sensitivity", "1")))
    reach = distance + 2 + int(mp.sqrt(2 * real(sigma2) * (mp.dps + 400) * mp.log(10)))
    masses = {k: mp.exp(-real(Fraction(k * k) / (2 * sigma2))) for k in range(-reach, reach + 1)}
    norm = mp.fsum(masses.values())
    mu = mp.sqrt(real(distance * distance / sigma2))
    if "target_epsilon" in ask:
        x = real(ask["target_epsilon"])
        at = rational(ask["target_epsilon"]) if "ln" not in ask["target_epsilon"] else x
        terms = ((real(distance * (distance - 2 * k) / (2 * sigma2)), mass) for k, mass in masses.items())
        delta = mp.fsum(-mass * mp.expm1(x - lost) for lost, mass in terms if lost > x) / norm
        return {"discrete-gaussian-exact": {"epsilon": at, "delta": delta},
                "discrete-gaussian-continuous": {"epsilon": at, "delta": gaussian_delta(mu, x)}}
    delta = rational(ask["target_delta"])
    below, best = {}, mpf(0)
    total = mpf(0)
    for k in range(-reach, distance + 1):
        total += masses[k]
        below[k] = total / norm
        if below[k] > real(delta) and k - distance >= -reach:
            best = max(best, mp.log((below[k] - real(delta)) / below[k - distance]))
    return {"discrete-gaussian-exact": {"epsilon": best or Fraction(0), "delta": delta},
            "discrete-gaussian-continuous": {"epsilon": gaussian_epsilon(mu, real(delta)), "delta": delta}}


def bounded_range(ask):
    """The best two-point member of the class: losses t and t - eta."""
    eta = rational(ask["eta"]) if "ln" not in ask["eta"] else real(ask["eta"])
    whole = -mp.expm1(-real(eta))
    if "target_epsilon" in ask:
        x = real(ask["target_epsilon"])
        at = rational(ask["target_epsilon"]) if "ln" not in ask["target_epsilon"] else x
        t = (x + real(eta)) / 2
        q = (mp.exp(-t) - mp.exp(-real(eta))) / whole
        delta = q * (mp.exp(t) - mp.exp(x)) if x < real(eta) else Fraction(0)
        return {"bounded-range-exact": {"epsilon": at, "delta": delta}}
    delta = rational(ask["target_delta"])
    if delta == 0:
        return {"bounded-range-exact": {"epsilon": eta, "delta": delta}}
    epsilon = max(mpf(0), real(eta) + 2 * mp.log(1 - mp.sqrt(real(delta) * whole)))
    return {"bounded-range-exact": {"epsilon": epsilon or Fraction(0), "delta": delta}}


def dp_sgd(ask):
    """Integer moments as sums, and the formulas that are no bounds."""
    sigma = rational(ask["noise_multiplier"])
    if "sampling_rate" in ask:
        q = rational(ask["sampling_rate"])
    else:
        q = rational(ask["batch_size"]) / rational(ask["n"])
    steps = int(rational(ask["steps"])) if "steps" in ask else math.ceil(rational(ask["epochs"]) / q)
    delta, x = ask.get("target_delta"), ask.get("target_epsilon")
    given = {"delta": rational(delta)} if delta else {"epsilon": rational(x)}
    c = real(1 / (2 * sigma * sigma))

    def row(moment, l):
        """The classic row of the moment of order l + 1."""
        if delta:
            return given | {"epsilon": (moment - mp.log(real(given["delta"]))) / l, "alpha": l + 1}
        return given | {"delta": min(mpf(1), mp.exp(moment - l * real(given["epsilon"]))), "alpha": l + 1}

    def exact(l):
        terms = (mp.binomial(l + 1, j) * real(1 - q) ** (l + 1 - j) * real(q) ** j * mp.expm1(c * j * (j - 1))
                 for j in range(2, l + 2))
        return row(steps * mp.log1p(mp.fsum(terms)), l)

    wanted = "epsilon" if delta else "delta"
    rows = {"dp-sgd-moments": min(map(exact, range(1, 60)), key=lambda r: r[wanted])}
    if sigma >= 1 and q * sigma < Fraction(1, 16):
        reach = int(mp.floor(real(sigma) ** 2 * mp.log(1 / real(q * sigma))))
        printed = (row(steps * real(q * q / sigma / sigma) * l * l, l) for l in range(1, reach + 1))
        rows["dp-sgd-moments-printed"] = min(printed, key=lambda r: r[wanted])
    mu = real(q) * mp.sqrt(steps * mp.expm1(2 * c))
    clt = gaussian_epsilon(mu, real(given["delta"])) if delta else gaussian_delta(mu, real(given["epsilon"]))
    rows["dp-sgd-clt"] = given | {wanted: clt}
    if steps > 1:
        mu = real(1 / sigma)
        if delta:
            share = real(given["delta"] / steps / q)
            y = gaussian_epsilon(mu, share) if share < 1 else mpf(0)
            basic = steps * mp.log1p(real(q) * mp.expm1(max(y, mpf(0))))
        else:
            y = mp.log1p(mp.expm1(real(given["epsilon"] / steps)) / real(q))
            basic = min(mpf(1), steps * real(q) * gaussian_delta(mu, y))
        rows["dp-sgd-basic"] = given | {wanted: basic}
    for values in rows.values():
        if "alpha" in values:
            values["alpha"] = Fraction(values["alpha"])
    return rows
