// SPDX-License-Identifier: BSL-1.0
// Property: whatever two ends send, in whatever order it was captured, its exchanges hold no more bytes than
// the streams, and everything ends.
// Input: commands of five bytes (who, flags and what is odd about it; a step of the sequence number; its
// size; a step of time), each with so many bytes of payload behind it.
#include <tds/capture/analyzer.hpp>
#include <tests/fuzz/property.hpp>
#include <wire/capture/streams.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

using fuzz::require;

namespace {

class tally final : public tds::capture::audience {
 public:
  void exchanged(const tds::capture::captured_connection&, tds::capture::captured_exchange&& one) override {
    bytes += one.timing.request_bytes + one.timing.response_bytes;
    require(one.answered || !one.complete, "what is complete has an answer");
  }
  void closed(const tds::capture::captured_connection& on) override {
    for (const auto* each : {&on.from_client, &on.from_server}) streams += each->bytes + each->gap_bytes;
  }

  std::uint64_t bytes = 0, streams = 0;
};

constexpr std::size_t command_size = 5;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t longest = 1U << 14U;
  if (size > longest) return 0;
  tally sums;
  tds::capture::analyzer look{sums};
  wire::capture::stream_table streams{look, {.held_bytes = 1U << 14U, .connections = 4}};
  std::array<std::uint32_t, 2> next{1000, 2000};
  std::int64_t now = 1'000'000'000;
  std::span<const std::uint8_t> left{data, size};
  while (left.size() >= command_size) {
    const auto who = left[0] & 1U;
    wire::capture::segment s;
    (who == 0 ? s.source : s.destination).port = 50000;
    (who == 0 ? s.destination : s.source).port = (left[0] & 2U) != 0 ? 1433 : 7;
    s.flags = left[1];
    s.window = (left[0] & 4U) != 0 ? 0 : 1000;
    s.seq = next[who] + static_cast<std::uint32_t>(static_cast<std::int8_t>(left[2]));
    s.ack = next[1 - who] + ((left[0] & 8U) != 0 ? 100U : 0U);
    const auto payload =
        left.subspan(command_size, std::min<std::size_t>(left[3], left.size() - command_size));
    // A read past its end shows.
    const std::vector<std::uint8_t> exact(payload.begin(), payload.end());
    s.payload = exact;
    s.payload_bytes = static_cast<std::uint32_t>(exact.size()) + ((left[0] & 16U) != 0 ? 50U : 0U);
    now += static_cast<std::int64_t>(static_cast<std::int8_t>(left[4])) * 1'000'000;
    streams.add(s, wire::clock::stamp{now});
    next[who] = s.seq + s.payload_bytes + ((s.flags & 3U) != 0 ? 1U : 0U);
    left = left.subspan(command_size + exact.size());
  }
  streams.finish();
  require(sums.bytes <= sums.streams, "exchanges are made of the bytes of streams");
  require(streams.size() == 0, "nothing is left");
  return 0;
}
