// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/fields.hpp>
#include <tests/support/golden.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using tds::bytes::annotations;
using tds::bytes::buffer;
using tds::bytes::byte_span;
using tds::bytes::flag_set;
using tds::bytes::read_fields;
using tds::bytes::read_state;
using tds::bytes::reader;
using tds::bytes::size_of_fields;
using tds::bytes::ucs2_string;
using tds::bytes::ucs2_view;
using tds::bytes::write_fields;
using tds::bytes::writer;
using wiregap_test::exact;
using wiregap_test::from_hex;

enum class colour : std::uint8_t { red = 1, blue = 2 };
enum class option : std::uint16_t { none = 0, more = 1, count = 0x10, wide = 0x101 };

// One of everything that a linear message can hold.
struct sample {
  colour kind{};
  flag_set<option> options{};
  std::uint16_t port{};  // big endian
  std::int32_t balance{};
  std::uint64_t rows{};
  ucs2_view name{};
  ucs2_view text{};
  byte_span salt{};
  byte_span key{};
  byte_span blob{};

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor& visit) {
    visit.le("kind", self.kind);
    visit.le("options", self.options);
    visit.be("port", self.port);
    visit.le("balance", self.balance);
    visit.le("rows", self.rows);
    visit.b_varchar("name", self.name);
    visit.us_varchar("text", self.text);
    visit.b_varbyte("salt", self.salt);
    visit.us_varbyte("key", self.key);
    visit.l_varbyte("blob", self.blob);
  }
};

const char* const golden = R"(
    02               # kind
    11 80            # options, one bit of them without a name
    05 99            # port 1433
    FE FF FF FF      # balance -2
    07 00 00 00 00 00 00 00
    02 41 00 42 00   # name
    01 00 3D D8      # text: half a surrogate pair must survive
    02 AA BB         # salt
    01 00 CC         # key
    03 00 00 00 DD EE FF)";

TEST(fields, one_description_reads_and_writes_the_same_bytes) {
  const auto raw = from_hex(golden);
  reader in{raw};
  sample message;
  read_fields(in, message);
  ASSERT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 0U);
  EXPECT_EQ(message.kind, colour::blue);
  EXPECT_EQ(message.options.bits, 0x8011);
  EXPECT_EQ(message.port, 1433);
  EXPECT_EQ(message.balance, -2);
  EXPECT_EQ(message.rows, 7U);
  EXPECT_EQ(message.name.utf8(), "AB");
  EXPECT_EQ(message.text.units(), 1U);
  EXPECT_EQ(message.blob.size(), 3U);

  buffer out;
  writer w{out};
  EXPECT_TRUE(write_fields(w, message));
  EXPECT_EQ(out, raw);
  EXPECT_EQ(size_of_fields(message), raw.size());
}

TEST(fields, every_strict_prefix_is_incomplete_and_a_trailing_byte_is_left_over) {
  const auto raw = from_hex(golden);
  for (std::size_t size = 0; size < raw.size(); ++size) {
    const auto cut = exact(raw, 0, size);
    reader in{cut};
    sample message;
    read_fields(in, message);
    EXPECT_EQ(in.state(), read_state::incomplete) << size;
  }
  auto longer = raw;
  longer.push_back(0);
  reader in{longer};
  sample message;
  read_fields(in, message);
  EXPECT_EQ(in.remaining(), 1U);
}

TEST(fields, are_annotated_by_their_names_in_wire_order) {
  const auto raw = from_hex(golden);
  annotations notes;
  reader in{raw};
  in.annotate(&notes);
  sample message;
  read_fields(in, message);
  std::vector<std::string> names;
  std::size_t next = 0;
  for (const auto& item : notes.items()) {
    if (names.empty() || names.back() != item.field) names.push_back(item.field);
    EXPECT_EQ(item.offset, next) << item.field;
    next = item.offset + item.size;
  }
  EXPECT_EQ(next, raw.size());
  EXPECT_THAT(names, testing::ElementsAre("kind", "options", "port", "balance", "rows", "name", "text",
                                          "salt", "key", "blob"));
}

TEST(fields, writing_says_when_a_text_does_not_fit) {
  const ucs2_string name{std::string(256, 'x')};
  sample message;
  message.name = name;
  buffer out;
  writer w{out};
  EXPECT_FALSE(write_fields(w, message));
}

TEST(flag_set, keeps_bits_without_a_name) {
  flag_set<option> flags{std::uint16_t{0x8010}};
  flags.set(option::more);
  EXPECT_EQ(flags.bits, 0x8011);
  flags.set(option::count, false);
  EXPECT_EQ(flags.bits, 0x8001);
}

TEST(flag_set, has_a_flag_only_when_all_its_bits_are_set) {
  EXPECT_TRUE(flag_set<option>{option::more}.has(option::more));
  EXPECT_FALSE(flag_set<option>{option::more}.has(option::wide));
  EXPECT_TRUE(flag_set<option>{std::uint16_t{0xFFFF}}.has(option::wide));
  EXPECT_FALSE(flag_set<option>{std::uint16_t{0xFFFF}}.has(option::none))
      << "the absence of flags is no flag";
}

TEST(flag_set, joins_and_compares) {
  constexpr auto both = flag_set<option>{option::more} | option::count;
  static_assert(both.bits == 0x11);
  EXPECT_EQ(both, flag_set<option>{std::uint16_t{0x11}});
  EXPECT_FALSE(both == flag_set<option>{option::more});
}

}  // namespace
