// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/code_page.hpp>
#include <tests/support/golden.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace std::string_literals;
using tds::errc;
using tds::bytes::byte_span;
using tds::protocol::code_page;
using tds::protocol::collation;
using tds::protocol::collation_flag;
using tds::protocol::decode_text;
using tds::protocol::encode_text;
using tds::protocol::make_collation;
using tds::protocol::text_outcome;
using wiregap_test::from_hex;
using enum code_page;

constexpr text_outcome exact{};
constexpr text_outcome replaced{true, false};
constexpr text_outcome cut{false, true};
const std::string fffd = "\xEF\xBF\xBD";

std::string decoded(code_page page, const std::vector<std::uint8_t>& raw, text_outcome expected = exact) {
  const std::vector<std::uint8_t> copy(raw);  // no spare capacity: ASan sees an overrun
  std::string out = "kept ";
  const auto outcome = decode_text(out, page, byte_span{copy});
  EXPECT_TRUE(outcome.has_value());
  EXPECT_EQ((outcome ? *outcome : text_outcome{true, true}), expected) << wiregap_test::to_hex(raw);
  EXPECT_EQ(out.substr(0, 5), "kept ");
  return out.substr(5);
}

std::vector<std::uint8_t> encoded(code_page page, std::string_view utf8_text, text_outcome expected = exact) {
  tds::bytes::buffer out{0xAA};
  const auto outcome = encode_text(out, page, utf8_text);
  EXPECT_TRUE(outcome.has_value());
  EXPECT_EQ((outcome ? *outcome : text_outcome{true, true}), expected) << utf8_text;
  EXPECT_EQ(out.front(), 0xAA);
  return {out.begin() + 1, out.end()};
}

struct example {
  code_page page;
  const char* wire;
  std::string utf8;
};

// Written out from the character sets' own charts; both directions.
const std::vector<example>& examples() {
  static const std::vector<example> all{
      {cp437, "9A 6E 8B B0", "\u00DCn\u00EF\u2591"},
      {cp437, "E6", "\u00B5"},
      {cp850, "9D 9E", "\u00D8\u00D7"},
      {cp874, "C0 D2 C9 D2 E4 B7 C2", "\u0E20\u0E32\u0E29\u0E32\u0E44\u0E17\u0E22"},
      {cp932, "93 FA 96 7B 8C EA 83 65 20 B1 B2", "\u65E5\u672C\u8A9E\u30C6 \uFF71\uFF72"},
      {cp932, "83 5C 5C", "\u30BD\\"},  // a second byte that looks like a backslash
      {cp932, "FB FC 87 40 81 60", "\u9AD9\u2460\uFF5E"},
      {cp936, "D6 D0 CE C4 80 E9 46", "\u4E2D\u6587\u20AC\u9555"},
      {cp949, "C7 D1 B1 B9 BE EE 20 8C 63", "\uD55C\uAD6D\uC5B4 \uB620"},
      {cp950, "C1 63 C5 E9 A4 A4 A4 E5", "\u7E41\u9AD4\u4E2D\u6587"},
      {cp1250, "8E 6C 75 9D 6F 75 E8 6B FD", "\u017Dlu\u0165ou\u010Dk\u00FD"},
      {cp1251, "CF F0 E8 E2 E5 F2", "\u041F\u0440\u0438\u0432\u0435\u0442"},
      {cp1252, "80 93 E9 94", "\u20AC\u201C\u00E9\u201D"},
      {cp1252, "81", "\u0081"},
      {cp1253, "C5 EB EB DC E4 E1", "\u0395\u03BB\u03BB\u03AC\u03B4\u03B1"},
      {cp1254, "DD F0 FE", "\u0130\u011F\u015F"},
      {cp1255, "F9 EC E5 ED", "\u05E9\u05DC\u05D5\u05DD"},
      {cp1256, "D3 E1 C7 E3", "\u0633\u0644\u0627\u0645"},
      {cp1257, "C0 FE 75", "\u0104\u017Eu"},
      {cp1258, "D0 61 CC", "\u0110a\u0300"},
      {utf8, "41 C3 A9 E2 82 AC F0 9F 98 80", "A\u00E9\u20AC\U0001F600"},
  };
  return all;
}

TEST(code_page_text, golden_bytes_both_ways) {
  for (const auto& e : examples()) {
    const auto wire = from_hex(e.wire);
    EXPECT_EQ(decoded(e.page, wire), e.utf8) << e.wire;
    EXPECT_EQ(encoded(e.page, e.utf8), wire) << e.wire;
  }
}

TEST(code_page_text, of_two_pairs_for_one_character_windows_writes_one) {
  EXPECT_EQ(decoded(cp932, from_hex("EE E0")), "\u9AD9");
  EXPECT_EQ(decoded(cp932, from_hex("FB FC")), "\u9AD9");
  EXPECT_EQ(encoded(cp932, "\u9AD9"), from_hex("FB FC"));
  EXPECT_EQ(decoded(cp932, from_hex("87 90")), "\u2252");  // NEC's
  EXPECT_EQ(encoded(cp932, "\u2252"), from_hex("81 E0"));  // JIS's
}

TEST(code_page_text, single_byte_pages_by_their_charts) {
  const auto file = wiregap_test::load_binary("text/single_byte_pages.txt");
  std::istringstream in{std::string{file.begin(), file.end()}};
  std::string word;
  int pages = 0;
  while (in >> word) {
    if (word == "#") {
      std::getline(in, word);
      continue;
    }
    const auto page = static_cast<code_page>(std::stoi(word.substr(2)));
    ++pages;
    for (unsigned byte = 0x80; byte < 0x100; ++byte) {
      std::string point;
      ASSERT_TRUE(in >> point);
      if (point == "-") continue;
      std::string expected;
      const auto unit = std::stoul(point, nullptr, 16);
      const std::uint8_t raw[] = {static_cast<std::uint8_t>(unit & 0xFF),
                                  static_cast<std::uint8_t>(unit >> 8)};
      tds::bytes::append_utf8(expected, tds::bytes::ucs2_view{byte_span{raw}});
      EXPECT_EQ(decoded(page, {static_cast<std::uint8_t>(byte)}), expected) << name_of(page) << " " << byte;
      EXPECT_EQ(encoded(page, expected), std::vector{static_cast<std::uint8_t>(byte)}) << name_of(page);
    }
  }
  EXPECT_EQ(pages, 12);
}

TEST(code_page_text, ascii_is_ascii_everywhere) {
  std::string all;
  for (int c = 0; c < 128; ++c) all.push_back(static_cast<char>(c));
  const std::vector<std::uint8_t> raw(all.begin(), all.end());
  for (const auto& e : examples()) {
    EXPECT_EQ(decoded(e.page, raw), all) << name_of(e.page);
    EXPECT_EQ(encoded(e.page, all), raw) << name_of(e.page);
  }
}

TEST(code_page_text, every_byte_and_pair_comes_back) {
  for (const code_page page : {cp437, cp850, cp874, cp932, cp936, cp949, cp950, cp1250, cp1251, cp1252,
                               cp1253, cp1254, cp1255, cp1256, cp1257, cp1258}) {
    std::size_t characters = 0;
    for (unsigned code = 0x80; code < 0x10000; code = code < 0xFF    ? code + 1
                                                      : code == 0xFF ? 0x8000
                                                                     : code + 1) {
      std::vector<std::uint8_t> raw{static_cast<std::uint8_t>(code)};
      if (code > 0xFF) raw.insert(raw.begin(), static_cast<std::uint8_t>(code >> 8));
      std::string text;
      if (!decode_text(text, page, byte_span{raw})->exact()) continue;
      tds::bytes::buffer back;
      ASSERT_TRUE(encode_text(back, page, text)->exact()) << name_of(page) << " " << code;
      std::string again;
      ASSERT_TRUE(decode_text(again, page, byte_span{back})->exact());
      ASSERT_EQ(again, text) << name_of(page) << " " << code;
      ++characters;
    }
    EXPECT_GT(characters, 60U) << name_of(page);
  }
}

TEST(code_page_text, a_character_cut_at_the_end_is_flagged) {
  EXPECT_EQ(decoded(cp932, from_hex("93 FA 96"), cut), "\u65E5" + fffd);
  EXPECT_EQ(decoded(cp936, from_hex("41 D6"), cut), "A" + fffd);
  EXPECT_EQ(decoded(cp949, from_hex("C7"), cut), fffd);
  EXPECT_EQ(decoded(cp950, from_hex("41 41 41 41 41 41 41 41 C1"), cut), "AAAAAAAA" + fffd);
  EXPECT_EQ(decoded(utf8, from_hex("41 C3"), cut), "A" + fffd);
  EXPECT_EQ(decoded(utf8, from_hex("E2 82"), cut), fffd);
  EXPECT_EQ(decoded(utf8, from_hex("41 F0 9F 98"), cut), "A" + fffd);
  EXPECT_EQ(encoded(cp1252, "A\xE2\x82", cut), from_hex("41 3F"));
  EXPECT_EQ(encoded(utf8, "A\xE2\x82", cut), from_hex("41 EF BF BD"));
}

TEST(code_page_text, bytes_without_a_meaning_are_replaced_and_flagged) {
  EXPECT_EQ(decoded(cp932, from_hex("41 81 AD 42"), replaced), "A" + fffd + "B");  // a pair nobody assigned
  EXPECT_EQ(decoded(cp932, from_hex("93 27 42"), replaced), fffd + "'B");  // the quote is not swallowed
  EXPECT_EQ(decoded(cp932, from_hex("FF"), replaced), fffd);
  EXPECT_EQ(decoded(cp1255, from_hex("D9"), replaced), fffd);
  EXPECT_EQ(decoded(utf8, from_hex("41 80 42"), replaced), "A" + fffd + "B");
  EXPECT_EQ(decoded(utf8, from_hex("C0 AF"), replaced), fffd + fffd);
  EXPECT_EQ(decoded(utf8, from_hex("ED A0 80"), replaced), fffd + fffd + fffd);
  EXPECT_EQ(decoded(utf8, from_hex("80 C3"), {true, true}), fffd + fffd);
}

TEST(code_page_text, characters_that_a_page_does_not_have_become_question_marks) {
  EXPECT_EQ(encoded(cp1252, "a\u0416b", replaced), from_hex("61 3F 62"));
  EXPECT_EQ(encoded(cp1252, "\U0001F600", replaced), from_hex("3F"));
  EXPECT_EQ(encoded(cp932, "\u65E5\u20AC", replaced), from_hex("93 FA 3F"));
  EXPECT_EQ(encoded(cp1252, "a\xFF", replaced), from_hex("61 3F"));
}

TEST(code_page_text, long_texts_keep_every_character) {
  for (const auto& e : examples()) {
    const auto wire = from_hex(e.wire);
    std::vector<std::uint8_t> raw;
    std::string text;
    for (std::size_t i = 0; i < 700; ++i) {
      raw.insert(raw.end(), wire.begin(), wire.end());
      text += e.utf8;
      raw.insert(raw.end(), i % 19, 'x');
      text.append(i % 19, 'x');
    }
    EXPECT_EQ(decoded(e.page, raw), text) << name_of(e.page);
    EXPECT_EQ(encoded(e.page, text), raw) << name_of(e.page);
  }
}

TEST(code_page_text, by_collation) {
  const auto text = [](const collation& from, const char* wire) {
    const auto raw = from_hex(wire);
    std::string out;
    const auto outcome = decode_text(out, from, byte_span{raw});
    EXPECT_TRUE(outcome.has_value() && outcome->exact());
    return out;
  };
  EXPECT_EQ(text(tds::protocol::default_collation, "80"), "\u20AC");
  EXPECT_EQ(text(make_collation(0x411), "93 FA"), "\u65E5");
  EXPECT_EQ(text(make_collation(0x409, {}, 0, 32), "9A"), "\u00DC");
  EXPECT_EQ(text(make_collation(0x411, collation_flag::utf8, 2), "E6 97 A5"), "\u65E5");
  tds::bytes::buffer out;
  EXPECT_TRUE(encode_text(out, make_collation(0x419), "\u041F")->exact());
  EXPECT_EQ(out, from_hex("CF"));
}

TEST(code_page_text, an_unknown_code_page_leaves_the_output_alone) {
  std::string text = "kept";
  tds::bytes::buffer raw{1, 2};
  EXPECT_EQ(decode_text(text, make_collation(0x439), byte_span{raw}).error(), errc::unknown_code_page);
  EXPECT_EQ(decode_text(text, collation{}, byte_span{raw}).error(), errc::unknown_code_page);
  EXPECT_EQ(decode_text(text, code_page{7}, byte_span{raw}).error(), errc::unknown_code_page);
  EXPECT_EQ(encode_text(raw, make_collation(0x439), "x").error(), errc::unknown_code_page);
  EXPECT_EQ(encode_text(raw, code_page{7}, "x").error(), errc::unknown_code_page);
  EXPECT_EQ(text, "kept");
  EXPECT_EQ(raw, (tds::bytes::buffer{1, 2}));
}

TEST(code_page_text, nothing_is_nothing) {
  for (const auto& e : examples()) {
    EXPECT_EQ(decoded(e.page, {}), "");
    EXPECT_EQ(encoded(e.page, ""), std::vector<std::uint8_t>{});
  }
}

TEST(code_page_text, many_threads_may_ask_first) {
  std::vector<std::thread> threads;
  std::vector<std::string> texts(8);
  threads.reserve(texts.size());
  for (auto& text : texts) {
    threads.emplace_back([&text] {
      const auto raw = from_hex("C7 D1");
      (void)decode_text(text, cp949, byte_span{raw});
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& text : texts) EXPECT_EQ(text, "\uD55C");
}

}  // namespace
