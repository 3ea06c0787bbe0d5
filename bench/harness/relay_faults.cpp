// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/relay_faults.hpp>
#include <tds/protocol/sql_batch.hpp>

#include <algorithm>
#include <utility>

namespace wiregap {
namespace {

using tds::protocol::packet_event_kind;
using tds::protocol::packet_type;
using tds::protocol::tds_version;
using tds::serving::fault_kind;

// More of a text than this is not searched.
constexpr std::size_t most_text = 1U << 20U;

bool is_request(packet_type type) {
  return type == packet_type::sql_batch || type == packet_type::rpc || type == packet_type::bulk_load ||
         type == packet_type::transaction_manager_request;
}

// A text that was cut may end within a code unit.
std::string sql_of(tds::bytes::byte_span payload) {
  for (const auto version : {tds_version::v7_4, tds_version::v7_1}) {
    tds::bytes::reader in{payload.first(payload.size() / 2 * 2)};
    const auto batch = tds::protocol::read_sql_batch(in, version);
    if (in.ok()) return batch.sql_text.utf8();
  }
  return {};
}

}  // namespace

bool relay_can(fault_kind kind) noexcept {
  return kind == fault_kind::hold_request || kind == fault_kind::think ||
         kind == fault_kind::pause_in_answer || kind == fault_kind::cut_answer ||
         kind == fault_kind::slow_bytes;
}

relay_faults::nanoseconds relay_faults::request(tds::bytes::byte_span bytes) {
  if (!clear_) return {};
  hold_ = {};
  joiner_.feed(bytes);
  for (;;) {
    const auto event = joiner_.next();
    switch (event.kind) {
      case packet_event_kind::header:
        if (event.first_packet) {
          text_.clear();
          request_bytes_ = 0;
        }
        request_bytes_ += joiner_.header().length;
        break;
      case packet_event_kind::payload:
        if (joiner_.header().type == packet_type::sql_batch && text_.size() < most_text) {
          text_.insert(text_.end(), event.bytes.begin(), event.bytes.end());
        }
        break;
      case packet_event_kind::end_of_message:
        if (is_request(joiner_.header().type) && !event.ignored) end_of_request();
        break;
      case packet_event_kind::failed:
        clear_ = false;
        now_ = {};
        return hold_;
      case packet_event_kind::need_more:
        return hold_;
    }
  }
}

void relay_faults::end_of_request() {
  const bool text = joiner_.header().type == packet_type::sql_batch;
  now_ = plan_.judge(text ? sql_of(text_) : std::string{}, request_bytes_);
  hold_ += now_.hold;
  sent_ = first_packet_ = 0;
  paused_ = false;
}

relay_faults::step relay_faults::answer(tds::bytes::byte_span left) {
  step out{{}, left.size(), false};
  if (sent_ == 0) {
    out.wait += now_.think;
    // The length in the header of the first packet.
    if (left.size() >= 4) first_packet_ = static_cast<std::uint64_t>(left[2] << 8U | left[3]);
  }
  if (now_.pause_in_answer.count() > 0 && !paused_) {
    if (sent_ >= first_packet_) {
      out.wait += now_.pause_in_answer;
      paused_ = true;
    } else {
      out.bytes = static_cast<std::size_t>(std::min<std::uint64_t>(out.bytes, first_packet_ - sent_));
    }
  }
  if (now_.slow) {
    out.bytes = 1;
    if (sent_ > 0) out.wait += now_.between_bytes;
  }
  if (now_.cuts()) {
    out.bytes = static_cast<std::size_t>(std::min<std::uint64_t>(out.bytes, now_.cut_at - sent_));
    out.cut = out.bytes == 0;
  }
  sent_ += out.bytes;
  return out;
}

}  // namespace wiregap
