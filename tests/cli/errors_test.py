# SPDX-License-Identifier: BSL-1.0
"""What cannot be measured: each cause has its own message of one line, status 2, and ends within its deadline."""

import json
import os
import socket
import subprocess
import tempfile
import unittest

import program


def silent(connection, stop):
    stop.wait(program.PATIENCE)


def read_then(answer, stay=False):
    def talk(connection, stop):
        connection.recv(4096)
        connection.sendall(answer)
        if stay:
            stop.wait(program.PATIENCE)
        else:
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(4096):
                pass
    return talk


def greet_with(text):
    def talk(connection, stop):
        connection.sendall(text)
        stop.wait(program.PATIENCE)
    return talk


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


class Certificates:
    """An authority of its own and what it vouches for."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = self.path("ca.pem")
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                "-subj", "/CN=wiregap test authority", "-keyout", self.path("ca.key"), "-out", self.authority)

    def path(self, name):
        return os.path.join(self.folder, name)

    def issue(self, name, host, not_before, not_after):
        """Options of `wiregap serve`; the times are YYYYMMDDHHMMSSZ."""
        with open(self.path("ca.cnf"), "w", encoding="ascii") as file:
            file.write(f"[ca]\ndefault_ca = here\n[here]\nnew_certs_dir = {self.folder}\n"
                       f"database = {self.path('index.txt')}\nrand_serial = yes\ndefault_md = sha256\n"
                       f"policy = any\nunique_subject = no\n[any]\ncommonName = supplied\n"
                       f"[leaf]\nsubjectAltName = {host}\n")
        open(self.path("index.txt"), "w", encoding="ascii").close()
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                "-keyout", self.path(name + ".key"), "-out", self.path(name + ".csr"))
        openssl("ca", "-batch", "-config", self.path("ca.cnf"), "-cert", self.authority, "-keyfile",
                self.path("ca.key"), "-in", self.path(name + ".csr"), "-out", self.path(name + ".pem"), "-notext",
                "-extensions", "leaf", "-startdate", not_before, "-enddate", not_after)
        return ["--certificate", self.path(name + ".pem"), "--key", self.path(name + ".key")]


class Errors(unittest.TestCase):
    def check(self, run, *words, lines=1):
        self.assertEqual((run.status, run.out), (2, ""), run)
        self.assertTrue(run.err.startswith("wiregap: "), run)
        self.assertEqual(len(run.err.splitlines()), lines, run)
        for word in words:
            self.assertIn(word, run.err)
        self.assertNotIn(program.PASSWORD, run.err)
        return run

    def connect(self, port, *options, host="127.0.0.1", timeout=30):
        return program.wiregap("probe", "-S", f"{host},{port}", "-U", "sa", "-l", timeout, "--count", "1", *options)

    def refused(self, port, *words, options=(), **more):
        return self.check(self.connect(port, *options, **more), f"127.0.0.1,{port}: ", *words)

    def test_silent_server(self):
        with program.peer(silent) as port:
            for options, words in ((("-N", "mandatory"), ("PRELOGIN", "said nothing")),
                                   (("-N", "strict"), ("TLS handshake", "fell silent"))):
                run = self.refused(port, "deadline", "-l", *words, options=options, timeout=1)
                self.assertGreater(run.seconds, 0.9)
                self.assertLess(run.seconds, 20)

    def test_one_that_closes_at_once(self):
        with program.peer(lambda connection, stop: None) as port:
            self.refused(port, "PRELOGIN", "-N strict")
            self.refused(port, "TDS 8.0", "-N mandatory", options=["-N", "strict"])

    def test_web_server(self):
        with program.peer(read_then(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")) as port:
            for encryption in ("mandatory", "strict"):
                self.refused(port, "does not speak TDS", "HTTP/1.1 400 Bad Request", "a web server", "port",
                             options=["-N", encryption])

    def test_ssh_server(self):
        with program.peer(greet_with(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n")) as port:
            self.refused(port, "does not speak TDS", "SSH-2.0-OpenSSH_9.2p1", "an SSH server")

    def test_postgresql(self):
        error = b"E\0\0\0\x2eSFATAL\0C0A000\0Munsupported frontend protocol\0\0"
        for encryption in ("mandatory", "strict"):
            for answer in (error, b"N"):  # N: to what looks like its request for TLS
                with program.peer(read_then(answer, stay=True)) as port:
                    run = self.refused(port, "does not speak TDS", "PostgreSQL", "port", options=["-N", encryption],
                                       timeout=60)
                    self.assertLess(run.seconds, 30)  # told at once, not by the deadline
        with program.peer(read_then(b"")) as port:  # what it does to a packet that it takes for a startup packet
            self.refused(port, "closed the connection", "PostgreSQL", "PRELOGIN")

    def test_wrong_password(self):
        for encryption in ("off", "not-supported"):
            with program.serve("--encryption", encryption) as server:
                wrong = program.environment(SQLCMDPASSWORD=program.PASSWORD + "-not")
                run = program.wiregap("query", "-S", f"127.0.0.1,{server.port}", "-U", "sa", "-C", "-N", "optional",
                                      "SELECT 1", env=wrong)
                self.check(run, "refused the login", "18456", "'sa'")

    def test_expired_certificate(self):
        with tempfile.TemporaryDirectory() as folder:
            made = Certificates(folder)
            options = made.issue("expired", "DNS:localhost,IP:127.0.0.1", "20200101000000Z", "20210101000000Z")
            with program.serve(*options) as server:
                run = self.refused(server.port, "not valid today", "2021", "-C", options=["--ca-file", made.authority])
                self.assertNotIn("--ca-file FILE", run.err)
                self.refused(server.port, "not valid today", "-J FILE",
                             options=["--ca-file", made.authority, "-N", "strict"])

    def test_certificate_of_another_host(self):
        with tempfile.TemporaryDirectory() as folder:
            made = Certificates(folder)
            options = made.issue("other", "DNS:db.example.com", "20200101000000Z", "20990101000000Z")
            with program.serve(*options) as server:
                self.refused(server.port, "another host", "db.example.com", "127.0.0.1", "-F NAME",
                             options=["--ca-file", made.authority])
                limits = ["--good", "5s", "--bad", "10s"]
                named = self.connect(server.port, "--ca-file", made.authority, "-F", "db.example.com", *limits)
                self.assertEqual(named.status, 0, named)

    def test_untrusted_certificate(self):
        with program.serve() as server:
            self.refused(server.port, "not trusted", "--ca-file", "-C")
            run = self.refused(server.port, "not trusted", "--ca-file", options=["-N", "strict"])
            self.assertNotIn("-C ", run.err)

    def test_pinned_certificate(self):
        with tempfile.TemporaryDirectory() as folder, program.serve() as server:
            made = Certificates(folder)
            self.refused(server.port, "not the pinned one", "SHA-256", options=["-J", made.authority])

    def test_strict_to_server_without_it(self):
        with program.serve("--encryption", "not-supported") as server:
            self.refused(server.port, "TDS 8.0", "-N mandatory", options=["-N", "strict"])

    def test_server_of_strict_only(self):
        with program.serve("--encryption", "strict") as server:
            self.refused(server.port, "strict", options=["-N", "mandatory"])

    def test_server_without_encryption(self):
        with program.serve("--encryption", "not-supported") as server:
            self.refused(server.port, "does not support encryption", "-N optional")

    def test_server_that_requires_encryption(self):
        with program.serve("--encryption", "required") as server:
            self.refused(server.port, "requires encryption", "-N mandatory", options=["-N", "disable"])

    def test_closed_port(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        self.refused(port, "nothing accepts connections", "is the port right?")

    def test_name_that_does_not_resolve(self):
        self.check(self.connect(1433, host="name.invalid"), "name.invalid,1433: ", "does not resolve")

    def test_messages_differ(self):
        """Nobody has to guess which of two causes a message means."""
        with program.peer(silent) as quiet, program.peer(lambda connection, stop: None) as closing, \
                program.serve() as server:
            runs = [self.connect(quiet, timeout=1), self.connect(closing), self.connect(server.port)]
        texts = {run.err.split(": ", 2)[2] for run in runs}
        self.assertEqual(len(texts), len(runs), texts)


class NothingIsLost(unittest.TestCase):
    """A run that measures nothing touches no file."""

    def run_into(self, path):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        return program.wiregap("probe", "-S", f"127.0.0.1,{port}", "-U", "sa", "-l", 5, "--json", path,
                               env=program.environment(SQLCMDPASSWORD=program.PASSWORD))

    def test_the_report_of_an_earlier_run_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "before.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write("of an earlier run")
            self.assertEqual(self.run_into(path).status, 2)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "of an earlier run")

    def test_no_empty_file_is_left(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_into(os.path.join(folder, "new.json")).status, 2)
            self.assertEqual(os.listdir(folder), [])

    def test_a_report_replaces_the_one_before(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write("x" * 1_000_000)
            run = program.wiregap("demo", "--healthy", "--count", 12, "--sizes", "64", "--json", path)
            self.assertEqual(run.status, 0, run)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(json.load(file)["requests"], 12)


class Usage(unittest.TestCase):
    def check(self, *arguments, words=(), env=None):
        run = program.wiregap(*arguments, env=env)
        self.assertEqual((run.status, run.out), (2, ""), run)
        self.assertLessEqual(len(run.err.splitlines()), 2, run)
        for word in words:
            self.assertIn(word, run.err)
        self.assertNotIn(program.PASSWORD, run.err)

    def test_arguments(self):
        self.check(words=["subcommand"])
        self.check("probe", "--no-such-option", words=["--no-such-option", "--help"])
        self.check("query", words=["sql"])
        self.check("query", "-N", "perhaps", "SELECT 1", words=["perhaps", "strict"])
        self.check("query", "-a", "100", "SELECT 1", words=["512"])
        self.check("query", "-S", "host,99999", "SELECT 1", words=["host,99999"])
        self.check("probe", "--duration", "soon", "-U", "sa", words=["--duration", "soon"])
        self.check("probe", "--sizes", "many", "-U", "sa", words=["--sizes", "many"])
        self.check("serve", "--listen", "nowhere", words=["--listen"])
        self.check("serve", "--fault", "flood", "--listen", "127.0.0.1:0", words=["flood"])

    def test_password_is_not_quoted(self):
        secret = program.PASSWORD
        self.check("-P", secret, "query", "SELECT 1")
        self.check("query", "SELECT 1", "-P", secret, "--no-such-option", words=["--no-such-option"])
        self.check("query", "SELECT 1", "--connection-string", f"Server=x;Pasword={secret};")
        self.check("query", "SELECT 1", "--connection-string", f"Server=x;Password={secret};Encrypt=maybe")

    def test_port_that_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            run = program.wiregap("serve", "--any-user", "--listen", f"127.0.0.1:{port}")
        self.assertEqual((run.status, run.out), (2, ""), run)
        self.assertEqual(run.err.count("cannot listen on"), 1, run)
        self.assertIn("--listen ADDRESS:0 takes a port that is free", run.err)

    def test_no_password(self):
        env = program.environment(SQLCMDPASSWORD=None)
        with subprocess.Popen([program.PROGRAM, "query", "-U", "sa", "SELECT 1"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=env, start_new_session=True) as run:
            _, err = run.communicate(timeout=program.PATIENCE)
        self.assertEqual(run.returncode, 2)
        self.assertIn(b"SQLCMDPASSWORD", err)
        self.check("query", "-U", "sa", "--password-file", "/nonexistent", "SELECT 1", words=["--password-file"])


if __name__ == "__main__":
    program.main()
