// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/capture/analyzer.hpp>
#include <tests/support/capture_file.hpp>
#include <wire/capture/streams.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wiregap_test {

/// A TDS conversation whose segments a test writes down, and the exchanges that come of it.
class capture_scene : public tds::capture::audience {
 public:
  using octets = std::vector<std::uint8_t>;
  using exchange = tds::capture::captured_exchange;

  void exchanged(const tds::capture::captured_connection&, exchange&& one) override {
    exchanges.push_back(std::move(one));
  }
  void closed(const tds::capture::captured_connection& on) override { connections.push_back(on); }

  struct how {
    bool push = true;
    bool captured = true;   ///< false: it passed, and the file lacks it
    std::uint32_t cut = 0;  ///< bytes that the snap length took
    std::uint16_t window = 1000;
    bool again = false;  ///< with the sequence number of what was sent before
  };

  void handshake();
  void client(const octets& payload) { client(payload, {}); }
  void client(const octets& payload, how more) { send(true, payload, more); }
  void server(const octets& payload) { server(payload, {}); }
  void server(const octets& payload, how more) { send(false, payload, more); }
  /// An ACK without data of all that the other end sent.
  void client_ack(std::uint16_t window = 1000) { send(true, {}, {false, true, 0, window}); }
  void server_ack(std::uint16_t window = 1000) { send(false, {}, {false, true, 0, window}); }
  void close_both();
  void pass(std::int64_t us) { us_ += us; }
  void finish() { table_.finish(); }

  tds::capture::settings how_{};
  std::uint16_t server_port = 50123;
  std::vector<exchange> exchanges{};
  std::vector<tds::capture::captured_connection> connections{};
  const tds::capture::analyzer_counts& counts() const { return look_.counts(); }

 private:
  void send(bool from_client, const octets& payload, how more, std::uint8_t flags = 0);

  tds::capture::analyzer look_{*this, how_};
  wire::capture::stream_table table_{look_};
  std::uint32_t client_seq_ = 1000, server_seq_ = 5000;
  std::int64_t us_ = 1'000'000;
  std::uint16_t id_ = 0;
};

/// A TDS packet of `type`; `last`: with EOM.
capture_scene::octets tds_packet(std::uint8_t type, const capture_scene::octets& payload, bool last = true,
                                 std::uint8_t number = 1);
/// A whole SQL batch of TDS 7.2 and later.
capture_scene::octets sql_batch(std::string_view sql);
/// A whole answer: DONE with a count, with these bits besides.
capture_scene::octets done_answer(std::uint8_t status = 0x10, std::uint8_t rows = 1);
/// PRELOGIN with the version only, from either end.
capture_scene::octets prelogin(std::uint8_t type);
/// A TLS record of so many bytes inside.
capture_scene::octets tls_record(std::uint8_t type, std::size_t size);

/// A packet of SMP; 8 is DATA, 1 SYN, 2 ACK, 4 FIN.
capture_scene::octets smp(std::uint8_t flags, std::uint8_t session, std::uint8_t number, std::uint8_t window,
                          const capture_scene::octets& payload = {});

}  // namespace wiregap_test
