// SPDX-License-Identifier: BSL-1.0
// TLS records that a key log opens: what they hold is TDS like any other.
#include <tds/capture/detail/conversation.hpp>

#include <utility>

namespace tds::capture::detail {

using dissect::sender;
using protocol::tls_content;

void conversation::begin_sealed(sender from, tls_content type) {
  auto& of = at(from);
  if (with_.keys != nullptr && !tls_) tls_ = std::make_unique<tls::recorded_session>(*with_.keys);
  of.sealed = type == tls_content::application_data && has_keys();
  of.record.clear();
}

void conversation::keep_record(sender from, bytes::byte_span more) {
  if (!tls_) return;
  auto& record = at(from).record;
  record.insert(record.end(), more.begin(), more.end());
}

void conversation::open_record(sender from, const piece& in, std::size_t end) {
  auto& of = at(from);
  if (!tls_) return;
  const auto what = tls_->read(from == sender::client, of.record, plain_);
  const auto size = of.record.size();
  of.record = {};
  if (!std::exchange(of.sealed, false)) return;
  switch (what) {
    case tls::recorded_session::content::data:
      feed_opened(from, in, end);
      break;
    case tls::recorded_session::content::handshake:
      break;
    case tls::recorded_session::content::unreadable:
      // So much for its keys; its direction still tells.
      begin_record(from, tls_content::application_data, size - protocol::tls_record_header_size);
      add_bytes(from, size, in.place());
      break;
  }
}

// Its first byte came when the record began, its last when that ended.
void conversation::feed_opened(sender from, const piece& in, std::size_t end) {
  auto& of = at(from);
  of.opened = true;
  encrypted_login_ = encrypted_login_ || from == sender::client;
  if (from == sender::server && on_.encryption == encryption::none) on_.encryption = encryption::full;
  if (plain_.empty()) return;
  const auto plain = std::exchange(plain_, {});
  const bytes::byte_span all{plain};
  piece first{all.first(1), of.begin.offset, of.begin.when, false, true, false};
  piece rest{all.subspan(1), in.offset + end - (all.size() - 1),       in.when, in.push,
             false,          in.ends_segment && end == in.bytes.size()};
  feeding_opened_ = true;
  for (auto* part : {&first, &rest}) {
    while (!part->bytes.empty() && of.how == mode::packets) *part = part->behind(take_packets(from, *part));
  }
  feeding_opened_ = false;
}

// The handshake of TDS 7.x: records in PRELOGIN packets.
void conversation::read_wrapped(sender from, bytes::byte_span records) {
  if (with_.keys == nullptr) return;
  if (!tls_) tls_ = std::make_unique<tls::recorded_session>(*with_.keys);
  while (records.size() >= protocol::tls_record_header_size) {
    const auto size = protocol::tls_record_header_size + protocol::tls_fragment_size(records);
    if (size > records.size()) return;
    (void)tls_->read(from == sender::client, records.first(size), plain_);
    records = records.subspan(size);
  }
}

}  // namespace tds::capture::detail
