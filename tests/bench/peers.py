#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The questions of docs/benchmarks.md, as the rows of its table: the enclosure of epsilon, the user
time of the whole process, the least of five. Finds the program as $DPACCT, else in build/."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DPACCT = os.environ.get("DPACCT", str(ROOT / "build" / "dpacct"))
RUNS = 5
SGD = "dp-sgd --noise-multiplier {} --sampling-rate {} --steps {} --target-delta {}"
QUESTIONS = [
    ("Gaussian, σ = 1", "gaussian --sigma 1 --target-delta 1e-5"),
    ("Gaussian, σ = 100, T = 10⁵", "gaussian --sigma 100 --times 100000 --target-delta 1e-5"),
    ("(0.01, 10⁻⁸), k = 100", "compose -m 0.01,1e-8x100 --target-delta 1e-5"),
    ("(0.01, 10⁻⁸), k = 10⁴, δ = 2·10⁻⁴", "compose -m 0.01,1e-8x10000 --target-delta 2e-4"),
    ("(0.01, 10⁻⁸), k = 10⁶, δ = 0.02", "compose -m 0.01,1e-8x1000000 --target-delta 2e-2"),
    ("1000 distinct pairs", "compose LEDGER --target-delta 1e-5"),
    ("DP-SGD 1, 0.01, 10³", SGD.format("1", "0.01", "1000", "1e-5")),
    ("DP-SGD 1, 0.01, 10⁴", SGD.format("1", "0.01", "10000", "1e-5")),
    ("DP-SGD 0.8, 256/60000, 14040", SGD.format("0.8", "256/60000", "14040", "1e-5")),
    ("DP-SGD 1, 0.01, 10³, δ = 10⁻³⁰⁰", SGD.format("1", "0.01", "1000", "1e-300")),
    ("DP-SGD 1, 0.01, 10³, 40 digits", SGD.format("1", "0.01", "1000", "1e-5") + " --digits 40"),
    ("DP-SGD 0.05, 0.01, 10", SGD.format("0.05", "0.01", "10", "1e-5")),
]


def ask(words):
    """The answer and the user time in seconds of one process."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([DPACCT, *words, "--json"], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        answer = json.load(out) if process.returncode == 0 else None
    return answer, usage.ru_utime


def main(count):
    with tempfile.TemporaryDirectory() as folder:
        ledger = pathlib.Path(folder, "ledger.json")
        ledger.write_text(json.dumps({"mechanisms": [
            {"epsilon": f"{1000 + 9 * i}e-6", "delta": f"{i}e-12"} for i in range(1, 1001)]}))
        print("| question | lower end | upper end | user ms |\n| --- | --- | --- | ---: |")
        for name, words in QUESTIONS:
            runs = [ask(words.replace("LEDGER", str(ledger)).split()) for _ in range(count)]
            if runs[0][0] is None:
                sys.exit(f"{DPACCT} gives no answer to: {words}")
            low, high = runs[0][0]["guarantee"]["epsilon_enclosure"]
            print(f"| {name} | {low} | {high} | {1000 * min(r[1] for r in runs):.0f} |")


if __name__ == "__main__":
    main(RUNS)
