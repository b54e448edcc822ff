#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What must hold between theorems (TAP): every unsound statement is refuted again at its
counterexample, the optimum is below every proved theorem, and each looser bound above its tighter
one, on exact decimals of the enclosures."""
import itertools
import json
import math
import os
import random
import subprocess
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

from mpmath import mp, mpf

getcontext().prec = 60
getcontext().Emax, getcontext().Emin = 10**9, -(10**9)
results = []


def check(name, holds, detail=""):
    results.append((bool(holds), name, str(detail)))


def ask(questions):
    done = subprocess.run([os.environ["DPACCT"], "batch"], text=True, capture_output=True,
                          input="".join(json.dumps(q) + "\n" for q in questions))
    return [json.loads(line) for line in done.stdout.splitlines()]


def rows(answer):
    return {row["theorem"]: row for row in answer["results"]}


def low(row, name):
    return Decimal(row[name + "_enclosure"][0])


def high(row, name):
    return Decimal(row[name + "_enclosure"][1])


# ---- unsound statements, refuted ----

def refuted_by_optimum(theorem, question):
    """At the printed epsilon the optimum is proved to be above the printed delta."""
    printed = rows(ask([question | {"all": True, "digits": 25}])[0])[theorem]
    at = printed["epsilon_enclosure"][1]
    exact = rows(ask([{k: v for k, v in question.items() if k in ("command", "mechanisms")}
                      | {"target_epsilon": at, "digits": 25}])[0])["compose-optimal"]
    check(f"{theorem} is refuted", high(printed, "delta") < low(exact, "delta"),
          (printed["delta_enclosure"], exact["delta_enclosure"]))


def counterexamples():
    def items(*texts):
        return [dict(zip(("epsilon", "delta", "times"), t)) for t in texts]
    refuted_by_optimum("he2021-corollary-1", {"command": "compose", "slack": "1e-10",
                       "mechanisms": items(("0.01", "1e-6", "10000"))})
    refuted_by_optimum("he2021-theorem-4", {"command": "compose", "slack": "1e-12",
                       "mechanisms": items(("1", "1e-5", "1000"))})
    refuted_by_optimum("he2021-corollary-2", {"command": "compose", "target_epsilon": "8",
                       "mechanisms": items(("1", "0", "10"))})
    row = rows(ask([{"command": "bagging-without", "n": 2, "k": 1, "N": 2, "all": True,
                     "subsamples": "independent"}])[0])
    check("bagging-independent-tightness is refuted: 3/4 suffices where it says 1",
          row["bagging-independent-exact"]["delta_enclosure"] == ["0.75", "0.75"]
          and low(row["bagging-independent-published"], "delta") == 1, row)
    # D = {x, y}: two draws, J copies of x, the learner says 1 with probability 2^J/8
    mean = sum(Fraction(math.comb(2, j), 4) * Fraction(2**j, 8) for j in range(3))
    row = rows(ask([{"command": "bagging-with", "n": 2, "k": 2, "base_epsilon": "ln(2)",
                     "all": True, "digits": 20}])[0])["amplify-with-mixture"]
    check("amplify-with-mixture is refuted",
          mean - Fraction(7, 4) * Fraction(1, 8) == Fraction(1, 16)
          and high(row, "delta") == 0 and high(row, "epsilon") < Decimal("0.5596157879354228"), row)
    row = rows(ask([{"command": "iterative-gaussian", "samples": 1, "batch_size": 1, "times": 1,
                     "diameter": 2, "sigma": 1, "delta": 1e-5, "slack": "0.999999",
                     "digits": 20}])[0])
    check("igmm-published is refuted",
          high(row["igmm-published"], "delta") * 250 < low(row["igmm-gaussian"], "delta"), row)
    row = rows(ask([{"command": "generalization", "epsilon": "1/100", "all": True}])[0])
    quoted = row["generalization-nissim-stemmer-quoted"]
    check("generalization-nissim-stemmer-quoted is refuted: |Gen| = 1/2 for a fair coin, N = 1",
          high(quoted, "bound") < Decimal("0.5") and high(quoted, "failure_probability") == 0)
    row = rows(ask([{"command": "generalization", "epsilon": "1/10", "delta": "1/100",
                     "all": True}])[0])["generalization-dwork-quoted"]
    check("generalization-dwork-quoted is refuted: Gen = 1 has probability delta",
          high(row, "bound") < 1 and high(row, "failure_probability") < Decimal("0.01"), row)


def theorem_6_counterexample():
    question = {"command": "compose", "slack": "1e-12",
                "mechanisms": [{"epsilon": "1", "delta": "1e-5", "times": "1000"}]}
    row = rows(ask([question | {"all": True, "digits": 20}])[0])["he2021-theorem-6"]
    # far above 1 here; small slack and many small steps refute it
    check("he2021-theorem-6 prints what no probability is", low(row, "delta") > 1, row)
    refuted_by_optimum("he2021-theorem-6", {"command": "compose", "slack": "1e-9",
                       "mechanisms": [{"epsilon": "0.001", "delta": "1e-6", "times": "1000"}]})


# ---- orders between proved rows ----

PROVED = ["compose-rdp", "compose-zcdp", "compose-zcdp-simple", "compose-zcdp-classic",
          "compose-kov-log", "compose-kov-hoeffding", "compose-advanced", "compose-basic",
          "compose-filter", "compose-basic-sum", "compose-kov-sum", "he2021-theorem-4-corrected",
          "he2021-corollary-1-corrected", "he2021-corollary-2-corrected",
          "he2021-corollary-2-sharp", "he2021-theorem-5", "he2021-theorem-6-corrected"]


def lists(rng, count):
    for _ in range(count):
        items = []
        for _ in range(rng.choice([1, 1, 2, 3, 5])):
            items.append({"epsilon": str(rng.choice(["0.1", "0.25", "1/3", "ln(2)", "1", "0.01"])),
                          "delta": rng.choice(["0", "0", "1e-6", "1e-9"]),
                          "times": str(rng.choice([1, 2, 7, 40]))})
        yield items


def optimum_is_least():
    rng = random.Random(7)
    seen = set()
    questions = [{"command": "compose", "mechanisms": items, "target_delta": delta, "all": True}
                 for items in lists(rng, 12) for delta in ("1e-3", "1e-5")]
    for question, answer in zip(questions, ask(questions)):
        row = rows(answer)
        best = row["compose-optimal"]
        for theorem in PROVED:
            if theorem in row:
                seen.add(theorem)
                if not row[theorem]["delta"] or Decimal(row[theorem]["delta_enclosure"][0]) <= \
                        Decimal(question["target_delta"]):
                    check(f"compose-optimal is at most {theorem}",
                          low(best, "epsilon") <= high(row[theorem], "epsilon"),
                          (question, row[theorem]))
    check("every proved theorem was seen", seen >= set(PROVED) - {"he2021-theorem-5"},
          set(PROVED) - seen)


def renyi_epsilon(t, items, slack):
    """What the order 1 + t gives at that slack, for pure mechanisms."""
    moment = mp.fsum(times * mp.log(mp.cosh(e * (t + mpf(1) / 2)) / mp.cosh(e / 2))
                     for e, times in items)
    return (moment + t * mp.log(t) - (1 + t) * mp.log1p(t) - mp.log(slack)) / t


def renyi():
    """compose-rdp at the order that it names, which no other one betters by much."""
    mp.dps = 60
    for texts, slack in (((("0.1", 35),), "1e-5"), ((("1", 3), ("0.01", 1000)), "1e-12"),
                         ((("2", 1),), "0.3")):
        items = [(mpf(e), times) for e, times in texts]
        row = rows(ask([{"command": "compose", "slack": slack, "method": "rdp", "digits": 40,
                         "mechanisms": [{"epsilon": e, "times": times} for e, times in texts]}])[0])
        row = row["compose-rdp"]
        check("the order of compose-rdp is shown exactly", low(row, "alpha") == high(row, "alpha"))
        t = mpf(str(low(row, "alpha"))) - 1
        ends = [mpf(end) for end in row["epsilon_enclosure"]]
        check("compose-rdp at its order", ends[0] <= renyi_epsilon(t, items, mpf(slack)) <= ends[1],
              row)
        check("another order betters compose-rdp by little",
              all(ends[0] <= renyi_epsilon(t * (1 + mpf(i) / 20), items, mpf(slack)) * (1 + 1e-9)
                  for i in range(-19, 40)), row)


def order(question, name, smaller, larger):
    row = rows(ask([question | {"all": True, "digits": 20}])[0])
    check(f"{smaller} is at most {larger}", low(row[smaller], name) <= high(row[larger], name),
          (row[smaller], row[larger]))


def orders():
    for epsilon, times in itertools.product(("0.001", "0.5", "ln(3)", "7"), (1, 50)):
        q = {"command": "divergence", "epsilon": epsilon, "times": times, "order": "3"}
        for larger in ("divergence-total-variation-sum", "divergence-total-variation-pinsker"):
            order(q, "value", "divergence-total-variation", larger)
        for larger in ("divergence-renyi-quadratic", "divergence-renyi-max"):
            order(q, "value", "divergence-renyi", larger)
        for larger in ("kl-bun-steinke", "kl-dwork-rothblum", "kl-dwork"):
            order(q, "value", "kl-tight", larger)
        top = rows(ask([q])[0])["divergence-max"]
        check("divergence-max is the sum of epsilons",
              high(top, "value") >= low(rows(ask([q])[0])["divergence-renyi"], "value"))
    for n, k, models in ((60000, 300, 10), (7, 3, 2), (10**18, 10**9, 5)):
        q = {"command": "bagging-without", "n": n, "k": k, "N": models, "subsamples": "independent"}
        order(q, "delta", "bagging-independent-exact", "bagging-independent-published")
        disjoint = ask([{"command": "bagging-without", "n": n, "k": k, "N": models}])[0]
        drawn = ask([{"command": "bagging-with", "n": n, "k": k, "N": models}])[0]
        apart = ask([q])[0]
        check("with replacement <= independent <= disjoint",
              low(drawn["guarantee"], "delta") <= high(apart["guarantee"], "delta")
              and low(apart["guarantee"], "delta") <= high(disjoint["guarantee"], "delta"))
    for scheme in ({"command": "bagging-with", "n": 1000, "k": 50},
                   {"command": "bagging-without", "n": 1000, "k": 50, "subsamples": "independent"},
                   {"command": "bagging-poisson", "sampling_rate": "0.05"}):
        q = scheme | {"N": 4, "base_epsilon": "0.5", "base_delta": "1e-6"}
        whole = ask([{"command": "compose", "target_delta": "1e-4", "mechanisms":
                      [{"epsilon": "0.5", "delta": "1e-6", "times": 4}]}])[0]
        answer = ask([q | {"target_delta": "1e-4"}])[0]
        if scheme["command"] != "bagging-with":
            check("amplify-composed is at most the unamplified composition",
                  low(rows(answer)["amplify-composed"], "epsilon")
                  <= high(whole["guarantee"], "epsilon"), answer)
            check("amplify-dominating is at most amplify-composed",
                  low(rows(answer)["amplify-dominating"], "epsilon")
                  <= high(rows(answer)["amplify-composed"], "epsilon"), answer)
        anyone = ask([scheme | {"N": 4}])[0]
        public = ask([q | {"base_delta": 1, "target_epsilon": "0.3"}])[0]
        check("base-delta 1 gives the profile for any learner",
              public["guarantee"]["delta_enclosure"] == anyone["guarantee"]["delta_enclosure"],
              (public["guarantee"], anyone["guarantee"]))
    row = rows(ask([{"command": "bagging-with", "n": 1000, "k": 50, "base_epsilon": "0.5",
                     "base_delta": 1, "target_epsilon": "0.3"}])[0])
    check("amplify-with-bbg with base-delta 1 is the profile for any learner",
          row["amplify-with-bbg"]["delta_enclosure"] == row["bagging-with-exact"]["delta_enclosure"])
    q = {"command": "iterative-gaussian", "samples": 600, "batch_size": 600, "times": 1000,
         "diameter": 2, "sigma": 1}
    for delta in ("0.1", "1e-5", "1e-50"):
        row = rows(ask([q | {"target_delta": delta}])[0])
        check("igmm-gaussian is at most igmm-certified",
              low(row["igmm-gaussian"], "epsilon") <= high(row["igmm-certified"], "epsilon"), row)


def dp_sgd():
    for run in ({"noise_multiplier": "1", "sampling_rate": "0.01", "steps": 1000},
                {"noise_multiplier": "0.6", "sampling_rate": "1e-3", "steps": 10**5},
                {"noise_multiplier": "30", "sampling_rate": "0.3", "steps": 100}):
        for target in ({"target_delta": "1e-5"}, {"target_delta": "0.3"}, {"target_epsilon": "0.5"}):
            row = rows(ask([{"command": "dp-sgd", "all": True} | run | target])[0])
            name = "epsilon" if "target_delta" in target else "delta"
            check("dp-sgd-pld is at most dp-sgd-renyi",
                  low(row["dp-sgd-pld"], name) <= high(row["dp-sgd-renyi"], name), row)
            check("dp-sgd-pld is at most dp-sgd-basic",
                  low(row["dp-sgd-pld"], name) <= high(row["dp-sgd-basic"], name), row)
            check("dp-sgd-renyi is at most dp-sgd-moments",
                  low(row["dp-sgd-renyi"], name) <= high(row["dp-sgd-moments"], name), row)


def generalization():
    base = {"command": "generalization", "epsilon": "0.1", "delta": "1e-6", "samples": 60000}
    first = ask([base | {"failure": "0.01", "digits": 20}])[0]["guarantee"]
    gap = {k: first[k] for k in ("sets", "selection")}
    back = ask([base | gap | {"gap": first["bound_enclosure"][1], "digits": 15}])[0]["guarantee"]
    check("generalization-certified-failure inverts generalization-certified",
          back["theorem"] == "generalization-certified-failure"
          and abs(low(back, "failure_probability") - Decimal("0.01")) < Decimal("1e-14"), back)
    question = {k: v for k, v in base.items() if k != "samples"}
    solved = ask([question | {"failure": "0.01", "gap": "0.2", "solve": "samples"}])[0]["guarantee"]
    fixed = {k: solved[k] for k in ("sets", "selection")} | {"failure": "0.01", "digits": 20}
    enough, one_less = ask([question | fixed | {"samples": int(solved["samples"]) - d}
                            for d in (0, 1)])
    check("the least number of samples serves, and one less does not",
          high(enough["guarantee"], "bound") <= Decimal("0.2") < low(one_less["guarantee"], "bound"))
    mean = rows(ask([{"command": "generalization", "epsilon": "0.3", "delta": "1e-4",
                      "sets": 20, "all": True, "digits": 20}])[0])
    check("generalization-mean <= theorem-2 <= theorem-3",
          low(mean["generalization-mean"], "bound") <= high(mean["generalization-theorem-2"], "bound")
          <= high(mean["generalization-theorem-3"], "bound"), mean)


def majority():
    base = {"command": "majority", "mechanisms": 11, "epsilon": "0.1", "delta": "1e-5",
            "allowance": 3, "target_delta": "3e-5"}
    row = rows(ask([base])[0])
    best = row["majority-optimal"]
    for theorem in ("majority-constant", "majority-constant-composed", "majority-double-subsample",
                    "majority-subsample"):
        check(f"the error of majority-optimal is at most that of {theorem}",
              low(best, "error") <= high(row[theorem], "error"), row[theorem])
        check(f"{theorem} is within the target", high(row[theorem], "delta") <= Decimal("3e-5"))
    check("majority-constant-composed is at most majority-constant",
          low(row["majority-constant-composed"], "probability")
          <= high(row["majority-constant"], "probability"))
    # Lemma 3.2: as printed it is refuted by the constant, corrected it is not
    q = {"command": "majority", "mechanisms": 3, "epsilon": 1, "allowance": 1, "all": True,
         "design": "constant"}
    row = rows(ask([q | {"vote_mean": ["0.6"]}])[0])
    check("majority-lemma-3-2 is refuted",
          high(row["majority-constant"], "total_variation")
          < low(row["majority-lemma-3-2"], "total_variation"), row)
    for j in range(1, 4):  # c_1 = e^-1/2 rounded up, and so on: the bound is reached by no design
        mean = Fraction(math.ceil(math.exp(-j) / 2 * 10**9), 10**9)
        answers = rows(ask([q | {"vote_mean": [str(mean)], "design": "all"}])[0])
        bound = answers["majority-lower-bound"]
        check("majority-lower-bound is below the error of every design",
              all(low(bound, "total_variation") <= high(answers[t], "total_variation")
                  for t in answers if t.startswith("majority-") and "error" in answers[t]), answers)
    printed = rows(ask([{"command": "rr-prob", "mechanisms": 4 - 1, "epsilon": "0.1",
                         "delta": "0.01", "target_epsilon": "0.5", "target_delta": "1e-4",
                         "all": True}])[0])
    check("rr-prob-printed is above rr-prob-simple where tau is below the target",
          low(printed["rr-prob-printed"], "probability")
          > high(printed["rr-prob-simple"], "probability"), printed)


def permutations():
    rng = random.Random(11)
    for items in lists(rng, 8):
        shuffled = items[:]
        rng.shuffle(shuffled)
        split = [dict(m, times=str(part)) for m in items
                 for part in ([int(m["times"]) // 2, int(m["times"]) - int(m["times"]) // 2]) if part]
        more = items + [{"epsilon": "0.05", "delta": "0", "times": "1"}]
        a, b, c, d = [x["guarantee"] for x in ask(
            [{"command": "compose", "mechanisms": m, "target_delta": "1e-4"}
             for m in (items, shuffled, split, more)])]
        check("a permutation of the list changes nothing",
              a["epsilon_enclosure"] == b["epsilon_enclosure"], (items, a, b))
        check("splitting repeats changes nothing",
              a["epsilon_enclosure"] == c["epsilon_enclosure"], (items, a, c))
        check("one more mechanism never lowers epsilon", low(a, "epsilon") <= high(d, "epsilon"))
        if 0 < high(a, "epsilon") < 50:
            back = ask([{"command": "compose", "mechanisms": items, "digits": 12,
                         "target_epsilon": a["epsilon_enclosure"][1]}])[0]["guarantee"]
            check("delta at the epsilon of a delta is that delta",
                  low(back, "delta") <= Decimal("1e-4") * (1 + Decimal("1e-8")), (items, back))


def main():
    for part in (counterexamples, theorem_6_counterexample, optimum_is_least, renyi, orders,
                 dp_sgd, generalization, majority, permutations):
        part()
    print(f"1..{len(results)}")
    for i, (holds, name, detail) in enumerate(results, 1):
        print(f"{'' if holds else 'not '}ok {i} - {name}")
        if not holds:
            print(f"# {detail[:600]}")
    sys.exit(0 if all(r[0] for r in results) else 1)


if __name__ == "__main__":
    main()
