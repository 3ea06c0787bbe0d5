// SPDX-License-Identifier: BSL-1.0
#include <tds/dissect/decode_payload.hpp>
#include <tds/dissect/dissector.hpp>
#include <tds/dissect/tls_records.hpp>
#include <tds/protocol/packet_joiner.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace tds::dissect {
namespace {

using bytes::byte_span;
using protocol::packet_event_kind;
using protocol::packet_type;

// Cuts one stream into messages.
class stream_walk {
 public:
  stream_walk(byte_span stream, const settings& how, conversation_state& state, bool after_tls = false)
      : stream_(stream), how_(how), state_(state), after_tls_(after_tls) {}

  bool after_tls() const noexcept { return after_tls_; }

  std::optional<decode_error> run(const dissector::sink& each) {
    while (at_ < stream_.size()) {
      message found;
      std::optional<decode_error> broken;
      if (starts_tls_record(left())) {
        take_tls_record(found);
      } else {
        broken = take_message(found);
        if (broken && found.packets.empty()) return broken;
      }
      decode_payload(found, state_, how_, after_tls_);
      after_tls_ = !found.type;
      if (each) each(found);
      if (broken) return broken;
    }
    return std::nullopt;
  }

 private:
  byte_span left() const noexcept { return stream_.subspan(at_); }

  void take_tls_record(message& found) {
    const byte_span record = left().first(tls_record_size(left()));
    found.from = how_.from.value_or(sender::client);
    found.packets.push_back({at_, at_, 0, record.size(), {}, {}});
    found.payload.assign(record.begin(), record.end());
    at_ += record.size();
  }

  // A new joiner for each message: an error's offset counts from the message's start then.
  std::optional<decode_error> take_message(message& found) {
    const std::size_t start = at_;
    protocol::packet_joiner joiner;
    joiner.feed(left());
    for (;;) {
      const auto event = joiner.next();
      at_ = start + static_cast<std::size_t>(joiner.stream_offset());
      switch (event.kind) {
        case packet_event_kind::header:
          begin_packet(found, joiner.header());
          break;
        case packet_event_kind::payload:
          add_payload(found, event.bytes);
          break;
        case packet_event_kind::end_of_message:
          if (event.ignored) found.title = " (IGNORE: the sender takes it back)";
          return std::nullopt;
        case packet_event_kind::need_more:
          return cut(found, start);
        case packet_event_kind::failed:
          return broken(found, joiner.error(), start);
      }
    }
  }

  void begin_packet(message& found, const protocol::packet_header& header) {
    const std::size_t offset = at_ - protocol::packet_header_size;
    if (found.packets.empty()) {
      found.type = header.type;
      found.from =
          how_.from.value_or(header.type == packet_type::tabular_result ? sender::server : sender::client);
    }
    bytes::annotations notes;
    const byte_span raw = stream_.subspan(offset, protocol::packet_header_size);
    bytes::reader in{raw, offset};
    in.annotate(&notes);
    protocol::packet_header again;
    bytes::read_fields(in, again);
    found.packets.push_back({offset, at_, found.payload.size(), 0, notes.take(), {}});
    std::ranges::copy(raw, found.packets.back().raw_header.begin());
  }

  void add_payload(message& found, byte_span piece) {
    const std::size_t room = how_.max_message_bytes - std::min(how_.max_message_bytes, found.payload.size());
    if (piece.size() > room && !found.error) {
      found.error =
          decode_error{errc::limit_exceeded, found.payload.size() + room, "message",
                       "only the first " + std::to_string(how_.max_message_bytes) + " bytes are decoded"};
    }
    const byte_span kept = piece.first(std::min(piece.size(), room));
    found.payload.insert(found.payload.end(), kept.begin(), kept.end());
    found.packets.back().payload_size += kept.size();
  }

  // The stream ends inside the message.
  std::optional<decode_error> cut(message& found, std::size_t start) {
    if (found.packets.empty()) {
      return decode_error{
          errc::incomplete, stream_.size(), "packet_header",
          "the input ends " + std::to_string(stream_.size() - start) + " bytes into a packet"};
    }
    if (!found.error) {
      found.error =
          decode_error{errc::incomplete, found.payload.size(), "message", "the input ends inside it"};
    }
    return std::nullopt;
  }

  std::optional<decode_error> broken(message& found, decode_error error, std::size_t start) {
    error.offset += start;
    at_ = stream_.size();
    if (found.packets.empty()) {
      if (error.offset == 0 && error.code == errc::bad_packet_header) error.code = errc::not_tds;
      return error;
    }
    // What stands where a header should may be the middle of a password.
    error.context = "in the packet behind a " + std::string{protocol::name_of(*found.type)} + " packet";
    if (!found.error) {
      found.error =
          decode_error{errc::incomplete, found.payload.size(), "message", "its next packet is damaged"};
    }
    return error;
  }

  byte_span stream_;
  const settings& how_;
  conversation_state& state_;
  std::size_t at_ = 0;
  bool after_tls_;
};

}  // namespace

dissector::dissector(const settings& how)
    : how_(how), state_{how.version, how.version_is_certain, how.version_is_certain, 0} {}

std::optional<decode_error> dissector::decode(byte_span stream, const sink& each) {
  return stream_walk{stream, how_, state_}.run(each);
}

std::optional<decode_error> dissector::decode_next(sender from, byte_span pieces, const sink& each) {
  settings how = how_;
  how.from = from;
  auto& after_tls = after_tls_[static_cast<std::size_t>(from)];
  stream_walk walk{pieces, how, state_, after_tls};
  auto broken = walk.run(each);
  after_tls = walk.after_tls();
  return broken;
}

std::optional<decode_error> dissector::decode(byte_span client, byte_span server, const sink& each) {
  settings from_client = how_;
  from_client.from = sender::client;
  settings from_server = how_;
  from_server.from = sender::server;
  // First what LOGIN7 asks for, then what LOGINACK answers; only then it is known for all of both.
  const bool pinned = state_.version_is_pinned;
  (void)stream_walk{client, from_client, state_}.run({});
  (void)stream_walk{server, from_server, state_}.run({});
  state_.version_is_pinned = state_.version_is_certain;
  auto first = stream_walk{client, from_client, state_}.run(each);
  auto second = stream_walk{server, from_server, state_}.run(each);
  state_.version_is_pinned = pinned;
  return first ? first : second;
}

}  // namespace tds::dissect
