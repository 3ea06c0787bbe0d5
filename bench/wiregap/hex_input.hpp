// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace wiregap {

/// Whether bytes are text that a person wrote, rather than TDS: no TDS stream begins with a printable
/// character.
bool looks_like_text(std::string_view input) noexcept;

/// Bytes out of hex text, in the forms that people paste: pairs of digits with white space, commas or 0x
/// between them or nothing at all, comments from # to the end of the line; the dumps of xxd, hexdump -C and
/// tcpdump -x/-X; and Wireshark's "Follow TCP Stream" as hex dump, where both directions come in the order of
/// the conversation. Throws cannot_measure with line and column for anything else.
std::vector<std::uint8_t> parse_hex(std::string_view text);

}  // namespace wiregap
