// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>

#include <string>
#include <string_view>

namespace tds::tls::detail {

/// A file that session secrets are appended to, readable by its owner alone when it is new. Lines of several
/// threads and processes do not mix.
class key_log {
 public:
  static result<key_log> open(const std::string& path);

  key_log(key_log&& other) noexcept;
  key_log& operator=(key_log&&) = delete;
  ~key_log();

  /// Appends one line; the newline is added here. A full disk loses the line and nothing else.
  void append(std::string_view line) const noexcept;

 private:
  explicit key_log(int descriptor) noexcept : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace tds::tls::detail
