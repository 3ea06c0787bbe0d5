// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/all_headers.hpp>
#include <tds/protocol/version.hpp>

#include <string_view>

namespace tds::protocol {

/// SQLBatch (MS-TDS 2.2.6.7), packet type 1. The text is a view. An EnclavePackage, which only a connection
/// with column encryption carries, is not told apart from the text.
struct sql_batch {
  all_headers headers{};  ///< from TDS 7.2 on
  bytes::ucs2_view sql_text{};
};

/// Reads a whole message. Fails with bad_length for half a code unit at the end.
sql_batch read_sql_batch(bytes::reader& in, tds_version version);

/// Writes a whole message; `headers` are left out before TDS 7.2. Allocates nothing while the buffer has the
/// capacity. False as write_all_headers.
[[nodiscard]] bool write_sql_batch(bytes::writer& out, tds_version version, const all_headers& headers,
                                   bytes::ucs2_view sql_text);
/// The same from UTF-8; an invalid sequence becomes U+FFFD.
[[nodiscard]] bool write_sql_batch(bytes::writer& out, tds_version version, const all_headers& headers,
                                   std::string_view sql_utf8);

}  // namespace tds::protocol
