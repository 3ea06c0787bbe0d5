// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>
#include <tds/protocol/tokens/tokens.hpp>
#include <tds/protocol/version.hpp>

#include <cstdint>
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
/// FEATUREEXTACK.
struct featureextack {
  std::vector<feature_ack> features{};
};
featureextack read_featureextack(bytes::reader& in);
void write_featureextack(bytes::writer& out, const featureextack& token);

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
fedauthinfo read_fedauthinfo(bytes::reader& in);

/// SSPI (2.2.7.22): an opaque blob, secret.
struct sspi_token {
  bytes::byte_span data{};
};
sspi_token read_sspi(bytes::reader& in);

/// SESSIONSTATE (2.2.7.21).
struct session_state_item {
  std::uint8_t id{};
  bytes::byte_span value{};
};
struct sessionstate {
  std::uint32_t sequence{};
  std::uint8_t status{};  ///< bit 0: fRecoverable
  std::vector<session_state_item> items{};
};
sessionstate read_sessionstate(bytes::reader& in);

}  // namespace tds::protocol
