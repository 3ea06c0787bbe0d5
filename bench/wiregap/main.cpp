// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"
#include <tds/bytes/secret.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

// The arguments for the parser, last one first as it wants them. Whoever lists this machine's processes sees
// argv: the characters of passwords are overwritten there, and kept in `secrets` for hide().
std::vector<std::string> take_arguments(int argc, char** argv, std::vector<tds::secret>& secrets) {
  std::vector<std::string> out(std::make_reverse_iterator(argv + argc), std::make_reverse_iterator(argv + 1));
  const auto blank = [&secrets](char* text) {
    secrets.emplace_back(std::string_view{text});
    std::memset(text, '*', std::strlen(text));
  };
  for (int i = 1; i < argc; ++i) {
    const std::string_view word{argv[i]};
    // -P may follow the one short flag in the same word, as in -CP.
    const auto value = word.starts_with("-CP") ? 3U : word.starts_with("-P") ? 2U : 0U;
    if (word == "-P" || word == "-CP" || word == "--password" || word == "--connection-string") {
      if (i + 1 < argc) blank(argv[++i]);
    } else if (value != 0) {
      blank(argv[i] + value);
    } else if (word.starts_with("--password=") || word.starts_with("--connection-string=")) {
      blank(std::strchr(argv[i], '=') + 1);
    }
  }
  return out;
}

// A complaint about the arguments quotes them.
std::string hide(std::string text, const std::vector<tds::secret>& secrets) {
  for (const auto& secret : secrets) {
    const auto word = secret.reveal();
    if (word.empty()) continue;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += 3) {
      text.replace(at, word.size(), "***");
    }
  }
  return text;
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
  action chosen;
  std::vector<tds::secret> secrets;
  add_probe(app, chosen);
  add_demo(app, chosen);
  add_query(app, chosen);
  add_serve(app, chosen);
  add_decode(app, chosen);
  add_compare(app, chosen);
  add_host(app, chosen);
  add_link(app, chosen);
  add_relay(app, chosen);
  add_analyze(app, chosen);
  try {
    app.parse(take_arguments(argc, argv, secrets));
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "wiregap: {}\nRun with --help for more information.\n", hide(error.what(), secrets));
    return end(exit_status::unmeasured);
  }
  secrets.clear();
  try {
    return end(chosen());
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "wiregap: {}\n", error.what());
    return end(exit_status::unmeasured);
  }
}
