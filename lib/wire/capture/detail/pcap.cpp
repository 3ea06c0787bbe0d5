// SPDX-License-Identifier: BSL-1.0
// Classic pcap (draft-ietf-opsawg-pcap): a header of 24 bytes, then packets behind headers of 16.
#include <wire/capture/detail/format.hpp>

#include <algorithm>

namespace wire::capture::detail {
namespace {

constexpr std::size_t file_header = 24;
constexpr std::size_t packet_header = 16;

class pcap_format final : public packet_reader::format {
 public:
  pcap_format(window bytes, byte_order order, bool nanoseconds, std::uint32_t first_interface)
      : format(std::move(bytes)), order_(order), ns_per_tick_(nanoseconds ? 1 : 1000) {
    packet_.interface = first_interface;
  }

  const packet* next() override {
    if (!began_ && !begin()) return nullptr;
    auto head = bytes_.peek(packet_header);
    if (head.size() < packet_header) return stop_at_end(head.size());
    const std::uint32_t kept = order_.u32(head, 8);
    if (kept > most_packet_bytes) {
      return stop_damaged("a packet of " + std::to_string(kept) + " bytes");
    }
    const auto whole = bytes_.peek(packet_header + kept);
    if (whole.size() < packet_header + kept) return stop_at_end(whole.size());
    const std::int64_t seconds = order_.u32(whole, 0);
    const std::int64_t fraction = order_.u32(whole, 4);
    packet_.when = clock::stamp{seconds * 1'000'000'000 + fraction * ns_per_tick_};
    packet_.bytes = whole.subspan(packet_header);
    const std::uint32_t size = order_.u32(whole, 12);
    if (size < kept) ++counts.malformed;
    packet_.wire_bytes = std::max(size, kept);
    bytes_.take(whole.size());
    return hand_out(last_);
  }

 private:
  bool begin() {
    const auto head = bytes_.peek(file_header);
    if (head.size() < file_header) {
      stop_at_end(head.size());
      return false;
    }
    // The upper bits of the last word tell of checksums of frames.
    packet_.link = static_cast<link_type>(order_.u32(head, 20) & 0xFFFFU);
    bytes_.take(file_header);
    counts.interfaces = 1;
    began_ = true;
    return true;
  }

  byte_order order_;
  std::int64_t ns_per_tick_;
  clock::stamp last_{};
  bool began_ = false;
};

}  // namespace

std::unique_ptr<packet_reader::format> read_pcap(window bytes, byte_order order, bool nanoseconds,
                                                 std::uint32_t first_interface) {
  return std::make_unique<pcap_format>(std::move(bytes), order, nanoseconds, first_interface);
}

}  // namespace wire::capture::detail
