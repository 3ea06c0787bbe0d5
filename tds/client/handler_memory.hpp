// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <new>

namespace tds::client {

/// Room for the one handler that is under way at a time, so that waiting allocates nothing. Twice, since a
/// wait that was canceled leaves its room only when the executor has run its handler, and the next may have
/// begun.
///
/// Asio gives a room back on whichever thread of the context found the wait completed, before the handler
/// goes to the connection's strand, where the next wait may be taking a room at that moment: the marks are
/// atomic.
class handler_memory {
 public:
  handler_memory() = default;
  handler_memory(const handler_memory&) = delete;
  handler_memory& operator=(const handler_memory&) = delete;

  void* allocate(std::size_t size) {
    for (room& r : rooms_) {
      if (size > r.bytes.size() || r.used.exchange(true, std::memory_order_acquire)) continue;
      return r.bytes.data();
    }
    return ::operator new(size);
  }
  void deallocate(void* p) noexcept {
    for (room& r : rooms_) {
      if (p != r.bytes.data()) continue;
      r.used.store(false, std::memory_order_release);
      return;
    }
    ::operator delete(p);
  }

 private:
  struct room {
    alignas(std::max_align_t) std::array<std::byte, 384> bytes;
    std::atomic<bool> used = false;
  };
  std::array<room, 2> rooms_;
};

/// The allocator that Asio takes from a handler bound to it.
template <class T>
struct handler_allocator {
  using value_type = T;
  handler_memory* memory;

  explicit handler_allocator(handler_memory& m) noexcept : memory(&m) {}
  template <class U>
  handler_allocator(const handler_allocator<U>& other) noexcept
      : memory(other.memory) {}  // NOLINT: as allocators do

  T* allocate(std::size_t n) { return static_cast<T*>(memory->allocate(n * sizeof(T))); }
  void deallocate(T* p, std::size_t) noexcept { memory->deallocate(p); }
  template <class U>
  bool operator==(const handler_allocator<U>& other) const noexcept {
    return memory == other.memory;
  }
};

}  // namespace tds::client
