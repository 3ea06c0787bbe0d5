# SPDX-License-Identifier: BSL-1.0
"""Functions stay within 60 lines; the lines of a switch do not count, for a decoder's switch is one list.

An approximation by braces: comments, strings and preprocessor lines are blanked, then every outermost `{` that follows a
parameter list (or what may stand between it and the body) opens a function.
"""
import re

from tree import CPP, Finding

LIMIT = 60
RAW_STRING = re.compile(r'R"([^()\\ ]{0,16})\((?:.|\n)*?\)\1"')
TOKEN = re.compile(r"//[^\n]*|/\*(?:.|\n)*?\*/"
                   r'|"(?:\\.|[^"\\\n])*"'
                   r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'"
                   r"|^[ ]*#(?:[^\n\\]|\\.|\\\n)*", re.M)
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern|requires)\b[^;{}()]*$")


def blank(text):
    """The text with everything blanked that may hold a brace of no meaning; lines stay where they are."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return TOKEN.sub(spaces, RAW_STRING.sub(spaces, text))


def close_of(text, opening):
    """The index of the brace that closes the one at `opening`."""
    depth = 0
    for i in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text) - 1


def body_end(text, opening):
    """The end of the function whose head is followed by the brace at `opening`, which may still be a member
    initialiser: `x() : a_{1}, b_(2) { body }`."""
    end = close_of(text, opening)
    while re.match(r"\s*[,{]", text[end + 1:]):
        following = text.find("{", end + 1)
        if following < 0:
            break
        end = close_of(text, following)
    return end


def functions(text):
    """(first line, last line, lines inside switch statements) of each function body."""
    text = blank(text)
    line_of = lambda i: text.count("\n", 0, i) + 1
    i = 0
    while (i := text.find("{", i)) >= 0:
        head = text[max(text.rfind(c, 0, i) for c in ";{}") + 1:i]
        if SCOPE.search(head) or not re.search(r"\)", head):
            # A scope, or an initialiser: look inside a scope, step over an initialiser.
            i = i + 1 if SCOPE.search(head) else close_of(text, i) + 1
            continue
        end = body_end(text, i)
        start = line_of(i - len(head) + len(head) - len(head.lstrip()))
        switched = 0
        at = i
        while match := re.compile(r"\bswitch\b[^{;]*\{").search(text, at, end):
            at = close_of(text, match.end() - 1)
            switched += line_of(at) - line_of(match.end() - 1)
        yield start, line_of(end), switched
        i = end + 1


def check_functions(tree):
    found = []
    for path in tree.paths(*CPP):
        for first, last, switched in functions(tree.text(path)):
            count = last - first + 1 - switched
            if count > LIMIT:
                found.append(Finding(path, first, "function", f"a function of {count} lines, at most {LIMIT}"))
    return found
