// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/diagnose.hpp>
#include <wire/exchange/exchange.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <string_view>

namespace diagnose_test {

using namespace std::chrono_literals;
using namespace wire::diagnose;
using wire::clock::stamp;

/// A run put together by hand: one request every 10 ms on one connection, fixed seed.
class run {
 public:
  explicit run(options with = {}) : requests{with} {}

  struct shape {
    std::uint64_t request_bytes = 200, response_bytes = 60;
  };

  nanoseconds usual() { return 100us + nanoseconds{std::uniform_int_distribution<int>{0, 40'000}(random_)}; }

  /// `count` requests that take their usual time, plus `gap` and `spread`.
  run& add(int count, shape of, nanoseconds gap = 0ns, nanoseconds spread = 0ns) {
    for (int i = 0; i < count; ++i) add_one(of, usual() + gap, 10us + spread);
    return *this;
  }

  /// The same with a stall drawn evenly from `least` to `most`, before the first byte.
  run& scatter(int count, shape of, nanoseconds least, nanoseconds most) {
    std::uniform_int_distribution<std::int64_t> stall{least.count(), most.count()};
    for (int i = 0; i < count; ++i) add_one(of, usual() + nanoseconds{stall(random_)}, 10us);
    return *this;
  }

  void add_one(shape of, nanoseconds gap, nanoseconds spread, nanoseconds write = 5us, bool answered = true) {
    requests.add(*sample_of(plain(of, gap, spread, write, answered)));
  }

  /// As a client knows it that has neither the kernel's stamps nor the server's clock.
  wire::exchange::exchange plain(shape of, nanoseconds gap, nanoseconds spread, nanoseconds write = 5us,
                                 bool answered = true) {
    wire::exchange::exchange e;
    now_ += 10ms;
    e.id = ++id_;
    e.connection_id = 1;
    e.request_bytes = of.request_bytes;
    e.response_bytes = answered ? of.response_bytes : 0;
    auto at = now_;
    e.write_start = stamp{at.count()};
    e.write_done = stamp{(at += write).count()};
    if (answered) {
      e.response_first_byte = stamp{(at += gap).count()};
      e.response_last_byte = stamp{(at += spread).count()};
    } else {
      at += gap + spread;
    }
    e.completed = stamp{at.count()};
    return e;
  }

  run& pause(nanoseconds span) {
    now_ += span;
    return *this;
  }

  report diagnosed() const { return wire::diagnose::diagnose(requests); }

  population requests;

 private:
  std::mt19937_64 random_{42};
  nanoseconds now_{1s};
  std::uint64_t id_ = 0;
};

inline constexpr run::shape small{200, 60}, large_request{3000, 60}, large_response{200, 9000};

inline const figure* find_figure(const finding& in, std::string_view key) {
  const auto found =
      std::find_if(in.evidence.begin(), in.evidence.end(), [&](const figure& f) { return f.key == key; });
  return found == in.evidence.end() ? nullptr : &*found;
}

inline std::string all_text(const finding& of) {
  std::string text = of.summary;
  for (const auto& f : of.evidence) text += "\n" + f.text;
  return text;
}

}  // namespace diagnose_test
