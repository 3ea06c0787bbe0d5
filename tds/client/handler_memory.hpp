// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace tds::client {

/// Room for the one handler that is under way at a time, so that waiting allocates nothing.
class handler_memory {
 public:
  handler_memory() = default;
  handler_memory(const handler_memory&) = delete;
  handler_memory& operator=(const handler_memory&) = delete;

  void* allocate(std::size_t size) {
    if (!used_ && size <= room_.size()) {
      used_ = true;
      return room_.data();
    }
    return ::operator new(size);
  }
  void deallocate(void* p) noexcept {
    if (p == room_.data()) {
      used_ = false;
    } else {
      ::operator delete(p);
    }
  }

 private:
  alignas(std::max_align_t) std::array<std::byte, 384> room_;
  bool used_ = false;
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
