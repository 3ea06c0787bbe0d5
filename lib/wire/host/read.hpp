// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/settings.hpp>

#include <string>

namespace wire::host {

/// Reads what this machine is set to: files and a few dozen kernel queries, a few milliseconds, no privilege
/// needed. `server` is an IPv4 or IPv6 address in text (a scope and an IPv4 address mapped into IPv6 allowed)
/// whose route is asked about; empty, or no address, leaves the route absent. Never fails: what cannot be
/// read is absent. Sends nothing to the network.
settings read(const std::string& server = {});

}  // namespace wire::host
