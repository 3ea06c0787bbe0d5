// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/detail/window.hpp>

#include <algorithm>
#include <cstring>

namespace wire::capture::detail {
namespace {

// Large enough that calls to read do not count, small enough to stay in the processor's cache.
constexpr std::size_t usual_size = std::size_t{256} << 10U;

}  // namespace

void window::fill(std::size_t size) {
  if (buffer_.size() < std::max(size, usual_size)) buffer_.resize(std::max(size, usual_size));
  if (at_ != 0) {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    end_ -= at_;
    at_ = 0;
  }
  while (end_ < size && !over_) {
    const std::size_t got = from_->read(std::span{buffer_}.subspan(end_));
    over_ = got == 0;
    end_ += got;
  }
}

bool window::skip(std::uint64_t size) {
  while (size != 0) {
    const auto part = peek(static_cast<std::size_t>(std::min<std::uint64_t>(size, usual_size)));
    if (part.empty()) return false;
    take(part.size());
    size -= part.size();
  }
  return true;
}

}  // namespace wire::capture::detail
