// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/colmetadata.hpp>
#include <tds/protocol/types/raw_value.hpp>
#include <tds/protocol/types/value.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace tds::protocol {

/// ROW and NBCROW (MS-TDS 2.2.7.19, 2.2.7.14) as views: nothing is copied and nothing decoded until asked.
struct row {
  const colmetadata* metadata{};
  bytes::byte_span bytes{};  ///< what follows the token byte, the null bitmap of NBCROW included
  std::span<const cell> cells{};

  std::size_t size() const noexcept { return cells.size(); }
  /// `i` must be below size().
  raw_value operator[](std::size_t i) const noexcept {
    const cell& c = cells[i];
    return {&metadata->columns[i].type, bytes.subspan(c.offset, c.size), c.form};
  }
};

/// Finds the cells of a row that may still be arriving. Keeps its place: no byte is looked at twice.
/// Allocates only when a row has more columns than any before.
class row_scanner {
 public:
  /// Begins a row of `metadata` (which must outlive the scan). `compressed` is true for NBCROW.
  void begin(const colmetadata& metadata, bool compressed);
  /// `bytes` starts at the row's first byte behind the token in every call, and may have grown.
  scan_state scan(bytes::byte_span bytes, std::size_t value_limit);
  /// After complete; `bytes` as in the last scan.
  row found(bytes::byte_span bytes) const noexcept { return {metadata_, bytes.first(at_), cells_}; }
  /// After complete: bytes of the row behind its token. After bad: where it went wrong.
  std::size_t size() const noexcept { return at_; }
  /// After bad: what, and in which column.
  errc error() const noexcept { return error_; }
  std::size_t column() const noexcept { return index_; }

 private:
  scan_state scan_slowly(const type_info& type, bytes::byte_span bytes, std::size_t value_limit) noexcept;

  const colmetadata* metadata_ = nullptr;
  std::vector<cell> cells_;
  value_scanner value_;
  std::size_t index_ = 0;
  std::size_t at_ = 0;
  bool compressed_ = false;
  bool in_value_ = false;
  bool bitmap_read_ = false;
  errc error_{};
};

/// Writes a ROW token of one value per column. After an error what was written is not a token: drop it.
/// errc::bad_value where `values` and columns differ in number, else encode's errors.
result<void> write_row(bytes::writer& out, const colmetadata& metadata, std::span<const value> values);
/// The same as NBCROW.
result<void> write_nbcrow(bytes::writer& out, const colmetadata& metadata, std::span<const value> values);

}  // namespace tds::protocol
