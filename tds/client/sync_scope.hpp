// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory>
#include <utility>

namespace boost::asio {
class execution_context;
}

namespace tds::client {

/// An operation that has come to a wait.
class sync_waiter {
 public:
  /// Waits on this thread, for a moment at most, and goes on; or leaves the waiting to the context.
  virtual void wait_and_go_on() = 0;
  /// Leaves the waiting to the context at once.
  virtual void wait_by_reactor() = 0;

 protected:
  ~sync_waiter() = default;
};

/// While it lives, this thread does nothing but run one operation of `context` to its end, so that the
/// operation's waits may block it: that costs less than a wait by way of the context's reactor. run_sync has
/// one. A wait of another operation that it holds at its end goes to the context.
class sync_scope {
 public:
  explicit sync_scope(const boost::asio::execution_context& context) noexcept;
  ~sync_scope();
  sync_scope(const sync_scope&) = delete;
  sync_scope& operator=(const sync_scope&) = delete;

  /// Hands a wait to this thread's scope; false when it has none of the context at this address, or one that
  /// holds a wait already.
  static bool take(const void* context, std::shared_ptr<sync_waiter> waiter) noexcept;

  /// Goes on with the wait that was handed over; false when there is none.
  bool go_on() {
    if (!waiter_) return false;
    std::exchange(waiter_, nullptr)->wait_and_go_on();
    return true;
  }

 private:
  const void* context_;
  sync_scope* outer_;
  std::shared_ptr<sync_waiter> waiter_{};
};

}  // namespace tds::client
