# SPDX-License-Identifier: MIT
"""Longer computations the way a careful Python program would do them: floats, and mpmath where a
run is not hopeless. They come without error bounds.

  profile.py KIND ARITHMETIC QUESTION    QUESTION is a JSON object
"""
import json
import math
import sys

from formulas import Floats, Multiple


class Contour:
    """The optimal epsilon of a list at a target delta: the profile s(x) as a trapezoidal sum of the
    moment function along Re t = c, c the saddle point. The losses are taken as spread out."""

    def __init__(self, m, items):
        self.m, self.items = m, [(m.number(e), m.number(d), int(t)) for e, d, t in items]
        self.keep = sum(t * m.log1p(-d) for _, d, t in self.items)  # ln prod (1 - delta_i)
        self.spread = math.sqrt(sum(t * float(e) ** 2 for e, _, t in self.items))
        self.total = sum(t * e for e, _, t in self.items)

    def log_moment(self, re, im):
        """K(re + i im) = ln E e^(tL), as its two parts"""
        m, real, turn = self.m, 0, 0
        for e, _, times in self.items:
            # cosh((t + 1/2) e) / cosh(e/2) - 1 = 2 sinh((t + 1) e/2) sinh(t e/2) / cosh(e/2)
            a, b, y = (re + 1) * e / 2, re * e / 2, im * e / 2
            sine, cosine, scale = m.sin(y), m.cos(y), 2 / m.cosh(e / 2)
            u, v = m.sinh(a) * cosine, m.cosh(a) * sine
            p, q = m.sinh(b) * cosine, m.cosh(b) * sine
            x, z = scale * (u * p - v * q), scale * (u * q + v * p)
            real += times * m.log1p(x * (2 + x) + z * z) / 2
            turn += times * m.atan2(z, 1 + x)
        return real, turn

    def saddle(self, x):
        """About the least K(c) - c x - ln(c (c + 1)), c > 0"""
        low, high = 0.1 / self.spread, 60 / self.spread
        for _ in range(30):
            c, d = low + 0.382 * (high - low), low + 0.618 * (high - low)
            at = [self.log_moment(t, 0)[0] - t * x - self.m.log(t * (t + 1)) for t in (c, d)]
            low, high = (low, d) if at[0] < at[1] else (c, high)
        return (low + high) / 2

    def prepare(self, x):
        self.c = self.saddle(x)
        self.step = 2 * math.pi * self.c / self.m.aliases
        self.nodes = []
        least = None
        while True:
            theta = len(self.nodes) * self.step
            real, turn = self.log_moment(self.c, theta)
            least = real - self.m.aliases - 6 if least is None else least
            if real < least:
                return
            self.nodes.append((theta, real, turn))

    def profile(self, x):
        m, c, s = self.m, self.c, 0
        for theta, real, turn in self.nodes:
            size, angle = m.exp(real - c * x), turn - theta * x
            # 1 / (t (t + 1))
            p, q = c * (c + 1) - theta * theta, theta * (2 * c + 1)
            part = size * (m.cos(angle) * p + m.sin(angle) * q) / (p * p + q * q)
            s += part if theta else part / 2
        return s * self.step / m.pi

    def epsilon(self, delta):
        m = self.m
        wanted = -m.expm1(m.log1p(-m.number(delta)) - self.keep)
        x = 4 * self.spread
        for _ in range(3):
            self.prepare(m.number(x))
            low, high = m.number(0), min(self.total, m.number(40 * self.spread))
            for _ in range(m.halvings):
                x = (low + high) / 2
                low, high = (x, high) if self.profile(x) > wanted else (low, x)
        return x


class WaveFloats(Floats):
    exp, sinh, cosh, sin, cos, atan2 = (math.exp, math.sinh, math.cosh, math.sin, math.cos,
                                        math.atan2)
    pi, sqrt, erfc, log_gamma = math.pi, math.sqrt, math.erfc, math.lgamma
    aliases, halvings = 36, 52


class WaveMultiple(Multiple):
    aliases, halvings = 52, 70

    def __init__(self):
        super().__init__()
        for name in ("exp", "sinh", "cosh", "sin", "cos", "atan2", "pi", "sqrt", "erfc"):
            setattr(self, name, getattr(self.mp, name))
        self.log_gamma = self.mp.loggamma


def contour(m, q):
    return [Contour(m, q["items"]).epsilon(q["delta"])]


def pure_target(m, delta, leak, times):
    """What is left of delta when `times` leaks are accounted for: s = 1 - (1 - delta)/D"""
    return -m.expm1(m.log1p(-m.number(delta)) - times * m.log1p(-leak))


def curve(m, q):
    epsilon, times = m.number(q["epsilon"]), int(q["times"])
    rows = []
    for delta in q["deltas"]:
        s = pure_target(m, delta, m.number(q["delta"]), times)
        rows.append(m.optimal(epsilon, times, s) if s > 0 else math.inf)
    return [len(rows), rows[-1]]


def divergence(m, q):
    """Total variation by its sum, the others in closed form."""
    e, k = m.number(q["epsilon"]), int(q["times"])
    log_q, top, variation = -m.log1p(m.exp(e)), m.log_gamma(k + 1), 0
    for i in range(k // 2 + 1, k + 1):
        log_term = top - m.log_gamma(i + 1) - m.log_gamma(k - i + 1) + k * log_q + i * e
        variation += -m.exp(log_term) * m.expm1((k - 2 * i) * e)
    two = 2 * m.sinh(e / 2) ** 2  # (e^e + e^-e - 2)/2
    renyi = k * m.log1p(2 * two)
    return [variation, k * e * m.sinh(e / 2) / m.cosh(e / 2), m.expm1(renyi),
            -m.expm1(-k * m.log(m.cosh(e / 2))), renyi, k * e]


def iterative(m, q):
    """At a given epsilon of one step: the Gaussian profile, amplified, then the optimum."""
    n, batch, times = (int(q[name]) for name in ("samples", "batch_size", "times"))
    e1 = m.number(q["epsilon_one"])
    w = m.number(q["diameter"]) / (batch * m.number(q["sigma"]))
    root = m.sqrt(m.number(2))
    delta = (m.erfc((e1 / w - w / 2) / root) - m.exp(e1) * m.erfc((e1 / w + w / 2) / root)) / 2
    rate = m.number(batch) / n
    s = pure_target(m, q["target_delta"], rate * delta, times)
    return [m.optimal(m.log1p(rate * m.expm1(e1)), times, s)]


def bagging(m, q):
    """amplify-with-pair"""
    e, d = m.number(q["epsilon"]), m.number(q["delta"])
    rise = m.expm1(e)
    epsilon = int(q["k"]) * m.log1p(rise / int(q["n"]))
    return [epsilon, d * m.expm1(epsilon) / rise]


def generalization(m, q):
    """At given sets and selection."""
    e, d, sets = m.number(q["epsilon"]), m.number(q["delta"]), int(q["sets"])
    more, beta = m.number(q["selection"]), m.number(q["failure"]) / 2
    lift = m.exp(e + more)
    gap = (lift - 1 + 2 * sets * d) / (lift + 1) + m.log(m.number(sets + 1)) / (more * int(q["samples"]))
    return [gap / -m.expm1(sets * m.log1p(-beta))]


KINDS = {"contour": contour, "curve": curve, "divergence": divergence, "iterative": iterative,
         "bagging": bagging, "generalization": generalization}


def main():
    kind, name, question = sys.argv[1:4]
    m = WaveFloats() if name == "floats" else WaveMultiple()
    if question.startswith("@"):
        with open(question[1:], encoding="utf-8") as source:
            question = source.read()
    print(*(m.text(v) if not isinstance(v, int) else v for v in KINDS[kind](m, json.loads(question))))


if __name__ == "__main__":
    main()
