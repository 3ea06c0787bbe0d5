// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <optional>
#include <string>

namespace wiregap {

/// Where --json or --csv writes to. Opened before anything is measured: a report that cannot be written is
/// known at once. What the file held before stays until there is something to write; a file that was not
/// there is not left behind empty.
class output_file {
 public:
  /// Nothing when `path` is; "-" is standard output. `option` is what errors name. Throws cannot_measure when
  /// it cannot be opened.
  output_file(std::string option, const std::optional<std::string>& path);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  bool is_wanted() const noexcept { return file_ != nullptr; }
  /// The other output goes to standard error then.
  bool is_stdout() const noexcept { return file_ == stdout; }
  std::FILE* other_output() const noexcept { return is_stdout() ? stderr : stdout; }

  /// Behind what was written before. Throws cannot_measure when that cannot be done.
  void write(const std::string& text);
  /// All is written; throws cannot_measure when not all of it could be.
  void finish();

 private:
  [[noreturn]] void fail(const char* how);

  std::string option_, path_;
  std::FILE* file_ = nullptr;
  bool is_new_ = false;     // made by us, and nothing written yet
  bool has_begun_ = false;  // what it held before is gone
};

}  // namespace wiregap
