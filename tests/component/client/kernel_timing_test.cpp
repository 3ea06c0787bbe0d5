// SPDX-License-Identifier: BSL-1.0
// What the kernel knows of an exchange, filled in by a live connection.
#include "client_fixture.hpp"
#include <tds/server/server_thread.hpp>
#include <wire/exchange/ledger.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace wiregap_test;
using wire::exchange::stamp_quality;

/// Requests to wait for the kernel's first stamp with, some 100 us each.
constexpr int most_warm_up = 50'000;

struct served {
  tds::server_thread server;
  client me;

  explicit served(bool kernel_timing, tds::encrypt_mode encrypt = tds::encrypt_mode::disable)
      : server{[] {
          tds::server_options options;
          options.any_user = true;
          return options;
        }()} {
    auto params = fake_params(server.port());
    params.kernel_timing = kernel_timing;
    params.encrypt = encrypt;
    params.trust_server_certificate = true;
    const auto ec = me.connect(params);
    EXPECT_EQ(ec, tds::error_code{}) << me.connection.diag().detail;
    // Linux begins to stamp what comes in when the first socket asks for it, and takes its time.
    for (int i = 0; params.kernel_timing && i < most_warm_up; ++i) {
      if (run("SELECT 1").response_last_kernel.known()) break;
    }
  }
  const wire::exchange::exchange& run(const std::string& sql) {
    EXPECT_EQ(me.execute(sql), tds::error_code{}) << me.connection.diag().detail;
    return me.connection.last_exchange();
  }
};

void expect_in_order(const wire::exchange::exchange& e) {
  ASSERT_EQ(e.stamps, stamp_quality::exact);
  EXPECT_LE(e.write_start, e.request_sched);
  EXPECT_LE(e.request_sched, e.request_sent);
  EXPECT_LE(e.request_sent, e.request_acked);
  EXPECT_LE(e.request_sent, e.response_first_kernel);
  EXPECT_LE(e.response_first_kernel, e.response_last_kernel);
  EXPECT_LE(e.response_last_kernel, e.response_last_byte);
  EXPECT_FALSE(e.request_sent_again.known());
}

TEST(kernel_timing, stamps_lie_in_the_order_in_which_the_bytes_pass) {
  served by{true};
  for (int i = 0; i < 50; ++i) {
    const auto& e = by.run("SELECT 1");
    expect_in_order(e);
    EXPECT_EQ(wire::exchange::ledger_of(e).total(), wire::exchange::round_trip(e).value());
  }
}

TEST(kernel_timing, holds_under_tls) {
  served by{true, tds::encrypt_mode::mandatory};
  for (int i = 0; i < 10; ++i) expect_in_order(by.run("SELECT 1"));
}

TEST(kernel_timing, counts_what_tcp_did) {
  served by{true};
  (void)by.run("SELECT 1");
  const auto& e = by.run("SELECT REPLICATE(CAST('x' AS varchar(max)), 400000)");
  ASSERT_TRUE(e.tcp.has_value());
  EXPECT_GE(e.tcp->data_segments_out, 1U);
  EXPECT_GT(e.tcp->data_segments_in, 1U);
  EXPECT_EQ(e.tcp->retransmits, 0U);
  EXPECT_GT(e.tcp->rto.count(), 0);
  EXPECT_GT(e.tcp->send_mss, 0U);
  expect_in_order(e);
}

TEST(kernel_timing, a_request_of_several_writes_has_the_stamps_of_its_last_byte) {
  served by{true};
  expect_in_order(by.run("SELECT 1 -- " + std::string(3'000'000, 'x')));
}

TEST(kernel_timing, think_time_between_requests_is_nobodys) {
  served by{true};
  (void)by.run("WAITFOR DELAY '00:00:00.020'");
  const auto& e = by.run("WAITFOR DELAY '00:00:00.020'");
  const auto split = wire::exchange::ledger_of(e);
  EXPECT_LT(split.of(wire::exchange::layer::client_send).most, split.total() / 2);
  EXPECT_LT(split.of(wire::exchange::layer::client_receive).most, split.total() / 2);
}

TEST(kernel_timing, is_off_unless_asked_for) {
  served by{false};
  const auto& e = by.run("SELECT 1");
  EXPECT_EQ(e.stamps, stamp_quality::none);
  EXPECT_FALSE(e.request_sent.known());
  EXPECT_FALSE(e.tcp.has_value());
}

TEST(kernel_timing, looking_twice_changes_nothing) {
  served by{true};
  const auto first = by.run("SELECT 1");
  EXPECT_EQ(by.me.connection.last_exchange(), first);
}

}  // namespace
