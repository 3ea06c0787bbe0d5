// SPDX-License-Identifier: BSL-1.0
#include "tests/unit/dissect/dissect_fixture.hpp"

#include <gmock/gmock.h>

namespace tds::dissect {
namespace {

using testing::HasSubstr;
using testing::Not;
using wiregap_test::dissect;
using wiregap_test::from_hex;
using wiregap_test::render_all;

TEST(render, a_batch_in_two_packets) {
  const auto found =
      dissect(from_hex("01 00 00 0B 00 00 01 00  47 00 4F   01 01 00 0B 00 00 02 00  00 3B 00"));
  std::string expected = "client: SQL_BATCH, 6 bytes in 2 packets, TDS 7.1\n";
  const auto line = [&](const std::string& offset, std::string hex, const std::string& rest) {
    hex.resize(51, ' ');
    expected += offset + "  " + hex + rest + '\n';
  };
  line("00000000", "", "packet  1");
  line("00000000", "01", "  type  1  (SQL_BATCH)");
  line("00000001", "00", "  status  0");
  line("00000002", "00 0B", "  length  11");
  line("00000004", "00 00", "  spid  0");
  line("00000006", "01", "  packet_id  1");
  line("00000007", "00", "  window  0");
  line("00000008", "47 00 4F 00 3B 00", "  sql_text  \"GO;\"");
  line("0000000b", "", "packet  2");
  line("0000000b", "01", "  type  1  (SQL_BATCH)");
  line("0000000c", "01", "  status  1  (EOM)");
  line("0000000d", "00 0B", "  length  11");
  line("0000000f", "00 00", "  spid  0");
  line("00000011", "02", "  packet_id  2");
  line("00000012", "00", "  window  0");
  expected += '\n';
  EXPECT_EQ(render_all(found), expected);
}

TEST(render, an_error_stands_where_it_happened) {
  const std::string text = render_all(dissect(from_hex("04 01 00 0A 00 00 01 00  42 00")));
  EXPECT_THAT(text, HasSubstr("00000008  error: unknown_token in token_type at offset 0 of the message"));
  EXPECT_THAT(text, HasSubstr("not_decoded"));
}

TEST(render, colors_only_when_asked) {
  const auto found = dissect(from_hex("06 01 00 08 00 00 01 00"));
  EXPECT_THAT(render_all(found), Not(HasSubstr("\x1b")));
  EXPECT_THAT(render_all(found, {.color = true}), HasSubstr("\x1b[1m"));
}

TEST(render, control_characters_do_not_reach_the_terminal) {
  // "\x1b[2J", then U+0085 and the override that turns text round.
  const auto found = dissect(from_hex("01 01 00 14 00 00 01 00  1B 00 5B 00 32 00 4A 00 85 00 2E 20"));
  const std::string text = render_all(found);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("\"\\x1b[2J\\x85\\x202e\""));
}

TEST(printable, escapes_and_cuts) {
  EXPECT_EQ(printable("a\tb\r\nc"), "a\\tb\\r\\nc");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
  EXPECT_EQ(printable("abcdef", 3), "abc ... (6 bytes)");
  EXPECT_EQ(printable("a\xC3\xBC", 2), "a ... (3 bytes)");  // never half a character
}

TEST(render, a_long_value_is_cut) {
  std::vector<std::uint8_t> stream = from_hex("01 01 10 08 00 00 01 00");
  for (int i = 0; i < 2048; ++i) {
    stream.push_back('x');
    stream.push_back(0);
  }
  EXPECT_THAT(render_all(dissect(stream), {.longest_value = 10}), HasSubstr("\"xxxxxxxxx ... (2050 bytes)"));
}

}  // namespace
}  // namespace tds::dissect
