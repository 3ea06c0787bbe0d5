// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/packet_splitter.hpp>
#include <tds/session/action.hpp>
#include <tds/session/response_reader.hpp>
#include <tds/session/server_message.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tds::session {

/// Who looks at a response while it arrives. Called on the driver's thread, inside the operation; whatever is
/// passed is a view that ends with the call, the metadata excepted.
class token_sink {
 public:
  virtual ~token_sink() = default;
  /// Every token of the response in order, ERROR and INFO included. False: the rest is not wanted, cancel.
  virtual bool on_token(const protocol::token& token, protocol::token_type type) = 0;
};

/// One request and its response, cancellation included (MS-TDS 2.2.1.7, 3.2.5.x). Bytes and events in,
/// actions out.
///
/// A request that was begun ends in exactly one way: answered, canceled and confirmed (the connection is
/// clean), or broken. It never ends with an answer half read. Cancellation sends Attention behind the
/// request's last packet and reads until the server confirms it with DONE(ATTN); the driver bounds that wait
/// with a deadline of its own.
class request {
 public:
  enum class state : std::uint8_t {
    idle,
    sending,            ///< the request is being written
    receiving,          ///< the answer is coming
    sending_attention,  ///< canceled: Attention is being written
    draining,           ///< canceled: reading on until DONE(ATTN)
    broken,             ///< the connection cannot be used any more
  };

  request(environment& env, response_reader& reader) noexcept : env_(env), reader_(reader) {}

  /// Begins a SQL batch (2.2.6.7). `sql` is UTF-8. errc::connection_broken when it is.
  action begin_batch(std::string_view sql, token_sink& sink);

  /// The driver wrote the whole output.
  action written();
  /// The driver read `input`.
  action received(bytes::byte_span input);
  /// The connection ended: the peer closed it (errc::server_closed) or an I/O error.
  action closed(error_code why);

  enum class cancel_effect : std::uint8_t {
    none,         ///< nothing to cancel, or canceled before
    after_write,  ///< go on with the write under way; written() answers with the Attention
    write_now,    ///< leave the read under way and write the output: it is the Attention
  };
  /// Gives the request up; its result becomes `why` (operation_canceled, timed_out). The operation goes on
  /// until the server has confirmed it.
  cancel_effect cancel(error_code why);

  /// A new connection: whatever befell the last one no longer counts.
  void reset() noexcept { state_ = state::idle; }

  state current() const noexcept { return state_; }
  bool is_broken() const noexcept { return state_ == state::broken; }
  /// What is to be written.
  const protocol::packet_run& output() const noexcept { return output_; }
  /// What the server said, and where a decoder stopped.
  const diagnostics& diag() const noexcept { return diag_; }
  diagnostics& diag() noexcept { return diag_; }

 private:
  error_code write_batch(std::string_view sql);
  action pump();
  action on_message_end();
  action on_token(const protocol::token& token);
  action send_attention();
  action end(error_code ec);
  action break_off(error_code ec);
  error_code outcome() const noexcept;

  environment& env_;
  response_reader& reader_;
  token_sink* sink_ = nullptr;
  bytes::buffer payload_;
  protocol::packet_run output_;
  diagnostics diag_;
  state state_ = state::idle;
  bool saw_error_ = false;
  bool saw_fatal_ = false;
  bool saw_final_done_ = false;
  bool saw_attention_ack_ = false;
  bool cancel_wanted_ = false;
  error_code cancel_reason_{};
};

std::string_view name_of(request::state s) noexcept;

}  // namespace tds::session
