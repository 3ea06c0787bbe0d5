// SPDX-License-Identifier: BSL-1.0
#include <tds/server/handlers.hpp>

namespace tds::serving {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

}  // namespace

void handler_table::on(std::string_view sql, batch_handler handler) {
  exact_.insert_or_assign(std::string{trimmed(sql)}, std::move(handler));
}

void handler_table::on(batch_matcher matches, batch_handler handler) {
  matched_.emplace_back(std::move(matches), std::move(handler));
}

void handler_table::clear() {
  exact_.clear();
  matched_.clear();
}

const batch_handler* handler_table::find(std::string_view sql) const {
  if (const auto found = exact_.find(trimmed(sql)); found != exact_.end()) return &found->second;
  for (const auto& [matches, handler] : matched_) {
    if (matches(sql)) return &handler;
  }
  return nullptr;
}

}  // namespace tds::serving
