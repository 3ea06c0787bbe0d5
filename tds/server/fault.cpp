// SPDX-License-Identifier: BSL-1.0
#include <tds/server/fault.hpp>

#include <algorithm>
#include <utility>

namespace tds::serving {
namespace {

void apply(const fault& what, affliction& to) {
  switch (what.kind) {
    case fault_kind::hold_request:
      to.hold += what.pause;
      break;
    case fault_kind::think:
      to.think += what.pause;
      break;
    case fault_kind::pause_in_answer:
      to.pause_in_answer += what.pause;
      break;
    case fault_kind::cut_answer:
      to.cut_at = std::min(to.cut_at, what.at);
      to.reset = to.reset || what.reset;
      break;
    case fault_kind::never_answer:
      to.never_answer = true;
      break;
    case fault_kind::slow_bytes:
      to.slow = true;
      to.between_bytes += what.pause;
      break;
    case fault_kind::delay_attention:
      to.attention_delay += what.pause;
      break;
    case fault_kind::ignore_attention:
      to.ignore_attention = true;
      break;
  }
}

}  // namespace

std::string_view name_of(fault_kind kind) noexcept {
  switch (kind) {
    case fault_kind::hold_request:
      return "hold_request";
    case fault_kind::think:
      return "think";
    case fault_kind::pause_in_answer:
      return "pause_in_answer";
    case fault_kind::cut_answer:
      return "cut_answer";
    case fault_kind::never_answer:
      return "never_answer";
    case fault_kind::slow_bytes:
      return "slow_bytes";
    case fault_kind::delay_attention:
      return "delay_attention";
    case fault_kind::ignore_attention:
      return "ignore_attention";
  }
  return "unknown";
}

std::uint64_t fault_counts::total() const noexcept {
  return hold_request + think + pause_in_answer + cut_answer + never_answer + slow_bytes + delay_attention +
         ignore_attention;
}

void fault_plan::add(fault what) {
  armed one{std::move(what), {}, 0, 0};
  one.random.seed(one.what.seed);
  faults_.push_back(std::move(one));
}

bool fault_plan::armed::strikes_now(std::string_view sql, std::uint64_t bytes) {
  if (bytes < what.min_bytes || bytes > what.max_bytes) return false;
  if (!what.contains.empty() && sql.find(what.contains) == std::string_view::npos) return false;
  if (what.matches && !what.matches(sql)) return false;
  ++candidates;
  if (candidates <= what.skip || strikes >= what.limit) return false;
  if (what.every_nth > 1 && (candidates - what.skip) % what.every_nth != 0) return false;
  // One draw a candidate whatever comes of it, so that the same seed strikes the same requests. Computed by
  // hand because the standard distributions differ between libraries.
  if (what.probability < 1.0) {
    const double draw = static_cast<double>(random() >> 11U) * 0x1.0p-53;
    if (draw >= what.probability) return false;
  }
  ++strikes;
  return true;
}

fault_counts fault_plan::counts() const noexcept {
  const auto of = [this](fault_kind kind) { return struck_[static_cast<std::size_t>(kind)].load(); };
  return {of(fault_kind::hold_request),    of(fault_kind::think),           of(fault_kind::pause_in_answer),
          of(fault_kind::cut_answer),      of(fault_kind::never_answer),    of(fault_kind::slow_bytes),
          of(fault_kind::delay_attention), of(fault_kind::ignore_attention)};
}

affliction fault_plan::judge(std::string_view sql, std::uint64_t bytes) {
  affliction out;
  for (auto& one : faults_) {
    if (!one.strikes_now(sql, bytes)) continue;
    apply(one.what, out);
    ++struck_[static_cast<std::size_t>(one.what.kind)];
  }
  return out;
}

}  // namespace tds::serving
