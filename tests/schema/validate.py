#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Validates what the program prints, and the ledgers it reads, against the schemas (TAP).

The published schemas tolerate unknown keys, by "unevaluatedProperties": true. Documents are
checked against a closed copy, which refuses them, so that a key the schema lacks fails.
"""
import json
import os
import shlex
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

from jsonschema import Draft202012Validator

sys.dont_write_bytecode = True
from documents import BAD_LEDGERS, BROKEN, FAULTS, GOOD_LEDGERS, INVOCATIONS, LINES

DPACCT = os.environ["DPACCT"]
SOURCE = Path(os.environ["DPACCT_SOURCE"])
results = []


def report(ok, title, *details):
    results.append((bool(ok), title, details))


def run(words, stdin=""):
    return subprocess.run([DPACCT, *words], input=stdin, text=True, capture_output=True)


def load(name):
    return json.loads((SOURCE / "docs" / "schema" / name).read_text())


def closed(schema):
    """A copy in which unknown keys are refused."""
    if isinstance(schema, dict):
        copy = {k: closed(v) for k, v in schema.items() if k != "unevaluatedProperties"}
        if "unevaluatedProperties" in schema:
            # the same here, where an object lists all its keys itself, and much faster
            copy["additionalProperties"] = False
        return copy
    return [closed(v) for v in schema] if isinstance(schema, list) else schema


def count_open(schema):
    if isinstance(schema, dict):
        return sum(map(count_open, schema.values())) + (schema.get("unevaluatedProperties") is True)
    return sum(map(count_open, schema)) if isinstance(schema, list) else 0


def faults(validator, document):
    """The deepest complaints, without those of the alternatives that were not meant."""
    found = []
    for error in validator.iter_errors(document):
        while error.context:
            error = max(error.context, key=lambda e: len(list(e.absolute_path)))
        found.append(f"{'/'.join(map(str, error.absolute_path))}: {error.message}"[:300])
    return found


def keys_of(document):
    if isinstance(document, dict):
        return set(document).union(*map(keys_of, document.values()))
    return set().union(*map(keys_of, document)) if isinstance(document, list) else set()


def property_names(schema):
    if isinstance(schema, dict):
        own = set(schema.get("properties", {})) if isinstance(schema.get("properties"), dict) else set()
        return own.union(*map(property_names, schema.values()))
    return set().union(*map(property_names, schema)) if isinstance(schema, list) else set()


def missing_descriptions(schema, path=""):
    """Properties without a description of their own or of what they refer to."""
    found = []
    if isinstance(schema, dict):
        for name, value in schema.get("properties", {}).items():
            conditional = path.endswith(("/if", "/then"))
            if not conditional and isinstance(value, dict) and "description" not in value \
                    and "$ref" not in value:
                found.append(f"{path}/{name}")
        for key, value in schema.items():
            found += missing_descriptions(value, f"{path}/{key}")
    elif isinstance(schema, list):
        for i, value in enumerate(schema):
            found += missing_descriptions(value, f"{path}/{i}")
    return found


def check_schemas(output, ledger):
    for name, schema in (("dpacct-1", output), ("ledger-1", ledger)):
        try:
            Draft202012Validator.check_schema(schema)
            report(True, f"{name} is a draft 2020-12 schema")
        except Exception as error:
            report(False, f"{name} is a draft 2020-12 schema", str(error)[:300])
        report(count_open(schema) > 1, f"{name} says which objects tolerate unknown keys")
        missing = missing_descriptions(schema)
        report(not missing, f"{name} describes every property", *missing)


def help_examples():
    """The examples that --help shows, of every command that writes JSON."""
    names = [line.split()[0] for line in run(["--help"]).stdout.split("commands:\n")[1]
             .split("\n\n")[0].splitlines()]
    for name in names:
        for line in run([name, "--help"]).stdout.splitlines():
            if line.startswith(f"  dpacct {name} ") and "<" not in line:
                yield line.removeprefix("  dpacct ")


def vector_lines():
    for path in sorted((SOURCE / "tests" / "vectors").glob("*.json")):
        for case in json.loads(path.read_text()).get("cases", []):
            yield json.dumps(case["ask"] | {"all": True})


# Quantities that are safe at their lower end, and rows of lower bounds; all others at the upper end.
LOWER = {"probability", "objective"}
LOWER_ROWS = {"majority-lower-bound", "majority-lemma-3-2"}


def unsafe_ends(text):
    """Bare figures whose text, or double, is not on the safe side of the enclosure."""
    document = json.loads(text, parse_float=str, parse_int=str)
    for row in [*document.get("results", []), document.get("guarantee")]:
        for key in [k for k in row or {} if k.endswith("_enclosure")]:
            name = key.removesuffix("_enclosure")
            low = name in LOWER or row["theorem"] in LOWER_ROWS
            bare, safe = row[name], row[key][0 if low else 1]
            if "Infinity" in (bare, safe):
                continue
            for value in (Fraction(bare), Fraction(float(bare))):
                if value > Fraction(safe) if low else value < Fraction(safe):
                    yield f"{row['theorem']}: {name} {bare} beside {row[key]}"


def check_outputs(validator, tolerant):
    seen, ends = set(), []
    for line in [*INVOCATIONS, *help_examples()]:
        words = [w for w in shlex.split(line) if w not in ("--json", "-q", "--format", "csv")]
        done = run([*words, "--json"])
        try:
            document = json.loads(done.stdout)
            complaints = faults(validator, document)
            ends += unsafe_ends(done.stdout)
        except json.JSONDecodeError as error:
            document, complaints = {}, [f"{error}: {done.stdout[:100]}{done.stderr}"]
        seen |= keys_of(document)
        report(not complaints, f"dpacct {line}", *complaints)
    for line in FAULTS:
        document = json.loads(run([*shlex.split(line), "--json"]).stderr)
        seen |= keys_of(document)
        complaints = faults(validator, document)
        report(not complaints, f"dpacct {line}", *complaints)
    lines = [*LINES, *vector_lines()]
    done = run(["batch"], "".join(line + "\n" for line in lines))
    answers = done.stdout.splitlines()
    report(len(answers) == len(lines), "batch answers every line", len(answers), len(lines))
    for question, answer in zip(lines, answers):
        document = json.loads(answer)
        seen |= keys_of(document)
        complaints = faults(validator, document)
        ends += unsafe_ends(answer)
        report(not complaints, f"batch: {question[:150]}", *complaints)
    report(not ends, "every bare figure is at its safe end", *ends[:20])
    unseen = property_names(tolerant.schema) - seen
    report(not unseen, "every property of the schema was seen in some document", *sorted(unseen))


def check_broken(validator, tolerant):
    """Each change of a good document must be refused; by the closed copy only where it adds."""
    for title, words, change, only_closed in BROKEN:
        document = json.loads(run([*shlex.split(words), "--json"]).stdout)
        report(not faults(validator, document), f"good before: {title}")
        change(document)
        report(faults(validator, document), f"refused by the closed copy: {title}")
        report(bool(faults(tolerant, document)) != only_closed,
               f"{'tolerated' if only_closed else 'refused'} by the published schema: {title}")


def check_ledgers(validator):
    examples = [p.read_text() for p in sorted((SOURCE / "examples" / "ledger").glob("*.json"))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.json"
        for good, texts in ((True, GOOD_LEDGERS + examples), (False, BAD_LEDGERS)):
            for text in texts:
                path.write_text(text)
                status = run(["compose", str(path)]).returncode
                complaints = faults(validator, json.loads(text))
                title = " ".join(text.split())[:150]
                report(bool(complaints) != good, f"ledger {'fits' if good else 'refused'}: {title}",
                       *complaints)
                report((status in (0, 1)) == good, f"the program agrees: {title}", status)


def main():
    output, ledger = load("dpacct-1.schema.json"), load("ledger-1.schema.json")
    check_schemas(output, ledger)
    check_outputs(Draft202012Validator(closed(output)), Draft202012Validator(output))
    check_broken(Draft202012Validator(closed(output)), Draft202012Validator(output))
    check_ledgers(Draft202012Validator(closed(ledger)))
    print(f"1..{len(results)}")
    for number, (ok, title, details) in enumerate(results, 1):
        print(f"{'ok' if ok else 'not ok'} {number} - {title}".replace("#", "\\#"))
        for detail in [] if ok else details:
            print(f"#   {detail}")
    return 0 if all(ok for ok, _, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
