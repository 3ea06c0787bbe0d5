// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/tls/detail/openssl.hpp>

#include <string>

namespace tds::tls::detail {

using x509_store_ptr = std::unique_ptr<X509_STORE, release<&X509_STORE_free>>;

/// The roots of the system's store and those of `ca_file`, if one is named. Parsing the system's file takes
/// tens of milliseconds, so a program's connections share one store for as long as the files it came from
/// stay as they were. Any number of threads may ask. Errors: those of reading the file; bad_argument when it
/// holds no certificate.
result<x509_store_ptr> trust_store(const std::string& ca_file, std::string* details);

}  // namespace tds::tls::detail
