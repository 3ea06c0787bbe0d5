// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/split_words.hpp>

#include <gtest/gtest.h>

namespace {

using namespace wiregap;
using wire::clock::stamp;
using wire::exchange::exchange;

stamp at_ms(std::int64_t ms) { return stamp{ms * 1'000'000}; }

exchange held() {
  exchange e;
  e.write_start = at_ms(0);
  e.request_sent = at_ms(1);
  e.request_acked = at_ms(41);
  e.server_start = at_ms(500);
  e.server_time = std::chrono::microseconds{100};
  e.server_error = std::chrono::microseconds{20};
  e.response_last_kernel = at_ms(501);
  e.response_last_byte = e.completed = at_ms(502);
  e.stamps = wire::exchange::stamp_quality::exact;
  return e;
}

TEST(split_words, says_where_the_time_went_and_leaves_crumbs_together) {
  EXPECT_EQ(split_in_words(held()),
            "502.0 ms = request_path|server_receive 40.00 ms + server_receive 459.0 ms + 3.000 ms elsewhere");
}

TEST(split_words, says_an_error_that_matters) {
  auto e = held();
  e.server_error = std::chrono::milliseconds{40};
  EXPECT_EQ(split_in_words(e),
            "502.0 ms = request_path|server_receive 40.00 ms + server_receive 459.0 ms (+-40.00 ms) "
            "+ 3.000 ms elsewhere");
}

TEST(split_words, says_what_tcp_and_this_machine_did) {
  auto e = held();
  e.tcp.emplace();
  const auto tail = [&e] {
    const auto words = split_in_words(e);
    return words.substr(words.find("; "));
  };
  EXPECT_EQ(tail(), "; nothing sent again");
  e.tcp->retransmits = 1;
  EXPECT_EQ(tail(), "; 1 segment sent again");
  e.tcp->retransmits = 2;
  e.tcp->timeouts = 1;
  e.tcp->out_of_order = 3;
  e.machine_held = std::chrono::milliseconds{120};
  e.thread_held = std::chrono::milliseconds{1};
  EXPECT_EQ(tail(),
            "; 2 segments sent again (1 by timer), 3 out-of-order segments; this machine kept a control "
            "thread waiting for 120.0 ms of it");
}

TEST(split_words, is_silent_where_nothing_is_known) {
  EXPECT_EQ(split_in_words({}), "");
  exchange bare;
  bare.write_start = at_ms(0);
  bare.completed = at_ms(5);
  EXPECT_EQ(split_in_words(bare),
            "5.000 ms = client_send|request_path|server_receive|server|response_path|"
            "client_receive 5.000 ms");
}

}  // namespace
