// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/utf8.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using tds::bytes::append_utf8;
using tds::bytes::ascii_prefix;
using tds::bytes::next_utf8;

TEST(utf8, every_scalar_value_both_ways) {
  for (char32_t c = 0; c <= 0x10FFFF; c = c == 0xD7FF ? 0xE000 : c + 1) {
    std::string text;
    append_utf8(text, c);
    const auto scalar = next_utf8(text, 0);
    ASSERT_TRUE(scalar.valid && !scalar.cut) << static_cast<unsigned>(c);
    ASSERT_EQ(scalar.value, c);
    ASSERT_EQ(scalar.length, text.size());
    for (std::size_t size = 1; size < text.size(); ++size) {
      const auto piece = next_utf8(text.substr(0, size), 0);
      ASSERT_TRUE(piece.cut && !piece.valid) << static_cast<unsigned>(c);
      ASSERT_EQ(piece.value, tds::bytes::replacement_character);
    }
  }
}

TEST(utf8, ill_formed_is_not_cut) {
  for (const std::string text :
       {"\x80", "\xC0", "\xC1\xBF", "\xE0\x9F", "\xED\xA0", "\xF0\x8F", "\xF4\x90", "\xF5", "\xFF",
        "\xC3"
        "A",
        "\xE2\x82"
        "A",
        "\xF0\x9F\x98"
        "A"}) {
    const auto scalar = next_utf8(text, 0);
    EXPECT_FALSE(scalar.valid) << testing::PrintToString(text);
    EXPECT_FALSE(scalar.cut) << testing::PrintToString(text);
    EXPECT_EQ(scalar.length, 1U);
  }
}

TEST(utf8, ascii_prefix_stops_at_the_first_other_byte) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::string text(size, 'a');
    EXPECT_EQ(ascii_prefix(text.data(), text.size()), size);
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = text;
      other[at] = '\x80';
      EXPECT_EQ(ascii_prefix(other.data(), other.size()), at);
    }
  }
}

}  // namespace
