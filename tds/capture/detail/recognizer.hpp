// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/capture/detail/shape.hpp>
#include <tds/dissect/message.hpp>
#include <wire/capture/connection.hpp>
#include <wire/clock/stamp.hpp>

#include <cstdint>

namespace tds::capture::detail {

/// A place in what one end sent, and when it passed.
struct place {
  std::uint64_t offset{};
  wire::clock::stamp when{};
  bool begins_segment = false;
};

/// Bytes of one end, in order.
struct piece {
  bytes::byte_span bytes{};
  std::uint64_t offset{};  ///< of the first one, in what that end sent
  wire::clock::stamp when{};
  bool push = false;            ///< their segment had PSH
  bool begins_segment = false;  ///< the first one is its segment's
  bool ends_segment = false;    ///< the last one is its segment's

  piece behind(std::size_t used) const noexcept {
    auto rest = *this;
    rest.bytes = bytes.subspan(used);
    rest.offset += used;
    rest.begins_segment = begins_segment && used == 0;
    return rest;
  }
  detail::place place() const noexcept { return {offset, when, begins_segment}; }
};

piece piece_of(const wire::capture::stream_piece& of) noexcept;

/// What a connection turned out to be.
enum class verdict : std::uint8_t { undecided, tds, sybase, stranger };

/// Whether a connection is TDS, and which of its ends is the client.
class recognizer {
 public:
  using way = wire::capture::way;

  /// Looks at data of a connection that is not known to be TDS yet.
  verdict judge(const wire::capture::connection& on, way from, const piece& next);

  verdict judged() const noexcept { return verdict_; }
  way client() const noexcept { return client_; }
  dissect::sender sender_of(way from) const noexcept {
    return from == client_ ? dissect::sender::client : dissect::sender::server;
  }
  /// It was found in the middle of a conversation.
  bool in_the_middle() const noexcept { return in_the_middle_; }
  /// TLS came first, as in TDS 8.0, or there was nothing but TLS.
  bool tls_first() const noexcept { return tls_first_; }

 private:
  verdict judge_start(const wire::capture::connection& on, way from, const piece& next);
  verdict judge_middle(const wire::capture::connection& on, way from, const piece& next);

  verdict verdict_{};
  way client_ = way::forward;
  bool in_the_middle_ = false, tls_first_ = false;
  std::uint32_t strange_ = 0;  // segments without any shape
};

}  // namespace tds::capture::detail
