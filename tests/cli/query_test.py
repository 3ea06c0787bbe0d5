# SPDX-License-Identifier: BSL-1.0
"""wiregap query: forms of output, messages, errors, timing, input."""

import contextlib
import csv
import io
import json
import os
import pty
import subprocess
import unittest

import program

NULL_AND_EMPTY = "SELECT 1 AS a, CAST(NULL AS varchar(10)) AS b, '' AS c, N'x' AS d"
AWKWARD = "SELECT 'a \"quoted\", b' AS \"q\", 'two\r\nlines' AS n, N'Grüße' AS g"


class Query(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        serving = program.serve("--encryption", "not-supported")
        cls.server = serving.__enter__()
        cls.addClassCleanup(serving.__exit__, None, None, None)

    def query(self, sql, *options, **more):
        return program.wiregap("query", *self.connection(), *options, sql, **more)

    def connection(self):
        return ["-S", f"127.0.0.1,{self.server.port}", "-U", "sa", "-N", "disable"]

    def good(self, sql, *options, **more):
        run = self.query(sql, *options, **more)
        self.assertEqual(run.status, 0, run)
        return run

    def test_table(self):
        run = self.good("SELECT 1 AS a, 'text' AS longer_name, CAST(NULL AS int) AS c")
        self.assertEqual(run.out, "a  longer_name     c\n-  -----------  ----\n1  text         NULL\n(1 row returned)\n")
        self.assertEqual(run.err, "")

    def test_csv_tells_null_from_empty(self):
        run = self.good(NULL_AND_EMPTY, "--csv")
        self.assertEqual(run.out, 'a,b,c,d\r\n1,,"",x\r\n')

    def test_csv_of_awkward_text(self):
        run = subprocess.run([program.PROGRAM, "query", *self.connection(), "--csv", AWKWARD],
                                     capture_output=True, env=program.environment(), timeout=program.PATIENCE,
                                     check=True)
        rows = list(csv.reader(io.StringIO(run.stdout.decode(), newline="")))
        self.assertEqual(rows, [["q", "n", "g"], ['a "quoted", b', "two\r\nlines", "Grüße"]])

    def test_json(self):
        results = json.loads(self.good(NULL_AND_EMPTY, "--json").out)["results"]
        self.assertEqual(results, [{"columns": ["a", "b", "c", "d"], "rows": [[1, None, "", "x"]], "row_count": 1}])
        (awkward,) = json.loads(self.good(AWKWARD, "--json").out)["results"]
        self.assertEqual(awkward["rows"], [['a "quoted", b', "two\r\nlines", "Grüße"]])

    def test_table_keeps_its_lines(self):
        out = self.good("SELECT 'two\r\nlines' AS n").out
        self.assertEqual(len(out.splitlines()), 4, out)
        self.assertNotIn("\x1b", self.good("SELECT 'a\x1b[31mred' AS n").out)

    def test_several_results(self):
        sql = "SELECT 1 AS a; SELECT 'x' AS b"
        self.assertEqual(self.good(sql, "--csv").out, "a\r\n1\r\n\r\nb\r\nx\r\n")
        results = json.loads(self.good(sql, "--json").out)["results"]
        self.assertEqual([result["rows"] for result in results], [[[1]], [["x"]]])
        self.assertEqual(self.good(sql).out.count("(1 row returned)"), 2)

    def test_messages(self):
        run = self.good("PRINT 'hello'; SELECT 1 AS a", "--csv")
        self.assertEqual((run.out, run.err), ("a\r\n1\r\n", "hello\n"))
        run = self.good("RAISERROR('be warned', 10, 1)")
        self.assertIn("be warned", run.err)

    def on_terminal(self, sql, *options):
        """What somebody sees whose terminal gets both streams."""
        master, slave = pty.openpty()
        run = subprocess.Popen([program.PROGRAM, "query", *self.connection(), *options, sql], stdin=slave, stdout=slave,
                               stderr=slave, env=program.environment(TERM="dumb"))
        os.close(slave)
        seen = b""
        with run, contextlib.suppress(OSError):  # EIO is how a terminal without a program ends
            while piece := os.read(master, 65536):
                seen += piece
        os.close(master)
        return seen.decode().replace("\r\n", "\n").splitlines()

    def test_messages_on_a_terminal(self):
        sql = "PRINT 'first'; SELECT 1 AS a; PRINT 'second'; SELECT 2 AS b; RAISERROR('third', 16, 1)"
        lines = self.on_terminal(sql, "--json")
        said = [lines.index(text) for text in ("first", "second", "third")]
        self.assertEqual(said, sorted(said), lines)
        self.assertIn("[1]", "".join(lines[said[0]:said[1]]))
        self.assertIn("[2]", "".join(lines[said[1]:said[2]]))
        rest = [line for line in lines if line not in ("first", "second", "third") and not line.startswith("Msg ")]
        self.assertEqual([result["rows"] for result in json.loads("\n".join(rest))["results"]], [[[1]], [[2]]])
        lines = self.on_terminal(sql, "--csv")
        self.assertEqual(lines[:4], ["first", "a", "1", "second"])

    def test_error_of_the_server(self):
        run = self.query("RAISERROR('it broke', 16, 3)")
        self.assertEqual(run.status, 1, run)
        self.assertIn("Msg 50000, Level 16, State 3, Server ", run.err)
        self.assertIn("it broke", run.err)
        run = self.query("SELECT nothing_known FROM nowhere", "--json")
        self.assertEqual(run.status, 1, run)
        self.assertEqual(json.loads(run.out), {"results": []})

    def test_query_that_takes_too_long(self):
        run = self.query("WAITFOR DELAY '00:10:00'", "-t", "1")
        self.assertEqual((run.status, run.err), (1, "wiregap: not done within -t 1 s; the server was told to stop\n"))

    def test_timing(self):
        run = self.good("SELECT 1 AS a", "--csv", "--timing")
        self.assertEqual(run.out, "a\r\n1\r\n")
        for word in ("TCP connect", "PRELOGIN", "login", "exchange", "first byte", "gap",
                     "acknowledged by the peer", "where it went", "client_receive", "TCP meanwhile", "nothing sent again"):
            self.assertIn(word, run.err)

    def test_sql_from_standard_input(self):
        self.assertEqual(self.good("-", "--csv", stdin="SELECT N'Grüße' AS g".encode()).out, "g\r\nGrüße\r\n")

    def test_connection_string(self):
        text = f"Server=tcp:127.0.0.1,{self.server.port};User ID=sa;Password={program.PASSWORD};Encrypt=false"
        run = program.wiregap("query", "--connection-string", text, "--csv", "SELECT 1 AS a",
                              env=program.environment(SQLCMDPASSWORD=None))
        self.assertEqual((run.status, run.out), (0, "a\r\n1\r\n"), run)

    def test_reader_that_goes_away(self):
        rows = "; ".join(["SELECT REPLICATE('x', 8000) AS a"] * 200)
        with subprocess.Popen([program.PROGRAM, "query", *self.connection(), "--csv", rows], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=program.environment()) as run:
            self.assertEqual(run.stdout.readline(), b"a\r\n")
            run.stdout.close()
            err = run.stderr.read()
            run.wait(program.PATIENCE)
        self.assertEqual(err, b"")
        self.assertLess(run.returncode, 0)  # SIGPIPE, as of any filter

    def test_disk_that_is_full(self):
        with open("/dev/full", "wb") as full:
            run = subprocess.run([program.PROGRAM, "query", *self.connection(), "SELECT 1 AS a"], stdout=full,
                                 stderr=subprocess.PIPE, env=program.environment(), timeout=program.PATIENCE,
                                 check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn(b"could not be written", run.stderr)

    def test_no_colour_in_a_pipe(self):
        for changes in ({}, {"NO_COLOR": "1"}, {"TERM": "dumb"}):
            run = self.good("SELECT 1 AS a", "--timing", env=program.environment(**changes))
            self.assertNotIn("\x1b", run.out + run.err)


if __name__ == "__main__":
    program.main()
