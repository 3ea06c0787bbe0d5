# SPDX-License-Identifier: BSL-1.0
"""Our client against our server: every statement in every TLS mode and every TDS version."""

import itertools
import json
import os
import subprocess
import sys
import unittest

from serving import LONG, PASSWORD, PROGRAM, UNICODE, UNKNOWN, UNKNOWN_TEXT, Server, is_now, mixed_rows, MIXED_NAMES

VERSIONS = ("7.1", "7.2", "7.3A", "7.3B", "7.4")
# The client's mode, and the servers that it goes with.
MODES = (("disable", "off"), ("disable", "not-supported"), ("optional", "off"), ("optional", "not-supported"),
         ("optional", "required"), ("mandatory", "off"), ("mandatory", "required"))


class OwnClient(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        kinds = ("off", "required", "not-supported", "strict")
        cls.servers = {kind: cls.enterClassContext(Server("--encryption", kind)) for kind in kinds}

    @classmethod
    def enterClassContext(cls, context):  # Python 3.11 has it
        entered = context.__enter__()
        cls.addClassCleanup(context.__exit__, None, None, None)
        return entered

    def ask(self, way, sql, password=PASSWORD, more=()):
        mode, kind, version = way
        server = self.servers[kind]
        command = [PROGRAM, "query", "--json", "-S", f"127.0.0.1,{server.port}", "-U", "sa", "-N", mode, "--tds-version",
                   version, "--ca-file", server.certificate, "-F", "localhost", *more, "-"]
        run = subprocess.run(command, input=sql, capture_output=True, text=True, timeout=60, check=False,
                             env={**os.environ, "SQLCMDPASSWORD": password})
        results = json.loads(run.stdout)["results"] if run.stdout else None
        return run.returncode, results, run.stderr

    def every_statement(self, way):
        def rows(sql):
            status, results, messages = self.ask(way, sql)
            self.assertEqual((status, messages), (0, ""), sql)
            return [result["rows"] for result in results]

        self.assertEqual(rows("SELECT 1"), [[[1]]])
        ((version, spid, now),), = rows("SELECT @@VERSION, @@SPID, SYSUTCDATETIME()")
        self.assertRegex(version, r"^wiregap embedded server - \d+\.\d+")
        self.assertGreater(spid, 50)
        self.assertTrue(is_now(now), now)
        self.assertEqual(rows(f"SELECT REPLICATE(CAST('ab' AS varchar(max)), {LONG // 2})"), [[["ab" * (LONG // 2)]]])
        self.assertEqual(rows(f"SELECT REPLICATE(CAST(N'\u00e4' AS nvarchar(max)), {LONG}) a, 7 b"), [[["\u00e4" * LONG, 7]]])
        self.assertEqual(rows(f"SELECT NULL, N'{UNICODE}', 'it''s', 0x00FF, -1, 2.50, CAST(NULL AS nvarchar(max))"),
                         [[[None, UNICODE, "it's", "0x00FF", -1, "2.50", None]]])
        self.assertEqual(rows("SELECT 1; SELECT 2 a, 3 b; WAITFOR DELAY '00:00:00.001'; SELECT N'x' c"),
                         [[[1]], [[2, 3]], [["x"]]])
        (result,) = self.ask(way, "SELECT TOP 50 * FROM mixed_rows")[1]
        self.assertEqual(result, {"columns": MIXED_NAMES, "rows": mixed_rows(50), "row_count": 50})
        (sparse,) = rows("SELECT TOP 80 * FROM sparse_rows")
        self.assertEqual(sparse, [[i if c == i % 40 else None for c in range(40)] for i in range(80)])
        (ints,) = rows("SELECT TOP 3000 * FROM int_rows")
        self.assertEqual(ints, [[10 * i + c for c in range(1, 11)] for i in range(3000)])

        self.assertEqual(self.ask(way, "PRINT N'hi \u2603'"), (0, [], "hi \u2603\n"))
        status, results, messages = self.ask(way, "SELECT 1;\nRAISERROR(N'b\u00e4d', 16, 3);\nSELECT 2")
        self.assertEqual((status, [r["rows"] for r in results]), (1, [[[1]], [[2]]]))
        self.assertIn("Msg 50000, Level 16, State 3, Server wiregap, Line 2\nb\u00e4d\n", messages)
        status, results, messages = self.ask(way, UNKNOWN)
        self.assertEqual((status, results), (1, []))
        self.assertIn(f"Msg 50000, Level 16, State 1, Server wiregap, Line 1\n{UNKNOWN_TEXT}\n", messages)
        status, _, messages = self.ask(way, "SELECT 1", password="wrong")
        self.assertEqual(status, 2)
        self.assertIn("18456", messages)
        self.assertNotIn("wrong", messages.replace("wrong host", ""))

    def test_every_mode_and_version(self):
        for (mode, kind), version in itertools.product(MODES, VERSIONS):
            with self.subTest(encrypt=mode, server=kind, version=version):
                self.every_statement((mode, kind, version))

    def test_strict(self):
        for kind in ("strict", "off"):
            with self.subTest(server=kind):
                self.every_statement(("strict", kind, "7.4"))

    def test_what_does_not_go_together(self):
        for mode, kind in (("disable", "required"), ("mandatory", "not-supported"), ("mandatory", "strict")):
            with self.subTest(encrypt=mode, server=kind):
                status, results, messages = self.ask((mode, kind, "7.4"), "SELECT 1")
                self.assertEqual((status, results), (2, None))
                self.assertTrue(messages.startswith("wiregap: "), messages)

    def test_packet_sizes(self):
        for size, mode in itertools.product(("512", "4096", "16383", "32767"), ("disable", "mandatory")):
            with self.subTest(size=size, encrypt=mode):
                long_text = "x" * 20_000
                _, results, _ = self.ask((mode, "off", "7.4"), f"SELECT CAST('{long_text}' AS varchar(max))",
                                         more=("-a", size))
                self.assertEqual([r["rows"] for r in results], [[[long_text]]])

    def test_a_time_limit_interrupts(self):
        for mode, kind in (*MODES, ("strict", "strict")):
            with self.subTest(encrypt=mode, server=kind):
                status, results, messages = self.ask((mode, kind, "7.4"), "SELECT 1; WAITFOR DELAY '00:05:00'",
                                                     more=("-t", "1"))
                self.assertEqual(status, 1, messages)  # the connection lives: the Attention was confirmed
                self.assertTrue(messages, results)


if __name__ == "__main__":
    if not PROGRAM:
        print("skipped: WIREGAP_PROGRAM does not name the program")
        sys.exit(77)
    unittest.main()
