// SPDX-License-Identifier: BSL-1.0
#include "tests/support/transcript.hpp"

#include <tds/protocol/types/plp.hpp>

#include <algorithm>
#include <ostream>
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

// Where the total of a PLP value stands before its bytes, which begin with a chunk length of their own if
// there are several chunks.
std::size_t total_at(const cell& c) {
  constexpr std::size_t total = 8;
  constexpr std::size_t chunk_length = 4;
  return c.offset - total - (c.form == cell::kind::plain ? chunk_length : 0);
}

// A server may announce the total of a PLP value or not, and encode() always does: what was not announced is
// taken back.
void hide_totals(const row& original, tds::bytes::buffer& bytes, std::size_t start, bool compressed) {
  row_scanner scanner;
  scanner.begin(*original.metadata, compressed);
  const byte_span again = byte_span{bytes}.subspan(start);
  if (scanner.scan(again, again.size()) != scan_state::complete) throw std::runtime_error("not a row");
  const std::vector<cell> cells(scanner.found(again).cells.begin(), scanner.found(again).cells.end());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool plp = original.metadata->columns[i].type.length == length_kind::plp;
    if (!plp || cells[i].size == 0) continue;
    tds::bytes::reader in{original.bytes.subspan(total_at(original.cells[i]))};
    if (in.u64("total") != plp_unknown) continue;
    tds::bytes::buffer total;
    tds::bytes::writer{total}.u64(plp_unknown);
    std::ranges::copy(total, bytes.begin() + static_cast<std::ptrdiff_t>(start + total_at(cells[i])));
  }
}

void write_values(tds::bytes::buffer& bytes, const row& values, bool compressed) {
  std::vector<value> decoded;
  for (std::size_t i = 0; i < values.size(); ++i) decoded.push_back(decode(values[i]).value());
  const std::size_t start = bytes.size() + 1;
  tds::bytes::writer out{bytes};
  (compressed ? write_nbcrow : write_row)(out, *values.metadata, decoded).value();
  hide_totals(values, bytes, start, compressed);
}

}  // namespace

bool operator==(const transcript& a, const transcript& b) {
  const auto where = [](const std::string& error) { return error.substr(0, error.find(':')); };
  return a.tokens == b.tokens && where(a.error) == where(b.error);
}

std::ostream& operator<<(std::ostream& out, const transcript& t) {
  for (const std::string& line : t.tokens) out << line << '\n';
  return out << '[' << t.error << "]\n";
}

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
  const transcript found = play(stream, payload, payload.size(), [&](const token_stream& s, const token& t) {
    if (const auto* values = std::get_if<row>(&t)) {
      write_values(again, *values, s.last_type() == token_type::nbcrow);
      return;
    }
    tds::bytes::writer out{again};
    if (!write_token(out, t, s.last_type(), s.version(), s.classification())) {
      throw std::runtime_error("does not fit: " + print(s, t));
    }
  });
  if (!found.error.empty()) throw std::runtime_error(found.error);
  return again;
}

}  // namespace wiregap_test
