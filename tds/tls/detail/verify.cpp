// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/detail/summary.hpp>
#include <tds/tls/detail/verify.hpp>

#include <algorithm>
#include <vector>

namespace tds::tls::detail {

namespace {

verdict* verdict_of(X509_STORE_CTX* store) {
  auto* ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  return ssl != nullptr ? static_cast<verdict*>(SSL_get_app_data(ssl)) : nullptr;
}

// Lets the verification go on after a fault; verify_certificate() refuses for any fault that was noted.
int collect_fault(int ok, X509_STORE_CTX* store) noexcept {
  if (ok == 1) return 1;
  try {
    verdict* found = verdict_of(store);
    if (found == nullptr) return 0;
    const fault now{X509_STORE_CTX_get_error(store), X509_STORE_CTX_get_error_depth(store)};
    if (std::find(found->faults.begin(), found->faults.end(), now) == found->faults.end()) {
      found->faults.push_back(now);
    }
    return 1;
  } catch (...) {
    return 0;
  }
}

errc errc_of(int code) noexcept {
  switch (code) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return errc::certificate_expired;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return errc::certificate_wrong_host;
    default:
      return errc::certificate_untrusted;
  }
}

// A certificate nobody vouches for says nothing with its dates or names, so distrust comes first.
int weight(const fault& f) noexcept {
  switch (errc_of(f.code)) {
    case errc::certificate_untrusted:
      return 0;
    case errc::certificate_expired:
      return 1;
    default:
      return 2;
  }
}

std::string joined(const std::vector<std::string>& names) {
  if (names.empty()) return "no name";
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text.append(i == 0 ? "" : ", ").append(names[i]);
  if (names.size() > most) text.append(" and ").append(std::to_string(names.size() - most)).append(" more");
  return text;
}

std::string explain(const fault& f, X509_STORE_CTX* store, const verdict& found) {
  std::string text{X509_verify_cert_error_string(f.code)};
  const STACK_OF(X509)* chain = X509_STORE_CTX_get0_chain(store);
  X509* at = chain != nullptr && f.depth < sk_X509_num(chain) ? sk_X509_value(chain, f.depth) : nullptr;
  if (at == nullptr) return text;
  const auto summary = summarize(at);
  if (errc_of(f.code) == errc::certificate_wrong_host) {
    return text + ": wanted " + printable(found.wanted_name) + ", the certificate names " +
           joined(summary.names);
  }
  if (f.code == X509_V_ERR_CERT_HAS_EXPIRED) text.append(": valid until ").append(summary.not_after);
  if (f.code == X509_V_ERR_CERT_NOT_YET_VALID) text.append(": valid from ").append(summary.not_before);
  text.append(" (").append(summary.subject);
  if (summary.issuer != summary.subject) text.append(", issued by ").append(summary.issuer);
  return text + ")";
}

bool matches_pin(X509* certificate, verdict& found) {
  if (to_der(certificate) == found.settings->pinned_der) return true;
  const auto summary = summarize(certificate);
  found.error = errc::certificate_pin_mismatch;
  found.reason = "the server's certificate is not the pinned one; it is " + summary.subject + ", SHA-256 " +
                 summary.sha256;
  return false;
}

bool verify_chain(X509_STORE_CTX* store, verdict& found) {
  auto& faults = found.faults;
  X509_STORE_CTX_set_verify_cb(store, collect_fault);
  const bool came_through = X509_verify_cert(store) == 1;
  if (came_through && faults.empty()) return true;
  if (faults.empty()) faults.push_back({X509_STORE_CTX_get_error(store), 0});
  std::stable_sort(faults.begin(), faults.end(),
                   [](const fault& a, const fault& b) { return weight(a) < weight(b); });
  found.error = errc_of(faults.front().code);
  for (const auto& f : faults) {
    found.reason.append(found.reason.empty() ? "" : "; ").append(explain(f, store, found));
  }
  X509_STORE_CTX_set_error(store, faults.front().code);  // chooses the alert that the server is sent
  return false;
}

}  // namespace

int verify_certificate(X509_STORE_CTX* store, void*) try {
  verdict* found = verdict_of(store);
  X509* leaf = X509_STORE_CTX_get0_cert(store);
  if (found == nullptr || leaf == nullptr) return 0;
  X509_up_ref(leaf);
  found->leaf.reset(leaf);
  if (!found->settings->pinned_der.empty()) {
    if (matches_pin(leaf, *found)) return 1;
    X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
    return 0;
  }
  if (found->settings->client.trust_any) return 1;
  return verify_chain(store, *found) ? 1 : 0;
} catch (...) {
  return 0;  // out of memory: OpenSSL's frames are below
}

}  // namespace tds::tls::detail
