// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/code_page.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

namespace {

using tds::errc;
using tds::protocol::code_page;
using tds::protocol::code_page_of;
using tds::protocol::collation_flag;
using tds::protocol::make_collation;
using enum code_page;

TEST(code_page, every_sort_id) {
  const std::map<code_page, std::vector<int>> families{
      {cp437, {30, 31, 32, 33, 34, 35}},
      {cp850, {40, 41, 42, 43, 44, 45, 49, 55, 56, 57, 58, 59, 60, 61}},
      {cp1252,
       {50, 51, 52, 53, 54, 71, 72, 73, 74, 75, 183, 184, 185, 186, 210, 211, 212, 213, 214, 215, 216, 217}},
      {cp1250, {80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98}},
      {cp1251, {104, 105, 106, 107, 108}},
      {cp1253, {112, 113, 114, 120, 121, 122, 124}},
      {cp1254, {128, 129, 130}},
      {cp1255, {136, 137, 138}},
      {cp1256, {144, 145, 146}},
      {cp1257, {152, 153, 154, 155, 156, 157, 158, 159, 160}},
      {cp932, {192, 193, 200}},
      {cp949, {194, 195, 201}},
      {cp950, {196, 197, 202}},
      {cp936, {198, 199, 203}},
      {cp874, {204, 205, 206}},
  };
  std::map<int, code_page> expected;
  for (const auto& [page, ids] : families) {
    for (const int id : ids) expected[id] = page;
  }
  for (int id = 1; id < 256; ++id) {
    // A locale of another character set, which must not matter.
    const auto page = code_page_of(make_collation(0x411, {}, 0, static_cast<std::uint8_t>(id)));
    const auto known = expected.find(id);
    if (known == expected.end()) {
      EXPECT_EQ(page.error(), errc::unknown_code_page) << id;
    } else {
      ASSERT_TRUE(page.has_value()) << id;
      EXPECT_EQ(*page, known->second) << id;
    }
  }
}

TEST(code_page, locales_of_the_windows_collations) {
  const std::map<code_page, std::vector<std::uint32_t>> families{
      {cp874, {0x041E}},
      {cp932, {0x0411, 0x10411, 0x40411}},
      {cp936, {0x0804, 0x20804, 0x1004}},
      {cp949, {0x0412, 0x10412}},
      {cp950, {0x0404, 0x30404, 0x0C04, 0x1404, 0x21404}},
      {cp1250,
       {0x0405, 0x040E, 0x1040E, 0x0415, 0x0418, 0x041A, 0x041B, 0x041C, 0x0424, 0x0442, 0x081A, 0x101A,
        0x141A, 0x181A}},
      {cp1251,
       {0x0402, 0x0419, 0x0422, 0x0423, 0x042F, 0x043F, 0x0444, 0x0450, 0x046D, 0x0485, 0x082C, 0x0843,
        0x0C1A, 0x1C1A, 0x201A}},
      {cp1252,
       {0x0403,  0x0406, 0x0407, 0x10407, 0x0807, 0x0409, 0x0809, 0x040A, 0x080A, 0x0C0A, 0x040B, 0x040C,
        0x0C0C,  0x040F, 0x0410, 0x0413,  0x0813, 0x0414, 0x0814, 0x0416, 0x0816, 0x0417, 0x041D, 0x0437,
        0x10437, 0x0452, 0x0462, 0x043B,  0x083B, 0x042E, 0x047A, 0x047C, 0x047E, 0x0483, 0x085F}},
      {cp1253, {0x0408}},
      {cp1254, {0x041F, 0x042C, 0x0443}},
      {cp1255, {0x040D}},
      {cp1256, {0x0401, 0x0801, 0x0C01, 0x4001, 0x0420, 0x0429, 0x0480, 0x048C}},
      {cp1257, {0x0425, 0x0426, 0x0427, 0x0827}},
      {cp1258, {0x042A}},
  };
  for (const auto& [page, lcids] : families) {
    for (const auto lcid : lcids) {
      const auto found = code_page_of(make_collation(lcid));
      ASSERT_TRUE(found.has_value()) << std::hex << lcid;
      EXPECT_EQ(*found, page) << std::hex << lcid;
    }
  }
}

TEST(code_page, unicode_only_locales_have_none_but_utf8) {
  // Maltese, Hindi, Bengali, Gujarati, Tamil, Assamese, Tibetan, Khmer, Lao, Syriac, Nepali, Pashto, Divehi,
  // Maori.
  for (const std::uint32_t lcid : {0x043AU, 0x0439U, 0x0445U, 0x0447U, 0x0449U, 0x044DU, 0x0451U, 0x0453U,
                                   0x0454U, 0x045AU, 0x0461U, 0x0463U, 0x0465U, 0x0481U}) {
    EXPECT_EQ(code_page_of(make_collation(lcid)).error(), errc::unknown_code_page) << std::hex << lcid;
    EXPECT_EQ(code_page_of(make_collation(lcid, collation_flag::utf8)).value(), utf8) << std::hex << lcid;
  }
}

TEST(code_page, no_locale_at_all) {
  EXPECT_EQ(code_page_of(make_collation(0)).error(), errc::unknown_code_page);
  EXPECT_EQ(code_page_of(make_collation(0xFFFFF)).error(), errc::unknown_code_page);
  EXPECT_EQ(code_page_of(make_collation(0x003FF)).error(), errc::unknown_code_page);
}

TEST(code_page, names) {
  EXPECT_EQ(name_of(cp437), "cp437");
  EXPECT_EQ(name_of(cp1252), "cp1252");
  EXPECT_EQ(name_of(utf8), "utf8");
  EXPECT_EQ(name_of(code_page{7}), "unknown");
}

}  // namespace
