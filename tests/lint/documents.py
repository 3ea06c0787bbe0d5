# SPDX-License-Identifier: BSL-1.0
"""What the documents say exists: files that they link to, scripts, presets, targets, and the program's own commands."""
import json
import posixpath
import re
import shlex
import subprocess

from tree import Finding

FENCE = re.compile(r"^```(\w*)\s*$")
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(#[^)\s]*)?\)")
SHELLS = ("sh", "bash", "shell", "console")


def commands(tree, path):
    """(line, words) of every command in a shell block of a document; in `console` blocks those behind `$ `."""
    language, joined, start = None, "", 0
    for number, line in tree.lines(path):
        fence = FENCE.match(line.strip())
        if fence:
            language = (fence.group(1) or "text") if language is None else None
            continue
        if language not in SHELLS:
            continue
        if language == "console" and not joined:
            if not line.startswith("$ "):
                continue
            line = line[2:]
        start = start if joined else number
        joined += line
        if joined.endswith("\\"):
            joined = joined[:-1] + " "
            continue
        for part in re.split(r"&&|\|\||[;|]", re.sub(r"(^|\s)#.*", "", joined)):
            try:
                words = shlex.split(part)
            except ValueError:
                words = part.split()
            while words and re.match(r"^[A-Za-z_]\w*=|^(sudo|env|time)$", words[0]):
                words = words[1:]
            # Behind -- stands a command of its own.
            ends = [at for at, word in enumerate(words) if word == "--"] + [len(words)]
            for begin, end in zip([0, *(at + 1 for at in ends)], ends):
                if begin < end:
                    yield start, words[begin:end]
        joined = ""


def documents(tree):
    return [p for p in tree.paths(".md") if "node_modules/" not in p]


def presets(tree):
    known = json.loads(tree.text("CMakePresets.json"))
    return {entry["name"] for kind, entries in known.items() if kind.endswith("Presets") for entry in entries}


def check_links(tree):
    found = []
    for path in documents(tree):
        for number, line in tree.lines(path):
            for target, _ in LINK.findall(line):
                if "://" in target or target.startswith("mailto:"):
                    continue
                if posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) not in tree:
                    found.append(Finding(path, number, "link", f"{target} does not exist"))
    return found


def check_commands(tree):
    found = []
    for path in documents(tree):
        for number, words in commands(tree, path):
            script = words[1] if words[0] in ("bash", "sh", "python3") and len(words) > 1 else words[0]
            script = script.removeprefix("./")
            if re.match(r"^[\w./-]+\.(sh|py)$", script) and script not in tree:
                found.append(Finding(path, number, "command", f"{script} does not exist"))
            if words[0] in ("cmake", "ctest") and "--preset" in words[:-1]:
                preset = words[words.index("--preset") + 1]
                if preset not in presets(tree):
                    found.append(Finding(path, number, "command", f"no preset {preset}"))
            built = re.match(r"^build/([\w-]+)/bin/", words[0])
            if built and built.group(1) not in presets(tree):
                found.append(Finding(path, number, "command", f"no preset {built.group(1)}"))
    return found


def help_of(program, cache={}):
    """A function from a command's name to its help text, None when the program does not know it."""
    def ask(command):
        if command not in cache:
            run = subprocess.run([program, *([command] if command else []), "--help"], capture_output=True, text=True,
                                 check=False, timeout=60)
            cache[command] = run.stdout if run.returncode == 0 else None
        return cache[command]
    return ask


def check_program(tree, help_text):
    """Every `wiregap COMMAND --flag` in the documents is one that the program's own help lists."""
    found = []
    for path in documents(tree):
        for number, words in commands(tree, path):
            if words[0].rsplit("/", 1)[-1] != "wiregap":
                continue
            command = words[1] if len(words) > 1 and not words[1].startswith("-") else ""
            text = help_text(command)
            if text is None:
                found.append(Finding(path, number, "command", f"wiregap has no command {command}"))
                continue
            for word in words[1:]:
                flag = re.match(r"^(--[a-z][\w-]*|-[A-Za-z])(=|$)", word)
                if flag and flag.group(1) not in ("--help", "--version"):
                    if not re.search(rf"(?<![\w-]){re.escape(flag.group(1))}(?![\w-])", text):
                        found.append(Finding(path, number, "command", f"wiregap {command} has no {flag.group(1)}"))
    return found
