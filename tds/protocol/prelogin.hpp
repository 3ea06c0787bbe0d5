// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tds::protocol {

/// PL_OPTION_TOKEN (MS-TDS 2.2.6.5).
enum class prelogin_option : std::uint8_t {
  version = 0x00,
  encryption = 0x01,
  instopt = 0x02,
  threadid = 0x03,
  mars = 0x04,
  traceid = 0x05,
  fedauthrequired = 0x06,
  nonceopt = 0x07,
  terminator = 0xFF,
};
/// "ENCRYPTION"; "unknown" for a value that MS-TDS does not name.
std::string_view name_of(prelogin_option option) noexcept;

/// UL_VERSION and US_SUBBUILD: of the sender's software, not of the protocol.
struct prelogin_version {
  std::uint8_t major{};
  std::uint8_t minor{};
  std::uint16_t build{};      ///< big endian
  std::uint16_t sub_build{};  ///< as it lies on the wire, little endian

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor& visit) {
    visit.be("major", self.major);
    visit.be("minor", self.minor);
    visit.be("build", self.build);
    visit.le("sub_build", self.sub_build);
  }
  friend bool operator==(const prelogin_version&, const prelogin_version&) = default;
};

/// TRACEID: ids by which the server's logs can be matched with the client's.
struct prelogin_trace {
  std::array<std::uint8_t, 16> connection_id{};  ///< GUID_CONNID
  std::array<std::uint8_t, 16> activity_id{};    ///< GUID_ActivityID
  std::uint32_t activity_sequence{};
  friend bool operator==(const prelogin_trace&, const prelogin_trace&) = default;
};

/// B_FENCRYPTION: any byte; prelogin_encryption.hpp names and judges the values.
enum class prelogin_encryption : std::uint8_t {
  off = 0x00,      ///< there is encryption, but it is used for the login only
  on = 0x01,       ///< everything is encrypted
  not_sup = 0x02,  ///< there is no encryption
  req = 0x03,      ///< nothing goes without encryption
};

/// An option that is not known here, as it came.
struct prelogin_raw_option {
  std::uint8_t token{};
  std::vector<std::uint8_t> data{};
  friend bool operator==(const prelogin_raw_option&, const prelogin_raw_option&) = default;
};

/// PRELOGIN (MS-TDS 2.2.6.5), both directions. What is absent was not sent (or, for threadid and traceid, was
/// sent empty, as servers do: `has_empty_*`). Written in the order of the tokens, VERSION first, unknown
/// options last; what real clients and servers send comes out byte for byte.
struct prelogin {
  std::optional<prelogin_version> version{};
  std::optional<prelogin_encryption> encryption{};
  /// INSTOPT's bytes: from a client the instance's name with a zero behind it, from a server one byte, 0 for
  /// a match.
  std::optional<std::vector<std::uint8_t>> instopt{};
  std::optional<std::uint32_t> threadid{};
  bool has_empty_threadid{};
  std::optional<std::uint8_t> mars{};  ///< 1 is on
  std::optional<prelogin_trace> traceid{};
  bool has_empty_traceid{};
  std::optional<std::uint8_t> fedauthrequired{};
  std::optional<std::array<std::uint8_t, 32>> nonceopt{};
  std::vector<prelogin_raw_option> unknown{};
  /// False when the message began with another option: a server then closes the connection.
  bool version_first = true;

  /// INSTOPT up to its zero: the instance a client asks for. Empty when absent.
  std::string_view instance_name() const noexcept;
  void set_instance_name(std::string_view name);
  /// Whether a server says that it is not the instance asked for (INSTOPT of one byte, 1).
  bool instance_mismatch() const noexcept;

  friend bool operator==(const prelogin&, const prelogin&) = default;
};

/// Reads a whole PRELOGIN message. Options may lie in any order and overlap. Fails with bad_offset for data
/// outside the message, bad_length for an option of the wrong size, bad_value for an option that comes twice.
/// The reader stands behind the last byte that an option refers to; more than that is the caller's to judge.
prelogin read_prelogin(bytes::reader& in);

/// Writes a PRELOGIN message. VERSION is always there, of zeros if absent. False when an option does not fit
/// the 16 bits of its offset or length; nothing is written then.
[[nodiscard]] bool write_prelogin(bytes::writer& out, const prelogin& message);

}  // namespace tds::protocol
