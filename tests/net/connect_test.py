# SPDX-License-Identifier: BSL-1.0
"""The time before the first request: a probe over a path that loses the first packets of a connection."""

import json
import os
import unittest

from link_runs import PROGRAM, main, wiregap

SERVER = f"exec {PROGRAM} serve --any-user --listen 0.0.0.0:1433 > /dev/null"
# The limits are far above what a busy machine does: the verdict is about requests, and they are well.
PROBE = ["--", PROGRAM, "probe", "-S", "10.77.0.2", "-U", "someone", "-C", "--count", "20", "--good", "8s", "--bad",
         "10s", "--json", "-"]
ENVIRONMENT = {**os.environ, "SQLCMDPASSWORD": "any"}


class Connecting(unittest.TestCase):
    def probe(self, *impairments):
        run = wiregap("link", *impairments, "--server-command", SERVER, *PROBE, env=ENVIRONMENT)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.said = run.stderr
        report = json.loads(run.stdout)
        self.assertEqual(report["verdict"], "good")
        return report

    def test_a_lost_syn_is_proved(self):
        report = self.probe("--lose", "request:syn,limit=1")
        self.assertEqual([found["cause"] for found in report["findings"]], ["syn_loss"], report["findings"])
        found = report["findings"][0]
        self.assertEqual((found["layer"], found["confidence"], found["count"]), ("connect", "proved", 0))
        self.assertGreaterEqual(found["lost_us"], 900_000)
        evidence = {figure["key"]: figure["value"] for figure in found["evidence"]}
        self.assertEqual(evidence["syns_sent_again"], 1)
        self.assertIn("Finding: syn_loss in connect (proved)", self.said)
        self.assertIn("SYN sent 2 times", self.said)

    def test_a_lost_answer_to_a_syn_looks_the_same(self):
        report = self.probe("--lose", "response:syn,limit=1")
        self.assertEqual([found["cause"] for found in report["findings"]], ["syn_loss"], report["findings"])

    def test_a_long_path_is_no_finding(self):
        self.assertEqual(self.probe("--delay", "40ms")["findings"], [])

    def test_a_connect_that_failed_says_how_often_it_knocked(self):
        run = wiregap("link", "--lose", "request:syn,again", "--server-command", SERVER, "--", PROGRAM, "query", "-S",
                      "10.77.0.2", "-U", "someone", "-C", "-l", "4", "SELECT 1", env=ENVIRONMENT)
        self.assertEqual(run.returncode, 2, run)
        self.assertRegex(run.stderr, r"10\.77\.0\.2:1433 \(no answer in [34]\S* s, SYN sent [3-5] times\)")
        self.assertIn("a firewall that drops", run.stderr)


if __name__ == "__main__":
    main()
