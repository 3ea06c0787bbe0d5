// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/bytes/writer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tds::protocol {

/// HeaderType (MS-TDS 2.2.5.3).
enum class header_type : std::uint16_t {
  query_notifications = 1,
  transaction_descriptor = 2,
  trace_activity = 3,
};
/// "TRANSACTION_DESCRIPTOR"; "unknown" for a value that MS-TDS does not name.
std::string_view name_of(header_type type) noexcept;

/// MS-TDS 2.2.5.3.1. The texts are views.
struct query_notifications_header {
  bytes::ucs2_view notify_id{};
  bytes::ucs2_view ssb_deployment{};
  std::optional<std::uint32_t> notify_timeout{};  ///< in milliseconds
  friend bool operator==(const query_notifications_header&, const query_notifications_header&) = default;
};

/// MS-TDS 2.2.5.3.2. The defaults are those of autocommit mode.
struct transaction_descriptor_header {
  std::uint64_t transaction_descriptor = 0;  ///< from the ENVCHANGE that began the transaction
  std::uint32_t outstanding_request_count = 1;
  friend bool operator==(const transaction_descriptor_header&,
                         const transaction_descriptor_header&) = default;
};

/// MS-TDS 2.2.5.3.3; only from TDS 7.4 on, an older server ends the session over it.
struct trace_activity_header {
  std::array<std::uint8_t, 16> activity_id{};  ///< GUID_ActivityID
  std::uint32_t activity_sequence{};
  friend bool operator==(const trace_activity_header&, const trace_activity_header&) = default;
};

/// A header of a type not known here; the data is a view.
struct raw_header {
  std::uint16_t type{};
  bytes::byte_span data{};
};

/// ALL_HEADERS (MS-TDS 2.2.5.3), in front of SQLBatch, RPCRequest and TransMgrReq from TDS 7.2 on. Written in
/// the order of the members. To read and write the usual one (a transaction descriptor alone) allocates
/// nothing.
struct all_headers {
  std::optional<transaction_descriptor_header> transaction_descriptor{};
  std::optional<query_notifications_header> query_notifications{};
  std::optional<trace_activity_header> trace_activity{};
  std::vector<raw_header> unknown{};

  /// What a request in autocommit mode carries.
  static all_headers autocommit() { return {.transaction_descriptor = transaction_descriptor_header{}}; }
};

/// Fails with bad_length for lengths that contradict each other, bad_value for a header that comes twice.
all_headers read_all_headers(bytes::reader& in);
/// False when a text of query notifications has more than 65535 bytes (the output is then not a message).
[[nodiscard]] bool write_all_headers(bytes::writer& out, const all_headers& headers);

}  // namespace tds::protocol
