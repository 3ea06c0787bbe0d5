// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/host_report.hpp>
#include <bench/harness/lines.hpp>
#include <wire/host/each_fact.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wiregap {

namespace {

using wire::host::severity;

std::string with_unit(std::string value, const char* unit) {
  return *unit == '\0' ? value : fmt::format("{} {}", value, unit);
}

std::string in_words(bool value, const char*) { return value ? "yes" : "no"; }
std::string in_words(std::uint64_t value, const char* unit) { return with_unit(fmt::to_string(value), unit); }
std::string in_words(double value, const char* unit) { return with_unit(fmt::format("{:.2f}", value), unit); }
std::string in_words(const std::string& value, const char*) { return value; }
std::string in_words(const wire::host::offload& value, const char*) {
  return fmt::format("{}{}", value.on ? "on" : "off", value.fixed ? " (fixed)" : "");
}

const char* color_of(severity s) {
  return s == severity::stalls ? "1;31" : s == severity::warning ? "33" : "0";
}

class printer : line_writer {
 public:
  printer(const wire::host::settings& host, std::span<const wire::host::advice> advice, bool color)
      : line_writer(color), host_(host), advice_(advice) {}

  std::string all() {
    table(fmt::format("Machine ({})", name_of(host_.machine.system)), host_.machine);
    table("TCP", host_.tcp);
    if (!host_.route.server.empty()) table(fmt::format("Route to {}", host_.route.server), host_.route);
    std::string others;
    for (const auto& device : host_.interfaces) {
      if (device.state.is("down") || (device.loopback && host_.interfaces.size() > 1)) {
        others += (others.empty() ? "" : ", ") + device.name;
      } else {
        table(fmt::format("Interface {}", device.name), device);
      }
    }
    if (!others.empty()) line("Not shown, down or loopback: {}\n", others);
    line("{}", painted("What matters", "1", color_));
    if (advice_.empty()) line("  Nothing: no setting was found that is known to cost time.");
    for (const auto& one : advice_) explain(one);
    return std::move(out_);
  }

  std::string in_short() {
    line("{}", painted("This machine", "1", color_));
    line("  {}", path());
    std::size_t notes = 0;
    for (const auto& one : advice_) {
      if (one.severity == severity::note) {
        if (one.key != "local_server") ++notes;  // path() has said so
        continue;
      }
      line("  {}",
           painted(fmt::format("[{}] {}", name_of(one.severity), one.what), color_of(one.severity), color_));
      if (!one.mend.empty()) line("      {}", painted(one.mend, "36", color_));
    }
    if (notes > 0) {
      line("  {} worth a look: wiregap host --server {}",
           notes == 1 ? "1 note" : fmt::format("{} notes", notes), host_.route.server);
    }
    return std::move(out_);
  }

 private:
  template <class Group>
  void table(std::string_view title, const Group& group) {
    line("{}", painted(title, "1", color_));
    each_fact(group, [&](const char* name, const auto& fact, const char* unit) {
      if (!fact.known()) return;
      line("  {:<22} {:<30} {}", name, in_words(*fact, unit), painted(fact.source, "2", color_));
    });
    line("");
  }

  void explain(const wire::host::advice& one) {
    line("  {}",
         painted(fmt::format("[{}] {}", name_of(one.severity), one.what), color_of(one.severity), color_));
    line("{}", wrapped(one.why, "      ", "      "));
    if (!one.check.empty()) line("      to check: {}", painted(one.check, "36", color_));
    if (!one.mend.empty()) line("      to mend:  {}", painted(one.mend, "36", color_));
  }

  /// "linux 6.1, VMware; to 10.0.0.7 through bond0.7 > eth0 (vmxnet3, 1500 bytes, LRO off, ...)"
  std::string path() const {
    const auto& m = host_.machine;
    auto out = fmt::format("{} {}", name_of(m.system), m.kernel.value.value_or(""));
    if (m.hypervisor.known()) out += fmt::format(", {}", *m.hypervisor);
    if (host_.route.local.is(true)) return out + "; the server is this machine";
    if (!host_.route.through.known()) return out + "; the way to the server is not known";
    out += fmt::format("; to {} through ", host_.route.server);
    std::string_view arrow;
    for (const auto& device : host_.interfaces) {
      out += fmt::format("{}{}{}", std::exchange(arrow, " > "), device.name, adapter(device));
    }
    return out;
  }

  static std::string adapter(const wire::host::network_interface& device) {
    std::string out;
    const auto add = [&](const std::string& word) { out += (out.empty() ? "" : ", ") + word; };
    if (device.driver.known()) add(*device.driver);
    if (device.mtu.known()) add(fmt::format("MTU {} bytes", *device.mtu));
    const auto switched = [&](const char* name, const auto& fact, bool value) {
      if (fact.known()) add(fmt::format("{} {}", name, value ? "on" : "off"));
    };
    switched("LRO", device.lro, device.lro.known() && device.lro->on);
    switched("hardware GRO", device.gro_hw, device.gro_hw.known() && device.gro_hw->on);
    switched("RSC", device.rsc_ipv4, device.rsc_ipv4.is(true));
    if (device.rx_usecs.known()) add(fmt::format("interrupts within {} us", *device.rx_usecs));
    return out.empty() ? out : fmt::format(" ({})", out);
  }

  const wire::host::settings& host_;
  std::span<const wire::host::advice> advice_;
};

}  // namespace

std::string host_text(const wire::host::settings& host, std::span<const wire::host::advice> advice,
                      bool color) {
  return printer{host, advice, color}.all();
}

std::string host_in_short(const wire::host::settings& host, std::span<const wire::host::advice> advice,
                          bool color) {
  return printer{host, advice, color}.in_short();
}

}  // namespace wiregap
