#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Mutation check of directed rounding, run by hand:

    tests/mutate.py [--kind flip|drop] [--jobs N] [--seconds S] [--tests NAME...] [-- FILE...]

Each mutant is the library with one change: a rounding turned round (flip: MPFR_RNDU to MPFR_RNDD or
back) or a directed statement left out (drop). The unit tests run against it, the quickest first,
and a mutant that no test kills is printed. Nothing in the source folder is changed.

Survivors are to be read, not counted. A flip moves an end by one unit of the working precision, and
most ends have room for several: refine_bits keeps 30 bits beyond the digits asked, the contours and
tables 32 to 64 bits beyond theirs, and their error terms are rounded up to small integers of units.
Flips survive there without harm. What must not survive is a dropped statement that widens an
enclosure, save where another one hides it. Of the dropped statements of the formulas and engines these
survive, with the reason:

atoms.c      widen, both ends: the spill of misplaced atoms is added as well and is larger. One of
             the two steps from x down to `below`: the other one, or a NaN that counts every atom,
             still covers it. spill times a mass: larger without it. The lower end less the spill:
             any set of outcomes is a lower bound already.
contour.c    kernel_bound and the terms of rounding in error_bound: the dropped nodes, beside them,
             are allowed 2^32 times as much. Rests on the analysis written there alone.
response_nodes.c  constants that are small beside the next term, and the factors 4 and 2 for the worst
             case: t-waves sees errors of up to a twentieth of the bound.
smooth.c     error_bound, by the same 40 bits, and because the two Gaussians leave more room than
             the sum loses. The alias on the side that the bracket covers.
far_nodes.c  NODE_ERROR: what phi may be wrong by, beside it, is larger than these roundings are. The kernels
             are held to their part of it by t-extremal.
inversion_chords.c  where the points lie: what they prove is proved anywhere.
cball.c      the angle's part of the radius in cball_unit, 2^-12 of the room that the roundings leave.
amplify_with.c, he2021_corollary.c, igmm.c   the second of two roundings of a quotient to an integer: they
             differ where the enclosure straddles an integer only. The tail of a sum that ends when
             it no longer counts.
gaussian.c   where a search starts and how far it steps; certified afterwards.
he2021_knapsack.c  the cap of a cut unit (wider without it), its overflow and the dual bound, which differ
             from the vertex by rounding only.
he2021.c, generalization_published.c  the lower end of a maximum: lower without it.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOMS = ["num", "core", "loss", "engine", "renyi", "mechanism", "compose", "sampling", "vote", "learning", "attack",
         "catalog", "document"]
SLOW = ["t-properties", "t-engines", "t-brackets"]  # run last
CFLAGS = ["-std=c11", "-O1", "-w", "-fPIC", "-D_POSIX_C_SOURCE=200809L", "-D_DEFAULT_SOURCE",
          "-ffp-contract=off"]
LIBS = ["-lcmocka", "-lcjson", "-lmpfi", "-lmpfr", "-lgmp", "-lm", "-lpthread"]


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)


def includes(root):
    return ["-I" + os.path.join(root, d) for d in ("include", "src", "tests/support")]


def compile_file(source, target, root=ROOT):
    return run(["gcc", *CFLAGS, *includes(root), "-c", source, "-o", target]).returncode == 0


def sources(room):
    folder = os.path.join(ROOT, "src", room)
    return sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".c"))


def objects(work, files):
    """Compiles the files; returns {source: object}."""
    made = {}
    for f in files:
        made[f] = os.path.join(work, os.path.relpath(f, ROOT).replace("/", "_")[:-2] + ".o")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        if not all(pool.map(lambda f: compile_file(f, made[f]), files)):
            sys.exit("the sources do not compile")
    return made


def link_library(objs, target):
    return run(["gcc", "-shared", "-o", target, *objs, *LIBS]).returncode == 0


def mutants(path, kinds):
    """Yields (line number, kind, text of the mutated file)."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    for i, line in enumerate(lines):
        if "flip" in kinds:
            for m in re.finditer(r"MPFR_RND([UD])", line):
                other = "D" if m[1] == "U" else "U"
                changed = line[: m.start(1)] + other + line[m.end(1) :]
                yield i + 1, "flip", "\n".join(lines[:i] + [changed] + lines[i + 1 :])
        if "drop" in kinds and re.match(r"\s+mpf[ri]_\w+\(.*MPFR_RND[UD]\);$", line):
            if re.match(r"\s+(if|else|for|while)\b.*[^;{]$", lines[i - 1]):
                continue  # the only statement of a branch
            yield i + 1, "drop", "\n".join(lines[:i] + [""] + lines[i + 1 :])


def survives(work, tests, library, seconds):
    """Runs the tests against the library in its own folder; the first failure ends it."""
    env = dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(library), DPACCT_TEST_FACTOR="1")
    for test in tests:
        try:
            if run([test], env=env, timeout=seconds, cwd=work).returncode != 0:
                return False
        except subprocess.TimeoutExpired:
            return False
    return True


def judge(job):
    work, path, number, kind, text, objs, tests, seconds = job
    with tempfile.TemporaryDirectory(dir=work) as own:
        copy = os.path.join(own, os.path.basename(path))
        with open(copy, "w", encoding="utf-8") as f:
            f.write(text)
        changed = os.path.join(own, "changed.o")
        library = os.path.join(own, "libunder.so")
        if not compile_file(copy, changed):
            return None
        if not link_library([changed if s == path else o for s, o in objs.items()], library):
            return None
        return survives(own, tests, library, seconds)


def build_tests(work, library, wanted):
    """The unit tests wanted, linked with the library that is to be changed."""
    program = [f for f in sources("cli") if not f.endswith("main.c")]
    support = os.path.join(ROOT, "tests/support/support.c")
    rest = list(objects(work, [*program, support]).values())
    found = glob.glob(os.path.join(ROOT, "tests", "*", "t-*.c"))
    folders = {os.path.basename(f)[:-2]: os.path.dirname(f) for f in found}
    names = (n for n in sorted(folders) if wanted is None or n in wanted)
    names = sorted(names, key=lambda n: n in SLOW)
    built = []
    for name in names:
        target = os.path.join(work, name)
        command = ["gcc", *CFLAGS, *includes(ROOT), os.path.join(folders[name], name + ".c"), *rest]
        arb = ["-lflint-arb", "-lflint"] if name.endswith("-arb") else []
        where = ["-L" + os.path.dirname(library), "-lunder", *arb]  # by name, so that a copy can stand in
        if run([*command, "-o", target, *where, *LIBS]).returncode != 0:
            sys.exit(name + " does not compile")
        built.append(target)
    return built


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kind", choices=["flip", "drop"])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=120, help="for one test")
    parser.add_argument("--tests", nargs="*", help="these only, such as t-literal")
    parser.add_argument("files", nargs="*", help="parts of paths, such as num/ or pld/atoms.c")
    args = parser.parse_args()
    kinds = [args.kind] if args.kind else ["flip", "drop"]
    work = tempfile.mkdtemp(prefix="mutate-")
    try:
        objs = objects(work, [f for room in ROOMS for f in sources(room)])
        library = os.path.join(work, "libunder.so")
        if not link_library(objs.values(), library):
            sys.exit("the library does not link")
        tests = build_tests(work, library, args.tests)
        if not survives(work, tests, library, args.seconds):
            sys.exit("the tests fail without any change")
        jobs = []
        for path in objs:
            name = os.path.relpath(path, ROOT)
            if not args.files or any(part in name for part in args.files):
                jobs += [(work, path, *m, objs, tests, args.seconds) for m in mutants(path, kinds)]
        killed = survived = 0
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for job, alive in zip(jobs, pool.map(judge, jobs)):
                if alive:
                    survived += 1
                    print("%s:%d: %s survives" % (os.path.relpath(job[1], ROOT), job[2], job[3]),
                          flush=True)
                elif alive is False:
                    killed += 1
        print("%d killed, %d survived" % (killed, survived))
    finally:
        shutil.rmtree(work)


main()
