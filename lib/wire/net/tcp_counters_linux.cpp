// SPDX-License-Identifier: BSL-1.0
// Asio brings netinet/tcp.h, whose tcp_info is older and which does not go together with linux/tcp.h: no Asio
// here.
#include <wire/net/tcp_counters.hpp>

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstring>

namespace wire::net {
namespace {

/// The kernel's structure and what later kernels append to it: the headers of the machine that builds may be
/// older than the kernel of the machine that runs. The layout never changes, it only grows.
struct grown_tcp_info {
  tcp_info known;
  std::byte more[64];
};

/// Offsets behind what headers of Linux 6.1 know.
constexpr std::size_t total_rto_offset = 240;  // u16, Linux 6.7

template <class T>
T field_at(const grown_tcp_info& info, std::size_t offset) noexcept {
  T out;
  std::memcpy(&out, reinterpret_cast<const std::byte*>(&info) + offset, sizeof out);
  return out;
}

}  // namespace

std::optional<tcp_counters> read_tcp_counters(std::uintptr_t native_handle) noexcept {
  grown_tcp_info grown{};
  socklen_t length = sizeof grown;
  if (::getsockopt(static_cast<int>(native_handle), IPPROTO_TCP, TCP_INFO, &grown, &length) != 0)
    return std::nullopt;
  const tcp_info& i = grown.known;
  const auto has = [length](std::size_t offset, std::size_t size) { return length >= offset + size; };
  using us = exchange::tcp_facts::microseconds;
  tcp_counters out;
  auto& f = out.since_start;
  f.segments_out = i.tcpi_segs_out;
  f.segments_in = i.tcpi_segs_in;
  f.data_segments_out = i.tcpi_data_segs_out;
  f.data_segments_in = i.tcpi_data_segs_in;
  f.retransmits = i.tcpi_total_retrans;
  f.bytes_retransmitted = i.tcpi_bytes_retrans;
  if (has(total_rto_offset, 2)) f.timeouts = field_at<std::uint16_t>(grown, total_rto_offset);
  if (has(offsetof(tcp_info, tcpi_dsack_dups), 4)) f.duplicates = i.tcpi_dsack_dups;
  if (has(offsetof(tcp_info, tcpi_rcv_ooopack), 4)) f.out_of_order = i.tcpi_rcv_ooopack;
  f.receive_window_limited = us{static_cast<std::int64_t>(i.tcpi_rwnd_limited)};
  f.send_buffer_limited = us{static_cast<std::int64_t>(i.tcpi_sndbuf_limited)};
  f.busy = us{static_cast<std::int64_t>(i.tcpi_busy_time)};
  f.rtt = us{i.tcpi_rtt};
  f.rtt_variance = us{i.tcpi_rttvar};
  f.rto = us{i.tcpi_rto};
  if (i.tcpi_min_rtt != 0 && i.tcpi_min_rtt != ~std::uint32_t{}) f.least_rtt = us{i.tcpi_min_rtt};
  f.send_mss = i.tcpi_snd_mss;
  f.receive_mss = i.tcpi_rcv_mss;
  f.unacked = i.tcpi_unacked;
  f.not_sent = i.tcpi_notsent_bytes;
  f.backoff = i.tcpi_backoff;
  f.window_probes = i.tcpi_probes;
  if (has(offsetof(tcp_info, tcpi_snd_wnd), 4)) f.peer_window = i.tcpi_snd_wnd;
  return out;
}

// Until something is written, the SYN is all that can have been sent again.
std::optional<std::uint32_t> syns_sent_again(std::uintptr_t native_handle) noexcept {
  const auto counters = read_tcp_counters(native_handle);
  if (!counters) return std::nullopt;
  return counters->since_start.retransmits;
}

}  // namespace wire::net
