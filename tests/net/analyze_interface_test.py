# SPDX-License-Identifier: BSL-1.0
"""`wiregap analyze --interface`: what passes this machine's loopback, while it passes."""

import json
import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import program  # noqa: E402

PATIENCE = program.PATIENCE


class Interface(unittest.TestCase):
    def captured(self, *options):
        """What a capture of the loopback says of two queries of three."""
        with program.serve() as server, program.serve() as other:
            command = [program.PROGRAM, "analyze", "--interface", "lo", "--json", "-", "--good", "5s", "--bad", "10s",
                       "--port", str(server.port), *options]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                self.assertIn(b"capturing on lo", process.stderr.readline())
                for port in (server.port, other.port, server.port):
                    run = program.wiregap("query", "-S", f"127.0.0.1,{port}", "-U", "sa", "-N", "disable", "SELECT 5")
                    self.assertEqual(run.status, 0, run)
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, err)
        return json.loads(out)

    def test_exchanges(self):
        out = self.captured()
        self.assertEqual(out["streams"]["connections"], 2)
        self.assertEqual((out["requests"], out["unanswered"], out["decode_errors"]), (2, 0, 0))
        self.assertEqual((out["retransmissions"], out["duplicates_removed"]), (0, 0))
        self.assertEqual([each["statement"] for each in out["slowest"] if each["kind"] == "sql_batch"], ["SELECT 5"] * 2)
        self.assertEqual(out["files"][0]["name"], "interface lo")

    def test_an_interface_that_is_not_there(self):
        run = program.wiregap("analyze", "--interface", "nosuch0")
        self.assertEqual(run.status, 2)
        self.assertIn("nosuch0", run.err)

    def test_an_end_that_is_set(self):
        run = program.wiregap("analyze", "--interface", "lo", "--port", "1", "--duration", "200ms")
        self.assertEqual(run.status, 2)
        self.assertIn("no TDS in it", run.err)


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("skipped: capturing needs root")
        sys.exit(77)
    program.main()
