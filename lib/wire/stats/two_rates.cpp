// SPDX-License-Identifier: BSL-1.0
#include <wire/stats/binomial.hpp>
#include <wire/stats/two_rates.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wire::stats {
namespace {

/// Tables whose probabilities differ by less are equally probable: what lgamma leaves of exactness, as in R.
constexpr double tie = 1e-7;
constexpr double negligible = 1e-18;

/// The distribution of a's hits when hits and trials in all are given.
class hypergeometric {
 public:
  explicit hypergeometric(const two_rates& of)
      : a_{of.a_total}, b_{of.b_total}, hits_{of.a_hits + of.b_hits}, all_{log_choose(a_ + b_, hits_)} {}

  std::uint64_t least() const noexcept { return hits_ > b_ ? hits_ - b_ : 0; }
  std::uint64_t most() const noexcept { return std::min(hits_, a_); }

  std::uint64_t mode() const noexcept {
    const double at = (static_cast<double>(hits_) + 1) * (static_cast<double>(a_) + 1) /
                      (static_cast<double>(a_) + static_cast<double>(b_) + 2);
    return std::clamp(static_cast<std::uint64_t>(at), least(), most());
  }

  double log_probability(std::uint64_t x) const noexcept {
    return log_choose(a_, x) + log_choose(b_, hits_ - x) - all_;
  }

  /// P(X >= x), for an x above the mode.
  double sum_up(std::uint64_t x) const noexcept {
    double one = std::exp(log_probability(x)), sum = one;
    for (; x < most() && one > sum * negligible; ++x) {
      one *= real(a_ - x) / real(x + 1) * real(hits_ - x) / real(b_ + x + 1 - hits_);
      sum += one;
    }
    return sum;
  }

  /// P(X <= x), for an x below the mode.
  double sum_down(std::uint64_t x) const noexcept {
    double one = std::exp(log_probability(x)), sum = one;
    for (; x > least() && one > sum * negligible; --x) {
      one *= real(x) / real(a_ - x + 1) * real(b_ + x - hits_) / real(hits_ - x + 1);
      sum += one;
    }
    return sum;
  }

 private:
  static double real(std::uint64_t n) noexcept { return static_cast<double>(n); }

  std::uint64_t a_, b_, hits_;
  double all_;
};

/// The first of [from, to) for which `is` holds; `to` when there is none. Once it holds it goes on holding.
template <class Predicate>
std::uint64_t first_that(std::uint64_t from, std::uint64_t to, Predicate&& is) {
  while (from < to) {
    const auto middle = from + (to - from) / 2;
    if (is(middle)) {
      to = middle;
    } else {
      from = middle + 1;
    }
  }
  return from;
}

bool has_trials(const two_rates& of) noexcept { return of.a_total > 0 && of.b_total > 0; }

double rate(std::uint64_t hits, std::uint64_t total) noexcept {
  return static_cast<double>(hits) / static_cast<double>(total);
}

/// How likely the test comes out below `level` when b makes `n` trials at rate `b_rate`. Only a difference in
/// the direction observed counts.
double power_with(std::uint64_t a_hits, std::uint64_t a_total, std::uint64_t n, double b_rate, double level) {
  const double a_rate = rate(a_hits, a_total);
  const auto shows = [&](std::uint64_t b_hits) {
    return fisher_two_sided({a_hits, a_total, b_hits, n}) < level;
  };
  const auto same = std::min(n, static_cast<std::uint64_t>(std::llround(a_rate * static_cast<double>(n))));
  if (b_rate < a_rate) {
    // Of 0, 1, ... hits, those that show a difference come first.
    const auto end = first_that(0, same + 1, [&](std::uint64_t hits) { return !shows(hits); });
    return end == 0 ? 0 : binomial_at_most(end - 1, n, b_rate);
  }
  const auto begin = first_that(same, n + 1, shows);
  return begin > n ? 0 : binomial_at_least(begin, n, b_rate);
}

/// The same when a makes `n` trials too: the mean over so many equally likely counts of its hits.
double power_of_each(std::uint64_t n, double a_rate, double b_rate, double level) {
  constexpr int points = 20;
  double sum = 0;
  for (int i = 0; i < points; ++i) {
    const double share = (i + 0.5) / points;
    const auto hits =
        first_that(0, n, [&](std::uint64_t k) { return binomial_at_most(k, n, a_rate) >= share; });
    sum += power_with(hits, n, n, b_rate, level);
  }
  return sum / points;
}

constexpr std::uint64_t most_trials = 1'000'000'000;

/// The smallest n from `from` on, as good as, for which `enough` holds.
template <class Predicate>
std::optional<std::uint64_t> smallest(std::uint64_t from, Predicate&& enough) {
  auto low = std::max<std::uint64_t>(from, 1);
  auto high = low;
  while (!enough(high)) {
    low = high;
    high *= 2;
    if (high > most_trials) return std::nullopt;
  }
  return first_that(low, high, enough);
}

}  // namespace

double fisher_two_sided(const two_rates& counts) noexcept {
  if (!has_trials(counts)) return 1;
  const hypergeometric x{counts};
  const auto observed = counts.a_hits;
  const auto mode = x.mode();
  const double limit = x.log_probability(observed) + tie;
  if (limit >= x.log_probability(mode)) return 1;
  const auto rare = [&](std::uint64_t at) { return x.log_probability(at) <= limit; };
  double sum = 0;
  if (observed > mode) {
    sum = x.sum_up(observed);
    // Below the mode, tables get rarer downwards: the first of them that is no longer rare.
    const auto end = first_that(x.least(), mode, [&](std::uint64_t at) { return !rare(at); });
    if (end > x.least()) sum += x.sum_down(end - 1);
  } else {
    sum = x.sum_down(observed);
    const auto begin = first_that(mode, x.most() + 1, rare);
    if (begin <= x.most()) sum += x.sum_up(begin);
  }
  return std::min(sum, 1.0);
}

double fisher_a_more(const two_rates& counts) noexcept {
  if (!has_trials(counts)) return 1;
  const hypergeometric x{counts};
  if (counts.a_hits <= x.least()) return 1;
  if (counts.a_hits > x.mode()) return std::min(x.sum_up(counts.a_hits), 1.0);
  return std::max(1 - x.sum_down(counts.a_hits - 1), 0.0);
}

trials_needed trials_to_tell_apart(const two_rates& observed, double level, double power) {
  trials_needed out;
  if (!has_trials(observed)) return out;
  const double a_rate = rate(observed.a_hits, observed.a_total);
  const double b_rate = rate(observed.b_hits, observed.b_total);
  if (a_rate == b_rate) return out;
  const auto with_more = smallest(observed.b_total, [&](std::uint64_t n) {
    return power_with(observed.a_hits, observed.a_total, n, b_rate, level) >= power;
  });
  if (with_more) out.more_of_b = *with_more - observed.b_total;
  out.of_each =
      smallest(2, [&](std::uint64_t n) { return power_of_each(n, a_rate, b_rate, level) >= power; });
  return out;
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> out(p_values.size());
  double so_far = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const auto left = static_cast<double>(order.size() - rank);
    so_far = std::max(so_far, std::min(1.0, left * p_values[order[rank]]));
    out[order[rank]] = so_far;
  }
  return out;
}

}  // namespace wire::stats
