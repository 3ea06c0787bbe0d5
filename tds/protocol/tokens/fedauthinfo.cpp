// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/loginack.hpp>
#include <tds/protocol/tokens/sized.hpp>

#include <algorithm>
#include <string>

namespace tds::protocol {
namespace {

constexpr std::uint8_t sts_url_id = 1;
constexpr std::uint8_t spn_id = 2;
constexpr std::size_t count_size = 4;      // CountOfInfoIDs; offsets count from its first byte
constexpr std::size_t option_size = 9;     // FedAuthInfoID, FedAuthInfoDataLen, FedAuthInfoDataOffset
constexpr std::size_t most_options = 256;  // one for each id

std::string_view info_name(std::uint8_t id) noexcept {
  switch (id) {
    case sts_url_id:
      return "STSURL";
    case spn_id:
      return "SPN";
    default:
      return "unknown";
  }
}

bytes::ucs2_view text_of(const fedauthinfo& token, std::uint8_t id) noexcept {
  const auto found = std::ranges::find(token.options, id, &fedauth_option::id);
  return found != token.options.end() ? bytes::ucs2_view{found->data} : bytes::ucs2_view{};
}

struct data_place {
  std::size_t size;
  std::size_t offset;
};

// One entry of the table. Its data must lie behind the whole table and inside the token.
data_place read_option(bytes::reader& in, std::uint8_t& id, std::size_t table_end, std::size_t token_size) {
  id = in.u8("fed_auth_info_id");
  in.meaning([id] { return std::string{info_name(id)}; });
  const std::size_t size = in.u32("fed_auth_info_data_len");
  const std::size_t at = in.offset();
  const std::size_t offset = in.u32("fed_auth_info_data_offset");
  if (offset < table_end || offset > token_size || size > token_size - offset) {
    in.fail_at(errc::bad_offset, "fed_auth_info_data_offset", at);
    return {0, table_end};
  }
  return {size, offset};
}

void read_body(bytes::reader& in, fedauthinfo& token) {
  bytes::reader ahead = in;
  const std::size_t start = in.offset();
  const bytes::byte_span all = ahead.rest();
  const std::size_t count = in.u32("count_of_info_ids");
  if (!in.ok()) return;
  if (count > in.remaining() / option_size) {
    in.fail_at(errc::bad_length, "count_of_info_ids", start);
    return;
  }
  if (count > most_options) {
    in.fail_at(errc::limit_exceeded, "count_of_info_ids", start);
    return;
  }
  token.options.reserve(count);
  const std::size_t table_end = count_size + count * option_size;
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    fedauth_option option;
    const data_place place = read_option(in, option.id, table_end, all.size());
    if (!in.ok()) return;
    option.data = all.subspan(place.offset, place.size);
    token.options.push_back(option);
  }
  (void)in.rest();  // the data: annotated below, each under its own id
  if (in.notes() == nullptr) return;
  for (const fedauth_option& option : token.options) {
    const auto at = start + static_cast<std::size_t>(option.data.data() - all.data());
    const bool text = option.id == sts_url_id || option.id == spn_id;
    if (text) {
      in.notes()->text(at, bytes::ucs2_view{option.data}, "fed_auth_info_data");
    } else {
      in.notes()->bytes(at, option.data, "fed_auth_info_data");
    }
    in.notes()->meaning(std::string{info_name(option.id)});
  }
}

}  // namespace

bytes::ucs2_view fedauthinfo::sts_url() const noexcept { return text_of(*this, sts_url_id); }
bytes::ucs2_view fedauthinfo::spn() const noexcept { return text_of(*this, spn_id); }

fedauthinfo read_fedauthinfo(bytes::reader& in) {
  fedauthinfo token;
  const std::uint32_t length = in.u32("token_length");
  read_sized(in, length, "fedauthinfo", [&token](bytes::reader& body) { read_body(body, token); });
  return token;
}

bool write_fedauthinfo(bytes::writer& out, const fedauthinfo& token) {
  out.u8(static_cast<std::uint8_t>(token_type::fedauthinfo));
  return write_sized<std::uint32_t>(out, [&] {
    out.u32(static_cast<std::uint32_t>(token.options.size()));
    std::size_t offset = count_size + token.options.size() * option_size;
    for (const fedauth_option& option : token.options) {
      out.u8(option.id);
      out.u32(static_cast<std::uint32_t>(option.data.size()));
      out.u32(static_cast<std::uint32_t>(offset));
      offset += option.data.size();
    }
    for (const fedauth_option& option : token.options) out.bytes(option.data);
    return true;  // write_sized sees what is too long: every length and offset is below the token's
  });
}

}  // namespace tds::protocol
