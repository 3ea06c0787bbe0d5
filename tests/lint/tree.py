# SPDX-License-Identifier: BSL-1.0
"""The files that a check looks at, and what it reports.

A check is a function from a Tree to a list of Findings. A Tree stands for the tracked files of the repository, or, in
selftest.py, for a few lines of text: each check is shown there to find what it is for.
"""
import dataclasses
import pathlib
import subprocess

CPP = (".cpp", ".hpp")
SCRIPTS = (".py", ".sh", ".cmake")


@dataclasses.dataclass(frozen=True)
class Finding:
    path: str
    line: int
    rule: str
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: [{self.rule}] {self.text}"


class Tree:
    """Paths relative to the root, with `/`, and their text."""

    def __init__(self, files):
        self._files = dict(files)  # path -> text, or None when it is read on demand
        self.root = None

    @classmethod
    def of_repository(cls, root):
        root = pathlib.Path(root)
        try:
            # New files that are not ignored count too: the check runs before the commit.
            out = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                 check=True, capture_output=True).stdout
            names = [name.decode() for name in out.split(b"\0") if name]
        except (OSError, subprocess.CalledProcessError):  # a source archive without git
            names = [p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()]
            names = [n for n in names if not n.startswith((".git/", "build/")) and "node_modules/" not in n]
        tree = cls({name: None for name in sorted(names) if (root / name).is_file()})
        tree.root = root
        return tree

    def paths(self, *suffixes):
        return [p for p in self._files if not suffixes or p.endswith(suffixes)]

    def __contains__(self, path):
        path = path.rstrip("/")
        return path in self._files or any(p.startswith(path + "/") for p in self._files)

    def text(self, path):
        """The file's text; None when it is not text."""
        if self._files[path] is None:
            raw = (self.root / path).read_bytes()
            try:
                self._files[path] = "" if b"\0" in raw else raw.decode()
            except UnicodeDecodeError:
                self._files[path] = ""
        return self._files[path]

    def lines(self, path):
        """(number, line) from 1."""
        return list(enumerate(self.text(path).splitlines(), 1))
