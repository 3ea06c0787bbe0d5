// SPDX-License-Identifier: BSL-1.0
#include "capture_input.hpp"

#include "exit_status.hpp"
#include "input_file.hpp"
#include <bench/harness/capture_time.hpp>
#include <wire/capture/decoder.hpp>
#include <wire/capture/reader.hpp>

#include <fmt/format.h>

#include <array>
#include <fstream>

namespace wiregap {

bool is_capture(std::string_view input) noexcept {
  using namespace std::string_view_literals;
  for (const auto magic : {"\xD4\xC3\xB2\xA1"sv, "\xA1\xB2\xC3\xD4"sv, "\x4D\x3C\xB2\xA1"sv,
                           "\xA1\xB2\x3C\x4D"sv, "\x0A\x0D\x0D\x0A"sv, "\x1F\x8B\x08"sv}) {
    if (input.starts_with(magic)) return true;
  }
  return false;
}

bool is_capture_file(const std::string& path) {
  if (path == "-") return false;
  std::ifstream file{path, std::ios::binary};
  std::array<char, 4> first{};
  file.read(first.data(), first.size());
  return file.good() && is_capture({first.data(), first.size()});
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
