// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/dissect/message.hpp>
#include <wire/clock/stamp.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace wiregap {

/// Who looks at what a relay carries. Called on the relay's executor, always behind the bytes: they are with
/// the kernel, on their way to the other side. What takes time here holds up the bytes that come next.
class relay_tap {
 public:
  using endpoint = boost::asio::ip::tcp::endpoint;
  using sender = tds::dissect::sender;
  using stamp = wire::clock::stamp;

  virtual ~relay_tap() = default;

  /// A connection stands at both sides. Numbers count from 1.
  virtual void opened(std::uint64_t connection, const endpoint& client, const endpoint& server,
                      stamp when) = 0;
  /// What went wrong, in words: the server cannot be reached (the connection then was never opened), or TLS.
  virtual void problem(std::uint64_t connection, const std::string& why, stamp when) = 0;
  /// What `from` sent: the moment of reading it, and of having handed it on.
  virtual void carried(std::uint64_t connection, sender from, std::span<const std::uint8_t> bytes, stamp read,
                       stamp written) = 0;
  /// `from` will send no more; the other direction goes on.
  virtual void ended(std::uint64_t connection, sender from, stamp when) = 0;
  /// Both directions are over; `reset` when not both came to their end by themselves.
  virtual void closed(std::uint64_t connection, bool reset, stamp when) = 0;
};

}  // namespace wiregap
