// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unistd.h>

#include <utility>

namespace wire::link::detail {

/// A file descriptor that closes itself.
class descriptor {
 public:
  descriptor() noexcept = default;
  explicit descriptor(int fd) noexcept : fd_{fd} {}
  descriptor(descriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

}  // namespace wire::link::detail
