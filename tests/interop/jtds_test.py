# SPDX-License-Identifier: BSL-1.0
"""jTDS against our server: TDS 7.1 (jTDS calls it 8.0), in clear and under TLS.

Not with ssl=request, which encrypts the login alone: closing the TLS layer behind it, today's Java throws away what has
arrived by then, and so the answer of a server that is quick."""

import json
import os
import shutil
import subprocess
import sys
import unittest

from serving import HERE, LONG, PASSWORD, PROGRAM, SKIPPED, UNICODE, UNKNOWN, UNKNOWN_TEXT, Server, is_now, mixed_rows

JAR = "/usr/share/java/jtds.jar"
ENCRYPTION = ("off", "require")


def row_of_jtds(row):
    """Older clients see the types of dates as text."""
    out = list(row)
    out[4] = None if row[4] is None else str(float(row[4]))
    return out


class Jtds(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.__exit__)
        cls.peer = subprocess.Popen(["java", "-cp", JAR, os.path.join(HERE, "JtdsPeer.java")], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, text=True, encoding="utf-8")
        cls.addClassCleanup(cls.stop_peer)

    @classmethod
    def stop_peer(cls):
        cls.peer.stdin.close()
        cls.peer.stdout.close()
        cls.peer.wait(timeout=60)

    def ask(self, encryption, sql, kind="batch", password=PASSWORD):
        url = f"jdbc:jtds:sqlserver://127.0.0.1:{self.server.port}/master;ssl={encryption};loginTimeout=60;socketTimeout=60"
        self.peer.stdin.write("\t".join((url, password, kind, sql)) + "\n")
        self.peer.stdin.flush()
        return json.loads(self.peer.stdout.readline())

    def each_way(self):
        for encryption in ENCRYPTION:
            with self.subTest(encryption=encryption):
                yield encryption

    def test_values(self):
        sql = (f"SELECT 1; SELECT @@VERSION, @@SPID, CONVERT(varchar(40), SYSUTCDATETIME()); "
               f"SELECT NULL, N'{UNICODE}', 0x00FF, -2.50; PRINT 'hi'; "
               f"SELECT REPLICATE(CAST('ab' AS varchar(max)), {LONG // 2}), 7")
        for way in self.each_way():
            got = self.ask(way, sql)
            self.assertEqual((got["error"], got["after"]), (None, [[7]]))
            one, (version, spid, now), values, long_row = got["rows"]
            self.assertEqual((one, values), ([1], [None, UNICODE, "0x00FF", "-2.50"]))
            self.assertRegex(version, r"^wiregap embedded server - \d+\.\d+")
            self.assertGreater(spid, 50)
            self.assertTrue(is_now(now), now)
            self.assertEqual(long_row, ["ab" * (LONG // 2), 7])
            self.assertEqual(got["infos"], ["hi"])

    def test_mixed_rows(self):
        for way in self.each_way():
            got = self.ask(way, "SELECT TOP 50 * FROM mixed_rows")
            self.assertEqual(got["rows"], [row_of_jtds(row) for row in mixed_rows(50)])

    def test_errors(self):
        for way in self.each_way():
            got = self.ask(way, "RAISERROR('bad', 16, 3)")
            self.assertEqual((got["error"], got["after"]), ({"number": 50000, "message": "bad"}, [[7]]))
            got = self.ask(way, UNKNOWN)
            self.assertEqual((got["error"], got["after"]), ({"number": 50000, "message": UNKNOWN_TEXT}, [[7]]))

    def test_wrong_password(self):
        for way in self.each_way():
            got = self.ask(way, "SELECT 1", password="wrong")
            self.assertEqual(got["error"], {"number": 18456, "message": "Login failed for user 'sa'."})

    def test_cancel(self):
        for way in self.each_way():
            got = self.ask(way, "WAITFOR DELAY '00:05:00'", kind="cancel")
            self.assertIsNotNone(got["error"])
            self.assertEqual(got["after"], [[7]])

    def test_rows_that_nobody_reads(self):
        for way in self.each_way():
            got = self.ask(way, "SELECT TOP 100000 * FROM mixed_rows", kind="first_row")
            self.assertEqual((len(got["rows"]), got["error"], got["after"]), (1, None, [[7]]))

    def test_transactions(self):
        for way in self.each_way():
            got = self.ask(way, "SELECT 5", kind="rollback")
            self.assertEqual((got["rows"], got["error"], got["after"]), ([[5]], None, [[7]]))


if __name__ == "__main__":
    if not PROGRAM or shutil.which("javac") is None or not os.path.exists(JAR):
        print("skipped: a JDK, jTDS (packages default-jdk-headless, libjtds-java) or WIREGAP_PROGRAM is not there")
        sys.exit(SKIPPED)
    unittest.main()
