// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/detail/recognizer.hpp>
#include <tds/protocol/packet.hpp>

namespace tds::capture::detail {
namespace {

using dissect::sender;
using protocol::packet_type;

constexpr std::uint16_t usual_port = 1433;
/// So many segments without the shape of anything known are another protocol.
constexpr std::uint32_t most_strange = 64;

}  // namespace

piece piece_of(const wire::capture::stream_piece& of) noexcept {
  const bool begins = !of.ends_segment || of.bytes.size() == of.segment_bytes;
  return {of.bytes, of.offset, of.when, of.push, begins, of.ends_segment};
}

verdict recognizer::judge(const wire::capture::connection& on, way from, const piece& next) {
  verdict_ = on.from_start && strange_ == 0 ? judge_start(on, from, next) : judge_middle(on, from, next);
  return verdict_;
}

// The client speaks first, and there are few ways to begin; where the file lacks that, any shape will do.
verdict recognizer::judge_start(const wire::capture::connection& on, way from, const piece& next) {
  if (from != way::forward || next.offset != 0) return judge_middle(on, from, next);
  const auto first = static_cast<packet_type>(next.bytes.front());
  if (first == packet_type::prelogin || first == packet_type::login7) {
    const bool whole = next.bytes.size() >= protocol::packet_header_size;
    return !whole || is_sound_header(next.bytes, sender::client) ? verdict::tds : verdict::stranger;
  }
  const bool usual = on.ends[index(way::backward)].port == usual_port;
  if (asks_for_tds_8(next.bytes) || (usual && is_record_chain(next.bytes))) {
    tls_first_ = true;
    return verdict::tds;
  }
  return first == packet_type::pre_tds7_login && shape_of(next.bytes) == shape::sybase ? verdict::sybase
                                                                                       : verdict::stranger;
}

verdict recognizer::judge_middle(const wire::capture::connection& on, way from, const piece& next) {
  const auto& source = on.ends[index(from)];
  const auto& target = on.ends[index(opposite(from))];
  auto found = next.begins_segment ? shape_of(next.bytes) : shape::none;
  // PRELOGIN packets come from either end: who opened is the client, else a server's port is the lower one.
  if (found == shape::client_packets &&
      static_cast<packet_type>(next.bytes.front()) == packet_type::prelogin &&
      (on.from_start ? from == way::backward : source.port < target.port)) {
    found = shape::server_packets;
  }
  switch (found) {
    case shape::client_packets:
      client_ = from;
      break;
    case shape::server_packets:
      client_ = opposite(from);
      break;
    case shape::tls_records:
      if (target.port != usual_port && source.port != usual_port) return verdict::stranger;
      client_ = target.port == usual_port ? from : opposite(from);
      tls_first_ = true;
      break;
    case shape::sybase:
      return verdict::sybase;
    case shape::none:
      return ++strange_ >= most_strange ? verdict::stranger : verdict::undecided;
  }
  in_the_middle_ = true;
  return verdict::tds;
}

}  // namespace tds::capture::detail
