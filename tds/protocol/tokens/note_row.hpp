// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/annotations.hpp>
#include <tds/protocol/tokens/row.hpp>
#include <tds/protocol/tokens/tokens.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tds::protocol {

/// Notes a row whose token byte is at `offset` of the message: the token byte, the id of an ALTROW, the null
/// bitmap of an NBCROW, then each cell under its column's name with its value.
void note_row(bytes::annotations& notes, token_type type, std::size_t offset, std::optional<std::uint16_t> id,
              const row& values);

}  // namespace tds::protocol
