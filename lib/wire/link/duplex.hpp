// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/link/direction.hpp>
#include <wire/link/impairment.hpp>
#include <wire/link/ledger.hpp>
#include <wire/link/packet.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace wire::link {

/// Where a duplex puts what comes out of it.
class outlet {
 public:
  virtual ~outlet() = default;

  /// A packet for the TCP of `to`.
  virtual void deliver(side to, std::span<const std::uint8_t> packet, clock::stamp at) = 0;

  /// A packet as the adapter of `at_side` sees it: sent by that side (`leaving`) or come for it. With a
  /// receiver that holds, it sees data when it comes and the ACK that goes back, as a capture on such a
  /// machine does.
  virtual void seen(side at_side, bool leaving, std::span<const std::uint8_t> packet, clock::stamp at) = 0;
};

/// Both directions of an impaired path: packets in, packets out, no socket, no clock. The same packets at the
/// same times always come out the same. Times come in with the calls and must not go back. Not safe for use
/// from two threads at once.
class duplex {
 public:
  /// `out` and `book` must outlive it. Throws std::invalid_argument for an impairment with a problem_of().
  duplex(const impairment& to_server, const impairment& to_client, outlet& out, ledger& book,
         clock::stamp now);
  ~duplex();
  duplex(const duplex&) = delete;
  duplex& operator=(const duplex&) = delete;

  /// From now on. Counts and draws of this direction begin anew; packets under way keep their times.
  void set(direction way, const impairment& wanted, clock::stamp now);

  /// Nothing arrives at either end before `now + length`.
  void pause(nanoseconds length, clock::stamp now);

  /// A packet that `from` sends.
  void offer(side from, octets packet, clock::stamp now);

  /// When something is to be done next; unknown when nothing is under way.
  clock::stamp next_due() const noexcept;

  /// Does all that is due, in the order of its times and as at them, however late the call comes.
  void run(clock::stamp now);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace wire::link
