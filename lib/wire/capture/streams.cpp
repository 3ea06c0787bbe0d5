// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/detail/direction.hpp>
#include <wire/capture/streams.hpp>

#include <array>
#include <cstring>
#include <list>
#include <unordered_map>

namespace wire::capture {
namespace {

// Both ends, the smaller one first, so that both directions have the same key.
struct flow_key {
  end_point low{}, high{};
  friend bool operator==(const flow_key&, const flow_key&) = default;
};

struct flow_hash {
  std::size_t operator()(const flow_key& key) const noexcept {
    std::uint64_t out = static_cast<std::uint64_t>(key.low.port) << 16U | key.high.port;
    for (const auto* address : {&key.low.address, &key.high.address}) {
      std::array<std::uint64_t, 2> halves{};
      std::memcpy(halves.data(), address->data(), sizeof halves);
      for (const std::uint64_t half : halves) {
        out = (out ^ half) * 0x9E37'79B9'7F4A'7C15U;
        out ^= out >> 32U;
      }
    }
    return static_cast<std::size_t>(out);
  }
};

struct flow {
  connection on;
  flow_key key;
  std::array<detail::direction, 2> directions;
  std::array<detail::twin_filter, 2> twins;
  std::array<bool, 2> full{};  // no room at the sender of this direction
  bool closed = false;
};

}  // namespace

class stream_table::work {
 public:
  work(stream_sink& sink, const stream_limits& limits) : sink_(sink), limits_(limits) {}

  void add(const segment& found, clock::stamp when) {
    if (when.known()) now_ = when;
    flow* to = find(found);
    const bool syn = found.has(tcp_flag::syn) && !found.has(tcp_flag::ack);
    if (to != nullptr && syn && is_new(*to, found)) {
      drop(to);
      to = nullptr;
    }
    if (to == nullptr) {
      // An ACK or a reset of something that was over before the capture began opens nothing.
      if (found.payload_bytes == 0 && !found.has(tcp_flag::syn)) return;
      to = open(found, syn);
    } else if (to != &flows_.back()) {
      flows_.splice(flows_.end(), flows_, where_);
    }
    take(*to, found);
  }

  void finish() {
    while (!flows_.empty()) drop(&flows_.front());
  }

  std::size_t size() const noexcept { return flows_.size(); }

 private:
  using place = std::list<flow>::iterator;

  static flow_key key_of(const segment& s) noexcept {
    return s.source < s.destination ? flow_key{s.source, s.destination} : flow_key{s.destination, s.source};
  }

  // The flow of a segment, `where_` set; most often that of the segment before.
  flow* find(const segment& s) {
    const flow_key key = key_of(s);
    if (!flows_.empty() && flows_.back().key == key) {
      where_ = std::prev(flows_.end());
      return &*where_;
    }
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    where_ = found->second;
    return &*where_;
  }

  static way way_of(const flow& f, const segment& s) noexcept {
    return f.on.ends[0] == s.source ? way::forward : way::backward;
  }

  static bool is_new(const flow& f, const segment& s) noexcept {
    return f.closed || f.directions[index(way_of(f, s))].is_other_syn(s.seq);
  }

  flow* open(const segment& s, bool syn) {
    while (!flows_.empty() && (flows_.size() >= limits_.connections || is_idle(flows_.front()))) {
      drop(&flows_.front());
    }
    auto& added = flows_.emplace_back();
    added.key = key_of(s);
    added.on.id = ++opened_;
    // The answer to a SYN comes from the end that did not open it.
    const bool answer = s.has(tcp_flag::syn) && s.has(tcp_flag::ack);
    added.on.ends = {answer ? s.destination : s.source, answer ? s.source : s.destination};
    added.on.began = now_;
    added.on.from_start = syn;
    by_key_.emplace(added.key, std::prev(flows_.end()));
    sink_.on_open(added.on);
    return &added;
  }

  bool is_idle(const flow& f) const noexcept {
    const auto idle = clock::between(f.on.last, now_);
    return idle && *idle > limits_.idle;
  }

  detail::direction::context context(flow& f, way from) {
    return {f.on, from, sink_, limits_, f.full[index(opposite(from))]};
  }

  void take(flow& f, const segment& s) {
    const way from = way_of(f, s);
    auto& facts = f.on.facts[index(from)];
    if (f.twins[index(from)].is_twin(s, now_, limits_)) {
      ++(s.payload_bytes != 0 ? facts.duplicates : facts.duplicates_no_data);
      return;
    }
    f.on.last = now_;
    ++facts.segments;
    facts.ttl = s.ttl;
    if (f.closed) return;
    if (s.has(tcp_flag::syn)) take_syn(f, from, s);
    if (facts.mss && s.payload_bytes > *facts.mss) ++facts.oversized;
    if (f.on.syn_ack.known() && !f.on.established.known() && from == way::forward) f.on.established = now_;
    auto& other = f.directions[index(opposite(from))];
    if (s.has(tcp_flag::ack)) {
      other.acknowledge(context(f, opposite(from)), s.ack, now_, s.payload_bytes != 0);
    }
    note_window(f, from, s);
    f.directions[index(from)].add(context(f, from), s, now_);
    if (s.has(tcp_flag::rst)) f.on.reset = true;
    if (f.on.reset || (f.directions[0].finished() && f.directions[1].finished())) close(f);
  }

  void take_syn(flow& f, way from, const segment& s) {
    auto& own = f.directions[index(from)];
    if (!own.started()) own.begin(s.seq + 1, false);
    auto& facts = f.on.facts[index(from)];
    clock::stamp& stamp = s.has(tcp_flag::ack) ? f.on.syn_ack : f.on.syn;
    if (stamp.known()) {
      ++facts.retransmissions;
    } else {
      stamp = now_;
    }
    // No segment carries more than the smaller of the two, less its options.
    if (!s.mss) return;
    for (auto& each : f.on.facts) each.mss = std::min(each.mss.value_or(*s.mss), *s.mss);
  }

  void note_window(flow& f, way from, const segment& s) {
    if ((s.flags & (tcp_flag::syn | tcp_flag::rst)) != 0) return;
    bool& full = f.full[index(from)];
    const bool now_full = s.window == 0;
    if (full == now_full) return;
    full = now_full;
    if (now_full) ++f.on.facts[index(from)].zero_windows;
    if (!f.on.ignored) sink_.on_window(f.on, from, now_full, now_);
  }

  // What comes behind the end (the last ACKs) still finds it: it stays for a while as any other does.
  void close(flow& f) {
    for (const way from : {way::forward, way::backward}) {
      f.directions[index(from)].flush(context(f, from), now_);
    }
    f.closed = f.on.ended = true;
    sink_.on_close(f.on);
    f.on.state.reset();
    if (++lingering_ > most_lingering) drop_closed();
  }

  void drop_closed() {
    for (auto at = flows_.begin(); at != flows_.end();) {
      const auto next = std::next(at);
      if (at->closed && next != flows_.end()) drop(&*at);
      at = next;
    }
  }

  void drop(flow* f) {
    if (f->closed) {
      --lingering_;
    } else {
      close_for_good(*f);
    }
    const auto found = by_key_.find(f->key);
    const place at = found->second;
    by_key_.erase(found);
    flows_.erase(at);
  }

  void close_for_good(flow& f) {
    for (const way from : {way::forward, way::backward}) {
      f.directions[index(from)].flush(context(f, from), now_);
    }
    sink_.on_close(f.on);
  }

  static constexpr std::size_t most_lingering = 1024;

  stream_sink& sink_;
  stream_limits limits_;
  std::list<flow> flows_;  // the one idle for longest first
  std::unordered_map<flow_key, place, flow_hash> by_key_;
  place where_{};
  clock::stamp now_{};
  std::uint64_t opened_ = 0;
  std::size_t lingering_ = 0;
};

stream_table::stream_table(stream_sink& sink, const stream_limits& limits)
    : work_(std::make_unique<work>(sink, limits)) {}
stream_table::~stream_table() = default;

void stream_table::add(const segment& found, clock::stamp when) { work_->add(found, when); }
void stream_table::finish() { work_->finish(); }
std::size_t stream_table::size() const noexcept { return work_->size(); }

}  // namespace wire::capture
