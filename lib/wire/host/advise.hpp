// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/settings.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wire::host {

/// How much a setting matters to the time between request and response.
enum class severity : std::uint8_t {
  note,     ///< good to know when measurements are read; nothing is wrong
  warning,  ///< costs time, under conditions that the advice names
  stalls,   ///< set as it is known to make requests stall
};

std::string_view name_of(severity s) noexcept;

/// What one setting, or several together, mean.
struct advice {
  host::severity severity{};
  std::string key{};    ///< snake_case, stable: "receive_coalescing"
  std::string about{};  ///< an interface's name, or "tcp", "route", "machine"
  std::string what{};   ///< what is set, in one sentence
  std::string why{};    ///< what it does, and when it does not matter
  std::string check{};  ///< the command that shows it, as it is typed
  std::string mend{};   ///< the command that changes it until the next restart; empty when none does
};

/// What matters of these settings, the worst first; a pure function. Says nothing of what is absent and
/// nothing of what is as it should be. Interfaces that are down are passed over.
///
/// Of receive coalescing it says no more than is known: Windows holds data back for up to 500 ms when
/// coalescing has lost the PSH flag; Linux hands data over whether or not PSH came, so that there it matters
/// only to those that this machine forwards to.
std::vector<advice> advise(const settings& of);

/// One of them at least is known to make requests stall.
bool any_stalls(std::span<const advice> of) noexcept;

}  // namespace wire::host
