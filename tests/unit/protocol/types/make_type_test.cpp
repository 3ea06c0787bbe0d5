// SPDX-License-Identifier: BSL-1.0
#include "value_case.hpp"

#include <utility>

namespace {

using namespace types_test;

const std::pair<type_info, const char*> made[] = {
    {make_fixed(data_type::null_), "1F"},
    {make_fixed(data_type::int1), "30"},
    {make_fixed(data_type::flt8), "3E"},
    {make_bit(), "68 01"},
    {make_int(1), "26 01"},
    {make_int(8), "26 08"},
    {make_float(4), "6D 04"},
    {make_money(), "6E 08"},
    {make_money(4), "6E 04"},
    {make_decimal(9, 2), "6A 05 09 02"},
    {make_decimal(19, 0), "6A 09 13 00"},
    {make_numeric(28, 28), "6C 0D 1C 1C"},
    {make_numeric(38, 0), "6C 11 26 00"},
    {make_date(), "28"},
    {make_time(), "29 07"},
    {make_datetime(), "6F 08"},
    {make_smalldatetime(), "6F 04"},
    {make_datetime2(3), "2A 03"},
    {make_datetimeoffset(0), "2B 00"},
    {make_guid(), "24 10"},
    {make_char(10), "AF 0A 00 09 04 D0 00 34"},
    {make_varchar(8000), "A7 40 1F 09 04 D0 00 34"},
    {make_varchar(1, make_collation(0x0411)), "A7 01 00 11 04 00 00 00"},
    {make_varchar_max(), "A7 FF FF 09 04 D0 00 34"},
    {make_nchar(10), "EF 14 00 09 04 D0 00 34"},
    {make_nvarchar(4000), "E7 40 1F 09 04 D0 00 34"},
    {make_nvarchar_max(), "E7 FF FF 09 04 D0 00 34"},
    {make_text(), "23 FF FF FF 7F 09 04 D0 00 34"},
    {make_ntext(), "63 FE FF FF 7F 09 04 D0 00 34"},
    {make_xml(), "F1 00"},
    {make_json(), "F4"},
    {make_binary(16), "AD 10 00"},
    {make_varbinary(8000), "A5 40 1F"},
    {make_varbinary_max(), "A5 FF FF"},
    {make_image(), "22 FF FF FF 7F"},
    {make_udt({0xFFFF, {}, {}, {}, {}}), "F0 FF FF 00 00 00 00 00"},
    {make_vector(1998), "F5 40 1F 00"},
    {make_variant(), "62 49 1F 00 00"},
};

TEST(make_type, makes_what_read_type_info_would_read) {
  for (const auto& [type, wire] : made) {
    tds::bytes::buffer out;
    tds::bytes::writer to{out};
    ASSERT_TRUE(write_type_info(to, type, tds_version::v7_4));
    EXPECT_EQ(wiregap_test::to_hex(out), wire);
    const byte_vector raw = from_hex(wire);
    tds::bytes::reader in{raw};
    const type_info read = read_type_info(in, tds_version::v7_4);
    EXPECT_TRUE(in.ok()) << in.error().explain();
    EXPECT_EQ(read.type, type.type) << wire;
    EXPECT_EQ(read.length, type.length) << wire;
    EXPECT_EQ(read.max_length, type.max_length) << wire;
    EXPECT_EQ(read.precision, type.precision) << wire;
    EXPECT_EQ(read.scale, type.scale) << wire;
    EXPECT_EQ(read.has_collation, type.has_collation) << wire;
    EXPECT_EQ(read.collate, type.collate) << wire;
  }
}

}  // namespace
