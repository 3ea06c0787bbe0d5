// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/detail/openssl.hpp>
#include <tds/tls/detail/record_cipher.hpp>

#include <openssl/hmac.h>

#include <algorithm>
#include <array>

namespace tds::tls::detail {
namespace {

using bytes::byte_span;
using cipher_ptr = std::unique_ptr<EVP_CIPHER_CTX, release<&EVP_CIPHER_CTX_free>>;

constexpr std::size_t tag_bytes = 16;
constexpr std::size_t block_bytes = 16;
constexpr std::size_t explicit_nonce = 8;

const EVP_MD* digest(bool sha384) { return sha384 ? EVP_sha384() : EVP_sha256(); }

octets hmac(bool sha384, byte_span key, byte_span data) {
  octets out(EVP_MAX_MD_SIZE);
  unsigned size = 0;
  if (HMAC(digest(sha384), key.data(), static_cast<int>(key.size()), data.data(), data.size(), out.data(),
           &size) == nullptr) {
    return {};
  }
  out.resize(size);
  return out;
}

void append(octets& to, byte_span more) { to.insert(to.end(), more.begin(), more.end()); }
void append(octets& to, std::string_view text) { to.insert(to.end(), text.begin(), text.end()); }

const EVP_CIPHER* cipher_of(const suite& of) {
  if (of.how == suite::mode::chacha) return EVP_chacha20_poly1305();
  if (of.how == suite::mode::gcm) return of.key_bytes == 32 ? EVP_aes_256_gcm() : EVP_aes_128_gcm();
  return of.key_bytes == 32 ? EVP_aes_256_cbc() : EVP_aes_128_cbc();
}

/// The IV with the record's number over its end (RFC 8446, 5.3; RFC 7905, 2).
octets numbered(const record_keys& with) {
  octets nonce = with.iv;
  for (std::size_t i = 0; i < 8; ++i) {
    nonce[nonce.size() - 1 - i] ^= static_cast<std::uint8_t>(with.number >> (8 * i));
  }
  return nonce;
}

/// What TLS 1.2 authenticates beside the data.
octets additional(const record_keys& with, byte_span header, std::size_t size) {
  octets out;
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(with.number >> shift));
  append(out, header.first(3));
  out.push_back(static_cast<std::uint8_t>(size >> 8U));
  out.push_back(static_cast<std::uint8_t>(size & 0xFFU));
  return out;
}

bool open_aead(const record_keys& with, byte_span nonce, byte_span aad, byte_span sealed, octets& plain) {
  if (sealed.size() < tag_bytes) return false;
  const auto data = sealed.first(sealed.size() - tag_bytes);
  const auto tag = sealed.last(tag_bytes);
  std::array<std::uint8_t, tag_bytes> copy{};
  std::ranges::copy(tag, copy.begin());
  plain.resize(data.size());
  const cipher_ptr context{EVP_CIPHER_CTX_new()};
  int size = 0, end = 0;
  std::uint8_t none = 0;
  return context && EVP_DecryptInit_ex(context.get(), cipher_of(with.with), nullptr, nullptr, nullptr) == 1 &&
         EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(nonce.size()),
                             nullptr) == 1 &&
         EVP_DecryptInit_ex(context.get(), nullptr, nullptr, with.key.data(), nonce.data()) == 1 &&
         EVP_DecryptUpdate(context.get(), nullptr, &size, aad.data(), static_cast<int>(aad.size())) == 1 &&
         EVP_DecryptUpdate(context.get(), plain.empty() ? &none : plain.data(), &size, data.data(),
                           static_cast<int>(data.size())) == 1 &&
         EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes, copy.data()) == 1 &&
         EVP_DecryptFinal_ex(context.get(), plain.empty() ? &none : plain.data() + size, &end) == 1;
}

// The IV comes first (TLS 1.1 and later); padding and MAC come last, in either order.
bool open_cbc(const record_keys& with, byte_span fragment, octets& plain) {
  auto sealed = fragment;
  if (with.encrypt_then_mac) {
    if (sealed.size() < with.with.mac_bytes) return false;
    sealed = sealed.first(sealed.size() - with.with.mac_bytes);
  }
  if (sealed.size() < 2 * block_bytes || sealed.size() % block_bytes != 0) return false;
  const auto data = sealed.subspan(block_bytes);
  plain.resize(data.size());
  const cipher_ptr context{EVP_CIPHER_CTX_new()};
  int size = 0;
  if (!context ||
      EVP_DecryptInit_ex(context.get(), cipher_of(with.with), nullptr, with.key.data(), sealed.data()) != 1 ||
      EVP_CIPHER_CTX_set_padding(context.get(), 0) != 1 ||
      EVP_DecryptUpdate(context.get(), plain.data(), &size, data.data(), static_cast<int>(data.size())) !=
          1) {
    return false;
  }
  const std::size_t behind =
      plain.back() + std::size_t{1} + (with.encrypt_then_mac ? 0U : std::size_t{with.with.mac_bytes});
  if (behind > plain.size()) return false;
  plain.resize(plain.size() - behind);
  return true;
}

}  // namespace

std::optional<suite> find_suite(std::uint16_t number) noexcept {
  using mode = suite::mode;
  switch (number) {
    case 0x1301:
    case 0x009C:
    case 0x009E:
    case 0xC02B:
    case 0xC02F:
      return suite{mode::gcm, 16, 0, false};
    case 0x1302:
    case 0x009D:
    case 0x009F:
    case 0xC02C:
    case 0xC030:
      return suite{mode::gcm, 32, 0, true};
    case 0x1303:
    case 0xCCA8:
    case 0xCCA9:
    case 0xCCAA:
      return suite{mode::chacha, 32, 0, false};
    case 0x002F:
    case 0x0033:
    case 0xC009:
    case 0xC013:
      return suite{mode::cbc, 16, 20, false};
    case 0x0035:
    case 0x0039:
    case 0xC00A:
    case 0xC014:
      return suite{mode::cbc, 32, 20, false};
    case 0x003C:
    case 0x0067:
    case 0xC023:
    case 0xC027:
      return suite{mode::cbc, 16, 32, false};
    case 0x003D:
    case 0x006B:
      return suite{mode::cbc, 32, 32, false};
    case 0xC024:
    case 0xC028:
      return suite{mode::cbc, 32, 48, true};
    default:
      return std::nullopt;
  }
}

bool decrypt(record_keys& with, byte_span header, byte_span fragment, octets& plain) {
  bool good = false;
  if (with.with.how == suite::mode::cbc) {
    good = open_cbc(with, fragment, plain);
  } else if (with.tls13) {
    good = open_aead(with, numbered(with), header, fragment, plain);
  } else if (with.with.how == suite::mode::chacha) {
    if (fragment.size() < tag_bytes) return false;
    good = open_aead(with, numbered(with), additional(with, header, fragment.size() - tag_bytes), fragment,
                     plain);
  } else {
    if (fragment.size() < explicit_nonce + tag_bytes) return false;
    octets nonce = with.iv;
    append(nonce, fragment.first(explicit_nonce));
    const auto sealed = fragment.subspan(explicit_nonce);
    good = open_aead(with, nonce, additional(with, header, sealed.size() - tag_bytes), sealed, plain);
  }
  if (good) ++with.number;
  return good;
}

octets prf(bool sha384, byte_span secret, std::string_view label, byte_span seed, std::size_t size) {
  octets text;
  append(text, label);
  append(text, seed);
  octets out, a = text;
  while (out.size() < size) {
    a = hmac(sha384, secret, a);
    if (a.empty()) return {};
    octets input = a;
    append(input, text);
    append(out, hmac(sha384, secret, input));
  }
  out.resize(size);
  return out;
}

octets expand_label(bool sha384, byte_span secret, std::string_view label, std::size_t size) {
  octets info{static_cast<std::uint8_t>(size >> 8U), static_cast<std::uint8_t>(size & 0xFFU)};
  info.push_back(static_cast<std::uint8_t>(6 + label.size()));
  append(info, std::string_view{"tls13 "});
  append(info, label);
  info.push_back(0);
  // No more than one block of the digest is ever asked for.
  info.push_back(1);
  octets out = hmac(sha384, secret, info);
  out.resize(std::min(size, out.size()));
  return out;
}

}  // namespace tds::tls::detail
