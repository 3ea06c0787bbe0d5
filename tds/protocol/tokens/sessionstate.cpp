// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/loginack.hpp>
#include <tds/protocol/tokens/sized.hpp>

#include <limits>
#include <string>

namespace tds::protocol {
namespace {

constexpr std::uint8_t long_length = 0xFF;  // StateLen: a DWORD follows
constexpr std::uint8_t reserved_id = 0xFF;
constexpr std::size_t most_items = 255;  // one for each id but the reserved one

}  // namespace

std::vector<session_state_item> read_session_state_items(bytes::reader& in) {
  std::vector<session_state_item> items;
  while (in.ok() && in.remaining() != 0) {
    if (items.size() == most_items) in.fail(errc::limit_exceeded, "state_id");
    const std::uint8_t id = in.u8("state_id");
    std::size_t size = in.u8("state_len");
    if (size == long_length) size = in.u32("state_len");
    const bytes::byte_span value = in.bytes(size, "state_value");
    if (in.ok()) items.push_back({id, value});
  }
  return items;
}

bool write_session_state_items(bytes::writer& out, const std::vector<session_state_item>& items) {
  bool fits = true;
  for (const session_state_item& item : items) {
    fits = fits && item.id != reserved_id && item.value.size() <= std::numeric_limits<std::uint32_t>::max();
    out.u8(item.id);
    if (item.value.size() < long_length) {
      out.u8(static_cast<std::uint8_t>(item.value.size()));
    } else {
      out.u8(long_length);
      out.u32(static_cast<std::uint32_t>(item.value.size()));
    }
    out.bytes(item.value);
  }
  return fits;
}

sessionstate read_sessionstate(bytes::reader& in) {
  sessionstate token;
  const std::uint32_t length = in.u32("length");
  read_sized(in, length, "sessionstate", [&token](bytes::reader& body) {
    token.sequence = body.u32("seq_no");
    token.status = body.u8("status");
    body.meaning([&token] { return std::string{token.recoverable() ? "recoverable" : "not recoverable"}; });
    token.items = read_session_state_items(body);
  });
  return token;
}

bool write_sessionstate(bytes::writer& out, const sessionstate& token) {
  out.u8(static_cast<std::uint8_t>(token_type::sessionstate));
  return write_sized<std::uint32_t>(out, [&] {
    out.u32(token.sequence);
    out.u8(token.status);
    return write_session_state_items(out, token.items);
  });
}

}  // namespace tds::protocol
