// SPDX-License-Identifier: BSL-1.0
// Property: whatever a client sends, every byte of a message is explained, every offset lies in the stream,
// messages come in the order of the stream, and printing them with secrets hidden shows no byte of a field
// that is one.
#include <tds/dissect/dissector.hpp>
#include <tds/dissect/render.hpp>
#include <tests/fuzz/property.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using fuzz::require;
using namespace tds::dissect;

namespace {

void check(const message& found, std::size_t stream_size, std::size_t& behind) {
  require(!found.packets.empty(), "a message has packets");
  for (const auto& packet : found.packets) {
    require(packet.offset >= behind, "packets come in the order of the stream");
    behind = packet.payload_offset + packet.payload_size;
    require(behind <= stream_size, "a packet lies in the stream");
  }
  std::vector<bool> covered(found.payload.size(), false);
  for (const auto& field : found.fields) {
    require(field.offset + field.size <= found.payload.size(), "a field lies in its message");
    for (std::size_t i = 0; i < field.size; ++i) covered[field.offset + i] = true;
  }
  require(std::ranges::find(covered, false) == covered.end(), "every byte is explained");
  require(!found.error || found.error->offset <= found.payload.size(), "an error lies in its message");

  // With every value taken out of the secrets, the text is the same: it does not depend on them.
  message blank = found;
  for (auto& field : blank.fields) {
    if (!field.secret) continue;
    field.value.clear();
    field.meaning.clear();
    std::fill_n(blank.payload.begin() + static_cast<std::ptrdiff_t>(field.offset), field.size,
                std::uint8_t{0});
  }
  std::string text;
  std::string blank_text;
  render(text, found);
  render(blank_text, blank);
  require(text == blank_text, "what is printed does not depend on secrets");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t longest = 1U << 16U;
  if (size > longest) return 0;
  settings how;
  how.from = sender::client;
  dissector client{how};
  std::size_t behind = 0;
  const auto error = client.decode({data, size}, [&](const message& found) { check(found, size, behind); });
  require(!error || error->offset <= size, "an offset in the stream");
  return 0;
}
