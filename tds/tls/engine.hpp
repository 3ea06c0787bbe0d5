// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/bytes/writer.hpp>
#include <tds/tls/certificate_summary.hpp>
#include <tds/tls/context.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tds::tls {

using bytes::byte_span;

enum class handshake_state : std::uint8_t {
  need_input,  ///< send what was put out, then come back with what the peer answers
  done,        ///< send what was put out; encrypt() and decrypt() work from now on
};

/// Where a handshake stands. `consumed` is all of the input while more is needed. When done, the bytes behind
/// `consumed` belong to what follows the handshake: give them to decrypt().
struct handshake_progress {
  handshake_state state{};
  std::size_t consumed{};
  friend bool operator==(const handshake_progress&, const handshake_progress&) = default;
};

enum class stream_state : std::uint8_t {
  open,
  closed,  ///< the peer sent close_notify: nothing it sends after it counts
};

/// What decrypt_record() did.
struct record_progress {
  stream_state state{};
  std::size_t consumed{};  ///< bytes of input taken; the others are untouched
  friend bool operator==(const record_progress&, const record_progress&) = default;
};

/// One end of one TLS connection: bytes in, bytes out, no socket. All output is appended to the caller's
/// buffers, so a buffer that keeps its capacity makes the steady state free of allocations of ours
/// (OpenSSL 3.0 makes two to four small ones for each record it writes and none for those it reads). One
/// thread at a time.
///
/// Any error of handshake(), encrypt() or decrypt() but bad_argument is final: the engine answers every later
/// call with the same error, and details() says what happened. Whatever was put out by then (an alert that
/// tells the peer why, see also take_pending()) is worth sending before the socket is closed.
///
/// A connection that encrypts only its login (MS-TDS 2.2.6.5: both said ENCRYPT_OFF) stops using its engine
/// after the first packet of LOGIN7 and sends no close_notify: the client after one encrypt(), the server
/// after decrypt_record() has yielded that packet. Destroying the engine says nothing to the peer.
class engine {
 public:
  /// `host` in place of the options' host; the certificate must name it unless host_name_in_certificate is
  /// set. Errors: bad_argument when there is no name to verify and the certificate is to be verified.
  static result<engine> client(const client_context& context, std::string_view host = {});
  static result<engine> server(const server_context& context);

  engine(engine&&) noexcept;
  engine& operator=(engine&&) noexcept;
  ~engine();

  /// A client starts with empty input. Errors of a client: certificate_untrusted, certificate_expired (or not
  /// valid yet), certificate_wrong_host, certificate_pin_mismatch, tls_not_tds8 (ALPN), strict_not_supported
  /// (strict, and the server answered with a TDS packet), not_tds (another service answered; see
  /// protocol/other_services.hpp), tls_handshake_failed for the rest.
  result<handshake_progress> handshake(byte_span input, bytes::buffer& output);

  /// Appends exactly one record for 1 to max_record_plaintext bytes; nothing for none. In front of it goes
  /// what the peer is still owed (take_pending()), which happens once in a blue moon. Errors: bad_argument
  /// above the limit, before the handshake is done or after close_notify().
  result<void> encrypt(byte_span plaintext, bytes::buffer& output);

  /// Takes all of `ciphertext`, whatever its split, and appends all plaintext that it completes. Errors:
  /// tls_failed (a damaged record, an alert from the peer); bad_argument before the handshake is done.
  result<stream_state> decrypt(byte_span ciphertext, bytes::buffer& plaintext);

  /// The same for at most one record with plaintext, leaving the bytes behind it alone: what a server needs
  /// when only the first packet of LOGIN7 is encrypted and clear packets follow it in the same read.
  result<record_progress> decrypt_record(byte_span ciphertext, bytes::buffer& plaintext);

  /// Tells the peer that no more is coming. The other direction stays open.
  result<void> close_notify(bytes::buffer& output);

  /// Moves out what the peer is owed beyond answers to calls: an alert after a failed decrypt(), the reply to
  /// a TLS 1.3 key update. May be called at any time; usually appends nothing.
  void take_pending(bytes::buffer& output);

  bool is_open() const noexcept;  ///< the handshake is done and nothing failed
  /// The peer sent close_notify. A connection that ends without it was cut, or belongs to a server that does
  /// not bother.
  bool received_close_notify() const noexcept;
  /// The bytes given so far end inside a record: a connection that ends here was cut.
  bool inside_record() const noexcept;

  /// For a person: why it failed; else version, cipher and certificate of what came up.
  std::string details() const;
  std::string_view protocol_version() const noexcept;  ///< "TLSv1.2"
  std::string_view cipher() const noexcept;            ///< "ECDHE-RSA-AES256-GCM-SHA384"
  std::string_view alpn() const noexcept;              ///< "tds/8.0", or empty when none was agreed on
  /// Of the peer's own certificate, also of a refused one; empty subject and fingerprint when it sent none.
  certificate_summary peer_certificate_summary() const;
  std::string peer_certificate_pem() const;  ///< what pinned_certificate_file takes; empty when there is none

 private:
  struct impl;
  explicit engine(std::unique_ptr<impl> state) noexcept;
  std::unique_ptr<impl> impl_;
};

}  // namespace tds::tls
