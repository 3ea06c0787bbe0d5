// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/detail/session.hpp>

namespace tds::capture::detail {
namespace {

// Delayed ACKs take 40 ms on Linux and up to 200 ms on Windows.
constexpr std::chrono::nanoseconds least_delay = std::chrono::milliseconds{35};
constexpr std::chrono::nanoseconds most_delay = std::chrono::milliseconds{260};

}  // namespace

session::session(const wire::capture::connection& on, surroundings& with)
    : with_(with), talk_(facts_, speaks_, with) {
  facts_.id = on.id;
  refresh(on);
}

void session::refresh(const wire::capture::connection& on) {
  facts_.client = on.ends[index(who_.client())];
  facts_.server = on.ends[index(opposite(who_.client()))];
  facts_.began = on.began;
  facts_.last = on.last;
  facts_.from_start = on.from_start;
  facts_.reset = on.reset;
  facts_.from_client = on.of(who_.client());
  facts_.from_server = on.of(opposite(who_.client()));
  facts_.version = speaks_.version;
  facts_.version_is_known = speaks_.is_known;
  facts_.answers_alone = talk_.line().answers_alone();
}

void session::feed(way from, const piece& next) {
  const auto who = sender_of(from);
  last_data_[index(from)] = {next.offset + next.bytes.size(), next.when};
  if (!sessions_ && talk_.is_between_messages(who) && is_smp_header(next.bytes)) {
    sessions_ = std::make_unique<smp_sessions>(facts_, speaks_, with_);
    facts_.mars = true;
  }
  if (sessions_) {
    sessions_->feed(who, next);
  } else {
    talk_.feed(who, next);
  }
}

void session::gap(way from, std::uint64_t bytes, place at, bool cut) {
  if (sessions_) {
    sessions_->gap(sender_of(from), bytes, at, cut);
  } else {
    talk_.gap(sender_of(from), bytes, at, cut);
  }
}

void session::sent_again(way from, std::uint64_t begin, std::uint64_t end, wire::clock::stamp when) {
  const bool request = sender_of(from) == dissect::sender::client;
  if (!sessions_) return talk_.line().sent_again(request, begin, end, when);
  sessions_->for_each_line([&](exchange_line& line) {
    if (line.owns(request, begin, end)) line.sent_again(request, begin, end, when);
  });
}

void session::count_delayed(way of, std::uint64_t offset, wire::clock::stamp when) {
  const auto& last = last_data_[index(of)];
  const auto waited = wire::clock::between(last.when, when);
  if (offset != last.offset || !waited || *waited < least_delay || *waited > most_delay) return;
  ++(sender_of(of) == dissect::sender::client ? facts_.server_delayed_acks : facts_.client_delayed_acks);
}

void session::acknowledged(way of, std::uint64_t offset, wire::clock::stamp when, bool bare) {
  if (bare) count_delayed(of, offset, when);
  if (sender_of(of) != dissect::sender::client) return;
  talk_.line().acknowledged_request(offset, when);
  if (sessions_) {
    sessions_->for_each_line([&](exchange_line& line) { line.acknowledged_request(offset, when); });
  }
}

void session::zero_window(way from) {
  const bool server = sender_of(from) == dissect::sender::server;
  talk_.line().zero_window(server);
  if (sessions_) sessions_->for_each_line([&](exchange_line& line) { line.zero_window(server); });
}

void session::finish(wire::clock::stamp last) {
  talk_.finish(last);
  if (sessions_) sessions_->finish(last);
}

verdict session::judge(const wire::capture::connection& on, way from, const piece& next) {
  const auto found = who_.judge(on, from, next);
  if (who_.in_the_middle()) talk_.begin_in_the_middle();
  if (who_.tls_first()) facts_.encryption = who_.in_the_middle() ? encryption::full : encryption::strict;
  if (found == verdict::tds) refresh(on);
  return found;
}

}  // namespace tds::capture::detail
