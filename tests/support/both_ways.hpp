// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tests/support/golden.hpp"
#include <tds/bytes/reader.hpp>
#include <tds/bytes/writer.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace wiregap_test {

/// Bytes that live as long as the test, for values that are views.
inline std::vector<std::uint8_t> operator""_hex(const char* text, std::size_t size) {
  return from_hex(std::string{text, size});
}

/// Reads a token behind its token byte from all of `bytes` and checks that nothing is left over; then checks
/// that every strict prefix is incomplete.
template <class Read>
auto read_whole(const std::vector<std::uint8_t>& bytes, Read read) {
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    const auto part = exact(bytes, 1, size);
    tds::bytes::reader in{part, 1};
    (void)read(in);
    EXPECT_EQ(in.state(), tds::bytes::read_state::incomplete) << "of " << size << " bytes";
  }
  tds::bytes::reader in{tds::bytes::byte_span{bytes}.subspan(1), 1};
  auto token = read(in);
  EXPECT_TRUE(in.ok()) << in.error().explain();
  EXPECT_EQ(in.remaining(), 0U);
  return token;
}

/// What `read` says of bytes that are wrong: "bad_length in x at offset 3".
template <class Read>
std::string read_error(const std::vector<std::uint8_t>& bytes, Read read) {
  tds::bytes::reader in{tds::bytes::byte_span{bytes}.subspan(1), 1};
  (void)read(in);
  return in.ok() ? "no error" : in.error().explain();
}

/// What `write` writes, in hex.
template <class Write>
std::string written(Write write) {
  tds::bytes::buffer bytes;
  tds::bytes::writer out{bytes};
  write(out);
  return to_hex(bytes);
}

}  // namespace wiregap_test
