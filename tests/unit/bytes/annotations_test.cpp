// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/annotations.hpp>
#include <tds/bytes/reader.hpp>
#include <tests/support/golden.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using tds::errc;
using tds::bytes::annotation;
using tds::bytes::annotations;
using tds::bytes::reader;
using wiregap_test::from_hex;

std::string show(const annotation& a) {
  return std::to_string(a.depth) + ' ' + std::to_string(a.offset) + '+' + std::to_string(a.size) + ' ' +
         a.field + '=' + a.value + (a.meaning.empty() ? "" : " (" + a.meaning + ')') +
         (a.secret ? " secret" : "");
}

std::vector<std::string> show(const annotations& notes) {
  std::vector<std::string> lines;
  for (const auto& item : notes.items()) lines.push_back(show(item));
  return lines;
}

TEST(annotations, every_read_is_noted_with_its_place_and_value) {
  const auto raw = from_hex("10 00 01 02 00 03 00 41 00 AA BB CC");
  annotations notes;
  reader in{raw, 8};
  in.annotate(&notes);
  in.u8("type");
  in.be<std::uint16_t>("length");
  in.u16("status");
  in.u16("gap");
  in.ucs2(1, "text");
  in.bytes(2, "raw");
  in.skip(1, "pad");
  EXPECT_THAT(show(notes),
              testing::ElementsAre("0 8+1 type=16", "0 9+2 length=1", "0 11+2 status=2", "0 13+2 gap=3",
                                   "0 15+2 text=\"A\"", "0 17+2 raw=AA BB", "0 19+1 pad=CC"));
}

TEST(annotations, a_counted_text_notes_its_count_and_its_text) {
  const auto raw = from_hex("02 41 00 42 00");
  annotations notes;
  reader in{raw};
  in.annotate(&notes);
  in.b_varchar("user_name");
  EXPECT_THAT(show(notes), testing::ElementsAre("0 0+1 user_name=2", "0 1+4 user_name=\"AB\""));
}

TEST(annotations, meanings_and_secrets_belong_to_the_value_just_read) {
  const auto raw = from_hex("11 00 AA BB");
  annotations notes;
  reader in{raw};
  in.annotate(&notes);
  in.u16("status");
  in.meaning([] { return "MORE|COUNT"; });
  in.bytes(2, "password");
  in.secret();
  EXPECT_THAT(show(notes),
              testing::ElementsAre("0 0+2 status=17 (MORE|COUNT)", "0 2+2 password=AA BB secret"));
}

TEST(annotations, a_read_that_fails_is_not_noted) {
  const auto raw = from_hex("01 02");
  annotations notes;
  reader in{raw};
  in.annotate(&notes);
  in.u8("a");
  in.u32("b");
  in.meaning([] { return "of nothing"; });
  in.secret();
  in.u8("c");
  EXPECT_THAT(show(notes), testing::ElementsAre("0 0+1 a=1"));
}

TEST(annotations, the_meaning_is_not_worked_out_when_nobody_listens) {
  const auto raw = from_hex("01");
  reader in{raw};
  in.u8("a");
  in.meaning([]() -> std::string {
    ADD_FAILURE() << "called without a collector";
    return {};
  });
}

TEST(annotations, headings_nest_what_follows) {
  const auto raw = from_hex("FD 01 02");
  annotations notes;
  reader in{raw};
  in.annotate(&notes);
  notes.open(0, "DONE", "0xFD");
  in.u8("token");
  notes.open(1, "inner");
  in.u8("a");
  notes.close();
  notes.close();
  notes.close();  // one too many does no harm
  in.u8("b");
  EXPECT_THAT(show(notes), testing::ElementsAre("0 0+0 DONE=0xFD", "1 0+1 token=253",
                                                "1 1+0 inner=", "2 1+1 a=1", "0 2+1 b=2"));
}

TEST(annotations, a_sub_reader_writes_into_the_same_collector) {
  const auto raw = from_hex("01 02 03");
  annotations notes;
  reader in{raw, 10};
  in.annotate(&notes);
  in.u8("a");
  reader inner = in.sub(2, "part");
  inner.u16("b");
  EXPECT_THAT(show(notes), testing::ElementsAre("0 10+1 a=1", "0 11+2 b=770"));
}

TEST(annotations, can_be_wound_back_and_taken) {
  const auto raw = from_hex("01 02 03");
  annotations notes;
  reader in{raw};
  in.annotate(&notes);
  in.u8("a");
  const auto mark = notes.items().size();
  in.u8("b");
  in.u8("c");
  notes.rewind(mark);
  EXPECT_THAT(show(notes), testing::ElementsAre("0 0+1 a=1"));
  EXPECT_EQ(notes.take().size(), 1U);
  EXPECT_TRUE(notes.items().empty());
  notes.meaning("of nothing");
  notes.secret();
  EXPECT_TRUE(notes.items().empty());
}

TEST(hex, is_cut_at_its_limit_and_says_how_much_there_was) {
  const auto raw = from_hex("00 0F A0 FF");
  EXPECT_EQ(tds::bytes::hex(raw), "00 0F A0 FF");
  EXPECT_EQ(tds::bytes::hex(raw, 4), "00 0F A0 FF");
  EXPECT_EQ(tds::bytes::hex(raw, 3), "00 0F A0 ... (4 bytes)");
  EXPECT_EQ(tds::bytes::hex({}), "");
}

}  // namespace
