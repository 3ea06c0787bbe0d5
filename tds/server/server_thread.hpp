// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/server/server.hpp>
#include <wire/host/process.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace tds {

/// An embedded server on a thread of its own: it listens on the loopback from the constructor to the
/// destructor. What demonstrations, tests and benchmarks use.
class server_thread {
 public:
  /// `prepare` is called before the server listens: where handlers and faults are set. `port` 0 takes one
  /// that is free. Throws boost::system::system_error when the server cannot listen.
  explicit server_thread(server_options options = {}, const std::function<void(server&)>& prepare = {},
                         std::uint16_t port = 0);
  /// The same, listening anywhere. What it opens belongs to the network namespace of the calling thread.
  server_thread(server_options options, const std::function<void(server&)>& prepare,
                const server::endpoint& where);
  ~server_thread();
  server_thread(const server_thread&) = delete;
  server_thread& operator=(const server_thread&) = delete;

  std::uint16_t port() const noexcept;
  const std::string& certificate_pem() const noexcept;
  /// Runs `what` on the server's thread and waits for it. Not from that thread.
  void run(const std::function<void(server&)>& what);
  /// Of the server's thread, for whoever watches it.
  wire::host::thread_id thread() const noexcept;

  serving::server_counts counts() const noexcept;
  serving::fault_counts fault_counts() const noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace tds
