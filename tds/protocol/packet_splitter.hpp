// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/bytes/writer.hpp>
#include <tds/protocol/packet.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tds::protocol {

/// Packets ready to be written, one behind the other, and where each ends. Under TLS each packet goes into a
/// write of its own: servers expect one packet a record (MS-TDS 3.2.5.x; peers hang or hang up otherwise).
///
/// Cleared and filled again it allocates nothing once its buffers have grown to a connection's usual request.
struct packet_run {
  bytes::buffer data;
  std::vector<std::size_t> ends;  ///< offset in `data` behind each finished packet

  std::size_t count() const noexcept { return ends.size(); }
  /// The finished packet `i`, header included.
  bytes::byte_span packet(std::size_t i) const noexcept {
    const std::size_t start = i == 0 ? 0 : ends[i - 1];
    return bytes::byte_span{data}.subspan(start, ends[i] - start);
  }
  /// Bytes of all finished packets; `data` may hold an unfinished one behind them.
  std::size_t finished_size() const noexcept { return ends.empty() ? 0 : ends.back(); }
  /// Forgets the finished packets and keeps the unfinished one, for a message that is written while it is
  /// made.
  void drop_finished() {
    data.erase(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(finished_size()));
    ends.clear();
  }
  void clear() noexcept {
    data.clear();
    ends.clear();
  }
};

/// How a message is put into packets.
struct message_options {
  packet_type type{};
  /// RESETCONNECTION or RESETCONNECTIONSKIPTRAN go on the first packet, every other bit on the last. EOM is
  /// added by the splitter.
  packet_status_flags status{};
  std::size_t packet_size = default_packet_size;  ///< 512 to 32767, header included
  std::uint16_t spid = 0;
  std::uint8_t first_packet_id = 1;
};

/// Puts messages into packets. Every packet but the last and those of flush() has exactly the negotiated size
/// (a server may hang up otherwise, MS-TDS 2.2.3); an empty message is one packet of eight bytes.
class packet_splitter {
 public:
  explicit packet_splitter(packet_run& out) noexcept : out_(out) {}

  /// Begins a message. errc::bad_argument for a packet size out of range, both RESET bits at once, a RESET
  /// bit on anything but a batch, an RPC or a transaction manager request, or IGNORE: see abandon().
  [[nodiscard]] error_code start(const message_options& options);
  /// Adds payload. A full packet is finished only when more follows, so EOM never needs an empty packet.
  void append(bytes::byte_span payload);
  /// Finishes the packet at hand although it is not full and more will follow: what a server does that wants
  /// its client to see what there is (clients may not, see above). Nothing when the packet is empty.
  void flush();
  /// Finishes the message with EOM.
  void finish() { close({packet_status::eom}); }
  /// Finishes the message with EOM and IGNORE: the server drops what it has got of it and answers with one
  /// DONE (MS-TDS 2.2.1.7).
  void abandon() { close(packet_status_flags{packet_status::eom} | packet_status::ignore); }

 private:
  void open();
  void close(packet_status_flags status);

  packet_run& out_;
  message_options options_{};
  std::uint8_t next_id_ = 1;
};

/// A whole message into packets, appended to `out`. Errors as packet_splitter::start.
[[nodiscard]] error_code split_message(bytes::byte_span payload, const message_options& options,
                                       packet_run& out);

/// Appends the one packet that ends a message of which only the first packets were sent: EOM and IGNORE, no
/// data. `packet_id` is the one that would have come next.
void append_ignore_packet(packet_type type, std::uint8_t packet_id, packet_run& out);

/// Appends an Attention: one packet without data (MS-TDS 2.2.1.7). It may be sent only behind the last packet
/// of a request.
void append_attention(packet_run& out);

}  // namespace tds::protocol
