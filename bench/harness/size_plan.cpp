// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/clock_reader.hpp>
#include <bench/harness/size_plan.hpp>
#include <tds/bytes/ucs2.hpp>
#include <tds/protocol/packet.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace wiregap {

namespace {

constexpr std::size_t all_headers_bytes = 22;
constexpr std::uint32_t largest = 64U << 20;

std::size_t wire_bytes(std::size_t characters, std::size_t packet_size) {
  const std::size_t payload = all_headers_bytes + 2 * characters;
  const std::size_t room = packet_size - tds::protocol::packet_header_size;
  return payload + (payload + room - 1) / room * tds::protocol::packet_header_size;
}

std::string statement(std::uint32_t response_bytes) {
  if (response_bytes == 0) return "SELECT 1";
  return fmt::format("SELECT REPLICATE(CAST('x' AS varchar(max)), {})", response_bytes);
}

std::uint32_t number_of(std::string_view text, std::string_view whole) {
  std::uint32_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || end != text.data() + text.size() || value > largest) {
    throw bad_sizes{fmt::format("'{}' in '{}' is not a size in bytes from 0 to {}", text, whole, largest)};
  }
  return value;
}

}  // namespace

std::string probe_size::label() const {
  if (response_bytes == 0) return fmt::format("{} B", request_bytes);
  return fmt::format("{} B, answer {} B", request_bytes, response_bytes);
}

probe_size make_probe_size(std::uint32_t request_bytes, std::uint32_t response_bytes, std::size_t packet_size,
                           batch_clock clock) {
  constexpr std::size_t comment_marks = 4;
  probe_size out;
  out.response_bytes = response_bytes;
  out.sql = statement(response_bytes);
  if (clock == batch_clock::both_ends) out.sql = with_clock(out.sql);
  std::size_t padding = 0;
  if (wire_bytes(out.sql.size() + comment_marks, packet_size) < request_bytes) {
    padding = (request_bytes - all_headers_bytes) / 2 - out.sql.size() - comment_marks;
    while (padding > 0 && wire_bytes(out.sql.size() + comment_marks + padding, packet_size) > request_bytes)
      --padding;
  }
  if (padding > 0) out.sql = "/*" + std::string(padding, '-') + "*/" + out.sql;
  out.request_bytes = static_cast<std::uint32_t>(wire_bytes(out.sql.size(), packet_size));
  return out;
}

probe_size make_own_statement(std::string_view sql, std::size_t packet_size, batch_clock clock) {
  if (sql.find_first_not_of(" \t\r\n") == std::string_view::npos) throw bad_sizes{"an empty statement"};
  std::string wide;
  if (!tds::bytes::append_ucs2(wide, sql)) throw bad_sizes{"a statement that is not valid UTF-8"};
  probe_size out;
  // A comment at its end would take the clock behind it along.
  out.sql = clock == batch_clock::both_ends ? with_clock(std::string{sql} + "\n") : std::string{sql};
  const auto added = out.sql.size() - sql.size();
  out.request_bytes = static_cast<std::uint32_t>(wire_bytes(wide.size() / 2 + added, packet_size));
  return out;
}

std::vector<probe_size> default_sizes(std::size_t packet_size, batch_clock clock) {
  const auto packet = static_cast<std::uint32_t>(packet_size);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted{{0, 0}};
  for (const std::uint32_t bytes :
       {1200U, 1448U, 1600U, 3000U, packet, packet + 100, 2 * packet, 8 * packet}) {
    wanted.emplace_back(bytes, 0);
  }
  for (const std::uint32_t bytes : {1200U, 1600U, 3000U, packet, 2 * packet, 16 * packet})
    wanted.emplace_back(0, bytes);
  std::vector<probe_size> out;
  for (const auto& [request, response] : wanted) {
    auto size = make_probe_size(request, response, packet_size, clock);
    const bool there =
        std::ranges::any_of(out, [&](const probe_size& other) { return other.sql == size.sql; });
    if (!there) out.push_back(std::move(size));
  }
  return out;
}

std::vector<probe_size> parse_sizes(std::string_view text, std::size_t packet_size, batch_clock clock) {
  std::vector<probe_size> out;
  for (std::string_view rest = text; !rest.empty() || out.empty();) {
    const auto item = rest.substr(0, rest.find(','));
    const auto colon = item.find(':');
    const auto request = number_of(item.substr(0, colon), text);
    const auto response = colon == std::string_view::npos ? 0U : number_of(item.substr(colon + 1), text);
    out.push_back(make_probe_size(request, response, packet_size, clock));
    if (item.size() == rest.size()) break;
    rest.remove_prefix(item.size() + 1);
  }
  return out;
}

}  // namespace wiregap
