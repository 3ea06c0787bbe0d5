// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/client/sync_scope.hpp>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/io_context.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <utility>

namespace tds {

namespace detail {

/// Memory for the one handler that run_sync waits with: a request needs no allocation.
struct sync_arena {
  alignas(std::max_align_t) std::array<std::byte, 512> memory;
  bool used = false;
};

template <class T>
struct sync_allocator {
  using value_type = T;
  sync_arena* arena;

  explicit sync_allocator(sync_arena& a) noexcept : arena(&a) {}
  template <class U>
  sync_allocator(const sync_allocator<U>& other) noexcept : arena(other.arena) {}  // NOLINT: as allocators do

  T* allocate(std::size_t n) {
    if (!arena->used && n * sizeof(T) <= arena->memory.size() && alignof(T) <= alignof(std::max_align_t)) {
      arena->used = true;
      return reinterpret_cast<T*>(arena->memory.data());
    }
    return static_cast<T*>(::operator new(n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t) noexcept {
    if (static_cast<void*>(p) == static_cast<void*>(arena->memory.data())) {
      arena->used = false;
    } else {
      ::operator delete(p);
    }
  }
  template <class U>
  bool operator==(const sync_allocator<U>& other) const noexcept {
    return arena == other.arena;
  }
};

}  // namespace detail

/// Runs one deferred operation to its end on the calling thread and returns its error code:
///
///   boost::asio::io_context context;
///   tds::connection conn{context};
///   auto ec = tds::run_sync(context, conn.async_connect(params));
///
/// Other work of the context runs meanwhile, at times some milliseconds late. The context must not be running
/// on another thread.
template <class Operation>
error_code run_sync(boost::asio::io_context& context, Operation&& operation) {
  detail::sync_arena arena;
  client::sync_scope scope{context};
  std::optional<error_code> outcome;
  std::forward<Operation>(operation)(boost::asio::bind_allocator(
      detail::sync_allocator<void*>{arena}, [&outcome](error_code ec) { outcome = ec; }));
  context.restart();
  // run_one() returns 0 when somebody stopped the context, and when it has no work left, which ends the wait.
  for (int idle = 0; !outcome && idle < 2;) {
    if (scope.go_on()) continue;
    idle = context.run_one() != 0 ? 0 : idle + 1;
    if (idle != 0) context.restart();
  }
  return outcome.value_or(errc::operation_canceled);
}

}  // namespace tds
