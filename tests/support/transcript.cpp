// SPDX-License-Identifier: BSL-1.0
#include "tests/support/transcript.hpp"

#include <algorithm>
#include <stdexcept>
#include <variant>

namespace wiregap_test {
namespace {

using namespace tds::protocol;
using tds::bytes::byte_span;

std::string print_row(const row& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) text += ", ";
    const auto decoded = decode(values[i]);
    text += decoded ? to_string(*decoded) : '<' + decoded.error().message() + '>';
  }
  return text;
}

void pull(token_stream& stream, transcript& seen_so_far, const token_seen& seen) {
  token out;
  for (;;) {
    switch (stream.next(out)) {
      case token_stream::state::need_more:
        return;
      case token_stream::state::error:
        seen_so_far.error = stream.error().explain();
        return;
      case token_stream::state::token:
        break;
    }
    seen_so_far.tokens.push_back(print(stream, out));
    if (seen) seen(stream, out);
  }
}

// Fed from a heap block of exactly that size, so that AddressSanitizer sees whoever reads past it or keeps
// it.
void feed(token_stream& stream, byte_span piece) {
  const std::vector<std::uint8_t> copy(piece.begin(), piece.end());
  stream.feed(copy);
}

void write_values(tds::bytes::writer& out, const colmetadata& metadata, const row& values, bool compressed) {
  std::vector<value> decoded;
  for (std::size_t i = 0; i < values.size(); ++i) decoded.push_back(decode(values[i]).value());
  (compressed ? write_nbcrow(out, metadata, decoded) : write_row(out, metadata, decoded)).value();
}

}  // namespace

std::string print(const token_stream& stream, const token& token) {
  const std::string head =
      std::string{name_of(stream.last_type())} + " @" + std::to_string(stream.last_offset()) + ": ";
  if (const auto* values = std::get_if<row>(&token)) return head + print_row(*values);
  if (const auto* values = std::get_if<altrow>(&token)) {
    return head + std::to_string(values->id) + ": " + print_row(values->values);
  }
  tds::bytes::buffer again;
  tds::bytes::writer out{again};
  const bool fits = write_token(out, token, stream.last_type(), stream.version(), stream.classification());
  return head + tds::bytes::hex(again, again.size()) + (fits ? "" : " (does not fit)");
}

transcript play(token_stream& stream, byte_span payload, std::size_t piece, const token_seen& seen) {
  transcript found;
  stream.begin_message();
  for (std::size_t at = 0; at < payload.size() && found.error.empty();) {
    const std::size_t size = std::min(piece, payload.size() - at);
    feed(stream, payload.subspan(at, size));
    at += size;
    pull(stream, found, seen);
  }
  stream.end_message();
  pull(stream, found, seen);
  return found;
}

transcript play_split(token_stream& stream, byte_span payload, std::size_t at) {
  transcript found;
  stream.begin_message();
  feed(stream, payload.first(at));
  pull(stream, found, {});
  feed(stream, payload.subspan(at));
  stream.end_message();
  pull(stream, found, {});
  return found;
}

std::vector<std::uint8_t> play_and_write(token_stream& stream, byte_span payload) {
  tds::bytes::buffer again;
  tds::bytes::writer out{again};
  const transcript found = play(stream, payload, payload.size(), [&](const token_stream& s, const token& t) {
    if (const auto* values = std::get_if<row>(&t)) {
      write_values(out, *s.metadata(), *values, s.last_type() == token_type::nbcrow);
    } else if (!write_token(out, t, s.last_type(), s.version(), s.classification())) {
      throw std::runtime_error("does not fit: " + print(s, t));
    }
  });
  if (!found.error.empty()) throw std::runtime_error(found.error);
  return again;
}

}  // namespace wiregap_test
