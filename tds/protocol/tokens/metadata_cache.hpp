// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/colmetadata.hpp>

#include <array>
#include <cstddef>

namespace tds::protocol {

/// The last few COLMETADATA of a connection with the bytes they came from, so that a statement that runs
/// again costs a comparison instead of an allocation for every column. Equal bytes of one version mean equal
/// metadata: the token delimits itself, so whatever begins with it is it.
class metadata_cache {
 public:
  /// What `body`, the bytes behind a token byte, begins with, and how many bytes that is. Null for none.
  struct hit {
    metadata_ptr metadata{};
    std::size_t size = 0;
  };
  hit find(bytes::byte_span body) const noexcept;
  /// Keeps `metadata`, in place of the oldest entry. Long metadata are not kept.
  void keep(bytes::byte_span body, metadata_ptr metadata);
  /// The shapes changed.
  void clear() noexcept;

 private:
  struct entry {
    bytes::buffer body{};
    metadata_ptr metadata{};
  };
  static constexpr std::size_t places = 64;       // results of a batch, or statements taking turns
  static constexpr std::size_t longest = 65'536;  // bytes of one token

  std::array<entry, places> entries_{};
  std::size_t next_ = 0;
};

}  // namespace tds::protocol
