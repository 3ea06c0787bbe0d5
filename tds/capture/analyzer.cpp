// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/analyzer.hpp>
#include <tds/capture/detail/session.hpp>

#include <utility>

namespace tds::capture {

using detail::session;
using detail::verdict;
using wire::capture::connection;
using wire::capture::way;
using wire::clock::stamp;

class analyzer::work {
 public:
  work(audience& to, const settings& how) : to_(to) {
    with_.statement_bytes = how.statement_bytes;
    with_.keys = how.keys;
    with_.out = [this](captured_exchange&& one) { hand_on(std::move(one)); };
  }

  void data(connection& on, way from, const wire::capture::stream_piece& given) {
    if (!on.state) on.state = std::make_unique<session>(on, with_);
    auto& s = of(on);
    const auto next = detail::piece_of(given);
    if (s.judged() == verdict::undecided) {
      const auto found = s.judge(on, from, next);
      if (found == verdict::undecided) return;
      if (found != verdict::tds)
        return leave(on, found == verdict::sybase ? counts_.sybase : counts_.strangers);
      ++counts_.connections;
    }
    (void)talking(on);
    s.feed(from, next);
    if (!s.is_no_tds()) return;
    --counts_.connections;
    leave(on, counts_.strangers);
  }

  void gap(connection& on, way from, std::uint64_t offset, std::uint64_t bytes, stamp when, bool cut) {
    auto* s = talking(on);
    if (s != nullptr) s->gap(from, bytes, {offset, when}, cut);
  }

  void sent_again(connection& on, way from, std::uint64_t begin, std::uint64_t end, stamp when) {
    auto* s = talking(on);
    if (s != nullptr) s->sent_again(from, begin, end, when);
  }

  void acknowledged(connection& on, way of, std::uint64_t offset, stamp when, bool bare) {
    auto* s = talking(on);
    if (s != nullptr) s->acknowledged(of, offset, when, bare);
  }

  void window(connection& on, way from) {
    auto* s = talking(on);
    if (s != nullptr) s->zero_window(from);
  }

  void close(connection& on) {
    if (auto* s = talking(on)) {
      s->refresh(on);
      s->facts().closed = on.reset || on.ended;
      s->finish(on.last);
      s->refresh(on);
      to_.closed(s->facts());
    } else if (!on.ignored) {
      ++(on.state ? counts_.strangers : counts_.silent);
    }
  }

  const analyzer_counts& counts() const noexcept { return counts_; }

 private:
  static session& of(connection& on) { return static_cast<session&>(*on.state); }

  // Its state when it is TDS; what it says goes to the audience as of this connection.
  session* talking(connection& on) {
    if (on.ignored || !on.state || of(on).judged() != verdict::tds) return nullptr;
    on_ = &on;
    return &of(on);
  }

  static void leave(connection& on, std::uint64_t& count) {
    ++count;
    on.ignored = true;
    on.state.reset();
  }

  void hand_on(captured_exchange&& one) {
    auto& s = of(*on_);
    one.timing.connection_id = on_->id;
    one.timing.id = ++s.exchanges;
    // Offsets so far.
    one.request.next_seq += on_->first_seq[index(s.client())];
    one.response.next_seq += on_->first_seq[index(opposite(s.client()))];
    auto& tcp = one.timing.tcp.emplace();
    tcp.retransmits = one.request.sent_again;
    tcp.out_of_order = one.response.sent_again;
    if (const auto delay = on_->of(s.client()).least_ack_delay) {
      tcp.least_rtt = std::chrono::duration_cast<std::chrono::microseconds>(*delay);
    }
    to_.exchanged(s.facts(), std::move(one));
  }

  audience& to_;
  detail::surroundings with_{};
  analyzer_counts counts_{};
  connection* on_ = nullptr;  // whose exchanges come
};

analyzer::analyzer(audience& to, const settings& how) : work_(std::make_unique<work>(to, how)) {}
analyzer::~analyzer() = default;

void analyzer::on_open(connection&) {}
void analyzer::on_data(connection& on, way from, const wire::capture::stream_piece& piece) {
  work_->data(on, from, piece);
}
void analyzer::on_gap(connection& on, way from, std::uint64_t offset, std::uint64_t bytes, stamp when,
                      bool cut) {
  work_->gap(on, from, offset, bytes, when, cut);
}
void analyzer::on_retransmission(connection& on, way from, std::uint64_t begin, std::uint64_t end,
                                 stamp when) {
  work_->sent_again(on, from, begin, end, when);
}
void analyzer::on_ack(connection& on, way of, std::uint64_t offset, stamp when, bool bare) {
  work_->acknowledged(on, of, offset, when, bare);
}
void analyzer::on_window(connection& on, way from, bool closed, stamp) {
  if (closed) work_->window(on, from);
}
void analyzer::on_close(connection& on) { work_->close(on); }

const analyzer_counts& analyzer::counts() const noexcept { return work_->counts(); }

}  // namespace tds::capture
