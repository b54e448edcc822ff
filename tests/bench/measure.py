# SPDX-License-Identifier: MIT
"""Prints the measurements; see run.sh. With --once nothing is measured: every question is asked once,
of dpacct alone, and each table that can be made of the answers is a test that passes (TAP)."""
import contextlib
import io
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

import asked
import peers
import steps

DPACCT = os.environ["DPACCT"]
FORMULAS = str(Path(__file__).resolve().parent / "formulas.py")
PROFILE = str(Path(__file__).resolve().parent / "profile.py")
ONCE = sys.argv[1:] == ["--once"]
ARITHMETICS = () if ONCE else ("floats", "mpmath")
RUNS = {"dpacct": 300, "floats": 15, "mpmath": 15}
LINES = {"dpacct": 300 if ONCE else 100000, "floats": 20000, "mpmath": 5000}
TRIES = 1 if ONCE else 3

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


HUGE_LIST = 10**5  # from here on mpmath is not run
STEPS = ["--samples", "60000", "--batch-size", "100", "--times", "6000", "--diameter", "2",
         "--sigma", "0.18", "--target-delta", "1e-6"]


def distinct(count, delta):
    """A ledger of mechanisms of which no two are alike, and the question for Python."""
    items = [[f"{(0.001 + 0.009 * i / count) * (1000 / count) ** 0.5:.9f}", f"{1e-9 * i / count:.3e}"]
             for i in range(1, count + 1)]
    return ({"mechanisms": [{"epsilon": e, "delta": d} for e, d in items], "target_delta": delta},
            {"items": [[e, d, 1] for e, d in items], "delta": delta})


def irregular(count):
    """Epsilons of 17 digits in (0.1, 1), by a fixed generator: no step is common to them."""
    state, found = 14, []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        found.append(f"0.{10**16 + state % (9 * 10**16):017d}")
    return {"mechanisms": [{"epsilon": e} for e in found], "target_delta": "1e-5"}


def on_step(count):
    """The same, cut to 6 digits."""
    found = [{"epsilon": item["epsilon"][:8]} for item in irregular(count)["mechanisms"]]
    return {"mechanisms": found, "target_delta": "1e-5"}


def longer_questions(folder):
    """NAME, arguments of dpacct, the figure that is compared, KIND and question of profile.py."""
    yield ("bagging-with 1e6 of 1e8, private learner",
           ["bagging-with", "-n", "1e8", "-k", "1e6", "--base-epsilon", "1", "--base-delta", "1e-9"],
           "epsilon", "bagging", {"n": 10**8, "k": 10**6, "epsilon": "1", "delta": "1e-9"})
    yield ("the same, at target delta 1e-5",
           ["bagging-with", "-n", "1e8", "-k", "1e6", "--base-epsilon", "1", "--base-delta", "1e-9",
            "--target-delta", "1e-5"], "epsilon", None, None)
    yield ("generalization",
           ["generalization", "--epsilon", "0.5", "--delta", "1e-6", "-N", "95727"], "bound",
           "generalization", {"epsilon": "0.5", "delta": "1e-6", "samples": 95727, "sets": None,
                              "selection": None, "failure": "0.05"})
    yield ("iterative-gaussian, 6000 steps", ["iterative-gaussian", *STEPS], "epsilon", "iterative",
           {"samples": 60000, "batch_size": 100, "times": 6000, "diameter": "2", "sigma": "0.18",
            "target_delta": "1e-6", "epsilon_one": None})
    yield ("dp-sgd, 1000 steps",
           ["dp-sgd", "--noise-multiplier", "1", "--sampling-rate", "0.01", "--steps", "1000",
            "--target-delta", "1e-5"], "epsilon", None, None)
    yield ("divergence of 1000 uses", ["divergence", "-m", "0.1x1000"], "value",  # total variation
           "divergence", {"epsilon": "0.1", "times": 1000})
    deltas = [f"{10 ** (-12 + 9 * j / 99):.6e}" for j in range(100)]
    yield ("curve of 1000 uses, 100 points",
           ["curve", "-m", "0.1,1e-18x1000", "--delta-range", "1e-12:1e-3:100"], None, "curve",
           {"epsilon": "0.1", "times": 1000, "delta": "1e-18", "deltas": deltas})
    yield ("compose 1e-6 x 1e12, delta 1e-6", ["compose", "-m", "1e-6x1e12", "--target-delta", "1e-6"],
           "epsilon", "contour", {"items": [["1e-6", "0", 10**12]], "delta": "1e-6"})
    for voters, allowance, kind in ((35, 3, "monotone"), (101, 5, "monotone"), (201, 5, "monotone"),
                                    (301, 5, "monotone"), (41, 3, "free"), (61, 3, "free")):
        yield (f"majority of {voters}, {kind} optimum",
               ["majority", "-K", str(voters), "--epsilon", "0.1", "--delta", "1e-5",
                "--allowance", str(allowance), "--target-delta", f"{allowance}e-5", "--design",
                "optimal", "--class", kind, "--max-time", "100"], "objective_bound", None, None)
    for count, delta in ((1000, "1e-5"), (HUGE_LIST, "1e-3")):
        ledger, question = distinct(count, delta)
        path = Path(folder) / f"{count}.json"
        path.write_text(json.dumps(ledger), encoding="utf-8")
        yield (f"compose {count} distinct items, delta {delta}", ["compose", str(path)], "epsilon",
               "contour", question)


def python(*words):
    return [sys.executable, FORMULAS, *words]


def seconds(*commands, lines=None):
    """Of these at once, each with the same lines. What they warn of is no part of a table."""
    start = time.perf_counter()
    running = [subprocess.Popen(command, stdin=open(lines, "rb") if lines else subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for command in commands]
    failed = [one.wait() for one in running]
    if lines and any(failed):
        raise ValueError("a line was not answered")
    return time.perf_counter() - start


def loop(command, runs):
    return statistics.median(seconds(command) for _ in range(runs))


def hyperfine(command, runs):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run(["hyperfine", "--shell=none", "--warmup", "3", "--runs", str(runs), "--style",
                        "none", "--ignore-failure", "--export-json", out.name,
                        subprocess.list2cmdline(command)],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return json.load(open(out.name, encoding="utf-8"))["results"][0]["median"]


def whole_process(command, runs):
    if ONCE:
        if tuple(command) not in ASKED:
            output(command)
        return ASKED[tuple(command)]
    if shutil.which("hyperfine") and "{" not in " ".join(command):
        return hyperfine(command, runs)
    return loop(command, runs)


ASKED = {}  # seconds of what was asked already, as text or as JSON


def output(command):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"status {done.returncode}: {' '.join(command)}\n{done.stderr}")
    ASKED[tuple(word for word in command if word != "--json")] = time.perf_counter() - start
    return done.stdout.strip()


def span(seconds):
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def heads(*before):
    """Names of columns: those, then of each arithmetic its time and the ratio."""
    return [*before, *(word for name in ARITHMETICS for word in (f"Python {name}", "ratio"))]


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
          heads("command", "dpacct"), rows)


def lines_per_second(command, folder, lines):
    path = Path(folder) / "lines"
    path.write_text("".join(lines), encoding="ascii")
    answers = answers_to(command, path)
    if answers.count(b"\n") != len(lines) or b'"error"' in answers:
        raise ValueError("an answer is missing")
    return len(lines) / min(seconds(command, lines=path) for _ in range(TRIES))


def answers_to(command, path):
    with open(path, "rb") as lines:
        return subprocess.run(command, stdin=lines, capture_output=True, check=True).stdout


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


def varied(command, question, count):
    return [json.dumps({"command": command, **vary(question, i)}) + "\n" for i in range(count)]


def throughput():
    rows = []
    for command, (_, question) in QUESTIONS.items():
        lines = varied(command, question, LINES["dpacct"])
        with tempfile.TemporaryDirectory() as folder:
            mine = lines_per_second([DPACCT, "batch"], folder, lines)
            row = [command, f"{mine:,.0f}"]
            for name in ARITHMETICS:
                theirs = lines_per_second(python("batch", name), folder, lines[:LINES[name]])
                row += [f"{theirs:,.0f}", f"{mine / theirs:.2f}x"]
        rows.append(row)
    table("Batch: JSON Lines a second on one core, from a file to nowhere, best of 3; dpacct proves 10 "
          "digits of every row and prints both ends; ratio: dpacct / Python",
          heads("command", "dpacct"), rows)


def two_jobs():
    """--jobs 2 beside one, and beside two runs at once, which is what the machine has to give."""
    rows = []
    alone, shared = [DPACCT, "batch"], [DPACCT, "batch", "--jobs", "2"]
    for command, (_, question) in QUESTIONS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "lines"
            path.write_text("".join(varied(command, question, LINES["dpacct"])), encoding="ascii")
            if answers_to(alone, path) != answers_to(shared, path):
                raise ValueError("two jobs give other bytes than one")
            one, jobs, both = (min(seconds(*way, lines=path) for _ in range(TRIES))
                               for way in ([alone], [shared], [alone, alone]))
        rows.append([command, f"{one / jobs:.2f}x", f"{2 * one / both:.2f}x"])
    table("Batch: --jobs 2 over one process, best of 3, and two batches at once over one",
          ["command", "--jobs 2", "two batches"], rows)


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
          [*heads("epsilon x k", "dpacct"), "epsilon (dpacct, 17 digits)", *ARITHMETICS], rows)


def first_result(words):
    """The row that decides, or the first one."""
    answer = json.loads(output([DPACCT, *words, "--json"]))
    return answer.get("guarantee") or answer["results"][0]


def longer_in_python(name, kind, question, folder):
    """Seconds and first figure, as text"""
    if kind is None or (name == "mpmath" and len(question.get("items", ())) >= HUGE_LIST):
        return None, "-"
    path = Path(folder) / "question.json"
    path.write_text(json.dumps(question), encoding="utf-8")
    start = time.perf_counter()
    figures = output([sys.executable, PROFILE, kind, name, f"@{path}"]).split()
    return time.perf_counter() - start, figures[-1 if kind == "curve" else 0]


def longer():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for title, words, figure, kind, question in longer_questions(folder):
            start = time.perf_counter()
            answer = first_result(words)
            runs = 1 if time.perf_counter() - start > 2 else 15
            mine = whole_process([DPACCT, *words], runs)
            for key in question or {}:  # what dpacct searched for is given to Python
                if question[key] is None:
                    question[key] = answer[key] if key != "epsilon_one" else answer[
                        "epsilon_one_enclosure"][1]
            row, found = [title, span(mine)], []
            for name in ARITHMETICS:
                theirs, value = longer_in_python(name, kind, question, folder)
                row += ["-", "-"] if theirs is None else [span(theirs), f"{theirs / mine:.1f}x"]
                found.append(value)
            proved = "-" if figure is None else answer[figure + "_enclosure"][1]
            rows.append(row + [proved, *found])
    table("Longer questions, whole process (dpacct: median of 15, one run where it takes seconds; "
          "Python: one run, without error bounds, and without the search where dpacct makes one)",
          [*heads("question", "dpacct"), "dpacct, upper end", *ARITHMETICS], rows)


def dp_sgd():
    table("DP-SGD, epsilon at delta 1e-5: accuracy against time, whole process (dpacct: median of 15, "
          "here; the others as published, elsewhere); ratio: over dpacct at 10 digits; off: relative, "
          "of the upper end",
          ["run", "accountant", "time", "ratio", "epsilon", "off"],
          list(steps.rows(first_result, lambda words: whole_process([DPACCT, *words], 15), span)))


def closed_forms(folder):
    empty = asked.nothing(folder)
    if empty is None:
        print("\nA program that does nothing was not made: a compiler or the libraries' headers are missing")
        return
    rows = []
    for command, (words, _) in QUESTIONS.items():
        mine, theirs = in_turn([[DPACCT, command, *words], [empty]], RUNS["dpacct"])
        rows.append([command, span(mine), span(theirs), f"{mine / theirs:.2f}"])
    table(f"Closed forms beside a program that does nothing and links the same libraries, whole process, "
          f"median of {RUNS['dpacct']} in turn", ["command", "dpacct", "nothing", "ratio"], rows)


def in_turn(commands, runs):
    times = [[] for _ in commands]
    for _ in range(1 if ONCE else runs):
        for own, command in zip(times, commands):
            own.append(seconds(command))
    return [statistics.median(own) for own in times]


def asked_times(folder):
    rows = []
    for title, words, digits, seconds in asked.questions(folder, irregular, on_step):
        words = [DPACCT, *words, "--digits", str(digits)]
        start = time.perf_counter()
        proved = not json.loads(output([*words, "--json"])).get("warnings")
        mine = whole_process(words, 1 if time.perf_counter() - start > 2 else 9)
        rows.append([title, str(digits), "yes" if proved else "no", span(mine), span(seconds),
                     f"{mine / seconds:.2f}"])
    table("Questions with a time to keep, whole process, median of 9 (one run where it takes seconds)",
          ["question", "digits", "proved", "dpacct", "asked", "ratio"], rows)


def in_folder(measure):
    with tempfile.TemporaryDirectory() as folder:
        measure(folder)


TABLES = {"one question": one_question, "lines of batch": throughput, "two jobs": two_jobs,
          "composition": composition, "longer questions": longer, "DP-SGD": dp_sgd,
          "closed forms": lambda: in_folder(closed_forms),
          "times that are asked": lambda: in_folder(asked_times)}


def once():
    tables = {**TABLES, "docs/benchmarks.md": lambda: peers.main(1)}
    print(f"1..{len(tables)}")
    for number, (name, measure) in enumerate(tables.items(), 1):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                measure()
            print(f"ok {number} - {name}", flush=True)
        except (Exception, SystemExit):
            print(f"not ok {number} - {name}")
            print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), flush=True)


def main():
    if ONCE:
        once()
        return
    print(output([DPACCT, "--version"]).splitlines()[0])
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}, "
          + ("hyperfine" if shutil.which("hyperfine") else "timed by a loop"))
    for measure in TABLES.values():
        measure()


if __name__ == "__main__":
    main()
