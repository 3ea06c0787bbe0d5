// SPDX-License-Identifier: BSL-1.0
#include <tds/client/sync_scope.hpp>

namespace tds::client {
namespace {

thread_local sync_scope* innermost = nullptr;

}  // namespace

sync_scope::sync_scope(const boost::asio::execution_context& context) noexcept
    : context_(&context), outer_(innermost) {
  innermost = this;
}

sync_scope::~sync_scope() {
  innermost = outer_;
  if (waiter_) waiter_->wait_by_reactor();
}

bool sync_scope::take(const void* context, std::shared_ptr<sync_waiter> waiter) noexcept {
  if (innermost == nullptr || innermost->context_ != context || innermost->waiter_) return false;
  innermost->waiter_ = std::move(waiter);
  return true;
}

}  // namespace tds::client
