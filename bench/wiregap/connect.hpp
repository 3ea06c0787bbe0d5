// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "interrupt.hpp"
#include <tds/client/connection.hpp>

#include <string>

namespace wiregap {

/// Connects and logs in. Throws cannot_measure with one line that says where, what failed and what to try.
void connect(interrupt& ctrl_c, tds::connection& connection, tds::connect_params params);

/// That line: "HOST,PORT: what failed; what to try". `params` are those of the attempt; their password is not
/// looked at.
std::string connect_problem(const tds::connect_params& params, const tds::error_code& ec,
                            const tds::diagnostics& diag);

}  // namespace wiregap
