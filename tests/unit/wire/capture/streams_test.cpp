// SPDX-License-Identifier: BSL-1.0
#include "streams_fixture.hpp"

namespace {

using namespace wire::capture;
using wiregap_test::capture_streams;

constexpr std::uint8_t syn = tcp_flag::syn;
constexpr std::uint8_t ack = tcp_flag::ack;
constexpr std::uint8_t fin = tcp_flag::fin | tcp_flag::ack;

TEST_F(capture_streams, a_whole_connection) {
  client(100, 0, "", {.flags = syn});
  server(900, 101, "", {.flags = syn | ack});
  client(101, 901, "", {.flags = ack});
  client(101, 901, "request");
  server(901, 108, "answer", {.flags = ack});
  client(108, 907, "", {.flags = fin});
  server(907, 109, "", {.flags = fin});
  EXPECT_EQ(events(), (lines{"open 1", "> 'request'@0 push", "< 'answer'@0", "close 1"}));
  // The last ACK belongs to it still, and opens nothing.
  client(109, 908, "", {.flags = ack});
  table_.finish();
  EXPECT_EQ(events(), lines{});
}

TEST_F(capture_streams, begins_anywhere) {
  server(5000, 700, "answer");
  client(700, 5006, "next");
  EXPECT_EQ(events(), (lines{"open 1", "> 'answer'@0 push", "< 'next'@0 push"}));
}

TEST_F(capture_streams, sequence_numbers_wrap) {
  client(0xFFFF'FFFE, 1, "abcd");
  client(2, 1, "efgh");
  client(0xFFFF'FFFE, 1, "abcd");
  EXPECT_EQ(events(), (lines{"open 1", "> 'abcd'@0 push", "> 'efgh'@4 push", "> again 0-4"}));
}

TEST_F(capture_streams, reordered_is_not_resent) {
  client(10, 1, "ab");
  client(14, 1, "ef");
  client(12, 1, "cd");
  EXPECT_EQ(events(), (lines{"open 1", "> 'ab'@0 push", "> 'cd'@2 push", "> 'ef'@4 push"}));
  table_.finish();
  EXPECT_EQ(scribe_.facts[0].reordered, 1U);
  EXPECT_EQ(scribe_.facts[0].retransmissions, 0U);
}

TEST_F(capture_streams, a_hole_that_is_filled_late_was_lost_before) {
  client(10, 1, "ab");
  client(14, 1, "ef");
  wait_ms(200);
  client(12, 1, "cd");
  EXPECT_EQ(events(),
            (lines{"open 1", "> 'ab'@0 push", "> again 2-4", "> 'cd'@2 push resent", "> 'ef'@4 push"}));
  table_.finish();
  EXPECT_EQ(scribe_.facts[0].retransmissions, 1U);
  EXPECT_EQ(scribe_.facts[0].bytes, 6U);
}

TEST_F(capture_streams, overlapping_retransmission) {
  client(10, 1, "abcd");
  client(12, 1, "cdef");
  client(10, 1, "abcdef");
  EXPECT_EQ(events(), (lines{"open 1", "> 'abcd'@0 push", "> again 2-4", "> 'ef'@4 push", "> again 0-6"}));
  EXPECT_EQ(scribe_.data[0], "abcdef");
}

TEST_F(capture_streams, twins_are_removed) {
  client(10, 1, "ab", {.id = 77});
  ns_ -= step_ - 5000;
  client(10, 1, "ab", {.id = 77});
  server(1, 12, "", {.flags = ack, .id = 78});
  server(1, 12, "", {.flags = ack, .id = 78});
  table_.finish();
  EXPECT_EQ(scribe_.facts[0].duplicates, 1U);
  EXPECT_EQ(scribe_.facts[0].retransmissions, 0U);
  EXPECT_EQ(scribe_.facts[1].duplicates_no_data, 1U);
  // The same bytes in a packet of another number were sent again.
  client(10, 1, "ab", {.id = 80});
  client(10, 1, "ab", {.id = 81});
  table_.finish();
  EXPECT_EQ(scribe_.facts[0].retransmissions, 1U);
  EXPECT_EQ(scribe_.facts[0].duplicates, 0U);
}

TEST_F(capture_streams, keep_alives_of_no_byte_and_of_one) {
  client(10, 1, "ab");
  server(1, 12, "", {.flags = ack});
  client(11, 1, "", {.flags = ack});
  client(11, 1, "b", {.flags = ack});
  table_.finish();
  EXPECT_EQ(scribe_.facts[0].keep_alives, 2U);
  EXPECT_EQ(scribe_.facts[0].retransmissions, 0U);
}

TEST_F(capture_streams, full_receivers_and_probes) {
  client(10, 1, "ab");
  server(1, 12, "", {.flags = ack, .window = 0});
  client(12, 1, "c", {.flags = ack});
  client(12, 1, "c", {.flags = ack});
  server(1, 12, "", {.flags = ack, .window = 500});
  client(12, 1, "cd");
  EXPECT_EQ(events(), (lines{"open 1", "> 'ab'@0 push", "< full", "> 'c'@2", "< room", "> 'd'@3 push"}));
  table_.finish();
  EXPECT_EQ(scribe_.facts[0].window_probes, 2U);
  EXPECT_EQ(scribe_.facts[1].zero_windows, 1U);
  EXPECT_EQ(scribe_.facts[0].retransmissions, 0U);
}

TEST_F(capture_streams, what_the_capture_lacks_is_passed_over_when_answered) {
  client(10, 1, "ab");
  // "cd" was not captured.
  client(14, 1, "ef");
  server(1, 16, "answer");
  EXPECT_EQ(events(), (lines{"open 1", "> 'ab'@0 push", "> gap 2@2", "> 'ef'@4 push", "< 'answer'@0 push"}));
  // The last one is missing.
  server(7, 20, "more");
  EXPECT_EQ(events(), (lines{"> gap 4@6", "< 'more'@6 push"}));
}

TEST_F(capture_streams, what_the_capture_lacks_is_waited_for_when_only_acknowledged) {
  client(10, 1, "ab");
  client(14, 1, "ef");
  server(1, 16, "", {.flags = ack});
  EXPECT_EQ(events(), (lines{"open 1", "> 'ab'@0 push"}));
  wait_ms(50);
  client(16, 1, "gh");
  EXPECT_EQ(events(), (lines{"> gap 2@2", "> 'ef'@4 push", "> 'gh'@6 push"}));
}

TEST_F(capture_streams, snap_length) {
  client(10, 1, "abcdef", {.cut = 4});
  client(16, 1, "gh");
  EXPECT_EQ(events(), (lines{"open 1", "> 'ab'@0 push inside", "> gap 4@2 cut", "> 'gh'@6 push"}));
}

TEST_F(capture_streams, what_is_held_is_bounded) {
  client(10, 1, "ab");
  for (std::uint32_t i = 0; i < 5000; ++i) client(1000 + i * 4, 1, "xx");
  // The first hole was given up when too many waited behind it, the others one by one.
  EXPECT_GT(scribe_.data[0].size(), 1000U);
  table_.finish();
  EXPECT_GT(scribe_.facts[0].gaps, 4000U);
}

TEST_F(capture_streams, a_reset_and_a_port_used_again) {
  client(10, 1, "ab");
  server(1, 12, "", {.flags = tcp_flag::rst});
  client(12, 1, "late");
  client(500, 0, "", {.flags = syn});
  client(501, 1, "new");
  EXPECT_EQ(events(), (lines{"open 1", "> 'ab'@0 push", "close 1 reset", "open 2", "> 'new'@0 push"}));
}

TEST_F(capture_streams, a_syn_of_another_number_begins_anew) {
  client(100, 0, "", {.flags = syn});
  client(101, 1, "ab");
  client(100, 0, "", {.flags = syn});  // sent again
  client(7000, 0, "", {.flags = syn});
  client(7001, 1, "cd");
  EXPECT_EQ(events(), (lines{"open 1", "> 'ab'@0 push", "close 1", "open 2", "> 'cd'@0 push"}));
}

TEST_F(capture_streams, the_first_ack_need_not_be_where_data_begin) {
  client(100, 0, "", {.flags = syn});
  server(899, 101, "", {.flags = ack});  // a keep-alive of a server whose SYN was not captured
  server(900, 101, "data");
  EXPECT_EQ(events(), (lines{"open 1", "< 'data'@0 push"}));
}

TEST_F(capture_streams, acknowledgements_are_told) {
  scribe_.acks = true;
  client(10, 1, "ab");
  server(1, 12, "", {.flags = ack});
  client(12, 1, "cd");
  server(1, 14, "answer");
  EXPECT_EQ(events(), (lines{"open 1", "> 'ab'@0 push", "> acked 2 bare", "> 'cd'@2 push", "> acked 4",
                             "< 'answer'@0 push"}));
  table_.finish();
  EXPECT_EQ(scribe_.facts[0].least_ack_delay, std::chrono::milliseconds{1});
}

TEST_F(capture_streams, connections_are_bounded) {
  wiregap_test::scribe counted;
  stream_table small{counted, {.connections = 10}};
  for (std::uint16_t port = 1; port <= 100; ++port) {
    segment s;
    s.source.port = port;
    s.flags = syn;
    small.add(s, wire::clock::stamp{port});
  }
  EXPECT_EQ(small.size(), 10U);
}

TEST_F(capture_streams, ended_connections_do_not_pile_up) {
  for (std::uint16_t port = 1; port <= 5000; ++port) {
    client(100, 0, "", {.flags = syn, .port = port});
    server(100, 101, "", {.flags = tcp_flag::rst, .port = port});
  }
  EXPECT_LE(table_.size(), 1100U);
}

TEST_F(capture_streams, segments_above_the_mss_are_noted) {
  segment s;
  s.source.port = 50000;
  s.flags = syn;
  s.mss = 4;
  table_.add(s, wire::clock::stamp{ns_});
  s.flags = ack;
  s.seq = 1;
  const std::vector<std::uint8_t> bytes(9, 'x');
  s.payload = bytes;
  s.payload_bytes = 9;
  s.ip_id = 5;
  table_.add(s, wire::clock::stamp{ns_ + 1});
  table_.finish();
  EXPECT_EQ(scribe_.facts[0].oversized, 1U);
  EXPECT_EQ(scribe_.facts[0].largest_segment, 9U);
}

TEST_F(capture_streams, nonsense_is_survived) {
  std::uint32_t random = 12345;
  const auto next = [&random] { return random = random * 1664525U + 1013904223U; };
  for (int i = 0; i < 200'000; ++i) {
    const std::uint32_t value = next();
    send((value >> 31U) != 0, 1000 + (next() >> (next() >> 27U)), 1000 + (next() >> (next() >> 27U)),
         std::string((value >> 8U) % 20, 'x'),
         {.flags = static_cast<std::uint8_t>(value >> 16U), .id = static_cast<std::uint16_t>(next() >> 16U)});
    if (scribe_.lines.size() > 10'000) (void)events();
    scribe_.data = {};
  }
  table_.finish();
  EXPECT_LE(table_.size(), 0U);
}

}  // namespace
