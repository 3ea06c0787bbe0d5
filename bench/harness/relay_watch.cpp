// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/relay_capture.hpp>
#include <bench/harness/relay_watch.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace wiregap {

using tds::protocol::packet_type;

struct relay_watch::conversation {
  conversation(const tds::dissect::settings& how, tds::dissect::live_dissector::sink each)
      : dissector{how, std::move(each)} {}

  tds::dissect::live_dissector dissector;
  stamp request_written{};  // of a request without an answer yet
  stamp written{};          // of the bytes at hand
  std::array<bool, 2> said_broken{};
  bool overrun = false;
  bool logged_in = false;  // a request came

  /// What the capture has not got yet, of one sender: a message at hand may hold a secret.
  struct held_back {
    struct piece {
      tds::bytes::buffer bytes;
      std::uint64_t offset{};  // in what the sender sent
      stamp read{};
    };
    std::vector<piece> pieces;
    std::vector<std::uint64_t> secrets;  // offsets of single bytes
    std::uint64_t offset{};              // of what comes next
  };
  std::array<held_back, 2> held{};
};

namespace {

bool is_request(const tds::dissect::message& of) {
  return of.type == packet_type::sql_batch || of.type == packet_type::rpc ||
         of.type == packet_type::bulk_load || of.type == packet_type::transaction_manager_request;
}

bool may_hold_secret(packet_type of) {
  return of == packet_type::login7 || of == packet_type::sspi || of == packet_type::federated_auth_token ||
         of == packet_type::pre_tds7_login;
}

}  // namespace

relay_watch::relay_watch(audience& to, const settings& how)
    : to_{to}, how_{how}, thread_{[this] { run(); }} {}

relay_watch::~relay_watch() { finish(); }

void relay_watch::opened(std::uint64_t connection, const endpoint& client, const endpoint& server,
                         stamp when) {
  item one{happening::opened, connection};
  one.read = when;
  one.client = client;
  one.server = server;
  leave(std::move(one));
}

void relay_watch::problem(std::uint64_t connection, const std::string& why, stamp when) {
  item one{happening::problem, connection};
  one.read = when;
  one.why = why;
  leave(std::move(one));
}

void relay_watch::carried(std::uint64_t connection, sender from, std::span<const std::uint8_t> bytes,
                          stamp read, stamp written) {
  item one{happening::carried, connection, from};
  one.read = read;
  one.written = written;
  one.bytes.assign(bytes.begin(), bytes.end());
  leave(std::move(one));
}

void relay_watch::ended(std::uint64_t connection, sender from, stamp when) {
  item one{happening::ended, connection, from};
  one.read = when;
  leave(std::move(one));
}

void relay_watch::closed(std::uint64_t connection, bool reset, stamp when) {
  item one{happening::closed, connection, {}, reset};
  one.read = when;
  leave(std::move(one));
}

void relay_watch::leave(item&& one) {
  {
    const std::lock_guard lock{mutex_};
    if (finishing_) return;
    if (waiting_bytes_ + one.bytes.size() > how_.most_waiting) {
      one.what = happening::overrun;
      one.bytes = {};
    }
    waiting_bytes_ += one.bytes.size();
    waiting_.push_back(std::move(one));
  }
  something_.notify_one();
}

void relay_watch::finish() {
  {
    const std::lock_guard lock{mutex_};
    finishing_ = true;
  }
  something_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void relay_watch::run() {
  std::deque<item> taken;
  for (;;) {
    {
      std::unique_lock lock{mutex_};
      something_.wait(lock, [this] { return finishing_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      std::swap(taken, waiting_);
    }
    for (auto& one : taken) {
      look_at(one);
      const std::lock_guard lock{mutex_};
      waiting_bytes_ -= one.bytes.size();
    }
    taken.clear();
  }
}

void relay_watch::look_at(item& one) {
  if (one.what == happening::problem) return to_.lost(one.connection, one.why);
  auto& of = conversations_[one.connection];
  if (one.what == happening::opened) {
    ++counts_.connections;
    of = std::make_unique<conversation>(
        tds::dissect::settings{}, [this, id = one.connection](const tds::dissect::live_message& message) {
          on_message(*conversations_[id], id, message);
        });
    if (how_.capture != nullptr) how_.capture->opened(one.connection, one.client, one.server, one.read);
    return to_.opened(one.connection, one.client, one.server, one.read);
  }
  if (!of) {  // one that was opened when nothing was kept any more
    conversations_.erase(one.connection);
    return;
  }
  if (one.what == happening::carried) return look_at_bytes(*of, one);
  if (one.what == happening::overrun) {
    if (!std::exchange(of->overrun, true)) {
      ++counts_.overruns;
      to_.lost(one.connection, "too much waited to be looked at; it is decoded no further");
    }
    return;
  }
  if (!of->overrun) of->dissector.end(one.from);
  if (one.what == happening::closed && !of->overrun) of->dissector.end(sender::server);
  if (how_.capture != nullptr) {
    for (const auto from : {sender::client, sender::server}) release(*of, one.connection, from);
  }
  if (one.what == happening::ended) {
    if (how_.capture != nullptr && !of->overrun) how_.capture->ended(one.connection, one.from, one.read);
    return;
  }
  if (how_.capture != nullptr) how_.capture->closed(one.connection, one.reset, one.read);
  to_.closed(one.connection, one.reset, one.read);
  conversations_.erase(one.connection);
}

void relay_watch::look_at_bytes(conversation& of, item& one) {
  auto& bytes = one.from == sender::client ? counts_.client_bytes : counts_.server_bytes;
  bytes += one.bytes.size();
  if (of.overrun) return;
  of.written = one.written;
  of.dissector.feed(one.from, one.bytes, one.read);
  if (how_.capture != nullptr) capture_bytes(of, one);
  say_if_broken(of, one.connection, one.from);
}

// Only a login is held back, where client and server take turns: packets stay in their order.
void relay_watch::capture_bytes(conversation& of, item& one) {
  auto& held = of.held[static_cast<std::size_t>(one.from)];
  held.pieces.push_back({one.bytes, held.offset, one.read});
  held.offset += one.bytes.size();
  const auto at_hand = of.dissector.at_hand(one.from);
  const bool wait = at_hand && !of.dissector.broken(one.from) &&
                    (one.from == sender::client ? may_hold_secret(*at_hand) : !of.logged_in);
  if (!wait || how_.show_secrets) release(of, one.connection, one.from);
}

void relay_watch::release(conversation& of, std::uint64_t connection, sender from) {
  auto& held = of.held[static_cast<std::size_t>(from)];
  // A message that is none to its end may be anything.
  const auto at_hand = of.dissector.at_hand(from);
  const bool unread = at_hand && may_hold_secret(*at_hand) && of.dissector.broken(from);
  for (auto& piece : held.pieces) {
    if (unread && !how_.show_secrets) std::ranges::fill(piece.bytes, std::uint8_t{});
    for (const auto secret : held.secrets) {
      if (secret - piece.offset < piece.bytes.size()) piece.bytes[secret - piece.offset] = 0;
    }
    how_.capture->carried(connection, from, piece.bytes, piece.read);
  }
  held.pieces.clear();
  held.secrets.clear();
}

void relay_watch::on_message(conversation& of, std::uint64_t connection,
                             const tds::dissect::live_message& message) {
  relayed_message seen{connection, message, {}};
  if (message.found.error) ++counts_.decode_errors;
  if (how_.capture != nullptr && !how_.show_secrets) {
    auto& secrets = of.held[static_cast<std::size_t>(message.found.from)].secrets;
    for (const auto& field : message.found.fields) {
      for (std::size_t i = 0; field.secret && i < field.size; ++i) {
        secrets.push_back(message.stream_offset + message.found.stream_offset(field.offset + i));
      }
    }
  }
  if (message.found.from == sender::client) {
    if (is_request(message.found)) {
      ++counts_.requests;
      of.logged_in = true;
      of.request_written = of.written;
    }
  } else if (of.request_written.known() && message.found.type == packet_type::tabular_result) {
    ++counts_.answers;
    seen.gap = wire::clock::between(std::exchange(of.request_written, {}), message.first);
    if (seen.gap) counts_.gaps.record(*seen.gap);
  }
  to_.seen(seen);
}

void relay_watch::say_if_broken(conversation& of, std::uint64_t connection, sender from) {
  const auto& broken = of.dissector.broken(from);
  if (!broken || std::exchange(of.said_broken[static_cast<std::size_t>(from)], true)) return;
  ++counts_.decode_errors;
  to_.lost(connection, "what the " + std::string{name_of(from)} + " sends is no TDS" +
                           (broken->code == tds::errc::not_tds ? "" : " any more") + ": " +
                           broken->explain() + "; it is forwarded all the same");
}

}  // namespace wiregap
