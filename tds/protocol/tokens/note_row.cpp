// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/note_row.hpp>

#include <string>

namespace tds::protocol {
namespace {

std::string printed(const raw_value& raw) {
  const auto decoded = decode(raw);
  return decoded ? to_string(*decoded) : "not decodable: " + decoded.error().message();
}

}  // namespace

void note_row(bytes::annotations& notes, token_type type, std::size_t offset, std::optional<std::uint16_t> id,
              const row& values) {
  notes.open(offset, std::string{name_of(type)});
  notes.number(offset, 1, "token_type", static_cast<std::uint64_t>(type));
  notes.meaning(std::string{name_of(type)});
  const std::size_t start = offset + 1 + (id ? sizeof(*id) : 0);
  if (id) notes.number(offset + 1, sizeof(*id), "id", *id);
  if (type == token_type::nbcrow) {
    notes.bytes(start, values.bytes.first((values.size() + 7) / 8), "null_bitmap");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const column& col = values.metadata->columns[i];
    const std::string field = col.name.empty() ? "column " + std::to_string(i + 1) : col.name.view().utf8();
    notes.value(start + values.cells[i].offset, values.cells[i].size, field, printed(values[i]));
    notes.meaning(std::string{name_of(col.type.type)});
  }
  notes.close();
}

}  // namespace tds::protocol
