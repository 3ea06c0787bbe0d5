// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/probe_run.hpp>

#include <boost/asio/io_context.hpp>

#include <span>

namespace wiregap {

/// As run_probe(), over several connections at once: each sends one request at a time, in an order of its
/// own, and all of them are driven by the calling thread, which runs `context`, theirs. A connection that
/// breaks is counted in probe_outcome::lost and the others go on; when none is left the run has ended.
///
/// One thread reads for all: what an answer waits for it counts as client_receive, and the kernel's stamps
/// keep it apart from the rest.
probe_outcome run_probe(boost::asio::io_context& context, std::span<tds::connection> connections,
                        const probe_settings& settings, probe_observer& observer);

}  // namespace wiregap
