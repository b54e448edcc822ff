# SPDX-License-Identifier: MIT
"""The formulas that dpacct certifies, the way a Python program would write them: with floats, and
with mpmath at 30 digits. Neither knows on which side of the truth its answer lies."""
import json
import math
import sys


def bagging_with(m, q):
    n, k = m.number(q["n"]), m.number(q["k"])
    return {"epsilon": k * m.log1p(1 / n), "delta": -m.expm1(k * m.log1p(-1 / n))}


def bagging_without(m, q):
    n, k = m.number(q["n"]), m.number(q["k"])
    return {"epsilon": m.log((n + 1) / (n + 1 - k)), "delta": k / n}


def compose(m, q):
    """Basic composition of one item."""
    item = q["mechanisms"][0]
    e, d, t = m.number(item["epsilon"]), m.number(item["delta"]), item["times"]
    return {"epsilon": e * t, "delta": -m.expm1(t * m.log1p(-d))}


def kl_bound(m, q):
    e = m.number(q["epsilon"])
    return {"kl": q["times"] * e * m.tanh(e / 2)}


def rr_prob(m, q):
    """Simple composition: K epsilon against an allowance of m epsilon, delta = 0."""
    e, k, a = m.number(q["epsilon"]), q["mechanisms"], m.number(q["allowance"])
    return {"probability": min(1, m.tanh(a * e / 2) / m.tanh(k * e / 2))}


COMMANDS = {"bagging-with": bagging_with, "bagging-without": bagging_without, "compose": compose,
            "kl-bound": kl_bound, "rr-prob": rr_prob}


class Floats:
    number = float
    log, log1p, expm1, tanh, text = math.log, math.log1p, math.expm1, math.tanh, repr

    @staticmethod
    def optimal(epsilon, times, delta):
        """The optimum for `times` uses of an epsilon-DP mechanism: a sum in log space, O(times)."""
        log_p = -math.log1p(math.exp(-epsilon))
        top = math.lgamma(times + 1)
        p = q = 0.0
        for i in range(times + 1):
            term = top - math.lgamma(i + 1) - math.lgamma(times - i + 1) + times * log_p
            loss = (times - 2 * i) * epsilon
            if p - math.exp(min(loss, 700)) * q > delta:  # the optimum lies above this atom
                break
            p += math.exp(term - i * epsilon)
            q += math.exp(term - (times - i) * epsilon)
        return math.log((p - delta) / q)


class Multiple:
    def __init__(self):
        import mpmath
        mpmath.mp.dps = 30
        self.mp = mpmath
        self.log, self.log1p, self.expm1 = mpmath.log, mpmath.log1p, mpmath.expm1
        self.tanh, self.number = mpmath.tanh, mpmath.mpf

    def text(self, x):
        return self.mp.nstr(x, 17)

    def optimal(self, epsilon, times, delta):
        mp = self.mp
        e, delta = mp.mpf(epsilon), mp.mpf(delta)
        step_p, step_q = mp.exp(-e), mp.exp(e)
        p_i = (1 / (1 + mp.exp(-e))) ** times
        q_i = p_i * mp.exp(-times * e)
        above, down = mp.exp(times * e), mp.exp(-2 * e)
        p = q = mp.mpf(0)
        for i in range(times + 1):
            if p - above * q > delta:
                break
            p, q = p + p_i, q + q_i
            ratio = mp.mpf(times - i) / (i + 1)
            p_i, q_i, above = p_i * ratio * step_p, q_i * ratio * step_q, above * down
        return mp.log((p - delta) / q)


def arithmetic(name):
    return Floats() if name == "floats" else Multiple()


def batch(name):
    """JSON Lines in, JSON Lines out, like `dpacct batch`."""
    m = arithmetic(name)
    for line in sys.stdin:
        q = json.loads(line)
        answer = {k: m.text(v) for k, v in COMMANDS[q["command"]](m, q).items()}
        sys.stdout.write(json.dumps({"command": q["command"], **answer}) + "\n")


def main():
    kind, name = sys.argv[1:3]
    m = arithmetic(name)
    if kind == "batch":
        batch(name)
    elif kind == "optimal":
        epsilon, times, delta = sys.argv[3:6]
        value = m.optimal(float(epsilon) if name == "floats" else epsilon, int(times),
                          float(delta) if name == "floats" else delta)
        print(m.text(value))
    else:
        q = json.loads(sys.argv[3])
        print({k: m.text(v) for k, v in COMMANDS[kind](m, q).items()})


if __name__ == "__main__":
    main()
