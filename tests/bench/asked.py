# SPDX-License-Identifier: MIT
"""Questions with the time that each may take, and a closed form beside a program that does nothing."""
import json
import shutil
import subprocess
from pathlib import Path

NOTHING = """#include <cjson/cJSON.h>
#include <gmp.h>
#include <mpfi.h>
int main(void)
{
    mpz_t n;
    mpfi_t x;
    mpz_init(n);
    mpfi_init2(x, 64);
    cJSON_Delete(cJSON_CreateNull());
    mpfi_clear(x);
    mpz_clear(n);
    return 0;
}
"""
MAJORITY = "--epsilon 0.1 --delta 1e-5 --allowance 10 --target-delta 1e-5"


def nothing(folder):
    """A program that does nothing and links the same libraries; None where it cannot be made."""
    source, program = Path(folder) / "nothing.c", Path(folder) / "nothing"
    source.write_text(NOTHING, encoding="ascii")
    if shutil.which("cc") is None:
        return None
    made = subprocess.run(["cc", "-O2", str(source), "-o", str(program), "-lmpfi", "-lmpfr", "-lgmp",
                           "-lcjson"], capture_output=True, check=False)
    return str(program) if made.returncode == 0 else None


def questions(folder, irregular, step):
    """TITLE, arguments, digits, seconds asked"""
    def ledger(name, content):
        path = Path(folder) / name
        path.write_text(json.dumps(content), encoding="ascii")
        return str(path)

    def lists(count, delta, digits, seconds):
        content = {**irregular(count), "target_delta": delta}
        return (f"{count} decimals, delta {delta}", ["compose", ledger(f"{count}-{delta}", content)],
                digits, seconds)

    for count in (35, 40, 60, 100):
        yield lists(count, "1e-5", 10, 0.2)
        yield lists(count, "1e-5", 12, 1)
        yield lists(count, "1e-30", 10, 0.1)
    yield lists(1000, "1e-5", 10, 0.05)
    yield lists(10**5, "1e-3", 10, 1)
    yield ("300 on a step, delta 1e-5", ["compose", ledger("step", step(300))], 10, 0.3)
    for times, delta, seconds in (("1000000", "1e-6", 0.003), ("1000000000", "0.49", 0.1),
                                  ("1000000000000", "1e-6", 0.5)):
        yield (f"0.1 x {times}, delta {delta}",
               ["compose", "-m", f"0.1x{times}", "--target-delta", delta], 10, seconds)
    yield ("dp-sgd, 1000 steps", "dp-sgd --noise-multiplier 1 --sampling-rate 0.01 --steps 1000 "
           "--target-delta 1e-5".split(), 10, 0.006)
    for votes, seconds in ((101, 0.1), (201, 0.6), (301, 3)):
        yield (f"majority of {votes}", f"majority -K {votes} {MAJORITY}".split(), 10, seconds)
    for votes, seconds in ((41, 0.3), (61, 10)):
        yield (f"majority of {votes}, free",
               f"majority -K {votes} --class free {MAJORITY}".split(), 10, seconds)
    one_run = "audit --one-run --canaries 1e9 --guesses 1e9"
    for title, text, seconds in (
            ("audit, two samples of 10^9", "audit --true-positives 9e8 --positives 1e9 "
             "--false-positives 1e8 --negatives 1e9", 0.01),
            ("audit, adaptive of 10^9", f"{one_run} --correct 731081579 --target-delta 1e-12 "
             "--method adaptive --max-epsilon 1", 0.01),
            ("audit, fdp of 10^9", f"{one_run} --correct 500300000 --method fdp --claim gdp", 0.1),
            ("audit, plan of 665", "audit --plan --claim-epsilon 1 --power 0.9 --tpr 0.4 --fpr 0.1",
             0.1),
            ("advantage, 100 laplace", "advantage --of laplace --scale 3 --times 100", 0.01)):
        yield (title, text.split(), 10, seconds)
