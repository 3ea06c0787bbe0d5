// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/writer.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tds::tls::detail {

using octets = std::vector<std::uint8_t>;

/// A cipher suite as far as records are concerned.
struct suite {
  enum class mode : std::uint8_t { gcm, chacha, cbc };
  mode how{};
  std::uint8_t key_bytes{};
  std::uint8_t mac_bytes{};  ///< of CBC
  bool sha384 = false;       ///< its PRF or HKDF
};

/// That with the number of its registry entry; nothing for one that is not known.
std::optional<suite> find_suite(std::uint16_t number) noexcept;

/// One direction's keys.
struct record_keys {
  suite with{};
  octets key{}, iv{};
  std::uint64_t number{};  ///< of the next record
  bool tls13 = false;
  bool encrypt_then_mac = false;  ///< of CBC
};

/// Decrypts a record's fragment; false when it is not what these keys encrypted (CBC: the MAC is not looked
/// at).
bool decrypt(record_keys& with, bytes::byte_span header, bytes::byte_span fragment, octets& plain);

/// RFC 5246, 5.
octets prf(bool sha384, bytes::byte_span secret, std::string_view label, bytes::byte_span seed,
           std::size_t size);
/// RFC 8446, 7.1, with an empty context.
octets expand_label(bool sha384, bytes::byte_span secret, std::string_view label, std::size_t size);

}  // namespace tds::tls::detail
