// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/response_handler.hpp>
#include <tds/protocol/types/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tds {

using protocol::value;

/// One statement's result, owned.
struct result_set {
  metadata_ptr columns{};  ///< null for a statement without rows
  std::vector<std::vector<value>> rows{};
  std::optional<std::uint64_t> row_count{};  ///< what DONE counted: rows returned or affected

  /// UTF-8 name of column `i`.
  std::string column_name(std::size_t i) const { return columns->columns[i].name.view().utf8(); }
};

/// A whole response, decoded and owned: for results that fit memory. A value that does not decode (an unknown
/// code page) is kept as `binary` and counted.
class results final : public response_handler {
 public:
  const std::vector<result_set>& sets() const noexcept { return sets_; }
  bool empty() const noexcept { return sets_.empty(); }
  std::size_t size() const noexcept { return sets_.size(); }
  const result_set& operator[](std::size_t i) const { return sets_.at(i); }
  /// The first value of the first row of the first result that has one; null otherwise.
  const value* scalar() const noexcept;
  std::optional<std::int32_t> return_status() const noexcept { return return_status_; }
  std::size_t undecoded() const noexcept { return undecoded_; }
  void clear();

  bool on_columns(const metadata_ptr& columns) override;
  bool on_row(const row& values) override;
  bool on_done(const done& end) override;
  bool on_return_status(std::int32_t status) override;

 private:
  std::vector<result_set> sets_;
  bool open_ = false;  // the newest set still takes rows
  std::optional<std::int32_t> return_status_;
  std::size_t undecoded_ = 0;
};

}  // namespace tds
