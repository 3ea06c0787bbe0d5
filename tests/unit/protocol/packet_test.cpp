// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include <tds/protocol/packet.hpp>

#include <gtest/gtest.h>

namespace tds::protocol {
namespace {

using wiregap_test::from_hex;

TEST(packet_header, golden_bytes_both_ways) {
  const auto raw = from_hex("04 01 01 1C 00 33 07 00");
  bytes::reader in{raw};
  packet_header header;
  bytes::read_fields(in, header);
  ASSERT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 0U);
  EXPECT_EQ(header.type, packet_type::tabular_result);
  EXPECT_TRUE(header.status.has(packet_status::eom));
  EXPECT_EQ(header.length, 0x011C);
  EXPECT_EQ(header.spid, 0x0033);
  EXPECT_EQ(header.packet_id, 7);

  bytes::buffer out;
  bytes::writer to{out};
  EXPECT_TRUE(bytes::write_fields(to, header));
  EXPECT_EQ(out, raw);
  EXPECT_EQ(bytes::size_of_fields(header), packet_header_size);
}

TEST(packet_header, every_strict_prefix_is_incomplete) {
  const auto raw = from_hex("04 01 01 1C 00 33 07 00");
  for (std::size_t size = 0; size < raw.size(); ++size) {
    const auto cut = wiregap_test::exact(raw, 0, size);
    bytes::reader in{cut};
    packet_header header;
    bytes::read_fields(in, header);
    EXPECT_EQ(in.state(), bytes::read_state::incomplete) << size;
  }
}

TEST(packet_header, annotations_explain_type_and_status) {
  const auto raw = from_hex("10 29 00 08 00 00 01 00");
  bytes::annotations notes;
  bytes::reader in{raw};
  in.annotate(&notes);
  packet_header header;
  bytes::read_fields(in, header);
  ASSERT_EQ(notes.items().size(), 6U);
  EXPECT_EQ(notes.items()[0].field, "type");
  EXPECT_EQ(notes.items()[0].meaning, "LOGIN7");
  EXPECT_EQ(notes.items()[1].meaning, "EOM|RESETCONNECTION|0x20");
  EXPECT_EQ(notes.items()[2].value, "8");
}

TEST(packet_type, exactly_the_types_of_the_specification_are_known) {
  const std::string known = "1 2 3 4 6 7 8 14 16 17 18 ";
  std::string found;
  for (int value = 0; value < 256; ++value) {
    if (is_known(static_cast<packet_type>(value))) found += std::to_string(value) + " ";
  }
  EXPECT_EQ(found, known);
  EXPECT_EQ(name_of(static_cast<packet_type>(5)), "unknown");
  EXPECT_EQ(name_of(packet_type::sql_batch), "SQL_BATCH");
}

TEST(packet_type, sets) {
  const packet_types set{packet_type::tabular_result, packet_type::prelogin};
  EXPECT_TRUE(set.contains(packet_type::prelogin));
  EXPECT_FALSE(set.contains(packet_type::login7));
  EXPECT_FALSE(packet_types::all().contains(static_cast<packet_type>(5)));
  EXPECT_FALSE(packet_types::all().contains(static_cast<packet_type>(0x50)));
  EXPECT_TRUE(packet_types::all().contains(packet_type::attention));
}

TEST(packet_status, unknown_bits_are_kept_and_named_in_hex) {
  EXPECT_EQ(name_of(packet_status_flags{std::uint8_t{0}}), "");
  EXPECT_EQ(name_of(packet_status_flags{std::uint8_t{0x13}}), "EOM|IGNORE|RESETCONNECTIONSKIPTRAN");
  EXPECT_EQ(name_of(packet_status_flags{std::uint8_t{0x84}}), "0x84");
}

}  // namespace
}  // namespace tds::protocol
