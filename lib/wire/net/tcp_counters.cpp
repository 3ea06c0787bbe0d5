// SPDX-License-Identifier: BSL-1.0
#include <wire/net/tcp_counters.hpp>

namespace wire::net {
namespace {

/// Counters only rise, modulo their width.
template <class T>
void subtract(T& from, const T& before) noexcept {
  from = static_cast<T>(from - before);
}

template <class T>
void subtract(std::optional<T>& from, const std::optional<T>& before) noexcept {
  if (from && before) {
    *from -= *before;
  } else {
    from.reset();
  }
}

}  // namespace

exchange::tcp_facts difference(const tcp_counters& before, const tcp_counters& after) noexcept {
  auto out = after.since_start;
  const auto& b = before.since_start;
  subtract(out.segments_out, b.segments_out);
  subtract(out.segments_in, b.segments_in);
  subtract(out.data_segments_out, b.data_segments_out);
  subtract(out.data_segments_in, b.data_segments_in);
  subtract(out.retransmits, b.retransmits);
  subtract(out.bytes_retransmitted, b.bytes_retransmitted);
  subtract(out.timeouts, b.timeouts);
  subtract(out.duplicates, b.duplicates);
  subtract(out.out_of_order, b.out_of_order);
  subtract(out.receive_window_limited, b.receive_window_limited);
  subtract(out.send_buffer_limited, b.send_buffer_limited);
  subtract(out.busy, b.busy);
  return out;
}

}  // namespace wire::net
