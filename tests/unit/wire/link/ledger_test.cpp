// SPDX-License-Identifier: BSL-1.0
#include <wire/link/ledger.hpp>

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace wire::link;
using namespace std::chrono_literals;

TEST(LinkLedger, AsJson) {
  ledger_entry entry;
  entry.at = wire::clock::stamp{1'234'567'890};
  entry.way = direction::to_client;
  entry.what = deed::released_by_timer;
  entry.flow = 3;
  entry.client_port = 50000;
  entry.server_port = 1433;
  entry.seq = 4'000'000'000;
  entry.bytes = 1600;
  entry.message = 200;
  entry.segment = 1;
  entry.span = 500ms;
  EXPECT_EQ(
      to_json(entry),
      R"({"at_ns":1234567890,"direction":"to_client","what":"released_by_timer","flow":3,"client_port":50000,)"
      R"("server_port":1433,"seq":4000000000,"bytes":1600,"message":200,"segment":1,"span_ns":500000000})");
  EXPECT_EQ(to_json(ledger_entry{.at = wire::clock::stamp{5}, .what = deed::queue_full, .bytes = 84}),
            R"({"at_ns":5,"direction":"to_server","what":"queue_full","bytes":84})");
}

TEST(LinkLedger, EveryDeedHasItsName) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < deeds; ++i) names.insert(name_of(static_cast<deed>(i)));
  EXPECT_EQ(names.size(), deeds);
}

TEST(LinkLedger, KeepsTheFirstAndCountsTheRest) {
  ledger book{2};
  int told = 0;
  book.set_listener([&told](const ledger_entry&) { ++told; });
  for (const auto what : {deed::lost, deed::held, deed::lost}) book.add({.what = what});
  EXPECT_EQ(book.entries().size(), 2U);
  EXPECT_EQ(book.count(deed::lost), 2U);
  EXPECT_EQ(book.not_kept(), 1U);
  EXPECT_EQ(told, 3);
  book.clear();
  EXPECT_TRUE(book.entries().empty());
  EXPECT_EQ(book.count(deed::lost), 0U);
}

}  // namespace
