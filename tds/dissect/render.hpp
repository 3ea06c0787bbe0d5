// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/dissect/message.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tds::dissect {

struct render_options {
  bool show_secrets = false;
  bool color = false;                ///< ANSI escape sequences
  std::size_t longest_value = 1000;  ///< in bytes of UTF-8; what is longer is cut, with its length named
};

/// Appends a message as text: a headline, then one line a field,
///
///     offset    hex, up to 16 bytes    field  value  (meaning)
///
/// nested by depth, packet headers where they lie. Offsets are those of the stream. A secret's bytes and
/// value are both replaced by asterisks. Control characters in values are escaped: they come from the wire
/// and would reach the terminal.
void render(std::string& out, const message& found, const render_options& options = {});

/// `text`, which comes from the wire, without control characters and cut to `longest` bytes (0: not cut).
std::string printable(std::string_view text, std::size_t longest = 0);

/// What stands for a secret.
inline constexpr std::string_view hidden = "********";

}  // namespace tds::dissect
