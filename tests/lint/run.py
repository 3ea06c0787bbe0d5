#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The rules of the house: tests/lint/run.py [CHECK...] [--program PATH]; all checks when none is named.

Exit status 0: nothing found; 1: findings, one a line; 77: the check's tool is not installed.
"""
import argparse
import pathlib
import sys

import arrows
import documents
import functions
import races
import shape
import tools
import tree

CHECKS = {
    "includes": [arrows.check_arrows, arrows.check_core, arrows.check_platform],
    "shape": [shape.check_first_line, shape.check_pragma_once, shape.check_length, shape.check_words],
    "functions": [functions.check_functions],
    "races": [races.check_races],
    "documents": [documents.check_links, documents.check_commands],
    "format": [tools.check_format],
    "shell": [tools.check_shell],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join([*CHECKS, "program"]))
    parser.add_argument("--program", help="the built wiregap, whose --help check `program` reads")
    options = parser.parse_args()
    repository = tree.Tree.of_repository(pathlib.Path(__file__).resolve().parents[2])
    findings, absent = [], []
    for name in options.checks or [*CHECKS, *(["program"] if options.program else [])]:
        if name == "program":
            findings += documents.check_program(repository, documents.help_of(options.program))
            continue
        for check in CHECKS[name]:
            try:
                findings += check(repository)
            except tools.Absent as missing:
                absent.append(f"skipped: {missing}")
    for line in [*map(str, findings), *absent]:
        print(line)
    if findings:
        return 1
    return 77 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
