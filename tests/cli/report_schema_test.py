# SPDX-License-Identifier: BSL-1.0
"""The report of probe and demo: its schema, its verdict, its sums."""

import json
import os
import sys
import tempfile
import threading
import time
import unittest

import program
import schemas


class Watch:
    """Looks how late this machine wakes a thread: what it does to this one it does to the program as well."""

    def __enter__(self):
        self.latest = 0.0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.look)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def look(self):
        step = 0.002
        while not self.ended.is_set():
            before = time.monotonic()
            time.sleep(step)
            self.latest = max(self.latest, time.monotonic() - before - step)


class Report(unittest.TestCase):
    def check(self, report):
        schemas.check(report, schemas.load("report"))
        sizes = report["by_size"]
        for member in ("requests", "over_good", "over_bad", "unanswered"):
            self.assertEqual(report[member], sum(size[member] for size in sizes), member)
        self.assertGreater(len(sizes), 3)
        names = [(size["request_bytes"], size["response_bytes"]) for size in sizes]
        self.assertEqual(len(names), len(set(names)), "a size stands there twice")
        for latency in [report["latency_us"]] + [size["latency_us"] for size in sizes if size["requests"]]:
            order = [latency[key] for key in ("min", "p50", "p90", "p99", "p999", "max")]
            self.assertEqual(order, sorted(order))
        self.assertEqual(report["latency_us"]["max"], max(size["latency_us"]["max"] for size in sizes))
        self.assertLessEqual(report["connection_us"]["login"], report["connection_us"]["total"])
        self.check_host(report["host"])
        for size in sizes:
            self.assertEqual(sum(count for _, count in size["histogram_us"]), size["requests"])
            ends = [us for us, _ in size["histogram_us"]]
            self.assertEqual(ends, sorted(set(ends)))

    def check_host(self, host):
        # The servers of these tests are this machine: one interface is on the way, the loopback.
        if host["route"]["facts"]:
            self.assertTrue(host["route"]["facts"]["local"]["value"])
            self.assertEqual([device["loopback"] for device in host["interfaces"]], [True])

    def test_schema_is_one(self):
        schemas.check_schema(schemas.load("report"))

    def demo(self):
        """The report and the text of a demo whose machine was not in its way."""
        for attempt in range(5):
            with tempfile.TemporaryDirectory() as folder, Watch() as watch:
                path = os.path.join(folder, "report.json")
                # What a busy machine adds by itself is not slow by these limits.
                run = program.wiregap("demo", "--count", 200, "--good", "400ms", "--json", path)
                self.assertEqual(run.status, 1, run)
                with open(path, encoding="utf-8") as file:
                    report = json.load(file)
            # A hold of 500 ms that ends 40 ms late is not one for certain, and the report says so.
            if [finding["cause"] for finding in report["findings"]] == ["push_hold"] or watch.latest < 0.02:
                break
            print(f"attempt {attempt + 1}: this machine woke nobody for {watch.latest * 1000:.0f} ms", file=sys.stderr)
        return report, run.out

    def test_problem(self):
        report, text = self.demo()
        self.check(report)
        self.assertEqual((report["verdict"], report["end"]), ("problem", "complete"))
        self.assertEqual(report["requests"], 200)
        self.assertGreater(report["over_bad"], 0)
        held = [size for size in report["by_size"] if size["over_bad"] > 0]
        # The demo's server holds what is longer than one TCP segment, and nothing else.
        self.assertTrue(all(size["request_bytes"] > 1460 for size in held), held)
        self.assertEqual([finding["cause"] for finding in report["findings"]], ["push_hold"], report["findings"])
        finding = report["findings"][0]
        self.assertEqual((finding["layer"], finding["confidence"]), ("server_receive", "likely"))
        self.assertEqual((finding["count"], finding["over_bad"]), (report["over_bad"], report["over_bad"]))
        # It names the sizes that suffer and those that do not.
        evidence = {figure["key"]: figure["value"] for figure in finding["evidence"]}
        self.assertEqual(evidence["request_several_segments_stalled"], report["over_bad"])
        self.assertEqual(evidence["request_single_segment_stalled"], 0)
        smallest = min(size["request_bytes"] for size in held)
        self.assertEqual(evidence["request_bytes_from"], smallest)
        self.assertIn(f"from {smallest} bytes on; none up to ", text)
        for part in ("evidence", "remedy"):
            self.assertTrue(finding[part], part)
        self.assertIn("netsh int tcp", " ".join(remedy["command"] for remedy in finding["remedy"]))
        self.assertTrue(report["push_hold_comparison"])
        # The text names the verdict, the sizes that suffer and this machine as well.
        self.assertIn("problem", text.lower())
        self.assertIn("This machine", text)
        for size in held:
            self.assertIn(str(size["request_bytes"]), text)

    def test_good(self):
        # The limit is far above what a busy machine does, so that the verdict is the program's and not the machine's.
        run = program.wiregap("demo", "--healthy", "--count", 300, "--good", "5s", "--bad", "10s", "--json", "-")
        self.assertEqual(run.status, 0, run)
        report = json.loads(run.out)  # nothing but the JSON is on standard output
        self.check(report)
        self.assertEqual((report["verdict"], report["requests"]), ("good", 300))
        self.assertEqual((report["over_good"], report["over_bad"], report["findings"]), (0, 0, []))
        self.assertIn("good", run.err.lower())

    def test_sizes_without_requests(self):
        out = program.wiregap("demo", "--healthy", "--count", 1, "--good", "5s", "--bad", "10s").out
        table = out[out.index("Round trips by size"):].split("\n\n")[0].splitlines()
        unused = [line.split() for line in table if line.split()[-7:-6] == ["0"]]
        self.assertGreater(len(unused), 3, out)
        for cells in unused:
            self.assertEqual(cells[-6:-2], ["-"] * 4, out)

    def test_encrypted_connection(self):
        with program.serve() as server:
            run = program.wiregap("probe", "-S", f"127.0.0.1,{server.port}", "-U", "sa", "-C", "--count", 20, "--good",
                                  "5s", "--bad", "10s", "--json", "-")
        self.assertEqual(run.status, 0, run)
        report = json.loads(run.out)
        self.check(report)
        self.assertEqual(report["connection"]["tls"]["version"], "TLSv1.2")
        self.assertGreater(report["connection_us"]["tls"], 0)
        self.assertNotIn(program.PASSWORD, run.out + run.err)

    def test_file_that_cannot_be_written(self):
        run = program.wiregap("demo", "--count", 1, "--json", "/nonexistent/report.json")
        self.assertEqual((run.status, run.out), (2, ""), run)
        self.assertIn("cannot be written", run.err)


if __name__ == "__main__":
    program.main()
