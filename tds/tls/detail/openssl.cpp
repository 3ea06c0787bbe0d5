// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/detail/openssl.hpp>

#include <climits>
#include <openssl/pem.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace tds::tls::detail {

namespace {

bio_ptr memory_bio(std::string_view text) {
  if (text.size() > INT_MAX) return nullptr;
  return bio_ptr{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
}

// Never asks a terminal for a passphrase: an encrypted key is an unreadable one.
int no_passphrase(char*, int, int, void*) { return -1; }

}  // namespace

std::string take_errors() {
  std::string text;
  while (const unsigned long code = ERR_get_error()) {
    const char* reason = ERR_reason_error_string(code);
    if (!text.empty()) text.append("; ");
    text.append(reason != nullptr ? reason : "unknown reason");
  }
  return text;
}

result<std::string> read_file(const std::string& path, std::string* details) {
  constexpr std::size_t limit = std::size_t{16} << 20;
  struct close_file {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  const auto fail = [&](error_code why) -> result<std::string> {
    say(details, "cannot read " + path + ": " + why.message());
    return why;
  };
  errno = 0;
  const std::unique_ptr<std::FILE, close_file> file{std::fopen(path.c_str(), "rb")};
  if (!file) return fail({errno, boost::system::generic_category()});
  std::string content;
  char block[16384];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file.get())) {
    content.append(block, got);
    if (content.size() > limit) return fail(errc::bad_argument);
  }
  if (std::ferror(file.get()) != 0) return fail({errno, boost::system::generic_category()});
  return content;
}

std::vector<x509_ptr> read_certificates(std::string_view pem) {
  std::vector<x509_ptr> found;
  const auto bio = memory_bio(pem);
  while (bio) {
    x509_ptr next{PEM_read_bio_X509(bio.get(), nullptr, no_passphrase, nullptr)};
    if (!next) break;
    found.push_back(std::move(next));
  }
  ERR_clear_error();  // "no start line" ends every file
  return found;
}

x509_ptr read_certificate(std::string_view pem_or_der) {
  auto all = read_certificates(pem_or_der);
  if (!all.empty()) return std::move(all.front());
  const auto bio = memory_bio(pem_or_der);
  x509_ptr certificate{bio ? d2i_X509_bio(bio.get(), nullptr) : nullptr};
  ERR_clear_error();
  return certificate;
}

pkey_ptr read_private_key(std::string_view pem) {
  const auto bio = memory_bio(pem);
  return pkey_ptr{bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr) : nullptr};
}

std::string to_pem(X509* certificate) {
  const bio_ptr out{BIO_new(BIO_s_mem())};
  return out && PEM_write_bio_X509(out.get(), certificate) == 1 ? text_of(out.get()) : std::string{};
}

std::string to_der(X509* certificate) {
  const int size = i2d_X509(certificate, nullptr);
  if (size <= 0) return {};
  std::string der(static_cast<std::size_t>(size), '\0');
  auto* at = reinterpret_cast<unsigned char*>(der.data());
  i2d_X509(certificate, &at);
  return der;
}

octets_ptr parse_address(const std::string& text) {
  octets_ptr octets{a2i_IPADDRESS(text.c_str())};
  ERR_clear_error();
  return octets;
}

std::string text_of(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  return size > 0 ? std::string(data, static_cast<std::size_t>(size)) : std::string{};
}

std::string printable(std::string_view text) {
  std::string out{text};
  for (char& c : out) {
    if (c < 0x20 || c > 0x7e) c = '?';
  }
  return out;
}

}  // namespace tds::tls::detail
