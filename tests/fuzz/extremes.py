#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every command with its options at the ends of their ranges.

    extremes.py             a fixed sample, short limits; prints TAP
    extremes.py --full [COMMAND...]   each option at each value, and pairs, with the program's own limits

Each run must end in time and within the memory limit, with a status from 0 to 3, and print what
the interface promises: nothing on standard output with status 2; ordered ends, no nan, no 0 for a
positive figure. The commands and options come from the program's help.
"""
import decimal
import itertools
import json
import os
import random
import re
import resource
import shlex
import subprocess
import sys
import time

PROGRAM = os.environ.get("DPACCT", "dpacct")
D = decimal.Decimal
COUNTS = ["1", "2", "17", "1e9", "10^18", "1e1000", "1e1000000", "2^100000"]
PROBABILITIES = ["0", "1e-1000000", "2^-100000", "1e-300", "1e-18", "1e-5", "1/3", "0.5",
                 "0.99999999999999999999", "1"]
LOSSES = ["0", "1e-1000000", "2^-100000", "1e-300", "1e-18", "1/3", "1", "ln(1)", "ln(2)", "17",
          "ln(1e1000000)", "1e9", "10^18", "1e1000", "2^100000", "1e1000000"]
WRONG = ["-1", "ln(1e-300)", "ln(1+1)", "2^3500000", "1e1000001", "", "nan", "0x10", "1,1", "0:1"]
VALUES = {"must be a positive integer": COUNTS, "from 0 to 1": PROBABILITIES,
          "above 0 and below 1": PROBABILITIES, "must not be negative": LOSSES,
          "from 1/2 to 1": PROBABILITIES, "above 0": LOSSES}
COMPOUND = { # L, P, C: a loss, a probability, a count
    "EPS[,DELTA][xTIMES]": ["L", "L,P", "LxC", "L,PxC", "L,1e-9xC"],
    "EPS[xTIMES]": ["L", "LxC"],
    "EPS[,DELTA]": ["L", "L,P"],
    "EPS,DELTA": ["L,P"],
    "A:B:N": ["0:R:3", "R:1:2", "0:1:C", "R:R:3", "P:P:2"],
}
PARTS = {"L": LOSSES, "P": PROBABILITIES, "C": COUNTS,
         "R": [v for v in LOSSES if not v.startswith("ln")]}
LIMITED = {"max-time": "0.2", "max-memory": "1e8"}
MEMORY = 1_200_000_000 # address space: --max-memory's default and 200 MB
MEMORY_SHORT = 400_000_000


class Command:
    def __init__(self, name):
        self.name = name
        short = re.sub(r"\n {7,}(?!--)", " ", run([name, "-h"]).stdout)  # a line for each option
        short = re.sub(r"\| (?=\w)", "|", short)
        self.options = {}
        body = short.split("\noptions:\n")[1]
        for long, metavar, choices in re.findall(
                r"^  (?:-\w,|   ) --([a-z-]+)(?: (\S+))? +.*?(?:: (\S+\|\S+?))?(?: \[\S+\])?$",
                body, re.M):
            self.options[long] = (metavar, choices.split("|") if choices else None)
        self.bases = [shlex.split(line) for line in
                      re.findall(rf"^  dpacct ({name} .*)$", run([name, "--help"]).stdout, re.M)
                      if "<" not in line and "|" not in line]
        self.bases = [b for b in self.bases if not any(w.endswith(".json") for w in b)]

        self.alternatives = [re.findall(r"--([a-z-]+)", names) for names in
                             re.findall(r"^(?:at most|exactly) one of (.+)$", short, re.M)]
        self.values = {o: self.values_of(o) for o in self.tuned()}

    def values_of(self, option):
        """What the option takes; the message about a negative number tells which kind it is of."""
        metavar, choices = self.options[option]
        if choices:
            return choices
        if metavar in COMPOUND:
            return [text for form in COMPOUND[metavar] for text in fill(form)]
        message = run([self.name, f"--{option}=-1"]).stderr
        return next((v for kind, v in VALUES.items() if kind in message), LOSSES)

    def tuned(self):
        """Options worth extremes: those that take a value and are not about the output."""
        return [o for o, (metavar, _) in self.options.items()
                if metavar and o not in ("format", "plot", "max-time", "max-memory", "digits")]


class Run:
    def __init__(self, words, limits, memory, patience):
        self.words = words + limits
        start = time.monotonic()
        try:
            done = run(self.words, memory, patience)
            self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            self.status, self.out, self.err = "timeout", "", ""
        self.seconds = time.monotonic() - start


def run(words, memory=None, patience=60):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return subprocess.run([PROGRAM] + words, capture_output=True, text=True, timeout=patience,
                          stdin=subprocess.DEVNULL, preexec_fn=limit if memory else None,
                          check=False)


def commands():
    body = run(["--help"]).stdout.split("\ncommands:\n")[1].split("\n\n")[0]
    names = re.findall(r"^  (\S+)", body, re.M)
    return [Command(n) for n in names if n not in ("batch", "theorems", "completion")]


# ---- what an answer must be -------------------------------------------------------------------
def end(text):
    return D(text)


def row_faults(row):
    sound = row["verdict"] != "unsound"
    for key in [k for k in row if k.endswith("_enclosure")]:
        name = key[:-len("_enclosure")]
        low, high = end(row[key][0]), end(row[key][1])
        bare = row[name] if row[name] != "Infinity" else D("Infinity")
        safe_low = name in ("probability", "objective", "budget", "fpr_plus_fnr", "fpr",
                            "posterior_min", "epsilon_lower", "mu_lower", "delta_lower",
                            "tpr_lower", "accuracy_lower", "confidence") or \
            row["theorem"] in ("majority-lower-bound", "majority-lemma-3-2", "adv-inverse")
        if low.is_nan() or high.is_nan() or low > high:
            yield f"{name}: ends {row[key]} are not ordered"
        elif low < 0:
            yield f"{name}: negative end {row[key]}"
        elif bare == D("Infinity") and high <= D(1.7976931348623157e308):
            yield f"{name}: infinite, but the upper end is {high:.20}"
        elif safe_low and bare > low:
            yield f"{name}: {bare} is above the lower end {low:.20}"
        elif not safe_low and bare < high:
            yield f"{name}: {bare} is below the upper end {high:.20}"
        if name in ("delta", "probability", "total_variation") and sound and high > 1:
            yield f"{name}: above 1: {row[key]}"


def answer_faults(text):
    document = json.loads(text, parse_float=D, parse_int=D, parse_constant=lambda c: D("NaN"))
    rows = document["results"]
    for row in rows:
        for fault in row_faults(row):
            yield row["theorem"] + ": " + fault
    guarantee = document.get("guarantee")
    if guarantee is not None and guarantee["verdict"] == "unsound":
        yield "an unsound row decides"


def faults(r, patience):
    if r.status == "timeout":
        yield f"did not end within {patience} s"
        return
    if r.status not in (0, 1, 2, 3):
        yield f"ended with status {r.status}: {r.err[-200:]}"
    if r.status == 2 and r.out:
        yield f"status 2, and standard output has {r.out[:100]!r}"
    begins = '{"schema":"dpacct/1","error":' if "--json" in r.words else "dpacct: "
    if r.status == 2 and (not r.err.startswith(begins) or r.err.count("\n") != 1):
        yield f"status 2, and standard error is {r.err[:200]!r}"
    if r.status == 3 and not r.err and not r.out:
        yield "status 3 without a word"
    if "--json" in r.words and r.out:
        yield from answer_faults(r.out)
    if "nan" in r.out:
        yield "nan in the output"


# ---- combinations -----------------------------------------------------------------------------
def fill(form):
    """Every text of the form, each letter being one of its values."""
    parts = [PARTS.get(c, [c]) for c in form]
    return ["".join(t) for t in itertools.product(*parts)]


LETTERS = {"mechanism": "-m", "dataset-size": "-n", "subsample-size": "-k", "models": "-N",
           "mechanisms": "-K", "times": "-T", "samples": "-N"}


def without(command, base, option):
    """The base without the option; its flags stay."""
    words, i = [base[0]], 1
    while i < len(base):
        word, _, attached = base[i].partition("=")
        takes = not attached and command.options.get(word[2:], ("value",))[0] and i + 1 < len(base)
        step = 2 if takes else 1
        if word not in ("--" + option, LETTERS.get(option)):
            words += base[i:i + step]
        i += step
    return words


def with_option(command, base, option, setting):
    """The base with the option in place of its own and of those that exclude it."""
    words = without(command, base, option)
    for names in command.alternatives:
        for other in names if option in names else []:
            words = without(command, words, other)
    return words + [f"--{option}={setting}"]


def singles(command):
    for base in command.bases:
        for option in command.tuned():
            for setting in command.values[option] + WRONG:
                yield with_option(command, base, option, setting)


def pairs(command, rng):
    while True:
        base = rng.choice(command.bases)
        for _ in range(rng.choice((2, 2, 3, 4))):
            option = rng.choice(command.tuned())
            base = with_option(command, base, option, rng.choice(command.values[option]))
        yield base


def outputs(command, words, rng):
    extra = ["--json"] if rng.random() < 0.85 else ["--format=" + rng.choice(("text", "csv"))]
    if "all" in command.options and rng.random() < 0.5:
        extra.append("--all")
    if rng.random() < 0.2:
        extra.append("--digits=" + rng.choice(("1", "2", "50", "400")))
    return words + extra


def limited(command):
    return [f"--{k}={v}" for k, v in LIMITED.items() if k in command.options]


# ---- lists of several types --------------------------------------------------------------------
NOISE = ["0.01", "1/3", "1", "17", "1e5", "1e100", "1e1000000"]
MOVED = ["1", "2", "3"]
TYPES = { # N, L, P, C, M: noise, a loss, a probability, a count, a distance
    "": ["L", "L,P"], "gaussian:": ["sigma=N"], "laplace:": ["scale=N"], "zcdp:": ["rho=N"],
    "dp-sgd:": ["noise_multiplier=N,sampling_rate=P,steps=C"],
    "discrete-gaussian:": ["sigma2=N,sensitivity=M"],
    "discrete-laplace:": ["scale=N,sensitivity=M"], "bounded-range:": ["eta=L"],
    "sampled-laplace:": ["scale=N,sampling_rate=P"],
    "randomized-response:": ["epsilon=L,categories=M"],
}
IN_LISTS = PARTS | {"N": NOISE, "M": MOVED, "P": PROBABILITIES[:-1]}


def lists(rng):
    def fill_in(form):
        return "".join(rng.choice(IN_LISTS[c]) if c in IN_LISTS else c for c in form)

    questions = ["--target-delta P", "--target-epsilon L", "--max-epsilon L --max-delta P"]
    while True:
        words = ["compose"]
        for _ in range(rng.choice((1, 1, 2, 3, 5))):
            name = rng.choice(list(TYPES))
            times = "x" + rng.choice(COUNTS) if rng.random() < 0.7 else ""
            words += ["-m", name + fill_in(rng.choice(TYPES[name])) + times]
        yield words + fill_in(rng.choice(questions)).split()


# ---- order: a longer list, a larger loss, a smaller target never spend less -------------------
GROWING = [
    # figure, command line with {}, values in the order in which the figure must not fall
    ("delta", "bagging-with -n 10^18 -k {}", ["1", "2", "10^9", "10^18", "10^30", "1e1000"]),
    ("delta", "bagging-with -n 60000 -k 300 -N {}", ["1", "2", "10", "10^6", "10^18", "1e1000"]),
    ("delta", "bagging-with -k 300 -n {}", ["1e1000", "10^18", "60000", "301", "2", "1"]),
    ("delta", "bagging-without -n 1e1000 -k {}", ["1", "2", "10^18", "1e999", "1e1000"]),
    ("delta", "bagging-poisson -N 3 --sampling-rate {}",
     ["0", "1e-1000000", "2^-100000", "1e-300", "1/3", "0.99999999999999999999", "1"]),
    ("delta", "compose -m {} --target-epsilon 1",
     ["1e-1000", "1e-18", "0.1", "1", "1x2", "1x10", "2x10", "2,1e-300x10", "2,1/3x10"]),
    ("epsilon", "compose -m 0.1,1e-9x{} --target-delta 1e-5", ["1", "2", "3", "10", "100", "1000"]),
    ("epsilon", "compose -m 0.1,1e-9x50 --target-delta {}",
     ["0.9", "1/3", "0.01", "1e-6", "6e-8", "5.1e-8"]),
    ("delta", "compose -m 0.1,1e-9x50 --target-epsilon {}",
     ["6", "5", "4.9", "1", "1/3", "1e-18", "1e-1000", "0"]),
    ("epsilon", "compose -m 1,1e-99x{} --target-delta 1e-5 --all",
     ["1", "1e7", "1e20", "1e30", "1e40", "1010^18"]),
    ("epsilon", "compose -m 1,1e-99x{} --target-delta 1e-5 --method he2021",
     ["1", "1e7", "1e20", "1e30", "1e40", "1010^18"]),
    ("kl", "kl-bound --epsilon {}",
     ["0", "1e-1000000", "2^-100000", "1e-300", "ln(2)", "1", "17", "1e9", "1e1000"]),
    ("kl", "kl-bound --epsilon 0.1 --times {}", ["1", "2", "10^18", "1e1000"]),
]


def ends_of(figure, words):
    r = Run(words + ["--json"], [], MEMORY, 30)
    if r.status != 0:
        return None, r
    g = json.loads(r.out)["guarantee"]
    return [end(t) for t in g[figure + "_enclosure"]], r


def order_faults(figure, line, values):
    last, before = None, None
    for value in values:
        words = line.format(value).split()
        ends, r = ends_of(figure, words)
        if ends is None:
            yield f"{shlex.join(words)}: status {r.status}: {r.err.strip()}"
            return
        if last is not None and ends[1] < last[0]:
            yield f"{figure} falls from {last[0]:.12} ({before}) to {ends[1]:.12} ({value})"
        last, before = ends, value


# ---- the two ways to run ----------------------------------------------------------------------
LISTS = 60
LEAST, MOST = 28, 600 # lines of a command


def sample():
    found = commands()
    print(f"1..{len(found) + 1 + len(GROWING)}")
    number = 0

    def result(name, problems):
        nonlocal number
        number += 1
        print(("not ok" if problems else "ok"), number, "-", name)
        for problem in problems[:10]:
            print("#", problem)
        return bool(problems)

    bad = 0
    for command in found:
        rng = random.Random("20240613 " + command.name) # the same lines whatever others take
        every = list(singles(command))
        picks = rng.sample(every, min(14, len(every)))
        picks = itertools.chain(picks, itertools.islice(pairs(command, rng), MOST))
        problems, answered, seen = [], 0, 0
        for words in picks: # where most are refused, more of them
            if seen >= LEAST and 4 * answered >= LEAST:
                break
            seen += 1
            words = outputs(command, words, rng)
            r = Run(words, limited(command), MEMORY_SHORT, 10)
            problems += [f"{shlex.join(r.words)}: {f}" for f in faults(r, 10)]
            answered += r.status != 2
        if 4 * answered < LEAST:
            problems.append(f"only {answered} of {seen} lines were answered")
        bad += result(f"{command.name}, {seen} lines", problems)
    compose, rng = next(c for c in found if c.name == "compose"), random.Random(1)
    problems, answered = [], 0
    for words in itertools.islice(lists(rng), LISTS):
        r = Run(outputs(compose, words, rng), limited(compose), MEMORY_SHORT, 10)
        problems += [f"{shlex.join(r.words)}: {f}" for f in faults(r, 10)]
        answered += r.status != 2
    if 2 * answered < LISTS:
        problems.append(f"only {answered} of {LISTS} lists were answered")
    bad += result(f"{LISTS} lists of several types", problems)
    for figure, line, values in GROWING:
        bad += result("order: " + line, list(order_faults(figure, line, values)))
    return 1 if bad else 0


def full(names):
    rng = random.Random(int(os.environ.get("SEED", "7")))
    seen, answered, bad, slowest = 0, 0, 0, []
    for command in commands():
        if names and command.name not in names:
            continue
        lines = list(singles(command))
        rng.shuffle(lines)
        for words in lines[:FULL] + list(itertools.islice(pairs(command, rng), FULL)):
            words = outputs(command, words, rng)
            r = Run(words, [], MEMORY, 40)
            found = list(faults(r, 40))
            if r.seconds > 25 and r.status != "timeout":
                found.append(f"took {r.seconds:.1f} s")
            seen += 1
            answered += r.status != 2
            bad += bool(found)
            slowest.append((r.seconds, shlex.join(r.words), r.status))
            for fault in found:
                print(f"{shlex.join(r.words)[:400]}: {fault}", flush=True)
    slowest.sort(reverse=True)
    for seconds, line, status in slowest[:15]:
        print(f"{seconds:6.1f} s  status {status}  {line[:200]}")
    print(f"{seen} lines, {answered} answered, {bad} with faults")
    return 1 if bad else 0


FULL = int(os.environ.get("LINES", "400")) # of each kind and command, with --full
sys.exit(full(sys.argv[2:]) if sys.argv[1:2] == ["--full"] else sample())
