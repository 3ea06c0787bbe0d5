// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/types/code_page.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// The character sets as tables. Not part of the public API: see code_page.hpp.
namespace tds::protocol {

/// From a character set to Unicode. Every character set here has characters of one or two bytes, and its
/// first 128 bytes are ASCII.
struct decode_table {
  /// A character as UTF-8, ready to be copied. 0 bytes long for a lead byte and for what is undefined.
  struct encoded {
    std::array<char, 3> utf8;
    std::uint8_t size;
  };

  std::array<encoded, 256> single{};
  std::array<bool, 256> is_lead{};  ///< the first byte of a pair
  /// Code units by pair: (lead - 0x80) * 256 + trail; 0 for what is undefined. Empty when there are no pairs.
  std::vector<char16_t> pairs{};

  char16_t pair(std::uint8_t lead, std::uint8_t trail) const noexcept {
    return pairs[(lead - std::size_t{0x80}) * 256 + trail];
  }
};

/// From Unicode to a character set: by code unit the byte, or the pair as lead * 256 + trail; 0 for what the
/// character set does not have. ASCII is not in it.
using encode_table = std::vector<std::uint16_t>;

/// The tables of a character set other than UTF-8, made at their first use and kept for the life of the
/// process; nullptr when the library that knows the character sets does not have this one. Safe to call from
/// any thread.
const decode_table* decode_table_of(code_page page);
const encode_table* encode_table_of(code_page page);

}  // namespace tds::protocol
