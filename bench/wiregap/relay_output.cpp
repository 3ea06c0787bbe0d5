// SPDX-License-Identifier: BSL-1.0
#include "relay_output.hpp"

#include "decode_json.hpp"
#include "terminal.hpp"
#include <bench/harness/units.hpp>
#include <tds/dissect/render.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace wiregap {

namespace {

// Of a statement, so much stands in the line of its request.
constexpr std::size_t longest_sql = 80;

std::string in_text(const relay_tap::endpoint& of) {
  const auto address = of.address().to_string();
  return of.address().is_v6() ? fmt::format("[{}]:{}", address, of.port())
                              : fmt::format("{}:{}", address, of.port());
}

std::int64_t unix_us(wire::clock::wall_time when) {
  return std::chrono::duration_cast<std::chrono::microseconds>(when.time_since_epoch()).count();
}

std::string sql_in(const tds::dissect::message& found) {
  const auto field = std::ranges::find_if(
      found.fields, [](const auto& one) { return one.field == "sql_text" && !one.secret; });
  if (field == found.fields.end()) return {};
  // Annotated text stands in quotes.
  std::string_view text{field->value};
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return tds::dissect::printable(text, longest_sql);
}

}  // namespace

// A millisecond is too coarse between a request and its answer.
std::string relay_output::time(relay_tap::stamp when) const {
  const auto wall = clock_.at(when);
  const auto us =
      std::chrono::duration_cast<std::chrono::microseconds>(wall.time_since_epoch()).count() % 1000;
  return fmt::format("{}{:03}", wire::clock::time_of_day(wall), us);
}

void relay_output::say(relay_tap::stamp when, std::uint64_t connection, const std::string& what) {
  if (options_.text == nullptr) return;
  fmt::print(options_.text, "{} #{} {}\n", time(when), connection, what);
  std::fflush(options_.text);
}

void relay_output::opened(std::uint64_t connection, const relay_tap::endpoint& client,
                          const relay_tap::endpoint& server, relay_tap::stamp when) {
  say(when, connection, fmt::format("{} is connected to {}", in_text(client), in_text(server)));
}

void relay_output::seen(const relayed_message& one) {
  const auto& message = one.message;
  const auto& found = message.found;
  if (options_.text != nullptr) {
    std::string line = fmt::format("{}: {}, {} bytes", name_of(found.from), found.title, message.bytes);
    if (one.gap) line += fmt::format(", {} after the request", in_words(*one.gap));
    if (const auto sql = sql_in(found); !sql.empty()) line += fmt::format(": {}", sql);
    if (found.error) line += fmt::format(" (does not decode: {})", found.error->explain());
    say(message.last, one.connection, line);
    if (options_.fields) {
      std::string dump;
      tds::dissect::render(dump, found, {options_.show_secrets, terminal::wants_color(options_.text)});
      fmt::print(options_.text, "{}", dump);
    }
  }
  if (options_.json == nullptr) return;
  const auto gap = one.gap ? fmt::format("{:.3f}", static_cast<double>(one.gap->count()) / 1e3) : "null";
  fmt::print(options_.json,
             "{{\"connection\":{},\"first\":\"{}\",\"first_unix_us\":{},\"last_after_us\":{:.3f},\"gap_us\":{"
             "},\"stream_offset\":{},"
             "\"bytes\":{},\"message\":{}}}\n",
             one.connection, wire::clock::iso_8601(clock_.at(message.first)),
             unix_us(clock_.at(message.first)),
             static_cast<double>(message.last.ns() - message.first.ns()) / 1e3, gap, message.stream_offset,
             message.bytes, message_as_json(found, options_.show_secrets));
  std::fflush(options_.json);
}

void relay_output::lost(std::uint64_t connection, const std::string& why) {
  say(relay_tap::stamp::now(), connection, why);
}

void relay_output::closed(std::uint64_t connection, bool reset, relay_tap::stamp when) {
  say(when, connection, reset ? "is over, by a reset or a fault" : "is over");
}

}  // namespace wiregap
