// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wiregap_test {

using byte_stream = std::vector<std::uint8_t>;

/// One TCP connection to port 1433: what each side sent, in order. More than one stretch where the capture
/// missed segments: every stretch behind a hole begins with a segment.
struct conversation {
  std::vector<byte_stream> to_server{};
  std::vector<byte_stream> to_client{};
};

/// Reads a classic pcap file of Ethernet, IPv4 and TCP below tests/golden ("recordings/x.pcap"). Segments
/// that come twice or out of order are put right. Throws std::runtime_error for any other kind of file.
std::vector<conversation> load_capture(const std::string& name);

/// One TDS message: the payload of its packets without their headers, at its exact size.
struct recorded_message {
  std::uint8_t packet_type{};
  std::uint8_t first_status{};
  bool complete{};  ///< false where the stretch ends before the message
  byte_stream payload{};
  std::vector<std::size_t> packet_ends{};  ///< where in `payload` each packet ends
};

/// The messages of one direction that can be read. What TLS hides is left out: the handshake's flights
/// (PRELOGIN packets, or table responses whose payload is a TLS record), and the one record that carries the
/// first packet of LOGIN7. Login-only encryption leaves everything behind it in clear.
std::vector<recorded_message> split_messages(const std::vector<byte_stream>& stretches);

}  // namespace wiregap_test
