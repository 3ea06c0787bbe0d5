// SPDX-License-Identifier: BSL-1.0
#include <wire/link/ledger.hpp>

#include <algorithm>
#include <iterator>

namespace wire::link {

const char* name_of(deed what) noexcept {
  constexpr const char* names[deeds] = {
      "lost",           "queue_full",       "duplicated",       "delayed",
      "reordered",      "push_cleared",     "paused",           "merged",
      "held",           "released_by_push", "released_by_full", "released_by_timer",
      "released_by_gap"};
  return names[static_cast<std::size_t>(what)];
}

std::string to_json(const ledger_entry& entry) {
  std::string out = "{\"at_ns\":" + std::to_string(entry.at.ns());
  const auto number = [&out](const char* name, auto value) {
    out.append(",\"").append(name).append("\":").append(std::to_string(value));
  };
  out.append(",\"direction\":\"").append(name_of(entry.way));
  out.append("\",\"what\":\"").append(name_of(entry.what)).append("\"");
  if (entry.flow != 0) {
    number("flow", entry.flow);
    number("client_port", entry.client_port);
    number("server_port", entry.server_port);
    number("seq", entry.seq);
  }
  number("bytes", entry.bytes);
  if (entry.message != 0) number("message", entry.message);
  if (entry.segment != 0) number("segment", entry.segment);
  if (entry.segments != 1) number("segments", entry.segments);
  if (entry.span.count() != 0) number("span_ns", entry.span.count());
  if (entry.retransmission) out += ",\"retransmission\":true";
  return out + "}";
}

void ledger::add(const ledger_entry& entry) {
  ++counts_[static_cast<std::size_t>(entry.what)];
  if (entries_.size() < most_) {
    entries_.push_back(entry);
  } else {
    ++not_kept_;
  }
  if (listener_) listener_(entry);
}

void ledger::clear() noexcept {
  entries_.clear();
  std::fill(std::begin(counts_), std::end(counts_), 0);
  not_kept_ = 0;
}

}  // namespace wire::link
