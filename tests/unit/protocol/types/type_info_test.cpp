// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/type_info.hpp>
#include <tds/protocol/types/type_shape.hpp>
#include <tests/support/golden.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace tds::protocol;
using tds::errc;
using tds::bytes::reader;
using tds::bytes::ucs2_string;

using byte_vector = std::vector<std::uint8_t>;

byte_vector hex(const char* text) { return wiregap_test::from_hex(text); }

byte_vector prefix(const byte_vector& whole, std::size_t size) { return wiregap_test::exact(whole, 0, size); }

constexpr tds_version latest = tds_version::v7_4;

type_info read(const byte_vector& raw, tds_version version = latest) {
  reader in{raw};
  type_info info = read_type_info(in, version);
  EXPECT_TRUE(in.ok()) << in.error().explain();
  EXPECT_EQ(in.remaining(), 0U);
  return info;
}

byte_vector written(const type_info& info, tds_version version = latest) {
  tds::bytes::buffer out;
  tds::bytes::writer to{out};
  EXPECT_TRUE(write_type_info(to, info, version));
  return out;
}

struct golden {
  const char* wire;
  data_type type;
  length_kind length;
  std::uint32_t max_length;
  std::uint8_t precision = 0;
  std::uint8_t scale = 0;
  bool has_collation = false;
};

// Every type of MS-TDS 2.2.5.4, in the shapes of TDS 7.4.
const golden types[] = {
    {"1F", data_type::null_, length_kind::fixed, 0},
    {"30", data_type::int1, length_kind::fixed, 1},
    {"32", data_type::bit, length_kind::fixed, 1},
    {"34", data_type::int2, length_kind::fixed, 2},
    {"38", data_type::int4, length_kind::fixed, 4},
    {"3A", data_type::datetime4, length_kind::fixed, 4},
    {"3B", data_type::flt4, length_kind::fixed, 4},
    {"7A", data_type::money4, length_kind::fixed, 4},
    {"7F", data_type::int8, length_kind::fixed, 8},
    {"3C", data_type::money, length_kind::fixed, 8},
    {"3D", data_type::datetime, length_kind::fixed, 8},
    {"3E", data_type::flt8, length_kind::fixed, 8},
    {"24 10", data_type::guid, length_kind::byte, 16},
    {"26 01", data_type::intn, length_kind::byte, 1},
    {"26 02", data_type::intn, length_kind::byte, 2},
    {"26 04", data_type::intn, length_kind::byte, 4},
    {"26 08", data_type::intn, length_kind::byte, 8},
    {"68 01", data_type::bitn, length_kind::byte, 1},
    {"6D 04", data_type::fltn, length_kind::byte, 4},
    {"6D 08", data_type::fltn, length_kind::byte, 8},
    {"6E 04", data_type::moneyn, length_kind::byte, 4},
    {"6E 08", data_type::moneyn, length_kind::byte, 8},
    {"6F 04", data_type::datetimn, length_kind::byte, 4},
    {"6F 08", data_type::datetimn, length_kind::byte, 8},
    {"28", data_type::daten, length_kind::byte, 3},
    {"29 00", data_type::timen, length_kind::byte, 3, 0, 0},
    {"29 07", data_type::timen, length_kind::byte, 5, 0, 7},
    {"2A 03", data_type::datetime2n, length_kind::byte, 7, 0, 3},
    {"2B 07", data_type::datetimeoffsetn, length_kind::byte, 10, 0, 7},
    {"6A 05 09 02", data_type::decimaln, length_kind::byte, 5, 9, 2},
    {"6A 11 26 26", data_type::decimaln, length_kind::byte, 17, 38, 38},
    {"6C 0D 1C 00", data_type::numericn, length_kind::byte, 13, 28, 0},
    {"37 09 13 04", data_type::decimal, length_kind::byte, 9, 19, 4},
    {"3F 11 05 05", data_type::numeric, length_kind::byte, 17, 5, 5},
    {"2F 0A", data_type::char_, length_kind::byte, 10},
    {"27 FF", data_type::varchar, length_kind::byte, 255},
    {"2D 08", data_type::binary, length_kind::byte, 8},
    {"25 08", data_type::varbinary, length_kind::byte, 8},
    {"A5 40 1F", data_type::bigvarbinary, length_kind::ushort, 8000},
    {"A5 FF FF", data_type::bigvarbinary, length_kind::plp, 0xFFFF},
    {"AD 10 00", data_type::bigbinary, length_kind::ushort, 16},
    {"A7 0A 00 09 04 D0 00 34", data_type::bigvarchar, length_kind::ushort, 10, 0, 0, true},
    {"A7 FF FF 09 04 D0 00 34", data_type::bigvarchar, length_kind::plp, 0xFFFF, 0, 0, true},
    {"AF 01 00 09 04 D0 00 34", data_type::bigchar, length_kind::ushort, 1, 0, 0, true},
    {"E7 40 1F 09 04 D0 00 34", data_type::nvarchar, length_kind::ushort, 8000, 0, 0, true},
    {"E7 FF FF 09 04 D0 00 34", data_type::nvarchar, length_kind::plp, 0xFFFF, 0, 0, true},
    {"EF 02 00 09 04 D0 00 34", data_type::nchar, length_kind::ushort, 2, 0, 0, true},
    {"23 FF FF FF 7F 09 04 D0 00 34", data_type::text, length_kind::text, 0x7FFFFFFF, 0, 0, true},
    {"63 FE FF FF 7F 09 04 D0 00 34", data_type::ntext, length_kind::text, 0x7FFFFFFE, 0, 0, true},
    {"22 FF FF FF 7F", data_type::image, length_kind::text, 0x7FFFFFFF},
    {"62 49 1F 00 00", data_type::ssvariant, length_kind::variant, 8009},
    {"F1 00", data_type::xml, length_kind::plp, 0},
    {"F4", data_type::json, length_kind::plp, 0},
    {"F5 40 1F 00", data_type::vector, length_kind::ushort, 8000, 0, 0},
    {"F5 14 00 01", data_type::vector, length_kind::ushort, 20, 0, 1},
};

TEST(type_info, reads_every_type) {
  for (const auto& row : types) {
    const type_info info = read(hex(row.wire));
    EXPECT_EQ(info.type, row.type) << row.wire;
    EXPECT_EQ(info.length, row.length) << row.wire;
    EXPECT_EQ(info.max_length, row.max_length) << row.wire;
    EXPECT_EQ(info.precision, row.precision) << row.wire;
    EXPECT_EQ(info.scale, row.scale) << row.wire;
    EXPECT_EQ(info.has_collation, row.has_collation) << row.wire;
  }
}

TEST(type_info, writes_what_it_reads) {
  for (const auto& row : types) EXPECT_EQ(written(read(hex(row.wire))), hex(row.wire)) << row.wire;
}

TEST(type_info, every_strict_prefix_is_incomplete) {
  for (const auto& row : types) {
    const auto whole = hex(row.wire);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto part = prefix(whole, size);
      reader in{part};
      read_type_info(in, latest);
      EXPECT_EQ(in.state(), tds::bytes::read_state::incomplete) << row.wire << " cut at " << size;
    }
  }
}

TEST(type_info, leaves_what_follows) {
  for (const auto& row : types) {
    auto more = hex(row.wire);
    more.push_back(0xAA);
    reader in{more};
    read_type_info(in, latest);
    EXPECT_TRUE(in.ok()) << row.wire;
    EXPECT_EQ(in.remaining(), 1U) << row.wire;
  }
}

TEST(type_info, xml_may_name_its_schema) {
  const auto wire = hex("F1 01  02 64 00 62 00  03 64 00 62 00 6F 00  02 00 73 00 63 00");
  const type_info info = read(wire);
  ASSERT_TRUE(info.schema);
  EXPECT_EQ(info.schema->database.view().utf8(), "db");
  EXPECT_EQ(info.schema->owner.view().utf8(), "dbo");
  EXPECT_EQ(info.schema->collection.view().utf8(), "sc");
  EXPECT_EQ(written(info), wire);
}

TEST(type_info, udt_names_its_assembly) {
  const auto wire = hex("F0 7C 03  01 64 00  03 73 00 79 00 73 00  02 68 00 69 00  03 00 41 00 2C 00 20 00");
  const type_info info = read(wire);
  EXPECT_EQ(info.length, length_kind::plp);
  EXPECT_EQ(info.max_length, 892U);
  ASSERT_TRUE(info.udt);
  EXPECT_EQ(info.udt->max_byte_size, 892U);
  EXPECT_EQ(info.udt->database.view().utf8(), "d");
  EXPECT_EQ(info.udt->schema.view().utf8(), "sys");
  EXPECT_EQ(info.udt->type_name.view().utf8(), "hi");
  EXPECT_EQ(info.udt->assembly.view().utf8(), "A, ");
  EXPECT_EQ(written(info), wire);
}

TEST(type_info, prefixes_of_xml_and_udt_are_incomplete) {
  for (const char* wire :
       {"F1 01 01 64 00 01 65 00 01 00 66 00", "F0 7C 03 01 64 00 01 65 00 01 66 00 01 00 67 00"}) {
    const auto whole = hex(wire);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto part = prefix(whole, size);
      reader in{part};
      read_type_info(in, latest);
      EXPECT_EQ(in.state(), tds::bytes::read_state::incomplete) << wire << " cut at " << size;
    }
  }
}

TEST(type_info, a_name_too_long_for_its_field_is_not_written) {
  auto schema = std::make_shared<xml_schema>();
  schema->database = ucs2_string{std::string(256, 'a')};
  type_info info = read(hex("F1 00"));
  info.schema = schema;
  tds::bytes::buffer out;
  tds::bytes::writer to{out};
  EXPECT_FALSE(write_type_info(to, info, latest));
}

TEST(type_info, there_is_no_collation_before_7_1) {
  for (const char* wire :
       {"A7 0A 00", "AF 0A 00", "E7 0A 00", "EF 0A 00", "23 FF FF FF 7F", "63 FF FF FF 7F"}) {
    const type_info info = read(hex(wire), tds_version::v7_0);
    EXPECT_FALSE(info.has_collation) << wire;
    EXPECT_EQ(written(info, tds_version::v7_0), hex(wire));
  }
  EXPECT_TRUE(read(hex("A7 0A 00 09 04 D0 00 34"), tds_version::v7_1).has_collation);
}

struct broken {
  const char* wire;
  errc code;
  std::size_t offset;
  const char* field;
};

TEST(type_info, refuses_what_contradicts_the_specification) {
  const broken rows[] = {
      {"00", errc::unknown_type, 0, "type"},
      {"F3", errc::unknown_type, 0, "type"},
      {"26 03", errc::bad_length, 1, "max_length"},
      {"26 00", errc::bad_length, 1, "max_length"},
      {"26 10", errc::bad_length, 1, "max_length"},
      {"24 08", errc::bad_length, 1, "max_length"},
      {"68 02", errc::bad_length, 1, "max_length"},
      {"6D 02", errc::bad_length, 1, "max_length"},
      {"6E 05", errc::bad_length, 1, "max_length"},
      {"6F 03", errc::bad_length, 1, "max_length"},
      {"6A 10 26 00", errc::bad_length, 1, "max_length"},
      {"6A 12 26 00", errc::bad_length, 1, "max_length"},
      {"6A 11 27 00", errc::bad_value, 2, "precision"},
      {"6A 11 00 00", errc::bad_value, 2, "precision"},
      {"6A 11 05 06", errc::bad_value, 3, "scale"},
      {"29 08", errc::bad_value, 1, "scale"},
      {"2A FF", errc::bad_value, 1, "scale"},
      {"2B 08", errc::bad_value, 1, "scale"},
      {"A5 41 1F", errc::bad_length, 1, "max_length"},
      {"AD FF FF", errc::bad_length, 1, "max_length"},
      {"AF FF FF 09 04 D0 00 34", errc::bad_length, 1, "max_length"},
      {"EF FF FF 09 04 D0 00 34", errc::bad_length, 1, "max_length"},
      {"E7 FE FF 09 04 D0 00 34", errc::bad_length, 1, "max_length"},
      {"E7 03 00 09 04 D0 00 34", errc::bad_length, 1, "max_length"},
      {"23 00 00 00 80 09 04 D0 00 34", errc::bad_length, 1, "max_length"},
      {"22 FF FF FF FF", errc::bad_length, 1, "max_length"},
      {"62 00 00 01 00", errc::bad_length, 1, "max_length"},
      {"F1 02", errc::bad_value, 1, "schema_present"},
      {"F0 00 00 00 00 00 00 00", errc::bad_length, 1, "max_byte_size"},
      {"F0 41 1F 00 00 00 00 00", errc::bad_length, 1, "max_byte_size"},
      {"F5 FF FF 00", errc::bad_length, 1, "max_length"},
  };
  for (const auto& row : rows) {
    const auto raw = hex(row.wire);
    reader in{raw, 100};
    read_type_info(in, latest);
    EXPECT_EQ(in.state(), tds::bytes::read_state::bad) << row.wire;
    EXPECT_EQ(in.error().code, row.code) << row.wire << ": " << in.error().explain();
    EXPECT_EQ(in.error().offset, 100 + row.offset) << row.wire;
    EXPECT_STREQ(in.error().field, row.field) << row.wire;
  }
}

TEST(type_info, there_are_no_max_forms_before_7_2) {
  const auto raw = hex("E7 FF FF 09 04 D0 00 34");
  reader in{raw};
  read_type_info(in, tds_version::v7_1);
  EXPECT_EQ(in.error().code, errc::bad_length);
}

TEST(type_info, every_type_byte_reads_or_fails_without_harm) {
  for (int type = 0; type < 256; ++type) {
    byte_vector raw(64, 0xFF);
    raw[0] = static_cast<std::uint8_t>(type);
    reader in{raw};
    const type_info info = read_type_info(in, latest);
    const bool known = shape_of(static_cast<data_type>(type)).has_value();
    EXPECT_EQ(known, name_of(static_cast<data_type>(type)) != "unknown") << type;
    EXPECT_EQ(static_cast<int>(info.type), type);
    EXPECT_EQ(!in.ok() && in.error().code == errc::unknown_type, !known) << type;
  }
}

TEST(type_info, names_its_fields_for_a_dump) {
  const auto raw = hex("6A 11 12 04");
  tds::bytes::annotations notes;
  reader in{raw, 7};
  in.annotate(&notes);
  read_type_info(in, latest);
  ASSERT_EQ(notes.items().size(), 4U);
  EXPECT_EQ(notes.items()[0].field, "type");
  EXPECT_EQ(notes.items()[0].meaning, "decimaln");
  EXPECT_EQ(notes.items()[0].offset, 7U);
  EXPECT_EQ(notes.items()[2].field, "precision");
  EXPECT_EQ(notes.items()[2].value, "18");
  EXPECT_EQ(notes.items()[3].field, "scale");
}

TEST(type_info, time_sizes_follow_the_scale) {
  const std::uint8_t expected[] = {3, 3, 3, 4, 4, 5, 5, 5};
  for (std::uint8_t scale = 0; scale < 8; ++scale) {
    EXPECT_EQ(size_of_time(scale), expected[scale]);
    EXPECT_EQ(size_of_scaled(data_type::timen, scale), expected[scale]);
    EXPECT_EQ(size_of_scaled(data_type::datetime2n, scale), expected[scale] + 3);
    EXPECT_EQ(size_of_scaled(data_type::datetimeoffsetn, scale), expected[scale] + 5);
  }
}

}  // namespace
