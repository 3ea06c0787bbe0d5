// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>
#include <tds/protocol/tokens/tokens.hpp>
#include <tds/protocol/version.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace tds::protocol {

/// LOGINACK (MS-TDS 2.2.7.14).
struct loginack {
  std::uint8_t interface_{};    ///< 0 SQL_DFLT, 1 SQL_TSQL
  std::uint32_t tds_version{};  ///< as sent, big endian; see version_from_loginack
  bytes::ucs2_view prog_name{};
  std::uint8_t major{};
  std::uint8_t minor{};
  std::uint16_t build{};  ///< big endian on the wire
};
loginack read_loginack(bytes::reader& in);
[[nodiscard]] bool write_loginack(bytes::writer& out, const loginack& token);

/// One acknowledged feature (MS-TDS 2.2.7.11): its data raw; ids are those of the feature extension in
/// LOGIN7.
struct feature_ack {
  std::uint8_t id{};
  bytes::byte_span data{};
};
/// FEATUREEXTACK: features until the terminator 0xFF. More than one for each id are errc::limit_exceeded.
struct featureextack {
  std::vector<feature_ack> features{};

  /// The data of a feature, or nothing where it was not acknowledged.
  std::optional<bytes::byte_span> find(std::uint8_t id) const noexcept;
};
featureextack read_featureextack(bytes::reader& in);
/// False when a feature's id is 0xFF or its data longer than its length field counts.
bool write_featureextack(bytes::writer& out, const featureextack& token);

/// FEDAUTHINFO (MS-TDS 2.2.7.12): id 1 is the STS URL, 2 the SPN; others are kept.
struct fedauth_option {
  std::uint8_t id{};
  bytes::byte_span data{};
};
struct fedauthinfo {
  std::vector<fedauth_option> options{};
  bytes::ucs2_view sts_url() const noexcept;
  bytes::ucs2_view spn() const noexcept;
};
/// errc::bad_offset where an option's data lies outside the token or in the table of options,
/// errc::limit_exceeded for more options than there are ids.
fedauthinfo read_fedauthinfo(bytes::reader& in);
/// The data lie behind the table, in the table's order and without gaps.
[[nodiscard]] bool write_fedauthinfo(bytes::writer& out, const fedauthinfo& token);

/// SSPI (MS-TDS 2.2.7.22): an opaque blob, secret.
struct sspi_token {
  bytes::byte_span data{};
};
sspi_token read_sspi(bytes::reader& in);
[[nodiscard]] bool write_sspi(bytes::writer& out, const sspi_token& token);

/// SessionStateData (MS-TDS 2.2.7.21).
struct session_state_item {
  std::uint8_t id{};
  bytes::byte_span value{};
};
/// SESSIONSTATE (MS-TDS 2.2.7.21).
struct sessionstate {
  std::uint32_t sequence{};
  std::uint8_t status{};  ///< bit 0: fRecoverable
  std::vector<session_state_item> items{};

  bool recoverable() const noexcept { return (status & 1U) != 0; }
};
sessionstate read_sessionstate(bytes::reader& in);
[[nodiscard]] bool write_sessionstate(bytes::writer& out, const sessionstate& token);

/// SessionStateDataSet up to the reader's end: in SESSIONSTATE, and what FEATUREEXTACK carries for
/// SESSIONRECOVERY. errc::limit_exceeded for more items than there are ids.
std::vector<session_state_item> read_session_state_items(bytes::reader& in);
[[nodiscard]] bool write_session_state_items(bytes::writer& out,
                                             const std::vector<session_state_item>& items);

}  // namespace tds::protocol
