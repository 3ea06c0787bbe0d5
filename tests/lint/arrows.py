# SPDX-License-Identifier: BSL-1.0
"""Arrows never turn back: which folder may include what."""
import posixpath
import re

from tree import CPP, Finding

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

# A folder may include itself and what is named here. bytes <- protocol <- session <- { client, server, dissect },
# { dissect, tls } <- capture, tls <- channel <- { client, server }; wire <- all of tds but the core.
CORE = ("tds/bytes/", "tds/protocol/", "tds/session/")
MAY_INCLUDE = {
    "tds/bytes/": (),
    "tds/protocol/": ("tds/bytes/",),
    "tds/session/": ("tds/bytes/", "tds/protocol/"),
    "tds/tls/": ("tds/bytes/", "tds/protocol/"),
    "tds/auth/": ("tds/bytes/", "tds/protocol/", "tds/session/"),
    "tds/dissect/": ("tds/bytes/", "tds/protocol/", "tds/session/", "wire/"),
    "tds/capture/": ("tds/bytes/", "tds/protocol/", "tds/dissect/", "tds/tls/", "wire/"),
    "tds/channel/": ("tds/bytes/", "tds/protocol/", "tds/tls/", "wire/"),
    "tds/client/": ("tds/bytes/", "tds/protocol/", "tds/session/", "tds/tls/", "tds/auth/", "tds/channel/", "wire/"),
    "tds/server/": ("tds/bytes/", "tds/protocol/", "tds/session/", "tds/tls/", "tds/auth/", "tds/channel/", "wire/"),
    "lib/wire/": ("wire/",),
    "bench/": ("bench/", "tds/", "wire/"),
    "examples/": ("tds/", "wire/"),  # public headers only
}
LIBRARIES = [folder for folder in MAY_INCLUDE if folder.startswith(("tds/", "lib/"))]
OURS = ("tds/", "wire/", "bench/", "examples/", "tests/")

# What the core may not touch even though it is the standard library: threads, files, the console.
STD_OUTSIDE_CORE = {"thread", "mutex", "shared_mutex", "condition_variable", "future", "semaphore", "latch", "barrier",
                    "fstream", "filesystem", "iostream", "ctime", "time.h"}
CLOCK = re.compile(r"\b(steady|system|high_resolution)_clock::now\b|\bclock_gettime\b|\bgettimeofday\b")
ICU = "unicode/"
ICU_FOLDER = "tds/protocol/types/"

PLATFORM = re.compile(r"^(linux|sys|net|netinet|arpa|asm|bits)/"
                      r"|^(unistd|poll|netdb|fcntl|ifaddrs|pthread|sched|dlfcn|termios|pwd|syslog|mqueue|spawn)\.h$"
                      r"|^(windows|winsock2?|ws2tcpip|mstcpip|mswsock|iphlpapi|netioapi|sspi|security|io|conio)\.h$", re.I)
PLATFORM_MACRO = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b.*\b(__linux__|__unix__|__APPLE__|_WIN32|_WIN64|_MSC_VER)\b")
PLATFORM_FILE = re.compile(r"_(linux|windows)\.[ch]pp$")


def includes(tree, path):
    """(line, name, how) of each include; a name in quotes is seen from the file's own folder first."""
    for number, line in tree.lines(path):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(2)
        if match.group(1) == '"' and not name.startswith(OURS):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(path), name)).removeprefix("lib/")
        yield number, name


def check_arrows(tree):
    found = []
    for path in tree.paths(*CPP):
        folder = next((f for f in MAY_INCLUDE if path.startswith(f)), None)
        if folder is None:
            if path.startswith(("tds/", "lib/")):
                found.append(Finding(path, 1, "arrows", "a new folder: say in tests/lint/arrows.py what it may include"))
            continue
        allowed = MAY_INCLUDE[folder] + (folder.removeprefix("lib/"),)
        for number, name in includes(tree, path):
            if name.startswith(OURS) and not name.startswith(allowed):
                found.append(Finding(path, number, "arrows", f"{folder} may not include <{name}>"))
            if name.startswith("openssl/") and folder in LIBRARIES and folder != "tds/tls/":
                found.append(Finding(path, number, "arrows", "OpenSSL stays inside tds/tls"))
            owner = name.split("detail/")[0] if name.startswith(OURS) and "/detail/" in name else None
            if owner and not path.removeprefix("lib/").startswith(owner):
                found.append(Finding(path, number, "arrows", f"<{name}> is the affair of {owner}"))
    return found


def core_violation(path, name):
    if name.startswith(OURS) or name.startswith("boost/system/"):
        return None
    if name.startswith(ICU):
        if path.startswith(ICU_FOLDER) and path.endswith(".cpp"):
            return None
        return f"ICU belongs to one .cpp of {ICU_FOLDER}"
    if "/" in name or name.endswith((".h", ".hpp")) or name in STD_OUTSIDE_CORE:
        return "the core uses the standard library and Boost.System only, no thread, file, socket or clock"
    return None


def check_core(tree):
    found, with_icu = [], set()
    for path in (p for p in tree.paths(*CPP) if p.startswith(CORE)):
        for number, name in includes(tree, path):
            reason = core_violation(path, name)
            if reason:
                found.append(Finding(path, number, "core", f"<{name}>: {reason}"))
            elif name.startswith(ICU):
                with_icu.add((path, number))
        for number, line in tree.lines(path):
            if CLOCK.search(line):
                found.append(Finding(path, number, "core", "the core reads no clock: time comes in with an event"))
    files = sorted({path for path, _ in with_icu})
    for path in files[1:]:
        number = min(n for p, n in with_icu if p == path)
        found.append(Finding(path, number, "core", f"ICU belongs to one file only, and {files[0]} has it"))
    return found


def check_platform(tree):
    found = []
    for path in tree.paths(*CPP):
        if PLATFORM_FILE.search(path):
            continue
        for number, name in includes(tree, path):
            if PLATFORM.match(name):
                found.append(Finding(path, number, "platform", f"<{name}> belongs to a *_linux.cpp or *_windows.cpp"))
        for number, line in tree.lines(path):
            if PLATFORM_MACRO.match(line):
                found.append(Finding(path, number, "platform", "one platform's code goes to *_linux.cpp or *_windows.cpp"))
    return found
