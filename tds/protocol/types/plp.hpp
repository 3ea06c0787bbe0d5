// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/ucs2.hpp>
#include <tds/bytes/writer.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tds::protocol {

/// Partially length-prefixed bytes (MS-TDS 2.2.5.2.3): a total of 8 bytes, chunks of a 4-byte length and
/// their bytes, and an empty chunk that ends the value.
inline constexpr std::uint64_t plp_null = 0xFFFFFFFFFFFFFFFF;
inline constexpr std::uint64_t plp_unknown = 0xFFFFFFFFFFFFFFFE;

/// Whether the writer says how long the value is before it starts.
enum class plp_total : std::uint8_t { known, unknown };

/// Bytes of a chunk that `encode` writes; a longer value takes several.
inline constexpr std::size_t plp_chunk_size = 32'768;

/// Writes one value in chunks of `chunk` bytes (at least 1). An empty value has no chunk: one of length 0
/// would end it early.
void write_plp(bytes::writer& out, bytes::byte_span payload, plp_total total = plp_total::known,
               std::size_t chunk = plp_chunk_size);
void write_plp_null(bytes::writer& out);

/// Appends the bytes of the chunks in `chunks` (cell::kind::chunked) to `out`.
void append_chunks(std::vector<std::uint8_t>& out, bytes::byte_span chunks);

}  // namespace tds::protocol
