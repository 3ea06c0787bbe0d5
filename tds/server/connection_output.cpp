// SPDX-License-Identifier: BSL-1.0
#include <tds/server/connection.hpp>

#include <algorithm>

// How the session's output goes out: as it comes, or in pieces where a fault says so.

namespace tds::serving {

bool connection::is_shaped() const noexcept { return affliction_.shapes_output(); }

// How much of the output goes out next when a fault shapes it; 0 when the connection ends here.
std::size_t connection::next_piece() noexcept {
  const auto& out = session_.output();
  // Never beyond a packet: under TLS each packet is a record of its own.
  const auto end = *std::upper_bound(out.ends.begin(), out.ends.end(), written_);
  std::size_t size = affliction_.slow ? 1 : end - written_;
  if (affliction_.cuts()) {
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, affliction_.cut_at - answer_sent_));
  }
  return size;
}

// False when there is none.
bool connection::queue_output() {
  auto& out = session_.output();
  if (out.count() == 0) return false;
  if (!is_shaped()) {
    channel_.queue(out);
    writing_ = true;
    return true;
  }
  piece_ = next_piece();
  if (piece_ == 0) {
    cut();
    return true;
  }
  channel_.queue_raw(bytes::byte_span{out.data}.subspan(written_, piece_));
  writing_ = true;
  return true;
}

bool connection::flush() {
  switch (channel_.flush()) {
    case io_progress::done:
      writing_ = false;
      output_written();
      return true;
    case io_progress::want_read:
    case io_progress::want_write:
      wait_writable();
      if (answering_) listen_for_attention();
      return false;
    case io_progress::failed:
      break;
  }
  close();
  return false;
}

void connection::output_written() {
  auto& out = session_.output();
  if (!is_shaped()) {
    out.drop_finished();
    return;
  }
  written_ += piece_;
  answer_sent_ += piece_;
  const bool packet_over = std::binary_search(out.ends.begin(), out.ends.end(), written_);
  if (written_ == out.finished_size()) {
    out.drop_finished();
    written_ = 0;
  }
  if (affliction_.cuts() && answer_sent_ >= affliction_.cut_at) return cut();
  // Behind the answer's last byte there is nothing to hold back, and the next request may be here at once.
  const bool more_to_send = answering_ || attention_ || out.finished_size() > 0;
  if (more_to_send && affliction_.slow) {
    start_pause(pause_kind::shape, affliction_.between_bytes);
  } else if (more_to_send && packet_over && !first_packet_sent_ && affliction_.pause_in_answer.count() > 0) {
    start_pause(pause_kind::shape, affliction_.pause_in_answer);
  }
  if (packet_over) first_packet_sent_ = true;
}

}  // namespace tds::serving
