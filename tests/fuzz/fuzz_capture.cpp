// SPDX-License-Identifier: BSL-1.0
// Property: any capture file is read to an end, and its exchanges hold no more bytes than its streams.
// Input: a capture file.
#include <tds/capture/analyzer.hpp>
#include <tds/capture/message_reader.hpp>
#include <tests/fuzz/property.hpp>
#include <wire/capture/decoder.hpp>
#include <wire/capture/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

using fuzz::require;

namespace {

class tally final : public tds::capture::audience {
 public:
  void exchanged(const tds::capture::captured_connection&, tds::capture::captured_exchange&& one) override {
    ++exchanges;
    bytes += one.timing.request_bytes + one.timing.response_bytes;
    require(one.answered || !one.complete, "what is complete has an answer");
  }
  void closed(const tds::capture::captured_connection& on) override {
    for (const auto* each : {&on.from_client, &on.from_server}) streams += each->bytes + each->gap_bytes;
  }

  std::uint64_t exchanges = 0, bytes = 0, streams = 0;
};

// A damaged gzip stream throws, as a file that cannot be read does.
void feed(std::span<const std::uint8_t> file, wire::capture::stream_sink& into) {
  wire::capture::stream_table streams{into, {.held_bytes = 1U << 16U, .connections = 16}};
  wire::capture::frame_decoder decoder;
  try {
    wire::capture::packet_reader reader{wire::capture::open_memory(file)};
    while (const auto* packet = reader.next()) {
      if (const auto* segment = decoder.decode(*packet)) streams.add(*segment, packet->when);
    }
  } catch (const wire::capture::read_error&) {
  }
  streams.finish();
  require(streams.size() == 0, "nothing is left");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t longest = 1U << 16U;
  if (size > longest) return 0;
  const std::span file{data, size};
  tally sums;
  tds::capture::analyzer look{sums};
  feed(file, look);
  require(sums.bytes <= sums.streams, "exchanges are made of the bytes of streams");
  tds::capture::message_reader messages{{.max_message_bytes = 1U << 16U, .max_fields = 1U << 12U},
                                        [](const auto&) {}};
  feed(file, messages);
  return 0;
}
