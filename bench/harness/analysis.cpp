// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/analysis.hpp>
#include <tds/capture/statement.hpp>
#include <wire/diagnose/sample.hpp>

#include <algorithm>
#include <utility>

namespace wiregap {

namespace {

using std::chrono::nanoseconds;
using tds::capture::attention;
using tds::capture::captured_connection;
using tds::capture::captured_exchange;
using wire::clock::between;

constexpr std::size_t most_connections = 1000;
constexpr std::size_t most_statements = 1000;
constexpr std::size_t most_texts = 4000;
constexpr std::size_t most_slow = 20'000;
/// Statements are told apart by so many characters.
constexpr std::size_t longest_statement = 400;

constexpr auto longer = [](const noted_exchange& a, const noted_exchange& b) { return a.took > b.took; };
constexpr auto wider = [](const noted_connection& a, const noted_connection& b) {
  return a.longest_gap > b.longest_gap;
};

/// Keeps the `most` greatest of what is pushed into a heap whose top is the least.
template <class T, class Greater>
void keep_greatest(std::vector<T>& heap, T&& one, std::size_t most, Greater greater) {
  if (heap.size() >= most && (most == 0 || !greater(one, heap.front()))) return;
  if (heap.size() >= most) {
    std::ranges::pop_heap(heap, greater);
    heap.pop_back();
  }
  heap.push_back(std::move(one));
  std::ranges::push_heap(heap, greater);
}

void add(tds::capture::push_ledger& to, const tds::capture::push_ledger& more) {
  to.packets += more.packets;
  to.pushed += more.pushed;
  to.inside += more.inside;
  to.unpushed += more.unpushed;
  to.unpushed_messages += more.unpushed_messages;
}

void add(analysis_counts& to, const wire::capture::direction_facts& of) {
  to.retransmissions += of.retransmissions;
  to.reordered += of.reordered;
  to.duplicates += of.duplicates;
  to.duplicates_no_data += of.duplicates_no_data;
  to.keep_alives += of.keep_alives;
  to.zero_windows += of.zero_windows;
  to.oversized += of.oversized;
  to.gaps += of.gaps;
  to.gap_bytes += of.gap_bytes;
  to.cut_bytes += of.cut_bytes;
}

wire::diagnose::options options_of(wire::diagnose::options given) {
  // Whoever captured may have sat anywhere, and clients write as they like.
  given.client = wire::diagnose::platform::unknown;
  given.client_writes_at_once = false;
  given.max_slow = most_slow;
  return given;
}

}  // namespace

analysis::analysis(const analysis_settings& how) : how_(how), population_(options_of(how.diagnosis)) {}

void analysis::exchanged(const captured_connection& on, captured_exchange&& one) {
  if (each) each(on, one);
  auto& connection = open_[on.id];
  counts_.pipelined += one.in_flight > 1 ? 1U : 0U;
  counts_.errors += one.error != 0 ? 1U : 0U;
  counts_.attentions += one.attention != attention::none ? 1U : 0U;
  counts_.attentions_unacknowledged += one.attention == attention::sent ? 1U : 0U;
  ++(one.answered ? counts_.exchanges : counts_.unanswered);
  ++(one.answered ? connection.exchanges : connection.unanswered);
  add_times(connection, one);
  diagnose(one);
  if (one.answered) note_slow(on, std::move(one));
}

void analysis::add_times(noted_connection& on, const captured_exchange& one) {
  const auto& t = one.timing;
  const auto gap = tds::capture::gap(one);
  const auto lay = [&](nanoseconds time_shares::*where, std::optional<nanoseconds> span) {
    // A clock that was set back measures nothing.
    if (!span || *span < nanoseconds::zero()) return;
    shares_.*where += *span;
    on.shares.*where += *span;
  };
  lay(&time_shares::thinking, one.think);
  if (!one.answered) return;
  lay(&time_shares::sending, between(t.write_start, t.write_done));
  lay(&time_shares::gap, gap);
  lay(&time_shares::answering, between(t.response_first_byte, t.response_last_byte));
  if (!gap || *gap < nanoseconds::zero()) return;
  gaps_.record(*gap);
  on.longest_gap = std::max(on.longest_gap, *gap);
  add_statement(one, *gap);
  const auto took = wire::exchange::round_trip(t);
  if (took && *took >= nanoseconds::zero()) round_trips_.record(*took);
}

void analysis::add_statement(const captured_exchange& one, nanoseconds gap) {
  if (how_.sql == sql_shown::none) return;
  auto& of = statement_of(one);
  ++of.exchanges;
  of.sum += gap;
  of.gaps.record(gap);
}

// Programs say the same again and again: taking the literals out is done once.
noted_statement& analysis::statement_of(const captured_exchange& one) {
  const auto sql = std::string_view{one.statement}.substr(0, longest_statement);
  text_.assign(one.procedure.empty() && sql.empty() ? name_of(one.kind) : std::string_view{one.procedure});
  text_.append(1, '\0').append(sql);
  if (const auto known = by_text_.find(text_); known != by_text_.end()) return *known->second;
  std::string text{text_.data()};
  if (!sql.empty()) {
    if (!text.empty()) text += ": ";
    text += tds::capture::without_literals(sql);
  }
  auto found = statements_.find(text);
  if (found == statements_.end()) {
    if (statements_.size() >= most_statements) text = "(others)";
    found = statements_.try_emplace(text).first;
    found->second.text = text;
  }
  if (by_text_.size() >= most_texts) by_text_.clear();
  by_text_.emplace(text_, &found->second);
  return found->second;
}

void analysis::note_slow(const captured_connection& on, captured_exchange&& one) {
  const auto took = wire::exchange::round_trip(one.timing);
  if (!took || how_.slowest == 0) return;
  if (slowest_.size() >= how_.slowest && *took <= slowest_.front().took) return;
  keep_greatest(slowest_, noted_exchange{std::move(one), on.client, on.server, *took}, how_.slowest, longer);
}

// Connecting is not what the verdict is about; neither is what a capture ends in the middle of.
void analysis::diagnose(const captured_exchange& one) {
  if (tds::capture::is_connecting(one.kind) || one.request.lacks_bytes || one.response.lacks_bytes) return;
  const bool given_up = !one.answered && (one.attention != attention::none || one.request.sent_again != 0);
  if (!one.answered && !given_up) return;
  const auto sample = wire::diagnose::sample_of(one.timing);
  if (sample && sample->round_trip >= nanoseconds::zero() && sample->gap >= nanoseconds::zero()) {
    population_.add(*sample);
    note_push(one, sample->round_trip);
  }
}

void analysis::note_push(const captured_exchange& one, nanoseconds round_trip) {
  if (round_trip < how_.diagnosis.limits.good) {
    ++good_pushes_.exchanges;
    good_pushes_.requests_without += one.request.pushed == false ? 1U : 0U;
    good_pushes_.responses_without += one.response.pushed == false ? 1U : 0U;
  } else if (slow_pushes_.size() < most_slow) {
    slow_pushes_[{one.timing.connection_id, one.timing.id}] = {one.request.pushed, one.response.pushed};
  }
}

const noted_push* analysis::push_of(const wire::diagnose::request_ref& one) const noexcept {
  const auto found = slow_pushes_.find(one);
  return found == slow_pushes_.end() ? nullptr : &found->second;
}

void analysis::closed(const captured_connection& on) {
  auto& connection = open_[on.id];
  connection.of = on;
  add(counts_, on.from_client);
  add(counts_, on.from_server);
  add(counts_.client_push, on.client_push);
  add(counts_.server_push, on.server_push);
  counts_.answers_alone += on.answers_alone;
  counts_.decode_errors += on.decode_errors;
  counts_.client_delayed_acks += on.client_delayed_acks;
  counts_.server_delayed_acks += on.server_delayed_acks;
  counts_.smp_window_stalls += on.smp_window_stalls;
  const auto point = tds::capture::point_of(on);
  if (point == tds::capture::capture_point::client_side) ++counts_.client_side;
  if (point == tds::capture::capture_point::server_side) ++counts_.server_side;
  if (point == tds::capture::capture_point::between) ++counts_.between;
  keep_greatest(closed_, std::move(connection), most_connections, wider);
  open_.erase(on.id);
}

std::vector<noted_exchange> analysis::slowest() const {
  auto out = slowest_;
  std::ranges::sort(out, [](const noted_exchange& a, const noted_exchange& b) { return a.took > b.took; });
  return out;
}

std::vector<noted_connection> analysis::connections() const {
  auto out = closed_;
  std::ranges::sort(out, [](const noted_connection& a, const noted_connection& b) {
    return a.longest_gap != b.longest_gap ? a.longest_gap > b.longest_gap : a.of.id < b.of.id;
  });
  return out;
}

std::vector<const noted_statement*> analysis::statements() const {
  std::vector<const noted_statement*> out;
  out.reserve(statements_.size());
  for (const auto& [text, one] : statements_) out.push_back(&one);
  std::ranges::stable_sort(
      out, [](const noted_statement* a, const noted_statement* b) { return a->sum > b->sum; });
  return out;
}

std::string shown_statement(const captured_exchange& of, const analysis_settings& how, std::size_t longest) {
  if (how.sql == sql_shown::none) return {};
  std::string text = of.procedure;
  if (!of.statement.empty()) {
    if (!text.empty()) text += ": ";
    text += how.mask_literals ? tds::capture::without_literals(of.statement) : of.statement;
  }
  return tds::capture::on_one_line(text, how.sql == sql_shown::full ? 0 : longest);
}

}  // namespace wiregap
