// SPDX-License-Identifier: BSL-1.0
// Private to tds/tls: the only headers of tds that see OpenSSL.
#pragma once

#include <tds/bytes/error.hpp>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tds::tls::detail {

template <auto Free>
struct release {
  template <class T>
  void operator()(T* object) const noexcept {
    Free(object);
  }
};

using bio_ptr = std::unique_ptr<BIO, release<&BIO_free>>;
using pkey_ptr = std::unique_ptr<EVP_PKEY, release<&EVP_PKEY_free>>;
using ssl_ptr = std::unique_ptr<SSL, release<&SSL_free>>;
using ssl_ctx_ptr = std::unique_ptr<SSL_CTX, release<&SSL_CTX_free>>;
using x509_ptr = std::unique_ptr<X509, release<&X509_free>>;
using octets_ptr = std::unique_ptr<ASN1_OCTET_STRING, release<&ASN1_OCTET_STRING_free>>;

/// What OpenSSL's error queue says, oldest first and joined by "; ". Empties the queue.
std::string take_errors();

/// The whole of a small file (at most 16 MiB, else bad_argument). Errors of the operating system come as they
/// are; `details` receives the name and the reason.
result<std::string> read_file(const std::string& path, std::string* details);

/// All certificates of a PEM text, in its order; none when it holds none.
std::vector<x509_ptr> read_certificates(std::string_view pem);
/// One certificate, PEM or DER.
x509_ptr read_certificate(std::string_view pem_or_der);
pkey_ptr read_private_key(std::string_view pem);

std::string to_pem(X509* certificate);
std::string to_der(X509* certificate);

/// The bytes of an IPv4 or IPv6 address in its text form, else null.
octets_ptr parse_address(const std::string& text);

/// The bytes of a memory BIO as text.
std::string text_of(BIO* memory);

/// `text` with everything but printable ASCII replaced, for what a peer wrote and a terminal shows.
std::string printable(std::string_view text);

inline void say(std::string* details, std::string text) {
  if (details != nullptr) *details = std::move(text);
}

}  // namespace tds::tls::detail
