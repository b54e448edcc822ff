# SPDX-License-Identifier: MIT
"""Composition of (epsilon, delta)-DP mechanisms in mpmath: the optimum, the closed forms, and the
Kullback-Leibler divergence.

As in sampling.py, a question is what a batch line asks and the answer holds every row of --all.
"""
from fractions import Fraction
from itertools import product
from math import comb

import gmpy2
from mpmath import mp, mpf

from number import rational, real

# Losses of randomized response, +e with probability q, -e with 1 - q


def items_of(ask):
    return [
        (m["epsilon"], rational(m.get("delta", "0")), int(rational(m.get("times", "1"))))
        for m in ask["mechanisms"]
    ]


def keep(items):
    """ln prod (1 - delta_i); -inf when some delta_i is 1."""
    return mp.fsum(t * mp.log1p(-real(d)) if d < 1 else -mp.inf for _, d, t in items)


def leak(items):
    return -mp.expm1(keep(items))


def join(items, slack):
    """1 - D (1 - d), with small figures kept."""
    return -mp.expm1(keep(items) + mp.log1p(-slack)) if slack < 1 else mpf(1)


def total(items):
    if any(e.startswith("ln(") for e, _, _ in items):
        return mp.fsum(t * real(e) for e, _, t in items)
    return sum((t * rational(e) for e, _, t in items), Fraction(0))


def groups(items):
    """{epsilon text: times}, zeros left out."""
    merged = {}
    for e, _, t in items:
        if real(e) != 0:
            merged[e] = merged.get(e, 0) + t
    return merged


class Atoms:
    """All values of the summed loss with their probabilities, largest first; few of them."""

    def __init__(self, merged):
        axes = []
        for e, t in merged.items():
            x = real(e)
            plus, minus = -mp.log1p(mp.exp(-x)), -mp.log1p(mp.exp(x))
            axes.append(
                [((2 * j - t) * x, comb(t, j) * mp.exp(j * plus + (t - j) * minus))
                 for j in range(t + 1)]
            )
        atoms = [
            (mp.fsum(loss for loss, _ in cell), mp.fprod(mass for _, mass in cell))
            for cell in product(*axes)
        ]
        self.atoms = sorted(atoms, key=lambda a: -a[0])

    def profile(self, x):
        """s(x) = E[(1 - e^(x-L))_+]: every term is positive."""
        return mp.fsum(-mass * mp.expm1(x - loss) for loss, mass in self.atoms if loss > x)

    def inverse(self, wanted):
        """The least x >= 0 with s(x) <= wanted, for 0 < wanted < s(0)."""
        above = below = mpf(0)  # P and Q of the atoms so far
        for loss, mass in self.atoms:
            # s is above - e^x below between the last atom and this one
            if above > 0 and above - mp.exp(loss) * below >= wanted:
                break
            above += mass
            below += mass * mp.exp(-loss)
        # cancellation is covered by the working precision
        return mp.log((above - wanted) / below)


class Tails:
    """The same for `times` equal losses of any number, by recurrence from a cut outward."""

    def __init__(self, epsilon, times):
        self.e, self.k = real(epsilon), times
        self.plus, self.minus = -mp.log1p(mp.exp(-self.e)), -mp.log1p(mp.exp(self.e))

    def mass(self, j):
        k = self.k
        choose = mp.loggamma(k + 1) - mp.loggamma(j + 1) - mp.loggamma(k - j + 1)
        return mp.exp(choose + j * self.plus + (k - j) * self.minus)

    def tails(self, first):
        """(P(J >= first), Q(J >= first)) for first at or above the middle."""
        gmpy2.get_context().precision = mp.prec
        def to_g(x):
            return gmpy2.mpfr(mp.nstr(x, mp.dps))
        p = to_g(self.mass(first))
        q = p * to_g(mp.exp(-(2 * first - self.k) * self.e))
        grow, fall = to_g(mp.exp(self.e)), to_g(mp.exp(-self.e))
        above = below = gmpy2.mpfr(0)
        tiny = gmpy2.mpfr(2) ** (-mp.prec - 40)
        for j in range(first, self.k + 1):
            above += p
            below += q
            ratio = gmpy2.mpfr(self.k - j) / (j + 1)
            p *= ratio * grow
            q *= ratio * fall
            if p < above * tiny and q < below * tiny and ratio * grow < 1:
                break
        return mpf(str(above)), mpf(str(below))

    def cut(self, x):
        return int(mp.floor((x / self.e + self.k) / 2)) + 1

    def profile(self, x):
        first = self.cut(x)
        if first > self.k:
            return mpf(0)
        above, below = self.tails(first)
        return above - mp.exp(x) * below

    def inverse(self, wanted):
        low, high = (self.k + 1) // 2, self.k + 1  # s at the atom of `low` is above `wanted`
        while high - low > 1:
            middle = (low + high) // 2
            if self.profile((2 * middle - self.k) * self.e) > wanted:
                low = middle
            else:
                high = middle
        above, below = self.tails(high) if high <= self.k else self.tails(self.k)
        return mp.log((above - wanted) / below)


class Periodic(Tails):
    """Far more trials than can be summed: the tails as an N-point mean of the moment function at
    z = tau + i theta, whose aliases fall off like e^(-tau N)."""

    def tails(self, first):
        return (self.one(mp.exp(self.plus), mp.exp(self.minus), first),
                self.one(mp.exp(self.minus), mp.exp(self.plus), first))

    def one(self, q, p, first):
        k = self.k
        a = mpf(first) / k
        spread = mp.sqrt(k * a * (1 - a))
        tau = max(mp.log(a * p / ((1 - a) * q)), 1 / spread)
        top = k * mp.log(q * mp.exp(tau) + p) - first * tau  # log of the largest term
        log_wanted = -(mp.dps + 20) * mp.log(10)
        nodes = int(max((-log_wanted - min(top, 0)) / tau,
                        2 * spread * mp.sqrt(2 * -log_wanted))) + 2
        value = mpf(0)
        for n in range(nodes // 2 + 1):
            z = mp.mpc(tau, 2 * mp.pi * n / nodes)
            term = mp.exp(k * mp.log(q * mp.exp(z) + p) - first * z) / -mp.expm1(-z)
            value += term.real * (1 if n == 0 or 2 * n == nodes else 2)
            if n > 8 and mp.log(abs(term)) < top + log_wanted:
                break
        return value / nodes


def law(items):
    merged = groups(items)
    if not merged:
        return None
    size = 1
    for t in merged.values():
        size *= t + 1
    if len(merged) > 1 or size <= 200:
        assert size <= 20000, "too many atoms for this program"
        return Atoms(merged)
    (e, t), = merged.items()
    return Tails(e, t) if t <= 10**7 else Periodic(e, t)


def delta_at(items, x):
    l = law(items)
    s = l.profile(x) if l is not None else mpf(0)
    return join(items, s)


def epsilon_at(items, delta):
    if delta >= 1:
        return Fraction(0)
    log_keep = keep(items)
    leaked, limit = -mp.expm1(log_keep), real(delta)
    if mp.almosteq(leaked, limit, rel_eps=mpf(10) ** -100):
        leaked, limit = 1 - fraction_keep(items), delta # exact; of millions of digits, perhaps
    if leaked > limit:
        return mp.inf
    if leaked == limit:
        return total(items)
    wanted = -mp.expm1(mp.log1p(-real(delta)) - log_keep)
    l = law(items)
    if l is None:
        return total(items)
    if l.profile(mpf(0)) <= wanted:
        return Fraction(0)
    return l.inverse(wanted)


def fraction_keep(items):
    value = Fraction(1)
    for _, d, t in items:
        if d != 0:
            value *= (1 - d) ** t
    return value


def centre(items):
    return mp.fsum(t * real(e) * mp.tanh(real(e) / 2) for e, _, t in items)


def square(items):
    return mp.fsum(t * real(e) ** 2 for e, _, t in items)


def compose(ask):
    items = items_of(ask)
    target_delta = rational(ask["target_delta"]) if "target_delta" in ask else None
    target = ask.get("target_epsilon")
    slack = real(ask["slack"]) if "slack" in ask else None
    end, leaked = total(items), leak(items)
    summed = min(Fraction(1), sum((t * d for _, d, t in items), Fraction(0)))
    rows = {}
    if target_delta is not None:
        rows["compose-optimal"] = {"epsilon": epsilon_at(items, target_delta),
                                   "delta": target_delta}
    elif target is not None:
        at = real(target) if target.startswith("ln(") else rational(target)
        inside = real(at) < real(end)
        delta = delta_at(items, real(at)) if inside else leaked
        rows["compose-optimal"] = {"epsilon": at, "delta": delta}
    else:
        rows["compose-optimal"] = {"epsilon": end, "delta": leaked}
    rows["compose-basic"] = {"epsilon": end, "delta": leaked}
    rows["compose-basic-sum"] = {"epsilon": end, "delta": summed}
    joined = join(items, slack) if slack is not None else leaked
    rows["compose-kov-sum"] = {"epsilon": end, "delta": joined}
    rows.update(deviations(items, target_delta, target, slack, summed))
    return rows


def deviations(items, target_delta, target, slack, summed):
    """The theorems with a slack d in (0, 1): given, left by a target delta, or from epsilon."""
    m, v = centre(items), square(items)
    growth = mp.fsum(t * real(e) * mp.expm1(real(e)) for e, _, t in items)
    if v == 0 or keep(items) == -mp.inf:
        return {}
    product_join = lambda d: join(items, d)
    sum_join = lambda d: min(real(summed) + d, mpf(1))
    tail = lambda c, d: c + mp.sqrt(2 * v * mp.log(1 / d))
    tail_slack = lambda c, x: mp.exp(-((x - c) ** 2) / (2 * v)) if x > c else mpf(1)
    log_form = lambda c, d: c + mp.sqrt(2 * v * mp.log(mp.e + mp.sqrt(v) / d))

    def log_slack(c, x):
        power = (x - c) ** 2 / (2 * v) - 1
        return mp.sqrt(v) / (mp.e * mp.expm1(power)) if x > c and power > 0 else mpf(1)

    forms = {
        "compose-advanced": (growth, tail, tail_slack, sum_join),
        "compose-kov-log": (m, log_form, log_slack, product_join),
        "compose-kov-hoeffding": (m, tail, tail_slack, product_join),
    }
    rows = {}
    for name, (c, to_epsilon, to_slack, joining) in forms.items():
        d, epsilon, delta = slack, None, None
        if d is None and target_delta is not None:
            if joining is sum_join:
                d = real(target_delta - sum((t * x for _, x, t in items), Fraction(0)))
            else:
                d = -mp.expm1(mp.log1p(-real(target_delta)) - keep(items))
            delta = target_delta
        elif d is None and target is not None:
            d = to_slack(c, real(target))
            epsilon = real(target) if target.startswith("ln(") else rational(target)
        if d is None or not 0 < d < 1:
            continue
        rows[name] = {"epsilon": epsilon if epsilon is not None else to_epsilon(c, d),
                      "delta": delta if delta is not None else joining(d)}
    return rows


def divergence(ask):
    if "mechanisms" in ask:
        items = items_of(ask)
    else:
        items = [(ask["epsilon"], Fraction(0), int(rational(ask.get("times", "1"))))]
    growth = mp.fsum(t * real(e) * mp.expm1(real(e)) for e, _, t in items)
    return {
        "kl-tight": {"kl": centre(items)},
        "kl-bun-steinke": {"kl": square(items) / 2},
        "kl-dwork-rothblum": {"kl": growth / 2},
        "kl-dwork": {"kl": growth},
    }
