// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/decoder.hpp>
#include <wire/capture/detail/fragments.hpp>
#include <wire/capture/detail/links.hpp>

#include <algorithm>

namespace wire::capture {

using detail::network_order;
using detail::octets;

class frame_decoder::work {
 public:
  const segment* decode(const packet& from) {
    const auto link = detail::read_link(from.link, from.bytes);
    switch (link.what) {
      case detail::beneath::ip:
        break;
      case detail::beneath::other:
        return none(counts.other_protocols);
      case detail::beneath::cut:
        return none(counts.cut_headers);
      case detail::beneath::unknown:
        return none(counts.unknown_links);
    }
    const octets ip = from.bytes.subspan(link.bytes);
    on_wire_ = from.wire_bytes - link.bytes;
    if (ip.empty()) return none(counts.cut_headers);
    switch (ip[0] >> 4U) {
      case 4:
        return decode_ipv4(ip);
      case 6:
        return decode_ipv6(ip);
      default:
        return none(counts.malformed);
    }
  }

  decoder_counts counts{};

 private:
  static constexpr std::uint8_t protocol_tcp = 6;

  static const segment* none(std::uint64_t& counter) {
    ++counter;
    return nullptr;
  }

  // `most` bytes from `at` on, of which fewer may have been captured.
  static octets upto(octets from, std::size_t at, std::size_t most) {
    return from.subspan(at, std::min(most, from.size() - at));
  }

  const segment* decode_ipv4(octets ip) {
    if (ip.size() < 20) return none(counts.cut_headers);
    const std::size_t header = (ip[0] & 0x0FU) * 4U;
    std::size_t total = network_order.u16(ip, 2);
    // Left to the adapter by a sender that cuts segments there.
    if (total == 0) total = on_wire_;
    if (header < 20 || total < header || total > on_wire_) return none(counts.malformed);
    if (ip.size() < header) return none(counts.cut_headers);
    found_ = {};
    set_ipv4(found_.source, ip.subspan(12, 4));
    set_ipv4(found_.destination, ip.subspan(16, 4));
    found_.ttl = ip[8];
    found_.ip_id = network_order.u16(ip, 4);
    const std::uint16_t place = network_order.u16(ip, 6);
    const octets payload = upto(ip, header, total - header);
    const bool more = (place & 0x2000U) != 0;
    const std::size_t offset = (place & 0x1FFFU) * 8U;
    if (ip[9] != protocol_tcp) return none(counts.other_protocols);
    if (!more && offset == 0) return decode_tcp(payload, total - header);
    return decode_fragment(*found_.ip_id, offset, more, payload, total - header);
  }

  const segment* decode_ipv6(octets ip) {
    constexpr std::size_t header = 40;
    if (ip.size() < header) return none(counts.cut_headers);
    std::size_t size = network_order.u16(ip, 4);
    if (size == 0) size = on_wire_ - header;  // more than 64 KiB, left to the adapter
    if (on_wire_ < header || size > on_wire_ - header) return none(counts.malformed);
    found_ = {};
    std::ranges::copy(ip.subspan(8, 16), found_.source.address.begin());
    std::ranges::copy(ip.subspan(24, 16), found_.destination.address.begin());
    found_.ttl = ip[7];
    return walk_extensions(ip[6], upto(ip, header, size), size);
  }

  const segment* walk_extensions(std::uint8_t next, octets at, std::size_t size) {
    constexpr std::uint8_t hop_by_hop = 0, routing = 43, fragment = 44, authentication = 51, options = 60;
    while (next != protocol_tcp) {
      const bool known = next == hop_by_hop || next == routing || next == fragment ||
                         next == authentication || next == options;
      if (!known) return none(counts.other_protocols);
      if (at.size() < 8) return none(counts.cut_headers);
      const std::size_t bytes = next == fragment         ? 8U
                                : next == authentication ? (at[1] + 2U) * 4U
                                                         : (at[1] + 1U) * 8U;
      if (bytes > size) return none(counts.malformed);
      if (bytes > at.size()) return none(counts.cut_headers);
      const std::uint8_t kind = next;
      next = at[0];
      if (kind == fragment && network_order.u16(at, 2) > 7U) return ipv6_fragment(next, at, size);
      // What is left of the word are the "more" bit and two that are reserved.
      if (kind == fragment && (at[3] & 1U) != 0) return ipv6_fragment(next, at, size);
      at = at.subspan(bytes);
      size -= bytes;
    }
    return decode_tcp(at, size);
  }

  const segment* ipv6_fragment(std::uint8_t next, octets at, std::size_t size) {
    if (next != protocol_tcp) return none(counts.other_protocols);
    const std::uint16_t place = network_order.u16(at, 2);
    return decode_fragment(network_order.u32(at, 4), place & 0xFFF8U, (place & 1U) != 0, at.subspan(8),
                           size - 8);
  }

  const segment* decode_fragment(std::uint32_t id, std::size_t offset, bool more, octets piece,
                                 std::size_t size) {
    ++counts.fragments;
    if (piece.size() < size) return none(counts.cut_headers);
    const octets whole = fragments_.add({found_.source.address, found_.destination.address, id, protocol_tcp},
                                        offset, more, piece);
    counts.fragments_lost = fragments_.lost();
    return whole.empty() ? nullptr : decode_tcp(whole, whole.size());
  }

  const segment* decode_tcp(octets tcp, std::size_t size) {
    if (size < 20) return none(counts.malformed);
    if (tcp.size() < 20) return none(counts.cut_headers);
    const std::size_t header = (tcp[12] >> 4U) * 4U;
    if (header < 20 || header > size) return none(counts.malformed);
    found_.source.port = network_order.u16(tcp, 0);
    found_.destination.port = network_order.u16(tcp, 2);
    found_.seq = network_order.u32(tcp, 4);
    found_.ack = network_order.u32(tcp, 8);
    found_.flags = tcp[13];
    found_.window = network_order.u16(tcp, 14);
    found_.payload_bytes = static_cast<std::uint32_t>(size - header);
    const std::size_t options_end = std::min(header, tcp.size());
    found_.payload = tcp.subspan(options_end);
    if (header > 20) read_options(tcp.subspan(20, options_end - 20));
    ++counts.segments;
    return &found_;
  }

  void read_options(octets at) {
    constexpr std::uint8_t end = 0, padding = 1, mss = 2, window_scale = 3, timestamps = 8;
    // As nearly every segment with options has them: two bytes of padding, then the timestamps.
    if (at.size() == 12 && network_order.u32(at, 0) == 0x0101080AU) {
      found_.timestamp = network_order.u32(at, 4);
      return;
    }
    while (!at.empty() && at[0] != end) {
      if (at[0] == padding) {
        at = at.subspan(1);
        continue;
      }
      if (at.size() < 2 || at[1] < 2 || at[1] > at.size()) return;
      const std::size_t size = at[1];
      if (at[0] == mss && size == 4) found_.mss = network_order.u16(at, 2);
      if (at[0] == window_scale && size == 3) found_.window_scale = at[2];
      if (at[0] == timestamps && size == 10) found_.timestamp = network_order.u32(at, 2);
      at = at.subspan(size);
    }
  }

  static void set_ipv4(end_point& to, octets address) {
    to.address[10] = to.address[11] = 0xFF;
    std::ranges::copy(address, to.address.begin() + 12);
  }

  segment found_{};
  std::size_t on_wire_ = 0;  // bytes of the IP packet
  detail::fragment_table fragments_;
};

frame_decoder::frame_decoder() : work_(std::make_unique<work>()) {}
frame_decoder::~frame_decoder() = default;
frame_decoder::frame_decoder(frame_decoder&&) noexcept = default;
frame_decoder& frame_decoder::operator=(frame_decoder&&) noexcept = default;

const segment* frame_decoder::decode(const packet& from) { return work_->decode(from); }
const decoder_counts& frame_decoder::counts() const noexcept { return work_->counts; }

}  // namespace wire::capture
