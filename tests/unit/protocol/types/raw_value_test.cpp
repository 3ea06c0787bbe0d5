// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/raw_value.hpp>
#include <tests/support/golden.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using namespace tds::protocol;
using tds::errc;

using byte_vector = std::vector<std::uint8_t>;

byte_vector hex(const char* text) { return wiregap_test::from_hex(text); }

byte_vector prefix(const byte_vector& whole, std::size_t size) { return wiregap_test::exact(whole, 0, size); }

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

type_info type_of(length_kind length, std::uint32_t max_length = 0, data_type type = data_type::intn) {
  type_info info;
  info.type = type;
  info.length = length;
  info.max_length = max_length;
  return info;
}

struct golden {
  const char* name;
  const char* wire;
  length_kind length;
  cell::kind form;
  std::uint32_t offset;
  std::uint32_t size;
  std::uint32_t max_length = 0;
  data_type type = data_type::intn;
};

using kind = cell::kind;

const golden values[] = {
    {"int4", "01 02 03 04", length_kind::fixed, kind::plain, 0, 4, 4},
    {"null type", "", length_kind::fixed, kind::null, 0, 0, 0},
    {"byte", "02 0A 0B", length_kind::byte, kind::plain, 1, 2},
    {"byte null", "00", length_kind::byte, kind::null, 1, 0},
    {"ushort", "03 00 61 62 63", length_kind::ushort, kind::plain, 2, 3},
    {"ushort empty", "00 00", length_kind::ushort, kind::plain, 2, 0},
    {"ushort null", "FF FF", length_kind::ushort, kind::null, 2, 0},
    {"vector null", "00 00", length_kind::ushort, kind::null, 2, 0, 8, data_type::vector},
    {"variant", "03 00 00 00 30 00 07", length_kind::variant, kind::plain, 4, 3},
    {"variant null", "00 00 00 00", length_kind::variant, kind::null, 4, 0},
    {"text", "02 AA BB 01 02 03 04 05 06 07 08 03 00 00 00 61 62 63", length_kind::text, kind::plain, 15, 3},
    {"text empty", "01 AA 01 02 03 04 05 06 07 08 00 00 00 00", length_kind::text, kind::plain, 14, 0},
    {"text null", "00", length_kind::text, kind::null, 1, 0},
    {"text -1", "01 AA 01 02 03 04 05 06 07 08 FF FF FF FF", length_kind::text, kind::null, 14, 0},
    {"plp null", "FF FF FF FF FF FF FF FF", length_kind::plp, kind::null, 8, 0},
    {"plp empty", "00 00 00 00 00 00 00 00  00 00 00 00", length_kind::plp, kind::plain, 8, 0},
    {"plp unknown empty", "FE FF FF FF FF FF FF FF  00 00 00 00", length_kind::plp, kind::plain, 8, 0},
    {"plp one chunk", "02 00 00 00 00 00 00 00  02 00 00 00 61 62  00 00 00 00", length_kind::plp,
     kind::plain, 12, 2},
    {"plp unknown one chunk", "FE FF FF FF FF FF FF FF  02 00 00 00 61 62  00 00 00 00", length_kind::plp,
     kind::plain, 12, 2},
    {"plp two chunks", "03 00 00 00 00 00 00 00  02 00 00 00 61 62  01 00 00 00 63  00 00 00 00",
     length_kind::plp, kind::chunked, 8, 11},
    {"plp unknown two chunks", "FE FF FF FF FF FF FF FF  01 00 00 00 61  02 00 00 00 62 63  00 00 00 00",
     length_kind::plp, kind::chunked, 8, 11},
};

void expect_found(const golden& row, const value_scanner& scanner, std::size_t before, std::size_t whole) {
  EXPECT_EQ(scanner.found().form, row.form) << row.name;
  EXPECT_EQ(scanner.found().offset, before + row.offset) << row.name;
  EXPECT_EQ(scanner.found().size, row.size) << row.name;
  EXPECT_EQ(scanner.end(), whole) << row.name;
}

TEST(value_scanner, finds_every_form) {
  for (const auto& row : values) {
    const type_info type = type_of(row.length, row.max_length, row.type);
    byte_vector raw = hex("EE EE");  // an earlier column
    const byte_vector wire = hex(row.wire);
    raw.insert(raw.end(), wire.begin(), wire.end());
    value_scanner scanner;
    scanner.begin(type, 2);
    ASSERT_EQ(scanner.scan(raw, no_limit), scan_state::complete) << row.name;
    expect_found(row, scanner, 2, raw.size());
  }
}

TEST(value_scanner, every_strict_prefix_is_incomplete) {
  for (const auto& row : values) {
    const type_info type = type_of(row.length, row.max_length, row.type);
    const byte_vector whole = hex(row.wire);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      value_scanner scanner;
      scanner.begin(type, 0);
      EXPECT_EQ(scanner.scan(prefix(whole, size), no_limit), scan_state::incomplete)
          << row.name << " " << size;
    }
  }
}

TEST(value_scanner, goes_on_after_any_split) {
  for (const auto& row : values) {
    const type_info type = type_of(row.length, row.max_length, row.type);
    const byte_vector whole = hex(row.wire);
    for (std::size_t first = 0; first < whole.size(); ++first) {
      value_scanner scanner;
      scanner.begin(type, 0);
      ASSERT_EQ(scanner.scan(prefix(whole, first), no_limit), scan_state::incomplete);
      ASSERT_EQ(scanner.scan(whole, no_limit), scan_state::complete) << row.name << " split at " << first;
      expect_found(row, scanner, 0, whole.size());
    }
    value_scanner scanner;
    scanner.begin(type, 0);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      ASSERT_EQ(scanner.scan(prefix(whole, size), no_limit), scan_state::incomplete);
    }
    ASSERT_EQ(scanner.scan(whole, no_limit), scan_state::complete) << row.name << " byte by byte";
    expect_found(row, scanner, 0, whole.size());
  }
}

struct broken {
  const char* wire;
  length_kind length;
  std::size_t limit;
  errc code;
  std::size_t at;
};

TEST(value_scanner, judges_a_length_before_it_waits_for_its_bytes) {
  const broken rows[] = {
      {"05", length_kind::byte, 4, errc::limit_exceeded, 0},
      {"05 00", length_kind::ushort, 4, errc::limit_exceeded, 0},
      {"05 00 00 00", length_kind::variant, 4, errc::limit_exceeded, 0},
      {"FF FF FF FF", length_kind::variant, no_limit, errc::bad_length, 0},
      {"00 00 00 80", length_kind::variant, no_limit, errc::bad_length, 0},
      {"01 AA 01 02 03 04 05 06 07 08 05 00 00 00", length_kind::text, 4, errc::limit_exceeded, 0},
      {"01 AA 01 02 03 04 05 06 07 08 00 00 00 80", length_kind::text, no_limit, errc::bad_length, 0},
      {"05 00 00 00 00 00 00 00", length_kind::plp, 4, errc::limit_exceeded, 0},
      {"FD FF FF FF FF FF FF FF", length_kind::plp, 4, errc::limit_exceeded, 0},
      {"FE FF FF FF FF FF FF FF 05 00 00 00", length_kind::plp, 4, errc::limit_exceeded, 8},
      {"FE FF FF FF FF FF FF FF 03 00 00 00 61 62 63 02 00 00 00", length_kind::plp, 4, errc::limit_exceeded,
       15},
      {"FE FF FF FF FF FF FF FF 00 00 00 80", length_kind::plp, 0x7FFFFFFF, errc::limit_exceeded, 8},
      {"FE FF FF FF FF FF FF FF FF FF FF FF", length_kind::plp, no_limit, errc::limit_exceeded, 8},
      {"02 00 00 00 00 00 00 00 03 00 00 00", length_kind::plp, 4, errc::bad_length, 8},
      {"02 00 00 00 00 00 00 00 01 00 00 00 61 02 00 00 00", length_kind::plp, 4, errc::bad_length, 13},
      {"02 00 00 00 00 00 00 00 01 00 00 00 61 00 00 00 00", length_kind::plp, 4, errc::bad_length, 13},
      {"02 00 00 00 00 00 00 00 00 00 00 00", length_kind::plp, 4, errc::bad_length, 8},
      {"00 00 00 00 00 00 00 00 01 00 00 00", length_kind::plp, 4, errc::bad_length, 8},
  };
  for (const auto& row : rows) {
    const type_info type = type_of(row.length);
    value_scanner scanner;
    scanner.begin(type, 0);
    ASSERT_EQ(scanner.scan(hex(row.wire), row.limit), scan_state::bad) << row.wire;
    EXPECT_EQ(scanner.error(), row.code) << row.wire;
    EXPECT_EQ(scanner.end(), row.at) << row.wire;
  }
}

TEST(value_scanner, a_limit_as_large_as_the_value_lets_it_pass) {
  const type_info type = type_of(length_kind::plp);
  value_scanner scanner;
  scanner.begin(type, 0);
  EXPECT_EQ(scanner.scan(hex("FE FF FF FF FF FF FF FF 03 00 00 00 61 62 63 01 00 00 00 64 00 00 00 00"), 4),
            scan_state::complete);
}

byte_vector plp_of(std::size_t total, std::size_t chunk, bool known) {
  byte_vector wire;
  const auto le = [&](std::uint64_t v, int bytes) {
    for (int i = 0; i < bytes; ++i) wire.push_back(static_cast<std::uint8_t>(v >> (8 * i)));
  };
  le(known ? total : 0xFFFFFFFFFFFFFFFE, 8);
  for (std::size_t at = 0; at < total; at += chunk) {
    const std::size_t size = std::min(chunk, total - at);
    le(size, 4);
    wire.insert(wire.end(), size, static_cast<std::uint8_t>(at));
  }
  le(0, 4);
  return wire;
}

TEST(value_scanner, takes_chunks_of_any_size) {
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{4088}, std::size_t{20000}}) {
    for (const bool known : {true, false}) {
      const byte_vector wire = plp_of(10000, chunk, known);
      const type_info type = type_of(length_kind::plp);
      value_scanner scanner;
      scanner.begin(type, 0);
      ASSERT_EQ(scanner.scan(wire, 10000), scan_state::complete) << chunk;
      EXPECT_EQ(scanner.end(), wire.size());
      EXPECT_EQ(scanner.found().form, chunk < 10000 ? kind::chunked : kind::plain);
      scanner.begin(type, 0);
      EXPECT_EQ(scanner.scan(wire, 9999), scan_state::bad);
      EXPECT_EQ(scanner.error(), errc::limit_exceeded);
    }
  }
}

// A value of 100 MB that arrives in steps of 4 kB: each chunk header is passed once. Pages of the view behind
// what has "arrived" would not be read, and a chunk that was walked may be overwritten without being noticed.
TEST(value_scanner, never_looks_again_at_what_it_has_walked) {
  constexpr std::size_t total = 100U << 20;
  constexpr std::size_t step = 4096;
  byte_vector wire = plp_of(total, 8000, false);
  const type_info type = type_of(length_kind::plp);
  value_scanner scanner;
  scanner.begin(type, 0);
  scan_state state = scan_state::incomplete;
  std::size_t wiped = 0;
  for (std::size_t there = step; state == scan_state::incomplete; there += step) {
    const std::size_t size = std::min(there, wire.size());
    state = scanner.scan({wire.data(), size}, no_limit);
    if (state != scan_state::incomplete) break;
    std::fill(wire.begin() + static_cast<std::ptrdiff_t>(wiped),
              wire.begin() + static_cast<std::ptrdiff_t>(scanner.end()), std::uint8_t{0xFF});
    wiped = scanner.end();
  }
  ASSERT_EQ(state, scan_state::complete);
  EXPECT_GT(wiped, total);
  EXPECT_EQ(scanner.end(), wire.size());
}

}  // namespace
