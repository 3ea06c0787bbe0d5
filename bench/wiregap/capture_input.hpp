// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/capture/message_reader.hpp>
#include <tds/dissect/dissector.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace wiregap {

/// Whether bytes are a capture: pcap or pcapng, packed or not.
bool is_capture(std::string_view input);
/// The same of a regular file. What cannot be opened, pipes and standard input are none.
bool is_capture_file(const std::string& path);

/// How the reading of a capture ended.
struct capture_end {
  std::string problem{};  ///< why it was not read to its end; empty otherwise
};

/// The messages of all connections of a capture, or of the one with that number, as they are complete; what
/// `keys` open, too. Throws cannot_measure for a file that is none.
capture_end read_capture_messages(const std::string& path, const tds::dissect::settings& how,
                                  std::uint64_t connection, const tds::tls::key_log& keys,
                                  const tds::capture::message_reader::sink& each);

/// "#1 2026-11-30T20:48:03.073123Z 127.0.0.1:53346 > 127.0.0.1:1433, 47 bytes from offset 0"
std::string capture_headline(const tds::capture::captured_message& of);
/// The same as members of a JSON object, without its braces.
std::string capture_members(const tds::capture::captured_message& of);

}  // namespace wiregap
