# SPDX-License-Identifier: BSL-1.0
"""`wiregap host`: it reads this machine, whatever it is, and says the same in words and as JSON."""

import json
import os
import tempfile
import unittest

import program
import schemas


class Host(unittest.TestCase):
    def read(self, *options):
        run = program.wiregap("host", *options, "--json", "-")
        self.assertIn(run.status, (0, 1), run)
        self.assertEqual(run.err, "", run)
        report = json.loads(run.out)
        self.assertEqual((report["tool"], report["schema_version"]), ("wiregap host", 1))
        host = report["host"]
        schemas.check(host, schemas.load("report", "host"))
        self.assertEqual(run.status == 1, any(one["severity"] == "stalls" for one in host["advice"]), run)
        return host

    def test_json(self):
        host = self.read()
        self.assertIn(host["system"], ("linux", "windows"))
        self.assertEqual(host["route"], {"server": "", "facts": {}})
        indexes = [device["index"] for device in host["interfaces"]]
        self.assertEqual(indexes, sorted(indexes))
        severities = [["stalls", "warning", "note"].index(one["severity"]) for one in host["advice"]]
        self.assertEqual(severities, sorted(severities), "the worst comes first")

    def test_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "host.json")
            run = program.wiregap("host", "--json", path)
            self.assertIn(run.status, (0, 1), run)
            with open(path, encoding="utf-8") as file:
                host = json.load(file)["host"]
        for title in ("Machine", "TCP", "What matters"):
            self.assertIn(title, run.out)
        for device in host["interfaces"]:
            self.assertIn(device["name"], run.out)
        for one in host["advice"]:
            self.assertIn(one["what"], run.out)
            self.assertIn(one["mend"], run.out)
        self.assertNotIn("\x1b", run.out)

    def test_route(self):
        host = self.read("--server", "127.0.0.1,1433")
        self.assertEqual(host["route"]["server"], "127.0.0.1")
        if "through" not in host["route"]["facts"]:
            self.skipTest("this machine tells no routes")
        self.assertTrue(host["route"]["facts"]["local"]["value"])
        self.assertEqual([device["name"] for device in host["interfaces"]], [host["route"]["facts"]["through"]["value"]])
        self.assertIn("local_server", [one["key"] for one in host["advice"]])

    def test_a_named_instance_needs_no_port(self):
        self.assertEqual(self.read("--server", "127.0.0.1\\SALES")["route"]["server"], "127.0.0.1")

    def test_a_server_that_is_none(self):
        for server, complaint in (("127.0.0.1,port", "port"), ("no.such.host.invalid", "resolve")):
            run = program.wiregap("host", "--server", server)
            self.assertEqual((run.status, run.out), (2, ""), run)
            self.assertIn(complaint, run.err)

    def test_a_file_that_cannot_be_written(self):
        run = program.wiregap("host", "--json", "/nonexistent/host.json")
        self.assertEqual((run.status, run.out), (2, ""), run)
        self.assertIn("cannot be written", run.err)


if __name__ == "__main__":
    program.main()
