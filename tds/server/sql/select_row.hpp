// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/server/answer.hpp>
#include <tds/server/sql/expression.hpp>

#include <string>
#include <vector>

namespace tds::serving {

/// A column of a SELECT without FROM.
struct select_item {
  std::string name{};
  typed_value what{};
};

/// Adds the columns, the one row and the DONE of such a SELECT, in types that the client knows. The clocks of
/// a batch's first result show when the batch came, those of a later one when its turn to be sent comes: what
/// the server waits for in between lies between them.
void answer_select(std::vector<select_item> items, answer& out);

}  // namespace tds::serving
