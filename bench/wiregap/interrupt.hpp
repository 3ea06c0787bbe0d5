// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/run_sync.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

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

  /// Runs a deferred operation to its end on this thread.
  template <class Operation>
  tds::error_code run(Operation&& operation) {
    std::optional<tds::error_code> outcome;
    std::forward<Operation>(operation)(boost::asio::bind_cancellation_slot(
        cancel_.slot(), [&outcome](tds::error_code ec) { outcome = ec; }));
    context_.restart();
    while (!outcome) context_.run_one();
    return *outcome;
  }

 private:
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
  int count_ = 0;
  bool struck_ = false;
};

}  // namespace wiregap
