# SPDX-License-Identifier: BSL-1.0
"""What every file looks like: first line, length, words."""
import re

from tree import CPP, SCRIPTS, Finding

LICENCE = "SPDX-License-Identifier: BSL-1.0"
LIMIT, TEST_LIMIT = 400, 500

# Split so that this file does not name them itself.
LOCAL = re.compile("(?<![\\w.])/(wo" "rk|opt/re" "f|opt/ba" "re|tmp/ba" "sh_jobs)/")
TODO = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b(.*)")


def is_code(path):
    return path.endswith(CPP + SCRIPTS) or path.rsplit("/", 1)[-1] == "CMakeLists.txt"


def check_first_line(tree):
    found = []
    for path in filter(is_code, tree.paths()):
        lines = tree.text(path).splitlines()
        if lines and lines[0].startswith("#!"):
            lines = lines[1:]
        wanted = ("// " if path.endswith(CPP) else "# ") + LICENCE
        if not lines or lines[0] != wanted:
            found.append(Finding(path, 1, "licence", f'the first line must be "{wanted}"'))
    return found


def check_pragma_once(tree):
    return [Finding(p, 1, "pragma", "a header without #pragma once")
            for p in tree.paths(".hpp") if "#pragma once" not in tree.text(p).splitlines()]


def check_length(tree):
    found = []
    for path in filter(is_code, tree.paths()):
        limit = TEST_LIMIT if path.startswith("tests/") else LIMIT
        count = len(tree.lines(path))
        if count > limit:
            found.append(Finding(path, count, "length", f"{count} lines, at most {limit}: split it by what it does"))
    return found


def check_words(tree):
    found = []
    for path in tree.paths():
        for number, line in tree.lines(path):
            if "\t" in line and (is_code(path) or path.endswith((".md", ".json"))):
                found.append(Finding(path, number, "tab", "a tab"))
            if line.rstrip() != line and is_code(path):
                found.append(Finding(path, number, "space", "white space at the end of the line"))
            if LOCAL.search(line):
                found.append(Finding(path, number, "local", "a path of somebody's own machine"))
            todo = TODO.search(line) if is_code(path) else None
            # "TODO: because ..." says why it is not done; a bare one, or one of a few letters, does not.
            if todo and not path.startswith("tests/lint/") and not re.match(r": \S+( \S+){3,}", todo.group(2)):
                found.append(Finding(path, number, "todo", "a TODO says why it stands: \"TODO: <reason>\""))
    return found
