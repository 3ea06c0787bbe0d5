// SPDX-License-Identifier: BSL-1.0
#include "dissect_fixture.hpp"
#include <tds/dissect/live_dissector.hpp>

#include <gtest/gtest.h>

namespace {

using tds::dissect::live_dissector;
using tds::dissect::live_message;
using tds::dissect::sender;
using wire::clock::stamp;
using bytes = std::vector<std::uint8_t>;

// "SELECT 1" in two packets, the first with one code unit, and an Attention.
const bytes batch{0x01, 0x00, 0x00, 0x20, 0,    0, 1, 0,  //
                  0x16, 0,    0,    0,    0x12, 0, 0, 0, 2,   0, 0,   0, 0,   0,
                  0,    0,    0,    0,    1,    0, 0, 0, 'S', 0,  //
                  0x01, 0x01, 0x00, 0x0E, 0,    0, 2, 0, 'E', 0, 'L', 0, '1', 0};
const bytes attention{0x06, 0x01, 0x00, 0x08, 0, 0, 1, 0};
// DONE with a count of one.
const bytes done{0x04, 0x01, 0x00, 0x15, 0, 0, 1, 0, 0xFD, 0x10, 0, 0xC1, 0, 1, 0, 0, 0, 0, 0, 0, 0};
const bytes record{0x17, 0x03, 0x03, 0x00, 0x03, 0xAA, 0xBB, 0xCC};

bytes operator+(bytes a, const bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct seen {
  std::string title, sql;
  sender from{};
  std::int64_t first{}, last{};
  std::uint64_t offset{}, size{};
  bool error{};
};

class Live : public ::testing::Test {
 protected:
  std::vector<seen> messages;
  live_dissector dissector{
      {}, [this](const live_message& m) {
        messages.push_back({m.found.title, wiregap_test::value_of(m.found, "sql_text"), m.found.from,
                            m.first.ns(), m.last.ns(), m.stream_offset, m.bytes, m.found.error.has_value()});
      }};

  void feed(sender from, const bytes& what, std::int64_t when) {
    dissector.feed(from, wiregap_test::exact(what, 0, what.size()), stamp{when});
  }
};

TEST_F(Live, MessagesComeOnceTheyAreComplete) {
  feed(sender::client, bytes(batch.begin(), batch.end() - 1), 10);
  EXPECT_TRUE(messages.empty());
  EXPECT_EQ(dissector.at_hand(sender::client), tds::protocol::packet_type::sql_batch);
  feed(sender::client, bytes(batch.end() - 1, batch.end()), 20);
  EXPECT_FALSE(dissector.at_hand(sender::client));
  feed(sender::server, done, 30);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].sql, "\"SEL1\"");
  EXPECT_EQ(messages[0].first, 10);
  EXPECT_EQ(messages[0].last, 20);
  EXPECT_EQ(messages[0].size, batch.size());
  EXPECT_EQ(messages[1].from, sender::server);
  EXPECT_FALSE(messages[1].error);
}

TEST_F(Live, EverySplitGivesTheSame) {
  const auto stream = batch + attention + record + batch + record;
  for (std::size_t cut = 1; cut < stream.size(); ++cut) {
    messages.clear();
    live_dissector one{
        {}, [this](const live_message& m) {
          messages.push_back(
              {m.found.title, {}, m.found.from, 0, 0, m.stream_offset, m.bytes, m.found.error.has_value()});
        }};
    const bytes first(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(cut));
    const bytes second(stream.begin() + static_cast<std::ptrdiff_t>(cut), stream.end());
    one.feed(sender::client, first, stamp{1});
    one.feed(sender::client, second, stamp{2});
    ASSERT_EQ(messages.size(), 5U) << cut;
    std::uint64_t offset = 0;
    for (const auto& m : messages) {
      EXPECT_EQ(m.offset, offset) << cut;
      EXPECT_FALSE(m.error) << cut;
      offset += m.size;
    }
    EXPECT_EQ(offset, stream.size());
    EXPECT_EQ(messages[1].title, "ATTENTION");
    EXPECT_EQ(messages[2].title, "TLS record");
  }
}

TEST_F(Live, OneByteAtATime) {
  for (const auto byte : batch + record + attention) feed(sender::client, {byte}, 1);
  EXPECT_EQ(messages.size(), 3U);
}

TEST_F(Live, WhatIsNoTdsIsSaidOnce) {
  feed(sender::client, {'G', 'E', 'T', ' '}, 1);
  ASSERT_TRUE(dissector.broken(sender::client));
  EXPECT_EQ(dissector.broken(sender::client)->code, tds::errc::not_tds);
  feed(sender::client, batch, 2);
  EXPECT_TRUE(messages.empty());
  EXPECT_FALSE(dissector.broken(sender::server));
}

TEST_F(Live, WhatIsNoTdsAnyMoreKeepsWhatWasBefore) {
  feed(sender::server, done + bytes{0x16, 0x09}, 1);
  EXPECT_EQ(messages.size(), 1U);
  ASSERT_TRUE(dissector.broken(sender::server));
  EXPECT_EQ(dissector.broken(sender::server)->offset, done.size());
}

TEST_F(Live, AMessageThatEndsInTheMiddleSaysSo) {
  feed(sender::client, bytes(batch.begin(), batch.begin() + 34), 1);
  dissector.end(sender::client);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_TRUE(messages[0].error);
  dissector.end(sender::client);
  EXPECT_EQ(messages.size(), 1U);
}

TEST(LiveLimit, OfAVeryLongMessageTheFirstBytesAreDecodedAndTheNextOneIsFound) {
  std::vector<std::uint64_t> sizes;
  std::vector<bool> errors;
  tds::dissect::settings how;
  how.max_message_bytes = 40;
  live_dissector one{how, [&](const live_message& m) {
                       sizes.push_back(m.bytes);
                       errors.push_back(m.found.error.has_value());
                     }};
  one.feed(sender::client, batch, stamp{1});
  one.feed(sender::client, attention, stamp{2});
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{batch.size(), attention.size()}));
  EXPECT_EQ(errors, (std::vector<bool>{true, false}));
}

}  // namespace
