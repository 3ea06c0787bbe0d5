# SPDX-License-Identifier: BSL-1.0
"""`wiregap compare`: what it says of reports whose differences are known."""

import copy
import json
import os
import tempfile
import unittest

import program
import schemas

GOOD_US, BAD_US = 20_000, 500_000


class Compare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A real report is the frame; what was measured is put in.
        run = program.wiregap("demo", "--healthy", "--count", 12, "--sizes", "64,3000", "--json", "-")
        cls.frame = json.loads(run.out)
        cls.schema = schemas.load("compare")

    def report(self, *sizes, **changes):
        """A report with these [round trip in us, count] lists, one a size."""
        out = copy.deepcopy(self.frame)
        for size, times in zip(out["by_size"], sizes, strict=True):
            size["histogram_us"] = times
            size["requests"] = sum(count for _, count in times)
            size["over_good"] = sum(count for us, count in times if us >= GOOD_US)
            size["over_bad"] = sum(count for us, count in times if us >= BAD_US)
        out.update(changes)
        return out

    def compare(self, before, after, *options):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, report in (("before.json", before), ("after.json", after)):
                paths.append(os.path.join(folder, name))
                with open(paths[-1], "w", encoding="utf-8") as file:
                    file.write(report if isinstance(report, str) else json.dumps(report))
            return program.wiregap("compare", *paths, *options)

    def verdict(self, before, after):
        run = self.compare(before, after, "--json", "-")
        found = json.loads(run.out)
        schemas.check(found, self.schema)
        self.assertIn(found["summary"], run.err)
        self.assertEqual(run.status, {"same": 0, "better": 0, "worse": 1, "not_enough_data": 2}[found["verdict"]], run)
        for rate in ("over_bad", "over_good"):
            for member in ("before", "before_of", "after", "after_of"):
                self.assertEqual(found["all"][rate][member], sum(size[rate][member] for size in found["by_size"]))
        return found

    def test_schema_is_one(self):
        schemas.check_schema(self.schema)

    def test_stalls_that_are_gone(self):
        stalls = self.report([[40, 1000]], [[50, 970], [500_100, 30]])
        healed = self.report([[40, 1000]], [[50, 1000]])
        found = self.verdict(stalls, healed)
        self.assertEqual(found["verdict"], "better")
        self.assertIn("0 of 2000 requests took 500 ms or longer (0 %), before 30 of 2000", found["summary"])
        rate = found["all"]["over_bad"]
        # The sum of exact fractions, as in tests/unit/wire/stats.
        self.assertAlmostEqual(rate["p"] / 1.66937e-9, 1, 3)
        self.assertEqual([size["over_bad"]["change"] for size in found["by_size"]], ["same", "better"])
        self.assertEqual(self.verdict(healed, stalls)["verdict"], "worse")

    def test_the_same_twice(self):
        for times in ([[50, 970], [500_100, 30]], [[50, 1000]], [[50, 5]]):
            report = self.report([[40, 1000]], times)
            found = self.verdict(report, report)
            self.assertEqual((found["verdict"], found["remarks"]), ("same", []))

    def test_too_few_requests(self):
        stalls = self.report([[40, 1000]], [[50, 980], [500_100, 20]])
        found = self.verdict(stalls, self.report([[40, 30]], [[50, 30]]))
        self.assertEqual(found["verdict"], "not_enough_data")
        self.assertIn("Not enough data", found["summary"])
        needed = found["all"]["over_bad"]["more_after_needed"]
        self.assertGreater(needed, 100)
        self.assertIn("more requests in the second run would tell", found["summary"])
        # With as many as it says, it can tell.
        told = self.report([[40, 30 + needed // 2]], [[50, 30 + needed - needed // 2]])
        self.assertEqual(self.verdict(stalls, told)["verdict"], "better")

    def test_both_runs_too_short(self):
        found = self.verdict(self.report([[40, 50]], [[50, 48], [500_100, 2]]),
                             self.report([[40, 50]], [[50, 49], [500_100, 1]]))
        self.assertEqual(found["verdict"], "not_enough_data")
        self.assertIsNone(found["all"]["over_bad"]["more_after_needed"])
        self.assertGreater(found["all"]["over_bad"]["each_needed"], 1000)
        self.assertIn("--count", found["summary"])

    def test_slower_below_the_limits(self):
        fast, slow = self.report([[1000, 500]], [[2000, 500]]), self.report([[1500, 500]], [[3000, 500]])
        found = self.verdict(fast, slow)
        self.assertEqual(found["verdict"], "worse")
        self.assertIn("p50 of all sizes", found["summary"])
        self.assertEqual(self.verdict(slow, fast)["verdict"], "better")

    def test_slower_by_less_than_matters(self):
        # 120 us are nothing against a limit of 20 ms, nor is a twentieth.
        self.assertEqual(self.verdict(self.report([[40, 500]], [[60, 500]]),
                                      self.report([[160, 500]], [[180, 500]]))["verdict"], "same")
        self.assertEqual(self.verdict(self.report([[10_000, 500]], [[10_000, 500]]),
                                      self.report([[10_500, 500]], [[10_500, 500]]))["verdict"], "same")

    def test_fewer_stalls_but_slower(self):
        found = self.verdict(self.report([[1000, 1000]], [[1000, 960], [500_100, 40]]),
                             self.report([[3000, 1000]], [[3000, 1000]]))
        self.assertEqual(found["verdict"], "better")
        self.assertTrue(any(remark.startswith("but worse: p50") for remark in found["remarks"]), found["remarks"])

    def test_intervals_of_quantiles(self):
        times = [[us, 1] for us in range(1, 1001)]
        found = self.verdict(self.report(times, times), self.report(times, times))
        self.assertEqual([q["share"] for q in found["by_size"][0]["quantiles"]], [0.5, 0.9, 0.99, 0.999])
        median, _, _, last = (q["before"] for q in found["by_size"][0]["quantiles"])
        self.assertEqual(median, {"value_us": 500, "low_us": 469, "high_us": 532})
        self.assertIsNone(last["high_us"])

    def test_remarks(self):
        before = self.report([[40, 100]], [[50, 100]], server="old,1433", began="2026-01-02T00:00:00.000Z")
        after = self.report([[40, 100]], [[50, 100]], server="new,1433", began="2026-01-01T00:00:00.000Z")
        before["host"]["tcp"]["sack"] = {"value": 0, "source": "test"}
        after["host"]["tcp"]["sack"] = {"value": 1, "source": "test"}
        before["host"]["machine"]["steal_percent"] = {"value": 3.5, "source": "test"}
        remarks = "\n".join(self.verdict(before, after)["remarks"])
        for expected in ("old,1433, then new,1433", "in their order?", "setting changed: tcp sack was 0, is 1"):
            self.assertIn(expected, remarks)
        self.assertNotIn("steal", remarks)

    def test_what_cannot_be_compared(self):
        report = self.report([[40, 100]], [[50, 100]])
        other_sizes = copy.deepcopy(report)
        other_sizes["by_size"][1]["request_bytes"] += 1
        fewer_sizes = copy.deepcopy(report)
        del fewer_sizes["by_size"][1]
        broken = copy.deepcopy(report)
        broken["by_size"][0]["histogram_us"] = [[50, 60], [40, 40]]
        short = copy.deepcopy(report)
        del short["by_size"][0]["histogram_us"]
        for other, complaint in ((other_sizes, "different sizes"), (fewer_sizes, "different sizes"),
                                 (dict(report, good_us=10_000), "different limits"),
                                 (dict(report, schema_version=1), "schema version 1"),
                                 (self.report([], []), "nothing was measured"), (broken, "does not ascend"),
                                 (short, "histogram_us"), ({"tool": "wiregap host"}, "not a report"), ([], "not a report"),
                                 ("{", "not JSON")):
            for run in (self.compare(report, other), self.compare(other, report)):
                self.assertEqual((run.status, run.out), (2, ""), run)
                self.assertIn(complaint, run.err)

    def test_a_file_that_is_not_there(self):
        run = program.wiregap("compare", "/nonexistent/before.json", "/nonexistent/after.json")
        self.assertEqual((run.status, run.out), (2, ""), run)
        self.assertIn("before.json: cannot be opened", run.err)

    def test_real_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            before, after = os.path.join(folder, "before.json"), os.path.join(folder, "after.json")
            for path, healthy in ((before, ()), (after, ("--healthy",))):
                program.wiregap("demo", *healthy, "--count", 600, "--sizes", "64,3000,8000", "--json", path)
            run = program.wiregap("compare", before, after)
        self.assertEqual(run.status, 0, run)
        for text in ("Before", "After", "over 500 ms", "p99.9", "Better: "):
            self.assertIn(text, run.out)
        self.assertNotIn("\x1b", run.out)


if __name__ == "__main__":
    program.main()
