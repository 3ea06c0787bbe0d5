// SPDX-License-Identifier: BSL-1.0
#include "json_file.hpp"

#include "exit_status.hpp"

#include <fmt/format.h>
#include <system_error>

#include <filesystem>

namespace wiregap {

json_file::json_file(const std::optional<std::string>& path) : path_(path.value_or("")) {
  if (!path) return;
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  // Appending opens a file for writing and leaves what it holds.
  std::error_code ignored;
  is_new_ = !std::filesystem::exists(path_, ignored);
  file_ = std::fopen(path_.c_str(), "a");
  if (file_ == nullptr) throw cannot_measure{fmt::format("--json {}: cannot be written", path_)};
}

json_file::~json_file() {
  if (file_ == nullptr || is_stdout()) return;
  std::fclose(file_);
  std::error_code ignored;
  if (is_new_) std::filesystem::remove(path_, ignored);
}

void json_file::write(const std::string& text) {
  if (file_ == nullptr) return;
  is_new_ = false;
  if (!is_stdout()) {
    file_ = std::freopen(path_.c_str(), "w", file_);
    if (file_ == nullptr) throw cannot_measure{fmt::format("--json {}: cannot be written any more", path_)};
  }
  const bool written =
      std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0;
  if (!written) throw cannot_measure{fmt::format("--json {}: not written to its end", path_)};
}

}  // namespace wiregap
