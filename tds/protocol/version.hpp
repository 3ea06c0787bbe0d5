// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tds::protocol {

/// The versions of the protocol, oldest first: `version >= tds_version::v7_2` asks whether a shape introduced
/// with 7.2 applies. 8.0 has the shapes of 7.4; it differs in TLS, which comes before everything else.
enum class tds_version : std::uint8_t {
  v7_0,   ///< SQL Server 7.0
  v7_1,   ///< SQL Server 2000 (and its revision of SP1, which has the same shapes)
  v7_2,   ///< SQL Server 2005: ALL_HEADERS, 8-byte row counts, PLP, MARS
  v7_3a,  ///< SQL Server 2008: date and time types
  v7_3b,  ///< SQL Server 2008 R2: NBCROW, sparse column sets
  v7_4,   ///< SQL Server 2012 and later: feature extensions, session recovery
  v8_0,   ///< SQL Server 2022 and later: TLS first ("strict")
};

/// The TDSVersion a client sends in LOGIN7, as the little-endian DWORD of the message (MS-TDS 2.2.6.4, note
/// 17: bytes 04 00 00 74 are 0x74000004 here). 7.1 is sent in its SP1 revision.
std::uint32_t login7_value(tds_version version) noexcept;
/// The version that a client's TDSVersion names exactly; both revisions of 7.1 are v7_1.
std::optional<tds_version> version_from_login7(std::uint32_t value) noexcept;

/// The TDSVersion a server sends in LOGINACK, as the big-endian DWORD of the token (MS-TDS 2.2.7.14, note
/// 69). 7.1 is sent in its SP1 revision.
std::uint32_t loginack_value(tds_version version) noexcept;
/// The version that a server's TDSVersion names; both revisions of 7.1 are v7_1.
std::optional<tds_version> version_from_loginack(std::uint32_t value) noexcept;

/// What a server that speaks at most `highest` answers to the TDSVersion of a LOGIN7: the client's version if
/// the server has it, else the highest one below it that the server has (MS-TDS 2.2.6.4). Nothing for a
/// version older than 7.0.
std::optional<tds_version> negotiate_version(std::uint32_t login7_version, tds_version highest) noexcept;

/// "7.3A", "8.0"
std::string_view name_of(tds_version version) noexcept;

}  // namespace tds::protocol
