# SPDX-License-Identifier: BSL-1.0
"""pymssql (FreeTDS' DB-Library) against our server: TDS 7.1 to 7.3, in clear and under TLS."""

import datetime
import decimal
import itertools
import os
import sys
import tempfile
import unittest

try:
    import pymssql
except ImportError:
    # Debian's package is for Debian's Python, which need not be the first one on PATH.
    SYSTEM_PYTHON = "/usr/bin/python3"
    if os.path.exists(SYSTEM_PYTHON) and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    print("skipped: python3-pymssql is not installed")
    sys.exit(77)

from serving import LONG, MIXED_NAMES, PASSWORD, PROGRAM, SKIPPED, UNICODE, UNKNOWN, UNKNOWN_TEXT, Server, is_now, mixed_rows

VERSIONS = ("7.1", "7.2", "7.3")
ENCRYPTION = ("off", "require")
BASIC_PLANE = UNICODE[:-2]  # FreeTDS reads no surrogates of some versions


def datetime_of_db_library(text):
    """DB-Library makes a datetime of every time, which counts in 300ths of a second, and gives milliseconds."""
    seconds = datetime.datetime.fromisoformat(text[:19])
    ticks = round(int(text[20:27]) * 300 / 10_000_000)
    return seconds + datetime.timedelta(milliseconds=round(ticks * 10 / 3))


def row_of_pymssql(row, version):
    out = list(row)
    out[3] = row[3] and decimal.Decimal(row[3])
    if version == "7.3":  # the types of dates that older ones see as text
        out[7] = row[7] and datetime_of_db_library(row[7])
        out[8] = row[8] and datetime.date.fromisoformat(row[8])
    out[9] = row[9] and bytes.fromhex(row[9][2:])
    return tuple(out)


class Pymssql(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.__exit__)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        conf = os.path.join(folder.name, "freetds.conf")
        with open(conf, "w", encoding="utf-8") as file:
            for encryption in ENCRYPTION:
                file.write(f"[{encryption}]\n host = 127.0.0.1\n port = {cls.server.port}\n encryption = {encryption}\n"
                           f" client charset = UTF-8\n text size = 200000\n")
        os.environ["FREETDSCONF"] = conf

    def connect(self, way, password=PASSWORD, **more):
        version, encryption = way
        connection = pymssql.connect(server=encryption, port=str(self.server.port), user="sa", password=password, database="master", timeout=60,
                                     login_timeout=60, charset="UTF-8", tds_version=version, **more)
        self.addCleanup(connection.close)
        return connection

    def each_way(self):
        for way in itertools.product(VERSIONS, ENCRYPTION):
            with self.subTest(version=way[0], encryption=way[1]):
                yield way

    def rows(self, cursor, sql):
        cursor.execute(sql)
        return cursor.fetchall()

    def test_values(self):
        for way in self.each_way():
            cursor = self.connect(way).cursor()
            self.assertEqual(self.rows(cursor, "SELECT 1 one"), [(1,)])
            self.assertEqual(cursor.description[0][0], "one")
            ((version, spid, now),) = self.rows(cursor, "SELECT @@VERSION, @@SPID, CONVERT(varchar(40), SYSUTCDATETIME())")
            self.assertRegex(version, r"^wiregap embedded server - \d+\.\d+")
            self.assertGreater(spid, 50)
            self.assertTrue(is_now(now), now)
            self.assertEqual(self.rows(cursor, f"SELECT REPLICATE(CAST('ab' AS varchar(max)), {LONG // 2}) r, 7 s"),
                             [("ab" * (LONG // 2), 7)])
            self.assertEqual(self.rows(cursor, f"SELECT NULL n, N'{BASIC_PLANE}' u, 0x00FF b, -2.50 d"),
                             [(None, BASIC_PLANE, b"\x00\xff", decimal.Decimal("-2.50"))])

    def test_parameters_become_literals(self):
        for way in self.each_way():
            cursor = self.connect(way).cursor()
            cursor.execute("SELECT %s AS a, %d AS b, %s AS c", ("it's ä", 42, None))
            self.assertEqual(cursor.fetchall(), [("it's ä", 42, None)])

    def test_mixed_rows(self):
        for way in self.each_way():
            cursor = self.connect(way).cursor()
            found = self.rows(cursor, "SELECT TOP 50 * FROM mixed_rows")
            self.assertEqual([column[0] for column in cursor.description], MIXED_NAMES)
            if way[0] != "7.3":
                found = [(*row[:7], row[7] and row[7][:27], *row[8:]) for row in found]
            self.assertEqual(found, [row_of_pymssql(row, way[0]) for row in mixed_rows(50)])

    def test_several_results(self):
        for way in self.each_way():
            cursor = self.connect(way).cursor()
            cursor.execute("SELECT 1 a; SELECT 2 b, 3 c; SELECT 'x' d")
            found = [cursor.fetchall()]
            while cursor.nextset():
                found.append(cursor.fetchall())
            self.assertEqual(found, [[(1,)], [(2, 3)], [("x",)]])

    def test_rows_that_nobody_reads_are_canceled(self):
        for way in self.each_way():
            cursor = self.connect(way).cursor()
            cursor.execute("SELECT TOP 100000 * FROM mixed_rows")
            self.assertEqual(cursor.fetchone()[0], 0)
            self.assertEqual(self.rows(cursor, "SELECT 7"), [(7,)])

    def test_transactions(self):
        for way in self.each_way():
            connection = self.connect(way)
            cursor = connection.cursor()
            self.assertEqual(self.rows(cursor, "SELECT @@TRANCOUNT"), [(1,)])
            connection.commit()
            connection.rollback()
            connection.autocommit(True)
            self.assertEqual(self.rows(cursor, "SELECT @@TRANCOUNT"), [(0,)])

    def test_errors(self):
        for way in self.each_way():
            cursor = self.connect(way).cursor()
            with self.assertRaises(pymssql.Error) as raised:
                self.rows(cursor, "RAISERROR('bad', 16, 3)")
            self.assertEqual(raised.exception.args[0], 50000)
            self.assertIn(b"bad", raised.exception.args[1])
            with self.assertRaises(pymssql.Error) as raised:
                self.rows(cursor, UNKNOWN)
            self.assertIn(UNKNOWN_TEXT.encode(), raised.exception.args[1])
            with self.assertRaises(pymssql.Error) as raised:
                cursor.callproc("sp_who", ("sa",))
            self.assertIn("Remote procedure calls are not supported", str(raised.exception))
            self.assertEqual(self.rows(cursor, "SELECT 7"), [(7,)])

    def test_wrong_password(self):
        for way in self.each_way():
            with self.assertRaises(pymssql.OperationalError) as raised:
                self.connect(way, password="wrong")
            self.assertIn("18456", str(raised.exception))


if __name__ == "__main__":
    if not PROGRAM:
        print("skipped: WIREGAP_PROGRAM names no program")
        sys.exit(SKIPPED)
    unittest.main()
