# SPDX-License-Identifier: MIT
"""Conversions in mpmath, written from the papers, not from the C sources: those without an order that
is chosen."""
from fractions import Fraction

from mpmath import mp, mpf

from number import rational, real


def numbers(given):
    return [rational(x) for x in given]


def exact(text):
    """A Fraction, or an mpf of a logarithm."""
    return real(text) if text.startswith("ln(") else rational(text)


def of_pure(e, alpha):
    """The divergence of randomized response, outcome by outcome."""
    odds = mp.exp(e)
    p, q = odds / (1 + odds), 1 / (1 + odds)
    return mp.log(p**alpha * q ** (1 - alpha) + q**alpha * p ** (1 - alpha)) / (alpha - 1)


def hull(points, alpha):
    """The least chord of (alpha - 1) r between any two known points about alpha, (1, 0) among them."""
    known = [(Fraction(1), Fraction(0))] + [(a, (a - 1) * r) for a, r in points]
    chords = [y0 + (y1 - y0) * (alpha - x0) / (x1 - x0) for x0, y0 in known for x1, y1 in known
              if x0 < x1 and x0 <= alpha <= x1]
    return min(chords) / (alpha - 1)


def order(ask):
    alpha = rational(ask["order"])
    shown = lambda r: {"rdp": r, "alpha": alpha}
    if "pure" in ask:
        e = exact(ask["pure"])
        with mp.workdps(mp.dps + 40):
            tight = of_pure(real(e), real(alpha))
        both = (e, alpha * e * e / 2) if isinstance(e, Fraction) else (e, real(alpha) * e * e / 2)
        return {"pure-to-rdp": shown(tight), "pure-to-rdp-quadratic": shown(min(both)),
                "pure-to-rdp-mironov": shown(4 * both[1])}
    if "rdp" in ask:
        given = numbers(ask["rdp"])
        return {"rdp-between": shown(hull(list(zip(given[::2], given[1::2])), alpha))}
    rho, xi = zcdp(ask)
    return {"zcdp-to-rdp": shown(max(Fraction(0), xi + rho * alpha))}


def zcdp(ask):
    if "gdp" in ask:
        return rational(ask["gdp"]) ** 2 / 2, Fraction(0)
    if "cdp" in ask:
        mean, tau = numbers(ask["cdp"])
        return tau * tau / 2, mean - tau * tau / 2
    rho, *xi = numbers(ask["zcdp"])
    return rho, xi[0] if xi else Fraction(0)


def to_zcdp(ask):
    if "pure" in ask:
        e = exact(ask["pure"])
        tight = real(e) * mp.tanh(real(e) / 2)
        return {"pure-to-zcdp": {"rho": tight, "xi": Fraction(0)},
                "pure-to-zcdp-classic": {"rho": e * e / 2, "xi": Fraction(0)}}
    rho, xi = zcdp(ask)
    return {"gdp-to-zcdp" if "gdp" in ask else "cdp-to-zcdp": {"rho": rho, "xi": xi}}


def convert(ask):
    if "order" in ask:
        return order(ask)
    if "to" in ask:
        return to_zcdp(ask)
    epsilon, _, delta = ask["approx"].partition(",")
    e, leak = real(epsilon), rational(delta)
    if "target_epsilon" in ask:
        x = exact(ask["target_epsilon"])
        part = -mp.expm1(real(x) - e) / (1 + mp.exp(-e)) if real(x) < e else Fraction(0)
        value = real(leak) + (1 - real(leak)) * part if part else leak
        return {"approx-profile": {"epsilon": x, "delta": value}}
    d = rational(ask["target_delta"])
    if d < leak:
        return {"approx-profile": {"epsilon": mp.inf, "delta": d}}
    share = (d - leak) / (1 - leak)
    if epsilon.startswith("ln("):
        odds = rational(epsilon[3:-1])
        inside = real(max(Fraction(1), odds - share * (1 + odds)))
    else:
        inside = mp.exp(e) - real(share) * (1 + mp.exp(e))
    value = mp.log(inside) if inside > 1 else Fraction(0)
    return {"approx-profile": {"epsilon": exact(epsilon) if d == leak else value, "delta": d}}
