// SPDX-License-Identifier: BSL-1.0
#include "value_case.hpp"
#include <tds/protocol/types/plp.hpp>

#include <string>

namespace {

using namespace types_test;

const char* const replacement = "\xEF\xBF\xBD";
constexpr collation japanese = make_collation(0x0411);
constexpr collation utf8 = make_collation(0x0409, collation_flag::utf8);

text clean(std::string utf8_text) { return {std::move(utf8_text), false}; }

type_info legacy(data_type type, std::uint32_t max_length) {
  type_info info;
  info.type = type;
  info.length = length_kind::byte;
  info.max_length = max_length;
  return info;
}

TEST(strings, read_and_write_in_every_form) {
  const value_case cases[] = {
      {make_nvarchar(10), "04 00 41 00 AC 20", clean("A\xE2\x82\xAC"), "A\xE2\x82\xAC"},
      {make_nvarchar(10), "04 00 3D D8 00 DE", clean("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80"},
      {make_nvarchar(10), "00 00", clean(""), ""},
      {make_nvarchar(10), "FF FF", null{}, "NULL"},
      {make_nchar(2), "04 00 41 00 20 00", clean("A "), "A "},
      {make_varchar(10), "02 00 41 80", clean("A\xE2\x82\xAC"), "A\xE2\x82\xAC"},
      {make_varchar(10), "FF FF", null{}, "NULL"},
      {make_char(3), "03 00 41 20 20", clean("A  "), "A  "},
      {make_varchar(10, japanese), "03 00 82 A0 41",
       clean("\xE3\x81\x82"
             "A"),
       "\xE3\x81\x82"
       "A"},
      {make_varchar(10, utf8), "03 00 E2 82 AC", clean("\xE2\x82\xAC"), "\xE2\x82\xAC"},
      {legacy(data_type::varchar, 10), "02 68 69", clean("hi"), "hi"},
      {legacy(data_type::char_, 10), "00", null{}, "NULL"},
      {make_nvarchar_max(), "02 00 00 00 00 00 00 00 02 00 00 00 41 00 00 00 00 00", clean("A"), "A"},
      {make_nvarchar_max(), "00 00 00 00 00 00 00 00 00 00 00 00", clean(""), ""},
      {make_nvarchar_max(), "FF FF FF FF FF FF FF FF", null{}, "NULL"},
      {make_varchar_max(), "01 00 00 00 00 00 00 00 01 00 00 00 80 00 00 00 00", clean("\xE2\x82\xAC"),
       "\xE2\x82\xAC"},
      {make_xml(), "08 00 00 00 00 00 00 00 08 00 00 00 3C 00 61 00 2F 00 3E 00 00 00 00 00", clean("<a/>"),
       "<a/>"},
      {make_json(), "02 00 00 00 00 00 00 00 02 00 00 00 7B 7D 00 00 00 00", clean("{}"), "{}"},
      {make_json(), "04 00 00 00 00 00 00 00 04 00 00 00 22 C3 BC 22 00 00 00 00", clean("\"\xC3\xBC\""),
       "\"\xC3\xBC\""},
  };
  for (const auto& c : cases) expect_both_ways(c);
}

TEST(strings, text_and_ntext_carry_a_pointer) {
  const std::string pointer = "10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ";
  const std::string characters = pointer + "02 00 00 00 41 80";
  const std::string units = pointer + "04 00 00 00 41 00 AC 20";
  expect_both_ways({make_text(), characters.c_str(), clean("A\xE2\x82\xAC"), "A\xE2\x82\xAC"});
  expect_both_ways({make_ntext(), units.c_str(), clean("A\xE2\x82\xAC"), "A\xE2\x82\xAC"});
  expect_both_ways({make_ntext(), (pointer + "00 00 00 00").c_str(), clean(""), ""});
  expect_both_ways({make_text(), "00", null{}, "NULL"});
}

TEST(strings, a_lone_surrogate_is_replaced_and_said_so) {
  const auto expect = [](const char* wire, const std::string& utf8_text) {
    EXPECT_EQ(*decoded(make_nvarchar(10), from_hex(wire)), (value{text{utf8_text, true}})) << wire;
  };
  expect("02 00 00 D8", replacement);
  expect("02 00 00 DC", replacement);
  expect("04 00 00 D8 41 00", replacement + std::string{"A"});
  expect("04 00 00 DC 00 D8", std::string{replacement} + replacement);
}

TEST(strings, half_a_unit_is_refused) {
  expect_refused(make_nvarchar(10), "01 00 41", errc::bad_length);
  expect_refused(make_nvarchar_max(), "FE FF FF FF FF FF FF FF 03 00 00 00 41 00 42 00 00 00 00",
                 errc::bad_length);
}

TEST(strings, a_character_may_be_split_between_chunks) {
  const value smile = clean("\xF0\x9F\x98\x80");
  const char* const splits[] = {
      "FE FF FF FF FF FF FF FF 01 00 00 00 3D 03 00 00 00 D8 00 DE 00 00 00 00",
      "FE FF FF FF FF FF FF FF 02 00 00 00 3D D8 02 00 00 00 00 DE 00 00 00 00",
      "04 00 00 00 00 00 00 00 03 00 00 00 3D D8 00 01 00 00 00 DE 00 00 00 00",
      "04 00 00 00 00 00 00 00 01 00 00 00 3D 01 00 00 00 D8 01 00 00 00 00 01 00 00 00 DE 00 00 00 00",
  };
  for (const char* wire : splits) EXPECT_EQ(*decoded(make_nvarchar_max(), from_hex(wire)), smile) << wire;
  EXPECT_EQ(*decoded(make_json(),
                     from_hex("FE FF FF FF FF FF FF FF 02 00 00 00 F0 9F 02 00 00 00 98 80 00 00 00 00")),
            smile);
  EXPECT_EQ(*decoded(make_varchar_max(japanese),
                     from_hex("02 00 00 00 00 00 00 00 01 00 00 00 82 01 00 00 00 A0 00 00 00 00")),
            value{clean("\xE3\x81\x82")});
}

TEST(strings, bytes_that_are_no_text_are_replaced_and_said_so) {
  const auto read = decoded(make_json(), from_hex("02 00 00 00 00 00 00 00 02 00 00 00 41 FF 00 00 00 00"));
  EXPECT_EQ(*read, (value{text{"A" + std::string{replacement}, true}}));
}

TEST(strings, without_a_collation_only_ascii_is_certain) {
  type_info type = make_varchar(10);
  type.has_collation = false;
  EXPECT_EQ(*decoded(type, from_hex("02 00 68 69")), value{clean("hi")});
  EXPECT_EQ(*decoded(type, from_hex("02 00 68 80")), (value{text{"h\xE2\x82\xAC", true}}));
  EXPECT_EQ(encoded(type, clean("hi")), "02 00 68 69");
}

TEST(strings, an_unknown_collation_is_an_error_and_the_bytes_are_still_there) {
  const type_info type = make_varchar(10, collation{});
  const byte_vector wire = from_hex("02 00 68 69");
  expect_refused(type, "02 00 68 69", errc::unknown_code_page);
  std::vector<std::uint8_t> scratch;
  const auto raw = joined(scanned(type, wire), scratch);
  EXPECT_EQ(byte_vector(raw.begin(), raw.end()), from_hex("68 69"));
  EXPECT_TRUE(scratch.empty());
  EXPECT_EQ(encoded(type, clean("hi")), "unknown_code_page");
}

TEST(strings, what_does_not_fit_is_not_written) {
  EXPECT_EQ(encoded(make_nvarchar(2), clean("abc")), "bad_value");
  EXPECT_EQ(encoded(make_nvarchar(1), clean("\xF0\x9F\x98\x80")), "bad_value");
  EXPECT_EQ(encoded(make_varchar(2), clean("abc")), "bad_value");
  EXPECT_EQ(encoded(make_varchar(10), clean("\xE3\x81\x82")), "bad_encoding");
  EXPECT_EQ(encoded(make_nvarchar(10), clean("\xFF")), "bad_encoding");
  EXPECT_EQ(encoded(make_json(), clean("\xFF")), "bad_encoding");
  EXPECT_EQ(encoded(make_nvarchar(10), std::int32_t{1}), "bad_value");
  EXPECT_EQ(encoded(legacy(data_type::varchar, 10), clean("")), "bad_value");  // it would be NULL
}

TEST(strings, append_text_appends) {
  const type_info type = make_nvarchar(10);
  const byte_vector good = from_hex("02 00 41 00");
  const byte_vector lone = from_hex("02 00 00 D8");
  const byte_vector none = from_hex("FF FF");
  std::string out = "> ";
  EXPECT_TRUE(append_text(out, scanned(type, good)).value());
  EXPECT_EQ(out, "> A");
  EXPECT_FALSE(append_text(out, scanned(type, lone)).value());
  EXPECT_EQ(append_text(out, scanned(type, none)).error(), errc::bad_value);
  const type_info number = make_int(1);
  const byte_vector one = from_hex("01 01");
  EXPECT_EQ(append_text(out, scanned(number, one)).error(), errc::bad_value);
}

std::string ascii(std::size_t size) {
  std::string made(size, ' ');
  for (std::size_t i = 0; i < size; ++i) made[i] = static_cast<char>('a' + i % 26);
  return made;
}

TEST(strings, a_long_value_is_written_in_chunks) {
  for (const std::size_t size :
       {plp_chunk_size - 1, plp_chunk_size, plp_chunk_size + 1, 3 * plp_chunk_size + 5}) {
    const std::string content = ascii(size);
    tds::bytes::buffer out;
    tds::bytes::writer to{out};
    ASSERT_TRUE(encode(to, make_varchar_max(), clean(content)));
    const std::size_t chunks = (size + plp_chunk_size - 1) / plp_chunk_size;
    EXPECT_EQ(out.size(), 8 + size + 4 * chunks + 4);
    EXPECT_EQ(*decoded(make_varchar_max(), out), value{clean(content)});
  }
}

TEST(plp, any_chunk_size_with_and_without_the_total) {
  const std::string content = ascii(10'000);
  const byte_vector payload(content.begin(), content.end());
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{4088}, std::size_t{0x80000000}}) {
    for (const plp_total total : {plp_total::known, plp_total::unknown}) {
      tds::bytes::buffer out;
      tds::bytes::writer to{out};
      write_plp(to, payload, total, chunk);
      EXPECT_EQ(*decoded(make_varbinary_max(), out), value{binary{payload}}) << chunk;
      std::vector<std::uint8_t> scratch;
      const type_info type = make_varbinary_max();
      const auto whole = joined(scanned(type, out), scratch);
      EXPECT_TRUE(std::equal(whole.begin(), whole.end(), payload.begin(), payload.end())) << chunk;
    }
  }
}

TEST(plp, the_unknown_form_of_nothing) {
  tds::bytes::buffer out;
  tds::bytes::writer to{out};
  write_plp(to, {}, plp_total::unknown);
  EXPECT_EQ(wiregap_test::to_hex(out), "FE FF FF FF FF FF FF FF 00 00 00 00");
}

TEST(plp, chunks_that_lie_about_their_size_are_not_followed) {
  std::vector<std::uint8_t> out;
  append_chunks(out, from_hex("FF FF FF FF 61 62"));
  EXPECT_EQ(out, from_hex("61 62"));
  append_chunks(out, from_hex("01 00"));
  EXPECT_EQ(out.size(), 2U);
}

}  // namespace
