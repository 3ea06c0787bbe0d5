// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace support {

using byte_vector = std::vector<std::uint8_t>;

/// "12 01 00 2F" as bytes. White space is free and `#` or `;` starts a comment that runs to the end of its
/// line. The vector is exactly as large as its bytes, so that AddressSanitizer sees a read past the end.
/// Throws std::invalid_argument for anything else.
byte_vector hex(std::string_view text);

/// An exact-size copy of the first `size` bytes: what a decoder sees when the input stops there.
byte_vector prefix(const byte_vector& bytes, std::size_t size);

/// A file below tests/golden: text, raw bytes, or bytes from hex text. Throws std::runtime_error when it
/// cannot be read.
std::string golden_text(std::string_view name);
byte_vector golden_bytes(std::string_view name);
byte_vector golden_hex(std::string_view name);

}  // namespace support
