// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

namespace {

// Whoever lists this machine's processes sees the arguments: the password's characters go as soon as they are
// read.
void hide_passwords(int argc, char** argv) {
  const auto blank = [](char* text) { std::memset(text, '*', std::strlen(text)); };
  for (int i = 1; i < argc; ++i) {
    const std::string_view word{argv[i]};
    if ((word == "-P" || word == "--password" || word == "--connection-string") && i + 1 < argc) {
      blank(argv[++i]);
    } else if (word.starts_with("-P") && word.size() > 2) {
      blank(argv[i] + 2);
    } else if (word.starts_with("--password=") || word.starts_with("--connection-string=")) {
      blank(std::strchr(argv[i], '=') + 1);
    }
  }
}

int end(wiregap::exit_status status) { return static_cast<int>(status); }

}  // namespace

int main(int argc, char** argv) {
  using namespace wiregap;
  CLI::App app{
      "wiregap measures the gap between a SQL Server request and its response, and says where the time "
      "went."};
  app.name("wiregap");
  app.set_version_flag("--version", "wiregap " WIREGAP_VERSION);
  app.require_subcommand(1);
  app.fallthrough(false);
  app.failure_message(CLI::FailureMessage::simple);
  action chosen;
  add_probe(app, chosen);
  add_demo(app, chosen);
  add_query(app, chosen);
  add_serve(app, chosen);
  add_decode(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return end(exit_status::unmeasured);
  }
  hide_passwords(argc, argv);
  try {
    return end(chosen());
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "wiregap: {}\n", error.what());
    return end(exit_status::unmeasured);
  }
}
