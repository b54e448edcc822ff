# SPDX-License-Identifier: MIT
"""DP-SGD: accuracy against time, beside what other accountants printed where they were measured
(one process each, Python 3.11 on two cores, add-remove, delta = 1e-5)."""
from decimal import Decimal

RUNS = {"sigma 1, q 0.01, T 1000": ("1", "0.01", "1000"),
        "sigma 1, q 0.01, T 10000": ("1", "0.01", "10000"),
        "sigma 0.8, q 256/60000, T 14040": ("0.8", "256/60000", "14040")}
# seconds of the whole process and the figure (of a bracket the upper end), for each run; None: none
OTHERS = {"Google dp-accounting 0.6, PLD": ((0.89, "1.828244"), (1.01, "6.187745"), (1.28, "4.546063")),
          "Google dp-accounting 0.6, RDP": ((0.45, "2.101367"), (0.43, "6.712757"), (0.48, "5.000481")),
          "Microsoft PRV 0.2, error 0.01": ((0.65, "1.8384"), (2.2, "6.1980"), (2.3, "4.5563")),
          "Opacus 1.5, RDP": ((0.39, "2.101365"), (0.37, "6.712738"), (0.51, "5.000338")),
          "Opacus 1.5, PRV": ((0.47, "1.838372"), (0.81, "6.198044"), (0.81, "4.556277")),
          "autodp 0.2.3": ((0.36, "2.107753"), (0.37, "6.719402"), None),
          "Fourier accountant 0.13": ((0.73, "1.982076"), None, None)}
DIGITS = (4, 10, 20, 40)


def words(run, digits, *more):
    sigma, rate, steps = run
    return ["dp-sgd", "--noise-multiplier", sigma, "--sampling-rate", rate, "--steps", steps,
            "--target-delta", "1e-5", "--digits", str(digits), *more]


def rows(answer, seconds, span):
    """answer(words): the row that decides; seconds(words): of the whole process."""
    for i, (title, run) in enumerate(RUNS.items()):
        truth = Decimal(answer(words(run, 50))["epsilon_enclosure"][0])

        def off(figure):
            return f"{(Decimal(figure) - truth) / truth:+.0e}"

        mine = seconds(words(run, 10))
        for method, digits in [("pld", d) for d in DIGITS] + [("rdp", 10)]:
            asked = words(run, digits, "--method", method)
            figure, spent = answer(asked)["epsilon_enclosure"][1], seconds(asked)
            yield [title, f"dpacct --method {method}, {digits} digits", span(spent),
                   f"{spent / mine:.1f}x", figure[:14], off(figure)]
        for name, found in OTHERS.items():
            if found[i] is not None:
                spent, figure = found[i]
                yield [title, name, span(spent), f"{spent / mine:.0f}x", figure, off(figure)]
