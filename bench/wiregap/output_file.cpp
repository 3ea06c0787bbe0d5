// SPDX-License-Identifier: BSL-1.0
#include "output_file.hpp"

#include "exit_status.hpp"

#include <fmt/format.h>
#include <system_error>

#include <filesystem>
#include <utility>

namespace wiregap {

output_file::output_file(std::string option, const std::optional<std::string>& path)
    : option_(std::move(option)), path_(path.value_or("")) {
  if (!path) return;
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  // Appending opens a file for writing and leaves what it holds.
  std::error_code ignored;
  is_new_ = !std::filesystem::exists(path_, ignored);
  file_ = std::fopen(path_.c_str(), "a");
  if (file_ == nullptr) fail("cannot be written");
}

output_file::~output_file() {
  if (file_ == nullptr || is_stdout()) return;
  std::fclose(file_);
  std::error_code ignored;
  if (is_new_) std::filesystem::remove(path_, ignored);
}

void output_file::write(const std::string& text) {
  if (file_ == nullptr) return;
  is_new_ = false;
  if (!std::exchange(has_begun_, true) && !is_stdout()) {
    file_ = std::freopen(path_.c_str(), "w", file_);
    if (file_ == nullptr) fail("cannot be written any more");
  }
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("not written to its end");
}

void output_file::finish() {
  if (file_ != nullptr && std::fflush(file_) != 0) fail("not written to its end");
}

void output_file::fail(const char* how) {
  throw cannot_measure{fmt::format("{} {}: {}", option_, path_, how)};
}

}  // namespace wiregap
