// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tds::tls {

enum class key_type : std::uint8_t {
  ec_p256,   ///< made in less than a millisecond
  rsa_2048,  ///< what SQL Server makes for itself; some 100 ms
  rsa_4096,  ///< a second or more
};

/// A new private key, PEM (PKCS #8, unencrypted).
result<std::string> make_private_key(key_type type);

/// What a certificate should say.
struct certificate_request {
  std::string common_name{"localhost"};
  /// DNS names and IP addresses, told apart by their form. None: the common name stands for itself.
  std::vector<std::string> subject_alt_names{};
  key_type key{key_type::ec_p256};
  /// A key to use in place of a new one (RSA keys are slow to make); `key` is then ignored.
  std::string private_key_pem{};
  int valid_from_days{-1};  ///< from now; positive: not valid yet
  int valid_to_days{365};   ///< from now; negative: expired
  bool authority{false};    ///< may sign other certificates
};

/// A certificate with its key. `certificate_pem` holds the certificate itself, then those of its issuers up
/// to, not including, the self-signed root: the form server_options takes.
struct identity {
  std::string certificate_pem{};
  std::string private_key_pem{};
};

/// A certificate that signs itself.
/// Errors of both: bad_argument, for dates, names and keys that OpenSSL refuses.
result<identity> make_self_signed(const certificate_request& request);

/// A certificate signed by `issuer` (which should be an authority).
result<identity> make_issued(const certificate_request& request, const identity& issuer);

}  // namespace tds::tls
