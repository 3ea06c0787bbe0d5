// SPDX-License-Identifier: BSL-1.0
// Linux's TCP; the defaults are those of the kernel's Documentation/networking/ip-sysctl.rst.
#include <wire/host/detail/rules.hpp>

#include <optional>

namespace wire::host::detail {
namespace {

constexpr std::uint64_t usual_rto_min_us = 200'000;
constexpr std::uint64_t delayed_ack_us = 40'000;     // Linux; Windows delays longer
constexpr std::uint64_t least_window = 1ULL << 20U;  // bytes

void loss_recovery(const settings& of, std::vector<advice>& out) {
  const auto& t = of.tcp;
  if (t.sack.is(0)) {
    out.push_back(
        {severity::warning, "sack_off", "tcp", "Selective acknowledgement is off (tcp_sack is 0).",
         "A lost packet is noticed late: the loss of several costs a retransmission time-out of 200 ms or "
         "more, where a round trip would have done. Nothing is lost without loss.",
         "sysctl net.ipv4.tcp_sack", "sysctl -w net.ipv4.tcp_sack=1"});
  }
  if (t.early_retrans.known() && *t.early_retrans != 3 && *t.early_retrans != 4) {
    out.push_back(
        {severity::warning, "loss_probes_off", "tcp",
         "Tail loss probes are off (tcp_early_retrans is " + std::to_string(*t.early_retrans) + ").",
         "When the last packet of a request is lost, only the retransmission time-out of 200 ms or more "
         "finds out; a probe would after about two round trips.",
         "sysctl net.ipv4.tcp_early_retrans", "sysctl -w net.ipv4.tcp_early_retrans=3"});
  }
}

void retransmission_timeout(const settings& of, std::vector<advice>& out) {
  const auto by_route = of.route.rto_min_ms.known();
  std::optional<std::uint64_t> us = of.tcp.rto_min_us.value;
  if (by_route) us = *of.route.rto_min_ms * 1000;
  if (!us || *us == usual_rto_min_us) return;
  const std::string what = "A retransmission of ours waits at least " + std::to_string(*us / 1000) + " ms (" +
                           (by_route ? "rto_min of the route" : "tcp_rto_min_us") + "; 200 ms is usual).";
  const std::string check =
      by_route ? "ip route get " + of.route.server : std::string{"sysctl net.ipv4.tcp_rto_min_us"};
  const std::string mend =
      by_route ? "" : "sysctl -w net.ipv4.tcp_rto_min_us=" + std::to_string(usual_rto_min_us);
  if (*us > usual_rto_min_us) {
    out.push_back({severity::warning, "rto_min", by_route ? "route" : "tcp", what,
                   "Every lost packet of a request costs that much.", check, mend});
  } else if (*us < delayed_ack_us) {
    out.push_back(
        {severity::note, "rto_min", by_route ? "route" : "tcp", what,
         "Less than a peer may delay its ACK (Linux 40 ms, Windows 40 to 200 ms): packets may be sent "
         "again that were not lost.",
         check, mend});
  } else {
    out.push_back({severity::note, "rto_min", by_route ? "route" : "tcp", what,
                   "A lost packet of a request costs less than usual.", check, ""});
  }
}

}  // namespace

void tcp(const settings& of, std::vector<advice>& out) {
  loss_recovery(of, out);
  retransmission_timeout(of, out);
  if (of.tcp.timestamps.is(0)) {
    out.push_back({severity::note, "timestamps_off", "tcp", "TCP time stamps are off (tcp_timestamps is 0).",
                   "The kernel measures round trips less often and cannot tell a late ACK from one for a "
                   "retransmission; a segment carries 12 bytes more instead.",
                   "sysctl net.ipv4.tcp_timestamps", "sysctl -w net.ipv4.tcp_timestamps=1"});
  }
  if (of.tcp.rmem_max.known() && *of.tcp.rmem_max < least_window) {
    out.push_back(
        {severity::note, "small_receive_buffer", "tcp",
         "A connection's receive buffer grows to " + std::to_string(*of.tcp.rmem_max) +
             " bytes at most (tcp_rmem).",
         "An answer larger than that waits for a round trip each time it is full: noticeable on long paths.",
         "sysctl net.ipv4.tcp_rmem", "sysctl -w net.ipv4.tcp_rmem='4096 131072 6291456'"});
  }
}

}  // namespace wire::host::detail
