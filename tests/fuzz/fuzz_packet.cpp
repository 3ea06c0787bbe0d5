// SPDX-License-Identifier: BSL-1.0
// Property: a byte stream means the same messages, and fails at the same place, however it is cut; and
// messages that are split into packets again come back the same.
#include <tds/protocol/packet_joiner.hpp>
#include <tds/protocol/packet_splitter.hpp>
#include <tests/fuzz/property.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using fuzz::require;
using namespace tds::protocol;
using tds::bytes::byte_span;

namespace {

struct message {
  packet_type type{};
  bool ignored{};
  std::vector<std::uint8_t> payload{};
  friend bool operator==(const message&, const message&) = default;
};

struct outcome {
  std::vector<message> messages{};
  bool failed{};
  tds::errc code{};
  std::size_t offset{};
  bool between{};
  friend bool operator==(const outcome&, const outcome&) = default;
};

outcome join(byte_span stream, std::size_t step) {
  outcome got;
  message current;
  packet_joiner joiner;
  for (std::size_t at = 0; at < stream.size() && !got.failed; at += step) {
    // A copy of its own for each piece, so that a view that outlives it is seen.
    const auto piece = stream.subspan(at, std::min(step, stream.size() - at));
    const std::vector<std::uint8_t> input{piece.begin(), piece.end()};
    joiner.feed(input);
    for (auto event = joiner.next(); event.kind != packet_event_kind::need_more; event = joiner.next()) {
      if (event.kind == packet_event_kind::failed) {
        got.failed = true;
        got.code = joiner.error().code;
        got.offset = joiner.error().offset;
        break;
      }
      current.type = joiner.header().type;
      current.payload.insert(current.payload.end(), event.bytes.begin(), event.bytes.end());
      if (event.kind != packet_event_kind::end_of_message) continue;
      require(joiner.message_size() == current.payload.size(), "the joiner counts the payload");
      current.ignored = event.ignored;
      got.messages.push_back(current);
      current = {};
    }
    require(got.failed || joiner.unread().empty(), "asking for more means that all was used");
  }
  got.between = joiner.between_messages();
  return got;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const byte_span stream{data + 1, size - 1};
  const outcome whole = join(stream, std::max<std::size_t>(stream.size(), 1));
  require(join(stream, std::size_t{data[0]} + 1) == whole, "any split gives the same messages");
  require(join(stream, 1) == whole, "single bytes give the same messages");

  packet_run run;
  outcome expected;
  expected.between = true;
  for (const auto& each : whole.messages) {
    if (each.ignored) continue;
    const message_options options{.type = each.type, .packet_size = min_packet_size};
    require(!split_message(each.payload, options, run), "a message can be split");
    expected.messages.push_back(each);
  }
  require(join(run.data, std::max<std::size_t>(run.data.size(), 1)) == expected,
          "split and join are inverse");
  return 0;
}
