// SPDX-License-Identifier: BSL-1.0
#include "capture_input.hpp"

#include "exit_status.hpp"
#include "input_file.hpp"
#include <bench/harness/capture_time.hpp>
#include <wire/capture/decoder.hpp>
#include <wire/capture/reader.hpp>

#include <fmt/format.h>
#include <system_error>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>

namespace wiregap {

namespace {

/// What breaks off while it is unpacked is one: reading it says what is wrong.
bool is_capture(const std::function<std::unique_ptr<wire::capture::byte_source>()>& open) {
  try {
    return wire::capture::packet_reader{open()}.end() != wire::capture::file_end::not_capture;
  } catch (const wire::capture::read_error&) {
    return true;
  }
}

}  // namespace

bool is_capture(std::string_view input) {
  return is_capture([input] {
    return wire::capture::open_memory({reinterpret_cast<const std::uint8_t*>(input.data()), input.size()});
  });
}

bool is_capture_file(const std::string& path) {
  // Of a pipe there is but one reading.
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_regular_file(path, ignored) || !std::ifstream{path}) return false;
  return is_capture([&path] { return wire::capture::open_file(path); });
}

capture_end read_capture_messages(const std::string& path, const tds::dissect::settings& how,
                                  std::uint64_t connection, const tds::tls::key_log& keys,
                                  const tds::capture::message_reader::sink& each) {
  const auto wanted = [&](const tds::capture::captured_message& one) {
    if (connection == 0 || one.connection == connection) each(one);
  };
  tds::capture::message_reader messages{how, wanted, keys.sessions() == 0 ? nullptr : &keys};
  wire::capture::stream_table streams{messages};
  wire::capture::frame_decoder decoder;
  wire::capture::packet_reader reader{wire::capture::open_file(path)};
  while (const auto* packet = reader.next()) {
    if (const auto* segment = decoder.decode(*packet)) streams.add(*segment, packet->when);
  }
  streams.finish();
  if (reader.end() == wire::capture::file_end::not_capture) {
    throw cannot_measure{fmt::format("{}: no packet capture (pcap or pcapng)", name_of_input(path))};
  }
  return {reader.problem()};
}

std::string capture_headline(const tds::capture::captured_message& of) {
  const bool client = of.message.found.from == tds::dissect::sender::client;
  return fmt::format("#{} {} {} > {}, {} bytes from offset {}", of.connection, utc_time(of.message.first),
                     in_words(client ? of.client : of.server), in_words(client ? of.server : of.client),
                     of.message.bytes, of.message.stream_offset);
}

std::string capture_members(const tds::capture::captured_message& of) {
  const auto& m = of.message;
  return fmt::format(
      "\"connection\":{},\"client\":\"{}\",\"server\":\"{}\",\"first\":\"{}\",\"last_after_us\":{:.3f},"
      "\"stream_offset\":{},\"bytes\":{}",
      of.connection, in_words(of.client), in_words(of.server), utc_time(m.first),
      m.first.known() ? static_cast<double>(m.last.ns() - m.first.ns()) / 1e3 : 0.0, m.stream_offset,
      m.bytes);
}

}  // namespace wiregap
