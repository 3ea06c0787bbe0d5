// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>

#include <cstddef>

namespace tds::dissect {

/// Whether `bytes` begin as a TLS record does (RFC 8446, 5.1): no TDS packet and no token begins like that.
bool starts_tls_record(bytes::byte_span bytes) noexcept;
/// The size of the record at the start, header included, or all of `bytes` if they end before it.
std::size_t tls_record_size(bytes::byte_span bytes) noexcept;
/// Notes the records up to the reader's end; what they hold is not looked at. The last one may be cut.
void note_tls_records(bytes::reader& in);

}  // namespace tds::dissect
