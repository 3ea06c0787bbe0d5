// SPDX-License-Identifier: BSL-1.0
// Property: a response gives the same tokens and the same error however its bytes are split, and a token that
// is written from its values reads as the same token again.
// Input: version of TDS and of data classification, whether columns may be encrypted, size of the pieces,
// then the payload.
#include <tds/protocol/tokens/token_stream.hpp>
#include <tests/fuzz/property.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

using fuzz::require;
using tds::bytes::byte_span;
using namespace tds::protocol;

namespace {

struct options {
  tds_version version{};
  std::uint8_t classification{};
  bool encryption{};
  std::size_t piece{};
};

// Enough of a token to tell it from another one at the same place.
struct seen {
  token_type type{};
  std::size_t offset{};
  std::size_t size{};
  std::vector<std::string> values{};
  bool operator==(const seen&) const = default;
};

struct outcome {
  std::vector<seen> tokens{};
  tds::decode_error error{};  // the bytes that its context quotes depend on how many had come
};

token_stream make_stream(const options& how) {
  token_stream stream{how.version, {.max_value_bytes = 1U << 20U, .max_token_bytes = 1U << 20U}};
  stream.set_dataclassification(how.classification);
  stream.set_column_encryption(how.encryption);
  return stream;
}

std::string print(const raw_value& raw) {
  const auto decoded = decode(raw);
  return decoded ? to_string(*decoded) : decoded.error().message();
}

tds::bytes::buffer write(const token& t, token_type type, const options& how) {
  tds::bytes::buffer bytes;
  tds::bytes::writer out{bytes};
  if (!write_token(out, t, type, how.version, how.classification)) bytes.clear();
  return bytes;
}

// A token that stands alone reads again as what was written.
void check_written(const token& t, token_type type, const options& how) {
  const tds::bytes::buffer written = write(t, type, how);
  if (written.empty()) return;
  token_stream stream = make_stream(how);
  stream.feed(written);
  stream.end_message();
  token again;
  require(stream.next(again) == token_stream::state::token, "what is written can be read");
  require(stream.pending() == 0, "what is written is one token");
  require(write(again, type, how) == written, "what is read again is the same");
}

seen look(const token_stream& stream, const token& t, const options& how) {
  seen found{stream.last_type(), stream.last_offset(), stream.last_bytes().size(), {}};
  const auto cells = [&found](const row& values) {
    for (std::size_t i = 0; i < values.size(); ++i) found.values.push_back(print(values[i]));
  };
  if (const auto* values = std::get_if<row>(&t)) {
    cells(*values);
  } else if (const auto* total = std::get_if<altrow>(&t)) {
    cells(total->values);
  } else {
    if (const auto* returned = std::get_if<returnvalue>(&t)) found.values.push_back(print(returned->value()));
    check_written(t, stream.last_type(), how);
  }
  return found;
}

outcome run(byte_span payload, const options& how, std::size_t piece) {
  outcome result;
  token_stream stream = make_stream(how);
  const auto pull = [&] {
    token out;
    for (;;) {
      const auto state = stream.next(out);
      if (state == token_stream::state::error) result.error = stream.error();
      if (state != token_stream::state::token) return;
      result.tokens.push_back(look(stream, out, how));
    }
  };
  for (std::size_t at = 0; at < payload.size() && result.error.code == tds::errc{}; at += piece) {
    const byte_span part = payload.subspan(at, std::min(piece, payload.size() - at));
    const std::vector<std::uint8_t> exact(part.begin(), part.end());  // a read past its end shows
    stream.feed(exact);
    pull();
  }
  stream.end_message();
  pull();
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t head = 2;
  constexpr std::size_t longest = 1U << 16U;
  if (size < head || size > longest) return 0;
  const options how{static_cast<tds_version>(data[0] % 7), static_cast<std::uint8_t>((data[0] >> 3U) % 3),
                    data[0] >= 0x80, std::size_t{1} + data[1]};
  const byte_span payload = byte_span{data, size}.subspan(head);
  const outcome whole = run(payload, how, std::max<std::size_t>(payload.size(), 1));
  const outcome split = run(payload, how, how.piece);
  require(whole.tokens == split.tokens, "the tokens do not depend on the split");
  require(whole.error.code == split.error.code, "the error does not depend on the split");
  require(whole.error.offset == split.error.offset, "where it went wrong does not depend on the split");
  require(whole.error.code == tds::errc{} || whole.error.offset <= payload.size(),
          "an offset in the message");
  return 0;
}
