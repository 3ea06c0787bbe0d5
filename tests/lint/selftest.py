#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Shows each rule something bad that it must find and something good that it must leave alone."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import arrows
import documents
import functions
import races
import run
import shape
import tools
from tree import Tree

CPP_HEAD = "// SPDX-License-Identifier: BSL-1.0\n"
PY_HEAD = "# SPDX-License-Identifier: BSL-1.0\n"


def found(check, files, *more):
    """path:line of what `check` finds in `files`."""
    return [f"{f.path}:{f.line}" for f in check(Tree(files), *more)]


class Arrows(unittest.TestCase):
    def bad(self, path, include):
        self.assertEqual(found(arrows.check_arrows, {path: f"\n#include {include}\n"}), [f"{path}:2"], f"{path} {include}")

    def good(self, path, include):
        self.assertEqual(found(arrows.check_arrows, {path: f"#include {include}\n"}), [], f"{path} {include}")

    def test_arrows_never_turn_back(self):
        self.bad("lib/wire/net/a.cpp", "<tds/bytes/reader.hpp>")
        self.bad("lib/wire/net/a.cpp", "<bench/harness/a.hpp>")
        self.bad("tds/client/a.cpp", "<bench/harness/a.hpp>")
        self.bad("tds/client/a.cpp", "<tests/support/golden.hpp>")
        self.bad("tds/bytes/a.hpp", "<tds/protocol/a.hpp>")
        self.bad("tds/protocol/tokens/a.hpp", "<tds/session/a.hpp>")
        self.bad("tds/protocol/a.hpp", "<wire/net/a.hpp>")
        self.bad("tds/session/a.cpp", "<tds/client/a.hpp>")
        self.bad("tds/session/a.cpp", '"../client/a.hpp"')
        self.bad("tds/session/a.cpp", "<tds/tls/a.hpp>")
        self.bad("tds/client/a.cpp", "<tds/server/a.hpp>")
        self.bad("tds/tls/a.cpp", "<tds/session/a.hpp>")
        self.bad("examples/01.cpp", "<bench/harness/a.hpp>")
        self.bad("tds/client/a.cpp", "<openssl/ssl.h>")
        self.bad("tds/client/a.cpp", "<tds/tls/detail/a.hpp>")

    def test_a_new_folder_must_say_where_it_stands(self):
        self.assertEqual(found(arrows.check_arrows, {"tds/new/a.cpp": "", "lib/b/a.cpp": "", "tests/new/a.cpp": ""}),
                         ["tds/new/a.cpp:1", "lib/b/a.cpp:1"])

    def test_arrows_that_go_the_right_way(self):
        self.good("lib/wire/net/a.cpp", "<wire/clock/stamp.hpp>")
        self.good("lib/wire/net/a.cpp", '"stamp.hpp"')
        self.good("tds/session/a.cpp", "<tds/protocol/login7.hpp>")
        self.good("tds/session/a.cpp", '"a_steps.hpp"')
        self.good("tds/client/a.cpp", "<wire/net/tcp_stream.hpp>")
        self.good("tds/tls/detail/a.cpp", "<openssl/ssl.h>")
        self.good("tds/tls/a.cpp", "<tds/tls/detail/a.hpp>")
        self.good("bench/wiregap/a.cpp", "<tds/client/connection.hpp>")
        self.good("tests/unit/a.cpp", "<bench/harness/a.hpp>")


class Core(unittest.TestCase):
    def bad(self, path, line):
        self.assertEqual(found(arrows.check_core, {path: line + "\n"}), [f"{path}:1"], f"{path} {line}")

    def good(self, path, line):
        self.assertEqual(found(arrows.check_core, {path: line + "\n"}), [], f"{path} {line}")

    def test_the_core_knows_only_the_standard_library_and_boost_system(self):
        self.bad("tds/bytes/a.cpp", "#include <boost/asio/buffer.hpp>")
        self.bad("tds/protocol/a.cpp", "#include <openssl/ssl.h>")
        self.bad("tds/session/a.cpp", "#include <thread>")
        self.bad("tds/session/a.cpp", "#include <fstream>")
        self.bad("tds/session/a.cpp", "#include <unistd.h>")
        self.bad("tds/session/a.cpp", "auto t = std::chrono::steady_clock::now();")
        self.bad("tds/bytes/a.cpp", "#include <unicode/ucnv.h>")
        self.bad("tds/protocol/types/a.hpp", "#include <unicode/ucnv.h>")
        self.good("tds/protocol/a.cpp", "#include <boost/system/result.hpp>")
        self.good("tds/protocol/a.cpp", "#include <chrono>")
        self.good("tds/protocol/types/code_page.cpp", "#include <unicode/ucnv.h>")
        self.good("tds/client/a.cpp", "#include <boost/asio/buffer.hpp>")

    def test_icu_has_one_home(self):
        files = {"tds/protocol/types/a.cpp": "#include <unicode/ucnv.h>\n",
                 "tds/protocol/types/b.cpp": "\n#include <unicode/ucnv.h>\n"}
        self.assertEqual(found(arrows.check_core, files), ["tds/protocol/types/b.cpp:2"])


class Platform(unittest.TestCase):
    def test_platform_code_has_its_own_files(self):
        for line in ("#include <linux/errqueue.h>", "#include <sys/socket.h>", "#include <unistd.h>",
                     "#include <netinet/tcp.h>", "#include <WinSock2.h>", "#include <windows.h>", "#ifdef __linux__",
                     "#if defined(_WIN32)"):
            self.assertEqual(found(arrows.check_platform, {"lib/wire/net/a.cpp": line}), ["lib/wire/net/a.cpp:1"], line)
            self.assertEqual(found(arrows.check_platform, {"lib/wire/net/a_linux.cpp": line}), [], line)
        self.assertEqual(found(arrows.check_platform, {"lib/wire/a.cpp": "#include <system_error>\n#if 1\n"}), [])


class Shape(unittest.TestCase):
    def test_first_line(self):
        self.assertEqual(found(shape.check_first_line, {"a.cpp": "#include <a>\n", "b.py": "x = 1\n", "c.hpp": "",
                                                        "d/CMakeLists.txt": "project(d)\n"}),
                         ["a.cpp:1", "b.py:1", "c.hpp:1", "d/CMakeLists.txt:1"])
        self.assertEqual(found(shape.check_first_line, {"a.cpp": CPP_HEAD, "b.sh": "#!/usr/bin/env bash\n" + PY_HEAD,
                                                        "c.md": "# Text\n"}), [])

    def test_pragma_once(self):
        self.assertEqual(found(shape.check_pragma_once, {"a.hpp": CPP_HEAD, "b.hpp": CPP_HEAD + "#pragma once\n"}),
                         ["a.hpp:1"])

    def test_length(self):
        self.assertEqual(found(shape.check_length, {"a.cpp": "x\n" * 401, "b.cpp": "x\n" * 400,
                                                    "tests/a.cpp": "x\n" * 500, "tests/b.cpp": "x\n" * 501,
                                                    "data.hex": "00\n" * 9000}),
                         ["a.cpp:401", "tests/b.cpp:501"])

    def test_words(self):
        self.assertEqual(found(shape.check_words, {"a.cpp": "int a;\n\tint b;\nint c; \n// TODO\n// FIXME: later\n"}),
                         [f"a.cpp:{n}" for n in (2, 3, 4, 5)])
        self.assertEqual(found(shape.check_words, {"a.md": "see /wo" + "rk/x\n", "b.txt": "/opt/re" + "f/x\n"}),
                         ["a.md:1", "b.txt:1"])
        self.assertEqual(found(shape.check_words, {"a.cpp": "// TODO: Boost 1.82 makes this one call\n"
                                                            "// a mktemp pattern is XXXXXX\n",
                                                   "b.md": "docs/wo" + "rk/x\n"}), [])


class Functions(unittest.TestCase):
    def count(self, text):
        return found(functions.check_functions, {"a.cpp": text})

    def test_a_long_function_is_found_where_it_starts(self):
        self.assertEqual(self.count("int a;\n\nvoid f(int x) noexcept {\n" + "  g();\n" * 59 + "}\n"), ["a.cpp:3"])
        self.assertEqual(self.count("int a;\n\nvoid f(int x) noexcept {\n" + "  g();\n" * 58 + "}\n"), [])

    def test_it_is_found_inside_namespaces_and_classes(self):
        body = "{\n" + "  g();\n" * 60 + "}\n"
        self.assertEqual(self.count("namespace a::b {\nclass c final : public d {\n void f() const " + body + "};\n}\n"),
                         ["a.cpp:3"])
        self.assertEqual(self.count("a::a(int x) : b_{x}, c_(x) " + body), ["a.cpp:1"])
        self.assertEqual(self.count('extern "C" int f(int) ' + body), ["a.cpp:1"])
        self.assertEqual(self.count("TEST(a, b) " + body), ["a.cpp:1"])
        self.assertEqual(self.count("template <class T>\nauto f(T x) -> int " + body), ["a.cpp:1"])

    def test_classes_and_tables_are_no_functions(self):
        self.assertEqual(self.count("class a {\n" + "  int x{};\n" * 90 + "};\n"), [])
        self.assertEqual(self.count("const int table[] = {\n" + "  {1, 2},\n" * 90 + "};\n"), [])
        self.assertEqual(self.count("enum class a {\n" + "  x,\n" * 90 + "};\n"), [])

    def test_braces_in_text_do_not_count(self):
        self.assertEqual(self.count("void f() {\n  g(\"}\"); // }\n  h('}'); /* } */\n  k(R\"(\n}\n)\");\n"
                                    + "  g();\n" * 60 + "}\n"), ["a.cpp:1"])

    def test_a_switch_does_not_count(self):
        switch = "  switch (x) {\n" + "    case 1: return 2;\n" * 90 + "  }\n"
        self.assertEqual(self.count("int f(int x) {\n" + switch + "  return 0;\n}\n"), [])
        self.assertEqual(self.count("int f(int x) {\n" + switch + "  g();\n" * 60 + "}\n"), ["a.cpp:1"])


class Races(unittest.TestCase):
    def test_race_tests_have_their_own_files(self):
        self.assertEqual(found(races.check_races, {"tests/unit/a_test.cpp": "TEST(a, cancel_race) {\n",
                                                   "tests/unit/b_race_test.cpp": "\nTEST_F(b, c) {\n",
                                                   "tests/unit/c_race_test.cpp": "TEST(c, d_race) {\n",
                                                   "tests/unit/d_test.cpp": "TEST(d, e) {\n"}),
                         ["tests/unit/a_test.cpp:1", "tests/unit/b_race_test.cpp:2"])


class Documents(unittest.TestCase):
    PRESETS = '{"configurePresets": [{"name": "dev"}], "version": 6}'

    def test_links(self):
        files = {"README.md": "[a](HACKING.md) [b](docs/none.md#x) [c](https://example.org)\n", "HACKING.md": ""}
        self.assertEqual(found(documents.check_links, files), ["README.md:1"])

    def test_commands(self):
        text = ("```sh\nbash run.sh\nbash none.sh\ncmake --preset dev && cmake --build --preset nope\n"
                "build/nope/bin/x a\n```\nbash not_a_block.sh\n```console\n$ bash none.sh\nbash output.sh\n```\n")
        files = {"README.md": text, "run.sh": "", "CMakePresets.json": self.PRESETS}
        self.assertEqual(found(documents.check_commands, files), [f"README.md:{n}" for n in (3, 4, 5, 9)])

    def test_the_programs_own_commands(self):
        helps = {"": "--version\nprobe\n", "probe": "-S,--server HOST\n--sizes LIST\n"}
        text = ("```sh\nwiregap probe -S h --sizes 1\nbuild/dev/bin/wiregap probe --seizes=1 \\\n  -S h\n"
                "SQLCMDPASSWORD=x wiregap nothing\n"
                "wiregap probe --sizes 1 -- wiregap probe --seizes 1\nwiregap probe -- other --seizes 1\n```\n")
        self.assertEqual(found(documents.check_program, {"README.md": text}, helps.get),
                         ["README.md:3", "README.md:5", "README.md:6"])


class Tools(unittest.TestCase):
    def repository(self, files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        for name, text in files.items():
            (root / name).write_text(text)
        return Tree.of_repository(root)

    def test_format(self):
        try:
            tools.clang_format()
        except tools.Absent as missing:
            self.skipTest(str(missing))
        files = {".clang-format": "BasedOnStyle: Google\n", "a.cpp": "int  a ;\n", "b.cpp": "int b;\n"}
        self.assertEqual({f.path for f in tools.check_format(self.repository(files))}, {"a.cpp"})

    def test_shell(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("shellcheck is not installed")
        files = {"a.sh": "#!/bin/bash\nif true; then\n", "b.sh": "#!/bin/bash\ncd /nowhere\nunused=1\n",
                 "c.sh": "#!/bin/bash\necho good\n"}
        self.assertEqual({f.path for f in tools.check_shell(self.repository(files))}, {"a.sh", "b.sh"})

    def test_files_that_git_ignores_are_not_looked_at(self):
        tree = self.repository({".gitignore": "b.cpp\n", "a.cpp": "", "b.cpp": ""})
        subprocess.run(["git", "init", "-q"], cwd=tree.root, check=True)
        self.assertEqual(Tree.of_repository(tree.root).paths(".cpp"), ["a.cpp"])


class Coverage(unittest.TestCase):
    def test_every_check_is_shown_a_failure_here(self):
        source = pathlib.Path(__file__).read_text()
        for checks in run.CHECKS.values():
            for check in checks:
                self.assertIn(f".{check.__name__}", source)


if __name__ == "__main__":
    unittest.main()
