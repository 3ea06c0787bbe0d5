// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/utf8.hpp>
#include <tds/dissect/render.hpp>

#include <algorithm>

namespace tds::dissect {
namespace {

using bytes::annotation;

constexpr std::size_t shown_bytes = 16;
constexpr std::size_t hex_column = 3 * shown_bytes + 3;  // room for " .." behind the last byte
constexpr std::string_view digits = "0123456789abcdef";

void append_hex_number(std::string& out, std::uint64_t value, unsigned places) {
  while (places < 16 && (value >> (4 * places)) != 0) ++places;
  while (places-- > 0) out.push_back(digits[(value >> (4 * places)) & 15U]);
}

class renderer {
 public:
  renderer(std::string& out, const message& found, const render_options& options)
      : out_(out), found_(found), options_(options) {}

  void run() {
    headline();
    for (const annotation& field : found_.fields) {
      headers_up_to(field.offset);
      line(field, found_.stream_offset(field.offset),
           bytes::byte_span{found_.payload}.subspan(std::min(field.offset, found_.payload.size())), 1);
    }
    headers_up_to(found_.payload.size());
    if (found_.error) error_line(*found_.error);
    out_.push_back('\n');
  }

 private:
  void headline() {
    paint("\x1b[1m");
    out_.append(name_of(found_.from)).append(": ").append(found_.title);
    out_.append(", ").append(std::to_string(found_.payload.size())).append(" bytes");
    if (found_.type) {
      out_.append(" in ").append(std::to_string(found_.packets.size()));
      out_.append(found_.packets.size() == 1 ? " packet" : " packets");
    }
    if (found_.version) out_.append(", TDS ").append(protocol::name_of(*found_.version));
    paint("\x1b[0m");
    out_.push_back('\n');
  }

  // The headers of the packets that begin at or before a byte of the message.
  void headers_up_to(std::size_t in_payload) {
    for (; next_ < found_.packets.size() && found_.packets[next_].message_offset <= in_payload; ++next_) {
      const packet_place& packet = found_.packets[next_];
      if (packet.header.empty()) continue;
      annotation heading;
      heading.field = "packet";
      heading.value = std::to_string(next_ + 1);
      line(heading, packet.offset, {}, 0);
      const bytes::byte_span raw{packet.raw_header};
      for (const annotation& field : packet.header) {
        line(field, field.offset, raw.subspan(field.offset - packet.offset), 1);
      }
    }
  }

  void line(const annotation& field, std::size_t offset, bytes::byte_span raw, std::uint32_t indent) {
    const bool hide = field.secret && !options_.show_secrets;
    append_hex_number(out_, offset, 8);
    out_.append("  ");
    raw = raw.first(std::min(raw.size(), field.size));
    std::string hex = hide && field.size != 0 ? std::string{hidden}
                                              : bytes::hex(raw.first(std::min(raw.size(), shown_bytes)));
    if (!hide && raw.size() > shown_bytes) hex.append(" ..");
    hex.resize(std::max(hex.size(), hex_column), ' ');
    out_.append(hex).append(2 * std::size_t{field.depth + indent}, ' ').append(printable(field.field));
    if (hide) {
      out_.append("  ").append(hidden);
      out_.append("  (").append(std::to_string(field.size)).append(" bytes)");
    } else {
      value_of(field, raw);
    }
    while (out_.back() == ' ') out_.pop_back();
    out_.push_back('\n');
  }

  void value_of(const annotation& field, bytes::byte_span raw) {
    // Bytes that have no other reading stand in the hex column already, as far as they fit.
    const bool is_hex = !raw.empty() && field.value == bytes::hex(raw);
    if (is_hex && raw.size() > shown_bytes) {
      out_.append("  ").append(std::to_string(raw.size())).append(" bytes");
    } else if (!is_hex && !field.value.empty()) {
      out_.append("  ").append(printable(field.value, options_.longest_value));
    }
    if (!field.meaning.empty()) {
      out_.append("  (").append(printable(field.meaning, options_.longest_value)).append(")");
    }
  }

  void error_line(const decode_error& error) {
    paint("\x1b[31m");
    append_hex_number(out_, found_.stream_offset(std::min(error.offset, found_.payload.size())), 8);
    out_.append("  error: ").append(name_of(error.code)).append(" in ").append(error.field);
    out_.append(" at offset ").append(std::to_string(error.offset)).append(" of the message");
    if (!error.context.empty()) out_.append(": ").append(printable(error.context));
    paint("\x1b[0m");
    out_.push_back('\n');
  }

  void paint(std::string_view sequence) {
    if (options_.color) out_.append(sequence);
  }

  std::string& out_;
  const message& found_;
  const render_options& options_;
  std::size_t next_ = 0;
};

void append_escaped(std::string& out, char32_t c) {
  if (c == '\n') {
    out.append("\\n");
  } else if (c == '\r') {
    out.append("\\r");
  } else if (c == '\t') {
    out.append("\\t");
  } else {
    out.append("\\x");
    append_hex_number(out, c, 2);
  }
}

// C0, C1, and the marks that turn the direction of text round.
bool is_control(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto next = bytes::next_utf8(text, at);
    if (longest != 0 && at + next.length > longest) {
      out.append(" ... (").append(std::to_string(text.size())).append(" bytes)");
      break;
    }
    if (is_control(next.value)) {
      append_escaped(out, next.value);
    } else {
      bytes::append_utf8(out, next.value);
    }
    at += next.length;
  }
  return out;
}

void render(std::string& out, const message& found, const render_options& options) {
  renderer{out, found, options}.run();
}

}  // namespace tds::dissect
