// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/prelogin_wrapper.hpp>

#include <algorithm>
#include <utility>

namespace tds::tls {

namespace {

using protocol::packet_header_size;
using protocol::packet_type;

}  // namespace

prelogin_wrapper::prelogin_wrapper(std::size_t packet_size, bool as_table_response) noexcept
    : packet_size_(std::clamp(packet_size, packet_header_size + 1, protocol::max_packet_size)),
      type_(as_table_response ? packet_type::tabular_result : packet_type::prelogin) {}

error_code prelogin_wrapper::refuse(errc why, std::string what) {
  details_ = std::move(what);
  return error_ = why;
}

result<void> prelogin_wrapper::take_header() {
  bytes::reader in{header_};
  protocol::packet_header header;
  bytes::read_fields(in, header);
  const auto describe = [&](std::string what) {
    return "a packet of the TLS handshake has the " + what + ": " + bytes::hex(header_);
  };
  if (header.type != packet_type::prelogin && header.type != packet_type::tabular_result) {
    return refuse(errc::unexpected_packet_type, describe("type " + std::to_string(header_[0])));
  }
  const auto length = "length " + std::to_string(header.length);
  if (header.length < packet_header_size) return refuse(errc::packet_too_small, describe(length));
  if (header.length > protocol::max_packet_size) return refuse(errc::packet_too_large, describe(length));
  payload_left_ = header.length - packet_header_size;
  return {};
}

void prelogin_wrapper::wrap(byte_span flight, bytes::buffer& output) const {
  const std::size_t most = packet_size_ - packet_header_size;
  std::uint8_t id = 1;
  while (!flight.empty()) {
    const auto part = flight.first(std::min(flight.size(), most));
    flight = flight.subspan(part.size());
    protocol::packet_header header;
    header.type = type_;
    header.status.set(protocol::packet_status::eom, flight.empty());
    header.length = static_cast<std::uint16_t>(packet_header_size + part.size());
    header.packet_id = id++;
    bytes::writer out{output};
    (void)bytes::write_fields(out, header);  // fixed fields always fit
    out.bytes(part);
  }
}

result<handshake_progress> prelogin_wrapper::handshake(engine& tls, byte_span input, bytes::buffer& output) {
  if (error_.failed()) return error_;
  flight_.clear();
  byte_span left = input;
  // A client's first flight answers nothing. Otherwise the engine is asked only when there is payload for it.
  auto step = input.empty() ? tls.handshake({}, flight_) : handshake_progress{};
  while (step && step->state == handshake_state::need_input && !left.empty()) {
    if (header_have_ < packet_header_size) {
      const auto part = left.first(std::min(left.size(), packet_header_size - header_have_));
      std::copy(part.begin(), part.end(), header_.begin() + static_cast<std::ptrdiff_t>(header_have_));
      header_have_ += part.size();
      left = left.subspan(part.size());
      if (header_have_ < packet_header_size) break;
      if (auto ok = take_header(); !ok) return ok.error();
    }
    const auto payload = left.first(std::min(left.size(), payload_left_));
    if (!payload.empty()) step = tls.handshake(payload, flight_);
    left = left.subspan(payload.size());
    payload_left_ -= payload.size();
    if (payload_left_ == 0) header_have_ = 0;
    if (step && step->state == handshake_state::done &&
        (step->consumed < payload.size() || payload_left_ > 0)) {
      return refuse(errc::trailing_bytes,
                    "the last packet of the TLS handshake holds more than the handshake");
    }
  }
  wrap(flight_, output);
  if (!step) return step.error();
  return handshake_progress{step->state, input.size() - left.size()};
}

}  // namespace tds::tls
