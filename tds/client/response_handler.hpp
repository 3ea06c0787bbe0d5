// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/token.hpp>
#include <tds/session/server_message.hpp>

#include <cstdint>

namespace tds {

using protocol::done;
using protocol::metadata_ptr;
using protocol::row;

/// Looks at a response while it arrives, without keeping it. Derive and override what is of interest. Every
/// call happens on the connection's executor, inside the operation; a row is a view that ends with the call.
/// Returning false says that the rest is not wanted: the connection cancels the request, reads what is left,
/// and the operation ends with errc::operation_canceled, the connection clean.
class response_handler {
 public:
  virtual ~response_handler() = default;

  /// A result begins. The metadata may be kept.
  virtual bool on_columns(const metadata_ptr& columns);
  /// A row of the result, compressed or not. Decode cells with protocol::get, append_text or decode.
  virtual bool on_row(const row& values);
  /// A statement ended: DONE, DONEPROC, DONEINPROC. `row_count` counts only with done_status::count.
  virtual bool on_done(const done& end);
  /// PRINT, RAISERROR, errors: also kept in diagnostics.
  virtual bool on_message(const server_message& message);
  virtual bool on_return_status(std::int32_t status);
  virtual bool on_return_value(const protocol::returnvalue& value);
};

}  // namespace tds
