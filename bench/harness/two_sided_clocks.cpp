// SPDX-License-Identifier: BSL-1.0
// Two captures have two clocks. No packet arrives before it was sent, so that the fastest of either way bound
// their difference from both sides, as NTP has it; the bounds of many short stretches show the drift.
#include <bench/harness/two_sided.hpp>

#include <algorithm>

namespace wiregap {

namespace {

using std::chrono::nanoseconds;
using wire::clock::between;

constexpr std::size_t stretches = 16;
/// With fewer exchanges a stretch says nothing of the drift.
constexpr std::size_t least_pairs = 8 * stretches;

/// What the exchanges of a stretch say of the difference: it lies between the two.
struct bounds {
  nanoseconds least = nanoseconds::min(), most = nanoseconds::max();

  void add(nanoseconds low, nanoseconds high) noexcept {
    least = std::max(least, low);
    most = std::min(most, high);
  }
  /// Where both ways take the same time.
  double middle() const noexcept {
    return static_cast<double>(least.count()) + static_cast<double>((most - least).count()) / 2;
  }
};

/// On the way there the request takes as long as the difference of its two times less that of the clocks.
bounds bounds_of(const both_views& one, double correction) {
  const auto there = *between(one.at_client.sent, one.at_server.sent);
  const auto back = *between(one.at_client.answered, one.at_server.answered);
  const nanoseconds shift{static_cast<std::int64_t>(correction)};
  return {back - shift, there - shift};
}

double since(const both_views& one, wire::clock::stamp from) {
  return static_cast<double>(between(from, one.at_client.sent)->count());
}

/// Slope of the least squares through the middles of the stretches, in parts of one.
double drift_of(const std::vector<both_views>& pairs, wire::clock::stamp from) {
  if (pairs.size() < least_pairs) return 0;
  double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  const double first = static_cast<double>(bounds_of(pairs.front(), 0).most.count());
  for (std::size_t k = 0; k < stretches; ++k) {
    const auto begin = pairs.size() * k / stretches, end = pairs.size() * (k + 1) / stretches;
    bounds all;
    for (auto i = begin; i < end; ++i) {
      const auto b = bounds_of(pairs[i], 0);
      all.add(b.least, b.most);
    }
    const double x = since(pairs[(begin + end) / 2], from), y = all.middle() - first;
    n += 1;
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
  }
  const double spread = n * sum_xx - sum_x * sum_x;
  return spread > 0 ? (n * sum_xy - sum_x * sum_y) / spread : 0;
}

}  // namespace

clock_relation relate_clocks(const std::vector<both_views>& pairs) {
  clock_relation out;
  if (pairs.empty()) return out;
  out.from = pairs.front().at_client.sent;
  double drift = drift_of(pairs, out.from);
  // No clock of a computer is as far off: noise.
  constexpr double most_drift = 500e-6;
  if (drift > most_drift || drift < -most_drift) drift = 0;
  bounds all;
  for (const auto& one : pairs) {
    const auto b = bounds_of(one, drift * since(one, out.from));
    all.add(b.least, b.most);
  }
  out.drift_ppm = drift * 1e6;
  out.offset = nanoseconds{static_cast<std::int64_t>(all.middle())};
  const auto width = all.most - all.least;
  out.error = (width < nanoseconds::zero() ? -width : width) / 2;
  return out;
}

divided_gap divide(const both_views& of, const clock_relation& by) {
  const auto server = *between(of.at_server.sent, of.at_server.answered);
  const auto path = *between(of.at_client.sent, of.at_client.answered) - server;
  const nanoseconds offset =
      by.offset + nanoseconds{static_cast<std::int64_t>(since(of, by.from) * by.drift_ppm / 1e6)};
  const auto there = *between(of.at_client.sent, of.at_server.sent) - offset;
  divided_gap out;
  out.server = std::max(server, nanoseconds::zero());
  out.request_path = std::clamp(there, nanoseconds::zero(), std::max(path, nanoseconds::zero()));
  out.response_path = std::max(path - out.request_path, nanoseconds::zero());
  return out;
}

}  // namespace wiregap
