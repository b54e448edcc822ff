# SPDX-License-Identifier: MIT
"""The vector files: DOMAIN.json for each domain of the library, in lists of cases, one a line.

cases      every row that --all shows, computed by generate.py with the formulas of DOMAIN.py;
           check.py asks at several numbers of digits
reference  30 digits of some figures, by another program than those formulas; see reference.py
designs    noise functions of private majorities; see designs.py
"""
import json
from pathlib import Path

DOMAINS = ["sampling", "compose", "learning", "mechanism", "renyi", "vote", "attack"]
LISTS = ["cases", "reference", "designs"]


def path(domain):
    return Path(__file__).resolve().parent / f"{domain}.json"


def cases(domain, name="cases"):
    return json.loads(path(domain).read_text()).get(name, [])
