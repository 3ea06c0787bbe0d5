// SPDX-License-Identifier: BSL-1.0
#include <tds/client/driver.hpp>

#include <utility>

namespace tds::client {

void driver::on_request_written() {
  // The Attention of a cancellation is not the request: its write counts no more.
  if (exchange_.write_done.known()) return;
  exchange_.write_done = stamp::now();
  recorder_.written(channel_->bytes_sent());
  answer_on_its_way_ = true;
  exchange_.request_packets = static_cast<std::uint32_t>(request_.output().count());
  exchange_.request_bytes = channel_->bytes_sent() - sent_before_;
}

void driver::on_response_bytes() {
  const auto now = stamp::now();
  if (!exchange_.response_first_byte.known()) exchange_.response_first_byte = now;
  exchange_.response_last_byte = now;
  exchange_.response_bytes = channel_->bytes_received() - received_before_;
}

// What the kernel knows of the last exchange is asked for when somebody wants to see it: then it costs no
// request anything, and nothing at all where nobody looks.
void driver::collect() noexcept {
  if (std::exchange(collected_, true) || !channel_ || op_ != operation::none) return;
  recorder_.end(exchange_, channel_->first_arrived(), channel_->last_arrived());
}

bool driver::on_token(const protocol::token& token, protocol::token_type) {
  if (const auto* values = std::get_if<protocol::row>(&token)) return sink_->on_row(*values);
  if (const auto* end = std::get_if<protocol::done>(&token)) return sink_->on_done(*end);
  if (const auto* columns = std::get_if<metadata_ptr>(&token)) return sink_->on_columns(*columns);
  if (std::holds_alternative<protocol::message_token>(token))
    return sink_->on_message(request_.diag().messages.back());
  if (const auto* status = std::get_if<protocol::returnstatus>(&token))
    return sink_->on_return_status(status->value);
  if (const auto* output = std::get_if<protocol::returnvalue>(&token)) return sink_->on_return_value(*output);
  return true;
}

}  // namespace tds::client
