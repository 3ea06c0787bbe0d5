// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/row.hpp>
#include <tests/support/golden.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace tds::protocol;
using tds::errc;

using byte_vector = std::vector<std::uint8_t>;

byte_vector hex(const char* text) { return wiregap_test::from_hex(text); }

byte_vector prefix(const byte_vector& whole, std::size_t size) { return wiregap_test::exact(whole, 0, size); }

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

column column_of(data_type type, length_kind length, std::uint32_t max_length) {
  column c;
  c.type.type = type;
  c.type.length = length;
  c.type.max_length = max_length;
  return c;
}

const column fixed_int = column_of(data_type::int4, length_kind::fixed, 4);
const column any_int = column_of(data_type::intn, length_kind::byte, 4);
const column short_text = column_of(data_type::nvarchar, length_kind::ushort, 100);
const column long_text = column_of(data_type::nvarchar, length_kind::plp, 0xFFFF);
const column old_text = column_of(data_type::text, length_kind::text, 0x7FFFFFFF);

colmetadata mixed() { return {false, {fixed_int, long_text, any_int, old_text, short_text, long_text}}; }

const char* const mixed_row =
    "07 00 00 00"
    "FE FF FF FF FF FF FF FF 02 00 00 00 41 00 04 00 00 00 42 00 43 00 00 00 00 00"
    "02 09 00"
    "01 AA 01 02 03 04 05 06 07 08 02 00 00 00 68 69"
    "02 00 44 00"
    "FF FF FF FF FF FF FF FF";

void expect_mixed(const row& found) {
  ASSERT_EQ(found.size(), 6U);
  EXPECT_EQ(found[0].bytes.size(), 4U);
  EXPECT_EQ(found[0].bytes[0], 7);
  EXPECT_EQ(found[1].form, cell::kind::chunked);
  EXPECT_EQ(found[1].bytes.size(), 14U);
  EXPECT_EQ(found[2].bytes[0], 9);
  EXPECT_EQ(found[3].bytes[1], 'i');
  EXPECT_EQ(found[4].bytes[0], 'D');
  EXPECT_TRUE(found[5].is_null());
  EXPECT_EQ(found[5].type, &found.metadata->columns[5].type);
}

TEST(row_scanner, finds_every_cell) {
  const colmetadata columns = mixed();
  const byte_vector wire = hex(mixed_row);
  row_scanner scanner;
  scanner.begin(columns, false);
  ASSERT_EQ(scanner.scan(wire, no_limit), scan_state::complete);
  EXPECT_EQ(scanner.size(), wire.size());
  expect_mixed(scanner.found(wire));
}

TEST(row_scanner, leaves_what_follows) {
  const colmetadata columns = mixed();
  byte_vector wire = hex(mixed_row);
  wire.push_back(0xD1);
  row_scanner scanner;
  scanner.begin(columns, false);
  ASSERT_EQ(scanner.scan(wire, no_limit), scan_state::complete);
  EXPECT_EQ(scanner.size(), wire.size() - 1);
  EXPECT_EQ(scanner.found(wire).bytes.size(), wire.size() - 1);
}

TEST(row_scanner, goes_on_after_any_split) {
  const colmetadata columns = mixed();
  const byte_vector wire = hex(mixed_row);
  row_scanner byte_by_byte;
  byte_by_byte.begin(columns, false);
  for (std::size_t first = 0; first < wire.size(); ++first) {
    row_scanner scanner;
    scanner.begin(columns, false);
    ASSERT_EQ(scanner.scan(prefix(wire, first), no_limit), scan_state::incomplete) << first;
    ASSERT_EQ(scanner.scan(wire, no_limit), scan_state::complete) << first;
    expect_mixed(scanner.found(wire));
    ASSERT_EQ(byte_by_byte.scan(prefix(wire, first), no_limit), scan_state::incomplete) << first;
  }
  ASSERT_EQ(byte_by_byte.scan(wire, no_limit), scan_state::complete);
  expect_mixed(byte_by_byte.found(wire));
}

TEST(row_scanner, a_null_bitmap_has_one_bit_a_column) {
  for (std::size_t count = 1; count <= 4096; count = count < 70 ? count + 1 : count * 2 - 3) {
    const colmetadata columns{false, std::vector<column>(count, any_int)};
    byte_vector wire((count + 7) / 8);
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 3 == 0) {
        wire[i / 8] = static_cast<std::uint8_t>(wire[i / 8] | (1U << (i % 8)));
      } else {
        wire.push_back(1);
        wire.push_back(static_cast<std::uint8_t>(i));
      }
    }
    wire.shrink_to_fit();
    row_scanner scanner;
    scanner.begin(columns, true);
    ASSERT_EQ(scanner.scan(wire, no_limit), scan_state::complete) << count;
    ASSERT_EQ(scanner.size(), wire.size()) << count;
    const row found = scanner.found(wire);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(found[i].is_null(), i % 3 == 0) << count << " columns, column " << i;
      if (i % 3 != 0) {
        ASSERT_EQ(found[i].bytes[0], static_cast<std::uint8_t>(i));
      }
    }
  }
}

TEST(row_scanner, every_prefix_of_a_compressed_row_of_33_columns_is_incomplete) {
  const colmetadata columns{false, std::vector<column>(33, any_int)};
  byte_vector wire = hex("FE FF FF FF 00  01 05  01 06");
  row_scanner byte_by_byte;
  byte_by_byte.begin(columns, true);
  for (std::size_t size = 0; size < wire.size(); ++size) {
    row_scanner scanner;
    scanner.begin(columns, true);
    ASSERT_EQ(scanner.scan(prefix(wire, size), no_limit), scan_state::incomplete) << size;
    ASSERT_EQ(byte_by_byte.scan(prefix(wire, size), no_limit), scan_state::incomplete) << size;
  }
  ASSERT_EQ(byte_by_byte.scan(wire, no_limit), scan_state::complete);
  const row found = byte_by_byte.found(wire);
  EXPECT_EQ(found[0].bytes[0], 5);
  EXPECT_TRUE(found[31].is_null());
  EXPECT_EQ(found[32].bytes[0], 6);
}

TEST(row_scanner, spare_bits_of_the_bitmap_are_ignored) {
  const colmetadata columns{false, {any_int}};
  const byte_vector wire = hex("FE 01 05");
  row_scanner scanner;
  scanner.begin(columns, true);
  ASSERT_EQ(scanner.scan(wire, no_limit), scan_state::complete);
  EXPECT_FALSE(scanner.found(wire)[0].is_null());
}

TEST(row_scanner, says_which_column_is_wrong_and_where) {
  const colmetadata columns = mixed();
  const byte_vector wire = hex("07 00 00 00  02 00 00 00 00 00 00 00 03 00 00 00");
  row_scanner scanner;
  scanner.begin(columns, false);
  ASSERT_EQ(scanner.scan(wire, no_limit), scan_state::bad);
  EXPECT_EQ(scanner.error(), errc::bad_length);
  EXPECT_EQ(scanner.column(), 1U);
  EXPECT_EQ(scanner.size(), 12U);
}

TEST(row_scanner, the_limit_holds_for_every_column) {
  const colmetadata columns{false, {fixed_int, short_text}};
  row_scanner scanner;
  scanner.begin(columns, false);
  ASSERT_EQ(scanner.scan(hex("07 00 00 00  09 00"), 8), scan_state::bad);
  EXPECT_EQ(scanner.error(), errc::limit_exceeded);
  EXPECT_EQ(scanner.column(), 1U);
  EXPECT_EQ(scanner.size(), 4U);
}

TEST(row_scanner, a_row_without_columns_is_empty) {
  const colmetadata columns;
  for (const bool compressed : {false, true}) {
    row_scanner scanner;
    scanner.begin(columns, compressed);
    ASSERT_EQ(scanner.scan({}, no_limit), scan_state::complete);
    EXPECT_EQ(scanner.size(), 0U);
  }
}

TEST(row_scanner, scans_row_after_row) {
  const colmetadata columns = mixed();
  const colmetadata one{false, {any_int}};
  const byte_vector wire = hex(mixed_row);
  const byte_vector small = hex("02 0A 00");
  row_scanner scanner;
  for (int i = 0; i < 3; ++i) {
    scanner.begin(columns, false);
    ASSERT_EQ(scanner.scan(prefix(wire, 20), no_limit), scan_state::incomplete);
    scanner.begin(columns, false);
    ASSERT_EQ(scanner.scan(wire, no_limit), scan_state::complete);
    expect_mixed(scanner.found(wire));
    scanner.begin(one, false);
    ASSERT_EQ(scanner.scan(small, no_limit), scan_state::complete);
    EXPECT_EQ(scanner.found(small).size(), 1U);
  }
}

std::string written(tds::result<void> (*write)(tds::bytes::writer&, const colmetadata&,
                                               std::span<const value>),
                    const colmetadata& columns, const std::vector<value>& values) {
  tds::bytes::buffer out;
  tds::bytes::writer to{out};
  return write(to, columns, values) ? wiregap_test::to_hex(out) : "error";
}

TEST(write_row, writes_every_value) {
  const colmetadata columns{false, {fixed_int, any_int, short_text}};
  const std::vector<value> values{std::int32_t{7}, null{}, text{"D", false}};
  EXPECT_EQ(written(write_row, columns, values), "D1 07 00 00 00 00 02 00 44 00");
  EXPECT_EQ(written(write_nbcrow, columns, values), "D2 02 07 00 00 00 02 00 44 00");
}

TEST(write_row, a_compressed_row_of_33_columns_has_five_bytes_of_bitmap) {
  const colmetadata columns{false, std::vector<column>(33, any_int)};
  std::vector<value> values(33);
  values[0] = std::int32_t{5};
  values[32] = std::int32_t{6};
  EXPECT_EQ(written(write_nbcrow, columns, values), "D2 FE FF FF FF 00 04 05 00 00 00 04 06 00 00 00");
}

TEST(write_row, refuses_what_does_not_match_the_columns) {
  const colmetadata columns{false, {fixed_int}};
  EXPECT_EQ(written(write_row, columns, {}), "error");
  EXPECT_EQ(written(write_nbcrow, columns, {std::int32_t{1}, std::int32_t{2}}), "error");
  EXPECT_EQ(written(write_row, columns, {text{"a", false}}), "error");
  EXPECT_EQ(written(write_row, columns, {null{}}), "error");
}

}  // namespace
