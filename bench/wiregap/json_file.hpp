// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <optional>
#include <string>

namespace wiregap {

/// Where --json writes to. Opened before anything is measured: a report that cannot be written is known at
/// once. What the file held before stays until there is something to write; a file that was not there is not
/// left behind empty.
class json_file {
 public:
  /// Nothing when `path` is; "-" is standard output. Throws cannot_measure when it cannot be opened.
  explicit json_file(const std::optional<std::string>& path);
  ~json_file();
  json_file(const json_file&) = delete;
  json_file& operator=(const json_file&) = delete;

  bool is_wanted() const noexcept { return file_ != nullptr; }
  /// The other output goes to standard error then.
  bool is_stdout() const noexcept { return file_ == stdout; }
  std::FILE* other_output() const noexcept { return is_stdout() ? stderr : stdout; }

  /// Throws cannot_measure when not all of it was written.
  void write(const std::string& text);

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
  bool is_new_ = false;  // made by us, and nothing written yet
};

}  // namespace wiregap
