// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Cuts a connection string into pairs. Not part of the public API: see connection_string.hpp.
namespace tds {

/// A part of a text and where it starts.
struct placed_text {
  std::string_view text{};
  std::size_t position{};
};

struct connection_pair {
  placed_text key{};
  placed_text value{};  ///< what stands between the quotes or braces, doubled ones still doubled
  char closing{'\0'};   ///< the quote or brace that ended the value, NUL for a plain one

  /// The value itself.
  std::string unquoted() const;
};

class connection_tokens {
 public:
  enum class outcome { pair, end, error };

  explicit connection_tokens(std::string_view text) noexcept : text_(text) {}

  /// From now on quotes are ordinary characters.
  void follow_odbc() noexcept { odbc_ = true; }

  outcome next(connection_pair& pair);

  /// After outcome::error.
  std::size_t error_position() const noexcept { return at_; }
  const char* reason() const noexcept { return reason_; }

 private:
  void skip_blanks() noexcept;
  bool read_value(connection_pair& pair);
  bool read_enclosed(connection_pair& pair, char closing);
  bool fail(std::size_t position, const char* reason) noexcept;

  std::string_view text_;
  std::size_t at_ = 0;
  const char* reason_ = "";
  bool odbc_ = false;
};

}  // namespace tds
