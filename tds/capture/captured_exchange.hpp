// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/capture/request_kind.hpp>
#include <wire/exchange/exchange.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tds::capture {

/// Whether a client took its request back (MS-TDS 2.2.1.7).
enum class attention : std::uint8_t {
  none,
  sent,          ///< and no DONE with ATTN is in the file
  acknowledged,  ///< by a DONE with ATTN
};

/// Segments of one direction that belong to an exchange.
struct carried {
  std::uint32_t segments{};      ///< that brought its bytes, as they were captured
  std::uint32_t next_seq{};      ///< TCP's sequence number behind its last byte
  std::uint32_t sent_again{};    ///< segments
  std::uint32_t zero_windows{};  ///< times that its receiver had no room, while it was on its way
  std::uint32_t zero_probes{};   ///< of such a receiver
  /// Whether the segment with the last byte had PSH; nothing where the file lacks that byte.
  std::optional<bool> pushed{};
  bool lacks_bytes = false;  ///< the file lacks some of it; where the snap length cut it off, that is no lack
};

/// A request and its answer as a capture shows them: both ends' packets, at the point of capture.
///
/// Of `timing` these are known: `write_start` (first request byte), `write_done` and `request_sent` (last
/// one), `request_sent_again`, `request_acked`, `response_first_kernel` and `response_first_byte`,
/// `response_last_*` alike, `completed` (of one without an answer: the last packet of its connection); they
/// are of the clock of who captured, as nanoseconds since 1970.
struct captured_exchange {
  wire::exchange::exchange timing{};
  request_kind kind{};
  std::string procedure{};  ///< that an RPC calls
  std::string statement{};  ///< SQL text, UTF-8, as much as the settings say; nothing where it is encrypted
  carried request{}, response{};
  /// From the answer before to this request: the client's own time. Nothing for the first one of a
  /// connection, or of one that was sent before the answer came.
  std::optional<std::chrono::nanoseconds> think{};
  std::uint32_t in_flight = 1;  ///< requests without an answer when it was sent, itself included
  std::uint16_t smp_session{};  ///< SID, under MARS
  bool under_mars = false;
  capture::attention attention{};
  bool answered = false;                ///< a byte of its answer is in the file
  bool complete = false;                ///< and the last one, as far as can be told
  std::uint32_t error{};                ///< number of the first ERROR of the answer, 0 for none
  std::optional<std::uint64_t> rows{};  ///< that its last DONE with a count names
};

/// The gap: from the last request byte to the first response byte, at the point of capture.
constexpr std::optional<std::chrono::nanoseconds> gap(const captured_exchange& of) noexcept {
  return wire::clock::between(of.timing.write_done, of.timing.response_first_byte);
}

}  // namespace tds::capture
