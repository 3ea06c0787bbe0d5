// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace tds::tls {

/// What a person asks about a certificate.
struct certificate_summary {
  std::string subject{};  ///< "CN=sql1.example.com,O=Example" (as in RFC 2253, all but ASCII escaped)
  std::string issuer{};   ///< likewise; equal to the subject when it signed itself
  std::vector<std::string>
      names{};               ///< DNS names and addresses it is valid for; the common name when it has none
  std::string not_before{};  ///< "2026-01-31T12:00:00Z"
  std::string not_after{};   ///< likewise
  std::string key{};         ///< "RSA 2048", "EC prime256v1"
  std::string sha256{};      ///< fingerprint as `openssl x509 -fingerprint -sha256` prints it: "AB:CD:..."
};

}  // namespace tds::tls
