// SPDX-License-Identifier: BSL-1.0
#include "tests/support/capture_file.hpp"
#include "tests/support/golden.hpp"
#include <wire/capture/reader.hpp>

#include <gtest/gtest.h>
#include <zlib.h>

namespace {

using namespace wire::capture;
using wiregap_test::made_packet;
using wiregap_test::octets;

constexpr std::int64_t noon = 1'700'000'000'123'456'789;

struct seen {
  std::vector<std::int64_t> times;
  std::vector<octets> packets;
  std::vector<std::uint32_t> interfaces;
  file_end end{};
  std::string problem;
  file_counts counts;
};

seen read_all(const octets& file) {
  // At its exact size, so that a read past its end is seen.
  const octets bytes(file);
  packet_reader reader{open_memory(bytes)};
  seen out;
  while (const auto* found = reader.next()) {
    out.times.push_back(found->when.known() ? found->when.ns() : -1);
    out.packets.emplace_back(found->bytes.begin(), found->bytes.end());
    out.interfaces.push_back(found->interface);
  }
  out.end = reader.end();
  out.problem = reader.problem();
  out.counts = reader.counts();
  return out;
}

const std::vector<made_packet> two{{noon, {1, 2, 3, 4, 5}}, {noon + 1'000'000'500, {6, 7}}};

octets gzip(const octets& plain) {
  z_stream state{};
  EXPECT_EQ(deflateInit2(&state, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  octets out(deflateBound(&state, static_cast<uLong>(plain.size())));
  octets in(plain);
  state.next_in = in.data();
  state.avail_in = static_cast<uInt>(in.size());
  state.next_out = out.data();
  state.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&state, Z_FINISH), Z_STREAM_END);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

TEST(capture_reader, classic_in_either_byte_order_and_resolution) {
  for (const bool big : {false, true}) {
    for (const bool nano : {false, true}) {
      const auto out = read_all(wiregap_test::pcap(two, big, nano));
      ASSERT_EQ(out.packets.size(), 2U);
      EXPECT_EQ(out.packets[0], two[0].frame);
      EXPECT_EQ(out.packets[1], two[1].frame);
      EXPECT_EQ(out.times[0], nano ? noon : noon / 1000 * 1000);
      EXPECT_EQ(out.end, file_end::whole);
      EXPECT_EQ(out.counts.packets, 2U);
      EXPECT_EQ(out.counts.bytes, 24U + 16 + 5 + 16 + 2);
    }
  }
}

TEST(capture_reader, next_generation_with_interfaces_of_their_own) {
  auto packets = two;
  packets[1].interface = 1;
  packets.push_back({noon + 2'000'000'000, {8}, 0xFFFF'FFFF, 2});
  for (const bool big : {false, true}) {
    // Microseconds, nanoseconds, and 2^-20 s.
    const auto out = read_all(wiregap_test::pcapng({{1, 6}, {101, 9}, {276, 0x94}}, packets, big));
    ASSERT_EQ(out.packets.size(), 3U) << out.problem;
    EXPECT_EQ(out.times[0], noon / 1000 * 1000);
    EXPECT_EQ(out.times[1], noon + 1'000'000'500);
    EXPECT_NEAR(static_cast<double>(out.times[2] - noon - 2'000'000'000), 0, 1000);
    EXPECT_EQ(out.interfaces, (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(out.counts.interfaces, 3U);
    EXPECT_EQ(out.end, file_end::whole);
  }
}

TEST(capture_reader, sections_follow_each_other) {
  const auto first = wiregap_test::pcapng({{1, 6}}, two, false);
  const auto second = wiregap_test::pcapng({{1, 9}}, two, true);
  const auto out = read_all(wiregap_test::operator+(first, second));
  EXPECT_EQ(out.packets.size(), 4U);
  EXPECT_EQ(out.interfaces, (std::vector<std::uint32_t>{0, 0, 1, 1}));
  EXPECT_EQ(out.times[2], noon);
}

TEST(capture_reader, gzip_is_unpacked) {
  const auto plain = wiregap_test::pcap(two);
  const auto packed = gzip(plain);
  auto out = read_all(packed);
  EXPECT_EQ(out.packets.size(), 2U);
  EXPECT_EQ(out.end, file_end::whole);
  // Two members in a row are one file.
  const octets head(plain.begin(), plain.begin() + 30);
  const octets tail(plain.begin() + 30, plain.end());
  out = read_all(wiregap_test::operator+(gzip(head), gzip(tail)));
  EXPECT_EQ(out.packets.size(), 2U);
  // What was written before the end is read.
  out = read_all(octets(packed.begin(), packed.end() - 12));
  EXPECT_LE(out.packets.size(), 2U);
}

TEST(capture_reader, damaged_gzip_says_so) {
  auto packed = gzip(wiregap_test::pcap(two));
  packed[10] = 0xFF;  // a block type that does not exist
  EXPECT_THROW(read_all(packed), read_error);
}

TEST(capture_reader, what_the_file_lacks_is_counted) {
  auto packets = two;
  packets[0].snap = 3;
  packets.push_back({noon - 5'000'000'000, {9}});
  const auto out = read_all(wiregap_test::pcap(packets));
  EXPECT_EQ(out.counts.cut_short, 1U);
  EXPECT_EQ(out.counts.clock_back, 1U);
  EXPECT_EQ(out.packets[0].size(), 3U);
}

TEST(capture_reader, every_prefix_ends) {
  for (const auto& file : {wiregap_test::pcap(two), wiregap_test::pcapng({{1, 6}}, two)}) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      const auto out = read_all(octets(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)));
      ASSERT_NE(out.end, file_end::not_yet);
      ASSERT_LE(out.packets.size(), 2U);
      if (size < 4) {
        ASSERT_EQ(out.end, file_end::not_capture);
      }
    }
  }
}

TEST(capture_reader, impossible_lengths_stop_it) {
  auto file = wiregap_test::pcap(two);
  file[24 + 11] = 0x7F;  // the packet's size
  const auto out = read_all(file);
  EXPECT_EQ(out.end, file_end::damaged);
  EXPECT_NE(out.problem.find("byte 24"), std::string::npos) << out.problem;
  EXPECT_TRUE(out.packets.empty());
}

TEST(capture_reader, blocks_that_lie_are_passed_over) {
  auto packets = two;
  auto file = wiregap_test::pcapng({{1, 6}}, packets);
  // The first packet names an interface that is not described.
  const std::size_t body = 28 + 12 + 8 + 12 + 8;
  file[body] = 7;
  const auto out = read_all(file);
  EXPECT_EQ(out.packets.size(), 1U);
  EXPECT_EQ(out.counts.malformed, 1U);
  EXPECT_EQ(out.end, file_end::whole);
}

TEST(capture_reader, other_files_are_refused) {
  const auto out = read_all(wiregap_test::text("GET / HTTP/1.1"));
  EXPECT_EQ(out.end, file_end::not_capture);
  EXPECT_NE(out.problem.find("pcapng"), std::string::npos);
  EXPECT_EQ(read_all({}).problem, "the file is empty");
  EXPECT_THROW(open_file("/nonexistent/file"), read_error);
}

TEST(capture_reader, a_recording_as_others_wrote_it) {
  const auto out = read_all(wiregap_test::load_binary("recordings/tedious_queries.pcap"));
  EXPECT_EQ(out.end, file_end::whole);
  EXPECT_GT(out.packets.size(), 100U);
  EXPECT_EQ(out.counts.malformed, 0U);
}

}  // namespace
