// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace tds {

/// A password or another text that must never be seen. It has no operator<< and no conversion to a string;
/// reveal() is the only way to its characters, so that every use can be found by that word. Its memory is
/// overwritten before it is given back, also on assignment and on move (the characters always live on the
/// heap, never inside the object).
class secret {
 public:
  secret() = default;
  /// Copies `text`; the caller's own copy stays the caller's to wipe.
  explicit secret(std::string_view text);
  secret(const secret& other) : secret(other.reveal()) {}
  secret(secret&& other) noexcept;
  secret& operator=(const secret& other);
  secret& operator=(secret&& other) noexcept;
  ~secret() { wipe(); }

  /// The characters, UTF-8. The view dies with this object and with the next assignment to it.
  std::string_view reveal() const noexcept { return {text_.get(), size_}; }
  bool empty() const noexcept { return size_ == 0; }
  /// Overwrites the characters and becomes empty.
  void wipe() noexcept;

 private:
  std::unique_ptr<char[]> text_{};
  std::size_t size_ = 0;
};

/// Overwrites `size` bytes at `memory` in a way that the optimizer keeps.
void wipe_memory(void* memory, std::size_t size) noexcept;

/// Overwrites what a string or vector holds and empties it.
template <class Memory>
void wipe(Memory& held) noexcept {
  wipe_memory(held.data(), held.size() * sizeof(*held.data()));
  held.clear();
}

/// Makes room for `size` elements. Growing by itself, a string or vector would leave what it holds behind in
/// the memory that it gives back.
template <class Memory>
void reserve_wiped(Memory& held, std::size_t size) {
  if (size <= held.capacity()) return;
  Memory larger;
  larger.reserve(size > 2 * held.size() ? size : 2 * held.size());
  larger.insert(larger.end(), held.begin(), held.end());
  held.swap(larger);
  wipe(larger);
}

/// Wipes a string, a vector or anything with a wipe() of its own when the scope ends, on every way out of it.
template <class Memory>
class wiped_at_end {
 public:
  explicit wiped_at_end(Memory& held) noexcept : held_(held) {}
  wiped_at_end(const wiped_at_end&) = delete;
  wiped_at_end& operator=(const wiped_at_end&) = delete;
  ~wiped_at_end() {
    if constexpr (requires { held_.wipe(); }) {
      held_.wipe();
    } else {
      wipe(held_);
    }
  }

 private:
  Memory& held_;
};

}  // namespace tds
