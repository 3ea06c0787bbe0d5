// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/secret.hpp>
#include <tds/protocol/login7.hpp>

#include <algorithm>
#include <numeric>
#include <string>

namespace tds::protocol {
namespace {

using bytes::byte_span;
using bytes::ucs2_string;

constexpr std::size_t fixed_size_7_0 = 86;
constexpr std::size_t fixed_size_7_2 = 94;  // with ibChangePassword, cchChangePassword and cbSSPILong
constexpr std::size_t option_flags3_at = 27;
constexpr std::size_t feature_pointer_size = 4;  // ibFeatureExtLong
constexpr std::size_t max_extension_size = 255;
constexpr std::uint32_t login7_7_0 = 0x70000000;
constexpr std::uint32_t login7_7_2 = 0x72000000;
constexpr std::uint16_t long_sspi = 0xFFFF;
constexpr std::uint8_t password_mask = 0xA5;

// Rows of the OffsetLength table that are not plain text.
constexpr std::size_t extension_part = 5;
constexpr std::size_t sspi_part = 9;
constexpr std::size_t change_password_part = 11;
constexpr std::size_t part_count = login7_layout::parts;

struct part_info {
  const char* name;
  const char* offset_name;
  const char* size_name;
  ucs2_string login7::*text;  // nullptr: counted in bytes
  std::size_t max_units;
  bool is_password;
};

// In the order of the table.
constexpr std::array<part_info, part_count> infos{{
    {"host_name", "ib_host_name", "cch_host_name", &login7::host_name, 128, false},
    {"user_name", "ib_user_name", "cch_user_name", &login7::user_name, 128, false},
    {"password", "ib_password", "cch_password", &login7::password, 128, true},
    {"app_name", "ib_app_name", "cch_app_name", &login7::app_name, 128, false},
    {"server_name", "ib_server_name", "cch_server_name", &login7::server_name, 128, false},
    {"extension", "ib_extension", "cb_extension", nullptr, 0, false},
    {"clt_int_name", "ib_clt_int_name", "cch_clt_int_name", &login7::clt_int_name, 128, false},
    {"language", "ib_language", "cch_language", &login7::language, 128, false},
    {"database", "ib_database", "cch_database", &login7::database, 128, false},
    {"sspi", "ib_sspi", "cb_sspi", nullptr, 0, false},
    {"atch_db_file", "ib_atch_db_file", "cch_atch_db_file", &login7::atch_db_file, 260, false},
    {"change_password", "ib_change_password", "cch_change_password", &login7::change_password, 128, true},
}};

// The order in which write_login7 lays out the data. SSPI may be larger than what 16 bits of offset reach, so
// it comes behind every other part.
constexpr std::array<std::size_t, part_count> data_order{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, sspi_part};

std::size_t fixed_size(const login7_layout& layout) noexcept {
  return layout.has_change_password ? fixed_size_7_2 : fixed_size_7_0;
}

std::uint8_t swap_halves(std::uint32_t byte) noexcept {
  return static_cast<std::uint8_t>(((byte << 4U) | (byte >> 4U)) & 0xFFU);
}

bool before_7_2(std::uint32_t tds_version) noexcept {
  return tds_version >= login7_7_0 && tds_version < login7_7_2;
}

class login7_reader {
 public:
  // `body` is the message, all of it and nothing else.
  login7_reader(bytes::reader& body, login7& message) : body_(body), message_(message) {
    auto ahead = body;
    ahead.annotate(nullptr);
    origin_ = ahead.offset();
    whole_ = ahead.rest();
  }

  void read() {
    layout_.length = body_.u32("length");
    message_.tds_version = body_.u32("tds_version");
    body_.meaning([this] {
      const auto known = version_from_login7(message_.tds_version);
      return std::string{known ? name_of(*known) : "unknown"};
    });
    bytes::read_fields(body_, message_);
    read_table();
    check_bounds();
    if (!body_.ok()) return;
    read_parts();
    if (body_.ok() && layout_.feature_ext_offset != 0) read_features();
    message_.layout = layout_;
  }

 private:
  void read_table() {
    // Only the variable part's start tells how long the table of an old client is.
    layout_.has_change_password = !before_7_2(message_.tds_version) || peek_u16() >= fixed_size_7_2;
    for (std::size_t i = 0; i < part_count; ++i) {
      if (i == sspi_part) {
        std::ranges::copy(body_.bytes(message_.client_id.size(), "client_id"), message_.client_id.begin());
      }
      if (i == change_password_part && !layout_.has_change_password) break;
      row_at_[i] = body_.offset();
      layout_.offset[i] = body_.u16(infos[i].offset_name);
      size_[i] = std::size_t{body_.u16(infos[i].size_name)} * (infos[i].text != nullptr ? 2U : 1U);
    }
    layout_.cb_extension = static_cast<std::uint16_t>(size_[extension_part]);
    if (!layout_.has_change_password) return;
    layout_.cb_sspi_long = body_.u32("cb_sspi_long");
    if (size_[sspi_part] == long_sspi && layout_.cb_sspi_long > 0) size_[sspi_part] = layout_.cb_sspi_long;
  }

  std::uint16_t peek_u16() const {
    auto ahead = body_;
    ahead.annotate(nullptr);
    return ahead.u16("ib_host_name");
  }

  void check_bounds() {
    for (std::size_t i = 0; i < part_count; ++i) {
      const std::size_t start = layout_.offset[i];
      if (size_[i] == 0) continue;  // "then the offset MUST be ignored"
      if (start < fixed_size(layout_) || start + size_[i] > whole_.size()) {
        body_.fail_at(errc::bad_offset, infos[i].offset_name, row_at_[i]);
      }
    }
  }

  void read_parts() {
    std::array<std::size_t, part_count> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [this](std::size_t i) { return layout_.offset[i]; });
    for (const std::size_t i : order) {
      if (size_[i] != 0) read_part(i);
    }
  }

  void read_part(std::size_t i) {
    auto in = at(layout_.offset[i], size_[i]);
    if (i == sspi_part) {
      const auto raw = in.bytes(size_[i], infos[i].name);
      in.secret();
      message_.sspi.assign(raw.begin(), raw.end());
    } else if (i == extension_part) {
      read_extension(in);
    } else if (infos[i].is_password) {
      read_password(in, i);
    } else {
      message_.*infos[i].text = ucs2_string{in.ucs2(in.remaining() / 2, infos[i].name)};
    }
  }

  void read_password(bytes::reader& in, std::size_t i) {
    const std::size_t offset = in.offset();
    const auto raw = in.rest();
    std::vector<std::uint8_t> clear{raw.begin(), raw.end()};
    const wiped_at_end guard{clear};
    reveal_password(clear);
    const bytes::ucs2_view text{clear};
    (message_.*infos[i].text).assign(text);
    if (body_.notes() != nullptr) {
      body_.notes()->text(offset, text, infos[i].name);
      body_.notes()->secret();
    }
  }

  void read_extension(bytes::reader& in) {
    if (message_.option_flags3.has(option_flag3::extension)) {
      if (in.remaining() < feature_pointer_size) {
        body_.fail_at(errc::bad_length, "cb_extension", row_at_[extension_part] + 2);
        return;
      }
      feature_pointer_at_ = in.offset();
      layout_.feature_ext_offset = in.u32("ib_feature_ext_long");
    }
    if (in.remaining() == 0) return;
    const auto rest = in.bytes(in.remaining(), "extension");
    message_.extension_rest.assign(rest.begin(), rest.end());
  }

  void read_features() {
    const std::size_t start = layout_.feature_ext_offset;
    if (start < fixed_size(layout_) || start >= whole_.size()) {
      body_.fail_at(errc::bad_offset, "ib_feature_ext_long", feature_pointer_at_);
      return;
    }
    auto in = at(start, whole_.size() - start);
    message_.features = read_feature_ext(in);
    body_.adopt_failure(in);
  }

  bytes::reader at(std::size_t start, std::size_t size) const {
    bytes::reader in{whole_.subspan(start, size), origin_ + start};
    in.annotate(body_.notes());
    return in;
  }

  bytes::reader& body_;
  login7& message_;
  byte_span whole_{};
  std::size_t origin_ = 0;
  login7_layout layout_{};
  std::array<std::size_t, part_count> row_at_{};
  std::array<std::size_t, part_count> size_{};
  std::size_t feature_pointer_at_ = 0;
};

bool has_extension(const login7& message) noexcept {
  return message.option_flags3.has(option_flag3::extension) || !message.features.empty();
}

std::size_t size_of_part(const login7& message, std::size_t i) noexcept {
  if (i == sspi_part) return message.sspi.size();
  if (i == extension_part) {
    return message.extension_rest.size() + (has_extension(message) ? feature_pointer_size : 0);
  }
  return (message.*infos[i].text).view().raw().size();
}

encode_error check_limits(const login7& message, bool has_change_password) noexcept {
  for (const auto& info : infos) {
    if (info.text != nullptr && (message.*info.text).units() > info.max_units) {
      return {errc::limit_exceeded, info.name};
    }
  }
  if (find_feature(message.features, feature_id::terminator) != nullptr) {
    return {errc::bad_argument, "features"};
  }
  if (size_of_part(message, extension_part) > max_extension_size) return {errc::limit_exceeded, "extension"};
  if (message.sspi.size() > max_login7_size) return {errc::limit_exceeded, "sspi"};
  if (has_change_password) return {};
  if (!message.change_password.empty()) return {errc::bad_argument, "change_password"};
  if (message.sspi.size() > long_sspi) return {errc::limit_exceeded, "sspi"};
  return {};
}

login7_layout usual_layout(const login7& message) {
  login7_layout layout;
  layout.has_change_password = !before_7_2(message.tds_version);
  std::size_t cursor = fixed_size(layout);
  for (const std::size_t i : data_order) {
    layout.offset[i] = static_cast<std::uint16_t>(cursor);  // all but SSPI together stay far below 64 kB
    cursor += size_of_part(message, i);
  }
  layout.cb_extension = static_cast<std::uint16_t>(size_of_part(message, extension_part));
  if (!message.features.empty()) {
    layout.feature_ext_offset = static_cast<std::uint32_t>(cursor);
    cursor += size_of_feature_ext(message.features);
  }
  if (message.sspi.size() >= long_sspi) layout.cb_sspi_long = static_cast<std::uint32_t>(message.sspi.size());
  layout.length = static_cast<std::uint32_t>(std::min(cursor, max_login7_size + 1));
  return layout;
}

// The bytes of each part as they go out.
bytes::buffer part_bytes(const login7& message, const login7_layout& layout, std::size_t i) {
  bytes::buffer raw;
  raw.reserve(size_of_part(message, i));  // growing would leave a piece of a password behind
  bytes::writer out{raw};
  if (i == sspi_part) {
    out.bytes(message.sspi);
  } else if (i == extension_part) {
    if (has_extension(message) && layout.cb_extension != 0) out.u32(layout.feature_ext_offset);
    out.bytes(message.extension_rest);
  } else {
    out.ucs2(message.*infos[i].text);
    if (infos[i].is_password) obfuscate_password(raw);
  }
  return raw;
}

void write_fixed(bytes::writer& out, const login7& message, const login7_layout& layout) {
  out.u32(layout.length);
  out.u32(message.tds_version);
  (void)bytes::write_fields(out, message);  // no counted fields
  auto flags3 = message.option_flags3;
  if (has_extension(message)) flags3.set(option_flag3::extension);
  out.patch_le(option_flags3_at, flags3.bits);
  for (std::size_t i = 0; i < part_count; ++i) {
    if (i == sspi_part) out.bytes(message.client_id);
    if (i == change_password_part && !layout.has_change_password) return;
    std::size_t size = size_of_part(message, i);
    if (i == extension_part) size = layout.cb_extension;
    if (infos[i].text != nullptr) size /= 2;
    out.u16(layout.offset[i]);
    out.u16(static_cast<std::uint16_t>(std::min<std::size_t>(size, long_sspi)));
  }
  out.u32(layout.cb_sspi_long);
}

// Puts `data` where the layout says, if it says a place inside the message.
bool place(bytes::buffer& raw, byte_span data, std::size_t start, const login7_layout& layout) {
  if (data.empty()) return true;
  if (start < fixed_size(layout) || start + data.size() > raw.size()) return false;
  std::ranges::copy(data, raw.begin() + static_cast<std::ptrdiff_t>(start));
  return true;
}

}  // namespace

login7 read_login7(bytes::reader& in) {
  login7 message;
  auto ahead = in;
  ahead.annotate(nullptr);
  const std::size_t length = ahead.u32("length");
  if (!ahead.ok()) {
    in.fail(errc::incomplete, "length");
  } else if (length < fixed_size_7_0) {
    in.fail(errc::bad_length, "length");
  } else if (length > max_login7_size) {
    in.fail(errc::limit_exceeded, "length");
  }
  if (!in.ok()) return message;
  auto body = in.sub(length, "length");
  if (!in.ok()) return message;
  login7_reader{body, message}.read();
  in.adopt_failure(body);
  return message;
}

encode_error write_login7(bytes::buffer& out, const login7& message) {
  const login7_layout layout = message.layout ? *message.layout : usual_layout(message);
  if (const auto wrong = check_limits(message, layout.has_change_password)) return wrong;
  if (layout.length > max_login7_size) return {errc::limit_exceeded, "length"};
  bytes::buffer raw;
  const wiped_at_end guard{raw};
  bytes::writer fixed{raw};
  write_fixed(fixed, message, layout);
  if (layout.length < raw.size()) return {errc::bad_length, "length"};
  raw.resize(layout.length);
  for (std::size_t i = 0; i < part_count; ++i) {
    auto part = part_bytes(message, layout, i);
    const wiped_at_end part_guard{part};
    if (!place(raw, part, layout.offset[i], layout)) {
      return {errc::bad_offset, infos[i].name};
    }
  }
  if (!message.features.empty() || layout.feature_ext_offset != 0) {
    auto features = message.features;
    if (!message.layout) sort_features(features);
    bytes::buffer block;
    bytes::writer to{block};
    write_feature_ext(to, features);
    if (!place(raw, block, layout.feature_ext_offset, layout)) return {errc::bad_offset, "features"};
  }
  out.insert(out.end(), raw.begin(), raw.end());
  return {};
}

void login7::wipe() noexcept {
  password.wipe();
  change_password.wipe();
  tds::wipe(sspi);
  for (auto& each : features) tds::wipe(each.data);
}

void obfuscate_password(std::span<std::uint8_t> raw) noexcept {
  for (auto& byte : raw) byte = swap_halves(byte) ^ password_mask;
}

void reveal_password(std::span<std::uint8_t> raw) noexcept {
  for (auto& byte : raw) byte = swap_halves(byte ^ password_mask);
}

}  // namespace tds::protocol
