// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/server/batch.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tds::serving {

/// The scripted answers of a server.
class handler_table {
 public:
  /// For exactly that text, but for white space at both ends. The newest wins.
  void on(std::string_view sql, batch_handler handler);
  /// For texts that `matches`; tried in the order in which they were added, behind the exact ones.
  void on(batch_matcher matches, batch_handler handler);
  void clear();

  bool empty() const noexcept { return exact_.empty() && matched_.empty(); }
  /// Null when none is meant.
  const batch_handler* find(std::string_view sql) const;

 private:
  std::map<std::string, batch_handler, std::less<>> exact_;
  std::vector<std::pair<batch_matcher, batch_handler>> matched_;
};

}  // namespace tds::serving
