// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/link/duplex.hpp>
#include <wire/link/ledger.hpp>
#include <wire/link/packet.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace wiregap_test {

using namespace std::chrono_literals;
using wire::clock::stamp;
using wire::link::direction;
using wire::link::octets;
using wire::link::side;

inline constexpr wire::link::end_point client_end{0x0A4D0001, 50000};
inline constexpr wire::link::end_point server_end{0x0A4D0002, 1433};

/// A segment to be made: what a test says of it.
struct sent {
  std::uint32_t seq{};
  std::size_t payload{};
  std::string flags{"AP"};  // of A, P, S, F, R
  std::uint32_t ack{1};
  std::uint16_t window{100};
  std::uint32_t ts{0};  // the timestamp; 0: no option
  std::uint32_t echo{0};
  bool scaled = false;  // with a window scale of 2
  std::uint16_t port{client_end.port};
};

octets made(side from, const sent& spec);

/// "server 1+100 AP" : where it went, its sequence number, its payload, its flags; with `acks` also "a=..
/// w=..".
std::string in_short(side to, const octets& packet, bool acks = false);

/// A duplex and what came out of it, as lines "<microseconds> <in_short>".
class scene : private wire::link::outlet {
 public:
  explicit scene(const wire::link::impairment& to_server = {}, const wire::link::impairment& to_client = {})
      : path{to_server, to_client, *this, book, stamp{0}} {}

  /// The handshake at 0: the client's data begin at 1, the server's as well. With timestamps where `ts`.
  void open(bool ts = false, std::uint16_t port = client_end.port);

  /// Does what is due until then, and offers the packet.
  void at(std::chrono::nanoseconds when, side from, const sent& spec);
  void client(std::chrono::nanoseconds when, const sent& spec) { at(when, side::client, spec); }
  void server(std::chrono::nanoseconds when, const sent& spec) { at(when, side::server, spec); }

  /// Does all that is due.
  void finish();

  /// What was delivered since the last call.
  std::vector<std::string> arrivals();

  /// What the ledger says, as "<microseconds> <deed> <seq>+<bytes>", since the last call; a span behind it as
  /// "<us>us".
  std::vector<std::string> deeds();

  wire::link::ledger book;
  wire::link::duplex path;
  std::vector<octets> delivered;
  std::vector<std::string> seen_at_server;  // by its adapter, " out" behind what it sends
  bool with_acks = false;

 private:
  void deliver(side to, std::span<const std::uint8_t> packet, stamp when) override;
  void seen(side at_side, bool leaving, std::span<const std::uint8_t> packet, stamp when) override;

  std::vector<std::string> arrivals_;
  std::size_t told_{0};
};

/// A fault of this kind.
wire::link::fault fault_of(wire::link::fault_kind kind, std::chrono::nanoseconds by = {});
wire::link::impairment with(const wire::link::fault& one);

}  // namespace wiregap_test
