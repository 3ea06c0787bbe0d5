// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/advise.hpp>
#include <wire/host/settings.hpp>

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>

namespace wiregap {

/// Settings and what matters of them as section `host` of bench/harness/report.schema.json has it: known
/// facts only, each with its source.
nlohmann::ordered_json host_as_json(const wire::host::settings& host,
                                    std::span<const wire::host::advice> advice);

/// What `wiregap host --json` writes: that section with a head. Ends in a line end.
std::string host_json(const wire::host::settings& host, std::span<const wire::host::advice> advice);

/// A table for the machine, for TCP, for the route and for each interface that is up, then the advice.
std::string host_text(const wire::host::settings& host, std::span<const wire::host::advice> advice,
                      bool color);

/// The same in a few lines, for a report: how packets to the server leave, and what is more than a note.
std::string host_in_short(const wire::host::settings& host, std::span<const wire::host::advice> advice,
                          bool color);

}  // namespace wiregap
