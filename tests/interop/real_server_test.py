# SPDX-License-Identifier: BSL-1.0
"""Our client against a real server, when TDS_TEST_SERVER (host,port), TDS_TEST_USER and SQLCMDPASSWORD name one."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from serving import PROGRAM, SKIPPED, UNICODE

SERVER = os.environ.get("TDS_TEST_SERVER", "")
USER = os.environ.get("TDS_TEST_USER", "sa")
MODES = {"disable": ("-N", "disable"), "optional": ("-N", "optional", "-C"), "mandatory": ("-N", "mandatory", "-C")}


def run(command, mode, *more, sql=None):
    return subprocess.run([PROGRAM, command, "-S", SERVER, "-U", USER, *MODES[mode], *more], input=sql, capture_output=True,
                          text=True, timeout=120, check=False)


class RealServer(unittest.TestCase):
    def rows(self, mode, sql, *more):
        done = run("query", mode, "--json", *more, "-", sql=sql)
        self.assertEqual((done.returncode, done.stderr), (0, ""), sql)
        return [result["rows"] for result in json.loads(done.stdout)["results"]]

    def test_query(self):
        for mode in MODES:
            with self.subTest(encrypt=mode):
                self.assertEqual(self.rows(mode, "SELECT 1"), [[[1]]])
                self.assertEqual(self.rows(mode, "SELECT 1 SELECT 2, 3"), [[[1]], [[2, 3]]])
                ((version, spid),), = self.rows(mode, "SELECT @@VERSION, @@SPID")
                self.assertTrue(version)
                self.assertGreater(spid, 0)
                self.assertEqual(self.rows(mode, f"SELECT NULL, N'{UNICODE}', CAST(2.5 AS decimal(9,2)), 0x00FF"),
                                 [[[None, UNICODE, "2.50", "0x00FF"]]])
                self.assertEqual(self.rows(mode, "SELECT REPLICATE(CAST('x' AS varchar(max)), 100000)"),
                                 [[["x" * 100_000]]])

    def test_packet_sizes(self):
        for mode in MODES:
            for size in ("512", "4096", "16383"):
                with self.subTest(encrypt=mode, size=size):
                    text = "y" * 20_000
                    self.assertEqual(self.rows(mode, f"SELECT CAST('{text}' AS varchar(max))", "-a", size), [[[text]]])

    def test_an_error(self):
        for mode in MODES:
            with self.subTest(encrypt=mode):
                done = run("query", mode, "RAISERROR('bad', 16, 3)")
                self.assertEqual(done.returncode, 1)
                self.assertIn("Msg 50000, Level 16, State 3", done.stderr)
                done = run("query", mode, "SELECT * FROM there_is_no_such_table")
                self.assertEqual(done.returncode, 1)
                self.assertIn("there_is_no_such_table", done.stderr)

    def test_probe(self):
        for mode in MODES:
            with self.subTest(encrypt=mode), tempfile.TemporaryDirectory() as folder:
                report = os.path.join(folder, "report.json")
                done = run("probe", mode, "--duration", "3s", "--json", report)
                # A slow moment of the server is no fault of ours: 1 stands beside 0.
                self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
                with open(report, encoding="utf-8") as file:
                    measured = json.load(file)
                self.assertGreater(measured["requests"], 10)
                self.assertGreater(measured["latency_us"]["p50"], 0)
                self.assertLessEqual(measured["latency_us"]["p50"], measured["latency_us"]["max"])


if __name__ == "__main__":
    if not PROGRAM or not SERVER:
        print("skipped: TDS_TEST_SERVER names no server" if PROGRAM else "skipped: WIREGAP_PROGRAM names no program")
        sys.exit(SKIPPED)
    unittest.main()
