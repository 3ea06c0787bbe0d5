// SPDX-License-Identifier: BSL-1.0
#include <tds/client/results.hpp>

namespace tds {

const value* results::scalar() const noexcept {
  for (const auto& set : sets_) {
    if (!set.rows.empty() && !set.rows.front().empty()) return &set.rows.front().front();
  }
  return nullptr;
}

void results::clear() {
  sets_.clear();
  open_ = false;
  return_status_.reset();
  undecoded_ = 0;
}

bool results::on_columns(const metadata_ptr& columns) {
  sets_.emplace_back().columns = columns;
  open_ = true;
  return true;
}

bool results::on_row(const row& values) {
  auto& owned = sets_.back().rows.emplace_back();
  owned.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (auto decoded = protocol::decode(values[i]); decoded) {
      owned.push_back(std::move(*decoded));
    } else {
      std::vector<std::uint8_t> scratch;
      const auto raw = protocol::joined(values[i], scratch);
      owned.emplace_back(protocol::binary{{raw.begin(), raw.end()}});
      ++undecoded_;
    }
  }
  return true;
}

bool results::on_done(const done& end) {
  if (!open_) {
    // Only a count makes a statement without columns worth a result of its own.
    if (!end.status.has(protocol::done_status::count)) return true;
    sets_.emplace_back();
  }
  if (end.status.has(protocol::done_status::count)) sets_.back().row_count = end.row_count;
  open_ = false;
  return true;
}

bool results::on_return_status(std::int32_t status) {
  return_status_ = status;
  return true;
}

}  // namespace tds
