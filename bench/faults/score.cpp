// SPDX-License-Identifier: BSL-1.0
#include "score.hpp"

#include <bench/harness/split_words.hpp>
#include <bench/harness/units.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace wiregap::faults {

namespace {

using wire::diagnose::cause;
using wire::diagnose::confidence;
using wire::diagnose::finding;
using wire::diagnose::request_ref;

constexpr double layers_to_reach = 0.99, causes_to_reach = 0.95;
// Of each kind of fault, so that frequent ones do not hide a rare one that is never recognised.
constexpr double each_to_reach = 0.75;
constexpr const char* nothing = "-";

bool is_right_layer(const truth& is, wire::exchange::layer_set found) {
  bool named = is.where == wire::exchange::layer_set{} && found == is.where;  // of connecting
  for (const auto l : wire::exchange::layers) {
    if (found.has(l) && !is.where.has(l) && !is.inseparable.has(l)) return false;
    named = named || (found.has(l) && is.where.has(l));
  }
  return named;
}

bool is_right_cause(const truth& is, cause found) {
  return std::ranges::find(is.causes, found) != is.causes.end();
}

/// Reads a run once: which finding counts a request, which fault struck it.
class reader {
 public:
  reader(const scenario& of, const run_result& run) : of_{of}, run_{run} {
    for (const auto& one : run.report.findings) {
      for (const auto& ref : one.requests) by_request_.emplace(ref, &one);
    }
    strikes_ = run.strikes;
    std::ranges::sort(strikes_, {}, &strike::from);
  }

  const finding* finding_of(const asked& one) const {
    const auto found = by_request_.find(one.which);
    return found == by_request_.end() ? nullptr : found->second;
  }

  /// What struck it: several can, and then the diagnosis may name any.
  std::vector<const truth*> truths_of(const asked& one) const {
    std::vector<const truth*> out;
    for (const auto& s : strikes_) {
      if (s.from > one.to) break;
      if (s.to >= one.from) out.push_back(s.is);
    }
    if (out.empty() && of_.always) out.push_back(&*of_.always);
    return out;
  }

  std::string words(const asked& one) const {
    for (const auto& slow : run_.slow) {
      if (request_ref{slow.exchange.connection_id, slow.exchange.id} == one.which) {
        return split_in_words(slow.exchange);
      }
    }
    return {};
  }

 private:
  const scenario& of_;
  const run_result& run_;
  std::map<request_ref, const finding*> by_request_;
  std::vector<strike> strikes_;
};

/// That which the finding fits best.
const truth* best_of(const std::vector<const truth*>& truths, const finding* found) {
  if (truths.empty()) return nullptr;
  return *std::ranges::max_element(truths, {}, [found](const truth* is) {
    if (!found) return 0;
    return (is_right_cause(*is, found->cause) ? 2 : 0) + (is_right_layer(*is, found->layers) ? 1 : 0);
  });
}

std::string line(const scenario& of, const asked& one, const truth* is, const finding* found,
                 const std::string& split) {
  const nanoseconds took{one.to.ns() - one.from.ns()};
  return fmt::format("{}: request {} of {}: {} in {}, said: {} in {}; {}", of.name, one.which.id,
                     in_words(took), is ? is->name : "nothing", is ? name_of(is->where) : nothing,
                     found ? name_of(found->cause) : nothing, found ? layer_name(*found) : nothing, split);
}

bool is_no_stall(const finding* found) {
  return found && (found->cause == cause::steady || found->cause == cause::path_delay ||
                   found->cause == cause::jitter);
}

// The control thread saw it: that is what this cause is made of, and nothing else.
bool is_this_machines(const finding* found) { return found && found->cause == cause::client_scheduling; }

}  // namespace

score& score::operator+=(const score& more) {
  requests += more.requests;
  stalls += more.stalls;
  right_layer += more.right_layer;
  right_cause += more.right_cause;
  proved_wrong += more.proved_wrong;
  false_stalls += more.false_stalls;
  this_machines += more.this_machines;
  for (const auto& [pair, count] : more.matrix) matrix[pair] += count;
  for (const auto& [name, of] : more.by_truth) {
    auto& kind = by_truth[name];
    kind.stalls += of.stalls;
    kind.right_layer += of.right_layer;
    kind.right_cause += of.right_cause;
  }
  wrong.insert(wrong.end(), more.wrong.begin(), more.wrong.end());
  return *this;
}

score judge(const scenario& of, const run_result& run) {
  score out;
  const reader read{of, run};
  for (const auto& one : run.requests) {
    ++out.requests;
    if (!one.slow) continue;
    const auto* found = read.finding_of(one);
    const auto truths = read.truths_of(one);
    if (truths.empty() && is_no_stall(found)) continue;
    if (truths.empty() && is_this_machines(found)) {
      ++out.this_machines;
      continue;
    }
    const auto* is = best_of(truths, found);
    ++out.matrix[{is ? is->name : nothing, found ? std::string{name_of(found->cause)} : nothing}];
    const bool layer = is && found && is_right_layer(*is, found->layers);
    const bool cause = is && found && is_right_cause(*is, found->cause);
    if (is) {
      ++out.stalls;
      if (layer) ++out.right_layer;
      if (cause) ++out.right_cause;
      auto& kind = out.by_truth[is->name];
      ++kind.stalls;
      if (layer) ++kind.right_layer;
      if (cause) ++kind.right_cause;
    } else {
      ++out.false_stalls;
    }
    if (found && found->confidence == confidence::proved && !(layer && cause)) ++out.proved_wrong;
    if (!layer || !cause) out.wrong.push_back(line(of, one, is, found, read.words(one)));
  }
  return out;
}

std::vector<std::string> shortcomings(const scenario& of, const score& its) {
  if (of.strikes() && its.stalls == 0) return {of.name + ": nothing was struck"};
  if (of.strikes() || its.false_stalls == 0) return {};
  return {fmt::format("{}: {} stalls were reported and nothing was broken", of.name, its.false_stalls)};
}

std::vector<std::string> shortcomings(const score& total) {
  std::vector<std::string> out;
  const auto share = [&](std::uint64_t of) {
    return total.stalls == 0 ? 1.0 : static_cast<double>(of) / static_cast<double>(total.stalls);
  };
  if (share(total.right_layer) < layers_to_reach) {
    out.push_back(fmt::format("{:.1f} % of the stalls have the right layer; {:.0f} % are asked",
                              100 * share(total.right_layer), 100 * layers_to_reach));
  }
  if (share(total.right_cause) < causes_to_reach) {
    out.push_back(fmt::format("{:.1f} % have the right cause; {:.0f} % are asked",
                              100 * share(total.right_cause), 100 * causes_to_reach));
  }
  for (const auto& [name, kind] : total.by_truth) {
    const auto least = each_to_reach * static_cast<double>(kind.stalls);
    if (static_cast<double>(std::min(kind.right_layer, kind.right_cause)) >= least) continue;
    out.push_back(fmt::format("{}: of {} stalls {} have the right layer, {} the right cause", name,
                              kind.stalls, kind.right_layer, kind.right_cause));
  }
  if (total.proved_wrong > 0)
    out.push_back(fmt::format("{} wrong ones are marked proved", total.proved_wrong));
  return out;
}

}  // namespace wiregap::faults
