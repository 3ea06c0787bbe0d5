// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/tls/certificate_summary.hpp>
#include <tds/tls/detail/openssl.hpp>

#include <string>

namespace tds::tls::detail {

certificate_summary summarize(X509* certificate);

/// "CN=a,O=b"
std::string name_text(const X509_NAME* name);

}  // namespace tds::tls::detail
