// SPDX-License-Identifier: BSL-1.0
#include "input_file.hpp"

#include "exit_status.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>

namespace wiregap {

namespace {

constexpr std::size_t largest_input = 256U << 20U;

struct close_file {
  void operator()(std::FILE* file) const noexcept {
    if (file != stdin) std::fclose(file);
  }
};

}  // namespace

std::string name_of_input(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_input(const std::string& path) {
  const std::unique_ptr<std::FILE, close_file> file{path == "-" ? stdin : std::fopen(path.c_str(), "rb")};
  if (!file) throw cannot_measure{fmt::format("{}: cannot be opened", path)};
  std::string out;
  std::array<char, 65536> piece{};
  for (std::size_t got = 0; (got = std::fread(piece.data(), 1, piece.size(), file.get())) > 0;) {
    out.append(piece.data(), got);
    if (out.size() > largest_input) {
      throw cannot_measure{fmt::format("{}: more than {} MiB; cut out the part that matters",
                                       name_of_input(path), largest_input >> 20U)};
    }
  }
  if (std::ferror(file.get()) != 0)
    throw cannot_measure{fmt::format("{}: cannot be read", name_of_input(path))};
  return out;
}

}  // namespace wiregap
