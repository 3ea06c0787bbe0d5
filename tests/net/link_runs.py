# SPDX-License-Identifier: BSL-1.0
"""Runs of `wiregap link` with link_peer.py at both ends, and what they left behind."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("WIREGAP_PROGRAM")
HERE = os.path.dirname(os.path.abspath(__file__))
PEER = os.path.join(HERE, "link_peer.py")
SERVER = f"exec {sys.executable} {PEER} server"
# How long anything may take on a busy machine; never the measure of something.
PATIENCE = 200


def wiregap(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE, check=False,
                          **options)


def namespaces():
    try:
        return sorted(name for name in os.listdir("/run/netns") if name.startswith("wiregap-"))
    except FileNotFoundError:
        return []


class Run:
    """One conversation: its times, the ledger, both captures."""

    def __init__(self, test, *impairments, request=100, response=100, count=20, patience=60.0):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.captures = {side: os.path.join(folder.name, side + ".pcapng") for side in ("client", "server")}
        ledger = os.path.join(folder.name, "ledger.jsonl")
        ended = wiregap("link", *impairments, "--server-command", SERVER, "--ledger", ledger,
                        "--client-pcap", self.captures["client"], "--server-pcap", self.captures["server"],
                        "--", sys.executable, PEER, "client", request, response, count, patience)
        test.assertEqual(ended.returncode, 0, ended.stderr)
        self.summary = ended.stderr
        self.__dict__.update(json.loads(ended.stdout))
        with open(ledger, encoding="ascii") as lines:
            self.ledger = [json.loads(line) for line in lines]

    def deeds(self, what, direction=None):
        return [entry for entry in self.ledger
                if entry["what"] == what and direction in (None, entry["direction"])]

    def packets(self, side, display_filter, *fields):
        """The fields of each packet that tshark shows for the filter, checksums verified."""
        command = ["tshark", "-r", self.captures[side], "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE",
                   "-Y", display_filter, "-T", "fields"]
        for field in fields or ("frame.number",):
            command += ["-e", field]
        shown = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        if shown.returncode != 0:
            raise AssertionError(shown.stderr)
        return [line.split("\t") for line in shown.stdout.splitlines()]


class LinkTest(unittest.TestCase):
    def run_link(self, *arguments, **options):
        return Run(self, *arguments, **options)

    def need_tshark(self):
        if not shutil.which("tshark"):
            self.skipTest("tshark is not installed")


def main():
    if not PROGRAM:
        print("skipped: WIREGAP_PROGRAM names no program")
        sys.exit(77)
    if os.geteuid() != 0:
        print("skipped: the impaired link needs root")
        sys.exit(77)
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        print("skipped: no /dev/net/tun here")
        sys.exit(77)
    made = wiregap("link", "--", "true")
    if made.returncode == 2 and "cannot make the network namespace" in made.stderr:
        print(f"skipped: {made.stderr.strip()}")
        sys.exit(77)
    unittest.main()
