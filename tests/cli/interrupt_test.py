# SPDX-License-Identifier: BSL-1.0
"""Ctrl-C, a server that dies, the password prompt, and who can see the password."""

import json
import os
import pty
import select
import signal
import subprocess
import tempfile
import termios
import time
import unittest

import program


def start(server, command, *options):
    return subprocess.Popen([program.PROGRAM, command, "-S", f"127.0.0.1,{server.port}", "-U", "sa", "-N", "disable",
                             *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=program.environment())


def outcome(run):
    out, err = run.communicate(timeout=program.PATIENCE)
    return run.returncode, out.decode(), err.decode()


def until(condition, what):
    end = time.monotonic() + program.PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"never seen: {what}")
        time.sleep(0.05)


def cpu_ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def wait_until_measuring(run):
    """Ten clock ticks of work are more than the login takes."""
    until(lambda: run.poll() is not None or cpu_ticks(run.pid) >= 10, "the probe at work")


def handles_interrupt(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        caught = next(line.split()[1] for line in file if line.startswith("SigCgt"))
    return int(caught, 16) >> (signal.SIGINT - 1) & 1 == 1


class Interrupted(unittest.TestCase):
    def test_probe(self):
        for ending in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(ending), program.serve() as server:
                run = start(server, "probe", "--duration", "600s", "--good", "5s", "--bad", "10s", "--json", "-")
                wait_until_measuring(run)
                began = time.monotonic()
                run.send_signal(ending)
                status, out, err = outcome(run)
                self.assertLess(time.monotonic() - began, 30)
                self.assertEqual(status, 0, err)
                report = json.loads(out)
                self.assertEqual((report["end"], report["verdict"]), ("interrupted", "good"))
                self.assertGreater(report["requests"], 0)
                self.assertIn("good", err.lower())
                self.assertIn("p99", err)

    def test_query(self):
        with program.serve() as server:
            run = start(server, "query", "WAITFOR DELAY '00:10:00'; SELECT 1 AS a")
            until(lambda: handles_interrupt(run.pid), "a handler of SIGINT")
            time.sleep(0.5)  # long enough on most machines to be under way; the outcome is the same anyhow
            began = time.monotonic()
            run.send_signal(signal.SIGINT)
            status, out, err = outcome(run)
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual((status, out), (2, ""), err)
        self.assertIn("interrupted", err)
        self.assertEqual(len(err.splitlines()), 1, err)

    def test_server_that_dies(self):
        with tempfile.TemporaryDirectory() as folder, program.serve() as server:
            path = os.path.join(folder, "report.json")
            run = start(server, "probe", "--duration", "600s", "--good", "5s", "--bad", "10s", "--json", path)
            wait_until_measuring(run)
            server.kill()
            status, out, err = outcome(run)
            with open(path, encoding="utf-8") as file:
                report = json.load(file)
        self.assertEqual(status, 2, out + err)
        self.assertEqual(report["end"], "lost")
        self.assertGreater(report["requests"], 0)
        self.assertTrue(report["problem"])
        self.assertIn("ended early", out.lower())
        self.assertIn("p99", out)


class OnTerminal:
    """The program on a terminal of its own."""

    def __init__(self, *arguments):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(program.PROGRAM, [program.PROGRAM, *arguments], program.environment(SQLCMDPASSWORD=None))
        self.seen = b""

    def read_until(self, text):
        until(lambda: self.read() or text in self.seen, text)

    def read(self):
        while select.select([self.fd], [], [], 0)[0]:
            try:
                piece = os.read(self.fd, 65536)
            except OSError:  # the other side is closed
                return
            if not piece:
                return
            self.seen += piece

    def flags(self):
        local = termios.tcgetattr(self.fd)[3]
        return bool(local & termios.ECHO), bool(local & termios.ISIG), bool(local & termios.ICANON)

    def wait(self):
        ended = []

        def over():
            self.read()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                ended.append(os.waitstatus_to_exitcode(status))
            return ended

        until(over, "the end of the program")
        self.read()
        return ended[0]


class Prompt(unittest.TestCase):
    def ask(self, port=1):
        terminal = OnTerminal("query", "-S", f"127.0.0.1,{port}", "-U", "sa", "-N", "disable", "--csv", "SELECT 1 AS a")
        before = terminal.flags
        terminal.read_until(b"Password for sa")
        until(lambda: not before()[0], "a terminal without echo")
        return terminal

    def ended(self, terminal):
        status = terminal.wait()
        self.assertEqual(terminal.flags(), (True, True, True))
        self.assertNotIn(program.PASSWORD.encode(), terminal.seen)
        os.close(terminal.fd)
        return status

    def test_answer(self):
        with program.serve() as server:
            terminal = self.ask(server.port)
            os.write(terminal.fd, program.PASSWORD.encode() + b"X\x7f\n")  # a slip, taken back
            self.assertEqual(self.ended(terminal), 0, terminal.seen)
        self.assertIn(b"a\r\r\n1\r", terminal.seen)

    def test_keys_that_interrupt(self):
        for key in (b"\x03", b"\x1c"):
            with self.subTest(key):
                terminal = self.ask()
                os.write(terminal.fd, program.PASSWORD.encode() + key)
                self.assertEqual(self.ended(terminal), 2, terminal.seen)
                self.assertIn(b"no password given", terminal.seen)

    def test_signal(self):
        for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(ending):
                terminal = self.ask()
                os.kill(terminal.pid, ending)
                self.assertEqual(self.ended(terminal), -ending, terminal.seen)

    def test_end_of_input(self):
        terminal = self.ask()
        os.write(terminal.fd, b"\x04")
        self.assertEqual(self.ended(terminal), 2, terminal.seen)


class Secret(unittest.TestCase):
    def command_line(self, *options):
        env = program.environment(SQLCMDPASSWORD=None)
        with program.peer(lambda connection, stop: stop.wait(program.PATIENCE)) as port:
            command = [program.PROGRAM, "query", "-l", "100", "-S", f"127.0.0.1,{port}", *options, "SELECT 1"]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env) as run:
                try:
                    def shown():
                        with open(f"/proc/{run.pid}/cmdline", "rb") as file:
                            return file.read()
                    until(lambda: b"****" in shown(), "a hidden password")
                    self.assertNotIn(program.PASSWORD.encode(), shown())
                    # The password is in memory by now: nobody gets to see it, and no core dump will hold it.
                    until(lambda: self.limit_of_core_file(run.pid) == b"0", "no core dump")
                finally:
                    run.kill()

    @staticmethod
    def limit_of_core_file(pid):
        with open(f"/proc/{pid}/limits", "rb") as file:
            return next(line.split()[4] for line in file if line.startswith(b"Max core file size"))

    def test_argument_is_hidden(self):
        secret = program.PASSWORD
        self.command_line("-U", "sa", "-P", secret)
        self.command_line("-U", "sa", "-P" + secret)
        self.command_line("-U", "sa", "--password", secret)
        self.command_line("-U", "sa", "--password=" + secret)
        self.command_line("-U", "sa", "-CP", secret)
        self.command_line("--connection-string", f"Server=127.0.0.1;User ID=sa;Password={secret}")

    def test_ways_to_give_it(self):
        with tempfile.TemporaryDirectory() as folder, program.serve() as server:
            path = os.path.join(folder, "password")
            to = ["query", "-S", f"127.0.0.1,{server.port}", "-U", "sa", "-N", "disable", "--csv", "SELECT 1 AS a"]
            without = program.environment(SQLCMDPASSWORD=None)
            for end in ("", "\n", "\r\n", "\nanother line\n"):
                with open(path, "w", encoding="utf-8", newline="") as file:
                    file.write(program.PASSWORD + end)
                self.assertEqual(program.wiregap(*to, "--password-file", path, env=without).status, 0)
            wrong = program.environment(SQLCMDPASSWORD="wrong")
            self.assertEqual(program.wiregap(*to, "--password-file", path, env=wrong).status, 0)
            self.assertEqual(program.wiregap(*to, "-P", program.PASSWORD, env=wrong).status, 0)
            self.assertEqual(program.wiregap(*to, env=wrong).status, 2)
            self.assertEqual(program.wiregap(*to).status, 0)


if __name__ == "__main__":
    program.main()
