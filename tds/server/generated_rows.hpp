// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/colmetadata.hpp>
#include <tds/protocol/types/value.hpp>
#include <tds/server/row_source.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace tds::serving {

/// `count` rows from a function. A row that does not go with its columns ends them.
class generated_rows final : public row_source {
 public:
  using generator = std::function<void(std::uint64_t index, std::vector<protocol::value>& row)>;

  /// `compressed`: as NBCROW, which TDS 7.3B and later know.
  generated_rows(protocol::metadata_ptr metadata, std::uint64_t count, generator generate,
                 bool compressed = false);

  bool produce(bytes::buffer& out, std::size_t room) override;
  void stop() noexcept override { count_ = index_; }

 private:
  protocol::metadata_ptr metadata_;
  std::uint64_t count_;
  generator generate_;
  bool compressed_;
  std::uint64_t index_ = 0;
  std::vector<protocol::value> row_;
};

}  // namespace tds::serving
