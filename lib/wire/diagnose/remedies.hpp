// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/finding.hpp>

#include <vector>

namespace wire::diagnose {

/// How to see whether receive coalescing is on, and how to turn it off, on every platform that may stand at
/// the receiving end. `where` names that end: "the server".
std::vector<remedy> coalescing_remedies(const std::string& where);

std::vector<remedy> delayed_ack_remedies();
std::vector<remedy> retransmission_remedies();
std::vector<remedy> path_mtu_remedies();
std::vector<remedy> path_delay_remedies();
std::vector<remedy> scheduling_remedies();
std::vector<remedy> late_read_remedies();
std::vector<remedy> server_work_remedies();
std::vector<remedy> zero_window_remedies();
std::vector<remedy> host_wide_remedies();

}  // namespace wire::diagnose
