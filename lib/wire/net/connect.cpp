// SPDX-License-Identifier: BSL-1.0
#include <wire/net/connect.hpp>
#include <wire/net/tcp_counters.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <algorithm>
#include <memory>

namespace wire::net {
namespace {

namespace asio = boost::asio;
using std::chrono::steady_clock;

/// Of several failures, the one worth telling: a refusal proves that the host is there, "network
/// unreachable" often says no more than that this machine has no IPv6.
int telling(error_code ec) noexcept {
  if (ec == asio::error::connection_refused) return 3;
  if (ec == asio::error::network_unreachable || ec == asio::error::address_family_not_supported) return 1;
  return 2;
}

/// The handler with what it will be called with.
struct completion_type {
  asio::any_completion_handler<connect_signature> handler;
  error_code ec;
  connected outcome;

  void operator()() { std::move(handler)(ec, std::move(outcome)); }
};

/// One call of async_connect. The pending wait on `deadline_timer_` owns it (there is one even without a
/// deadline): it dies with its io_context, or once it has completed. All its handlers run on `strand_`.
class connect_operation : public std::enable_shared_from_this<connect_operation> {
 public:
  using handler_type = asio::any_completion_handler<connect_signature>;

  connect_operation(asio::any_io_executor executor, std::string host, std::uint16_t port,
                    connect_options options, handler_type handler)
      : executor_{executor},
        strand_{std::move(executor)},
        handler_{std::move(handler)},
        handler_work_{asio::prefer(asio::get_associated_executor(handler_, executor_),
                                   asio::execution::outstanding_work.tracked)},
        host_{std::move(host)},
        port_{port},
        options_{std::move(options)},
        deadline_timer_{executor_},
        stagger_timer_{executor_} {}

  void start() {
    auto slot = asio::get_associated_cancellation_slot(handler_);
    if (slot.is_connected()) {
      slot.assign([weak = weak_from_this()](asio::cancellation_type) {
        const auto self = weak.lock();
        if (!self) return;
        asio::post(self->strand_, [self] { self->finish(asio::error::operation_aborted); });
      });
    }
    asio::post(strand_, [self = shared_from_this()] { self->begin(); });
  }

 private:
  struct attempt {
    tcp_stream::socket_type socket;
    steady_clock::time_point started;
    bool pending = true;
  };

  void begin() {
    if (done_) return;
    deadline_timer_.expires_at(options_.deadline);
    deadline_timer_.async_wait(asio::bind_executor(strand_, [self = shared_from_this()](error_code ec) {
      if (!ec) self->finish(asio::error::timed_out);
    }));
    if (passed(options_.deadline)) return finish(asio::error::timed_out);
    if (const auto literal = address_literal(host_, port_)) {
      candidates_ = {*literal};
      return begin_attempts();
    }
    if (host_.empty()) return finish(asio::error::host_not_found);
    lookup_ = background_lookup{options_.resolver, host_, port_,
                                [weak = weak_from_this(), strand = strand_, started = steady_clock::now()](
                                    error_code ec, std::vector<endpoint> found) {
                                  const auto took = steady_clock::now() - started;
                                  asio::post(strand, [weak, ec, took, found = std::move(found)] {
                                    if (const auto self = weak.lock()) self->on_resolved(ec, took, found);
                                  });
                                }};
  }

  void on_resolved(error_code ec, nanoseconds took, const std::vector<endpoint>& found) {
    if (done_) return;
    timing_.resolve = took;
    if (ec) return finish(ec);
    candidates_ = interleave_families(found);
    begin_attempts();
  }

  void begin_attempts() {
    first_attempt_ = steady_clock::now();
    attempts_.reserve(candidates_.size());
    timing_.attempts.reserve(candidates_.size());
    start_next();
  }

  /// Starts the next address that can be started; with none left and none under way, all have failed.
  void start_next() {
    while (next_ < candidates_.size()) {
      if (!launch(candidates_[next_++])) continue;
      if (options_.stagger > std::chrono::milliseconds::zero()) return wait_for_turn();
    }
    if (pending_ == 0) finish(most_telling());
  }

  void wait_for_turn() {
    if (next_ == candidates_.size()) return;
    stagger_timer_.expires_after(options_.stagger);
    stagger_timer_.async_wait(asio::bind_executor(strand_, [self = shared_from_this()](error_code ec) {
      if (!ec && !self->done_) self->start_next();
    }));
  }

  bool launch(const endpoint& to) {
    const auto index = attempts_.size();
    attempts_.push_back({tcp_stream::socket_type{executor_}, steady_clock::now()});
    timing_.attempts.push_back({to, {}, {}, attempts_.back().started - first_attempt_, {}});
    auto& socket = attempts_.back().socket;
    error_code ec;
    socket.open(to.protocol(), ec);
    if (ec) {
      conclude(index, ec);
      return false;
    }
    ++pending_;
    socket.async_connect(to,
                         asio::bind_executor(strand_, [self = shared_from_this(), index](error_code failure) {
                           self->on_connected(index, failure);
                         }));
    return true;
  }

  void on_connected(std::size_t index, error_code ec) {
    if (done_) return;
    --pending_;
    auto& socket = attempts_[index].socket;
    error_code ignored;
    // A port of this machine that nobody listens on can, by chance, become the local port of the attempt
    // itself, and TCP then connects the socket to itself.
    if (!ec && socket.local_endpoint(ignored) == socket.remote_endpoint(ignored)) {
      ec = asio::error::connection_refused;
    }
    conclude(index, ec);
    if (!ec) {
      timing_.tcp_connect = steady_clock::now() - first_attempt_;
      return finish({}, tcp_stream{std::move(socket)});
    }
    socket.close(ignored);
    start_next();
  }

  void conclude(std::size_t index, error_code ec) {
    attempts_[index].pending = false;
    auto& tried = timing_.attempts[index];
    tried.error = ec;
    tried.duration = steady_clock::now() - attempts_[index].started;
    auto& socket = attempts_[index].socket;
    if (socket.is_open()) {
      tried.syns_again = syns_sent_again(static_cast<std::uintptr_t>(socket.native_handle()));
    }
  }

  error_code most_telling() const {
    error_code best = asio::error::host_not_found;
    int rank = 0;
    for (const auto& tried : timing_.attempts) {
      if (telling(tried.error) > rank) {
        rank = telling(tried.error);
        best = tried.error;
      }
    }
    return best;
  }

  void finish(error_code ec) { finish(ec, tcp_stream{executor_}); }

  void finish(error_code ec, tcp_stream stream) {
    if (done_) return;
    done_ = true;
    lookup_.abandon();
    for (std::size_t i = 0; i < attempts_.size(); ++i) {
      if (attempts_[i].pending) conclude(i, asio::error::operation_aborted);
      error_code ignored;
      attempts_[i].socket.close(ignored);
    }
    stagger_timer_.cancel();
    deadline_timer_.cancel();
    auto slot = asio::get_associated_cancellation_slot(handler_);
    if (slot.is_connected()) slot.clear();
    // Out of the strand first, so that what the caller does next does not run inside it.
    asio::post(executor_, [work = std::move(handler_work_),
                           executor = asio::get_associated_executor(handler_, executor_),
                           completion = completion_type{
                               std::move(handler_), ec, {std::move(stream), std::move(timing_)}}]() mutable {
      asio::dispatch(executor, std::move(completion));
    });
  }

  asio::any_io_executor executor_;
  asio::strand<asio::any_io_executor> strand_;
  handler_type handler_;
  asio::executor_work_guard<asio::any_completion_executor> handler_work_;
  std::string host_;
  std::uint16_t port_;
  connect_options options_;
  asio::steady_timer deadline_timer_;
  asio::steady_timer stagger_timer_;
  background_lookup lookup_;
  std::vector<endpoint> candidates_;
  std::size_t next_ = 0;
  std::vector<attempt> attempts_;
  std::size_t pending_ = 0;
  steady_clock::time_point first_attempt_{};
  connect_timing timing_;
  bool done_ = false;
};

}  // namespace

void start_connect(asio::any_io_executor executor, std::string host, std::uint16_t port,
                   connect_options options, asio::any_completion_handler<connect_signature> handler) {
  std::make_shared<connect_operation>(std::move(executor), std::move(host), port, std::move(options),
                                      std::move(handler))
      ->start();
}

}  // namespace wire::net
