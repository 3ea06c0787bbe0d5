// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/clock_reader.hpp>
#include <bench/harness/size_plan.hpp>
#include <tds/protocol/packet.hpp>

#include <gtest/gtest.h>

namespace {

using namespace wiregap;

constexpr std::size_t packet = 4096;

// ALL_HEADERS and UTF-16 text in packets of 4096 bytes, 8 of each its header.
std::size_t on_the_wire(const std::string& sql) {
  const std::size_t payload = 22 + 2 * sql.size();
  return payload + (payload + packet - 9) / (packet - 8) * 8;
}

TEST(size_plan, a_request_has_the_size_that_was_asked_for_with_the_clock_in_it) {
  for (const auto clock : {batch_clock::none, batch_clock::both_ends}) {
    for (const std::uint32_t wanted : {200U, 1448U, 4096U, 4106U, 8192U, 100'000U}) {
      const auto size = make_probe_size(wanted, 0, packet, clock);
      EXPECT_EQ(size.request_bytes, on_the_wire(size.sql));
      EXPECT_LE(size.request_bytes, wanted);
      EXPECT_GT(size.request_bytes + 12, wanted)
          << "further away than UTF-16 and one packet's header explain";
    }
  }
}

TEST(size_plan, the_smallest_request_says_how_large_it_is) {
  EXPECT_EQ(make_probe_size(0, 0, packet).label(), "46 B");
  const auto size = make_probe_size(64, 0, packet, batch_clock::both_ends);
  EXPECT_EQ(size.sql, "SELECT SYSUTCDATETIME();SELECT 1;SELECT SYSUTCDATETIME()");
  EXPECT_EQ(size.label(), "142 B");
}

TEST(size_plan, a_statement_of_ones_own_is_sent_as_it_is) {
  const auto own = make_own_statement("SELECT N'\xC3\xBC' -- last", packet);
  EXPECT_EQ(own.sql, "SELECT N'\xC3\xBC' -- last");
  EXPECT_EQ(own.request_bytes, on_the_wire("SELECT N'u' -- last")) << "a character of two bytes in UTF-8";
  EXPECT_EQ(make_own_statement("EXEC p --", packet, batch_clock::both_ends).sql,
            "SELECT SYSUTCDATETIME();EXEC p --\n;SELECT SYSUTCDATETIME()");
  EXPECT_THROW(make_own_statement(" \n", packet), bad_sizes);
  EXPECT_THROW(make_own_statement("\xFF", packet), bad_sizes);
}

TEST(size_plan, text_names_sizes_of_requests_and_answers) {
  const auto sizes = parse_sizes("64,3000:8000", packet, batch_clock::both_ends);
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(sizes[0].request_bytes, 142U);
  EXPECT_EQ(sizes[1].label(), "3000 B, answer 8000 B");
  EXPECT_NE(sizes[1].sql.find(";SELECT REPLICATE("), std::string::npos);
  EXPECT_THROW(parse_sizes("64,x", packet), bad_sizes);
}

TEST(size_plan, no_size_stands_there_twice_by_default) {
  for (const auto clock : {batch_clock::none, batch_clock::both_ends}) {
    std::vector<std::string> texts;
    for (const auto& size : default_sizes(packet, clock)) texts.push_back(size.sql);
    std::ranges::sort(texts);
    EXPECT_EQ(std::ranges::adjacent_find(texts), texts.end());
    EXPECT_GT(texts.size(), 10U);
  }
}

}  // namespace
