// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/relayed_connection.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace wiregap {

namespace asio = boost::asio;
using boost::system::error_code;
using tds::io_progress;
using wire::clock::stamp;

namespace {

constexpr auto awaited = asio::as_tuple(asio::use_awaitable);

}  // namespace

relayed_connection::relayed_connection(std::uint64_t id, wire::net::tcp_stream client,
                                       wire::net::tcp_stream server, const relay_options& options)
    : id_{id},
      sides_{tds::channel{std::move(client)}, tds::channel{std::move(server)}},
      options_{options},
      patience_{side(sender::client).stream().get_executor()} {
  if (options.faults != nullptr) faults_.emplace(*options.faults);
}

void relayed_connection::begin() {
  if (options_.tap != nullptr) {
    options_.tap->opened(id_, side(sender::client).stream().remote_endpoint(),
                         side(sender::server).stream().remote_endpoint(), stamp::now());
  }
  if (options_.tls == nullptr) return carry_both();
  asio::co_spawn(
      patience_.get_executor(), [self = shared_from_this()] { return self->negotiate(); }, asio::detached);
}

void relayed_connection::carry_both() {
  for (const auto from : {sender::client, sender::server}) {
    asio::co_spawn(
        patience_.get_executor(), [self = shared_from_this(), from] { return self->carry(from); },
        asio::detached);
  }
}

relayed_connection::nothing relayed_connection::carry(sender from) {
  auto& in = side(from);
  while (!over_) {
    const auto got = in.try_read();
    if (got == io_progress::failed) {
      end(from, in.error());
      co_return;
    }
    if (got != io_progress::done) {
      co_await wait(in, got);
      continue;
    }
    const auto read = stamp::now();
    bool whole = false;
    if (faults_) {
      whole = co_await carry_with_faults(from);
    } else {
      whole = co_await write(other(from), in.received());
    }
    if (over_) co_return;
    if (!whole) {
      end(from, other(from).error());
      co_return;
    }
    if (options_.tap != nullptr) options_.tap->carried(id_, from, in.received(), read, stamp::now());
  }
}

relayed_connection::nothing relayed_connection::wait(tds::channel& on, io_progress for_what) {
  if (for_what == io_progress::want_read) {
    co_await on.stream().async_wait_readable(awaited);
  } else {
    co_await on.stream().async_wait_writable(awaited);
  }
}

// False when it could not be written.
relayed_connection::success relayed_connection::write(tds::channel& to, tds::bytes::byte_span bytes) {
  to.queue_raw(bytes);
  for (;;) {
    const auto progress = to.flush();
    if (progress == io_progress::done) co_return true;
    if (progress == io_progress::failed || over_) co_return false;
    co_await wait(to, progress);
  }
}

relayed_connection::success relayed_connection::carry_with_faults(sender from) {
  auto left = side(from).received();
  if (from == sender::client) {
    co_await pause(faults_->request(left));
    const bool written = co_await write(other(from), left);
    co_return written;
  }
  while (!left.empty() && !over_) {
    const auto step = faults_->answer(left);
    co_await pause(step.wait);
    if (over_) co_return false;
    if (step.cut) {  // the server seems to have gone, orderly
      close(false);
      co_return false;
    }
    const bool written = co_await write(other(from), left.first(step.bytes));
    if (!written) co_return false;
    left = left.subspan(step.bytes);
  }
  co_return true;
}

relayed_connection::nothing relayed_connection::pause(std::chrono::nanoseconds length) {
  if (length.count() <= 0) co_return;
  asio::steady_timer timer{patience_.get_executor(), length};
  co_await timer.async_wait(awaited);
}

// The end of one direction is passed on; anything else ends both, without a lingering word.
void relayed_connection::end(sender from, const error_code& why) {
  if (over_) return;
  if (why != asio::error::eof) return close(true);
  static_cast<void>(other(from).stream().shutdown_send());
  if (options_.tap != nullptr) options_.tap->ended(id_, from, stamp::now());
  if (++ended_ == 2) close(false);
}

void relayed_connection::close(bool reset) {
  over_ = true;
  for (auto& one : sides_) reset ? one.stream().reset() : one.stream().close();
  if (options_.tap != nullptr) options_.tap->closed(id_, reset || ended_ < 2, stamp::now());
}

}  // namespace wiregap
