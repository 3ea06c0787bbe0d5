// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/compare_words.hpp>
#include <bench/harness/units.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wiregap {

namespace {

/// Rounded up to two digits: more would promise too much.
std::uint64_t about(std::uint64_t n) {
  std::uint64_t unit = 1;
  while (n / unit >= 100) unit *= 10;
  return (n + unit - 1) / unit * unit;
}

std::string limit_in_words(std::chrono::nanoseconds limit) {
  return fmt::format("{:g} ms", static_cast<double>(limit.count()) / 1e6);
}

/// A difference that was shown, and how it is said.
struct finding {
  int rank{};  ///< the lowest decides
  change is{};
  std::string sentence{};
};

std::string share_of(std::uint64_t hits, std::uint64_t of) {
  return percent(of == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(of));
}

std::string of_size(const compared_row& row) {
  return row.request_bytes ? fmt::format(" of {}", size_label(row)) : "";
}

std::string sentence_of(const rate_change& r, const compared_row& row, std::chrono::nanoseconds limit) {
  return fmt::format("{} of {} requests{} took {} or longer ({}), before {} of {} ({}), p {}", r.after,
                     r.after_of, of_size(row), limit_in_words(limit), share_of(r.after, r.after_of), r.before,
                     r.before_of, share_of(r.before, r.before_of), p_in_words(r.p));
}

std::string sentence_of(const quantile_change& q, const compared_row& row) {
  return fmt::format("p{:g} of {} is {}, before {}, p {}", q.share * 100, size_label(row),
                     in_words(q.after.value), in_words(q.before.value), p_in_words(q.p));
}

class reader {
 public:
  explicit reader(const comparison& of) : of_(of) {}

  std::vector<finding> findings() {
    add(0, of_.all.bad, of_.all, of_.before.bad);
    add(1, of_.all.good, of_.all, of_.before.good);
    for (const auto& row : of_.sizes) add(2, row.bad, row, of_.before.bad);
    for (const auto& row : of_.sizes) add(3, row.good, row, of_.before.good);
    for (const auto& q : of_.all.quantiles) add(4, q, of_.all);
    for (const auto& row : of_.sizes) {
      for (const auto& q : row.quantiles) add(5, q, row);
    }
    // Among equals what got worse speaks first.
    std::ranges::stable_sort(out_, {}, [](const finding& f) {
      return std::pair{f.rank, f.is == change::worse ? 0 : 1};
    });
    return std::move(out_);
  }

 private:
  void add(int rank, const rate_change& one, const compared_row& row, std::chrono::nanoseconds limit) {
    if (shown(one.is)) out_.push_back({rank, one.is, sentence_of(one, row, limit)});
  }
  void add(int rank, const quantile_change& one, const compared_row& row) {
    if (shown(one.is)) out_.push_back({rank, one.is, sentence_of(one, row)});
  }
  static bool shown(change c) { return c == change::better || c == change::worse; }

  const comparison& of_;
  std::vector<finding> out_;
};

std::string what_would_do(const rate_change& r) {
  if (r.needed.more_of_b && *r.needed.more_of_b > 0) {
    return fmt::format("About {} more requests in the second run would tell{}.", about(*r.needed.more_of_b),
                       r.after == 0 ? ", if none of them takes that long" : ", if they fare the same");
  }
  if (r.needed.of_each) {
    return fmt::format(
        "About {} requests in each run would tell, if the rates are what they seem (probe --count {}).",
        about(*r.needed.of_each), about(*r.needed.of_each));
  }
  return "More than 1000000000 requests would be needed to tell.";
}

std::string not_enough(const rate_change& r, std::chrono::nanoseconds limit) {
  return fmt::format(
      "Not enough data: {} of {} requests took {} or longer, before {} of {}, which chance alone may do "
      "(p {}). {}",
      r.after, r.after_of, limit_in_words(limit), r.before, r.before_of, p_in_words(r.p), what_would_do(r));
}

std::string no_difference(const comparison& of) {
  const auto& bad = of.all.bad;
  if (bad.before == 0 && bad.after == 0) {
    const double rate = wire::stats::rate_at_most(0, bad.after_of);
    return fmt::format(
        "Same: no request took {} or longer, before or after; whatever is left of it, fewer than {} do "
        "(95 %).",
        limit_in_words(of.before.bad), percent(rate));
  }
  return fmt::format("Same: no difference shown: {}.", sentence_of(bad, of.all, of.before.bad));
}

void remark_on_runs(comparison& of) {
  const auto& before = of.before;
  const auto& after = of.after;
  for (const auto* run : {&before, &after}) {
    if (!run->problem.empty())
      of.remarks.push_back(fmt::format("{} ended early: {}", run->file, run->problem));
  }
  if (before.server != after.server) {
    of.remarks.push_back(fmt::format("the servers differ: {}, then {}", before.server, after.server));
  }
  if (after.began < before.began) {
    of.remarks.push_back(
        fmt::format("{} was measured after {}: are they in their order?", before.file, after.file));
  }
}

/// Both lists are sorted by name.
void remark_on_settings(comparison& of) {
  auto b = of.before.host.begin();
  auto a = of.after.host.begin();
  const auto remark = [&](const std::string& name, const std::string& was, const std::string& is) {
    of.remarks.push_back(fmt::format("setting changed: {} was {}, is {}", name, was, is));
  };
  while (b != of.before.host.end() || a != of.after.host.end()) {
    if (a == of.after.host.end() || (b != of.before.host.end() && b->name < a->name)) {
      remark(b->name, b->value, "not known");
      ++b;
    } else if (b == of.before.host.end() || a->name < b->name) {
      remark(a->name, "not known", a->value);
      ++a;
    } else {
      if (a->value != b->value) remark(a->name, b->value, a->value);
      ++a;
      ++b;
    }
  }
}

}  // namespace

std::string percent(double share) {
  const double value = share * 100;
  if (value == 0) return "0 %";
  if (value >= 1) return fmt::format("{:.3g} %", value);
  return fmt::format("{:.2g} %", value);
}

std::string p_in_words(double p) {
  constexpr double least = 1e-12;  // below it, only the assumptions are in doubt
  if (p < least) return fmt::format("< {:g}", least);
  return fmt::format("= {:.2g}", p);
}

std::string size_label(const compared_row& row) {
  if (!row.request_bytes) return "all sizes";
  if (row.response_bytes.value_or(0) == 0) return fmt::format("{} B", *row.request_bytes);
  return fmt::format("{} B, answer {} B", *row.request_bytes, *row.response_bytes);
}

void say_in_words(comparison& of) {
  const auto findings = reader{of}.findings();
  if (!findings.empty()) {
    const auto& first = findings.front();
    of.verdict = first.is;
    of.summary = fmt::format("{}: {}.", first.is == change::better ? "Better" : "Worse", first.sentence);
    for (const auto& other : findings) {
      if (other.is != first.is)
        of.remarks.push_back(fmt::format("but {}: {}", name_of(other.is), other.sentence));
    }
  } else if (of.all.bad.is == change::not_enough_data || of.all.good.is == change::not_enough_data) {
    of.verdict = change::not_enough_data;
    of.summary = of.all.bad.is == change::not_enough_data ? not_enough(of.all.bad, of.before.bad)
                                                          : not_enough(of.all.good, of.before.good);
  } else {
    of.summary = no_difference(of);
  }
  remark_on_runs(of);
  remark_on_settings(of);
}

}  // namespace wiregap
