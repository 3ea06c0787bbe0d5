// SPDX-License-Identifier: BSL-1.0
#include "ends.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

using namespace std::chrono_literals;
using namespace wire::link;

TEST(LinkRace, ManyHandsUnderTraffic_race) {
  if (const auto reason = wire::link::link::why_not(); !reason.empty()) GTEST_SKIP() << reason;
  wire::link::link link;
  std::atomic<bool> done{false};
  std::thread changes{[&] {
    impairment wanted;
    wanted.merge.emplace();
    for (std::uint64_t i = 0; !done; ++i) {
      wanted.seed = i;
      wanted.delay = std::chrono::microseconds{i % 3 * 100};
      link.set(i % 2 == 0 ? direction::to_server : direction::to_client, wanted);
    }
  }};
  std::thread reads{[&] {
    while (!done) {
      if (link.entries().size() < link.count(deed::merged)) break;
      link.pause(10us);
      link.run_in(side::client, [] {});
    }
  }};
  {
    wiregap_test::echo_over both{link};
    for (int i = 0; i < 200; ++i) both.ask(4000);
  }
  done = true;
  changes.join();
  reads.join();
  EXPECT_EQ(link.problem(), "");
}

}  // namespace
