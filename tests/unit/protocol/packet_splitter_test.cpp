// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include <tds/protocol/packet_splitter.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace tds::protocol {
namespace {

using wiregap_test::from_hex;
using wiregap_test::to_hex;

std::vector<std::uint8_t> sample(std::size_t size) {
  std::vector<std::uint8_t> payload(size);
  for (std::size_t i = 0; i < size; ++i) payload[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
  return payload;
}

packet_header header_of(const packet_run& run, std::size_t i) {
  bytes::reader in{run.packet(i)};
  packet_header header;
  bytes::read_fields(in, header);
  return header;
}

std::vector<std::size_t> sizes_of(const packet_run& run) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < run.count(); ++i) sizes.push_back(run.packet(i).size());
  return sizes;
}

std::vector<std::uint8_t> payload_of(const packet_run& run) {
  std::vector<std::uint8_t> payload;
  for (std::size_t i = 0; i < run.count(); ++i) {
    const auto data = run.packet(i).subspan(packet_header_size);
    payload.insert(payload.end(), data.begin(), data.end());
  }
  return payload;
}

packet_run split(std::size_t payload_size, message_options options) {
  packet_run run;
  EXPECT_FALSE(split_message(sample(payload_size), options, run));
  EXPECT_EQ(payload_of(run), sample(payload_size));
  return run;
}

TEST(packet_splitter, an_empty_message_is_one_packet) {
  packet_run run;
  EXPECT_FALSE(split_message({}, {.type = packet_type::sql_batch}, run));
  EXPECT_EQ(run.data, from_hex("01 01 00 08 00 00 01 00"));
  EXPECT_EQ(run.ends, std::vector<std::size_t>{8});
}

TEST(packet_splitter, golden_bytes_of_two_packets) {
  packet_run run;
  std::vector<std::uint8_t> payload(506, 0xAB);
  const message_options options{.type = packet_type::rpc,
                                .status = packet_status::reset_connection,
                                .packet_size = 512,
                                .spid = 0x1234};
  EXPECT_FALSE(split_message(payload, options, run));
  auto expected = from_hex("03 08 02 00 12 34 01 00");
  expected.insert(expected.end(), 504, 0xAB);
  const auto second = from_hex("03 01 00 0A 12 34 02 00 AB AB");
  expected.insert(expected.end(), second.begin(), second.end());
  EXPECT_EQ(run.data, expected) << to_hex(run.data);
  EXPECT_EQ(run.ends, (std::vector<std::size_t>{512, 522}));
}

TEST(packet_splitter, only_the_last_packet_is_short) {
  const message_options options{.type = packet_type::sql_batch};
  EXPECT_EQ(sizes_of(split(1, options)), (std::vector<std::size_t>{9}));
  EXPECT_EQ(sizes_of(split(4087, options)), (std::vector<std::size_t>{4095}));
  EXPECT_EQ(sizes_of(split(4088, options)), (std::vector<std::size_t>{4096}));
  EXPECT_EQ(sizes_of(split(4089, options)), (std::vector<std::size_t>{4096, 9}));
  EXPECT_EQ(sizes_of(split(3 * std::size_t{4088}, options)), (std::vector<std::size_t>{4096, 4096, 4096}));
}

TEST(packet_splitter, ids_count_from_one_modulo_256_and_eom_is_last) {
  const auto run = split(504 * 300, {.type = packet_type::bulk_load, .packet_size = 512});
  ASSERT_EQ(run.count(), 300U);
  for (std::size_t i = 0; i < run.count(); ++i) {
    const auto header = header_of(run, i);
    EXPECT_EQ(header.packet_id, (i + 1) % 256) << i;
    EXPECT_EQ(header.status.has(packet_status::eom), i == 299) << i;
    EXPECT_EQ(header.length, 512) << i;
    EXPECT_EQ(header.window, 0) << i;
  }
}

TEST(packet_splitter, the_largest_packet) {
  const auto run = split(70000, {.type = packet_type::sql_batch, .packet_size = max_packet_size});
  EXPECT_EQ(sizes_of(run), (std::vector<std::size_t>{32767, 32767, 70000 - 2 * 32759 + 8}));
}

TEST(packet_splitter, reset_bits_go_on_the_first_packet_only) {
  for (auto bit : {packet_status::reset_connection, packet_status::reset_connection_skip_tran}) {
    const auto run = split(1200, {.type = packet_type::sql_batch, .status = bit, .packet_size = 512});
    ASSERT_EQ(run.count(), 3U);
    EXPECT_EQ(header_of(run, 0).status, packet_status_flags{bit});
    EXPECT_EQ(header_of(run, 1).status, packet_status_flags{});
    EXPECT_EQ(header_of(run, 2).status, packet_status_flags{packet_status::eom});
  }
}

TEST(packet_splitter, a_reset_of_a_short_message_shares_its_packet_with_eom) {
  const auto run = split(3, {.type = packet_type::sql_batch, .status = packet_status::reset_connection});
  EXPECT_EQ(header_of(run, 0).status.bits, 0x09);
}

TEST(packet_splitter, both_reset_bits_are_refused) {
  packet_run run;
  const auto both = packet_status_flags{packet_status::reset_connection} |
                    packet_status_flags{packet_status::reset_connection_skip_tran};
  EXPECT_EQ(split_message({}, {.type = packet_type::sql_batch, .status = both}, run), errc::bad_argument);
  EXPECT_EQ(run.count(), 0U);
}

TEST(packet_splitter, a_reset_on_a_message_that_is_no_request_is_refused) {
  packet_run run;
  for (auto type : {packet_type::login7, packet_type::prelogin, packet_type::attention,
                    packet_type::bulk_load, packet_type::tabular_result}) {
    EXPECT_EQ(split_message({}, {.type = type, .status = packet_status::reset_connection}, run),
              errc::bad_argument);
  }
  EXPECT_FALSE(split_message(
      {}, {.type = packet_type::transaction_manager_request, .status = packet_status::reset_connection},
      run));
}

TEST(packet_splitter, packet_sizes_out_of_range_are_refused) {
  packet_run run;
  for (std::size_t size : {std::size_t{0}, std::size_t{8}, std::size_t{511}, std::size_t{32768}}) {
    EXPECT_EQ(split_message({}, {.type = packet_type::sql_batch, .packet_size = size}, run),
              errc::bad_argument);
  }
  EXPECT_FALSE(split_message({}, {.type = packet_type::sql_batch, .packet_size = 512}, run));
}

TEST(packet_splitter, pieces_give_the_same_packets_as_the_whole) {
  const auto payload = sample(2500);
  packet_run whole;
  const message_options options{.type = packet_type::sql_batch, .packet_size = 512};
  ASSERT_FALSE(split_message(payload, options, whole));
  for (const std::size_t piece : {1U, 7U, 504U, 505U, 1000U}) {
    packet_run run;
    packet_splitter splitter{run};
    ASSERT_FALSE(splitter.start(options));
    for (std::size_t at = 0; at < payload.size(); at += piece) {
      splitter.append(bytes::byte_span{payload}.subspan(at, std::min(piece, payload.size() - at)));
    }
    splitter.finish();
    EXPECT_EQ(run.data, whole.data) << piece;
    EXPECT_EQ(run.ends, whole.ends) << piece;
  }
}

TEST(packet_splitter, finished_packets_may_be_dropped_on_the_way) {
  const auto payload = sample(5000);
  const message_options options{.type = packet_type::tabular_result, .packet_size = 512, .spid = 51};
  packet_run whole;
  ASSERT_FALSE(split_message(payload, options, whole));
  packet_run run;
  bytes::buffer sent;
  packet_splitter splitter{run};
  ASSERT_FALSE(splitter.start(options));
  const auto send = [&] {
    sent.insert(sent.end(), run.data.begin(),
                run.data.begin() + static_cast<std::ptrdiff_t>(run.finished_size()));
    run.drop_finished();
    EXPECT_LE(run.data.size(), 512U);
  };
  for (std::size_t at = 0; at < payload.size(); at += 100) {
    splitter.append(bytes::byte_span{payload}.subspan(at, 100));
    send();
  }
  splitter.finish();
  send();
  EXPECT_EQ(sent, whole.data);
}

TEST(packet_splitter, a_flushed_packet_is_short_and_not_the_last) {
  packet_run run;
  packet_splitter splitter{run};
  ASSERT_FALSE(splitter.start({.type = packet_type::tabular_result, .packet_size = 512}));
  splitter.flush();  // nothing there yet
  EXPECT_EQ(run.count(), 0U);
  splitter.append(sample(3));
  splitter.flush();
  splitter.append(sample(2));
  splitter.finish();
  EXPECT_EQ(to_hex(run.data), "04 00 00 0B 00 00 01 00 00 07 0E 04 01 00 0A 00 00 02 00 00 07");
  EXPECT_EQ(sizes_of(run), (std::vector<std::size_t>{11, 10}));
}

TEST(packet_splitter, abandoning_a_message_says_ignore_with_eom) {
  packet_run run;
  packet_splitter splitter{run};
  ASSERT_FALSE(splitter.start({.type = packet_type::bulk_load, .packet_size = 512}));
  splitter.append(sample(600));
  splitter.abandon();
  ASSERT_EQ(run.count(), 2U);
  EXPECT_EQ(header_of(run, 0).status.bits, 0x00);
  EXPECT_EQ(header_of(run, 1).status.bits, 0x03);

  run.clear();
  append_ignore_packet(packet_type::sql_batch, 3, run);
  EXPECT_EQ(run.data, from_hex("01 03 00 08 00 00 03 00"));
}

TEST(packet_splitter, an_attention_is_the_example_of_the_specification) {
  packet_run run;
  append_attention(run);
  EXPECT_EQ(run.data, wiregap_test::load_hex("vectors/10_attention_request.hex"));
}

TEST(packet_splitter, a_run_that_is_used_again_does_not_move) {
  packet_run run;
  const auto payload = sample(9000);
  ASSERT_FALSE(split_message(payload, {.type = packet_type::sql_batch}, run));
  const auto* data = run.data.data();
  const auto* ends = run.ends.data();
  for (int i = 0; i < 100; ++i) {
    run.clear();
    ASSERT_FALSE(split_message(payload, {.type = packet_type::sql_batch}, run));
    EXPECT_EQ(run.data.data(), data);
    EXPECT_EQ(run.ends.data(), ends);
  }
}

}  // namespace
}  // namespace tds::protocol
