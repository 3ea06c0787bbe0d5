# SPDX-License-Identifier: BSL-1.0
"""A test whose name ends in _race lies in a *_race_test.cpp, the only test files that preset tsan builds, and nothing else
lies there."""
import re

from tree import Finding

TEST = re.compile(r"^TEST(?:_F|_P)?\(\w+,\s*(\w+)\)")


def check_races(tree):
    found = []
    for path in tree.paths(".cpp"):
        if not path.startswith("tests/"):
            continue
        race_file = path.endswith("_race_test.cpp")
        for number, line in tree.lines(path):
            match = TEST.match(line)
            if match and match.group(1).endswith("_race") != race_file:
                found.append(Finding(path, number, "race", "names in _race belong to *_race_test.cpp, and no others"))
    return found
