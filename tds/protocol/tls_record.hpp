// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>

#include <cstddef>
#include <cstdint>

namespace tds::protocol {

/// What a TLS record holds, by its first byte (RFC 8446, 5.1); no TDS packet begins with any of these.
enum class tls_content : std::uint8_t {
  change_cipher_spec = 20,
  alert = 21,
  handshake = 22,
  application_data = 23,
};

inline constexpr std::size_t tls_record_header_size = 5;  ///< content, version (2), length (2)

constexpr bool is_tls_content(std::uint8_t first) noexcept {
  return first >= static_cast<std::uint8_t>(tls_content::change_cipher_spec) &&
         first <= static_cast<std::uint8_t>(tls_content::application_data);
}

/// Of what follows the header, which must be whole.
constexpr std::size_t tls_fragment_size(bytes::byte_span header) noexcept {
  return static_cast<std::size_t>((header[3] << 8) | header[4]);
}

}  // namespace tds::protocol
