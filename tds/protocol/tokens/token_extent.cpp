// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/column_view.hpp>
#include <tds/protocol/tokens/envchange.hpp>
#include <tds/protocol/tokens/returnvalue_head.hpp>
#include <tds/protocol/tokens/token_extent.hpp>

#include <utility>

namespace tds::protocol {
namespace {

constexpr std::size_t token_byte = 1;

std::optional<std::size_t> behind(std::uint32_t length, std::size_t field, bool there) noexcept {
  return there ? std::optional{token_byte + field + length} : std::nullopt;
}

// A count that the limits are checked against before anything is made of it.
std::size_t read_count(bytes::reader& in, const char* field, std::uint32_t limit) {
  const std::uint16_t count = in.u16(field);
  if (count > limit) in.fail_at(errc::limit_exceeded, field, in.offset() - sizeof(count));
  return count;
}

}  // namespace

std::optional<std::size_t> announced_size(bytes::byte_span left, tds_version version) noexcept {
  bytes::reader in{left.subspan(token_byte)};
  switch (static_cast<token_type>(left[0])) {
    case token_type::done:
    case token_type::doneproc:
    case token_type::doneinproc:
      return token_byte + 4 + (version >= tds_version::v7_2 ? 8U : 4U);
    case token_type::returnstatus:
    case token_type::offset:
      return token_byte + 4;
    case token_type::envchange: {
      const auto size = envchange_size(left.subspan(token_byte));
      return size ? std::optional{token_byte + *size} : std::nullopt;
    }
    case token_type::sessionstate:
    case token_type::fedauthinfo: {
      const std::uint32_t length = in.u32("");
      return behind(length, sizeof(length), in.ok());
    }
    default: {
      const std::uint16_t length = in.u16("");
      return behind(length, sizeof(length), in.ok());
    }
  }
}

void token_extent::begin(token_type type) noexcept {
  type_ = type;
  at_ = 0;
  part_ = 0;
  left_ = 0;
  finished_ = false;
  begun_ = true;
}

scan_state token_extent::scan(bytes::byte_span body, const token_context& context, std::size_t origin) {
  const bool has_value = type_ == token_type::returnvalue;
  while (!finished_ && !(has_value && part_ == 1)) {
    bytes::reader in{body.subspan(at_), origin + at_};
    element(in, context);
    if (in.state() == bytes::read_state::incomplete) return scan_state::incomplete;
    if (in.ok() && at_ + in.position() > context.limits.max_token_bytes) {
      in.fail(errc::limit_exceeded, "token");
    }
    if (!in.ok()) {
      error_ = in.error();
      return scan_state::bad;
    }
    at_ += in.position();
  }
  return has_value ? scan_value(body, context, origin) : scan_state::complete;
}

// Steps over one element and says what comes next, if the element is all there.
void token_extent::element(bytes::reader& in, const token_context& context) {
  switch (type_) {
    case token_type::colmetadata:
      columns_element(in, context);
      break;
    case token_type::altmetadata:
      alternative_element(in, context);
      break;
    case token_type::featureextack:
      feature_element(in);
      break;
    case token_type::dataclassification:
      classification_element(in, context);
      break;
    case token_type::returnvalue: {
      type_info type = read_returnvalue_head(in, context.version, context.encryption).type;
      if (!in.ok()) break;
      value_type_ = std::make_shared<const type_info>(std::move(type));
      value_.begin(*value_type_, at_ + in.position());
      part_ = 1;
      break;
    }
    default:
      in.fail(errc::unexpected_token, "token_type");
      break;
  }
}

// The count (0), then the columns (1); between them the count of keys (2) and the keys (3), where there are
// any.
void token_extent::columns_element(bytes::reader& in, const token_context& context) {
  constexpr std::uint16_t no_metadata = 0xFFFF;
  if (part_ >= 2) {
    key_element(in, context);
  } else if (part_ == 0) {
    bytes::reader ahead = in;
    const bool none = ahead.u16("count") == no_metadata && ahead.ok();
    left_ = read_count(in, "count", none ? no_metadata : context.limits.max_columns);
    if (!in.ok()) return;
    if (none) left_ = 0;
    columns_ = left_;
    part_ = context.encryption && !none ? 2 : 1;
  } else {
    (void)read_column(in, context.version, context.encryption);
    if (!in.ok()) return;
    --left_;
  }
  finished_ = part_ == 1 && left_ == 0;
}

void token_extent::key_element(bytes::reader& in, const token_context& context) {
  if (part_ == 2) {
    left_ = read_count(in, "ek_value_count", context.limits.max_columns);
    if (!in.ok()) return;
    part_ = 3;
  } else {
    skip_encryption_key(in);
    if (!in.ok()) return;
    --left_;
  }
  if (left_ != 0) return;
  part_ = 1;
  left_ = columns_;
}

void token_extent::alternative_element(bytes::reader& in, const token_context& context) {
  if (part_ == 0) {
    left_ = read_count(in, "count", context.limits.max_columns);
    in.skip(sizeof(std::uint16_t), "id");
    const std::size_t by_columns = in.u8("by_cols");
    in.skip(by_columns * sizeof(std::uint16_t), "col_num");
    if (!in.ok()) return;
    part_ = 1;
  } else {
    in.skip(sizeof(std::uint8_t), "op");
    in.skip(sizeof(std::uint16_t), "operand");
    (void)read_column(in, context.version);
    if (!in.ok()) return;
    --left_;
  }
  finished_ = left_ == 0;
}

void token_extent::feature_element(bytes::reader& in) {
  constexpr std::uint8_t terminator = 0xFF;
  const std::uint8_t id = in.u8("feature_id");
  if (id != terminator) (void)in.l_varbyte("feature_ack_data");
  finished_ = in.ok() && id == terminator;
}

// Counts and their elements in turn: labels (0, 1), information types (2, 3), columns (4, 5).
void token_extent::classification_element(bytes::reader& in, const token_context& context) {
  constexpr std::uint32_t any = 0xFFFF;
  const bool ranks = context.classification >= 2;
  const bool is_count = part_ % 2 == 0;
  std::size_t count = left_ - (is_count ? 0 : 1);
  if (part_ == 4) {
    if (ranks) in.skip(sizeof(std::int32_t), "sensitivity_rank");
    count = read_count(in, "num_result_set_columns", context.limits.max_columns);
  } else if (is_count) {
    count = read_count(in, part_ == 0 ? "sensitivity_label_count" : "information_type_count", any);
  } else if (part_ == 5) {
    const std::size_t properties = in.u16("num_sensitivity_properties");
    in.skip(properties * (ranks ? 8U : 4U), "sensitivity_property");
  } else {
    (void)in.b_varchar("name");
    (void)in.b_varchar("id");
  }
  if (!in.ok()) return;
  left_ = count;
  if (is_count) ++part_;
  if (left_ != 0) return;
  finished_ = part_ == 5;
  ++part_;
}

scan_state token_extent::scan_value(bytes::byte_span body, const token_context& context, std::size_t origin) {
  const scan_state state = value_.scan(body, context.limits.max_value_bytes);
  if (state == scan_state::bad) error_ = {value_.error(), origin + value_.end(), "value", {}};
  if (state == scan_state::complete) at_ = value_.end();
  return state;
}

}  // namespace tds::protocol
