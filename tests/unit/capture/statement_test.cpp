// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/statement.hpp>

#include <gtest/gtest.h>

namespace {

using tds::capture::on_one_line;
using tds::capture::text_of;
using tds::capture::without_literals;
using tds::protocol::packet_type;
using tds::protocol::tds_version;
using octets = std::vector<std::uint8_t>;

TEST(Statement, LiteralsAreQuestionMarks) {
  EXPECT_EQ(without_literals("SELECT * FROM t WHERE a = 5 AND b = 'it''s' AND c=N'x'"),
            "SELECT * FROM t WHERE a = ? AND b = ? AND c=?");
  EXPECT_EQ(without_literals("INSERT t VALUES (0xFF, 1.5e-3, .5, -7, 'open"),
            "INSERT t VALUES (?, ?, ?, -?, ?");
  EXPECT_EQ(without_literals("SELECT [a 1], \"b'2\", col1, @p2, t3.c4"),
            "SELECT [a 1], \"b'2\", col1, @p2, t3.c4");
}

TEST(Statement, CommentsAndSpaceGo) {
  EXPECT_EQ(without_literals("  SELECT\t1 -- secret 'x'\n  , 2 /* also 3 */ + 4  "), "SELECT ? , ? + ?");
  EXPECT_EQ(without_literals("SELECT 1 /* never ends"), "SELECT ?");
}

TEST(Statement, OneLineIsCutAtACharacter) {
  EXPECT_EQ(on_one_line("a\r\n\tb\x1b[31m"), "a b [31m");
  EXPECT_EQ(on_one_line("\xC3\xA4\xC3\xB6\xC3\xBC", 3), "\xC3\xA4\xC3\xB6...");
  EXPECT_EQ(on_one_line("abc", 3), "abc");
}

TEST(Statement, OfARequestByNumber) {
  const octets rpc{0x16, 0,    0,    0,    0x12, 0, 0, 0,    2, 0,    0, 0, 0,   0, 0,   0,
                   0,    0,    1,    0,    0,    0,  // ALL_HEADERS
                   0xFF, 0xFF, 10,   0,    0,    0,  // sp_executesql
                   0,    0,    0xE7, 0x40, 0x1F, 9, 4, 0xD0, 0, 0x34, 4, 0, 'O', 0, 'K', 0};
  const auto text = text_of(packet_type::rpc, rpc, tds_version::v7_4, true);
  EXPECT_EQ(text.procedure, "sp_executesql");
  EXPECT_EQ(text.statement, "OK");
  // Whatever is cut off is left away.
  for (std::size_t size = 0; size < rpc.size(); ++size) {
    const octets part(rpc.begin(), rpc.begin() + static_cast<std::ptrdiff_t>(size));
    const auto cut = text_of(packet_type::rpc, part, tds_version::v7_4, true);
    EXPECT_TRUE(std::string{"OK"}.starts_with(cut.statement)) << cut.statement;
  }
}

TEST(Statement, OfARequestByName) {
  const octets rpc{3, 0, 'a', 0, 'b', 0, 'c', 0, 0, 0};
  EXPECT_EQ(text_of(packet_type::rpc, rpc, tds_version::v7_1, true).procedure, "abc");
}

}  // namespace
