// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/types/make_type.hpp>
#include <tds/protocol/types/value.hpp>
#include <tests/support/golden.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace types_test {

using namespace tds::protocol;
using byte_vector = std::vector<std::uint8_t>;
using tds::errc;
using tds::error_code;
using wiregap_test::from_hex;

inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// A value as it lies in a row, its length field included, and what it stands for.
struct value_case {
  type_info type;
  const char* wire;
  value expected;
  const char* shown;
};

/// The cell at the start of `wire`, which must be all of it.
inline raw_value scanned(const type_info& type, const byte_vector& wire) {
  value_scanner scanner;
  scanner.begin(type, 0);
  EXPECT_EQ(scanner.scan(wire, no_limit), scan_state::complete);
  EXPECT_EQ(scanner.end(), wire.size());
  const cell found = scanner.found();
  return {&type, tds::bytes::byte_span{wire}.subspan(found.offset, found.size), found.form};
}

inline tds::result<value> decoded(const type_info& type, const byte_vector& wire) {
  return decode(scanned(type, wire));
}

inline std::string encoded(const type_info& type, const value& v) {
  tds::bytes::buffer out;
  tds::bytes::writer to{out};
  const auto written = encode(to, type, v);
  return written ? wiregap_test::to_hex(out)
                 : std::string{name_of(static_cast<errc>(written.error().value()))};
}

inline void expect_incomplete_prefixes(const type_info& type, const byte_vector& wire) {
  for (std::size_t size = 0; size < wire.size(); ++size) {
    value_scanner scanner;
    scanner.begin(type, 0);
    EXPECT_EQ(scanner.scan(wiregap_test::exact(wire, 0, size), no_limit), scan_state::incomplete) << size;
  }
}

/// What is read of `wire`, that only all of it reads, how it shows, and that it is written so.
inline void expect_both_ways(const value_case& c) {
  SCOPED_TRACE(std::string{name_of(c.type.type)} + " " + c.wire);
  const byte_vector wire = from_hex(c.wire);
  const auto read = decoded(c.type, wire);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, c.expected) << "read " << to_string(*read);
  EXPECT_EQ(to_string(*read), c.shown);
  EXPECT_EQ(encoded(c.type, c.expected), wiregap_test::to_hex(wire));
  expect_incomplete_prefixes(c.type, wire);
}

/// A value whose length or content is wrong: it can be stepped over but not decoded.
inline void expect_refused(const type_info& type, const char* wire, errc code) {
  SCOPED_TRACE(std::string{name_of(type.type)} + " " + wire);
  const auto read = decoded(type, from_hex(wire));
  ASSERT_FALSE(read) << to_string(*read);
  EXPECT_EQ(read.error(), code) << read.error().message();
}

}  // namespace types_test
