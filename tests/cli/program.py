# SPDX-License-Identifier: BSL-1.0
"""What the tests of the program share: running it, and the servers it talks to."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import threading
import time
import unittest

PROGRAM = os.environ.get("WIREGAP_PROGRAM")
PASSWORD = "S3cret-that-nobody-sees"
# How long anything may take on a busy machine; never the measure of something.
PATIENCE = 120


def environment(**changes):
    env = {key: value for key, value in os.environ.items() if key not in ("SQLCMDPASSWORD", "NO_COLOR")}
    env["SQLCMDPASSWORD"] = PASSWORD
    env.update(changes)
    return {key: value for key, value in env.items() if value is not None}


class Ended:
    def __init__(self, arguments, process, seconds):
        self.arguments = arguments
        self.status = process.returncode
        self.out = process.stdout.decode()
        self.err = process.stderr.decode()
        self.seconds = seconds

    def __repr__(self):
        return f"wiregap {' '.join(self.arguments)}: status {self.status}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


def wiregap(*arguments, stdin=b"", env=None):
    arguments = [str(argument) for argument in arguments]
    began = time.monotonic()
    process = subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, timeout=PATIENCE, check=False,
                             env=env or environment())
    return Ended(arguments, process, time.monotonic() - began)


@contextlib.contextmanager
def serve(*options):
    """The embedded server on a free port: yields the process; .port is where it listens."""
    with subprocess.Popen([PROGRAM, "serve", "--listen", "127.0.0.1:0", *options], stdout=subprocess.PIPE,
                          env=environment()) as server:
        try:
            found = re.match(rb"listening on 127\.0\.0\.1:(\d+)", server.stdout.readline())
            if not found:
                raise AssertionError("the embedded server does not say where it listens")
            server.port = int(found.group(1))
            yield server
        finally:
            server.kill()


@contextlib.contextmanager
def peer(talk):
    """A server that is none: `talk(connection)` for each connection, which is closed when it returns."""
    listener = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def one(connection):
        with connection, contextlib.suppress(OSError):
            connection.settimeout(PATIENCE)
            talk(connection, stop)

    def accept():
        while not stop.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=one, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        stop.set()
        listener.close()


def main():
    if not PROGRAM:
        print("skipped: WIREGAP_PROGRAM names no program")
        sys.exit(77)
    unittest.main()
