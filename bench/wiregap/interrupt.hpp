// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/run_sync.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <chrono>
#include <csignal>
#include <optional>
#include <utility>

namespace wiregap {

/// Ctrl-C (SIGINT, SIGTERM) as a cancellation: the first one asks the operation under way to end (Attention,
/// within its bound), the second one closes its connection. The program itself goes on, so that what was
/// measured gets printed.
class interrupt {
 public:
  explicit interrupt(boost::asio::io_context& context)
      : context_(context), signals_(context, SIGINT, SIGTERM) {
    wait();
  }

  bool struck() const noexcept { return count_ > 0; }
  /// For a loop that is not an operation: true once and for all after Ctrl-C.
  const bool& flag() const noexcept { return struck_; }

  /// Runs a deferred operation to its end on this thread, whose reads may block it as under tds::run_sync.
  template <class Operation>
  tds::error_code run(Operation&& operation) {
    std::optional<tds::error_code> outcome;
    tds::client::sync_scope scope{context_};
    context_.restart();
    listen();
    std::forward<Operation>(operation)(boost::asio::bind_cancellation_slot(
        cancel_.slot(), [&outcome](tds::error_code ec) { outcome = ec; }));
    while (!outcome) {
      if (!scope.go_on()) context_.run_one();
    }
    return *outcome;
  }

 private:
  // A row of operations that never wait by the context would never see a signal.
  void listen() {
    constexpr std::chrono::milliseconds often_enough{10};
    const auto now = std::chrono::steady_clock::now();
    if (now - listened_ < often_enough) return;
    listened_ = now;
    context_.poll();
  }

  void wait() {
    signals_.async_wait([this](tds::error_code ec, int) {
      if (ec) return;
      struck_ = true;
      cancel_.emit(++count_ == 1 ? boost::asio::cancellation_type::total
                                 : boost::asio::cancellation_type::terminal);
      wait();
    });
  }

  boost::asio::io_context& context_;
  boost::asio::signal_set signals_;
  boost::asio::cancellation_signal cancel_;
  std::chrono::steady_clock::time_point listened_{};
  int count_ = 0;
  bool struck_ = false;
};

}  // namespace wiregap
