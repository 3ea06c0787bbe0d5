// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace wire::capture {

/// Where the bytes of a capture file come from.
class byte_source {
 public:
  virtual ~byte_source() = default;
  /// Fills the front of `into` and says how much; 0 only at the end. Throws read_error.
  virtual std::size_t read(std::span<std::uint8_t> into) = 0;
};

/// A file that cannot be opened, read or unpacked; the text says which and why.
class read_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The bytes of a file, "-" for standard input; what gzip packed is unpacked on the way, several members in a
/// row too. Throws read_error.
std::unique_ptr<byte_source> open_file(const std::string& path);

/// Bytes at hand, unpacked likewise. They must outlive it.
std::unique_ptr<byte_source> open_memory(std::span<const std::uint8_t> bytes);

}  // namespace wire::capture
