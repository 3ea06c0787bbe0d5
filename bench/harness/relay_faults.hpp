// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/writer.hpp>
#include <tds/protocol/packet_joiner.hpp>
#include <tds/server/fault.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace wiregap {

/// Whether a relay can do it: not what only a server can leave undone.
bool relay_can(tds::serving::fault_kind kind) noexcept;

/// What befalls one conversation through a relay: requests and answers are followed by their packet headers.
/// A request is SQL batch, RPC, bulk load or transaction manager; only of a SQL batch the text is known.
/// Behind anything that is no TDS in clear (TLS, other protocols) nothing befalls it any more. No socket, no
/// clock.
class relay_faults {
 public:
  using nanoseconds = std::chrono::nanoseconds;

  explicit relay_faults(tds::serving::fault_plan& plan) : plan_{plan} {}

  /// Bytes of the client, before they go on. How long to hold them back.
  nanoseconds request(tds::bytes::byte_span bytes);

  /// The next step with bytes of the answer that have not gone on yet: wait, then send so many of them, or
  /// end the connection.
  struct step {
    nanoseconds wait{};
    std::size_t bytes{};
    bool cut{};
  };
  step answer(tds::bytes::byte_span left);

 private:
  void end_of_request();

  tds::serving::fault_plan& plan_;
  tds::protocol::packet_joiner joiner_;
  tds::bytes::buffer text_;  // payload of the SQL batch at hand
  std::uint64_t request_bytes_ = 0;
  bool clear_ = true;  // what the client sends is TDS
  nanoseconds hold_{};
  tds::serving::affliction now_{};
  std::uint64_t sent_ = 0;          // of the answer at hand
  std::uint64_t first_packet_ = 0;  // its size
  bool paused_ = false;             // behind it
};

}  // namespace wiregap
