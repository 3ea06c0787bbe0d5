// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/capture/captured_connection.hpp>
#include <tds/capture/captured_exchange.hpp>
#include <tds/tls/key_log.hpp>
#include <wire/capture/streams.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tds::capture {

struct settings {
  /// Of a request's payload so much is kept to read its statement from; 0: no statements.
  std::size_t statement_bytes = 4096;
  /// The secrets of TLS sessions: what they open is read like what is in clear. Null: none; must outlive the
  /// analyzer.
  const tls::key_log* keys = nullptr;
};

/// What became of the connections of a capture.
struct analyzer_counts {
  std::uint64_t connections{};  ///< with TDS on them
  std::uint64_t strangers{};    ///< with another protocol, as far as their bytes tell
  std::uint64_t silent{};       ///< without any data
  std::uint64_t sybase{};       ///< TDS 5.0, which is left alone
};

/// Is told what was found; called from inside of the stream table's calls.
class audience {
 public:
  virtual ~audience() = default;
  /// An exchange is over, or its connection is.
  virtual void exchanged(const captured_connection& on, captured_exchange&& one) = 0;
  /// Nothing more of it comes.
  virtual void closed(const captured_connection& on) = 0;
};

/// Finds TDS in the streams of a capture, on any port and by its shape, and tells requests and answers apart.
/// Memory is that of the connections that are open at once, and of the messages that they have begun.
class analyzer final : public wire::capture::stream_sink {
 public:
  /// `to` must outlive it.
  explicit analyzer(audience& to, const settings& how = {});
  ~analyzer() override;

  void on_open(wire::capture::connection& on) override;
  void on_data(wire::capture::connection& on, wire::capture::way from,
               const wire::capture::stream_piece& piece) override;
  void on_gap(wire::capture::connection& on, wire::capture::way from, std::uint64_t offset,
              std::uint64_t bytes, wire::clock::stamp when, bool cut) override;
  void on_retransmission(wire::capture::connection& on, wire::capture::way from, std::uint64_t begin,
                         std::uint64_t end, wire::clock::stamp when) override;
  void on_ack(wire::capture::connection& on, wire::capture::way of, std::uint64_t offset,
              wire::clock::stamp when, bool bare) override;
  void on_window(wire::capture::connection& on, wire::capture::way from, bool closed,
                 wire::clock::stamp when) override;
  void on_close(wire::capture::connection& on) override;

  const analyzer_counts& counts() const noexcept;

 private:
  class work;
  std::unique_ptr<work> work_;
};

}  // namespace tds::capture
