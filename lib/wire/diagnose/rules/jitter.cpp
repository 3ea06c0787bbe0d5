// SPDX-License-Identifier: BSL-1.0
// Requests of a size that is usually below the limit, but not far: queues and scheduling take a few
// milliseconds now and then, and that sufficed.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>
#include <wire/diagnose/text.hpp>
#include <wire/stats/spread.hpp>

#include <utility>
#include <vector>

namespace wire::diagnose::rules {

finding jitter(const suspects& s) {
  auto f = describe(s, cause::jitter, confidence::likely);
  std::vector<nanoseconds> over;
  for (const auto& one : s.stalls()) over.push_back(one.excess);
  f.summary = "A little over the good limit: " + text::duration(stats::median_of(std::move(over))) +
              " (median) beyond what their size usually takes, as queues and schedulers do. No stall.";
  f.would_tell = {"nothing here is long enough to be told from chance; a higher good limit would pass it"};
  add_facts(f, s);
  return f;
}

}  // namespace wire::diagnose::rules
