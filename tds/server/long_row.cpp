// SPDX-License-Identifier: BSL-1.0
#include <tds/server/long_row.hpp>

#include <algorithm>
#include <utility>

namespace tds::serving {
namespace {

constexpr std::size_t largest_chunk = 32 * 1024;
constexpr std::size_t pattern_size = 4096;
// A client that knows the length may allocate it at once; a value of unknown length can be ended early.
constexpr std::uint64_t unknown_length = 0xFFFFFFFFFFFFFFFEU;
constexpr std::uint64_t largest_known_length = 64 * 1024;

}  // namespace

long_row_source::long_row_source(std::shared_ptr<const long_row> row) : row_(std::move(row)) {}

void long_row_source::begin_value(const long_row::long_value& value) {
  in_value_ = true;
  sent_ = 0;
  pattern_.clear();
  while (pattern_.size() < pattern_size && !value.what.unit.empty()) pattern_ += value.what.unit;
}

void long_row_source::append_units(bytes::buffer& out, std::size_t size) {
  while (size > 0) {
    const std::size_t from = static_cast<std::size_t>(sent_ % pattern_.size());
    const std::size_t piece = std::min(size, pattern_.size() - from);
    const auto* start = reinterpret_cast<const std::uint8_t*>(pattern_.data()) + from;
    out.insert(out.end(), start, start + piece);
    sent_ += piece;
    size -= piece;
  }
}

// False when the room is used up before the value is over.
bool long_row_source::produce_value(const long_row::long_value& value, bytes::buffer& out, std::size_t room) {
  const std::size_t limit = out.size() + room;
  bytes::writer to{out};
  if (!in_value_) {
    begin_value(value);
    if (value.form == long_form::text) {
      to.u8(16);  // a text pointer and a timestamp of no meaning
      to.zeros(16 + 8);
      to.u32(static_cast<std::uint32_t>(value.what.size));
    } else {
      to.u64(value.what.size > largest_known_length ? unknown_length : value.what.size);
    }
  }
  const bool ends_early = stopped_ && value.form == long_form::plp && value.what.size > largest_known_length;
  while (sent_ < value.what.size && !ends_early) {
    if (out.size() >= limit) return false;
    const auto chunk =
        static_cast<std::size_t>(std::min<std::uint64_t>(value.what.size - sent_, largest_chunk));
    if (value.form == long_form::plp) to.u32(static_cast<std::uint32_t>(chunk));
    append_units(out, chunk);
  }
  if (value.form == long_form::plp) to.u32(0);
  in_value_ = false;
  return true;
}

bool long_row_source::produce(bytes::buffer& out, std::size_t room) {
  const std::size_t limit = out.size() + room;
  for (; piece_ < row_->pieces.size(); ++piece_) {
    if (out.size() >= limit) return true;
    const auto& piece = row_->pieces[piece_];
    if (const auto* plain = std::get_if<bytes::buffer>(&piece)) {
      out.insert(out.end(), plain->begin(), plain->end());
    } else if (!produce_value(std::get<long_row::long_value>(piece), out, limit - out.size())) {
      return true;
    }
  }
  return false;
}

}  // namespace tds::serving
