# SPDX-License-Identifier: BSL-1.0
"""`wiregap analyze`: what it prints, its JSON and CSV, whose SQL is shown, exit status."""

import csv
import gzip
import io
import json
import os
import struct
import tempfile
import unittest

import program
import relay_test
import schemas

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "recordings")
QUERIES = os.path.join(GOLDEN, "tedious_queries.pcap")
FREETDS = os.path.join(GOLDEN, "freetds_7.4.pcap")
RPC = os.path.join(GOLDEN, "tedious_rpc.pcap")


# The server of these recordings took 1.8 s for one of its batches.
PATIENT = ("--good", "5s", "--bad", "10s")


def analyze(*arguments):
    return program.wiregap("analyze", *arguments)


def report(*arguments, limits=PATIENT):
    run = analyze("--json", "-", *limits, *arguments)
    out = json.loads(run.out)
    schemas.check(out, schemas.load("report"))
    return run, out


class Text(unittest.TestCase):
    def test_what_is_in_it(self):
        run = analyze(*PATIENT, QUERIES)
        self.assertEqual((run.status, run.err), (0, ""), run)
        for words in ("1 connection with TDS", "0 retransmissions", "Slowest exchanges", "Connections", "Statements",
                      "Verdict: good", "PSH: every TDS packet of the clients", "cannot see", "TDS 7.4"):
            self.assertIn(words, run.out)
        self.assertNotIn("\x1b", run.out)

    def test_limits_decide(self):
        run = analyze("--good", "1us", "--bad", "2us", QUERIES)
        self.assertEqual(run.status, 1, run)
        self.assertIn("Verdict: problem", run.out)
        self.assertIn("Finding: ", run.out)
        # Nobody's machine measured.
        self.assertNotIn("this machine", run.out.lower())
        self.assertNotIn("--no-server-clock", run.out)
        self.assertIn("wiregap analyze CLIENT SERVER", run.out)

    def test_how_much_sql_is_shown(self):
        self.assertIn("SELECT @@VERSION", analyze(QUERIES).out)
        masked = analyze("--mask", "--sql", "full", RPC).out
        self.assertIn("sp_executesql", masked)
        none = analyze("--sql", "none", QUERIES)
        self.assertNotIn("SELECT", none.out)
        self.assertNotIn("Statements", none.out)


class Json(unittest.TestCase):
    def test_counts(self):
        run, out = report(QUERIES)
        self.assertEqual(run.status, 0)
        self.assertEqual(out["tool"], "wiregap analyze")
        self.assertEqual((out["unanswered"], out["decode_errors"], out["retransmissions"]), (0, 0, 0))
        self.assertEqual(out["exchanges"], out["requests"] + 2)  # PRELOGIN and LOGIN7
        self.assertGreaterEqual(out["gap_us"]["max"], out["gap_us"]["p50"])
        (one,) = out["captured_connections"]
        self.assertEqual((one["tds_version"], one["encryption"], one["from_start"]), ("7.4", "none", True))
        took = [each["round_trip_us"] for each in out["slowest"]]
        self.assertEqual(took, sorted(took, reverse=True))
        self.assertEqual(sum(each["exchanges"] for each in out["statements"]), out["exchanges"])

    def test_login_only_encryption(self):
        _, out = report(FREETDS)
        self.assertEqual(out["captured_connections"][0]["encryption"], "login_only")
        self.assertIn("login", {each["kind"] for each in out["slowest"]})
        self.assertEqual(out["decode_errors"], 0)

    def test_several_files_and_gzip(self):
        with tempfile.TemporaryDirectory() as folder:
            packed = os.path.join(folder, "x.pcap.gz")
            with open(FREETDS, "rb") as plain, gzip.open(packed, "wb") as file:
                file.write(plain.read())
            _, one = report(QUERIES)
            _, two = report(QUERIES, packed)
        _, other = report(FREETDS)
        self.assertEqual(two["exchanges"], one["exchanges"] + other["exchanges"])
        self.assertEqual(len(two["files"]), 2)

    def test_no_password(self):
        for path in (QUERIES, RPC):
            run = analyze("--sql", "full", "--json", "-", path)
            self.assertNotIn("12345678", run.out + run.err)

    def test_a_file_that_is_cut(self):
        with open(QUERIES, "rb") as file:
            data = file.read()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cut.pcap")
            with open(path, "wb") as file:
                file.write(data[:len(data) // 2 + 3])
            run, out = report(path)
        self.assertEqual(run.status, 0)
        self.assertEqual(out["files"][0]["end"], "cut")
        self.assertGreater(out["exchanges"], 10)


class Csv(unittest.TestCase):
    def test_a_row_for_each_exchange(self):
        run = analyze("--csv", "-", *PATIENT, QUERIES)
        self.assertEqual(run.status, 0, run)
        rows = list(csv.DictReader(io.StringIO(run.out)))
        _, out = report(QUERIES)
        self.assertEqual(len(rows), out["exchanges"])
        self.assertIn("Verdict", run.err)
        gaps = [float(row["gap_us"]) for row in rows]
        self.assertAlmostEqual(max(gaps), out["gap_us"]["max"], places=3)
        self.assertIn("sql_batch", {row["kind"] for row in rows})
        self.assertTrue(all(None not in row for row in rows), "a comma too many")


    def test_an_earlier_file_stays_until_there_is_something_to_write(self):
        with tempfile.TemporaryDirectory() as folder:
            kept, new = os.path.join(folder, "kept"), os.path.join(folder, "new")
            with open(kept, "w", encoding="ascii") as file:
                file.write("earlier")
            for option in ("--csv", "--json"):
                for path in (kept, new):
                    self.assertEqual(analyze(option, path, __file__).status, 2)
            with open(kept, encoding="ascii") as file:
                self.assertEqual(file.read(), "earlier")
            self.assertFalse(os.path.exists(new))
            self.assertEqual(analyze("--csv", kept, *PATIENT, QUERIES).status, 0)
            with open(kept, encoding="utf-8") as file:
                self.assertTrue(file.read().startswith("when,"))


class TwoSided(unittest.TestCase):
    """The recording as the client's side, and the same packets as a server a millisecond away would have seen them."""

    AHEAD = 3_600_000_000  # of the server's clock, microseconds

    def server_side(self, path, without_push="", lost=""):
        """`without_push`, `lost`: the request with this text comes without PSH; its answer was sent twice, once in vain."""
        with open(QUERIES, "rb") as file:
            data = file.read()
        out, at = bytearray(data[:24]), 24
        strike = False
        while at + 16 <= len(data):
            sec, us, kept, size = struct.unpack("<IIII", data[at:at + 16])
            packet = bytearray(data[at + 16:at + 16 + kept])
            at += 16 + kept
            from_client = struct.unpack("!H", packet[36:38])[0] == 1433
            when = sec * 1_000_000 + us + self.AHEAD + (1000 if from_client else -1000)
            if from_client and kept > 66:
                text = bytes(packet).decode("utf-16-le", "replace") + bytes(packet[1:]).decode("utf-16-le", "replace")
                strike = bool(lost) and lost in text
                if without_push and without_push in text:
                    packet[47] &= ~8
            times = [when]
            if strike and not from_client and kept > 66:
                times = [when - 300_000, when]
            for time in times:
                out += struct.pack("<IIII", time // 1_000_000, time % 1_000_000, kept, size) + packet
                packet[18] ^= 0x80  # another IP packet
        with open(path, "wb") as file:
            file.write(out)

    def both(self, **faults):
        with tempfile.TemporaryDirectory() as folder:
            server = os.path.join(folder, "server.pcap")
            self.server_side(server, **faults)
            run, out = report(QUERIES, server, limits=())
            self.assertEqual(run.status, 1)
            _, swapped = report(server, QUERIES, limits=())
        self.assertTrue(swapped["two_sided"]["files_swapped"])
        self.assertEqual(swapped["two_sided"]["findings"], out["two_sided"]["findings"])
        self.assertEqual(len(out["files"]), 1)
        return out["two_sided"]

    def test_each_time_is_divided(self):
        both = self.both()
        self.assertEqual((both["exchanges"], both["only_at_client"], both["only_at_server"]), (61, 0, 0))
        self.assertFalse(both["files_swapped"])
        self.assertAlmostEqual(both["clock"]["offset_us"], self.AHEAD, delta=1)
        self.assertLessEqual(both["clock"]["error_us"], 1001)
        for way in ("request_path_us", "response_path_us"):
            self.assertAlmostEqual(both[way]["p50"], 1000, delta=10)
        self.assertEqual(both["requests"], {"lost_push": 0, "merged": 0, "split": 0, "segments_lost": 0})
        for one in both["slowest"]:
            parts = one["request_path_us"] + one["server_us"] + one["response_path_us"]
            self.assertAlmostEqual(parts, one["gap_us"], places=2)

    def causes(self, both):
        return {(finding["cause"], finding["layer"], finding["confidence"]) for finding in both["findings"]}

    def test_push_that_was_lost(self):
        both = self.both(without_push="pg_sleep 0.5")
        self.assertEqual(both["requests"]["lost_push"], 1)
        self.assertIn(("push_hold", "server_receive", "proved"), self.causes(both))
        self.assertNotIn("push_hold", {cause for cause, _, _ in self.causes(self.both())})

    def test_push_at_one_point_of_capture(self):
        with tempfile.TemporaryDirectory() as folder:
            server = os.path.join(folder, "server.pcap")
            self.server_side(server, without_push="pg_sleep 0.5")
            _, out = report(server, limits=())
        self.assertEqual(out["push_ledger"]["client"]["unpushed_messages"], 1)
        keys = {figure["key"]: figure["value"] for finding in out["findings"] for figure in finding["evidence"]}
        self.assertEqual(keys["requests_without_psh"], 1)

    def test_answer_that_was_lost(self):
        both = self.both(lost="pg_sleep 0.5")
        self.assertEqual(both["responses"]["segments_lost"], 1)
        self.assertIn(("retransmission_timeout", "response_path", "proved"), self.causes(both))

    def test_text(self):
        with tempfile.TemporaryDirectory() as folder:
            server = os.path.join(folder, "server.pcap")
            self.server_side(server)
            run = analyze(*PATIENT, QUERIES, server)
        self.assertEqual(run.status, 0, run)
        for words in ("Both sides", "61 exchanges are in both", "3600 s ahead", "request on the path"):
            self.assertIn(words, run.out)


class Keylog(unittest.TestCase):
    def recorded(self, folder, mode):
        """What a relay saw of a query under TLS, and the secrets of its session."""
        pcap, keys = os.path.join(folder, mode + ".pcapng"), os.path.join(folder, mode + ".keys")
        certificate = os.path.join(folder, mode + ".pem")
        with program.serve("--write-certificate", certificate) as server, \
                relay_test.relay(server.port, "--pcap", pcap) as between:
            run = program.wiregap("query", "-S", f"127.0.0.1,{between.port}", "-U", "sa", "-N", mode, "--ca-file",
                                  certificate, "-F", "localhost", "--keylog", keys, "SELECT 42 AS answer")
            self.assertEqual(run.status, 0, run)
            between.end()
        return pcap, keys

    def test_encrypted_sessions(self):
        with tempfile.TemporaryDirectory() as folder:
            for mode, encryption in (("mandatory", "full"), ("strict", "strict")):
                with self.subTest(mode):
                    pcap, keys = self.recorded(folder, mode)
                    _, closed = report(pcap)
                    self.assertEqual(closed["captured_connections"][0]["encryption"], encryption)
                    self.assertNotIn("SELECT 42", json.dumps(closed))
                    # The gaps come out without the secrets, too.
                    self.assertIn("encrypted", {each["kind"] for each in closed["slowest"]})
                    run, opened = report("--keylog", keys, pcap)
                    self.assertEqual(opened["captured_connections"][0]["encryption"], encryption)
                    self.assertEqual((opened["unanswered"], opened["decode_errors"]), (0, 0))
                    by_kind = {each["kind"]: each for each in opened["slowest"]}
                    self.assertEqual(by_kind["sql_batch"]["statement"], "SELECT 42 AS answer")
                    self.assertIn("login", by_kind)
                    self.assertEqual(opened["requests"], 1)
                    self.assertNotIn(program.PASSWORD, run.out + run.err)
                    decoded = program.wiregap("decode", "--keylog", keys, pcap)
                    self.assertEqual(decoded.status, 0, decoded)
                    for words in ("client: LOGIN7", '"SELECT 42 AS answer"', "********"):
                        self.assertIn(words, decoded.out)
                    self.assertNotIn(program.PASSWORD, decoded.out)
                    self.assertNotIn("SELECT 42", program.wiregap("decode", pcap).out)

    def test_login_only(self):
        with tempfile.TemporaryDirectory() as folder:
            pcap, keys = self.recorded(folder, "optional")
            _, opened = report("--keylog", keys, pcap)
        self.assertEqual((opened["unanswered"], opened["decode_errors"], opened["requests"]), (0, 0, 1))

    def test_secrets_of_another_session(self):
        with tempfile.TemporaryDirectory() as folder:
            pcap, _ = self.recorded(folder, "mandatory")
            _, keys = self.recorded(folder, "strict")
            _, closed = report("--keylog", keys, pcap)
        self.assertNotIn("sql_batch", {each["kind"] for each in closed["slowest"]})
        self.assertEqual(closed["decode_errors"], 0)


class Refused(unittest.TestCase):
    def test_what_is_not_possible(self):
        with tempfile.TemporaryDirectory() as folder:
            text = os.path.join(folder, "text")
            with open(text, "w", encoding="ascii") as file:
                file.write("no capture at all, by no means")
            empty = os.path.join(folder, "empty.pcap")
            with open(empty, "wb") as file:
                file.write(struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1))
            for arguments, words in ((("/nonexistent/x.pcap",), "/nonexistent/x.pcap"), ((text,), "no packet capture"),
                                     ((empty,), "no TDS in it"), ((), "file"), (("--sql", "some", QUERIES), "--sql"),
                                     (("--good", "2s", "--bad", "1s", QUERIES), "--good"),
                                     (("--json", "-", "--csv", "-", QUERIES), "standard output"),
                                     (("--csv", "/nonexistent/x", QUERIES), "/nonexistent/x"),
                                     (("--keylog", text, QUERIES), "no secrets")):
                with self.subTest(arguments):
                    run = analyze(*arguments)
                    self.assertEqual((run.status, run.out), (2, ""), run)
                    self.assertIn(words, run.err)


if __name__ == "__main__":
    program.main()
