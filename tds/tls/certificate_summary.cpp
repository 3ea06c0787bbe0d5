// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/detail/summary.hpp>

#include <array>
#include <cstdio>
#include <ctime>

namespace tds::tls::detail {

namespace {

std::string time_text(const ASN1_TIME* time) {
  std::tm parts{};
  if (time == nullptr || ASN1_TIME_to_tm(time, &parts) != 1) return {};
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.tm_year + 1900,
                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
  return text.data();
}

std::string key_text(EVP_PKEY* key) {
  if (key == nullptr) return {};
  if (EVP_PKEY_is_a(key, "EC") == 1) {
    std::array<char, 80> group{};
    std::size_t size = 0;
    if (EVP_PKEY_get_group_name(key, group.data(), group.size(), &size) == 1) {
      return "EC " + std::string(group.data(), size);
    }
  }
  const char* type = EVP_PKEY_get0_type_name(key);
  return std::string{type != nullptr ? type : "unknown"} + " " + std::to_string(EVP_PKEY_get_bits(key));
}

std::string fingerprint(X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (X509_digest(certificate, EVP_sha256(), digest.data(), &size) != 1) return {};
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    std::array<char, 4> byte{};
    std::snprintf(byte.data(), byte.size(), i == 0 ? "%02X" : ":%02X", unsigned{digest[i]});
    text.append(byte.data());
  }
  return text;
}

std::string address_text(const ASN1_OCTET_STRING* octets) {
  const unsigned char* data = ASN1_STRING_get0_data(octets);
  const int size = ASN1_STRING_length(octets);
  std::string text;
  if (size == 4) {
    for (int i = 0; i < 4; ++i) text.append(i == 0 ? "" : ".").append(std::to_string(data[i]));
  } else if (size == 16) {
    for (int i = 0; i < 16; i += 2) {
      std::array<char, 8> group{};
      std::snprintf(group.data(), group.size(), i == 0 ? "%x" : ":%x", unsigned{data[i]} << 8 | data[i + 1]);
      text.append(group.data());
    }
  }
  return text;
}

std::vector<std::string> names_of(X509* certificate) {
  std::vector<std::string> names;
  auto* found =
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  const std::unique_ptr<GENERAL_NAMES, release<&GENERAL_NAMES_free>> all{found};
  for (int i = 0; found != nullptr && i < sk_GENERAL_NAME_num(found); ++i) {
    int type = 0;
    const auto* value =
        static_cast<const ASN1_STRING*>(GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(found, i), &type));
    if (type == GEN_DNS) {
      names.push_back(printable({reinterpret_cast<const char*>(ASN1_STRING_get0_data(value)),
                                 static_cast<std::size_t>(ASN1_STRING_length(value))}));
    } else if (type == GEN_IPADD) {
      names.push_back(address_text(value));
    }
  }
  return names;
}

std::string common_name_of(X509* certificate) {
  const X509_NAME* subject = X509_get_subject_name(certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at < 0) return {};
  unsigned char* utf8 = nullptr;
  const int size = ASN1_STRING_to_UTF8(&utf8, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
  if (size < 0) return {};
  std::string text = printable({reinterpret_cast<const char*>(utf8), static_cast<std::size_t>(size)});
  OPENSSL_free(utf8);
  return text;
}

}  // namespace

std::string name_text(const X509_NAME* name) {
  const bio_ptr out{BIO_new(BIO_s_mem())};
  // RFC 2253 escapes controls and all that is not ASCII: a peer's words end up on terminals.
  if (!out || X509_NAME_print_ex(out.get(), name, 0, XN_FLAG_RFC2253) < 0) return {};
  return text_of(out.get());
}

certificate_summary summarize(X509* certificate) {
  certificate_summary summary;
  if (certificate == nullptr) return summary;
  summary.subject = name_text(X509_get_subject_name(certificate));
  summary.issuer = name_text(X509_get_issuer_name(certificate));
  summary.names = names_of(certificate);
  if (summary.names.empty()) {
    if (auto name = common_name_of(certificate); !name.empty()) summary.names.push_back(std::move(name));
  }
  summary.not_before = time_text(X509_get0_notBefore(certificate));
  summary.not_after = time_text(X509_get0_notAfter(certificate));
  summary.key = key_text(X509_get0_pubkey(certificate));
  summary.sha256 = fingerprint(certificate);
  ERR_clear_error();
  return summary;
}

}  // namespace tds::tls::detail
