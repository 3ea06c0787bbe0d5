// SPDX-License-Identifier: BSL-1.0
// Property: what can be read can be written and read again the same, and annotations change nothing.
#include <tds/protocol/prelogin.hpp>
#include <tests/fuzz/property.hpp>

#include <cstddef>
#include <cstdint>

using fuzz::require;
using namespace tds::protocol;
namespace bytes = tds::bytes;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bytes::reader in{bytes::byte_span{data, size}};
  auto message = read_prelogin(in);

  bytes::annotations notes;
  bytes::reader annotated{bytes::byte_span{data, size}};
  annotated.annotate(&notes);
  require(read_prelogin(annotated) == message, "annotations change no value");
  require(annotated.state() == in.state() && annotated.position() == in.position(),
          "annotations change no outcome");
  if (!in.ok()) return 0;

  bytes::buffer out;
  bytes::writer to{out};
  if (!write_prelogin(to, message)) return 0;  // overlapping options may be too large side by side
  bytes::reader again{out};
  const auto second = read_prelogin(again);
  require(again.ok() && again.remaining() == 0, "what was written can be read");
  if (!message.version) message.version.emplace();  // a writer always sends one, and first
  message.version_first = true;
  require(second == message, "what was written holds the same");
  return 0;
}
