// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/rules.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace wire::host::detail {
namespace {

constexpr double much_steal = 2;  // percent
constexpr std::uint64_t deep_idle_us = 100;

void power(const host::machine& m, std::vector<advice>& out) {
  if (m.cpu_governor.is("powersave")) {
    // With these drivers the name is only that: the processor still follows the load.
    constexpr std::array by_load{"intel_pstate", "amd-pstate-epp", "amd_pstate_epp"};
    const bool follows = m.cpu_driver.known() && std::ranges::find(by_load, *m.cpu_driver) != by_load.end();
    out.push_back(
        {follows ? severity::note : severity::warning, "cpu_powersave", "machine",
         "The processors' governor is powersave (" + m.cpu_driver.value.value_or("driver unknown") + ").",
         follows ? "The processor follows the load; it takes a moment after idle until it is fast."
                 : "The processor stays at its slowest.",
         "cpupower frequency-info", "cpupower frequency-set -g performance"});
  }
  if (m.idle_exit_us.known() && *m.idle_exit_us >= deep_idle_us) {
    const auto us = std::to_string(*m.idle_exit_us);
    out.push_back({severity::note, "deep_idle", "machine",
                   "Idle processors may sleep so deeply that waking takes " + us + " us.",
                   "An answer that comes after a pause is handed over that much later: far below a stall.",
                   "cpupower idle-info", "cpupower idle-set -D 10"});
  }
}

}  // namespace

void machine(const settings& of, std::vector<advice>& out) {
  const auto& m = of.machine;
  power(m, out);
  if (m.steal_percent.known() && *m.steal_percent >= much_steal) {
    std::array<char, 32> percent{};
    std::snprintf(percent.data(), percent.size(), "%.1f", *m.steal_percent);
    out.push_back(
        {severity::warning, "steal", "machine",
         std::string{"Of the time since boot that this machine wanted to run, the host gave "} +
             percent.data() + " % to others (steal).",
         "The whole machine stands still meanwhile, requests with it. The host has more to do than it can: "
         "reserve processors for this machine, or move it.",
         "vmstat 1 5", ""});
  }
  constexpr std::array slow_clocks{"hpet", "acpi_pm", "jiffies", "refined-jiffies"};
  if (m.clocksource.known() && std::ranges::find(slow_clocks, *m.clocksource) != slow_clocks.end()) {
    out.push_back(
        {severity::warning, "slow_clock", "machine",
         "The kernel's clock is " + *m.clocksource + ": it did not trust the processor's.",
         "Reading it takes microseconds instead of nanoseconds, and every packet is stamped. dmesg says why "
         "it was chosen; change it only when that reason is gone.",
         "cat /sys/devices/system/clocksource/clocksource0/available_clocksource",
         "echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource"});
  }
}

}  // namespace wire::host::detail
