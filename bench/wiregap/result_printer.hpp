// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/response_handler.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace wiregap {

enum class result_form : std::uint8_t { table, csv, json };

/// Prints a response while it arrives: results to one stream, the server's messages (as sqlcmd words them) to
/// another. A message stands on lines of its own even where both streams end on one terminal.
///
/// A table's columns are as wide as their widest value among the first `settled_after` rows; a later value
/// that is wider pushes its line out rather than being cut.
class result_printer final : public tds::response_handler {
 public:
  static constexpr std::size_t settled_after = 1000;

  result_printer(std::FILE* results, std::FILE* messages, result_form form);

  bool on_columns(const tds::metadata_ptr& columns) override;
  bool on_row(const tds::row& values) override;
  bool on_done(const tds::done& end) override;
  bool on_message(const tds::server_message& message) override;

  /// Ends the output; nothing that has arrived is left unprinted. Throws cannot_measure when the stream did
  /// not take it all (a full disk). In CSV, NULL is an empty field and an empty text is "".
  void finish();

 private:
  using line = std::vector<std::string>;

  void end_result();
  void settle();
  void print_table_line(const line& cells) const;
  void print_csv_line(const line& cells) const;
  void print_json_row(const tds::row& values);

  std::FILE* out_;
  std::FILE* messages_;
  result_form form_;
  tds::metadata_ptr columns_;
  line names_;
  std::vector<line> waiting_;        // rows of a table whose widths are still open
  std::vector<std::size_t> widths_;  // in characters; empty until settled
  std::vector<bool> numeric_;        // right-aligned
  std::uint64_t rows_ = 0;
  std::size_t results_ = 0;
  bool finished_ = false;
};

}  // namespace wiregap
