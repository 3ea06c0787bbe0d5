// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/finding.hpp>
#include <wire/diagnose/stalls.hpp>
#include <wire/exchange/layer_set.hpp>

#include <optional>

namespace wire::diagnose {

/// What the counters and stamps of one exchange say took its time.
struct testimony {
  diagnose::cause cause{};
  exchange::layer_set layers{};
  confidence sure{};
};

/// Asks the facts of one stall: TCP's counters, the kernel's stamps, the server's clock, the control thread.
/// Nothing when they name no cause; then only what several stalls have in common may.
std::optional<testimony> witness(const stall& of, const population& run);

/// TCP counted, and neither it nor the peer sent anything again.
bool no_loss_seen(const sample& of) noexcept;

/// The peer had got what was sent again: nothing was lost on the way there.
bool sent_again_for_nothing(const sample& of) noexcept;

}  // namespace wire::diagnose
