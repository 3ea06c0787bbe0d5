// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/detail/recognizer.hpp>
#include <tds/capture/message_reader.hpp>
#include <tds/dissect/tls_records.hpp>
#include <tds/tls/recorded_session.hpp>

#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace tds::capture {

using detail::verdict;
using dissect::sender;
using wire::capture::connection;
using wire::capture::way;
using wire::clock::stamp;

/// What is kept of a connection.
class message_reader::talk final : public wire::capture::connection_state {
 public:
  talk(const connection& on, const message_reader& to) : on_(on), to_(to), decode_(make()) {
    if (to_.keys_ == nullptr) return;
    tls_.emplace(*to_.keys_);
    inside_.emplace(to_.how_, [this](const dissect::live_message& message) { hand_on(message); });
  }

  verdict judge(way from, const detail::piece& next) {
    const auto found = who_.judge(on_, from, next);
    if (who_.in_the_middle()) lost_ = {true, true};
    return found;
  }
  verdict judged() const noexcept { return who_.judged(); }

  void feed(way from, const detail::piece& next) {
    const auto who = who_.sender_of(from);
    auto& lost = lost_[static_cast<std::size_t>(who)];
    if (decode_.broken(who)) {
      // It stays broken: what follows is another's affair.
      decode_ = make();
      lost_ = {true, true};
    }
    if (lost) {
      const bool begins = next.begins_segment &&
                          (detail::is_packet_chain(next.bytes, who) || detail::is_record_chain(next.bytes));
      if (!begins) return;
      lost = false;
    }
    decode_.feed(who, next.bytes, next.when);
  }

  void gap(way from) {
    const auto who = who_.sender_of(from);
    decode_.end(who);
    lost_[static_cast<std::size_t>(who)] = true;
  }

  void end() {
    for (const auto who : {sender::client, sender::server}) {
      decode_.end(who);
      if (inside_) inside_->end(who);
    }
  }

 private:
  dissect::live_dissector make() {
    return {to_.how_, [this](const dissect::live_message& message) {
              if (!opens(message)) hand_on(message);
            }};
  }

  void hand_on(const dissect::live_message& message) const {
    const auto& client = on_.ends[index(who_.client())];
    const auto& server = on_.ends[index(opposite(who_.client()))];
    to_.each_({on_.id, client, server, message});
  }

  /// What a record holds is taken apart in its place; handshakes are looked at, in PRELOGIN packets too.
  bool opens(const dissect::live_message& message) {
    if (!tls_) return false;
    const auto& found = message.found;
    bytes::byte_span left{found.payload};
    bool data = false;
    while (dissect::starts_tls_record(left)) {
      const auto size = dissect::tls_record_size(left);
      const auto what = tls_->read(found.from == sender::client, left.first(size), plain_);
      left = left.subspan(size);
      if (what != tls::recorded_session::content::data) continue;
      data = true;
      inside_->feed(found.from, std::exchange(plain_, {}), message.last);
    }
    return data;
  }

  const connection& on_;
  const message_reader& to_;
  detail::recognizer who_{};
  std::array<bool, 2> lost_{};
  dissect::live_dissector decode_;
  std::optional<tls::recorded_session> tls_{};
  std::optional<dissect::live_dissector> inside_{};  // what was encrypted
  bytes::buffer plain_{};
};

message_reader::message_reader(const dissect::settings& how, sink each, const tls::key_log* keys)
    : how_(how), each_(std::move(each)), keys_(keys) {}
message_reader::~message_reader() = default;

message_reader::talk* message_reader::of(const connection& on) const noexcept {
  if (on.ignored || !on.state) return nullptr;
  auto* found = static_cast<talk*>(on.state.get());
  return found->judged() == verdict::tds ? found : nullptr;
}

void message_reader::on_data(connection& on, way from, const wire::capture::stream_piece& piece) {
  if (!on.state) on.state = std::make_unique<talk>(on, *this);
  auto& with = static_cast<talk&>(*on.state);
  const auto next = detail::piece_of(piece);
  if (with.judged() == verdict::undecided) {
    const auto found = with.judge(from, next);
    if (found == verdict::undecided) return;
    if (found != verdict::tds) {
      on.ignored = true;
      on.state.reset();
      return;
    }
    ++connections_;
  }
  with.feed(from, next);
}

void message_reader::on_gap(connection& on, way from, std::uint64_t, std::uint64_t, stamp, bool) {
  if (auto* with = of(on)) with->gap(from);
}

void message_reader::on_close(connection& on) {
  if (auto* with = of(on)) with->end();
}

}  // namespace tds::capture
