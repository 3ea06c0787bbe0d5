// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/left_open.hpp>

#include <algorithm>

namespace wire::diagnose {

std::vector<std::string> left_open(const population& run) {
  std::vector<std::string> out;
  if (run.requests() == 0) return out;
  const auto lacks = [&run](std::uint64_t with_it) { return with_it * 2 < run.requests(); };
  const auto& known = run.known();
  if (lacks(known.kernel_stamps)) {
    out.emplace_back(
        "No kernel stamps of requests and answers: what this machine's own network stack took cannot be told "
        "from what the path took, nor an answer that came late from one that was read late.");
  }
  if (lacks(known.tcp_counters)) {
    out.emplace_back(
        "No counters of TCP: a segment that was lost cannot be told from any other wait of its length.");
  }
  if (lacks(known.server_times)) {
    out.emplace_back(
        "No clock of the server: its own work cannot be told from the path or from a request that lay "
        "unread.");
  }
  const auto watched = [](const slow_request& one) { return one.request.machine_held.has_value(); };
  if (!run.slow().empty() && std::ranges::none_of(run.slow(), watched)) {
    out.emplace_back(
        "Nobody watched whether this machine let its own programs run during the slow requests.");
  }
  return out;
}

}  // namespace wire::diagnose
