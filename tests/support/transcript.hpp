// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/token_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace wiregap_test {

/// What a token stream made of a message, in a form that compares and prints: one line a token, and the error
/// it ended with ("" for none). Two are equal when the tokens are and the errors have the same code, field
/// and offset: the bytes that an error quotes depend on how many had come.
struct transcript {
  std::vector<std::string> tokens{};
  std::string error{};

  friend bool operator==(const transcript& a, const transcript& b);
  friend std::ostream& operator<<(std::ostream& out, const transcript& t);
};

/// "ROW @17: 1, NULL, abc" for rows, "DONE @42: FD 10 00 ..." (as written again from its values) for the
/// rest.
std::string print(const tds::protocol::token_stream& stream, const tds::protocol::token& token);

/// Begins a message on `stream`, feeds `payload` in pieces of `piece` bytes, pulls after each, ends the
/// message and pulls once more. `seen` is called with every token while its views are alive.
using token_seen = std::function<void(const tds::protocol::token_stream&, const tds::protocol::token&)>;
transcript play(tds::protocol::token_stream& stream, tds::bytes::byte_span payload, std::size_t piece,
                const token_seen& seen = {});
/// The same in two pieces, split at `at`.
transcript play_split(tds::protocol::token_stream& stream, tds::bytes::byte_span payload, std::size_t at);

/// Every token of a complete message as it is written again, rows from their decoded values.
std::vector<std::uint8_t> play_and_write(tds::protocol::token_stream& stream, tds::bytes::byte_span payload);

}  // namespace wiregap_test
