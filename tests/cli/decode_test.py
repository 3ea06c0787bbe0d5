# SPDX-License-Identifier: BSL-1.0
"""wiregap decode: forms of input, output, secrets, exit status."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("WIREGAP_PROGRAM")
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden")
ATTENTION = bytes.fromhex("0601000800000100")


def golden(*parts):
    return os.path.join(GOLDEN, *parts)


def decode(*arguments, stdin=b""):
    run = subprocess.run([PROGRAM, "decode", *arguments], input=stdin, capture_output=True, timeout=60, check=False)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def batch_bytes():
    with open(golden("vectors", "07_sql_batch_server_response.hex"), encoding="ascii") as file:
        lines = [line for line in file if not line.startswith("#")]
    return bytes.fromhex("".join(lines))


def dump(data, form):
    """The same bytes as other programs print them."""
    lines = []
    for at in range(0, len(data), 16):
        part = data[at:at + 16]
        text = "".join(chr(b) if 32 <= b < 127 else "." for b in part)
        pairs = [f"{b:02x}" for b in part]
        if form == "xxd":
            words = [part[i:i + 2].hex() for i in range(0, len(part), 2)]
            lines.append(f"{at:08x}: {' '.join(words):<40} {text}")
        elif form == "tcpdump":
            words = [part[i:i + 2].hex() for i in range(0, len(part), 2)]
            lines.append(f"\t0x{at:04x}:  {' '.join(words):<39}  {text}")
        else:  # hexdump -C and Wireshark differ in the bars only
            columns = " ".join(pairs[:8]) + ("  " + " ".join(pairs[8:]) if len(pairs) > 8 else "")
            bar = "|" if form == "hexdump" else ""
            gap = "  " if form == "hexdump" else "   "
            lines.append(f"{at:08x}  {columns:<48}{gap}{bar}{text}{bar}")
    if form == "hexdump":
        lines.append(f"{len(data):08x}")
    return "\n".join(lines).encode() + b"\n"


class Output(unittest.TestCase):
    maxDiff = None

    def test_reviewed_by_hand(self):
        for name in ("01_pre_login_request", "07_sql_batch_server_response"):
            with self.subTest(name), open(golden("decode", name + ".txt"), encoding="ascii") as file:
                status, out, err = decode(golden("vectors", name + ".hex"))
                self.assertEqual((status, out, err), (0, file.read(), ""))

    def test_json(self):
        status, out, _ = decode("--json", golden("vectors", "07_sql_batch_server_response.hex"))
        self.assertEqual(status, 0)
        (message,) = json.loads(out)
        self.assertEqual(message["from"], "server")
        cell = [field for field in message["fields"] if field["field"] == "bar"]
        self.assertEqual(cell, [{"offset": 0x23, "size": 3, "depth": 1, "field": "bar", "bytes": "666f6f",
                                 "value": "foo", "meaning": "bigvarchar"}])

    def test_two_files(self):
        status, out, _ = decode(golden("vectors", "06_sql_batch_client_request.hex"), "--response",
                                golden("vectors", "07_sql_batch_server_response.hex"))
        self.assertEqual(status, 0)
        self.assertIn("client: SQL_BATCH", out)
        self.assertIn("server: TABULAR_RESULT", out)

    def test_direction_hint(self):
        _, out, _ = decode("--server", golden("vectors", "01_pre_login_request.hex"))
        self.assertIn("server: PRELOGIN", out)


class Secrets(unittest.TestCase):
    LOGIN = golden("recordings", "tedious_queries_login7.hex")

    def test_hidden(self):
        for form in ([], ["--json"]):
            status, out, err = decode(*form, self.LOGIN)
            self.assertEqual(status, 0)
            self.assertNotIn("12345678", out + err)
            self.assertNotIn("b6a586a5", (out + err).lower().replace(" ", ""))
            self.assertIn("babelfish_user", out)

    def test_shown_when_asked(self):
        for form in ([], ["--json"]):
            status, out, _ = decode("--show-secrets", *form, self.LOGIN)
            self.assertEqual(status, 0)
            self.assertIn("12345678", out)


class Input(unittest.TestCase):
    def test_every_form_is_the_same(self):
        data = batch_bytes()
        _, expected, _ = decode(stdin=data)
        self.assertIn("COLMETADATA", expected)
        forms = {
            "pairs": data.hex(" ").encode(),
            "one line": data.hex().encode(),
            "literal": b"0x" + data.hex().upper().encode(),
            "array": ", ".join(f"0x{b:02X}" for b in data).encode(),
            "comments": b"# a comment\r\n" + data.hex(" ").encode() + b"  # another\r\n",
            "byte order mark": b"\xef\xbb\xbf" + data.hex().encode(),
        }
        for form in ("xxd", "tcpdump", "hexdump", "wireshark"):
            forms[form] = dump(data, form)
        for name, text in forms.items():
            with self.subTest(name):
                self.assertEqual(decode(stdin=text), (0, expected, ""))

    def test_a_pipe_by_its_name(self):
        data = ATTENTION
        self.assertEqual(decode("/dev/stdin", stdin=data), decode(stdin=data))

    def test_both_directions_of_followed_stream(self):
        indented = b"".join(b"    " + line + b"\n" for line in dump(batch_bytes(), "wireshark").splitlines())
        status, out, _ = decode(stdin=dump(ATTENTION, "wireshark") + indented)
        self.assertEqual(status, 0)
        self.assertIn("client: ATTENTION", out)
        self.assertIn("server: TABULAR_RESULT", out)

    def test_forced(self):
        self.assertEqual(decode("--binary", stdin=ATTENTION)[0], 0)
        self.assertEqual(decode("--hex", stdin=ATTENTION.hex().encode())[0], 0)
        self.assertEqual(decode("--hex", stdin=ATTENTION)[0], 2)

    def refused(self, stdin, *words, arguments=()):
        status, out, err = decode(*arguments, stdin=stdin)
        self.assertEqual((status, out), (2, ""))
        for word in words:
            self.assertIn(word, err)

    def test_refused(self):
        self.refused(b"", "empty")
        self.refused(b"# only a comment\n", "no hex digits")
        self.refused(b"06 01\n00 8\n", "line 2, column 4", "odd number")
        self.refused(b"06 01 zz\n", "line 1, column 7", "'z'")
        self.refused(b"48 54 54 50 2F 31 2E 31", "not TDS", "0x48")
        self.refused(b"", "cannot be opened", arguments=["/nonexistent/file"])
        self.refused(ATTENTION, "7.4", arguments=["--tds-version", "9"])
        self.refused("06 01".encode("utf-16"), "UTF-16")
        self.refused(b"\xd4\xc3\xb2\xa1\x02\x00\x04\x00", "pcap")
        self.refused(b"\x0a\x0d\x0d\x0a\x00\x00\x00\x1c", "pcap")


class Captures(unittest.TestCase):
    QUERIES = golden("recordings", "tedious_queries.pcap")

    def test_messages_of_its_streams(self):
        status, out, err = decode(self.QUERIES)
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(out.startswith("#1 2026-11-30T20:48:03."), out[:100])
        for words in ("client: PRELOGIN", "client: LOGIN7", '"SELECT @@VERSION"', "127.0.0.1:53346 > 127.0.0.1:1433"):
            self.assertIn(words, out)
        self.assertEqual(out.count("client: SQL_BATCH"), 59)
        self.assertNotIn("12345678", out)

    def test_json(self):
        status, out, _ = decode("--json", self.QUERIES)
        self.assertEqual(status, 0)
        messages = json.loads(out)
        self.assertEqual(len(messages), 122)
        self.assertEqual({one["connection"] for one in messages}, {1})
        self.assertEqual([one["message"]["from"] for one in messages], ["client", "server"] * 61)
        self.assertNotIn("12345678", out)

    def test_one_connection(self):
        status, out, _ = decode("--json", "--connection", "1", self.QUERIES)
        self.assertEqual((status, len(json.loads(out))), (0, 122))
        status, _, err = decode("--connection", "2", self.QUERIES)
        self.assertEqual(status, 2)
        self.assertIn("no TDS in it", err)

    def test_encrypted_login(self):
        status, out, _ = decode(golden("recordings", "freetds_7.4.pcap"))
        self.assertEqual(status, 0)
        self.assertIn("client: TLS record", out)
        self.assertIn("client: SQL_BATCH", out)


class Status(unittest.TestCase):
    def test_decode_error(self):
        status, out, _ = decode(stdin=bytes.fromhex("0401000A000001004200"))
        self.assertEqual(status, 1)
        self.assertIn("unknown_token", out)

    def test_stream_that_stops_being_tds(self):
        status, out, err = decode(stdin=ATTENTION + b"\xff\xff")
        self.assertEqual(status, 1)
        self.assertIn("ATTENTION", out)
        self.assertIn("offset 8", err)

    def test_version(self):
        narrow = bytes.fromhex("0401001100000100FD1000C10002000000")
        self.assertEqual(decode(stdin=narrow)[0], 0)
        self.assertEqual(decode("--tds-version", "7.1", stdin=narrow)[0], 0)
        self.assertEqual(decode("--tds-version", "7.4", stdin=narrow)[0], 1)

    def test_usage(self):
        self.assertEqual(decode("--no-such-option")[0], 2)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(decode(folder)[0], 2)


if __name__ == "__main__":
    if not PROGRAM:
        print("skipped: WIREGAP_PROGRAM names no program")
        sys.exit(77)
    unittest.main()
