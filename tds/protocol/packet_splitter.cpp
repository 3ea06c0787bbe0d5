// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/packet_splitter.hpp>

#include <algorithm>

namespace tds::protocol {
namespace {

constexpr packet_status_flags resets =
    packet_status_flags{packet_status::reset_connection} | packet_status::reset_connection_skip_tran;

bool may_reset(packet_type type) noexcept {
  return type == packet_type::sql_batch || type == packet_type::rpc ||
         type == packet_type::transaction_manager_request;
}

bool sound(const message_options& options) noexcept {
  const auto reset = static_cast<std::uint8_t>(options.status.bits & resets.bits);
  return options.packet_size >= min_packet_size && options.packet_size <= max_packet_size &&
         reset != resets.bits && (reset == 0 || may_reset(options.type)) &&
         !options.status.has(packet_status::ignore);
}

}  // namespace

error_code packet_splitter::start(const message_options& options) {
  if (!sound(options)) return errc::bad_argument;
  options_ = options;
  next_id_ = options.first_packet_id;
  open();
  return {};
}

void packet_splitter::open() {
  out_.data.resize(out_.finished_size());
  bytes::writer to{out_.data};
  packet_header header;
  header.type = options_.type;
  header.spid = options_.spid;
  header.packet_id = next_id_++;
  (void)bytes::write_fields(to, header);  // status and length follow in close()
}

void packet_splitter::append(bytes::byte_span payload) {
  while (!payload.empty()) {
    if (out_.data.size() - out_.finished_size() == options_.packet_size) {
      close({});
      open();
    }
    const std::size_t room = options_.packet_size - (out_.data.size() - out_.finished_size());
    const auto piece = payload.first(std::min(room, payload.size()));
    out_.data.insert(out_.data.end(), piece.begin(), piece.end());
    payload = payload.subspan(piece.size());
  }
}

void packet_splitter::flush() {
  if (out_.data.size() - out_.finished_size() == packet_header_size) return;
  close({});
  open();
}

void packet_splitter::close(packet_status_flags status) {
  const std::size_t start = out_.finished_size();
  const std::size_t length = out_.data.size() - start;
  status = status | packet_status_flags{static_cast<std::uint8_t>(options_.status.bits & resets.bits)};
  options_.status.bits &= static_cast<std::uint8_t>(~resets.bits);  // on the first packet only
  if (status.has(packet_status::eom)) status = status | options_.status;
  std::uint8_t* header = out_.data.data() + start;
  header[1] = status.bits;
  header[2] = static_cast<std::uint8_t>(length >> 8);
  header[3] = static_cast<std::uint8_t>(length);
  out_.ends.push_back(out_.data.size());
}

error_code split_message(bytes::byte_span payload, const message_options& options, packet_run& out) {
  packet_splitter splitter{out};
  if (const error_code wrong = splitter.start(options)) return wrong;
  splitter.append(payload);
  splitter.finish();
  return {};
}

void append_ignore_packet(packet_type type, std::uint8_t packet_id, packet_run& out) {
  packet_splitter splitter{out};
  message_options options;
  options.type = type;
  options.first_packet_id = packet_id;
  if (splitter.start(options)) return;  // cannot fail: the options are the defaults
  splitter.abandon();
}

void append_attention(packet_run& out) {
  message_options options;
  options.type = packet_type::attention;
  (void)split_message({}, options, out);  // cannot fail: the options are the defaults
}

}  // namespace tds::protocol
