# SPDX-License-Identifier: BSL-1.0
"""FreeTDS' tsql against our server: TDS 7.1 to 7.4, in clear and under TLS."""

import datetime
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from serving import LONG, MIXED_NAMES, PASSWORD, PROGRAM, SKIPPED, UNICODE, UNKNOWN, UNKNOWN_TEXT, Server, is_now, mixed_rows

VERSIONS = ("7.1", "7.2", "7.3", "7.4")
ENCRYPTION = ("off", "require")
BASIC_PLANE = UNICODE[:-2]  # FreeTDS reads no surrogates of some versions


def time_of_tsql(text):
    """A date and time as FreeTDS prints it when no locales.conf says otherwise."""
    if text is None:
        return None
    then = datetime.datetime.fromisoformat(text[:19])
    return f"{then:%b} {then.day:2} {then.year} {then:%I:%M%p}"


def row_of_tsql(row, version):
    out = ["NULL" if cell is None else str(int(cell) if isinstance(cell, bool) else cell) for cell in row]
    if row[4] is not None:
        out[4] = f"{row[4]:g}"
    if row[9] is not None:
        out[9] = row[9][2:].lower()
    if version in ("7.3", "7.4"):  # the types of dates that older ones see as text
        out[7:9] = [time_of_tsql(cell) or "NULL" for cell in row[7:9]]
    return out


class Tsql(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.__exit__)
        cls.insisting = Server("--encryption", "required")
        cls.addClassCleanup(cls.insisting.__exit__)

    def tsql(self, way, sql, password=PASSWORD, server=None):
        version, encryption = way
        with tempfile.TemporaryDirectory() as folder:
            conf = os.path.join(folder, "freetds.conf")
            with open(conf, "w", encoding="utf-8") as file:
                file.write(f"[peer]\n host = 127.0.0.1\n port = {(server or self.server).port}\n tds version = {version}\n"
                           f" encryption = {encryption}\n client charset = UTF-8\n text size = 200000\n")
            environment = {**os.environ, "FREETDSCONF": conf, "LC_ALL": "C.UTF-8"}
            # -o q: neither prompt nor footer
            return subprocess.run(["tsql", "-S", "peer", "-U", "sa", "-P", password, "-o", "q", "-t", "|"],
                                  input=f"{sql}\nGO\nexit\n", capture_output=True, text=True, timeout=60, check=False,
                                  env=environment)

    def lines(self, way, sql, server=None):
        done = self.tsql(way, sql, server=server)
        self.assertEqual((done.returncode, done.stderr), (0, ""), sql)
        return done.stdout.splitlines()

    def each_way(self):
        for way in itertools.product(VERSIONS, ENCRYPTION):
            with self.subTest(version=way[0], encryption=way[1]):
                yield way

    def test_values(self):
        for way in self.each_way():
            self.assertEqual(self.lines(way, "SELECT 1 one"), ["one", "1"])
            _, row = self.lines(way, "SELECT @@VERSION v, @@SPID s, CONVERT(varchar(40), SYSUTCDATETIME()) t")
            version, spid, now = row.split("|")
            self.assertRegex(version, r"^wiregap embedded server - \d+\.\d+")
            self.assertGreater(int(spid), 50)
            self.assertTrue(is_now(now), now)
            self.assertEqual(self.lines(way, f"SELECT REPLICATE(CAST('ab' AS varchar(max)), {LONG // 2}) r, 7 s"),
                             ["r|s", "ab" * (LONG // 2) + "|7"])
            self.assertEqual(self.lines(way, f"SELECT NULL n, N'{BASIC_PLANE}' u, 0x00FF b, -2.50 d"),
                             ["n|u|b|d", f"NULL|{BASIC_PLANE}|00ff|-2.50"])
            self.assertEqual(self.lines(way, "SELECT 1 a\nSELECT 2 b, 3 c\nSELECT 'x' d"),
                             ["a", "1", "b|c", "2|3", "d", "x"])

    def test_mixed_rows(self):
        for way in self.each_way():
            self.assertEqual(self.lines(way, "SELECT TOP 50 * FROM mixed_rows"),
                             ["|".join(MIXED_NAMES), *("|".join(row_of_tsql(row, way[0])) for row in mixed_rows(50))])

    def test_messages_and_errors(self):
        for way in self.each_way():
            done = self.tsql(way, "PRINT 'hi'\nSELECT 1 a\nRAISERROR('bad', 16, 3)\nSELECT 2 b")
            self.assertEqual(done.stdout.split(), ["a", "1", "b", "2"])
            self.assertEqual(done.stderr, 'hi\nMsg 50000 (severity 16, state 3) from wiregap Line 3:\n\t"bad"\n')
            done = self.tsql(way, UNKNOWN)
            self.assertEqual((done.stdout.strip(), done.stderr),
                             ("", f'Msg 50000 (severity 16, state 1) from wiregap Line 1:\n\t"{UNKNOWN_TEXT}"\n'))

    def test_wrong_password(self):
        for way in self.each_way():
            done = self.tsql(way, "SELECT 1", password="wrong")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("Msg 18456 (severity 14, state 1)", done.stdout + done.stderr)

    def test_a_server_that_insists(self):
        for version in VERSIONS:
            self.assertEqual(self.lines((version, "require"), "SELECT 1 one", self.insisting), ["one", "1"])
        self.assertNotEqual(self.tsql(("7.4", "off"), "SELECT 1", server=self.insisting).returncode, 0)


if __name__ == "__main__":
    if not PROGRAM or shutil.which("tsql") is None:
        print("skipped: tsql (package freetds-bin) or WIREGAP_PROGRAM is not there")
        sys.exit(SKIPPED)
    unittest.main()
