// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/packet_joiner.hpp>

#include <algorithm>
#include <span>

namespace tds::protocol {

std::string_view name_of(packet_event_kind kind) noexcept {
  switch (kind) {
    case packet_event_kind::need_more:
      return "need_more";
    case packet_event_kind::header:
      return "header";
    case packet_event_kind::payload:
      return "payload";
    case packet_event_kind::end_of_message:
      return "end_of_message";
    case packet_event_kind::failed:
      return "failed";
  }
  return "unknown";
}

packet_event packet_joiner::next() {
  switch (state_) {
    case state::between:
    case state::inside:
      return next_header();
    case state::payload:
      return payload_left_ == 0 ? finish_packet() : take_payload();
    case state::failed:
      break;
  }
  return {.kind = packet_event_kind::failed};
}

// Gathers a header byte by byte: it may arrive in pieces, and each field is judged with its last byte.
packet_event packet_joiner::next_header() {
  while (header_fill_ < packet_header_size) {
    if (input_.empty()) return {};
    raw_header_[header_fill_++] = input_.front();
    use(1);
    if (header_fill_ == 1 || header_fill_ == 4) {
      if (!header_is_sound()) return {.kind = packet_event_kind::failed};
    }
  }
  bytes::reader from{raw_header_};
  bytes::read_fields(from, header_);
  header_fill_ = 0;
  const bool first = state_ == state::between;
  if (first) {
    message_type_ = header_.type;
    message_size_ = 0;
    packets_ = 0;
  }
  ++packets_;
  payload_left_ = header_.length - packet_header_size;
  state_ = state::payload;
  return {.kind = packet_event_kind::header, .first_packet = first};
}

bool packet_joiner::header_is_sound() {
  const auto type = static_cast<packet_type>(raw_header_[0]);
  if (header_fill_ == 1) {
    const bool wanted = state_ == state::between ? expected_.contains(type) : type == message_type_;
    if (!is_known(type)) {
      fail(errc::bad_packet_header, "type", 0);
    } else if (!wanted) {
      fail(errc::unexpected_packet_type, "type", 0);
    }
  } else {
    const auto length = static_cast<std::size_t>((raw_header_[2] << 8) | raw_header_[3]);
    if (length < packet_header_size) {
      fail(errc::packet_too_small, "length", 2);
    } else if (length > std::min(limit_, max_packet_size)) {
      fail(errc::packet_too_large, "length", 2);
    }
  }
  return state_ != state::failed;
}

packet_event packet_joiner::take_payload() {
  const std::size_t size = std::min(payload_left_, input_.size());
  if (size == 0) return {};
  const auto piece = input_.first(size);
  payload_left_ -= size;
  message_size_ += size;
  use(size);
  return {.kind = packet_event_kind::payload, .bytes = piece};
}

packet_event packet_joiner::finish_packet() {
  if (!header_.status.has(packet_status::eom)) {
    state_ = state::inside;
    return next_header();
  }
  state_ = state::between;
  return {.kind = packet_event_kind::end_of_message, .ignored = header_.status.has(packet_status::ignore)};
}

void packet_joiner::fail(errc code, const char* field, std::size_t field_offset) {
  state_ = state::failed;
  const auto start = stream_offset_ - header_fill_;
  error_ = {code, static_cast<std::size_t>(start) + field_offset, field,
            bytes::hex(std::span{raw_header_}.first(header_fill_))};
}

void packet_joiner::use(std::size_t size) noexcept {
  input_ = input_.subspan(size);
  stream_offset_ += size;
}

}  // namespace tds::protocol
