// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/compare.hpp>
#include <bench/harness/compare_words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace wiregap {

namespace {

using wire::stats::bucket;

constexpr double level = 0.05;
constexpr std::array shares{0.5, 0.9, 0.99, 0.999};
/// A rate that is not shown to differ counts as the same within this factor.
constexpr double alike = 1.5;
/// One or two requests over the good limit happen on any machine.
constexpr std::uint64_t few_over_good = 3;

measured_run::per_size sum_of(const measured_run& run) {
  measured_run::per_size out;
  for (const auto& size : run.sizes) {
    out.requests += size.requests;
    out.over_good += size.over_good;
    out.over_bad += size.over_bad;
    out.buckets = wire::stats::merge_buckets(out.buckets, size.buckets);
  }
  return out;
}

rate_change compare_rates(std::uint64_t before, std::uint64_t before_of, std::uint64_t after,
                          std::uint64_t after_of) {
  rate_change out{before, before_of, after, after_of, {}, {}, 1, 1, {}, {}};
  out.before_rate = wire::stats::rate_interval(before, before_of);
  out.after_rate = wire::stats::rate_interval(after, after_of);
  out.p = wire::stats::fisher_two_sided({before, before_of, after, after_of});
  return out;
}

compared_row compare_row(const measured_run::per_size& before, const measured_run::per_size& after) {
  compared_row out;
  out.bad = compare_rates(before.over_bad, before.requests, after.over_bad, after.requests);
  out.good = compare_rates(before.over_good, before.requests, after.over_good, after.requests);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    auto& q = out.quantiles[i];
    q.share = shares[i];
    q.before = wire::stats::estimate_quantile(before.buckets, q.share);
    q.after = wire::stats::estimate_quantile(after.buckets, q.share);
    q.p = wire::stats::quantiles_differ(before.buckets, after.buckets, q.share);
  }
  return out;
}

double rate(std::uint64_t hits, std::uint64_t of) {
  return of == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(of);
}

void judge(rate_change& one, std::uint64_t few) {
  const double before = rate(one.before, one.before_of), after = rate(one.after, one.after_of);
  if (one.adjusted < level) {
    one.is = after < before ? change::better : change::worse;
    return;
  }
  const bool look_alike = std::max(before, after) < alike * std::min(before, after);
  if (look_alike || std::max(one.before, one.after) < few) return;
  one.is = change::not_enough_data;
}

void judge(quantile_change& one, std::chrono::nanoseconds good) {
  if (one.adjusted >= level) return;
  const auto before = one.before.value, after = one.after.value;
  const auto moved = before < after ? after - before : before - after;
  if (moved < std::min(before, after) / 10 || moved < good / 100) return;
  one.is = after < before ? change::better : change::worse;
}

/// Holm's method over p-values wherever they stand.
void adjust(const std::vector<std::pair<double, double*>>& family) {
  std::vector<double> p;
  for (const auto& [value, into] : family) p.push_back(value);
  const auto adjusted = wire::stats::holm(p);
  for (std::size_t i = 0; i < family.size(); ++i) *family[i].second = adjusted[i];
}

void judge_all(comparison& of) {
  adjust({{of.all.bad.p, &of.all.bad.adjusted}, {of.all.good.p, &of.all.good.adjusted}});
  std::vector<std::pair<double, double*>> others;
  for (auto& q : of.all.quantiles) others.emplace_back(q.p, &q.adjusted);
  for (auto& row : of.sizes) {
    others.emplace_back(row.bad.p, &row.bad.adjusted);
    others.emplace_back(row.good.p, &row.good.adjusted);
    for (auto& q : row.quantiles) others.emplace_back(q.p, &q.adjusted);
  }
  adjust(others);
  const auto judge_row = [&](compared_row& row) {
    judge(row.bad, 1);
    judge(row.good, few_over_good);
    for (auto& q : row.quantiles) judge(q, of.before.good);
  };
  judge_row(of.all);
  for (auto& row : of.sizes) judge_row(row);
  for (auto* one : {&of.all.bad, &of.all.good}) {
    if (one->is != change::not_enough_data) continue;
    one->needed = wire::stats::trials_to_tell_apart({one->before, one->before_of, one->after, one->after_of},
                                                    level / 2);
  }
}

/// The sizes of `after` in the order of `before`.
void match_sizes(const measured_run& before, measured_run& after) {
  const auto key = [](const measured_run::per_size& s) {
    return std::tie(s.request_bytes, s.response_bytes);
  };
  std::vector<measured_run::per_size> matched;
  for (const auto& size : before.sizes) {
    const auto found =
        std::ranges::find_if(after.sizes, [&](const auto& other) { return key(other) == key(size); });
    if (found == after.sizes.end()) break;
    matched.push_back(std::move(*found));
  }
  if (matched.size() != before.sizes.size() || matched.size() != after.sizes.size()) {
    throw not_comparable{
        fmt::format("{} and {} measured different sizes; give both runs the same --sizes and packet "
                    "size",
                    before.file, after.file)};
  }
  after.sizes = std::move(matched);
}

}  // namespace

std::string_view name_of(change c) noexcept {
  switch (c) {
    case change::same:
      return "same";
    case change::better:
      return "better";
    case change::worse:
      return "worse";
    case change::not_enough_data:
      return "not_enough_data";
  }
  return "same";
}

comparison compare(measured_run before, measured_run after) {
  if (before.good != after.good || before.bad != after.bad) {
    throw not_comparable{
        fmt::format("{} and {} have different limits; give both runs the same --good and --bad", before.file,
                    after.file)};
  }
  match_sizes(before, after);
  comparison out;
  out.all = compare_row(sum_of(before), sum_of(after));
  for (std::size_t i = 0; i < before.sizes.size(); ++i) {
    auto row = compare_row(before.sizes[i], after.sizes[i]);
    row.request_bytes = before.sizes[i].request_bytes;
    row.response_bytes = before.sizes[i].response_bytes;
    out.sizes.push_back(row);
  }
  out.before = std::move(before);
  out.after = std::move(after);
  judge_all(out);
  say_in_words(out);
  return out;
}

}  // namespace wiregap
