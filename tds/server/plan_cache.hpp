// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/ucs2.hpp>
#include <tds/server/answer.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tds::serving {

/// The last few texts of a connection and the answers they came to, so that a request which is sent over and
/// over is neither read nor encoded again. For answers that are the same each time.
class plan_cache {
 public:
  struct entry {
    std::string sql{};  ///< UTF-8
    answer plan;
  };

  /// Null when that text is not there. `raw` is the batch's text as it came.
  const entry* find(bytes::byte_span raw) const noexcept;
  /// Null, and `plan` as it was, for texts and answers above a few ten kilobytes: they are not kept.
  const entry* keep(bytes::byte_span raw, std::string_view sql, answer&& plan);
  void clear() noexcept;

 private:
  static constexpr std::size_t capacity = 8;
  struct slot {
    bytes::buffer raw{};
    std::unique_ptr<entry> kept{};
  };
  std::array<slot, capacity> slots_{};
  std::size_t next_ = 0;  // the oldest
};

}  // namespace tds::serving
