// SPDX-License-Identifier: BSL-1.0
#include "raw_client.hpp"
#include <tds/server/server_thread.hpp>

#include <gtest/gtest.h>

namespace component {
namespace {

using tds::server_thread;
using tds::serving::fault;
using tds::serving::fault_kind;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

const std::string one_row = "COLMETADATA :int4\nROW 1\nDONE COUNT 1\n";
// The same in bytes: a packet's header, COLMETADATA of one unnamed int, its ROW, DONE.
constexpr std::uint64_t one_row_size = 8 + 11 + 5 + 13;

struct faulty {
  explicit faulty(fault what)
      : server{{}, [&what](tds::server& s) { s.add_fault(what); }},
        client{raw_client::logged_in(server.port())} {}
  clock::duration time(std::string_view sql) {
    const auto start = clock::now();
    words = client.batch(sql);
    return clock::now() - start;
  }
  server_thread server;
  raw_client client;
  std::string words;
};

TEST(server_faults, a_hold_strikes_requests_of_several_segments_only) {
  faulty f{{.pause = 60ms, .min_bytes = 1461}};
  const std::string large = "SELECT 1 /*" + std::string(2000, 'x') + "*/";
  EXPECT_GE(f.time(large), 60ms);
  EXPECT_EQ(f.words, one_row);
  EXPECT_EQ(f.server.fault_counts().hold_request, 1U);
  (void)f.time("SELECT 1");
  EXPECT_EQ(f.server.fault_counts().hold_request, 1U);
}

// What arrives during a hold has not arrived either.
TEST(server_faults, attention_waits_behind_a_hold) {
  faulty f{{.pause = 80ms}};
  const auto start = clock::now();
  f.client.send_batch("WAITFOR DELAY '01:00:00'");
  f.client.send_attention();
  EXPECT_EQ(f.client.answer(), "DONE ERROR\n");
  EXPECT_EQ(f.client.answer(), "DONE ATTN\n");
  EXPECT_GE(clock::now() - start, 80ms);
}

TEST(server_faults, thinking_is_interrupted_by_attention) {
  faulty f{{.kind = fault_kind::think, .pause = 1h}};
  f.client.send_batch("SELECT 1");
  EXPECT_FALSE(f.client.wait_for_bytes(20ms));
  f.client.send_attention();
  EXPECT_EQ(f.client.answer(), "DONE ERROR\n");
  EXPECT_EQ(f.client.answer(), "DONE ATTN\n");
  faulty g{{.kind = fault_kind::think, .pause = 50ms}};
  EXPECT_GE(g.time("SELECT 1"), 50ms);
  EXPECT_EQ(g.words, one_row);
}

TEST(server_faults, the_rest_of_an_answer_comes_late) {
  faulty f{{.kind = fault_kind::pause_in_answer, .pause = 80ms}};
  f.client.send_batch("SELECT REPLICATE('x', 8000)");
  const auto first = f.client.read_bytes();
  EXPECT_EQ(first.size(), 4096U);
  const auto start = clock::now();
  EXPECT_FALSE(f.client.wait_for_bytes(20ms));
  EXPECT_FALSE(f.client.read_bytes().empty());
  EXPECT_GE(clock::now() - start, 60ms);
}

// An answer of one packet has no rest, and the next request is served at once.
TEST(server_faults, nothing_is_held_back_behind_an_answer) {
  faulty f{{.kind = fault_kind::pause_in_answer, .pause = 1h}};
  for (int i = 0; i < 3; ++i) {
    (void)f.time("SELECT 1");
    EXPECT_EQ(f.words, one_row);
  }
}

// What a client sends before it has the whole answer waits its turn.
TEST(server_faults, a_request_into_a_pause_of_the_answer_waits) {
  faulty f{{.kind = fault_kind::pause_in_answer, .pause = 30ms, .limit = 1}};
  f.client.send_batch("SELECT REPLICATE('x', 6000)");
  EXPECT_TRUE(f.client.wait_for_bytes(10s));
  f.client.send_batch("SELECT 1");
  f.client.send_attention();
  EXPECT_NE(f.client.answer().find("DONE COUNT 1"), std::string::npos);
  EXPECT_EQ(f.client.answer(), one_row);
  EXPECT_EQ(f.client.answer(), "DONE ATTN\n");
}

TEST(server_faults, an_answer_is_cut_at_any_byte) {
  for (std::uint64_t at = 0; at < one_row_size; ++at) {
    for (const bool reset : {false, true}) {
      faulty f{{.kind = fault_kind::cut_answer, .at = at, .reset = reset}};
      f.client.send_batch("SELECT 1");
      std::size_t size = 0;
      for (auto bytes = f.client.read_bytes(); !bytes.empty(); bytes = f.client.read_bytes())
        size += bytes.size();
      if (reset) {
        EXPECT_LE(size, at);
      } else {
        EXPECT_EQ(size, at);
      }
    }
  }
}

TEST(server_faults, an_answer_that_is_shorter_than_the_cut_is_whole) {
  faulty f{{.kind = fault_kind::cut_answer, .at = one_row_size + 1}};
  (void)f.time("SELECT 1");
  EXPECT_EQ(f.words, one_row);
  (void)f.time("SELECT 1");
  EXPECT_EQ(f.words, one_row);
}

TEST(server_faults, a_request_that_is_never_answered) {
  faulty f{{.kind = fault_kind::never_answer, .contains = "lost"}};
  (void)f.time("SELECT 1");
  f.client.send_batch("SELECT 1 -- lost");
  EXPECT_FALSE(f.client.wait_for_bytes(50ms));
  f.client.send_attention();
  EXPECT_EQ(f.client.answer(), "DONE ERROR\n");
  EXPECT_EQ(f.client.answer(), "DONE ATTN\n");
  (void)f.time("SELECT 1");
  EXPECT_EQ(f.words, one_row);
}

TEST(server_faults, one_byte_at_a_time) {
  faulty f{{.kind = fault_kind::slow_bytes, .pause = 1ms}};
  // A pause between each two bytes; behind the last one there is nothing to hold back.
  EXPECT_GE(f.time("SELECT 1"), (one_row_size - 1) * 1ms);
  EXPECT_EQ(f.words, one_row);
  (void)f.time("SELECT TOP 10 * FROM int_rows");
  EXPECT_NE(f.words.find("DONE COUNT 10"), std::string::npos);
}

TEST(server_faults, shaped_answers_under_tls) {
  for (const auto kind : {fault_kind::slow_bytes, fault_kind::pause_in_answer, fault_kind::cut_answer}) {
    server_thread server{{},
                         [kind](tds::server& s) { s.add_fault({.kind = kind, .pause = 1ms, .at = 5000}); }};
    raw_client client{server.port()};
    ASSERT_EQ(client.prelogin(1), 1);
    ASSERT_FALSE(client.start_tls(false));
    (void)client.login();
    EXPECT_EQ(client.batch("SELECT 1"), one_row);
    // Two packets, but not so many bytes one by one.
    client.send_batch(kind == fault_kind::slow_bytes ? "SELECT REPLICATE('x', 100)"
                                                     : "SELECT REPLICATE('x', 6000)");
    if (kind == fault_kind::cut_answer) {
      EXPECT_THROW((void)client.answer(), std::runtime_error);
    } else {
      EXPECT_NE(client.answer().find("DONE COUNT 1"), std::string::npos);
    }
  }
}

TEST(server_faults, may_be_changed_while_the_server_runs) {
  server_thread server;
  auto client = raw_client::logged_in(server.port());
  server.run([](tds::server& s) { s.add_fault({.kind = fault_kind::never_answer}); });
  client.send_batch("SELECT 1");
  EXPECT_FALSE(client.wait_for_bytes(20ms));
  server.run([](tds::server& s) { s.clear_faults(); });
  client.send_attention();
  EXPECT_EQ(client.answer(), "DONE ERROR\n");
  EXPECT_EQ(client.answer(), "DONE ATTN\n");
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
}

}  // namespace
}  // namespace component
