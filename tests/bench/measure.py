# SPDX-License-Identifier: MIT
"""Prints the measurements; see run.sh."""
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DPACCT = os.environ["DPACCT"]
FORMULAS = str(Path(__file__).resolve().parent / "formulas.py")
ARITHMETICS = ("floats", "mpmath")
RUNS = {"dpacct": 300, "floats": 15, "mpmath": 15}
LINES = 20000
MPMATH_LINES = 5000

QUESTIONS = {
    "bagging-with": (["-n", "60000", "-k", "300"], {"n": "60000", "k": "300"}),
    "bagging-without": (["-n", "60000", "-k", "300"], {"n": "60000", "k": "300"}),
    "compose": (["-m", "0.1,1e-6x35", "--method", "basic"],
                {"mechanisms": [{"epsilon": "0.1", "delta": "1e-6", "times": 35}],
                 "method": "basic"}),
    "kl-bound": (["--epsilon", "0.1", "--times", "100"], {"epsilon": "0.1", "times": 100}),
    "rr-prob": (["-K", "11", "--epsilon", "0.1", "--allowance", "3"],
                {"mechanisms": 11, "epsilon": "0.1", "allowance": "3"}),
}
COMPOSITIONS = [(epsilon, times, delta)
                for epsilon, times in (("0.01", 10**3), ("0.001", 10**6), ("0.0001", 10**9))
                for delta in ("1e-5", "1e-50")]


def python(*words):
    return [sys.executable, FORMULAS, *words]


def loop(command, runs):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def hyperfine(command, runs):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run(["hyperfine", "--shell=none", "--warmup", "3", "--runs", str(runs), "--style",
                        "none", "--ignore-failure", "--export-json", out.name,
                        subprocess.list2cmdline(command)],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return json.load(open(out.name, encoding="utf-8"))["results"][0]["median"]


def whole_process(command, runs):
    if shutil.which("hyperfine") and "{" not in " ".join(command):
        return hyperfine(command, runs)
    return loop(command, runs)


def output(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def span(seconds):
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def table(title, head, rows):
    print(f"\n{title}")
    rows = [head] + rows
    widths = [max(len(r[i]) for r in rows) for i in range(len(head))]
    for r in rows:
        print("  " + "  ".join([r[0].ljust(widths[0])] +
                               [c.rjust(w) for c, w in zip(r[1:], widths[1:])]))
    sys.stdout.flush()


def one_question():
    rows = []
    for command, (words, question) in QUESTIONS.items():
        mine = whole_process([DPACCT, command, *words], RUNS["dpacct"])
        row = [command, span(mine)]
        for name in ARITHMETICS:
            theirs = loop(python(command, name, json.dumps(question)), RUNS[name])
            row += [span(theirs), f"{theirs / mine:.0f}x"]
        rows.append(row)
    table("One question, whole process, median (dpacct: %d runs, Python: %d); ratio: Python / dpacct" %
          (RUNS["dpacct"], RUNS["floats"]),
          ["command", "dpacct", "Python floats", "ratio", "Python mpmath", "ratio"], rows)


def lines_per_second(command, text, count):
    best = None
    for _ in range(3):
        start = time.perf_counter()
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        spent = time.perf_counter() - start
        if done.stdout.count("\n") != count:
            sys.exit("bench: an answer is missing")
        best = spent if best is None else min(best, spent)
    return count / best


def vary(question, i):
    """The i-th question: none is like another."""
    q = json.loads(json.dumps(question))
    if "n" in q:
        q["n"] = str(60000 + i)
    elif "times" in q:
        q["times"] += i
    elif "allowance" in q:
        q["epsilon"] = f"0.1{i:06d}"
    else:
        q["mechanisms"][0]["times"] += i
    return q


def throughput():
    rows = []
    for command, (_, question) in QUESTIONS.items():
        lines = [json.dumps({"command": command, **vary(question, i)}) + "\n"
                 for i in range(LINES)]
        mine = lines_per_second([DPACCT, "batch"], "".join(lines), LINES)
        row = [command, f"{mine:,.0f}"]
        for name, count in zip(ARITHMETICS, (LINES, MPMATH_LINES)):
            theirs = lines_per_second(python("batch", name), "".join(lines[:count]), count)
            row += [f"{theirs:,.0f}", f"{mine / theirs:.2f}x"]
        rows.append(row)
    table("Batch: JSON Lines a second on one core, best of 3; dpacct proves 10 digits of every "
          "row and prints both ends; ratio: dpacct / Python",
          ["command", "dpacct", "Python floats", "ratio", "Python mpmath", "ratio"], rows)


def composition():
    rows = []
    for epsilon, times, delta in COMPOSITIONS:
        words = [DPACCT, "compose", "-m", f"{epsilon}x{times}", "--target-delta", delta]
        mine = whole_process(words, 30)
        best = json.loads(output(words + ["--digits", "17", "--json"]))["guarantee"]
        row = [f"{epsilon} x {times:.0e}, delta {delta}".replace("e+0", "e"), span(mine)]
        found = []
        for name in ARITHMETICS:
            if times > 10**6:
                row += ["not feasible", "-"]
                found.append("-")
                continue
            start = time.perf_counter()
            found.append(output(python("optimal", name, epsilon, str(times), delta)))
            theirs = time.perf_counter() - start
            row += [span(theirs), f"{theirs / mine:.0f}x"]
        rows.append(row + [best["epsilon_enclosure"][1], *found])
    table("Optimal composition of k uses of a pure epsilon-DP mechanism, whole process "
          "(dpacct: median of 30; Python: one run, a sum over k terms); ratio: Python / dpacct",
          ["epsilon x k", "dpacct", "Python floats", "ratio", "Python mpmath", "ratio",
           "epsilon (dpacct, 17 digits)", "floats", "mpmath"], rows)


def main():
    print(output([DPACCT, "--version"]).splitlines()[0])
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}, "
          + ("hyperfine" if shutil.which("hyperfine") else "timed by a loop"))
    one_question()
    throughput()
    composition()


if __name__ == "__main__":
    main()
