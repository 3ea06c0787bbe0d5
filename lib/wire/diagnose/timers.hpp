// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>

namespace wire::diagnose {

/// Least retransmission timer of any sender (Linux, 200 ms), less the tick of a clock: what is repaired
/// sooner was repaired by acknowledgements or by a probe.
inline constexpr std::chrono::nanoseconds least_retransmission_timeout = std::chrono::milliseconds{190};

}  // namespace wire::diagnose
