// SPDX-License-Identifier: BSL-1.0
#include <wire/link/pcapng.hpp>

#include <bit>
#include <string>

namespace wire::link {
namespace {

constexpr std::uint32_t section_header = 0x0A0D0D0A, interface_description = 1, enhanced_packet = 6;
constexpr std::uint16_t linktype_raw = 101;
constexpr std::uint16_t option_end = 0, option_if_name = 2, option_shb_application = 4, option_epb_flags = 2,
                        option_if_tsresol = 9;

// The byte order of a section is its writer's choice: little endian here, on every machine.
void put(std::string& to, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

void pad(std::string& to) { to.resize((to.size() + 3) / 4 * 4); }

void put_option(std::string& to, std::uint16_t code, std::string_view value) {
  put(to, code, 2);
  put(to, value.size(), 2);
  to.append(value);
  pad(to);
}

void write_block(std::ostream& out, std::uint32_t type, std::string_view body) {
  const auto length = body.size() + 12;
  std::string frame;
  put(frame, type, 4);
  put(frame, length, 4);
  out.write(frame.data(), 8).write(body.data(), static_cast<std::streamsize>(body.size()));
  out.write(frame.data() + 4, 4);
}

}  // namespace

pcapng_writer::pcapng_writer(std::ostream& out, std::string_view interface_name, std::string_view application)
    : out_{out} {
  std::string section;
  put(section, 0x1A2B3C4D, 4);
  put(section, 1, 2);  // version 1.0
  put(section, 0, 2);
  put(section, ~std::uint64_t{0}, 8);  // the section's length is not told
  put_option(section, option_shb_application, application);
  put(section, option_end, 4);
  write_block(out_, section_header, section);

  std::string interface;
  put(interface, linktype_raw, 2);
  put(interface, 0, 2);
  put(interface, 0, 4);  // packets are never cut
  put_option(interface, option_if_name, interface_name);
  put_option(interface, option_if_tsresol, "\x09");  // 10^-9 s
  put(interface, option_end, 4);
  write_block(out_, interface_description, interface);
}

void pcapng_writer::write(std::span<const std::uint8_t> packet, std::chrono::nanoseconds since_1970,
                          bool leaving) {
  const auto stamp = static_cast<std::uint64_t>(since_1970.count());
  std::string body;
  body.reserve(packet.size() + 40);
  put(body, 0, 4);  // the interface
  put(body, stamp >> 32, 4);
  put(body, stamp & 0xFFFF'FFFF, 4);
  put(body, packet.size(), 4);
  put(body, packet.size(), 4);
  body.append(packet.begin(), packet.end());
  pad(body);
  put(body, option_epb_flags, 2);
  put(body, 4, 2);
  put(body, leaving ? 2 : 1, 4);
  put(body, option_end, 4);
  write_block(out_, enhanced_packet, body);
}

}  // namespace wire::link
