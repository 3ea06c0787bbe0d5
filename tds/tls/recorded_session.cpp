// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tls_record.hpp>
#include <tds/tls/detail/record_cipher.hpp>
#include <tds/tls/recorded_session.hpp>

#include <algorithm>
#include <array>

namespace tds::tls {
namespace {

using bytes::byte_span;
using detail::octets;
using detail::record_keys;
using label = key_log::label;

constexpr std::size_t header_size = protocol::tls_record_header_size;
constexpr auto change_cipher_spec = static_cast<std::uint8_t>(protocol::tls_content::change_cipher_spec);
constexpr auto handshake_type = static_cast<std::uint8_t>(protocol::tls_content::handshake);
constexpr auto data_type = static_cast<std::uint8_t>(protocol::tls_content::application_data);

// Handshake messages (RFC 8446, 4).
constexpr std::uint8_t client_hello = 1;
constexpr std::uint8_t server_hello = 2;
constexpr std::uint8_t finished = 20;
constexpr std::uint8_t key_update = 24;

constexpr std::uint16_t extension_encrypt_then_mac = 22;
constexpr std::uint16_t extension_supported_versions = 43;
constexpr std::uint16_t tls_13 = 0x0304;

/// What of a ServerHello matters.
struct hello {
  key_log::random random{};
  std::uint16_t suite{}, version{};
  bool encrypt_then_mac = false;
};

std::optional<hello> read_server_hello(byte_span body) {
  bytes::reader in{body};
  hello out;
  out.version = in.be<std::uint16_t>("legacy_version");
  std::ranges::copy(in.bytes(out.random.size(), "random"), out.random.begin());
  in.skip(in.u8("session_id_length"), "session_id");
  out.suite = in.be<std::uint16_t>("cipher_suite");
  (void)in.u8("compression");
  if (!in.ok()) return std::nullopt;
  if (in.remaining() != 0) (void)in.be<std::uint16_t>("extensions_length");
  while (in.ok() && in.remaining() != 0) {
    const auto type = in.be<std::uint16_t>("type");
    auto extension = in.sub(in.be<std::uint16_t>("length"), "extension");
    if (type == extension_encrypt_then_mac) out.encrypt_then_mac = true;
    if (type == extension_supported_versions) out.version = extension.be<std::uint16_t>("version");
  }
  return out;
}

}  // namespace

class recorded_session::work {
 public:
  explicit work(const key_log& keys) : log_(keys) {}

  content read(bool from_client, byte_span record, bytes::buffer& plain) {
    if (record.size() < header_size) return content::unreadable;
    auto& from = ends_[from_client ? 0 : 1];
    const auto header = record.first(header_size);
    auto type = record[0];
    auto body = record.subspan(header_size);
    // Of TLS 1.3 it is for old eyes only.
    if (type == change_cipher_spec) {
      if (!is_13_) from.encrypts = true;
      return content::handshake;
    }
    if (from.encrypts && !(is_13_ && type != data_type)) {
      if (!from.keys || !detail::decrypt(*from.keys, header, body, opened_)) return content::unreadable;
      if (is_13_ && !take_inner_type(type)) return content::unreadable;
      body = opened_;
    }
    if (type == data_type) {
      plain.assign(body.begin(), body.end());
      return content::data;
    }
    if (type == handshake_type) take_handshake(from_client, body);
    return content::handshake;
  }

  bool has_keys() const noexcept { return log_.find(client_random_, label::master) != nullptr || has_13(); }

 private:
  struct end {
    std::optional<record_keys> keys{};
    bool encrypts = false;
    octets secret{};  // of TLS 1.3: what the keys come from
    octets messages{};
  };

  bool has_13() const noexcept { return log_.find(client_random_, label::client_traffic) != nullptr; }

  // RFC 8446, 5.2: the last byte that is not zero is the type.
  bool take_inner_type(std::uint8_t& type) {
    while (!opened_.empty() && opened_.back() == 0) opened_.pop_back();
    if (opened_.empty()) return false;
    type = opened_.back();
    opened_.pop_back();
    return true;
  }

  void take_handshake(bool from_client, byte_span more) {
    auto& from = ends_[from_client ? 0 : 1];
    // Behind the change of ciphers TLS 1.2 has Finished and nothing else.
    if (from.encrypts && !is_13_) return;
    constexpr std::size_t most = 1U << 17U;
    if (from.messages.size() + more.size() > most) from.messages.clear();
    from.messages.insert(from.messages.end(), more.begin(), more.end());
    std::size_t at = 0;
    while (from.messages.size() - at >= 4) {
      const auto* const m = from.messages.data() + at;
      const std::size_t size =
          static_cast<std::size_t>(m[1]) << 16U | static_cast<std::size_t>(m[2]) << 8U | m[3];
      if (from.messages.size() - at - 4 < size) break;
      message(from_client, m[0], byte_span{m + 4, size});
      at += 4 + size;
    }
    from.messages.erase(from.messages.begin(), from.messages.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void message(bool from_client, std::uint8_t type, byte_span body) {
    if (type == client_hello && from_client && body.size() >= 2 + client_random_.size()) {
      std::ranges::copy(body.subspan(2, client_random_.size()), client_random_.begin());
    } else if (type == server_hello && !from_client) {
      if (const auto found = read_server_hello(body)) begin(*found);
    } else if (type == finished && is_13_) {
      use(from_client, from_client ? label::client_traffic : label::server_traffic);
    } else if (type == key_update && is_13_) {
      auto& from = ends_[from_client ? 0 : 1];
      use_secret(from, detail::expand_label(suite_.sha384, from.secret, "traffic upd", from.secret.size()));
    }
  }

  void begin(const hello& server) {
    const auto found = detail::find_suite(server.suite);
    if (!found) return;
    suite_ = *found;
    is_13_ = server.version == tls_13;
    if (is_13_) {
      use(true, label::client_handshake);
      use(false, label::server_handshake);
    } else if (const auto* master = log_.find(client_random_, label::master)) {
      derive_12(*master, server);
    }
  }

  void derive_12(byte_span master, const hello& server) {
    octets seed(server.random.begin(), server.random.end());
    seed.insert(seed.end(), client_random_.begin(), client_random_.end());
    const std::size_t mac = suite_.mac_bytes, key = suite_.key_bytes;
    const std::size_t iv = suite_.how == detail::suite::mode::gcm      ? 4
                           : suite_.how == detail::suite::mode::chacha ? 12
                                                                       : 0;
    const auto block = detail::prf(suite_.sha384, master, "key expansion", seed, 2 * (mac + key + iv));
    if (block.empty()) return;
    const auto part = [&block](std::size_t from, std::size_t size) {
      return octets(block.begin() + static_cast<std::ptrdiff_t>(from),
                    block.begin() + static_cast<std::ptrdiff_t>(from + size));
    };
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      ends_[i].keys = record_keys{suite_, part(2 * mac + i * key, key), part(2 * (mac + key) + i * iv, iv), 0,
                                  false,  server.encrypt_then_mac};
    }
  }

  void use(bool from_client, label which) {
    const auto* secret = log_.find(client_random_, which);
    auto& from = ends_[from_client ? 0 : 1];
    from.encrypts = true;
    from.keys.reset();
    if (secret != nullptr) use_secret(from, *secret);
  }

  void use_secret(end& from, octets secret) {
    from.keys = record_keys{suite_,
                            detail::expand_label(suite_.sha384, secret, "key", suite_.key_bytes),
                            detail::expand_label(suite_.sha384, secret, "iv", 12),
                            0,
                            true,
                            false};
    from.secret = std::move(secret);
  }

  const key_log& log_;
  key_log::random client_random_{};
  detail::suite suite_{};
  bool is_13_ = false;
  std::array<end, 2> ends_{};
  octets opened_{};
};

recorded_session::recorded_session(const key_log& keys) : work_(std::make_unique<work>(keys)) {}
recorded_session::~recorded_session() = default;
recorded_session::recorded_session(recorded_session&&) noexcept = default;
recorded_session& recorded_session::operator=(recorded_session&&) noexcept = default;

recorded_session::content recorded_session::read(bool from_client, byte_span record, bytes::buffer& plain) {
  return work_->read(from_client, record, plain);
}
bool recorded_session::has_keys() const noexcept { return work_->has_keys(); }

}  // namespace tds::tls
