// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/streams.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wiregap_test {

// Writes down what a stream table says, one line an event.
class scribe final : public wire::capture::stream_sink {
 public:
  using connection = wire::capture::connection;
  using way = wire::capture::way;
  using stamp = wire::clock::stamp;

  void on_open(connection& on) override { line("open " + std::to_string(on.id)); }
  void on_data(connection& on, way from, const wire::capture::stream_piece& piece) override {
    const std::string bytes(piece.bytes.begin(), piece.bytes.end());
    data[wire::capture::index(from)] += bytes;
    line(arrow(from) + "'" + bytes + "'@" + std::to_string(piece.offset) + (piece.push ? " push" : "") +
         (piece.resent ? " resent" : "") + (piece.ends_segment ? "" : " inside"));
    facts = on.facts;
  }
  void on_gap(connection&, way from, std::uint64_t offset, std::uint64_t bytes, stamp, bool cut) override {
    line(arrow(from) + "gap " + std::to_string(bytes) + "@" + std::to_string(offset) + (cut ? " cut" : ""));
    data[wire::capture::index(from)] +=
        std::string(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, 100)), '.');
  }
  void on_retransmission(connection&, way from, std::uint64_t begin, std::uint64_t end, stamp) override {
    line(arrow(from) + "again " + std::to_string(begin) + "-" + std::to_string(end));
  }
  void on_ack(connection&, way of, std::uint64_t offset, stamp, bool bare) override {
    if (acks) line(arrow(of) + "acked " + std::to_string(offset) + (bare ? " bare" : ""));
  }
  void on_window(connection&, way from, bool closed, stamp) override {
    line(arrow(from) + (closed ? "full" : "room"));
  }
  void on_close(connection& on) override {
    line("close " + std::to_string(on.id) + (on.reset ? " reset" : ""));
    facts = on.facts;
  }

  std::vector<std::string> take() { return std::exchange(lines, {}); }

  std::vector<std::string> lines;
  std::array<std::string, 2> data;
  std::array<wire::capture::direction_facts, 2> facts;
  bool acks = false;

 private:
  static std::string arrow(way from) { return from == way::forward ? "> " : "< "; }
  void line(std::string text) { lines.push_back(std::move(text)); }
};

// A connection of two ends whose segments a test writes down; time goes on by a millisecond a segment.
class capture_streams : public testing::Test {
 protected:
  using lines = std::vector<std::string>;

  struct extra {
    std::uint8_t flags = wire::capture::tcp_flag::ack | wire::capture::tcp_flag::psh;
    std::uint16_t window = 1000;
    std::uint32_t cut = 0;  // bytes that the snap length took
    std::uint16_t id = 0;   // 0: one of its own
    std::uint16_t port = 50000;
  };

  void client(std::uint32_t seq, std::uint32_t ack, const std::string& payload) {
    client(seq, ack, payload, {});
  }
  void client(std::uint32_t seq, std::uint32_t ack, const std::string& payload, extra more) {
    send(true, seq, ack, payload, more);
  }
  void server(std::uint32_t seq, std::uint32_t ack, const std::string& payload) {
    server(seq, ack, payload, {});
  }
  void server(std::uint32_t seq, std::uint32_t ack, const std::string& payload, extra more) {
    send(false, seq, ack, payload, more);
  }

  void send(bool from_client, std::uint32_t seq, std::uint32_t ack, const std::string& payload, extra more) {
    wire::capture::segment s;
    auto& own = from_client ? s.source : s.destination;
    auto& other = from_client ? s.destination : s.source;
    own.address[15] = 2;
    own.port = more.port;
    other.address[15] = 1;
    other.port = 1433;
    s.seq = seq;
    s.ack = ack;
    s.flags = more.flags;
    s.window = more.window;
    s.ip_id = more.id != 0 ? more.id : ++id_;
    const std::vector<std::uint8_t> bytes(payload.begin(), payload.end() - more.cut);
    s.payload = bytes;
    s.payload_bytes = static_cast<std::uint32_t>(payload.size());
    table_.add(s, wire::clock::stamp{ns_});
    ns_ += step_;
  }

  lines events() { return scribe_.take(); }
  // The next segment comes so much later than it would.
  void wait_ms(std::int64_t ms) { ns_ += ms * 1'000'000; }

  scribe scribe_;
  wire::capture::stream_limits limits_;
  wire::capture::stream_table table_{scribe_, limits_};
  std::int64_t ns_ = 1'000'000'000;
  std::int64_t step_ = 1'000'000;

 private:
  std::uint16_t id_ = 0;
};

}  // namespace wiregap_test
