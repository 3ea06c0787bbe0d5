// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/packet.hpp>
#include <wire/capture/source.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace wire::capture {

/// How a file ended.
enum class file_end : std::uint8_t {
  not_yet,      ///< there may be more packets
  whole,        ///< where a packet or block ended
  cut,          ///< inside of one: the program that wrote it was stopped, or the file is still being written
  damaged,      ///< lengths that cannot be; nothing behind them can be read
  not_capture,  ///< it does not begin as pcap or pcapng does
};

/// What was seen in a file beside its packets.
struct file_counts {
  std::uint64_t bytes{};  ///< read, unpacked
  std::uint64_t packets{};
  std::uint64_t interfaces{};  ///< described in it
  std::uint64_t cut_short{};   ///< packets that the snap length cut
  std::uint64_t malformed{};   ///< packets and blocks that contradict themselves; they are passed over
  std::uint64_t no_time{};     ///< packets without a time
  std::uint64_t dropped{};     ///< packets that who captured says it lost (pcapng)
  std::uint64_t clock_back{};  ///< times that the clock of an interface stepped back
};

/// Packets of a capture file, one after another: pcap with micro- or nanoseconds, and pcapng with any number
/// of sections and interfaces, each with its own link type and resolution; either byte order. libpcap reads
/// only such pcapng files whose interfaces are all alike, so this is a reader of our own.
///
/// A packet is not copied: it lies in the reader's buffer. Memory does not grow with the file.
class packet_reader {
 public:
  /// `first_interface`: the number of its first one, so that those of several files differ. Throws
  /// read_error.
  explicit packet_reader(std::unique_ptr<byte_source> from, std::uint32_t first_interface = 0);
  ~packet_reader();
  packet_reader(packet_reader&&) noexcept;
  packet_reader& operator=(packet_reader&&) noexcept;

  /// The next packet; nothing at the end. Throws read_error.
  const packet* next();

  file_end end() const noexcept;
  /// What is wrong, and where; empty where nothing is.
  const std::string& problem() const noexcept;
  const file_counts& counts() const noexcept;

  class format;  ///< not for users

 private:
  std::unique_ptr<format> format_;
};

}  // namespace wire::capture
