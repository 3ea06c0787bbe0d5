// SPDX-License-Identifier: BSL-1.0
// A receiver that waits for PSH shows at one point of capture, too: its segments lack the flag there, and
// those of exchanges that did not wait have it.
#include <bench/harness/analysis.hpp>

#include <algorithm>
#include <string>

namespace wiregap {

namespace {

using wire::diagnose::cause;
using wire::diagnose::confidence;
using wire::diagnose::finding;

/// What the ledger has of the exchanges of a finding.
struct tally {
  std::uint64_t known{}, without{};
};

tally count(const finding& found, const analysis& of) {
  tally out;
  for (const auto& one : found.requests) {
    const auto* push = of.push_of(one);
    if (push == nullptr || !push->request) continue;
    ++out.known;
    out.without += *push->request ? 0U : 1U;
  }
  return out;
}

bool may_be_push_hold(const finding& found) {
  return found.cause == cause::push_hold || found.cause == cause::unknown;
}

void lacked(finding& to, const tally& seen, const push_of_the_good& good) {
  to.evidence.push_back({"requests_without_psh", static_cast<double>(seen.without), "count",
                         "at this point of capture the last segment of the request lacked PSH in " +
                             std::to_string(seen.without) + " of these " + std::to_string(seen.known) +
                             ", and in " + std::to_string(good.requests_without) + " of the " +
                             std::to_string(good.exchanges) + " that did not wait"});
  if (to.cause != cause::push_hold || seen.without != seen.known || good.requests_without != 0) return;
  if (to.confidence == confidence::possible && good.exchanges != 0) to.confidence = confidence::likely;
  to.would_tell.push_back("a capture at the client's end: whether PSH was there when the request left");
}

}  // namespace

void add_push_evidence(std::vector<finding>& to, const analysis& of) {
  for (auto& found : to) {
    const auto seen = count(found, of);
    if (seen.known == 0 || !may_be_push_hold(found)) continue;
    if (seen.without != 0) {
      lacked(found, seen, of.good_pushes());
    } else if (found.cause == cause::push_hold) {
      found.evidence.push_back(
          {"requests_without_psh", 0, "count",
           "at this point of capture the last segment of every request had PSH: what lost it, if "
           "anything did, lies behind it"});
    }
  }
}

}  // namespace wiregap
