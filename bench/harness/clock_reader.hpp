// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/response_handler.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wiregap {

/// The server's clock as a batch showed it, in nanoseconds since 1970.
struct clock_readings {
  std::int64_t begin{};  ///< when the server began with the batch
  std::int64_t end{};    ///< when it was done
  friend bool operator==(const clock_readings&, const clock_readings&) = default;
};

/// A batch of three results: the server's clock, the statement's, the server's clock again. SYSUTCDATETIME()
/// is known to SQL Server from 2008 on, Azure SQL and Babelfish.
std::string with_clock(std::string_view statement);

/// Looks at the answer of such a batch: keeps its first and last value of type datetime2, if its column
/// stands alone, and lets everything else pass. Allocates nothing.
class clock_reader final : public tds::response_handler {
 public:
  /// Before each batch.
  void reset() noexcept {
    readings_.reset();
    ended_ = false;
  }
  /// Nothing when no such value came, or only one.
  std::optional<clock_readings> readings() const noexcept;

  bool on_columns(const tds::metadata_ptr& columns) override;
  bool on_row(const tds::row& values) override;

 private:
  std::optional<clock_readings> readings_;
  bool is_clock_ = false;
  bool ended_ = false;
};

}  // namespace wiregap
