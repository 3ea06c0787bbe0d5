// SPDX-License-Identifier: BSL-1.0
#include <wire/stats/histogram.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace wire::stats {
namespace {

std::uint64_t magnitude(nanoseconds value) noexcept {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value.count(), 0));
}

}  // namespace

// Below 2^(bits+1) every value has its own bucket. Above, a value is cut to its bits+1 leading bits: with e
// bits cut off, the index is e * 2^bits + the bits that are left, which continues the line without a hole.

histogram::histogram(unsigned precision_bits, nanoseconds highest)
    : bits_{std::clamp(precision_bits, 1U, 14U)} {
  counts_.resize(index_of(std::max<std::uint64_t>(magnitude(highest), 1)) + 1);
}

std::size_t histogram::index_of(std::uint64_t value) const noexcept {
  const auto width = static_cast<unsigned>(std::bit_width(value));
  const unsigned cut = width > bits_ + 1 ? width - (bits_ + 1) : 0;
  return (static_cast<std::size_t>(cut) << bits_) + static_cast<std::size_t>(value >> cut);
}

std::uint64_t histogram::start_of(std::size_t index) const noexcept {
  const std::size_t cut = index >> bits_ > 0 ? (index >> bits_) - 1 : 0;
  return static_cast<std::uint64_t>(index - (cut << bits_)) << cut;
}

void histogram::record(nanoseconds value, std::uint64_t times) noexcept {
  if (times == 0) return;
  const auto ns = magnitude(value);
  auto index = index_of(ns);
  if (index >= counts_.size()) {
    index = counts_.size() - 1;
    saturated_ += times;
  }
  counts_[index] += times;
  count_ += times;
  sum_ += ns * times;
  min_ = std::min(min_, ns);
  max_ = std::max(max_, ns);
}

void histogram::record_corrected(nanoseconds value, nanoseconds expected_interval) noexcept {
  record(value);
  if (expected_interval <= nanoseconds::zero()) return;
  for (auto hidden = value - expected_interval; hidden >= expected_interval; hidden -= expected_interval) {
    record(hidden);
  }
}

bool histogram::same_shape(const histogram& other) const noexcept {
  return bits_ == other.bits_ && counts_.size() == other.counts_.size();
}

void histogram::merge(const histogram& other) noexcept {
  if (other.empty()) return;
  const auto last = counts_.size() - 1;
  for (std::size_t i = 0; i < other.counts_.size(); ++i) {
    if (other.counts_[i] == 0) continue;
    const auto at = same_shape(other) ? i : index_of(magnitude(other.highest_of(i)));
    counts_[std::min(at, last)] += other.counts_[i];
    if (at > last) {
      saturated_ += other.counts_[i];
    } else if (i + 1 == other.counts_.size()) {
      saturated_ += other.saturated_;
    }
  }
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void histogram::reset() noexcept {
  std::fill(counts_.begin(), counts_.end(), 0);
  count_ = saturated_ = max_ = sum_ = 0;
  min_ = UINT64_MAX;
}

nanoseconds histogram::mean() const noexcept {
  return nanoseconds{empty() ? 0 : static_cast<std::int64_t>(sum_ / count_)};
}

nanoseconds histogram::percentile(double percent) const noexcept {
  if (empty()) return nanoseconds::zero();
  const auto share = std::clamp(percent, 0.0, 100.0) / 100.0;
  // A hair less before rounding up: 99.9 % of 1000 is 999, not the 1000 that binary fractions make of it.
  const auto rank = std::ceil(share * static_cast<double>(count_) * (1 - 1e-14));
  const auto wanted = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, count_);
  std::uint64_t passed = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    passed += counts_[i];
    // The last bucket also holds what was above the range.
    if (passed >= wanted) return i + 1 == counts_.size() ? max() : std::min(highest_of(i), max());
  }
  return max();
}

}  // namespace wire::stats
