// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/compare_words.hpp>
#include <bench/harness/lines.hpp>
#include <bench/harness/units.hpp>

#include <fmt/format.h>

#include <utility>

namespace wiregap {

namespace {

constexpr std::array quantile_names{"p50", "p90", "p99", "p99.9"};

const char* color_of(change c) {
  switch (c) {
    case change::better:
      return "32";
    case change::worse:
      return "31";
    case change::not_enough_data:
      return "33";
    case change::same:
      break;
  }
  return "0";
}

/// For a table: nothing where nothing is to be said.
std::string_view mark(change c) {
  switch (c) {
    case change::better:
      return "better";
    case change::worse:
      return "worse";
    case change::not_enough_data:
      return "too few";
    case change::same:
      break;
  }
  return "";
}

/// Under a heading that says p, the sign of equality says nothing.
std::string p_cell(double p) {
  auto out = p_in_words(p);
  if (out.starts_with("= ")) out.erase(0, 2);
  return out;
}

class printer : line_writer {
 public:
  printer(const comparison& of, bool color) : line_writer(color), of_(of) {}

  std::string print() {
    run("Before", of_.before);
    run("After", of_.after);
    line("");
    rates();
    line("");
    quantiles();
    line("");
    sizes();
    if (!of_.remarks.empty()) line("");
    for (const auto& remark : of_.remarks) line("Note: {}", remark);
    line("");
    line("{}", painted(of_.summary, fmt::format("1;{}", color_of(of_.verdict)), color_));
    return std::move(out_);
  }

 private:
  void heading(std::string_view text) { line("{}", painted(text, "1", color_)); }
  void row(change is, std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);

    line("{}", painted(text, color_of(is), color_ && is != change::same));
  }

  void run(std::string_view when, const measured_run& run) {
    std::uint64_t requests = 0;
    for (const auto& size : run.sizes) requests += size.requests;
    line("{} {} ({}): {} requests in {}, begun {}", painted(fmt::format("{:<6}", when), "1", color_),
         run.file, run.server, requests, in_words(run.took), run.began);
  }

  void rates() {
    heading("Requests over the limits (intervals of 95 %, Fisher's exact test)");
    line("  {:<14} {:>18} {:>20} {:>18} {:>20} {:>9}", "", "before", "", "after", "", "p");
    rate(fmt::format("over {:g} ms", in_ms(of_.before.bad)), of_.all.bad);
    rate(fmt::format("over {:g} ms", in_ms(of_.before.good)), of_.all.good);
  }

  static double in_ms(std::chrono::nanoseconds span) { return static_cast<double>(span.count()) / 1e6; }

  void rate(const std::string& name, const rate_change& r) {
    const auto between = [](const wire::stats::interval& i) {
      return fmt::format("{} to {}", percent(i.low), percent(i.high));
    };
    row(r.is, fmt::format("  {:<14} {:>18} {:>20} {:>18} {:>20} {:>9}  {}", name,
                          fmt::format("{} of {}", r.before, r.before_of), between(r.before_rate),
                          fmt::format("{} of {}", r.after, r.after_of), between(r.after_rate), p_cell(r.p),
                          mark(r.is)));
  }

  void quantiles() {
    heading("Round trips of all sizes (intervals of 95 %, free of any distribution)");
    line("  {:<6} {:>12} {:>26} {:>12} {:>26} {:>9}", "", "before", "", "after", "", "p");
    for (std::size_t i = 0; i < of_.all.quantiles.size(); ++i) {
      const auto& q = of_.all.quantiles[i];
      row(q.is, fmt::format("  {:<6} {:>12} {:>26} {:>12} {:>26} {:>9}  {}", quantile_names[i],
                            in_words(q.before.value), between(q.before), in_words(q.after.value),
                            between(q.after), p_cell(q.p), mark(q.is)));
    }
  }

  static std::string between(const wire::stats::quantile_estimate& q) {
    if (!q.low && !q.high) return "too few requests";
    if (!q.high) return fmt::format("from {}", in_words(*q.low));
    if (!q.low) return fmt::format("up to {}", in_words(*q.high));
    return fmt::format("{} to {}", in_words(*q.low), in_words(*q.high));
  }

  void sizes() {
    heading("By size: over the limits, and p50 and p99, before -> after");
    line("  {:>10} {:>10} {:>19} {:>19} {:>25} {:>25}", "request", "answer",
         fmt::format("over {:g}ms", in_ms(of_.before.bad)),
         fmt::format("over {:g}ms", in_ms(of_.before.good)), "p50", "p99");
    for (const auto& one : of_.sizes) {
      const auto is = worst(one);
      row(is, fmt::format(
                  "  {:>10} {:>10} {:>19} {:>19} {:>25} {:>25}  {}", fmt::format("{} B", *one.request_bytes),
                  *one.response_bytes == 0 ? "-" : fmt::format("{} B", *one.response_bytes), counts(one.bad),
                  counts(one.good), times(one.quantiles[0]), times(one.quantiles[2]), mark(is)));
    }
  }

  static std::string counts(const rate_change& r) {
    return fmt::format("{}/{} -> {}/{}", r.before, r.before_of, r.after, r.after_of);
  }
  static std::string times(const quantile_change& q) {
    return fmt::format("{} -> {}", in_words(q.before.value), in_words(q.after.value));
  }

  /// Of a size: what got worse, else what got better. That there is little data for a single size is no news.
  static change worst(const compared_row& one) {
    change out = change::same;
    const auto take = [&](change c) {
      if (c == change::worse || (c == change::better && out == change::same)) out = c;
    };
    take(one.bad.is);
    take(one.good.is);
    for (const auto& q : one.quantiles) take(q.is);
    return out;
  }

  const comparison& of_;
};

}  // namespace

std::string comparison_text(const comparison& of, bool color) { return printer{of, color}.print(); }

}  // namespace wiregap
