# SPDX-License-Identifier: BSL-1.0
"""`wiregap probe --capture`: what it sees of its own connections joins the findings."""

import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import program  # noqa: E402


def probe(port, *options):
    return program.wiregap("probe", "-S", f"127.0.0.1,{port}", "-U", "sa", "-C", "--count", "200", "--good", "200ms", "--json",
                           "-", "--capture", *options)


class Capture(unittest.TestCase):
    def test_evidence_of_the_capture(self):
        for options in ((), ("--connections", "3")):
            with program.serve("--fault", "hold_request=500ms,min=1461,every=20") as server:
                run = probe(server.port, *options)
            self.assertEqual(run.status, 1, run)
            out = json.loads(run.out)
            # A busy machine adds stalls of its own.
            (finding,) = [each for each in out["findings"] if each["cause"] == "push_hold"]
            evidence = {figure["key"]: figure for figure in finding["evidence"]}
            self.assertIn(f"of the {finding['count']} captured", evidence["captured_requests_without_psh"]["text"])
            for key in ("captured_requests_without_psh", "captured_answers_without_psh", "captured_requests_sent_again",
                        "captured_answers_sent_again"):
                self.assertEqual(evidence[key]["value"], 0, key)
            self.assertRegex(run.err, r"captured: \d+ exchanges; the server sent 0 segments again")

    def test_without_the_right_it_says_so(self):
        with program.serve() as server:
            run = subprocess.run([program.PROGRAM, "probe", "-S", f"127.0.0.1,{server.port}", "-U", "sa", "-C", "--capture"],
                                 capture_output=True, text=True, user=65534, check=False, timeout=program.PATIENCE,
                                 env=program.environment(SQLCMDPASSWORD=program.PASSWORD))
        self.assertEqual(run.returncode, 2, run)
        self.assertIn("cap_net_raw", run.stderr)


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("skipped: capturing needs root")
        sys.exit(77)
    program.main()
