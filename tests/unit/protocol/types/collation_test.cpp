// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/code_page.hpp>
#include <tds/protocol/types/collation.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using tds::errc;
using tds::bytes::byte_span;
using tds::bytes::reader;
using tds::protocol::code_page;
using tds::protocol::code_page_of;
using tds::protocol::collation;
using tds::protocol::collation_flag;
using tds::protocol::make_collation;

// What a server sends, its bytes and what they mean.
struct example {
  std::string_view name;
  std::vector<std::uint8_t> wire;
  std::uint32_t lcid;
  std::uint8_t flags;
  std::uint8_t version;
  std::uint8_t sort_id;
  code_page page;
};

const std::vector<example>& examples() {
  static const std::vector<example> all{
      {"SQL_Latin1_General_CP1_CI_AS", {0x09, 0x04, 0xD0, 0x00, 0x34}, 0x409, 0x0D, 0, 52, code_page::cp1252},
      {"Latin1_General_CI_AS", {0x09, 0x04, 0xD0, 0x00, 0x00}, 0x409, 0x0D, 0, 0, code_page::cp1252},
      {"Latin1_General_100_CI_AS_SC_UTF8",
       {0x09, 0x04, 0xD0, 0x24, 0x00},
       0x409,
       0x4D,
       2,
       0,
       code_page::utf8},
      {"Latin1_General_BIN2", {0x09, 0x04, 0x00, 0x02, 0x00}, 0x409, 0x20, 0, 0, code_page::cp1252},
      {"Japanese_CI_AS", {0x11, 0x04, 0xD0, 0x00, 0x00}, 0x411, 0x0D, 0, 0, code_page::cp932},
      {"Japanese_Unicode_CI_AS", {0x11, 0x04, 0xD1, 0x00, 0x00}, 0x10411, 0x0D, 0, 0, code_page::cp932},
      {"German_PhoneBook_CI_AS", {0x07, 0x04, 0xD1, 0x00, 0x00}, 0x10407, 0x0D, 0, 0, code_page::cp1252},
      // A SQL collation's LCID is not what decides: English, but stored in MS-DOS's character set.
      {"SQL_Latin1_General_CP437_CI_AS",
       {0x09, 0x04, 0xD0, 0x00, 0x20},
       0x409,
       0x0D,
       0,
       32,
       code_page::cp437},
      {"SQL_Latin1_General_CP1251_CI_AS",
       {0x19, 0x04, 0xD0, 0x00, 0x6A},
       0x419,
       0x0D,
       0,
       106,
       code_page::cp1251},
      // The UTF-8 flag is above a sort id, too.
      {"UTF-8 with a sort id", {0x09, 0x04, 0xD0, 0x04, 0x34}, 0x409, 0x4D, 0, 52, code_page::utf8},
      {"every bit set", {0xFF, 0xFF, 0xFF, 0xFF, 0x34}, 0xFFFFF, 0xFF, 15, 52, code_page::utf8},
  };
  return all;
}

TEST(collation, golden_bytes_both_ways) {
  for (const auto& e : examples()) {
    const std::vector<std::uint8_t> exact(e.wire);
    reader in{byte_span{exact}};
    const collation c = tds::protocol::read_collation(in);
    ASSERT_TRUE(in.ok()) << e.name;
    EXPECT_EQ(in.remaining(), 0U) << e.name;
    EXPECT_EQ(c.lcid(), e.lcid) << e.name;
    EXPECT_EQ(c.flags().bits, e.flags) << e.name;
    EXPECT_EQ(c.version(), e.version) << e.name;
    EXPECT_EQ(c.sort_id, e.sort_id) << e.name;
    EXPECT_EQ(code_page_of(c).value(), e.page) << e.name;
    EXPECT_EQ(c, make_collation(e.lcid, tds::bytes::flag_set<collation_flag>{e.flags}, e.version, e.sort_id));
    tds::bytes::buffer out;
    tds::bytes::writer to{out};
    tds::protocol::write_collation(to, c);
    EXPECT_EQ(out, e.wire) << e.name;
  }
}

TEST(collation, every_prefix_is_incomplete) {
  for (std::size_t size = 0; size < collation::wire_size; ++size) {
    const auto& wire = examples().front().wire;
    const std::vector<std::uint8_t> exact(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(size));
    reader in{byte_span{exact}};
    EXPECT_EQ(tds::protocol::read_collation(in), collation{});
    EXPECT_EQ(in.state(), tds::bytes::read_state::incomplete) << size;
  }
}

TEST(collation, reads_no_further) {
  const std::vector<std::uint8_t> wire{0x09, 0x04, 0xD0, 0x00, 0x34, 0xAA};
  reader in{byte_span{wire}};
  EXPECT_EQ(tds::protocol::read_collation(in), tds::protocol::default_collation);
  EXPECT_EQ(in.remaining(), 1U);
}

TEST(collation, flags_are_named) {
  const auto c = make_collation(0x409, collation_flag::ignore_case);
  EXPECT_TRUE(c.flags().has(collation_flag::ignore_case));
  EXPECT_FALSE(c.flags().has(collation_flag::ignore_accent));
  EXPECT_FALSE(c.is_utf8());
  EXPECT_TRUE(make_collation(0x409, collation_flag::utf8).is_utf8());
  EXPECT_TRUE(collation{}.is_raw());
  EXPECT_FALSE(c.is_raw());
}

TEST(collation, explains) {
  EXPECT_EQ(explain(tds::protocol::default_collation),
            "lcid 0x00409, ignore_case|ignore_kana|ignore_width, version 0, sort id 52, cp1252");
  EXPECT_EQ(explain(make_collation(0x20404, collation_flag::binary2, 2)),
            "lcid 0x20404, binary2, version 2, sort id 0, cp950");
  EXPECT_EQ(explain(collation{}), "lcid 0x00000, version 0, sort id 0, raw");
  EXPECT_EQ(explain(make_collation(0x439)), "lcid 0x00439, version 0, sort id 0, unknown code page");
}

TEST(collation, annotates_its_fields) {
  const std::vector<std::uint8_t> wire{0x09, 0x04, 0xD0, 0x00, 0x34};
  tds::bytes::annotations notes;
  reader in{byte_span{wire}};
  in.annotate(&notes);
  (void)tds::protocol::read_collation(in);
  ASSERT_EQ(notes.items().size(), 2U);
  EXPECT_EQ(notes.items()[0].field, "collation_info");
  EXPECT_EQ(notes.items()[0].meaning, "lcid 0x00409, ignore_case|ignore_kana|ignore_width, version 0");
  EXPECT_EQ(notes.items()[1].field, "sort_id");
  EXPECT_EQ(notes.items()[1].value, "52");
  EXPECT_EQ(notes.items()[1].meaning, "cp1252");
}

}  // namespace
