// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include "tests/support/transcript.hpp"
#include <tds/protocol/tokens/token_stream.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;
using testing::ElementsAre;
using testing::HasSubstr;
using state = token_stream::state;

const char* const one_int = "81 01 00 00 00 00 00 09 00 26 04 01 61 00";  // COLMETADATA of an int called a
const char* const row_of_1 = "D1 04 01 00 00 00";
const char* const done_1 = "FD 10 00 C1 00 01 00 00 00 00 00 00 00";

std::vector<std::uint8_t> join(std::initializer_list<const char*> parts) {
  std::string text;
  for (const char* part : parts) text.append(part).push_back(' ');
  return from_hex(text);
}

transcript whole(token_stream& stream, const std::vector<std::uint8_t>& bytes) {
  return play(stream, bytes, bytes.size());
}

TEST(token_stream, gives_the_tokens_of_a_result) {
  token_stream stream{tds_version::v7_4};
  const auto bytes = join({one_int, row_of_1, done_1});
  token out;
  EXPECT_EQ(stream.next(out), state::need_more);
  stream.feed(bytes);
  stream.end_message();
  ASSERT_EQ(stream.next(out), state::token);
  ASSERT_TRUE(std::holds_alternative<metadata_ptr>(out));
  EXPECT_EQ(std::get<metadata_ptr>(out), stream.metadata());
  EXPECT_EQ(stream.last_type(), token_type::colmetadata);
  ASSERT_EQ(stream.next(out), state::token);
  ASSERT_TRUE(std::holds_alternative<row>(out));
  const row& values = std::get<row>(out);
  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(get<std::int32_t>(values[0]).value(), 1);
  EXPECT_EQ(stream.last_offset(), 14U);
  EXPECT_EQ(stream.last_bytes().size(), 6U);
  ASSERT_EQ(stream.next(out), state::token);
  EXPECT_EQ(std::get<done>(out).row_count, 1U);
  EXPECT_EQ(stream.pending(), 0U);
  EXPECT_EQ(stream.next(out), state::need_more);
}

TEST(token_stream, gives_the_same_however_the_bytes_are_split) {
  const auto bytes = join({one_int, row_of_1, "D2 01 D2 00 04 02 00 00 00", done_1});
  token_stream stream{tds_version::v7_4};
  const transcript expected = whole(stream, bytes);
  EXPECT_THAT(expected.tokens, ElementsAre("COLMETADATA @0: 81 01 00 00 00 00 00 09 00 26 04 01 61 00",
                                           "ROW @14: 1", "NBCROW @20: NULL", "NBCROW @22: 2",
                                           "DONE @29: FD 10 00 C1 00 01 00 00 00 00 00 00 00"));
  EXPECT_EQ(expected.error, "");
  EXPECT_EQ(play(stream, bytes, 1), expected);
  for (std::size_t at = 0; at <= bytes.size(); ++at) EXPECT_EQ(play_split(stream, bytes, at), expected) << at;
}

TEST(token_stream, waits_for_the_rest_until_the_message_ends) {
  const auto bytes = join({one_int, row_of_1, done_1});
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    token_stream stream{tds_version::v7_4};
    stream.feed(exact(bytes, 0, size));
    token out;
    while (stream.next(out) == state::token) {
    }
    const bool between = size == 14 || size == 20;
    EXPECT_EQ(stream.next(out), state::need_more) << size;
    stream.end_message();
    ASSERT_EQ(stream.next(out), between ? state::need_more : state::error) << size;
    if (between) continue;
    EXPECT_EQ(stream.error().code, tds::errc::incomplete);
    EXPECT_EQ(stream.error().offset, size);
    EXPECT_EQ(stream.next(out), state::error) << "an error is final";
  }
}

TEST(token_stream, says_what_is_missing) {
  token_stream stream{tds_version::v7_4};
  EXPECT_EQ(whole(stream, "FD 00 00"_hex).error, "incomplete in token at offset 3: in DONE: 3 bytes of 13");
  EXPECT_EQ(whole(stream, "AA 05"_hex).error, "incomplete in token at offset 2: in ERROR: 2 bytes");
  EXPECT_EQ(whole(stream, join({one_int, "D1 04 01"})).error,
            "incomplete in row at offset 17: in ROW: column 1 a");
}

TEST(token_stream, names_an_unknown_token_and_the_one_before_it) {
  token_stream stream{tds_version::v7_4};
  EXPECT_EQ(whole(stream, join({done_1, "5A 01 02"})).error,
            "unknown_token in token_type at offset 13: after DONE: 5A 01 02");
  EXPECT_EQ(whole(stream, "00 01"_hex).error, "unknown_token in token_type at offset 0: at the start: 00 01");
}

TEST(token_stream, has_no_rows_without_columns) {
  token_stream stream{tds_version::v7_4};
  EXPECT_EQ(whole(stream, from_hex(row_of_1)).error,
            "unexpected_token in token_type at offset 0: in ROW: no columns known");
  EXPECT_EQ(whole(stream, join({"81 FF FF", row_of_1})).error,
            "unexpected_token in token_type at offset 3: in ROW: no columns known");
  EXPECT_EQ(whole(stream, join({"81 00 00", row_of_1})).error,
            "unexpected_token in token_type at offset 3: in ROW: no columns known");
  // Those of the message before do not count.
  EXPECT_EQ(whole(stream, join({one_int, row_of_1})).error, "");
  EXPECT_EQ(whole(stream, from_hex(row_of_1)).error,
            "unexpected_token in token_type at offset 0: in ROW: no columns known");
}

TEST(token_stream, begins_afresh_with_every_message) {
  token_stream stream{tds_version::v7_4};
  EXPECT_EQ(whole(stream, join({one_int, "D1 04"})).error,
            "incomplete in row at offset 16: in ROW: column 1 a");
  const auto bytes = join({one_int, row_of_1});
  EXPECT_THAT(whole(stream, bytes).tokens, ElementsAre(HasSubstr("@0"), "ROW @14: 1"));
}

TEST(token_stream, takes_another_version_from_the_next_token_on) {
  token_stream stream{tds_version::v7_4};
  const auto bytes = join(
      {"AD 0A 00 01 71 00 00 01 00 08 00 00 C2", "FD 00 00 00 00 00 00 00 00"});  // LOGINACK, DONE of 7.1
  stream.feed(bytes);
  token out;
  ASSERT_EQ(stream.next(out), state::token);
  EXPECT_EQ(version_from_loginack(std::get<loginack>(out).tds_version), tds_version::v7_1);
  stream.set_version(tds_version::v7_1);
  ASSERT_EQ(stream.next(out), state::token);
  EXPECT_EQ(stream.pending(), 0U);
}

TEST(token_stream, takes_data_classification_only_if_negotiated) {
  const auto bytes = "A3 00 00 00 00 00 00"_hex;
  token_stream stream{tds_version::v7_4};
  EXPECT_EQ(whole(stream, bytes).error,
            "unexpected_token in token_type at offset 0: in DATACLASSIFICATION: not negotiated");
  stream.set_dataclassification(1);
  EXPECT_EQ(whole(stream, bytes).error, "");
  stream.set_dataclassification(2);
  const auto ranked = "A3 00 00 00 00 0A 00 00 00 01 00 01 00 00 00 00 00 14 00 00 00"_hex;
  const transcript expected = whole(stream, ranked);
  EXPECT_THAT(expected.tokens, ElementsAre("DATACLASSIFICATION @0: " + to_hex(ranked)));
  EXPECT_EQ(play(stream, ranked, 1), expected);
}

TEST(token_stream, finds_the_columns_of_a_total_by_its_id) {
  const auto bytes = join({one_int, "88 01 00 01 00 00 4D 01 00 00 00 00 00 01 00 26 04 00",
                           "88 01 00 02 00 01 01 00 4B 01 00 00 00 00 00 01 00 26 02 00", row_of_1,
                           "D3 02 00 02 05 00", "D3 01 00 04 07 00 00 00", done_1});
  token_stream stream{tds_version::v7_2};
  const transcript expected = whole(stream, bytes);
  EXPECT_EQ(expected.error, "");
  ASSERT_EQ(expected.tokens.size(), 7U);
  EXPECT_EQ(expected.tokens[4], "ALTROW @58: 2: 5");
  EXPECT_EQ(expected.tokens[5], "ALTROW @64: 1: 7");
  EXPECT_EQ(play(stream, bytes, 1), expected);
  EXPECT_EQ(whole(stream, join({one_int, "D3 01 00 04 07 00 00 00"})).error,
            "unexpected_token in id at offset 14: in ALTROW: no ALTMETADATA of id 1");
}

TEST(token_stream, annotates_rows_cell_by_cell) {
  token_stream stream{tds_version::v7_4};
  tds::bytes::annotations notes;
  stream.annotate(&notes);
  EXPECT_EQ(play(stream, join({one_int, "D2 00 04 05 00 00 00", "D2 01"}), 1).error, "");
  std::string text;
  for (const auto& item : notes.items()) {
    if (item.offset < 14) continue;
    text += std::to_string(item.offset) + '+' + std::to_string(item.size) + ' ' + item.field + '=' +
            item.value + ' ' + item.meaning + '\n';
  }
  EXPECT_EQ(text,
            "14+0 NBCROW= \n"
            "14+1 token_type=210 NBCROW\n"
            "15+1 null_bitmap=00 \n"
            "17+4 a=5 intn\n"
            "21+0 NBCROW= \n"
            "21+1 token_type=210 NBCROW\n"
            "22+1 null_bitmap=01 \n"
            "23+0 a=NULL intn\n");
}

TEST(token_stream, annotates_a_token_once_however_often_it_was_tried) {
  const auto bytes = join({one_int, "AC 00 00 00 01 00 00 00 00 01 00 26 04 04 2A 00 00 00", done_1});
  tds::bytes::annotations at_once;
  tds::bytes::annotations in_bytes;
  token_stream stream{tds_version::v7_4};
  stream.annotate(&at_once);
  (void)whole(stream, bytes);
  stream.annotate(&in_bytes);
  (void)play(stream, bytes, 1);
  ASSERT_EQ(in_bytes.items().size(), at_once.items().size());
  for (std::size_t i = 0; i < at_once.items().size(); ++i) {
    EXPECT_EQ(in_bytes.items()[i].offset, at_once.items()[i].offset);
    EXPECT_EQ(in_bytes.items()[i].value, at_once.items()[i].value);
  }
}

TEST(token_stream, stays_whole_when_it_is_moved_in_the_middle_of_a_value) {
  const auto bytes =
      "AC 00 00 00 01 00 00 00 00 01 00 E7 FF FF 09 04 D0 00 34 02 00 00 00 00 00 00 00 02 00 00 00 61 00 00 00 00 00"_hex;
  auto first = std::make_unique<token_stream>(tds_version::v7_4);
  first->feed(exact(bytes, 0, 30));
  token out;
  EXPECT_EQ(first->next(out), state::need_more);
  token_stream second{std::move(*first)};
  first.reset();
  second.feed(exact(bytes, 30, bytes.size()));
  ASSERT_EQ(second.next(out), state::token);
  EXPECT_EQ(to_string(decode(std::get<returnvalue>(out).value()).value()), "a");
}

}  // namespace
