// SPDX-License-Identifier: BSL-1.0
#include "tests/support/hostile.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <variant>
#include <vector>

namespace wiregap_test {
namespace {

using namespace tds::protocol;
using tds::bytes::byte_span;

// The values of a row may be wrong one by one while the row is well formed.
void look_at(const row& values) {
  for (std::size_t i = 0; i < values.size(); ++i) (void)decode(values[i]);
}

bool drain(token_stream& stream, token& out) {
  for (;;) {
    const auto state = stream.next(out);
    if (state == token_stream::state::need_more) return true;
    if (state == token_stream::state::error) return false;
    if (const auto* values = std::get_if<row>(&out)) look_at(*values);
    if (const auto* total = std::get_if<altrow>(&out)) look_at(total->values);
    if (const auto* returned = std::get_if<returnvalue>(&out)) (void)decode(returned->value());
  }
}

}  // namespace

bool survives(token_stream& stream, byte_span payload) {
  stream.begin_message();
  stream.feed(payload);
  stream.end_message();
  token out;
  if (drain(stream, out)) return stream.pending() == 0;
  EXPECT_LE(stream.error().offset, payload.size()) << stream.error().explain();
  EXPECT_NE(stream.error().code, tds::errc{}) << stream.error().explain();
  return false;
}

void check_prefixes(token_stream& stream, byte_span payload, std::size_t step) {
  for (std::size_t size = 0; size < payload.size(); size += step) {
    const std::vector<std::uint8_t> part(payload.begin(),
                                         payload.begin() + static_cast<std::ptrdiff_t>(size));
    stream.begin_message();
    stream.feed(part);
    token out;
    ASSERT_TRUE(drain(stream, out)) << size << ": " << stream.error().explain();
    const bool between = stream.pending() == 0;
    stream.end_message();
    const auto end = stream.next(out);
    ASSERT_EQ(end, between ? token_stream::state::need_more : token_stream::state::error) << size;
    if (between) continue;
    ASSERT_EQ(stream.error().code, tds::errc::incomplete) << size << ": " << stream.error().explain();
    ASSERT_EQ(stream.error().offset, size);
  }
}

void check_corruptions(token_stream& stream, byte_span payload, std::size_t step, std::size_t values) {
  std::vector<std::uint8_t> bytes(payload.begin(), payload.end());
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    const std::uint8_t good = bytes[at];
    for (std::size_t i = 1; i <= values; ++i) {
      // 255, 127, ... for few values; every other value for 255 of them.
      bytes[at] = static_cast<std::uint8_t>(good ^ (values == 255 ? i : 0xFFU >> (i - 1)));
      (void)survives(stream, bytes);
    }
    bytes[at] = good;
  }
}

}  // namespace wiregap_test
