# SPDX-License-Identifier: BSL-1.0
"""Checks that another program does: clang-format, bash -n, shellcheck."""
import re
import shutil
import subprocess

from tree import CPP, Finding

CLANG_FORMAT_MAJOR = "14"  # another version formats some lines otherwise


class Absent(Exception):
    """The program is not on this machine; the text says which."""


def clang_format():
    for name in (f"clang-format-{CLANG_FORMAT_MAJOR}", "clang-format"):
        program = shutil.which(name)
        if program:
            version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
            match = re.search(r"version (\d+)\.", version)
            if match and match.group(1) == CLANG_FORMAT_MAJOR:
                return program
    raise Absent(f"clang-format {CLANG_FORMAT_MAJOR} is not installed (Debian: clang-format-{CLANG_FORMAT_MAJOR})")


def check_format(tree):
    program = clang_format()
    paths = tree.paths(*CPP)
    run = subprocess.run([program, "--dry-run", "--style=file", *paths], cwd=tree.root, capture_output=True, text=True,
                         check=False)
    found = {}
    for match in re.finditer(r"^(\S+?):(\d+):\d+: warning: code should be clang-formatted", run.stderr, re.M):
        found.setdefault(match.group(1), int(match.group(2)))
    findings = [Finding(path, line, "format", "clang-format -i mends it") for path, line in found.items()]
    if run.returncode != 0 and not findings:
        findings.append(Finding(".clang-format", 1, "format", run.stderr.strip()))
    return findings


def check_shell(tree):
    found = []
    scripts = tree.paths(".sh") + [p for p in tree.paths() if p == ".ci/run"]
    for path in scripts:
        run = subprocess.run(["bash", "-n", path], cwd=tree.root, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            found.append(Finding(path, 1, "shell", run.stderr.strip()))
    program = shutil.which("shellcheck")
    if program is None:
        raise Absent("shellcheck is not installed")
    run = subprocess.run([program, "--format=gcc", "--severity=warning", *scripts], cwd=tree.root, capture_output=True,
                         text=True, check=False)
    for match in re.finditer(r"^(\S+?):(\d+):\d+: (.*)$", run.stdout, re.M):
        found.append(Finding(match.group(1), int(match.group(2)), "shell", match.group(3)))
    return found
