// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/row.hpp>
#include <tds/protocol/tokens/tokens.hpp>
#include <tds/protocol/types/scan_cell.hpp>

namespace tds::protocol {
namespace {

std::size_t bitmap_size(std::size_t columns) noexcept { return (columns + 7) / 8; }

bool is_null(const value& v) noexcept { return std::holds_alternative<null>(v); }

}  // namespace

void row_scanner::begin(const colmetadata& metadata, bool compressed) {
  metadata_ = &metadata;
  if (cells_.size() != metadata.columns.size()) cells_.resize(metadata.columns.size());
  index_ = 0;
  at_ = 0;
  compressed_ = compressed;
  in_value_ = false;
  bitmap_read_ = false;
}

scan_state row_scanner::scan(bytes::byte_span bytes, std::size_t value_limit) {
  if (compressed_ && !bitmap_read_) {
    const std::size_t size = bitmap_size(cells_.size());
    if (bytes.size() < size) return scan_state::incomplete;
    at_ = size;
    bitmap_read_ = true;
  }
  const auto* const columns = metadata_->columns.data();
  const std::size_t count = cells_.size();
  cell* const cells = cells_.data();
  const std::uint8_t* const nulls = compressed_ ? bytes.data() : nullptr;
  std::size_t at = at_;
  for (std::size_t i = index_; i < count; ++i) {
    if (nulls != nullptr && ((nulls[i / 8] >> (i % 8)) & 1) != 0) {
      cells[i] = {static_cast<std::uint32_t>(at), 0, cell::kind::null};
      continue;
    }
    const type_info& type = columns[i].type;
    const detail::cell_length length = detail::length_of(type, bytes.data() + at, bytes.size() - at);
    const std::uint64_t start = std::uint64_t{at} + length.header;
    const std::uint64_t end = start + length.size;
    if (length.state == scan_state::complete && length.size <= value_limit && end <= bytes.size() &&
        end <= detail::max_row) [[likely]] {
      cells[i].offset = static_cast<std::uint32_t>(start);
      cells[i].size = length.size;
      cells[i].form = length.null ? cell::kind::null : cell::kind::plain;
      at = static_cast<std::size_t>(end);
      continue;
    }
    at_ = at;
    index_ = i;
    const scan_state state = scan_slowly(type, bytes, value_limit);
    if (state != scan_state::complete) return state;
    cells[i] = value_.found();
    at = value_.end();
  }
  at_ = at;
  index_ = count;
  return scan_state::complete;
}

// A PLP value, which may take many packets, or one that the loop above could not take: value_scanner says
// why, and keeps its place in a PLP value.
scan_state row_scanner::scan_slowly(const type_info& type, bytes::byte_span bytes,
                                    std::size_t value_limit) noexcept {
  if (!in_value_) value_.begin(type, at_);
  const scan_state state = value_.scan(bytes, value_limit);
  in_value_ = state == scan_state::incomplete && type.length == length_kind::plp;
  if (state == scan_state::bad) {
    error_ = value_.error();
    at_ = value_.end();
  }
  return state;
}

result<void> write_row(bytes::writer& out, const colmetadata& metadata, std::span<const value> values) {
  if (values.size() != metadata.columns.size()) return errc::bad_value;
  out.u8(static_cast<std::uint8_t>(token_type::row));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (auto written = encode(out, metadata.columns[i].type, values[i]); !written) return written;
  }
  return {};
}

result<void> write_nbcrow(bytes::writer& out, const colmetadata& metadata, std::span<const value> values) {
  if (values.size() != metadata.columns.size()) return errc::bad_value;
  out.u8(static_cast<std::uint8_t>(token_type::nbcrow));
  const std::size_t bitmap = out.size();
  out.zeros(bitmap_size(values.size()));
  std::uint8_t bits = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 8 == 0) bits = 0;
    if (is_null(values[i])) {
      bits = static_cast<std::uint8_t>(bits | (1U << (i % 8)));
      out.patch_le(bitmap + i / 8, bits);
    } else if (auto written = encode(out, metadata.columns[i].type, values[i]); !written) {
      return written;
    }
  }
  return {};
}

}  // namespace tds::protocol
