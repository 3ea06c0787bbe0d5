// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/protocol/packet.hpp>
#include <tds/protocol/version.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tds::capture {

/// What a request says that is to be done.
struct request_text {
  std::string procedure{};  ///< of an RPC: its name, "sp_executesql" for its number as well
  std::string statement{};  ///< SQL text: of a batch, or the parameter that holds it
};

/// Of the first bytes of a request's payload: what of the text is not there is left away. `version` tells
/// whether ALL_HEADERS come first; where it is not known, they do if they look like it.
request_text text_of(protocol::packet_type type, bytes::byte_span head, protocol::tds_version version,
                     bool version_is_known);

/// The statement with a question mark for each literal, without comments, its white space single: what
/// statements that differ in their values have in common, and what may be shown of one with secret values.
std::string without_literals(std::string_view sql);

/// The statement on one line: control characters and line ends are spaces; UTF-8, cut to `longest` bytes at a
/// character (0: not cut).
std::string on_one_line(std::string_view sql, std::size_t longest = 0);

}  // namespace tds::capture
