// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <stdexcept>
#include <string>

namespace wiregap {

/// What the program ends with; documented in the README.
enum class exit_status : int {
  good = 0,        ///< measured, nothing found
  problem = 1,     ///< measured, and found something (or the query failed on the server)
  unmeasured = 2,  ///< could not measure: usage, connect, login
};

/// Ends a command with exit_status::unmeasured and one line for a person.
class cannot_measure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wiregap
