// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/tokens.hpp>
#include <tds/server/long_row.hpp>
#include <tds/server/sql/convert.hpp>
#include <tds/server/sql/select_row.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace tds::serving {
namespace {

// The row in pieces: each long value stands alone, what lies between them is encoded already. Empty when a
// value does not go with its type.
std::shared_ptr<const long_row> in_pieces(const std::vector<select_item>& items) {
  auto out = std::make_shared<long_row>();
  bytes::buffer plain{static_cast<std::uint8_t>(protocol::token_type::row)};
  for (const auto& item : items) {
    if (item.what.repeated) {
      const bool plp = item.what.type.length == protocol::length_kind::plp;
      out->pieces.emplace_back(std::exchange(plain, {}));
      out->pieces.emplace_back(
          long_row::long_value{*item.what.repeated, plp ? long_form::plp : long_form::text});
      continue;
    }
    bytes::writer to{plain};
    if (!protocol::encode(to, item.what.type, item.what.data)) return nullptr;
  }
  out->pieces.emplace_back(std::move(plain));
  return out;
}

}  // namespace

void answer_select(std::vector<select_item> items, answer& out) {
  const bool first = out.steps().empty();
  std::vector<protocol::column> columns;
  for (auto& item : items) {
    auto type = type_for(item.what.type, out.version());
    if (type.type != item.what.type.type && !item.what.repeated) {
      if (auto converted = convert(item.what.data, type)) item.what.data = std::move(*converted);
    }
    item.what.type = type;
    columns.push_back(make_column(item.name, std::move(type), item.what.nullable));
    columns.back().flags.set(protocol::column_flag::computed);
  }
  out.columns(std::move(columns));
  const bool is_long = std::any_of(items.begin(), items.end(),
                                   [](const auto& item) { return item.what.repeated.has_value(); });
  const bool is_late = !first && std::any_of(items.begin(), items.end(),
                                             [](const auto& item) { return item.what.at != nullptr; });
  if (is_long) {
    auto row = in_pieces(items);
    if (row == nullptr) return void(out.raw({}));
    out.rows([row = std::move(row)] { return std::make_unique<long_row_source>(row); });
  } else if (is_late) {
    out.rows(1, [items = std::move(items)](std::uint64_t, std::vector<protocol::value>& row) {
      const moment now = utc_now();
      for (std::size_t i = 0; i < items.size(); ++i) {
        const auto& what = items[i].what;
        row[i] = what.data;
        if (what.at == nullptr) continue;
        if (auto data = convert(what.at(now), what.type)) row[i] = std::move(*data);
      }
    });
  } else {
    std::vector<protocol::value> values;
    for (auto& item : items) values.push_back(std::move(item.what.data));
    out.row(values);
  }
  out.done(1);
}

}  // namespace tds::serving
