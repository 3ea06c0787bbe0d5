// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/auth_messages.hpp>

#include <algorithm>

namespace tds::protocol {
namespace {

constexpr std::size_t length_size = 4;

}  // namespace

federated_auth_token read_federated_auth_token(bytes::reader& in) {
  federated_auth_token message;
  const std::size_t start = in.offset();
  const std::size_t length = in.u32("data_len");
  if (length > in.remaining()) in.fail(errc::incomplete, "data_len");
  const std::size_t token_size = in.u32("fed_auth_token");
  if (!in.ok()) return message;
  const bool has_nonce = length == length_size + token_size + std::tuple_size_v<nonce>;
  if (!has_nonce && length != length_size + token_size) {
    in.fail_at(errc::bad_length, "data_len", start);
    return message;
  }
  message.token = in.bytes(token_size, "fed_auth_token");
  in.secret();
  if (has_nonce)
    std::ranges::copy(in.bytes(std::tuple_size_v<nonce>, "nonce"), message.nonce.emplace().begin());
  return message;
}

void write_federated_auth_token(bytes::writer& out, const federated_auth_token& message) {
  const std::size_t nonce_size = message.nonce ? message.nonce->size() : 0;
  out.u32(static_cast<std::uint32_t>(length_size + message.token.size() + nonce_size));
  out.u32(static_cast<std::uint32_t>(message.token.size()));
  out.bytes(message.token);
  if (message.nonce) out.bytes(*message.nonce);
}

bytes::byte_span read_sspi_message(bytes::reader& in) {
  const auto data = in.bytes(in.remaining(), "sspi_data");
  in.secret();
  return data;
}

}  // namespace tds::protocol
