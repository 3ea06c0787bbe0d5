// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/annotations.hpp>

#include <algorithm>

namespace tds::bytes {

annotation& annotations::add(std::size_t offset, std::size_t size, const char* field) {
  annotation& item = items_.emplace_back();
  item.offset = offset;
  item.size = size;
  item.field = field;
  item.depth = depth_;
  return item;
}

void annotations::number(std::size_t offset, std::size_t size, const char* field, std::uint64_t value) {
  add(offset, size, field).value = std::to_string(value);
}

void annotations::bytes(std::size_t offset, byte_span raw, const char* field) {
  add(offset, raw.size(), field).value = hex(raw);
}

void annotations::text(std::size_t offset, ucs2_view view, const char* field) {
  add(offset, view.raw().size(), field).value = '"' + view.utf8() + '"';
}

void annotations::value(std::size_t offset, std::size_t size, std::string field, std::string printed) {
  annotation& item = add(offset, size, "");
  item.field = std::move(field);
  item.value = std::move(printed);
}

void annotations::meaning(std::string text) {
  if (!items_.empty()) items_.back().meaning = std::move(text);
}

void annotations::secret() {
  if (!items_.empty()) items_.back().secret = true;
}

void annotations::open(std::size_t offset, std::string name, std::string value) {
  annotation& item = add(offset, 0, "");
  item.field = std::move(name);
  item.value = std::move(value);
  ++depth_;
}

std::string hex(byte_span raw, std::size_t limit) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  const std::size_t shown = std::min(raw.size(), limit);
  out.reserve(3 * shown + 24);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i != 0) out.push_back(' ');
    out.push_back(digits[raw[i] >> 4]);
    out.push_back(digits[raw[i] & 15]);
  }
  if (shown < raw.size()) out.append(" ... (").append(std::to_string(raw.size())).append(" bytes)");
  return out;
}

}  // namespace tds::bytes
