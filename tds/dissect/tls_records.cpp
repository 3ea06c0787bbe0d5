// SPDX-License-Identifier: BSL-1.0
#include <tds/dissect/tls_records.hpp>
#include <tds/protocol/tls_record.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace tds::dissect {
namespace {

using protocol::tls_content;
using protocol::tls_record_header_size;

constexpr std::uint8_t major_version = 3;

std::string content_name(std::uint8_t type) {
  switch (static_cast<tls_content>(type)) {
    case tls_content::change_cipher_spec:
      return "change_cipher_spec";
    case tls_content::alert:
      return "alert";
    case tls_content::handshake:
      return "handshake";
    case tls_content::application_data:
      break;
  }
  return "application_data";
}

}  // namespace

bool starts_tls_record(bytes::byte_span bytes) noexcept {
  return bytes.size() >= 2 && protocol::is_tls_content(bytes[0]) && bytes[1] == major_version;
}

std::size_t tls_record_size(bytes::byte_span bytes) noexcept {
  if (bytes.size() < tls_record_header_size) return bytes.size();
  return std::min(bytes.size(), tls_record_header_size + protocol::tls_fragment_size(bytes));
}

void note_tls_records(bytes::reader& in) {
  auto* const notes = in.notes();
  while (in.ok() && in.remaining() != 0) {
    auto ahead = in;
    ahead.annotate(nullptr);
    const auto left = ahead.rest();
    if (!starts_tls_record(left) || left.size() < tls_record_header_size) {
      in.skip(in.remaining(), "tls_data");  // the rest of a record that began in another message
      return;
    }
    if (notes != nullptr) notes->open(in.offset(), "tls_record");
    const auto type = in.u8("content_type");
    in.meaning([&] { return content_name(type); });
    (void)in.be<std::uint16_t>("legacy_record_version");
    (void)in.be<std::uint16_t>("length");
    in.skip(tls_record_size(left) - tls_record_header_size, "fragment");
    in.meaning([] { return std::string{"not decoded"}; });
    if (notes != nullptr) notes->close();
  }
}

}  // namespace tds::dissect
