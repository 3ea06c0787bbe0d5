// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/detail/openssl.hpp>
#include <tds/tls/self_signed.hpp>

#include <openssl/pem.h>
#include <openssl/rand.h>

#include <utility>

namespace tds::tls {

namespace {

using detail::pkey_ptr;
using detail::x509_ptr;

using general_name_ptr = std::unique_ptr<GENERAL_NAME, detail::release<&GENERAL_NAME_free>>;
using general_names_ptr = std::unique_ptr<GENERAL_NAMES, detail::release<&GENERAL_NAMES_free>>;
using extension_ptr = std::unique_ptr<X509_EXTENSION, detail::release<&X509_EXTENSION_free>>;

pkey_ptr new_key(key_type type) {
  switch (type) {
    case key_type::ec_p256:
      return pkey_ptr{EVP_EC_gen("P-256")};
    case key_type::rsa_2048:
      return pkey_ptr{EVP_RSA_gen(2048)};
    case key_type::rsa_4096:
      return pkey_ptr{EVP_RSA_gen(4096)};
  }
  return nullptr;
}

std::string key_to_pem(EVP_PKEY* key) {
  const detail::bio_ptr out{BIO_new(BIO_s_mem())};
  if (!out || PEM_write_bio_PKCS8PrivateKey(out.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return {};
  return detail::text_of(out.get());
}

general_name_ptr alt_name(const std::string& text) {
  general_name_ptr name{GENERAL_NAME_new()};
  if (!name) return nullptr;
  if (auto address = detail::parse_address(text)) {
    GENERAL_NAME_set0_value(name.get(), GEN_IPADD, address.release());
    return name;
  }
  auto* dns = ASN1_IA5STRING_new();
  if (dns == nullptr) return nullptr;
  GENERAL_NAME_set0_value(name.get(), GEN_DNS, dns);
  const bool set = ASN1_STRING_set(dns, text.data(), static_cast<int>(text.size())) == 1;
  return set ? std::move(name) : nullptr;
}

bool add_alt_names(X509* certificate, const std::vector<std::string>& names) {
  if (names.empty()) return true;
  const general_names_ptr all{sk_GENERAL_NAME_new_null()};
  for (const auto& text : names) {
    auto name = alt_name(text);
    if (!name || !all || sk_GENERAL_NAME_push(all.get(), name.get()) <= 0) return false;
    name.release();
  }
  return X509_add1_ext_i2d(certificate, NID_subject_alt_name, all.get(), 0, 0) == 1;
}

bool add_extension(X509* certificate, X509* issuer, int id, const char* value) {
  X509V3_CTX about{};
  X509V3_set_ctx(&about, issuer, certificate, nullptr, nullptr, 0);
  const extension_ptr extension{X509V3_EXT_conf_nid(nullptr, &about, id, value)};
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool set_serial(X509* certificate) {
  std::uint64_t serial = 0;
  return RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1 &&
         ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial | 1) == 1;
}

bool set_subject(X509* certificate, const std::string& common_name) {
  return X509_NAME_add_entry_by_NID(X509_get_subject_name(certificate), NID_commonName, MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(common_name.data()),
                                    static_cast<int>(common_name.size()), -1, 0) == 1;
}

// `issuer` and `issuer_key` are null for a certificate that signs itself.
x509_ptr new_certificate(const certificate_request& request, EVP_PKEY* key, X509* issuer,
                         EVP_PKEY* issuer_key) {
  x509_ptr made{X509_new()};
  X509* x = made.get();
  if (x == nullptr || X509_set_version(x, X509_VERSION_3) != 1 || !set_serial(x) ||
      !set_subject(x, request.common_name)) {
    return nullptr;
  }
  X509* signer = issuer != nullptr ? issuer : x;
  if (X509_time_adj_ex(X509_getm_notBefore(x), request.valid_from_days, 0, nullptr) == nullptr ||
      X509_time_adj_ex(X509_getm_notAfter(x), request.valid_to_days, 0, nullptr) == nullptr ||
      X509_set_issuer_name(x, X509_get_subject_name(signer)) != 1 || X509_set_pubkey(x, key) != 1) {
    return nullptr;
  }
  if (!add_extension(x, signer, NID_basic_constraints, request.authority ? "critical,CA:TRUE" : "CA:FALSE") ||
      !add_extension(x, signer, NID_subject_key_identifier, "hash") ||
      !add_extension(x, signer, NID_authority_key_identifier, "keyid") ||
      !add_alt_names(x, request.subject_alt_names)) {
    return nullptr;
  }
  if (X509_sign(x, issuer_key != nullptr ? issuer_key : key, EVP_sha256()) <= 0) return nullptr;
  return made;
}

bool signed_itself(X509* certificate) {
  return X509_NAME_cmp(X509_get_subject_name(certificate), X509_get_issuer_name(certificate)) == 0;
}

result<identity> make(const certificate_request& request, const identity* issuer) {
  ERR_clear_error();
  const auto fail = []() -> result<identity> {
    ERR_clear_error();
    return error_code{errc::bad_argument};
  };
  const auto key = request.private_key_pem.empty() ? new_key(request.key)
                                                   : detail::read_private_key(request.private_key_pem);
  if (!key) return fail();
  std::vector<x509_ptr> issuers;
  pkey_ptr issuer_key;
  if (issuer != nullptr) {
    issuers = detail::read_certificates(issuer->certificate_pem);
    issuer_key = detail::read_private_key(issuer->private_key_pem);
    if (issuers.empty() || !issuer_key) return fail();
  }
  const auto made = new_certificate(request, key.get(), issuers.empty() ? nullptr : issuers.front().get(),
                                    issuer_key.get());
  if (!made) return fail();
  identity who{detail::to_pem(made.get()), key_to_pem(key.get())};
  for (const auto& each : issuers) {
    if (!signed_itself(each.get())) who.certificate_pem.append(detail::to_pem(each.get()));
  }
  return who;
}

}  // namespace

result<std::string> make_private_key(key_type type) {
  const auto key = new_key(type);
  if (!key) return error_code{errc::bad_argument};
  return key_to_pem(key.get());
}

result<identity> make_self_signed(const certificate_request& request) { return make(request, nullptr); }

result<identity> make_issued(const certificate_request& request, const identity& issuer) {
  return make(request, &issuer);
}

}  // namespace tds::tls
