# SPDX-License-Identifier: BSL-1.0
"""`wiregap host` in a network namespace whose interfaces and routes are known."""

import json
import os
import shutil
import subprocess
import sys
import unittest

PROGRAM = os.environ.get("WIREGAP_PROGRAM")
NAMESPACE = f"wiregap_host_{os.getpid()}"
SETUP = """
link add br0 type bridge
link add port0 type veth peer name far0
link set port0 master br0
link set lo up
link set port0 up
link set far0 up
link set br0 up
address add 10.8.0.1/24 dev br0
route add 10.77.0.0/16 via 10.8.0.2 rto_min 20ms quickack 1 initcwnd 4 mtu lock 1400
route add 10.78.0.0/16 via 10.8.0.2 rto_min 400ms
"""


def ip(*arguments):
    return subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


class Namespace(unittest.TestCase):
    def host(self, *options):
        run = subprocess.run(["ip", "netns", "exec", NAMESPACE, PROGRAM, "host", "--json", "-", *options],
                             capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(run.returncode, 0, run)
        return json.loads(run.stdout)["host"]

    @staticmethod
    def values(facts):
        return {name: fact["value"] for name, fact in facts.items()}

    def test_route_options(self):
        host = self.host("--server", "10.77.1.1")
        route = self.values(host["route"]["facts"])
        self.assertEqual(route, {"through": "br0", "gateway": "10.8.0.2", "source": "10.8.0.1", "local": False,
                                 "mtu": 1400, "mtu_locked": True, "rto_min_ms": 20, "quickack": True, "initcwnd": 4})
        advice = {one["key"]: one["severity"] for one in host["advice"] if one["about"] == "route"}
        self.assertEqual(advice, {"initcwnd": "warning", "rto_min": "note", "quickack": "note", "mtu_locked": "note"})

    def test_a_long_retransmission_timeout(self):
        host = self.host("--server", "10.78.1.1")
        self.assertIn(("rto_min", "warning"), [(one["key"], one["severity"]) for one in host["advice"]])

    def test_the_way_leads_through_the_bridge_to_its_port(self):
        host = self.host("--server", "10.8.0.2")
        self.assertEqual([device["name"] for device in host["interfaces"]], ["br0", "port0"])
        self.assertEqual(host["interfaces"][0]["below"], ["port0"])
        port = self.values(host["interfaces"][1]["facts"])
        self.assertEqual((port["driver"], port["above"], port["bridged"]), ("veth", "br0", True))
        self.assertEqual(self.values(host["interfaces"][0]["facts"])["driver"], "bridge")

    def test_only_the_interfaces_of_this_namespace(self):
        names = {device["name"] for device in self.host()["interfaces"]}
        self.assertEqual(names, {"lo", "br0", "port0", "far0"})

    def test_no_route(self):
        host = self.host("--server", "192.0.2.77")
        self.assertEqual(host["route"], {"server": "192.0.2.77", "facts": {}})


def main():
    if not PROGRAM:
        skip("WIREGAP_PROGRAM names no program")
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        skip("network namespaces need root on Linux")
    if not shutil.which("ip"):
        skip("ip (iproute2) is not installed")
    made = ip("netns", "add", NAMESPACE)
    if made.returncode != 0:
        skip(f"no network namespace: {made.stderr.strip()}")
    try:
        for line in SETUP.split("\n"):
            done = ip("-n", NAMESPACE, *line.split()) if line else None
            if done and done.returncode != 0:
                skip(f"ip {line}: {done.stderr.strip()}")
        unittest.main()
    finally:
        ip("netns", "delete", NAMESPACE)


if __name__ == "__main__":
    main()
