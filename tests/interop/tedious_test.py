# SPDX-License-Identifier: BSL-1.0
"""tedious against our server: in clear, under TLS and TDS 8.0 strict."""

import json
import os
import shutil
import subprocess
import sys
import unittest

from serving import HERE, LONG, PASSWORD, PROGRAM, SKIPPED, UNICODE, UNKNOWN, UNKNOWN_TEXT, Server, is_now, mixed_rows

MODES = ((False, "off"), (False, "not-supported"), (True, "off"), (True, "required"), ("strict", "strict"), ("strict", "off"))


def row_of_tedious(row):
    """tedious gives bigint as text, decimals as numbers, and times of a millisecond and a rest of 100 ns."""
    out = list(row)
    out[1] = None if row[1] is None else str(row[1])
    out[3] = None if row[3] is None else float(row[3])
    out[7] = row[7] and f"{row[7][:10]}T{row[7][11:23]}Z+{int(row[7][23:])}"
    out[8] = row[8] and f"{row[8]}T00:00:00.000Z+0"
    return out


class Tedious(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.servers = {kind: Server("--encryption", kind) for kind in ("off", "required", "not-supported", "strict")}
        for server in cls.servers.values():
            cls.addClassCleanup(server.__exit__)

    def ask(self, way, sql, password=PASSWORD, **more):
        encrypt, kind = way
        server = self.servers[kind]
        job = {"port": server.port, "encrypt": encrypt, "certificate": server.certificate, "sql": sql,
               "password": password, **more}
        done = subprocess.run(["node", os.path.join(HERE, "tedious_peer.js")], input=json.dumps(job), capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def each_way(self):
        for way in MODES:
            with self.subTest(encrypt=way[0], server=way[1]):
                yield way

    def test_values(self):
        sql = (f"SELECT 1; SELECT @@VERSION, @@SPID, SYSUTCDATETIME(); SELECT NULL, N'{UNICODE}', 0x00FF; PRINT 'hi'; "
               f"SELECT REPLICATE(CAST('ab' AS varchar(max)), {LONG // 2}), 7")
        for way in self.each_way():
            got = self.ask(way, sql)
            one, (version, spid, now), values, long_row = got["rows"]
            self.assertEqual((one, values), ([1], [None, UNICODE, "0x00FF"]))
            self.assertEqual(long_row, ["ab" * (LONG // 2), 7])
            self.assertRegex(version, r"^wiregap embedded server - \d+\.\d+")
            self.assertGreater(spid, 50)
            self.assertTrue(is_now(now.split("Z")[0]), now)
            self.assertEqual((got["infos"], got["error"], got["after"]), (["hi"], None, [[7]]))

    def test_mixed_rows(self):
        for way in self.each_way():
            got = self.ask(way, "SELECT TOP 50 * FROM mixed_rows")
            self.assertEqual(got["rows"], [row_of_tedious(row) for row in mixed_rows(50)])

    def test_errors(self):
        for way in self.each_way():
            got = self.ask(way, "SELECT 1; RAISERROR('bad', 16, 3)")
            self.assertEqual((got["rows"], got["after"]), ([[1]], [[7]]))
            self.assertEqual(got["error"], {"code": "EREQUEST", "number": 50000, "severity": 16, "message": "bad"})
            got = self.ask(way, UNKNOWN)
            self.assertEqual((got["error"]["number"], got["error"]["message"]), (50000, UNKNOWN_TEXT))

    def test_wrong_password(self):
        for way in self.each_way():
            login = self.ask(way, "SELECT 1", password="wrong")["login"]
            self.assertEqual(login, {"code": "ELOGIN", "message": "Login failed for user 'sa'."})

    def test_cancel(self):
        for way in self.each_way():
            got = self.ask(way, "WAITFOR DELAY '00:05:00'", cancel=300)
            self.assertEqual((got["error"]["code"], got["after"]), ("ECANCEL", [[7]]))


if __name__ == "__main__":
    if not PROGRAM or shutil.which("node") is None or not os.path.isdir(os.path.join(HERE, "node_modules", "tedious")):
        print("skipped: node, tedious (tests/interop/install_peers.sh) or WIREGAP_PROGRAM is not there")
        sys.exit(SKIPPED)
    unittest.main()
