// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/relay_tap.hpp>
#include <tds/bytes/writer.hpp>
#include <tds/dissect/live_dissector.hpp>
#include <wire/stats/histogram.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace wiregap {

class relay_capture;

/// A message that a relay has carried, decoded.
struct relayed_message {
  std::uint64_t connection{};
  const tds::dissect::live_message& message;
  /// Of the first message of an answer: from the request's last byte handed on to the answer's first byte
  /// read.
  std::optional<std::chrono::nanoseconds> gap{};
};

/// What was seen of all connections.
struct relay_counts {
  std::uint64_t connections{};
  std::uint64_t requests{};  ///< SQL batch, RPC, bulk load, transaction manager
  std::uint64_t answers{};   ///< to those
  std::uint64_t client_bytes{}, server_bytes{};
  std::uint64_t decode_errors{};  ///< messages that did not decode, and directions that are no TDS
  std::uint64_t overruns{};  ///< connections that were decoded no further: too much waited to be looked at
  wire::stats::histogram gaps{};  ///< of the answers
};

/// Looks at what a relay carries on a thread of its own, so that looking delays nothing: the relay only
/// leaves a copy. When copies of more than `most_waiting` bytes wait, further ones are dropped and their
/// connections decoded no further; the relay goes on.
class relay_watch final : public relay_tap {
 public:
  /// What is done with the messages; called on the watch's thread.
  class audience {
   public:
    virtual ~audience() = default;
    virtual void opened(std::uint64_t, const endpoint& /*client*/, const endpoint& /*server*/, stamp) {}
    virtual void seen(const relayed_message&) {}
    /// A direction is no TDS, or no more; too much waited; or the server could not be reached.
    virtual void lost(std::uint64_t, const std::string& /*why*/) {}
    virtual void closed(std::uint64_t, bool /*reset*/, stamp) {}
  };

  struct settings {
    /// Gets all bytes as well; must outlive the watch. Where the dissector sees a secret it gets zeros.
    relay_capture* capture = nullptr;
    bool show_secrets = false;  ///< to the capture
    std::size_t most_waiting = 256U << 20U;
  };

  /// `to` must outlive it.
  relay_watch(audience& to, const settings& how);
  ~relay_watch() override;

  void opened(std::uint64_t connection, const endpoint& client, const endpoint& server, stamp when) override;
  void problem(std::uint64_t connection, const std::string& why, stamp when) override;
  void carried(std::uint64_t connection, sender from, std::span<const std::uint8_t> bytes, stamp read,
               stamp written) override;
  void ended(std::uint64_t connection, sender from, stamp when) override;
  void closed(std::uint64_t connection, bool reset, stamp when) override;

  /// Looks at all that waits, and stops; what comes afterwards is not looked at.
  void finish();
  /// Of a watch that is finished.
  const relay_counts& counts() const noexcept { return counts_; }

 private:
  enum class happening : std::uint8_t { opened, problem, carried, overrun, ended, closed };
  struct item {
    happening what{};
    std::uint64_t connection{};
    sender from{};
    bool reset{};
    stamp read{}, written{};
    tds::bytes::buffer bytes{};
    endpoint client{}, server{};
    std::string why{};
  };
  struct conversation;

  void leave(item&& one);
  void run();
  void look_at(item& one);
  void look_at_bytes(conversation& of, item& one);
  void capture_bytes(conversation& of, item& one);
  void release(conversation& of, std::uint64_t connection, sender from);
  void on_message(conversation& of, std::uint64_t connection, const tds::dissect::live_message& message);
  void say_if_broken(conversation& of, std::uint64_t connection, sender from);

  audience& to_;
  settings how_;

  std::mutex mutex_;
  std::condition_variable something_;
  std::deque<item> waiting_;
  std::size_t waiting_bytes_ = 0;
  bool finishing_ = false;

  // Of the thread.
  std::map<std::uint64_t, std::unique_ptr<conversation>> conversations_;
  relay_counts counts_;
  std::thread thread_;
};

}  // namespace wiregap
