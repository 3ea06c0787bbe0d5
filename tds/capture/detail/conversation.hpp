// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/writer.hpp>
#include <tds/capture/captured_connection.hpp>
#include <tds/capture/detail/answer_reader.hpp>
#include <tds/capture/detail/exchange_line.hpp>
#include <tds/capture/detail/recognizer.hpp>
#include <tds/dissect/message.hpp>
#include <tds/protocol/packet_joiner.hpp>
#include <tds/protocol/tls_record.hpp>
#include <tds/tls/recorded_session.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace tds::capture::detail {

/// What all conversations of a run share.
struct surroundings {
  answer_reader reader{};
  std::size_t statement_bytes{};  ///< of a request's payload that are kept
  const tls::key_log* keys{};     ///< null: what is encrypted stays so
  exchange_line::sink out{};
};

/// Both directions of one session as requests and answers: packets in clear, TLS records by their direction,
/// and either of them found again behind what the file lacks.
class conversation {
 public:
  /// All must outlive it. `smp_session`: the number of its session under MARS.
  conversation(captured_connection& on, dialect& speaks, surroundings& with,
               std::optional<std::uint16_t> smp_session = {}) noexcept
      : on_(on), speaks_(speaks), with_(with), smp_session_(smp_session) {}

  /// The capture began in its middle: the first bytes of a direction need not begin a message.
  void begin_in_the_middle() noexcept;
  void feed(dissect::sender from, piece next);
  /// `bytes` from there are not in the file. `cut`: they were there, and the snap length cut them off.
  void gap(dissect::sender from, std::uint64_t bytes, place at, bool cut);
  void finish(wire::clock::stamp last);

  exchange_line& line() noexcept { return line_; }
  const exchange_line& line() const noexcept { return line_; }
  /// Neither end has sent a whole header of TDS yet, and one sent what is none.
  bool is_no_tds() const noexcept { return no_tds_; }
  /// That end stands between two messages, or looks for one.
  bool is_between_messages(dissect::sender from) const noexcept;

 private:
  enum class mode : std::uint8_t {
    packets,  ///< TDS, or between two messages, where a TLS record may come too
    record,   ///< inside of a TLS record
    lost,     ///< looking for a beginning
  };

  struct side {
    mode how{};
    bool seen = false;        // a whole header of a packet or record came
    bool in_message = false;  // and the message's end did not
    bool hole = false;        // the file lacks some of its payload
    bool resumed = false;     // it was found behind what the file lacks
    bool aside = false;       // it is no request and no answer
    bool sealed = false;      // the record at hand is to be decrypted
    bool opened = false;      // one was
    bool in_clear = true;     // the packet at hand was not encrypted
    std::uint8_t record_fill{};
    std::array<std::uint8_t, protocol::tls_record_header_size> record_header{};
    std::uint32_t left{};          // of the payload of the packet or record at hand
    std::uint32_t header_bytes{};  // of a packet's header that is not whole yet
    place begin{};                 // of the message at hand
    std::uint64_t payload{};       // of it so far
    protocol::packet_joiner joiner{};
    bytes::buffer kept{};    // its first bytes
    bytes::buffer record{};  // at hand, as far as it came, where there are keys
    bytes::buffer tail{};    // and the last ones, where not all are kept
  };
  side& at(dissect::sender from) noexcept { return sides_[static_cast<std::size_t>(from)]; }
  push_ledger& pushes(dissect::sender from) noexcept {
    return from == dissect::sender::client ? on_.client_push : on_.server_push;
  }

  // What came: conversation.cpp.
  std::size_t take(dissect::sender from, const piece& next);
  std::size_t take_packets(dissect::sender from, const piece& next);
  std::size_t take_record(dissect::sender from, const piece& next);
  std::size_t find_beginning(dissect::sender from, const piece& next);
  void end_packet(dissect::sender from, const piece& in, std::size_t end, bool last);
  void lose(dissect::sender from);
  bool has_keys() const noexcept { return tls_ && tls_->has_keys(); }

  // What the key log opens: conversation_tls.cpp.
  void begin_sealed(dissect::sender from, protocol::tls_content type);
  void keep_record(dissect::sender from, bytes::byte_span bytes);
  void open_record(dissect::sender from, const piece& in, std::size_t end);
  void feed_opened(dissect::sender from, const piece& in, std::size_t end);
  void read_wrapped(dissect::sender from, bytes::byte_span records);

  // What it means: conversation_messages.cpp.
  void begin_message(dissect::sender from, const protocol::packet_header& header);
  void begin_request(request_kind kind, place at);
  void begin_client_message(side& of, const protocol::packet_header& header);
  void keep_payload(dissect::sender from, bytes::byte_span payload);
  void add_bytes(dissect::sender from, std::uint64_t bytes, place at);
  void end_message(dissect::sender from, bytes::byte_span payload, const piece& in);
  void end_answer(side& of, bytes::byte_span payload, std::optional<bool> pushed);
  void begin_record(dissect::sender from, protocol::tls_content type, std::size_t length);
  void client_record(side& of, protocol::tls_content type, std::size_t length);
  void server_record(const side& of, protocol::tls_content type);

  captured_connection& on_;
  dialect& speaks_;
  surroundings& with_;
  std::optional<std::uint16_t> smp_session_;
  exchange_line line_{};
  std::array<side, 2> sides_{};
  std::unique_ptr<tls::recorded_session> tls_{};
  bytes::buffer plain_{};
  bool feeding_opened_ = false;
  bool no_tds_ = false;
  bool handshake_seen_ = false;   // of TLS
  bool encrypted_login_ = false;  // data came behind it
};

}  // namespace tds::capture::detail
