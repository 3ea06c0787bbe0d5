// SPDX-License-Identifier: BSL-1.0
#include <wire/exchange/ledger.hpp>

#include <algorithm>

namespace wire::exchange {
namespace {

constexpr layer_set to_the_server{layer::request_path, layer::server_receive};
constexpr layer_set at_the_server{layer::server_receive, layer::server};
constexpr layer_set answering{layer::server, layer::response_path};

/// The known moments of a round trip, put into their order: each lies between its neighbours.
struct moments {
  stamp begin, sent, acked, start, end, first, last, done;
  nanoseconds error{};
};

bool within(stamp low, stamp at, stamp high) noexcept { return at.known() && at >= low && at <= high; }

stamp later_by(stamp from, nanoseconds by) noexcept { return stamp{from.ns() + by.count()}; }

moments order(const exchange& e) noexcept {
  moments m;
  m.begin = e.write_start;
  m.done = e.response_last_byte.known() ? e.response_last_byte : e.completed;
  m.sent = within(m.begin, e.request_sent, m.done) ? e.request_sent : stamp{};
  const stamp sent = m.sent.known() ? m.sent : m.begin;
  m.last = within(sent, e.response_last_kernel, m.done) ? e.response_last_kernel : stamp{};
  const stamp last = m.last.known() ? m.last : m.done;
  const stamp first = e.response_first_kernel.known() ? e.response_first_kernel : e.response_first_byte;
  m.first = within(sent, first, last) ? first : stamp{};
  // The mapping may be off by its error: a time just outside is moved to the edge.
  if (e.server_start.known() && e.server_time && e.server_error) {
    m.error = *e.server_error;
    m.start = std::clamp(e.server_start, sent, last);
    m.end = std::clamp(later_by(m.start, *e.server_time), m.start, last);
  }
  // An acknowledgement that rides on the answer says nothing of when the request arrived.
  const stamp answered = m.start.known() ? m.start : m.first;
  if (e.stamps != stamp_quality::merged && within(sent, e.request_acked, last) &&
      (!answered.known() || e.request_acked < answered)) {
    m.acked = e.request_acked;
  }
  return m;
}

/// Writes entries from one moment to the next.
class clerk {
 public:
  clerk(ledger& into, const moments& m) noexcept : into_(into), at_(m.begin) {
    if (!m.sent.known()) head_ = layer::client_send;
    if (!m.last.known()) tail_ = layer::client_receive;
  }
  void until(stamp next, layer_set layers, nanoseconds error = {}) noexcept {
    // Nobody saw the bytes leave, or arrive: this machine may have held them in the first and last entries.
    if (layers.has(layer::request_path)) layers = layers.with(head_);
    if (layers.has(layer::response_path)) layers = layers.with(tail_);
    into_.add(layers, nanoseconds{next.ns() - at_.ns()}, error);
    at_ = next;
  }

 private:
  ledger& into_;
  stamp at_;
  layer_set head_{}, tail_{};
};

void with_server_clock(clerk& write, const moments& m, stamp last) noexcept {
  if (m.acked.known()) {
    write.until(m.acked, to_the_server);
    write.until(m.start, layer::server_receive, m.error);
  } else {
    write.until(m.start, to_the_server, m.error);
  }
  write.until(m.end, layer::server, m.error);
  write.until(last, layer::response_path, m.error);
}

void without_server_clock(clerk& write, const moments& m, stamp last) noexcept {
  const stamp first = m.first.known() ? m.first : last;
  if (m.acked.known()) {
    write.until(m.acked, to_the_server.with(layer::server));
    write.until(first, at_the_server.with(layer::response_path));
  } else {
    write.until(first, to_the_server.with(answering));
  }
  write.until(last, answering);
}

}  // namespace

nanoseconds ledger::total() const noexcept {
  nanoseconds sum{};
  for (const auto& e : entries()) sum += e.length;
  return sum;
}

bounds ledger::of(layer l) const noexcept {
  bounds out;
  for (const auto& e : entries()) {
    if (!e.layers.has(l)) continue;
    if (e.layers.is_one()) out.least += std::max(e.length - 2 * e.error, nanoseconds::zero());
    out.most += e.length + 2 * e.error;
  }
  out.most = std::min(out.most, total());
  return out;
}

void ledger::add(layer_set layers, nanoseconds length, nanoseconds error) noexcept {
  if (length == nanoseconds::zero()) return;
  if (count_ != 0 && entries_[count_ - 1].layers == layers) {
    auto& before = entries_[count_ - 1];
    before.length += length;
    before.error = std::max(before.error, error);
  } else if (count_ < capacity) {
    entries_[count_++] = {layers, length, error};
  }
}

void ledger::carve(layer l, nanoseconds length) noexcept {
  entry* from = nullptr;
  for (auto& e : std::span{entries_.data(), count_}) {
    if (e.layers.has(l) && !e.layers.is_one() && (from == nullptr || e.length > from->length)) from = &e;
  }
  if (from == nullptr || count_ == capacity || length <= nanoseconds::zero()) return;
  const auto taken = std::min(length, from->length);
  from->length -= taken;
  from->layers = from->layers.without(l);
  std::copy_backward(from + 1, entries_.data() + count_, entries_.data() + count_ + 1);
  *(from + 1) = {l, taken, {}};
  ++count_;
}

bool operator==(const ledger& a, const ledger& b) noexcept {
  return std::ranges::equal(a.entries(), b.entries());
}

ledger ledger_of(const exchange& e) noexcept {
  ledger out;
  const moments m = order(e);
  if (!m.begin.known() || !m.done.known()) return out;
  clerk write{out, m};
  const stamp last = m.last.known() ? m.last : m.done;
  if (m.sent.known()) {
    write.until(m.sent, layer::client_send);
  } else if (within(m.begin, e.write_done, m.start.known() ? m.start : last)) {
    write.until(e.write_done, layer::client_send);
  }
  if (m.start.known()) {
    with_server_clock(write, m, last);
  } else {
    without_server_clock(write, m, last);
    if (e.server_time) out.carve(layer::server, *e.server_time);
  }
  write.until(m.done, layer::client_receive);
  return out;
}

}  // namespace wire::exchange
