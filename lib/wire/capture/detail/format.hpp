// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/detail/ordered.hpp>
#include <wire/capture/detail/window.hpp>
#include <wire/capture/reader.hpp>

#include <string>
#include <utility>

namespace wire::capture {

/// What the readers of both formats share.
class packet_reader::format {
 public:
  virtual ~format() = default;
  format(const format&) = delete;
  format& operator=(const format&) = delete;

  virtual const packet* next() = 0;

  file_end end{};
  std::string problem{};
  file_counts counts{};

 protected:
  /// No packet is larger: with what is (a damaged file), nothing is allocated.
  static constexpr std::uint32_t most_packet_bytes = 1U << 20U;

  explicit format(detail::window bytes) : bytes_(std::move(bytes)) {}

  /// The end of the file, `left` bytes into the next record.
  const packet* stop_at_end(std::size_t left) {
    counts.bytes = bytes_.offset() + left;
    end = left == 0 ? file_end::whole : file_end::cut;
    if (left != 0) {
      problem = "the file ends at byte " + std::to_string(counts.bytes) + ", inside of a packet";
    }
    return nullptr;
  }
  const packet* stop_damaged(const std::string& why) {
    counts.bytes = bytes_.offset();
    end = file_end::damaged;
    problem = "damaged at byte " + std::to_string(bytes_.offset()) + ": " + why;
    return nullptr;
  }
  /// Hands out `packet_`, and counts what is to be said of it.
  const packet* hand_out(clock::stamp& last_on_interface) {
    ++counts.packets;
    counts.bytes = bytes_.offset();
    if (packet_.wire_bytes > packet_.bytes.size()) ++counts.cut_short;
    if (!packet_.when.known()) {
      ++counts.no_time;
    } else {
      if (packet_.when < last_on_interface) ++counts.clock_back;
      last_on_interface = packet_.when;
    }
    return &packet_;
  }

  detail::window bytes_;
  packet packet_{};
};

namespace detail {

/// `bytes` begin with the magic number that `order` and `nanoseconds` were read from.
std::unique_ptr<packet_reader::format> read_pcap(window bytes, byte_order order, bool nanoseconds,
                                                 std::uint32_t first_interface);
/// `bytes` begin with a section header.
std::unique_ptr<packet_reader::format> read_pcapng(window bytes, std::uint32_t first_interface);

}  // namespace detail
}  // namespace wire::capture
