// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/tls/detail/context.hpp>

#include <string>
#include <vector>

namespace tds::tls::detail {

/// One thing wrong with a certificate: OpenSSL's code, and whose (0: the peer's own, 1: its issuer's, ...).
struct fault {
  int code{};
  int depth{};
  friend bool operator==(const fault&, const fault&) = default;
};

/// What the verification of one connection's peer found. An SSL carries its address as app data.
struct verdict {
  const context* settings{};
  std::string wanted_name{};  ///< for the explanation
  x509_ptr leaf{};            ///< the peer's certificate; OpenSSL forgets a refused one
  std::vector<fault> faults{};
  error_code error{};    ///< set when the certificate was refused
  std::string reason{};  ///< all that is wrong with it, for a person
};

/// Verifies a server's certificate against the context's options (SSL_CTX_set_cert_verify_callback). Looks
/// for all faults, not only the first: a person who mends one should not meet the next one a day later.
int verify_certificate(X509_STORE_CTX* store, void* unused);

}  // namespace tds::tls::detail
