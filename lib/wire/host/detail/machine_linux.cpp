// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/machine_linux.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <vector>

namespace wire::host::detail {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Facts from files below one root; their source is the path as it is below "/".
class files {
 public:
  explicit files(const fs::path& root) : root_{root} {}

  fact<std::string> text(const std::string& path) const {
    auto found = read_text(root_ / path);
    if (found && found->empty()) found.reset();
    return {std::move(found), "/" + path};
  }

  fact<std::uint64_t> number(const std::string& path) const {
    const auto found = read_text(root_ / path);
    return {found ? number_of(*found) : std::nullopt, "/" + path};
  }

  fact<bool> flag(const std::string& path) const {
    const auto found = number(path);
    if (!found.known()) return {};
    return {*found != 0, "/" + path};
  }

  /// The `index`th of several numbers on one line.
  fact<std::uint64_t> one_of(const std::string& path, std::size_t index) const {
    const auto found = read_text(root_ / path);
    if (!found) return {};
    std::istringstream words{*found};
    std::string word;
    for (std::size_t i = 0; words >> word; ++i) {
      if (i == index) return {number_of(word), "/" + path};
    }
    return {};
  }

 private:
  fs::path root_;
};

/// Of the states that are in use, the one that takes longest to wake up from.
fact<std::uint64_t> idle_exit(const fs::path& root) {
  const std::string folder = "sys/devices/system/cpu/cpu0/cpuidle";
  fact<std::uint64_t> deepest;
  std::error_code ec;
  for (const auto& state : fs::directory_iterator{root / folder, ec}) {
    const auto latency = read_text(state.path() / "latency");
    const auto us = latency ? number_of(*latency) : std::nullopt;
    const auto disabled = read_text(state.path() / "disable");
    if (!us || (disabled && *disabled != "0")) continue;
    if (!deepest.known() || *us > *deepest) deepest = {us, "/" + folder};
  }
  return deepest;
}

/// Of the time that this machine had something to do: user nice system idle iowait irq softirq steal.
fact<double> steal(const fs::path& root) {
  const auto text = read_text(root / "proc/stat");
  if (!text) return {};
  std::istringstream words{*text};
  std::string name;
  std::array<double, 8> ticks{};
  words >> name;
  for (auto& value : ticks) words >> value;
  if (!words || name != "cpu") return {};
  constexpr std::size_t idle = 3, iowait = 4, stolen = 7;
  double wanted = 0;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    if (i != idle && i != iowait) wanted += ticks[i];
  }
  if (wanted <= 0) return {};
  return {100 * ticks[stolen] / wanted, "/proc/stat"};
}

}  // namespace

std::optional<std::string> read_text(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  if (!in) return std::nullopt;
  std::array<char, 4096> buffer{};
  in.read(buffer.data(), buffer.size());
  if (in.bad()) return std::nullopt;
  std::string out(buffer.data(), static_cast<std::size_t>(in.gcount()));
  out.erase(out.find_last_not_of(" \n\t\r") + 1);
  return out;
}

machine read_machine(const fs::path& root) {
  const files in{root};
  machine out;
  out.kernel = in.text("proc/sys/kernel/osrelease");
  out.product = in.text("sys/class/dmi/id/product_name");
  out.vendor = in.text("sys/class/dmi/id/sys_vendor");
  if (const auto count = ::sysconf(_SC_NPROCESSORS_ONLN); count > 0) {
    out.cpus = {static_cast<std::uint64_t>(count), "sysconf"};
  }
  out.cpu_driver = in.text("sys/devices/system/cpu/cpu0/cpufreq/scaling_driver");
  out.cpu_governor = in.text("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  out.idle_driver = in.text("sys/devices/system/cpu/cpuidle/current_driver");
  out.idle_exit_us = idle_exit(root);
  out.clocksource = in.text("sys/devices/system/clocksource/clocksource0/current_clocksource");
  out.steal_percent = steal(root);
  return out;
}

tcp_settings read_tcp(const fs::path& root) {
  const files in{root};
  const std::string ipv4 = "proc/sys/net/ipv4/";
  tcp_settings out;
  out.congestion_control = in.text(ipv4 + "tcp_congestion_control");
  out.autocorking = in.number(ipv4 + "tcp_autocorking");
  out.timestamps = in.number(ipv4 + "tcp_timestamps");
  out.sack = in.number(ipv4 + "tcp_sack");
  out.early_retrans = in.number(ipv4 + "tcp_early_retrans");
  out.rto_min_us = in.number(ipv4 + "tcp_rto_min_us");
  out.mtu_probing = in.number(ipv4 + "tcp_mtu_probing");
  out.rmem_default = in.one_of(ipv4 + "tcp_rmem", 1);
  out.rmem_max = in.one_of(ipv4 + "tcp_rmem", 2);
  out.wmem_default = in.one_of(ipv4 + "tcp_wmem", 1);
  out.wmem_max = in.one_of(ipv4 + "tcp_wmem", 2);
  out.forwarding_ipv4 = in.flag(ipv4 + "ip_forward");
  out.forwarding_ipv6 = in.flag("proc/sys/net/ipv6/conf/all/forwarding");
  return out;
}

void read_adapter(const fs::path& root, network_interface& device) {
  const auto folder = root / "sys/class/net" / device.name;
  if (read_text(folder / "ifindex") != std::to_string(device.index)) return;
  std::error_code ec;
  const auto source = "/sys/class/net/" + device.name + "/device";
  // A link's own last word is the name: nothing it points to is looked at.
  if (const auto to = fs::read_symlink(folder / "device/driver", ec); !ec) {
    device.driver = {to.filename().string(), source + "/driver"};
  }
  if (const auto to = fs::read_symlink(folder / "device/subsystem", ec); !ec) {
    device.bus = {to.filename().string(), source + "/subsystem"};
  }
}

}  // namespace wire::host::detail
