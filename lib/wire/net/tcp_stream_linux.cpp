// SPDX-License-Identifier: BSL-1.0
// Reading and writing by recvmsg and sendmsg: Asio's own calls have no place for control messages, in which
// the kernel's receive stamps come.
#include <wire/net/tcp_stream.hpp>

#include <boost/asio/error.hpp>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace wire::net {
namespace {

namespace asio = boost::asio;

io_result failed(int error) noexcept {
  if (error == EAGAIN || error == EWOULDBLOCK) return {asio::error::would_block, 0, {}};
  return {error_code{error, boost::system::system_category()}, 0, {}};
}

}  // namespace

io_result tcp_stream::try_read(std::span<std::uint8_t> into) noexcept {
  if (into.empty()) return {};
  iovec piece{into.data(), into.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  for (;;) {
    const auto got = ::recvmsg(socket_.native_handle(), &message, MSG_DONTWAIT);
    if (got > 0) return {{}, static_cast<std::size_t>(got), {}};
    if (got == 0) return {asio::error::eof, 0, {}};
    if (errno != EINTR) return failed(errno);
  }
}

io_result tcp_stream::try_write(std::span<const std::uint8_t> from) noexcept {
  return try_write(std::span<const std::span<const std::uint8_t>>{&from, 1});
}

io_result tcp_stream::try_write(std::span<const std::span<const std::uint8_t>> pieces) noexcept {
  std::array<iovec, 16> vector;
  std::size_t count = 0;
  for (const auto& piece : pieces.first(std::min(pieces.size(), vector.size()))) {
    if (piece.empty()) continue;
    // sendmsg reads from iov_base although its type is not const.
    vector[count++] = {const_cast<std::uint8_t*>(piece.data()), piece.size()};
  }
  if (count == 0) return {};
  msghdr message{};
  message.msg_iov = vector.data();
  message.msg_iovlen = count;
  for (;;) {
    const auto sent = ::sendmsg(socket_.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return {{}, static_cast<std::size_t>(sent), {}};
    if (errno != EINTR) return failed(errno);
  }
}

}  // namespace wire::net
