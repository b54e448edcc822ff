#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Validates what the program prints, and the ledgers it reads, against the schemas (TAP).

The published schemas are what the program generates, which tests/docs checks. That of the output
tolerates unknown keys but in the input, by "unevaluatedProperties": true, and theorems that it does
not know. Documents are checked against a closed copy, which refuses both, so that what the schema
lacks fails; and what it has must have been seen, for each command by itself.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from decimal import Decimal
from itertools import compress
from pathlib import Path

from jsonschema import Draft202012Validator

sys.dont_write_bytecode = True
from documents import (BAD_LEDGERS, BROKEN, FAULTS, GOOD_LEDGERS, INVOCATIONS, LINES, MUTATED,
                       UNSEEN)

DPACCT = os.environ["DPACCT"]
SOURCE = Path(os.environ["DPACCT_SOURCE"])
results = []


def report(ok, title, *details):
    """A line of TAP, at once: of a run that is cut short stays what it has found."""
    results.append(bool(ok))
    print(f"{'ok' if ok else 'not ok'} {len(results)} - {title}".replace("#", "\\#"))
    for detail in [] if ok else details:
        print(f"#   {detail}")
    sys.stdout.flush()


def run(words, stdin=""):
    return subprocess.run([DPACCT, *words], input=stdin, text=True, capture_output=True)


def load(name):
    return json.loads((SOURCE / "docs" / "schema" / name).read_text())


def closed(schema):
    """A copy in which unknown keys are refused, and theorems of later versions."""
    if isinstance(schema, dict):
        copy = {k: closed(v) for k, v in schema.items() if k != "unevaluatedProperties"}
        if "later_theorem" in copy:
            copy["later_theorem"] = False
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


def definition_of(kind, name):
    return f"{kind}_{name.replace('-', '_')}"


class Seen:
    """Which keys, theorems and words the documents had, by the definition that they are for."""

    def __init__(self, schema):
        self.definitions = schema["$defs"]
        self.keys, self.words = defaultdict(set), defaultdict(set)

    def object(self, definition, found):
        self.keys[definition] |= set(found)
        for key, value in found.items():
            self.words[definition, key] |= {value} if isinstance(value, str) else set()

    def answer(self, document):
        command = document["command"]
        self.object(definition_of("input", command), document["input"])
        for row in document["results"]:
            self.object(definition_of("row", command), row)
            if row.get("vacuous") and row == document["guarantee"]:
                yield f"{command}: a vacuous row decides"
        items = document["input"].get("mechanisms", [])
        for item in items if isinstance(items, list) else []:
            self.object(definition_of("mechanism", item.get("mechanism", "approx-dp")), item)

    def unseen(self):
        """What the definitions have beyond that: keys, theorems, words of a choice."""
        for name, definition in self.definitions.items():
            if not name.startswith(("input_", "row_", "mechanism_")):
                continue
            for key, value in definition["properties"].items():
                if key not in self.keys[name]:
                    yield f"{name}: {key}"
                words = value.get("enum", value.get("anyOf", [{}])[0].get("enum", []))
                for word in set(words) - self.words[name, key] - UNSEEN.get((name, key), set()):
                    yield f"{name}: {key} {word}"


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
        report((count_open(schema) > 1) == (name == "dpacct-1"),
               f"{name} says which objects tolerate unknown keys")
        missing = missing_descriptions(schema)
        report(not missing, f"{name} describes every property", *missing)


def help_examples():
    """The examples that --help shows, to few digits; tests/cli runs them as they stand."""
    names = [line.split()[0] for line in run(["--help"]).stdout.split("commands:\n")[1]
             .split("\n\n")[0].splitlines()]
    for name in names:
        if name == "completion":
            continue
        for line in run([name, "--help"]).stdout.splitlines():
            if line.startswith(f"  dpacct {name} ") and "<" not in line:
                short = "" if "--digits" in line or name == "theorems" else " --digits 2"
                yield line.removeprefix("  dpacct ").replace(" --plot-data", "") + short


def shape(question):
    """Keys, types and words of a question, without its numbers."""
    if isinstance(question, dict):
        return tuple((key, shape(question[key])) for key in sorted(question))
    if isinstance(question, list):
        return tuple(sorted({shape(part) for part in question}, key=str))
    return question if re.fullmatch("[a-z][a-z0-9-]*", str(question)) else ""


def first_of_shape(questions):
    """Of each question, whether none of its shape stands before it."""
    seen = set()
    for question in questions:
        yield shape(question) not in seen
        seen.add(shape(question))


def vector_questions():
    """The questions of the vectors. Every bound is asked for at the first of each shape only: the
    rows are the same for the others, whose figures tests/vectors compares."""
    asked = []
    for path in sorted((SOURCE / "tests" / "vectors").glob("*.json")):
        for cases in json.loads(path.read_text()).values():
            for case in cases if isinstance(cases, list) else []:
                if "ask" not in case:
                    continue
                asked.append(case["ask"])
    for ask, new in zip(asked, first_of_shape(asked)):
        yield ask | {"all": True} if new else ask
    curves = [{"command": "curve", "epsilon_range": "0:1:2",
               "mechanisms": [{"name": "x"} | item for item in ask["mechanisms"]]}
              for ask in asked if any("mechanism" in item for item in ask.get("mechanisms", []))]
    yield from compress(curves, first_of_shape(curves))


# Quantities that are safe at their lower end, and rows of lower bounds; all others at the upper end.
LOWER = {"probability", "objective", "budget", "fpr_plus_fnr", "fpr", "posterior_min",
         "epsilon_lower", "mu_lower",
         "delta_lower", "tpr_lower", "accuracy_lower", "confidence"}
LOWER_ROWS = {"majority-lower-bound", "majority-lemma-3-2", "adv-inverse"}


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
            # decimals compare exactly, at once also where a fraction has a million digits
            for value in (Decimal(bare), Decimal(float(bare))):
                if value > Decimal(safe) if low else value < Decimal(safe):
                    yield f"{row['theorem']}: {name} {bare} beside {row[key]}"


def check_outputs(validator, tolerant):
    seen, ends, parts, odd, all_answers = set(), [], Seen(tolerant.schema), [], []
    for line in [*INVOCATIONS, *help_examples()]:
        line = re.sub(r" --format \w+", "", line)
        words = [w for w in shlex.split(line) if w not in ("--json", "-q")]
        done = run([*words, "--json"])
        try:
            document = json.loads(done.stdout)
            complaints = faults(validator, document)
            ends += unsafe_ends(done.stdout)
            odd += parts.answer(document) if "results" in document else []
        except json.JSONDecodeError as error:
            document, complaints = {}, [f"{error}: {done.stdout[:100]}{done.stderr}"]
        seen |= keys_of(document)
        all_answers.append(document)
        report(not complaints, f"dpacct {line}", *complaints)
    for line in FAULTS:
        document = json.loads(run([*shlex.split(line), "--json"]).stderr)
        seen |= keys_of(document)
        complaints = faults(validator, document)
        report(not complaints, f"dpacct {line}", *complaints)
    lines = [*LINES, *map(json.dumps, vector_questions())]
    done = run(["batch"], "".join(line + "\n" for line in lines))
    answers = done.stdout.splitlines()
    report(len(answers) == len(lines), "batch answers every line", len(answers), len(lines))
    for question, answer in zip(lines, answers):
        document = json.loads(answer)
        seen |= keys_of(document)
        all_answers.append(document)
        complaints = faults(validator, document)
        ends += unsafe_ends(answer)
        odd += parts.answer(document) if "results" in document else []
        report(not complaints, f"batch: {question[:150]}", *complaints)
    report(not ends, "every bare figure is at its safe end", *ends[:20])
    unseen = property_names(tolerant.schema) - seen
    report(not unseen, "every property of the schema was seen in some document", *sorted(unseen))
    unseen = sorted(parts.unseen())
    report(not unseen, "and every key, theorem and word of each command", *unseen)
    report(not odd, "no vacuous row decides", *odd)
    check_again(all_answers)


def check_again(documents):
    """The input of an answer of each shape, asked again as it stands, gives the same answer."""
    documents = [d for d in documents if "results" in d and "theorems" not in d
                 and not any("limit was met" in w for w in d["warnings"])]
    questions = [{"command": d["command"], **d["input"]} for d in documents]
    chosen = list(first_of_shape(questions))
    documents = list(compress(documents, chosen))
    lines = [json.dumps(q) for q in compress(questions, chosen)]
    answers = run(["batch"], "".join(line + "\n" for line in lines)).stdout.splitlines()
    report(len(answers) == len(lines), "every input is answered again", len(answers), len(lines))
    for line, document, text in zip(lines, documents, answers):
        answer = json.loads(text)
        other = [f"{key}: {document.get(key)} became {answer.get(key)}"
                 for key in sorted((document.keys() | answer.keys()) - {"id"})
                 if document.get(key) != answer.get(key)]
        report(not other and list(answer) == [k for k in document if k != "id"],
               f"asked again: {line[:150]}", *other)


def leaves(document, path=()):
    """The paths to all texts and numbers, and to null; of equal elements of a list the first."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield from leaves(value, (*path, key))
    elif isinstance(document, list):
        for i, value in enumerate(document[:3]):
            yield from leaves(value, (*path, i))
    else:
        yield path


def objects(document, path=()):
    if isinstance(document, dict):
        yield path
        for key, value in document.items():
            yield from objects(value, (*path, key))
    elif isinstance(document, list):
        for i, value in enumerate(document[:3]):
            yield from objects(value, (*path, i))


def refuses(validator, document, path, key, value):
    """Is the document refused with that value under that key of the object at the path?"""
    part = document
    for step in path:
        part = part[step]
    there = isinstance(part, list) or key in part
    before = part[key] if there else None
    part[key] = value
    refused = not validator.is_valid(document)
    part[key] = before
    if not there:
        del part[key]
    return refused


def check_mutants(validator, tolerant):
    """Of one answer of each command: every value of a wrong type, a key more in every object."""
    for words in MUTATED:
        document = json.loads(run([*shlex.split(words), "--json"]).stdout)
        typed = [p for p in [*leaves(document)]
                 if not refuses(tolerant, document, p[:-1], p[-1], [[]])]
        added = [p for p in [*objects(document)]
                 if not refuses(validator, document, p, "no_such_key", "1")]
        title = words.split()[0]
        report(not typed, f"{title}: no value of a wrong type passes", *typed)
        report(not added, f"{title}: no unknown key passes the closed copy", *added)
        report(validator.is_valid(document), f"{title}: the answer itself passes")


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
    check_mutants(Draft202012Validator(closed(output)), Draft202012Validator(output))
    check_ledgers(Draft202012Validator(closed(ledger)))
    print(f"1..{len(results)}")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
