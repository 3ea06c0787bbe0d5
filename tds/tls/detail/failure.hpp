// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/ucs2.hpp>
#include <tds/tls/detail/verify.hpp>

#include <string>

namespace tds::tls::detail {

/// An error and what a person is told about it.
struct failure {
  error_code error{};
  std::string reason{};
};

/// Whether a peer that began with these bytes speaks no TLS, so that waiting for the rest of a record is in
/// vain.
bool is_not_tls(bytes::byte_span opening) noexcept;

/// Why a handshake failed: the verdict on the certificate, the peer's alert, or OpenSSL's error queue, which
/// is emptied. `opening` are the first bytes that the peer sent (the engine keeps 64): a peer that does not
/// speak TLS at all is recognised by them.
failure explain_handshake(const verdict& found, bytes::byte_span opening);

/// Why reading or writing failed after the handshake. Empties the error queue.
failure explain_stream();

}  // namespace tds::tls::detail
