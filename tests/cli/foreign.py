#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command with every option of the other commands: one line, exit 2, and a hint that names no
option which the command lacks and none that means another thing: what is suggested has a word of the
name in it, or is known to be called so elsewhere. Prints those that are not answered so."""
import os
import re
import subprocess
import sys

# what another command's name for the same thing is here
SAME = {("alpha", "order"), ("mechanism", "of"), ("mechanisms", "of"), ("mechanisms", "mechanism"),
        ("noise-multiplier", "sigma"), ("sigma", "noise-multiplier"), ("sigma", "sigma2"), ("sigma2", "sigma"),
        ("steps", "times"), ("queries", "times"), ("uses", "times"), ("samples", "dataset-size"),
        ("epsilon", "pure"), ("epsilon", "approx"), ("mu", "gdp"), ("target-delta", "delta-range"), ("models", "mechanisms")}


def answer(*words):
    done = subprocess.run([os.environ["DPACCT"], *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def options_of(command):
    return set(re.findall(r"^  (?:-., |    )--([a-z0-9-]+)", answer(command, "-h")[1], re.M))


def is_right(command, own, name, said):
    """What is said behind the semicolon names options of the command alone, of that word."""
    if any(shown not in own for shown in re.findall(r"--([a-z][a-z0-9-]*)", said)):
        return said == f"; see 'dpacct {command} --help'\n"
    meant = re.search(r"did you mean (.*)\?$", said, re.M)
    for shown in re.findall(r"--([a-z0-9-]+(?: [a-z0-9-]+)?)", meant.group(1) if meant else ""):
        option, _, value = shown.partition(" ")
        parts = [option, *option.split("-")]
        if value not in ("", "or", name) or value in ("", "or") and (name, option) not in SAME and not any(
                part.startswith(name) or part == name.split("-")[-1] and len(part) > 5 for part in parts):
            return False
    return True


def main():
    commands = re.findall(r"^  ([a-z-]+) ", re.search(r"^commands:\n(.*?)\n\n", answer("--help")[1], re.M | re.S).group(1), re.M)
    own = {command: options_of(command) for command in commands}
    tried, wrong = 0, 0
    for command in commands:
        for name in sorted(set().union(*own.values()) - own[command]):
            status, out, err = answer(command, "--" + name, "1")
            if "unknown option" not in err:
                continue  # a name that is read, and not shown
            tried += 1
            said = err.partition("unknown option")[2]
            if status != 2 or out or err.count("\n") != 1 or not is_right(command, own[command], name, said):
                wrong += 1
                print(err.strip())
    print(f"{tried} options of other commands, {wrong} answered with what is not meant")
    sys.exit(tried < 1500 or wrong > 0)


main()
