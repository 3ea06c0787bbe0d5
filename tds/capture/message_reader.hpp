// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/dissect/live_dissector.hpp>
#include <tds/tls/key_log.hpp>
#include <wire/capture/streams.hpp>

#include <cstdint>
#include <functional>

namespace tds::capture {

/// A message of a captured connection, taken apart.
struct captured_message {
  std::uint64_t connection{};  ///< as wire::capture counts them
  const wire::capture::end_point& client;
  const wire::capture::end_point& server;
  const dissect::live_message& message;
};

/// Takes the TDS messages of the streams of a capture apart, field by field: on any port, found by its shape.
/// Where the file lacks bytes a message ends with its error, and decoding goes on with the next one that
/// begins with a segment.
class message_reader final : public wire::capture::stream_sink {
 public:
  using sink = std::function<void(const captured_message&)>;

  /// `keys`: the secrets of TLS sessions; what they open is taken apart in place of its records. Null: none;
  /// must outlive it.
  message_reader(const dissect::settings& how, sink each, const tls::key_log* keys = nullptr);
  ~message_reader() override;

  void on_data(wire::capture::connection& on, wire::capture::way from,
               const wire::capture::stream_piece& piece) override;
  void on_gap(wire::capture::connection& on, wire::capture::way from, std::uint64_t offset,
              std::uint64_t bytes, wire::clock::stamp when, bool cut) override;
  void on_close(wire::capture::connection& on) override;

  /// Connections with TDS so far.
  std::uint64_t connections() const noexcept { return connections_; }

 private:
  class talk;
  talk* of(const wire::capture::connection& on) const noexcept;

  dissect::settings how_;
  sink each_;
  const tls::key_log* keys_;
  std::uint64_t connections_ = 0;
};

}  // namespace tds::capture
