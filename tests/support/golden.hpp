// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wiregap_test {

/// The bytes of a hex file below tests/golden ("vectors/01_pre_login_request.hex"): pairs of hex digits,
/// white space free, '#' starts a comment to the end of its line. The vector is allocated at its exact size,
/// so that AddressSanitizer sees a read past its end. Throws std::runtime_error when the file is missing or
/// not hex.
std::vector<std::uint8_t> load_hex(const std::string& name);

/// A file below tests/golden as it is ("recordings/x.pcap"), at its exact size.
std::vector<std::uint8_t> load_binary(const std::string& name);

/// Hex text as load_hex reads it: from_hex("12 01 00 2F").
std::vector<std::uint8_t> from_hex(const std::string& text);

/// "12 01 00 2F", for failure messages.
std::string to_hex(const std::vector<std::uint8_t>& bytes);

/// A copy of bytes[from, to) on the heap at its exact size.
std::vector<std::uint8_t> exact(const std::vector<std::uint8_t>& bytes, std::size_t from, std::size_t to);

}  // namespace wiregap_test
