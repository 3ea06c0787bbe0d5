// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include <tds/protocol/packet_joiner.hpp>
#include <tds/protocol/packet_splitter.hpp>
#include <tds/protocol/sql_batch.hpp>

#include <gtest/gtest.h>

#include <string>

namespace tds::protocol {
namespace {

using bytes::byte_span;
using wiregap_test::exact;
using wiregap_test::from_hex;
using wiregap_test::load_hex;

sql_batch read_all(byte_span raw, tds_version version) {
  bytes::reader in{raw};
  auto batch = read_sql_batch(in, version);
  EXPECT_TRUE(in.ok()) << in.error().explain();
  EXPECT_EQ(in.remaining(), 0U);
  return batch;
}

// The payloads of the messages in `stream`.
std::vector<bytes::buffer> messages_of(byte_span stream) {
  std::vector<bytes::buffer> messages(1);
  packet_joiner joiner;
  joiner.feed(stream);
  for (auto event = joiner.next(); event.kind != packet_event_kind::need_more; event = joiner.next()) {
    EXPECT_NE(event.kind, packet_event_kind::failed) << joiner.error().explain();
    if (event.kind == packet_event_kind::failed) break;
    messages.back().insert(messages.back().end(), event.bytes.begin(), event.bytes.end());
    if (event.kind == packet_event_kind::end_of_message) messages.emplace_back();
  }
  messages.pop_back();
  return messages;
}

TEST(sql_batch, the_example_of_the_specification) {
  const auto packet = load_hex("vectors/06_sql_batch_client_request.hex");
  const auto raw = exact(packet, packet_header_size, packet.size());
  const auto batch = read_all(raw, tds_version::v7_4);
  EXPECT_EQ(batch.sql_text.utf8(), "\nselect 'foo' as 'bar'\n        ");
  // The example has its one byte that is not zero one place too early for a count of 1, so it reads as a
  // descriptor with nothing outstanding. It must come out as it came in all the same.
  EXPECT_EQ(batch.headers.transaction_descriptor, (transaction_descriptor_header{1ULL << 56, 0}));

  bytes::buffer out;
  bytes::writer to{out};
  EXPECT_TRUE(write_sql_batch(to, tds_version::v7_4, batch.headers, batch.sql_text.utf8()));
  EXPECT_EQ(out, raw);
  packet_run run;
  ASSERT_FALSE(split_message(out, {.type = packet_type::sql_batch}, run));
  EXPECT_EQ(run.data, packet);
}

TEST(sql_batch, every_recorded_batch_comes_out_byte_for_byte) {
  struct recording {
    const char* file;
    tds_version version;
    std::size_t batches;
  };
  for (const auto& r :
       {recording{"freetds_7.1", tds_version::v7_1, 2}, recording{"freetds_7.4", tds_version::v7_4, 13},
        recording{"tedious_queries", tds_version::v7_4, 59},
        recording{"tedious_rpc", tds_version::v7_4, 17}}) {
    const auto messages = messages_of(load_hex(std::string{"recordings/"} + r.file + "_batches.hex"));
    EXPECT_EQ(messages.size(), r.batches) << r.file;
    for (const auto& raw : messages) {
      const auto batch = read_all(raw, r.version);
      EXPECT_GT(batch.sql_text.units(), 4U);
      bytes::buffer out;
      bytes::writer to{out};
      EXPECT_TRUE(write_sql_batch(to, r.version, batch.headers, batch.sql_text));
      EXPECT_EQ(out, raw) << batch.sql_text.utf8();
    }
  }
}

TEST(sql_batch, before_7_2_there_are_no_headers) {
  bytes::buffer out;
  bytes::writer to{out};
  EXPECT_TRUE(write_sql_batch(to, tds_version::v7_1, all_headers::autocommit(), "go"));
  EXPECT_EQ(out, from_hex("67 00 6F 00"));
  EXPECT_EQ(read_all(out, tds_version::v7_1).sql_text.utf8(), "go");
  EXPECT_FALSE(read_all(out, tds_version::v7_1).headers.transaction_descriptor);
}

TEST(sql_batch, text_beyond_the_basic_plane_and_broken_text) {
  bytes::buffer out;
  bytes::writer to{out};
  EXPECT_TRUE(write_sql_batch(to, tds_version::v7_1, {}, "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xFF"));
  EXPECT_EQ(out, from_hex("E9 00 AC 20 3D D8 00 DE FD FF"));
}

TEST(sql_batch, an_empty_text) {
  bytes::buffer out;
  bytes::writer to{out};
  EXPECT_TRUE(write_sql_batch(to, tds_version::v7_4, all_headers::autocommit(), ""));
  EXPECT_EQ(out.size(), 22U);
  EXPECT_TRUE(read_all(out, tds_version::v7_4).sql_text.empty());
}

TEST(sql_batch, half_a_code_unit_is_refused) {
  const auto raw = from_hex("67 00 6F");
  bytes::reader in{raw};
  (void)read_sql_batch(in, tds_version::v7_1);
  EXPECT_EQ(in.error().explain(), "bad_length in sql_text at offset 2");
}

TEST(sql_batch, a_used_buffer_is_not_allocated_again) {
  const std::string sql(5000, 'x');
  const auto headers = all_headers::autocommit();
  bytes::buffer out;
  const auto write = [&] {
    out.clear();
    bytes::writer to{out};
    EXPECT_TRUE(write_sql_batch(to, tds_version::v7_4, headers, sql));
  };
  write();
  const auto* data = out.data();
  for (int i = 0; i < 10; ++i) {
    write();
    EXPECT_EQ(out.data(), data);
    EXPECT_EQ(out.size(), 22U + 10000U);
  }
}

}  // namespace
}  // namespace tds::protocol
