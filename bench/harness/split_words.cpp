// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/split_words.hpp>
#include <bench/harness/units.hpp>

#include <fmt/format.h>

#include <chrono>
#include <string_view>

namespace wiregap {

namespace {

using std::chrono::nanoseconds;
using wire::exchange::entry;

std::string names(wire::exchange::layer_set of) {
  std::string out;
  for (const auto layer : wire::exchange::layers) {
    if (of.has(layer)) out.append(out.empty() ? "" : "|").append(name_of(layer));
  }
  return out;
}

std::string number_of(std::uint32_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// What a reader has to know beside the layers, each behind a semicolon.
std::string circumstances(const wire::exchange::exchange& of, nanoseconds total) {
  std::string out;
  const auto say = [&out](std::string_view what) { out.append("; ").append(what); };
  if (of.tcp) say(repairs_in_words(*of.tcp));
  const auto held = [&](const auto& span, std::string_view what) {
    if (span && *span * 100 >= total) say(fmt::format("{} {} of it", what, in_words(*span)));
  };
  held(of.machine_held, "this machine kept a control thread waiting for");
  held(of.thread_held, "this program waited for a CPU for");
  return out;
}

}  // namespace

std::string layers_in_words(const entry& of) {
  auto out = names(of.layers);
  if (of.error > nanoseconds::zero()) out += fmt::format(" (+-{})", in_words(of.error));
  return out;
}

std::string repairs_in_words(const wire::exchange::tcp_facts& tcp) {
  std::string out = "nothing sent again";
  if (tcp.retransmits > 0) {
    out = number_of(tcp.retransmits, "segment") + " sent again";
    if (tcp.timeouts && *tcp.timeouts > 0) out += fmt::format(" ({} by timer)", *tcp.timeouts);
  } else if (tcp.timeouts && *tcp.timeouts > 0) {
    out += ", although the timer ran out " + number_of(*tcp.timeouts, "time");
  }
  const auto add = [&out](const auto& count, std::string_view what) {
    if (count && *count > 0) out += fmt::format(", {}", number_of(*count, what));
  };
  add(tcp.duplicates, "duplicate");
  add(tcp.out_of_order, "out-of-order segment");
  if (tcp.receive_window_limited && tcp.receive_window_limited->count() > 0)
    out += fmt::format(", {} at a full window of the peer", in_words(*tcp.receive_window_limited));
  return out;
}

std::string split_in_words(const wire::exchange::exchange& of) {
  const auto split = wire::exchange::ledger_of(of);
  if (split.empty()) return {};
  const auto total = split.total();
  nanoseconds elsewhere{};
  auto out = in_words(total);
  std::string_view sign = " = ";
  for (const auto& part : split.entries()) {
    if (part.length * 100 < total) {
      elsewhere += part.length;
      continue;
    }
    const bool vague = part.error * 100 >= total;
    out += fmt::format("{}{} {}", sign, names(part.layers), in_words(part.length));
    if (vague) out += fmt::format(" (+-{})", in_words(part.error));
    sign = " + ";
  }
  if (elsewhere > nanoseconds::zero()) out += fmt::format("{}{} elsewhere", sign, in_words(elsewhere));
  return out + circumstances(of, total);
}

}  // namespace wiregap
