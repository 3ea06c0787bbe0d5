// SPDX-License-Identifier: BSL-1.0
#include <tds/dissect/tls_records.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace tds::dissect {
namespace {

constexpr std::size_t record_header_size = 5;
constexpr std::uint8_t change_cipher_spec = 20;
constexpr std::uint8_t alert = 21;
constexpr std::uint8_t handshake = 22;
constexpr std::uint8_t application_data = 23;
constexpr std::uint8_t major_version = 3;

std::string content_name(std::uint8_t type) {
  switch (type) {
    case change_cipher_spec:
      return "change_cipher_spec";
    case alert:
      return "alert";
    case handshake:
      return "handshake";
    default:
      return "application_data";
  }
}

}  // namespace

bool starts_tls_record(bytes::byte_span bytes) noexcept {
  return bytes.size() >= 2 && bytes[0] >= change_cipher_spec && bytes[0] <= application_data &&
         bytes[1] == major_version;
}

std::size_t tls_record_size(bytes::byte_span bytes) noexcept {
  if (bytes.size() < record_header_size) return bytes.size();
  const auto length = static_cast<std::size_t>((bytes[3] << 8) | bytes[4]);
  return std::min(bytes.size(), record_header_size + length);
}

void note_tls_records(bytes::reader& in) {
  auto* const notes = in.notes();
  while (in.ok() && in.remaining() != 0) {
    auto ahead = in;
    ahead.annotate(nullptr);
    const auto left = ahead.rest();
    if (!starts_tls_record(left) || left.size() < record_header_size) {
      in.skip(in.remaining(), "tls_data");  // the rest of a record that began in another message
      return;
    }
    if (notes != nullptr) notes->open(in.offset(), "tls_record");
    const auto type = in.u8("content_type");
    in.meaning([&] { return content_name(type); });
    (void)in.be<std::uint16_t>("legacy_record_version");
    (void)in.be<std::uint16_t>("length");
    in.skip(tls_record_size(left) - record_header_size, "fragment");
    in.meaning([] { return std::string{"not decoded"}; });
    if (notes != nullptr) notes->close();
  }
}

}  // namespace tds::dissect
