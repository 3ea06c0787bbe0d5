// SPDX-License-Identifier: BSL-1.0
#include <wire/link/impairment.hpp>

namespace wire::link {
namespace {

std::string problem_of(const selection& when) {
  if (when.every == 0) return "every is at least 1";
  if (!(when.probability >= 0 && when.probability <= 1)) return "a probability lies between 0 and 1";
  if (when.count == counting::messages && when.of != subject::data) return "messages consist of data only";
  return {};
}

std::string problem_of(const merging& merge) {
  if (merge.window < nanoseconds{}) return "the merge window is negative";
  // A unit of one whole segment must fit, and an IPv4 packet holds no more than its length field says.
  if (merge.max_bytes < 1500 || merge.max_bytes > 65535) return "merged units have 1500 to 65535 bytes";
  return problem_of(merge.lost_in);
}

}  // namespace

const char* name_of(fault_kind kind) noexcept {
  constexpr const char* names[fault_kinds] = {"lose", "duplicate", "reorder", "delay", "clear_push"};
  return names[static_cast<std::size_t>(kind)];
}

std::string problem_of(const impairment& wanted) {
  if (wanted.delay < nanoseconds{} || wanted.jitter < nanoseconds{}) return "a delay is negative";
  if (wanted.rate != 0 && wanted.queue < 1500) return "the queue must hold a packet of 1500 bytes";
  for (const auto& one : wanted.faults) {
    if (one.by < nanoseconds{}) return std::string{name_of(one.kind)} + ": the time is negative";
    if (auto text = problem_of(one.when); !text.empty()) return std::string{name_of(one.kind)} + ": " + text;
  }
  for (const auto& one : wanted.pauses) {
    if (one.at < nanoseconds{} || one.length <= nanoseconds{}) return "a pause needs a length";
    if (one.every != nanoseconds{} && one.every <= one.length) {
      return "a pause that comes again must end before it does";
    }
  }
  if (wanted.merge) {
    if (auto text = problem_of(*wanted.merge); !text.empty()) return "merging: " + text;
  }
  if (wanted.hold && (wanted.hold->timer <= nanoseconds{} || wanted.hold->buffer == 0)) {
    return "a receiver that holds needs a timer and a buffer";
  }
  return {};
}

}  // namespace wire::link
