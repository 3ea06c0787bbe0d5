# SPDX-License-Identifier: BSL-1.0
"""`wiregap relay`: what it prints, what it records, that nobody sees a password, how it ends."""

import contextlib
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

import program


class Standing:
    """A relay that listens; `port` is where. `end()` gives its status and all that it printed."""

    def __init__(self, process):
        self.process = process
        self.began = process.stdout.readline().decode()
        found = re.match(r"listening on 127\.0\.0\.1:(\d+)", self.began)
        if not found:
            raise AssertionError(f"the relay says {self.began!r}, {process.stderr.read().decode()!r}")
        self.port = int(found.group(1))

    def wait_until(self, told):
        """Reads on until a line of it has that in it: the relay has come so far."""
        while told not in self.began:
            if not select.select([self.process.stdout], [], [], program.PATIENCE)[0]:
                raise AssertionError(f"the relay does not say {told!r}, but {self.began!r}")
            line = self.process.stdout.readline().decode()
            if not line:
                raise AssertionError(f"the relay ended without {told!r}: {self.began!r}")
            self.began += line

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=program.PATIENCE)
        return self.process.returncode, self.began + out.decode(), err.decode()


@contextlib.contextmanager
def relay(to, *options):
    command = [program.PROGRAM, "relay", "-S", f"127.0.0.1,{to}", "--listen", "127.0.0.1:0", *options]
    # Unbuffered: what readline() had read ahead would be lost to communicate().
    with subprocess.Popen(command, bufsize=0, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield Standing(process)
        finally:
            process.kill()


def query(port, sql, *options):
    return program.wiregap("query", "-S", f"127.0.0.1,{port}", "-U", "sa", "-N", "disable", *options, sql)


class Printed(unittest.TestCase):
    def test_messages_and_the_summary(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with program.serve() as server, relay(server.port) as between:
                self.assertEqual(query(between.port, "SELECT 7 AS seven").status, 0)
                status, out, err = between.end(number)
            self.assertEqual((status, err), (0, ""))
            self.assertIn(f"forwarding to 127.0.0.1:{server.port}", out)
            self.assertRegex(out, r"\d\d:\d\d:\d\d\.\d{6} #1 127\.0\.0\.1:\d+ is connected to 127\.0\.0\.1:\d+\n")
            self.assertRegex(out, r"#1 client: SQL_BATCH, \d+ bytes: SELECT 7 AS seven\n")
            self.assertRegex(out, r"#1 server: TABULAR_RESULT, \d+ bytes, [\d.]+ .?s after the request\n")
            self.assertIn("1 connections, 1 requests, 1 answers", out)
            self.assertRegex(out, r"from request to answer: p50 [\d.]+ .?s")

    def test_quiet_and_fields(self):
        with program.serve() as server, relay(server.port, "--quiet") as between:
            query(between.port, "SELECT 1")
            out = between.end()[1]
        self.assertNotIn("SQL_BATCH", out)
        self.assertIn("1 requests", out)
        with program.serve() as server, relay(server.port, "--fields") as between:
            query(between.port, "SELECT 1")
            out = between.end()[1]
        self.assertRegex(out, r'sql_text +"SELECT 1"')
        self.assertNotIn(program.PASSWORD, out)
        self.assertIn("********", out)

    def test_strangers_are_forwarded(self):
        def talk(connection, _):
            while data := connection.recv(1000):
                connection.sendall(data.upper())

        with program.peer(talk) as port, relay(port) as between:
            with socket.create_connection(("127.0.0.1", between.port)) as client:
                client.settimeout(program.PATIENCE)
                client.sendall(b"hello, no tds")
                self.assertEqual(client.recv(100), b"HELLO, NO TDS")
            out = between.end()[1]
        self.assertIn("what the client sends is no TDS", out)

    def test_faults(self):
        with program.serve() as server, relay(server.port, "--fault", "think=300ms,contains=slow") as between:
            probe = program.wiregap("query", "-S", f"127.0.0.1,{between.port}", "-U", "sa", "-N", "disable", "--timing",
                                    "SELECT 'slow'")
            self.assertEqual(probe.status, 0, probe)
            out = between.end()[1]
        self.assertIn("1 faults struck", out)
        self.assertGreaterEqual(probe.seconds, 0.3)


class Recorded(unittest.TestCase):
    def record(self, folder, *options):
        self.json, self.pcap = os.path.join(folder, "relay.jsonl"), os.path.join(folder, "relay.pcapng")
        with program.serve() as server, relay(server.port, "--json", self.json, "--pcap", self.pcap,
                                              *options) as between:
            # A packet size of 512 divides the LOGIN7.
            run = query(between.port, "SELECT REPLICATE('x', 100000) AS a", "-a", "512")
            self.assertEqual(run.status, 0, run)
            between.wait_until("#1 is over")  # both ends' FIN are in the capture
            self.assertEqual(between.end()[0], 0)
        with open(self.json, encoding="utf-8") as lines:
            self.lines = [json.loads(line) for line in lines]
        with open(self.pcap, "rb") as file:
            self.capture = file.read()
        return server.port

    @staticmethod
    def on_the_wire(password):
        """As LOGIN7 hides it (MS-TDS 2.2.6.4)."""
        return bytes(((byte << 4 | byte >> 4) & 0xFF) ^ 0xA5 for byte in password.encode("utf-16-le"))

    def test_json(self):
        with tempfile.TemporaryDirectory() as folder:
            self.record(folder)
            titles = [(line["message"]["from"], line["message"]["message"]) for line in self.lines]
            self.assertEqual(titles[:3], [("client", "PRELOGIN"), ("server", "PRELOGIN response"),
                                          ("client", "LOGIN7")])
            self.assertEqual(titles[-2:], [("client", "SQL_BATCH"), ("server", "TABULAR_RESULT")])
            self.assertGreater(self.lines[-1]["gap_us"], 0)
            self.assertEqual([line["connection"] for line in self.lines], [1] * len(self.lines))
            times = [line["first_unix_us"] for line in self.lines]
            self.assertEqual(times, sorted(times))
            with open(self.json, encoding="utf-8") as file:
                text = file.read()
            self.assertNotIn(program.PASSWORD, text)
            self.assertNotIn(self.on_the_wire(program.PASSWORD).hex(), text)

    def test_no_password_in_the_capture(self):
        with tempfile.TemporaryDirectory() as folder:
            self.record(folder)
            self.assertNotIn(self.on_the_wire(program.PASSWORD), self.capture)
            self.assertIn("sa".encode("utf-16-le"), self.capture)
            self.record(folder, "--show-secrets")
            self.assertIn(self.on_the_wire(program.PASSWORD), self.capture)

    @unittest.skipUnless(shutil.which("tshark"), "tshark is not installed")
    def test_wireshark_reads_the_capture(self):
        with tempfile.TemporaryDirectory() as folder:
            port = self.record(folder)

            def shown(what, *fields):
                command = ["tshark", "-r", self.pcap, "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE",
                           "-d", f"tcp.port=={port},tds", "-Y", what, "-T", "fields"]
                for field in fields or ("frame.number",):
                    command += ["-e", field]
                run = subprocess.run(command, capture_output=True, text=True, timeout=program.PATIENCE, check=False)
                self.assertEqual(run.returncode, 0, run.stderr)
                return run.stdout.splitlines()

            self.assertEqual(shown("tcp.analysis.flags || tcp.checksum.status==0 || ip.checksum.status==0"), [])
            self.assertEqual(shown("_ws.malformed"), [])
            self.assertEqual(len(shown("tcp.flags.syn==1")), 2)
            self.assertEqual(len(shown("tcp.flags.fin==1")), 2)
            self.assertIn("SELECT REPLICATE", " ".join(shown("tds.type==1", "tds.query")))
            self.assertGreaterEqual(len(shown("tds.type==4")), 3)


class Terminated(unittest.TestCase):
    def test_tls_ends_in_the_relay_when_told(self):
        with tempfile.TemporaryDirectory() as folder:
            servers, relays, pcap = (os.path.join(folder, name) for name in ("server.pem", "relay.pem", "relay.pcapng"))
            with program.serve("--write-certificate", servers) as server, \
                    relay(server.port, "--terminate-tls", "--ca-file", servers, "-F", "localhost",
                          "--write-certificate", relays, "--pcap", pcap) as between:
                for mode in ("mandatory", "strict"):
                    run = program.wiregap("query", "-S", f"127.0.0.1,{between.port}", "-U", "sa", "-N", mode,
                                          "--ca-file", relays, "SELECT 42 AS answer")
                    self.assertEqual(run.status, 0, run)
                status, out, _ = between.end()
            self.assertEqual(status, 0)
            self.assertIn("TLS ends here", out)
            self.assertEqual(out.count("SQL_BATCH"), 2)
            with open(pcap, "rb") as file:
                capture = file.read()
        self.assertIn("SELECT 42 AS answer".encode("utf-16-le"), capture)
        self.assertNotIn(Recorded.on_the_wire(program.PASSWORD), capture)

    def test_a_server_that_is_not_trusted(self):
        with program.serve() as server, relay(server.port, "--terminate-tls") as between:
            run = program.wiregap("query", "-S", f"127.0.0.1,{between.port}", "-U", "sa", "-C", "SELECT 1")
            self.assertEqual(run.status, 2)
            out = between.end()[1]
        self.assertIn("TLS with the server: ", out)


class Refused(unittest.TestCase):
    def test_what_is_not_possible(self):
        for arguments, words in (
                (("-S", "127.0.0.1", "--listen", "nowhere"), ("--listen nowhere", "127.0.0.1:1433")),
                (("-S", "np:x"), ("-S np:x",)),
                (("-S", "127.0.0.1", "--fault", "never_answer"), ("only a server can do that", "pause_in_answer")),
                (("-S", "127.0.0.1", "--fault", "hold=3ms"), ("no kind 'hold'",)),
                (("-S", "127.0.0.1", "-C"), ("--terminate-tls only",)),
                (("-S", "127.0.0.1", "--terminate-tls", "--key", "x"), ("go together",)),
                (("-S", "127.0.0.1", "--terminate-tls", "--ca-file", "/nonexistent/x"), ("/nonexistent/x",)),
                (("-S", "127.0.0.1", "--pcap", "/nonexistent/x"), ("--pcap /nonexistent/x",)),
                (("-S", "127.0.0.1", "--json", "/nonexistent/x"), ("--json /nonexistent/x",)),
        ):
            with self.subTest(arguments):
                run = program.wiregap("relay", *arguments)
                self.assertEqual((run.status, run.out), (2, ""), run)
                for word in words:
                    self.assertIn(word, run.err)

    def test_a_port_that_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            run = program.wiregap("relay", "-S", "127.0.0.1", "--listen", f"127.0.0.1:{taken.getsockname()[1]}")
        self.assertEqual(run.status, 2)
        self.assertIn("takes a port that is free", run.err)

    def test_a_server_that_is_not_there(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        with relay(port) as between:
            run = query(between.port, "SELECT 1")
            self.assertEqual(run.status, 2)
            out = between.end()[1]
        self.assertIn("1 connections did not get through", out)
        self.assertIn("nothing accepts connections at 127.0.0.1:", out)

    def test_other_machines_are_warned_of(self):
        with subprocess.Popen([program.PROGRAM, "relay", "-S", "127.0.0.1", "--listen", "0.0.0.0:0"],
                              stdout=subprocess.PIPE) as process:
            try:
                process.stdout.readline()
                self.assertIn(b"reachable from other machines", process.stdout.readline())
            finally:
                process.kill()


if __name__ == "__main__":
    program.main()
