// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/server/answer.hpp>
#include <tds/session/server_session.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tds::serving {

/// Gives an answer, as much of it at a time as the socket takes.
class answer_runner {
 public:
  enum class progress : std::uint8_t {
    more,    ///< `room` is used up, or what there is should go out: write it and come back
    paused,  ///< nothing for pause()
    over,
    close,   ///< the connection ends here
    silent,  ///< nothing more, ever
  };

  /// `plan` must be finished and stay until over.
  void start(const answer& plan) noexcept;
  /// Appends about `room` bytes of tokens to the session's answer.
  progress produce(session::server_session& to, std::size_t room);
  std::chrono::nanoseconds pause() const noexcept { return pause_; }
  /// The client has given up: produce() comes to `over` behind the token under way.
  void stop() noexcept;

 private:
  bool produce_rows(session::server_session& to, std::size_t room);

  const answer* plan_ = nullptr;
  std::size_t step_ = 0;
  bool stopped_ = false;
  std::unique_ptr<row_source> rows_;
  std::chrono::nanoseconds pause_{};
  bytes::buffer scratch_;
};

}  // namespace tds::serving
