// SPDX-License-Identifier: BSL-1.0
// Whatever becomes of a capture file on its way, reading it ends, and what is said of it holds together.
#include <tds/capture/analyzer.hpp>
#include <tds/capture/message_reader.hpp>
#include <tests/support/golden.hpp>
#include <wire/capture/decoder.hpp>
#include <wire/capture/reader.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using octets = std::vector<std::uint8_t>;

class tally final : public tds::capture::audience {
 public:
  void exchanged(const tds::capture::captured_connection&, tds::capture::captured_exchange&& one) override {
    ++exchanges;
    bytes += one.timing.request_bytes + one.timing.response_bytes;
    EXPECT_TRUE(one.answered || !one.complete);
    EXPECT_GE(one.in_flight, 1U);
  }
  void closed(const tds::capture::captured_connection& on) override {
    for (const auto* each : {&on.from_client, &on.from_server}) streams += each->bytes + each->gap_bytes;
  }

  std::uint64_t exchanges = 0, bytes = 0, streams = 0;
};

void feed(const octets& file, wire::capture::stream_sink& into) {
  wire::capture::stream_table streams{into};
  wire::capture::frame_decoder decoder;
  wire::capture::packet_reader reader{wire::capture::open_memory(file)};
  while (const auto* packet = reader.next()) {
    if (const auto* segment = decoder.decode(*packet)) streams.add(*segment, packet->when);
  }
  streams.finish();
  EXPECT_EQ(streams.size(), 0U);
}

std::uint64_t check(const octets& file) {
  tally sums;
  tds::capture::analyzer look{sums};
  feed(file, look);
  EXPECT_LE(sums.bytes, sums.streams);
  return sums.exchanges;
}

octets small_capture() { return wiregap_test::load_binary("recordings/freetds_7.1.pcap"); }

TEST(CaptureRobustness, EveryPrefix) {
  const octets whole = small_capture();
  std::uint64_t before = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const auto found = check(wiregap_test::exact(whole, 0, size));
    EXPECT_GE(found, before) << size;
    before = found;
  }
  EXPECT_EQ(before, 6U);
}

TEST(CaptureRobustness, EveryByteDamaged) {
  octets file = small_capture();
  for (const auto flip : {std::uint8_t{0x01}, std::uint8_t{0x80}, std::uint8_t{0xFF}}) {
    for (auto& byte : file) {
      byte ^= flip;
      (void)check(file);
      byte ^= flip;
    }
    if (testing::Test::HasFailure()) break;
  }
}

TEST(CaptureRobustness, EveryPacketMissing) {
  const octets file = small_capture();
  const auto size_at = [&file](std::size_t at) {
    return 16U + (file[at + 8] | static_cast<std::size_t>(file[at + 9]) << 8U);
  };
  for (std::size_t at = 24; at < file.size(); at += size_at(at)) {
    octets less(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(at));
    less.insert(less.end(), file.begin() + static_cast<std::ptrdiff_t>(at + size_at(at)), file.end());
    EXPECT_GE(check(less), 4U) << at;
  }
}

TEST(CaptureRobustness, DamagedMessagesAreTakenApart) {
  octets file = small_capture();
  for (std::size_t at = 24; at < file.size(); at += 7) {
    file[at] ^= 0xFF;
    tds::capture::message_reader messages{{}, [](const auto&) {}};
    feed(file, messages);
    file[at] ^= 0xFF;
  }
}

}  // namespace
