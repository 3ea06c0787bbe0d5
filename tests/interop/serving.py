# SPDX-License-Identifier: BSL-1.0
"""What the interop tests share: our server as a process, its statements and the values that they give."""

import datetime
import os
import subprocess
import tempfile

PROGRAM = os.environ.get("WIREGAP_PROGRAM", "")
HERE = os.path.dirname(os.path.abspath(__file__))
PASSWORD = "Interop-\u00e4-1!"
SKIPPED = 77

UNICODE = "n\u00e4me \u2603 \U0001d11e"
LONG = 100_000
UNKNOWN = "FROBNICATE everything"
UNKNOWN_TEXT = "The embedded server does not know this statement: 'FROBNICATE everything'"

MIXED_NAMES = ["id", "big", "flag", "price", "ratio", "name", "code", "created", "day", "data"]


class Server:
    """`wiregap serve` on a free port, with a certificate of its own for localhost in `certificate`."""

    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory(prefix="wiregap-interop-")
        self.certificate = os.path.join(self.folder.name, "certificate.pem")
        command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--write-certificate", self.certificate, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env={**os.environ, "SQLCMDPASSWORD": PASSWORD})
        line = self.process.stdout.readline()
        if not line.startswith("listening on 127.0.0.1:"):
            raise RuntimeError(f"wiregap serve said {line!r}")
        self.port = int(line.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.process.stdout.close()
        self.folder.cleanup()


def mixed_row(i):
    """Row `i` of mixed_rows, in Python's types; the decimal and the time as the text that is exact."""
    sign = "-" if i % 3 == 2 else ""
    day = datetime.date(2024, 1, 1) + datetime.timedelta(days=i % 365)
    ticks = i * 1_234_567
    clock = datetime.timedelta(seconds=ticks // 10_000_000)
    price = i * 10_001
    cells = [
        i,
        i * 1_000_000_007,
        i % 2 == 1,
        f"{sign}{price // 10_000}.{price % 10_000:04}",
        i / 8,
        f"n\u00e4me {i}",
        f"code-{i}",
        f"{day} 0{clock}.{ticks % 10_000_000:07}",
        str(day),
        "0x" + bytes(i + b for b in range(1 + i % 16)).hex().upper(),
    ]
    return [None if c > 0 and (i + c) % 11 == 0 else cell for c, cell in enumerate(cells)]


def mixed_rows(count):
    return [mixed_row(i) for i in range(count)]


def is_now(text):
    """Whether a time of SYSUTCDATETIME() is at most ten minutes away, in either of ISO's spellings."""
    then = datetime.datetime.fromisoformat(text.replace("T", " ").rstrip("Z")[:26])
    now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
    return abs(now - then) < datetime.timedelta(minutes=10)
