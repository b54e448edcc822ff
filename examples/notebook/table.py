#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ask dpacct many questions at once and print the answers as a table.

One process answers all of them: `dpacct batch` reads a JSON object a line and writes one a line,
in order. Numbers are passed as strings, so that 0.1 means one tenth, and figures are taken from the
enclosures, whose ends were rounded outward; a float would round them again, in either direction.

    python3 table.py            the program is found as $DPACCT or on the PATH
"""
import json
import os
import subprocess
import sys

QUESTIONS = [
    {"id": f"bagging {k} of 60000", "command": "bagging-with", "n": "60000", "k": str(k)}
    for k in (300, 1000, 5000)
] + [
    {"id": f"{times} uses of 0.1", "command": "compose", "target_delta": "1e-6",
     "mechanisms": [{"epsilon": "0.1", "times": times}]}
    for times in (10, 100, 1000)
] + [
    {"id": "a mistake on purpose", "command": "bagging-with", "n": "60000", "k": "many"},
]


def ask(questions):
    """The answers of `dpacct batch`, one for each question, in order."""
    text = "".join(json.dumps(q) + "\n" for q in questions)
    done = subprocess.run([os.environ.get("DPACCT", "dpacct"), "batch"], input=text,
                          capture_output=True, text=True, check=False)
    # Status 2 means that some lines were refused; their answers say why.
    if done.returncode not in (0, 2):
        sys.exit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def row(answer):
    if "error" in answer:
        return [answer["id"], "-", "-", "refused: " + answer["error"]]
    best = answer["guarantee"]
    upper = [best[name + "_enclosure"][1] for name in ("epsilon", "delta")]
    return [answer["id"], *upper, f"{best['theorem']} ({best['verdict']})"]


def main():
    rows = [["question", "epsilon", "delta", "theorem"]] + [row(a) for a in ask(QUESTIONS)]
    widths = [max(len(r[i]) for r in rows) for i in range(3)]
    for r in rows:
        print("  ".join([r[i].ljust(widths[i]) for i in range(3)] + [r[3]]))


if __name__ == "__main__":
    main()
