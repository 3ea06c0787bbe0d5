// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/finding.hpp>
#include <wire/diagnose/verdict.hpp>
#include <wire/exchange/connection_timing.hpp>

#include <vector>

namespace wire::diagnose {

/// What took time before the first request, the longest first; empty for a connection that came up as fast as
/// its path allows. Of causes `resolver`, `syn_loss`, `dead_address`, `tls_handshake` and `login`; no layers,
/// no requests.
///
/// Resolving, TLS and the login are findings when they take the bad limit (and half a second) beyond what the
/// round trips of the path need; a SYN that was sent again and an address that was waited for in vain are
/// always.
std::vector<finding> diagnose_connect(const exchange::connection_timing& of, const limits& by = {});

}  // namespace wire::diagnose
