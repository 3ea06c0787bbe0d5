// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/source.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace wire::capture::detail {

/// A stretch of a source that is in memory, and moves on.
class window {
 public:
  explicit window(std::unique_ptr<byte_source> from) : from_(std::move(from)) {}

  /// The next bytes: `size` of them, or all that are left when they are fewer. They live until the next call.
  std::span<const std::uint8_t> peek(std::size_t size) {
    if (end_ - at_ < size) fill(size);
    return {buffer_.data() + at_, end_ - at_ < size ? end_ - at_ : size};
  }
  /// Passes over bytes that were peeked at.
  void take(std::size_t size) noexcept {
    at_ += size;
    offset_ += size;
  }
  /// Passes over any number of bytes; false when the source ends before.
  bool skip(std::uint64_t size);
  /// Of the next byte, in the source.
  std::uint64_t offset() const noexcept { return offset_; }

 private:
  void fill(std::size_t size);

  std::unique_ptr<byte_source> from_;
  std::vector<std::uint8_t> buffer_;
  std::size_t at_ = 0, end_ = 0;
  std::uint64_t offset_ = 0;
  bool over_ = false;
};

}  // namespace wire::capture::detail
