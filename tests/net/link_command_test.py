# SPDX-License-Identifier: BSL-1.0
"""`wiregap link` itself: what it runs, what it refuses, what it leaves behind; and the way to a real server."""

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import unittest

from link_runs import PATIENCE, PEER, PROGRAM, SERVER, main, namespaces, wiregap


def standing(*arguments):
    """A link without a command, once it says that it stands; its process."""
    process = subprocess.Popen([PROGRAM, "link", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = []
    while not lines or not lines[-1].startswith("Ctrl-C"):
        line = process.stdout.readline()
        if not line:
            raise AssertionError(process.stderr.read())
        lines.append(line)
    process.told = "".join(lines)
    return process


class Commands(unittest.TestCase):
    def test_status_is_the_commands(self):
        self.assertEqual(wiregap("link", "--", "sh", "-c", "exit 7").returncode, 7)
        self.assertEqual(wiregap("link", "--", "sh", "-c", "kill -9 $$").returncode, 128 + 9)

    def test_the_command_is_alone_with_the_server(self):
        run = wiregap("link", "--", "cat", "/proc/thread-self/net/dev")
        self.assertEqual(re.findall(r"^ *(\w+):", run.stdout, re.M), ["lo", "wiregap0"])

    def test_the_server_command_ends_with_the_link(self):
        run = wiregap("link", "--server-command", f"echo $$ >&2; {SERVER}", "--", "true")
        self.assertEqual(run.returncode, 0, run.stderr)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(run.stderr.split()[0]), 0)

    def test_stands_until_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with standing("--delay", "1ms") as process:
                names = re.findall(r"namespace (wiregap-\S+)", process.told)
                self.assertEqual(names, [f"wiregap-{process.pid}-1-client", f"wiregap-{process.pid}-1-server"])
                self.assertTrue(set(names) <= set(namespaces()))
                process.send_signal(number)
                self.assertEqual(process.wait(PATIENCE), 0)
            self.assertFalse(set(names) & set(namespaces()))

    def test_what_a_killed_one_left_goes_with_the_next(self):
        with standing() as process:
            process.kill()
            process.wait(PATIENCE)
        name = f"wiregap-{process.pid}-1-client"
        self.assertIn(name, namespaces())
        wiregap("link", "--", "true")
        self.assertNotIn(name, namespaces())

    def test_two_at_once(self):
        with standing() as one:
            self.assertEqual(wiregap("link", "--", "true").returncode, 0)
            self.assertIn(f"wiregap-{one.pid}-1-server", namespaces())
            one.send_signal(signal.SIGINT)


class Refusals(unittest.TestCase):
    def refused(self, *arguments, **options):
        run = wiregap("link", *arguments, **options)
        self.assertEqual((run.returncode, run.stdout), (2, ""), run)
        return run.stderr

    def test_without_root(self):
        said = self.refused("--", "true", user=65534)
        self.assertIn("only root may", said)

    def test_words(self):
        for arguments, words in (
                (("--delay", "5"), ("--delay 5", "needs a unit", "5ms")),
                (("--delay", "request:fast"), ("--delay request:fast", "not a duration")),
                (("--rate", "10"), ("--rate 10", "Mbit")),
                (("--queue", "64"), ("--queue 64", "KiB")),
                (("--lose", "evry=3"), ("--lose evry=3", "every=N")),
                (("--lose", "every=0"), ("every is at least 1",)),
                (("--lose", "every=x"), ("whole number",)),
                (("--lose", "probability=2"), ("between 0 and 1",)),
                (("--late", "every=3"), ("--late every=3", "not a duration")),
                (("--merge", "push=lost"), ("keep, first, clear",)),
                (("--windows-receiver", "both"), ("client or server",)),
                (("--pause", "at=3s"), ("--pause at=3s", "not a duration")),
                (("--sysctl", "net.ipv4.tcp_sack"), ("a name and a value",)),
                (("--sysctl", "net.ipv4.no_such=1"), ("cannot set net.ipv4.no_such",)),
                (("--serve-to", "somewhere"), ("a host and a port",)),
                (("--ledger", "/nonexistent/file"), ("/nonexistent/file", "cannot be written")),
        ):
            with self.subTest(arguments):
                said = self.refused(*arguments, "--", "true")
                for word in words:
                    self.assertIn(word, said)

    def test_programs(self):
        self.assertIn("cannot be started", self.refused("--", "/nonexistent/program"))
        self.assertIn("status 3", self.refused("--server-command", "exit 3", "--", "true"))
        self.assertIn("cannot be reached", self.refused("--serve-to", "127.0.0.1:1", "--", "true"))
        self.assertEqual([name for name in namespaces() if name.startswith(f"wiregap-{os.getpid()}")], [])


class Relay(unittest.TestCase):
    def test_to_a_server_outside(self):
        with subprocess.Popen([sys.executable, PEER, "server", "14330"]) as server:
            try:
                self.talk()
            finally:
                server.kill()

    def talk(self):
        client = ["--", sys.executable, PEER, "client"]
        arguments = ["link", "--serve-to", "127.0.0.1:14330"]
        for _ in range(100):
            plain = wiregap(*arguments, *client, "3000", "3000", "200", "60", "14330")
            if plain.returncode != 2:  # the server has come up
                break
        self.assertEqual(plain.returncode, 0, plain.stderr)
        told = json.loads(plain.stdout)
        self.assertEqual(len(told["times"]), 200)
        # No stall of the relay's own: Nagle's would be 40 ms and more on each.
        self.assertLess(statistics.median(told["times"]), 0.030)
        bulk = wiregap(*arguments, *client, "3000000", "3000000", "3", "60", "14330")
        self.assertEqual(len(json.loads(bulk.stdout)["times"]), 3)
        delayed = wiregap(*arguments, "--delay", "20ms", *client, "100", "100", "5", "60", "14330")
        self.assertGreaterEqual(min(json.loads(delayed.stdout)["times"]), 0.040)

    def test_tds_over_the_link(self):
        run = wiregap("link", "--server-command", f"exec {PROGRAM} serve --any-user --listen 0.0.0.0:1433", "--delay",
                      "10ms", "--", PROGRAM, "query", "-S", "10.77.0.2", "-U", "someone", "-C", "--timing", "SELECT 1",
                      env={**os.environ, "SQLCMDPASSWORD": "any"})
        self.assertEqual(run.returncode, 0, run.stderr)


if __name__ == "__main__":
    main()
