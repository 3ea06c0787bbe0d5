// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/writer.hpp>

#include <cstddef>
#include <functional>
#include <memory>

namespace tds::serving {

/// Rows that are made while they are sent, so that a result of any size takes a constant amount of memory.
class row_source {
 public:
  virtual ~row_source() = default;
  row_source() = default;
  row_source(const row_source&) = delete;
  row_source& operator=(const row_source&) = delete;

  /// Appends tokens, or pieces of one, until about `room` bytes are appended or there is nothing more. False
  /// when there is nothing more.
  virtual bool produce(bytes::buffer& out, std::size_t room) = 0;
  /// The client has given up: produce() ends behind the token under way, made as short as may be.
  virtual void stop() noexcept = 0;
};

/// Makes the source anew for each time that an answer is given.
using row_source_factory = std::function<std::unique_ptr<row_source>()>;

}  // namespace tds::serving
