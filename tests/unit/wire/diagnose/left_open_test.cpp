// SPDX-License-Identifier: BSL-1.0
#include "runs.hpp"
#include <wire/diagnose/left_open.hpp>

#include <gmock/gmock.h>

#include <functional>

namespace {

using namespace diagnose_test;
using testing::HasSubstr;
using wire::exchange::exchange;

exchange complete(run& of, nanoseconds gap = 0ns) {
  auto e = of.plain({}, 100us + gap, 10us);
  e.request_sent = e.write_done;
  e.response_first_kernel = e.response_first_byte;
  e.tcp.emplace();
  e.server_time = 10us;
  e.machine_held = 0ns;
  return e;
}

std::vector<std::string> of_all(run& made, const std::function<void(exchange&)>& change,
                                nanoseconds gap = 0ns) {
  for (int i = 0; i < 10; ++i) {
    auto e = complete(made, gap);
    change(e);
    made.requests.add(*sample_of(e));
  }
  return left_open(made.requests);
}

TEST(left_open, nothing_where_all_is_known) {
  run made;
  EXPECT_THAT(of_all(made, [](exchange&) {}), testing::IsEmpty());
}

TEST(left_open, nothing_of_an_empty_run) { EXPECT_THAT(left_open(population{}), testing::IsEmpty()); }

TEST(left_open, names_what_lacks) {
  run stamps, counters, server, watch;
  EXPECT_THAT(of_all(stamps, [](exchange& e) { e.request_sent = e.response_first_kernel = {}; }),
              testing::ElementsAre(HasSubstr("kernel stamps")));
  EXPECT_THAT(of_all(counters, [](exchange& e) { e.tcp.reset(); }), testing::ElementsAre(HasSubstr("TCP")));
  EXPECT_THAT(of_all(server, [](exchange& e) { e.server_time.reset(); }),
              testing::ElementsAre(HasSubstr("clock of the server")));
  EXPECT_THAT(of_all(
                  watch, [](exchange& e) { e.machine_held.reset(); }, 600ms),
              testing::ElementsAre(HasSubstr("Nobody watched")));
}

TEST(left_open, a_few_without_it_leave_nothing_open) {
  run made;
  auto bare = complete(made);
  bare.tcp.reset();
  made.requests.add(*sample_of(bare));
  EXPECT_THAT(of_all(made, [](exchange&) {}), testing::IsEmpty());
}

}  // namespace
