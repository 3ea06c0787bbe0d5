// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/writer.hpp>
#include <tds/tls/key_log.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace tds::tls {

/// A TLS session that was recorded, decrypted with the secrets of a key log: TLS 1.2 with AES (GCM, CBC) and
/// ChaCha20, TLS 1.3 with all its ciphers. Give it the records of both ends in the order in which each sent
/// them.
class recorded_session {
 public:
  /// What a record was.
  enum class content : std::uint8_t {
    unreadable,  ///< no secrets, an unknown cipher, or it does not decrypt
    handshake,   ///< that, an alert or a change of ciphers: nothing of the application
    data,        ///< the application's
  };

  /// `keys` must outlive it.
  explicit recorded_session(const key_log& keys);
  ~recorded_session();
  recorded_session(recorded_session&&) noexcept;
  recorded_session& operator=(recorded_session&&) noexcept;

  /// The next whole record of an end, header included; `plain` receives what it holds when it is `data`.
  content read(bool from_client, bytes::byte_span record, bytes::buffer& plain);

  /// From the ClientHello on: whether the key log has this session.
  bool has_keys() const noexcept;

 private:
  class work;
  std::unique_ptr<work> work_;
};

}  // namespace tds::tls
