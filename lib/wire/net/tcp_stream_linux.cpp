// SPDX-License-Identifier: BSL-1.0
// Reading and writing by recvmsg and sendmsg: Asio's own calls have no place for control messages, in which
// the kernel's receive stamps come.
#include <wire/net/tcp_stream.hpp>

#include <boost/asio/error.hpp>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <utility>

namespace wire::net {
namespace {

namespace asio = boost::asio;

io_result failed(int error) noexcept {
  if (error == EAGAIN || error == EWOULDBLOCK) return {asio::error::would_block, 0, {}};
  return {error_code{error, boost::system::system_category()}, 0, {}};
}

// The counter of stamps starts at the bytes written rather than at those acknowledged (Linux 6.2).
constexpr unsigned opt_id_tcp = 1U << 16U;

clock::wall_time wall_time_of(const timespec& t) noexcept {
  return clock::wall_time{std::chrono::duration_cast<clock::wall_time::duration>(
      std::chrono::seconds{t.tv_sec} + std::chrono::nanoseconds{t.tv_nsec})};
}

/// The content of a control message; what lies there has no type of its own.
template <class T>
T content_of(cmsghdr* header) noexcept {
  T out;
  std::memcpy(&out, CMSG_DATA(header), sizeof out);
  return out;
}

/// The software stamp in a received message's control data.
std::optional<clock::wall_time> stamp_in(msghdr& message) noexcept {
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPING) continue;
    const auto software = content_of<scm_timestamping>(c).ts[0];
    if (software.tv_sec != 0) return wall_time_of(software);
  }
  return std::nullopt;
}

std::optional<transmit_point> point_of(std::uint32_t kind) noexcept {
  switch (kind) {
    case SCM_TSTAMP_SCHED:
      return transmit_point::scheduled;
    case SCM_TSTAMP_SND:
      return transmit_point::sent;
    case SCM_TSTAMP_ACK:
      return transmit_point::acknowledged;
    default:
      return std::nullopt;
  }
}

/// A message of the error queue, when it is a transmit stamp.
std::optional<transmit_stamp> transmit_stamp_in(msghdr& message) noexcept {
  const auto when = stamp_in(message);
  if (!when) return std::nullopt;
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    const bool error = (c->cmsg_level == SOL_IP && c->cmsg_type == IP_RECVERR) ||
                       (c->cmsg_level == SOL_IPV6 && c->cmsg_type == IPV6_RECVERR);
    if (!error) continue;
    const auto what = content_of<sock_extended_err>(c);
    if (what.ee_origin != SO_EE_ORIGIN_TIMESTAMPING) continue;
    if (const auto at = point_of(what.ee_info)) return transmit_stamp{*at, what.ee_data, *when};
  }
  return std::nullopt;
}

}  // namespace

io_result tcp_stream::try_read(std::span<std::uint8_t> into) noexcept {
  if (into.empty()) return {};
  iovec piece{into.data(), into.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(scm_timestamping))> control;
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  const int flags = may_block() ? 0 : MSG_DONTWAIT;
  for (;;) {
    // Without room for control messages the kernel makes none: a connection without stamps pays nothing.
    message.msg_control = stamped_ ? control.data() : nullptr;
    message.msg_controllen = stamped_ ? control.size() : 0;
    const auto got = ::recvmsg(socket_.native_handle(), &message, flags);
    if (got > 0) return {{}, static_cast<std::size_t>(got), stamped_ ? stamp_in(message) : std::nullopt};
    if (got == 0) return {asio::error::eof, 0, {}};
    // A signal ends a blocking read: its handler may want to be heard.
    if (errno == EINTR && flags == 0) return failed(EAGAIN);
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

// Whether this read may block. From the first that may, the descriptor blocks, unless Asio has waited on it,
// which has to be undone then; the other calls here pass MSG_DONTWAIT.
bool tcp_stream::may_block() noexcept {
  if (!std::exchange(block_next_read_, false)) return false;
  error_code failed;
  if (!limits_blocking_) {
    const timeval most{0, std::chrono::microseconds{longest_block}.count()};
    if (::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) != 0) return false;
    limits_blocking_ = true;
  }
  if (socket_.non_blocking() || socket_.native_non_blocking()) socket_.non_blocking(false, failed);
  return !failed;
}

stamps_given tcp_stream::enable_stamps() noexcept {
  constexpr unsigned report = SOF_TIMESTAMPING_SOFTWARE;
  constexpr unsigned receive = SOF_TIMESTAMPING_RX_SOFTWARE;
  // Only the stamps, not the packets they belong to.
  constexpr unsigned transmit = SOF_TIMESTAMPING_TX_SCHED | SOF_TIMESTAMPING_TX_SOFTWARE |
                                SOF_TIMESTAMPING_TX_ACK | SOF_TIMESTAMPING_OPT_ID |
                                SOF_TIMESTAMPING_OPT_TSONLY;
  const auto set = [this](unsigned flags) {
    return ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) == 0;
  };
  stamps_given given{true, true};
  if (!set(report | receive | transmit | opt_id_tcp) && !set(report | receive | transmit)) {
    given = {false, set(report | receive)};
  }
  stamped_ = given.receive;
  return given;
}

std::size_t tcp_stream::take_stamps(std::span<transmit_stamp> into) noexcept {
  constexpr std::size_t batch = 8;
  struct room {
    alignas(cmsghdr) std::array<char, 256> control;
  };
  std::array<room, batch> rooms;
  std::array<mmsghdr, batch> messages{};
  const auto most = std::min(batch, into.size());
  for (std::size_t i = 0; i < most; ++i) {
    messages[i].msg_hdr.msg_control = rooms[i].control.data();
    messages[i].msg_hdr.msg_controllen = rooms[i].control.size();
  }
  const int got = ::recvmmsg(socket_.native_handle(), messages.data(), static_cast<unsigned>(most),
                             MSG_ERRQUEUE | MSG_DONTWAIT, nullptr);
  std::size_t count = 0;
  for (int i = 0; i < got; ++i) {
    if (const auto stamp = transmit_stamp_in(messages[static_cast<std::size_t>(i)].msg_hdr))
      into[count++] = *stamp;
  }
  return count;
}

}  // namespace wire::net
