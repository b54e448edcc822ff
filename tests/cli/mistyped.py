#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two hundred mistyped commands, made from valid ones: letters swapped, lost, doubled or struck wrong
in names, numbers as they are written elsewhere, arguments swapped or out of place. Each must give
exit 2, one line on standard error and nothing on standard output; most must be answered with what
was meant. Prints those that do not; what must be said is known from how the mistake was made."""
import itertools
import os
import random
import subprocess
import sys

WANTED, RIGHT = 200, 150

VALID = [
    "bagging-with -n 60000 -k 300 -N 10 --max-delta 0.05",
    "bagging-with --dataset-size 60000 --subsample-size 300 --models 1",
    "bagging-with -n 60000 --solve k --max-delta 0.01",
    "bagging-without -n 60000 -k 300 --base-epsilon 0.5 --target-delta 1e-6",
    "bagging-poisson --sampling-rate 0.01 --models 5 --max-delta 0.1",
    "compose -m 0.1,1e-6x35 --target-delta 1e-5",
    "compose -m 0.1x20 --max-epsilon 2 --max-delta 1e-6",
    "compose --epsilon 0.1 --times 35 --target-epsilon 1",
    "compose -m 0.5x10 --method kov --target-delta 1e-6",
    "compose -m gaussian:sigma=4x10 --target-delta 1e-6",
    "compose -m 0.1x20 --adjacency replace-one --target-delta 1e-6",
    "curve -m 0.1x35 --epsilon-range 0:3:5",
    "convert --zcdp 0.1 --target-delta 1e-6",
    "divergence --epsilon 0.5 --times 3 --order 2",
    "dp-sgd --noise-multiplier 1 --sampling-rate 0.01 --steps 100 --target-delta 1e-5",
    "gaussian --sigma 4 --times 10 --target-delta 1e-6",
    "laplace --scale 10 --times 3 --target-epsilon 0.2",
    "generalization --epsilon 0.1 --delta 1e-6 --samples 60000",
    "kl-bound --epsilon 0.1 --times 100",
    "majority --mechanisms 11 --epsilon 0.1 --allowance 3 --target-delta 1e-5",
    "rr-prob --mechanisms 11 --epsilon 0.1 --allowance 3",
    "pate --aggregator gnmax --sigma 40 --queries 100 --target-delta 1e-6",
]
KEYS = "qwertyuiop asdfghjkl zxcvbnm"
BARE = {"--json", "--all", "--quiet"}


def strike(word, rng):
    """A word with one slip of the fingers that keeps its first letter, never itself."""
    while True:
        i = rng.randrange(1, len(word))
        kind = rng.randrange(4)
        if kind == 0 and i + 1 < len(word):
            made = word[:i] + word[i + 1] + word[i] + word[i + 2:]
        elif kind == 1:
            made = word[:i] + word[i + 1:]
        elif kind == 2:
            made = word[:i] + word[i] + word[i:]
        else:
            place = KEYS.find(word[i])
            made = word[:i] + KEYS[place - 1 if place > 0 else 1] + word[i + 1:]
        if made != word and " " not in made and not made.endswith("-"):
            return made


def plain(number):
    return number.replace(".", "").isdigit()


def otherwise(number):
    """The number as it is written elsewhere, and what must be said."""
    if number.startswith("0.") and plain(number):
        share = number[2:].ljust(2, "0")
        percent = (share[:2].lstrip("0") or "0") + ("." + share[2:] if share[2:] else "")
        yield percent + "%", number
        yield number.replace(".", ","), number
        yield number + ".", number
        yield number.replace("0.", "O."), number
    if "e-" in number:
        yield number.replace("-", "\u2212"), number
        yield number.replace("e-", "e--"), number
        yield number.replace("e-", "d-"), number
        yield number.replace("1e-", "10^\u2212"), "10^-" + number.split("-")[1]
    if number.isdigit() and len(number) > 4:
        yield number[:-3] + "," + number[-3:], number
        yield number[:-3] + "_" + number[-3:], number
        yield number[:-3] + "k", number
        yield number[:-3] + " " + number[-3:], number
    if number.isdigit() and "0" in number:
        yield number.replace("0", "O", 1), number
    yield number + " ", number


def numbers_of(words):
    for i in range(2, len(words)):
        if words[i][0].isdigit() and ":" not in words[i] and "x" not in words[i]:
            yield i


def items_of(words):
    return [i + 1 for i, w in enumerate(words) if w == "-m" and words[i + 1][0].isdigit()]


def mistakes(words, rng):
    """Pairs of a wrong command and the text that its message must hold."""
    yield [strike(words[0], rng)] + words[1:], "'" + words[0] + "'"
    yield [words[0].upper()] + words[1:], "'" + words[0] + "'"
    for i, word in enumerate(words):
        if word.startswith("--") and len(word) > 5:
            yield words[:i] + ["--" + strike(word[2:], rng)] + words[i + 1:], word
            yield words[:i] + [word[1:]] + words[i + 1:], word
            yield words[:i] + [word.replace("-", "_").replace("__", "--")] + words[i + 1:], word
            yield words[:i] + [word[2:] + "=" + words[i + 1]] + words[i + 2:], word + "=" + words[i + 1]
    for i in numbers_of(words):
        for wrong, right in otherwise(words[i]):
            yield words[:i] + [wrong] + words[i + 1:], "write " + right
    for i in items_of(words):
        loss, times = words[i].split("x")
        for wrong in (times + "x" + loss, loss + "X" + times, loss + "*" + times, loss + "\u00d7" + times,
                      "(" + loss + ")x" + times, loss + " x " + times):
            yield words[:i] + [wrong] + words[i + 1:], "write " + words[i]
        yield words[:i - 1] + words[i:], "-m " + words[i]
    for i, word in enumerate(words):
        if word in ("kov", "replace-one", "gnmax"):
            yield words[:i] + [strike(word, rng)] + words[i + 1:], "mean " + word
        if word.startswith("gaussian:"):
            yield words[:i] + [word.replace("gaussian", "gausian")] + words[i + 1:], "'gaussian'"
            yield words[:i] + [word.replace("sigma", "sgima")] + words[i + 1:], '"sigma"'
            yield words[:i] + [word.replace("sigma=", "")] + words[i + 1:], "gaussian:sigma=4"
    yield words[1:3] + words[:1] + words[3:], "dpacct " + words[0]
    yield words[:-1], "needs a value: " + words[-2]


def main():
    rng = random.Random(13)
    made = [list(mistakes(words.split(), rng)) for words in VALID]
    # of each command one after another, so that no kind and no command fills them
    for one in made:
        rng.shuffle(one)
    tried, seen = [], set()
    for pair in itertools.chain.from_iterable(itertools.zip_longest(*made)):
        if pair is None or tuple(pair[0]) in seen or pair[0] == []:
            continue
        if " ".join(pair[0]) in VALID or pair[0][0].startswith("--") and pair[0][0][2:] == "":
            continue
        seen.add(tuple(pair[0]))
        tried.append(pair)
    tried = tried[:WANTED]
    wrong, right = 0, 0
    for words, meant in tried:
        done = subprocess.run([os.environ["DPACCT"], *words], capture_output=True, text=True, check=False)
        good = done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
        wrong += not good
        said = done.stderr.partition("; ")[2] or done.stderr.partition("needs a value: ")[1:][-1]
        helped = meant.removeprefix("needs a value: ") in said
        right += helped
        if not good or not helped:
            print("UNHELPED" if good else "WRONG", done.returncode, " ".join(words), "|", meant, "|",
                  (done.stderr or done.stdout).strip()[:300])
    print(f"{len(tried)} commands, {wrong} not refused in one line, {right} answered with what was meant")
    sys.exit(len(tried) < WANTED or wrong > 0 or right < RIGHT)


main()
