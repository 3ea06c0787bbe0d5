// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/netlink_linux.hpp>

#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace wire::host::detail {
namespace {

/// The largest message that the kernel sends to one who reads with a buffer of this size.
constexpr std::size_t receive_size = 64U << 10U;

std::size_t aligned(std::size_t size) noexcept { return (size + 3) & ~std::size_t{3}; }

template <class T>
T read_as(byte_view from) noexcept {
  T value{};
  std::memcpy(&value, from.data(), sizeof value);
  return value;
}

/// Takes the first message off `rest`: its header and what stands behind it.
std::optional<std::pair<nlmsghdr, byte_view>> next_message(byte_view& rest) noexcept {
  if (rest.size() < sizeof(nlmsghdr)) return std::nullopt;
  const auto header = read_as<nlmsghdr>(rest);
  if (header.nlmsg_len < sizeof header || header.nlmsg_len > rest.size()) return std::nullopt;
  const auto payload = rest.subspan(sizeof header, header.nlmsg_len - sizeof header);
  rest = rest.subspan(std::min(aligned(header.nlmsg_len), rest.size()));
  return std::pair{header, payload};
}

}  // namespace

std::string_view attribute::text() const noexcept {
  const std::string_view all{reinterpret_cast<const char*>(data.data()), data.size()};
  return all.substr(0, all.find('\0'));
}

std::optional<attribute> next_attribute(byte_view& rest) noexcept {
  if (rest.size() < sizeof(nlattr)) return std::nullopt;
  const auto header = read_as<nlattr>(rest);
  if (header.nla_len < sizeof header || header.nla_len > rest.size()) {
    rest = {};
    return std::nullopt;
  }
  const attribute found{static_cast<std::uint16_t>(header.nla_type & NLA_TYPE_MASK),
                        rest.subspan(sizeof header, header.nla_len - sizeof header)};
  rest = rest.subspan(std::min(aligned(header.nla_len), rest.size()));
  return found;
}

void attribute_writer::add(std::uint16_t type, byte_view data) {
  const nlattr header{static_cast<std::uint16_t>(sizeof(nlattr) + data.size()), type};
  const auto head = raw(header);
  data_.insert(data_.end(), head.begin(), head.end());
  data_.insert(data_.end(), data.begin(), data.end());
  data_.resize(aligned(data_.size()));
}

void attribute_writer::add(std::uint16_t type, std::uint32_t value) { add(type, raw(value)); }

void attribute_writer::add(std::uint16_t type, std::string_view text) {
  bytes data(text.begin(), text.end());
  data.push_back(0);
  add(type, byte_view{data});
}

void attribute_writer::add_nested(std::uint16_t type, const attribute_writer& inner) {
  add(static_cast<std::uint16_t>(type | NLA_F_NESTED), byte_view{inner.data()});
}

netlink_socket::netlink_socket(int protocol) noexcept
    : socket_{::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol)} {
  if (socket_ < 0) return;
  const timeval limit{1, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

netlink_socket::~netlink_socket() {
  if (socket_ >= 0) ::close(socket_);
}

bool netlink_socket::send(std::uint16_t type, std::uint16_t flags, byte_view header,
                          const attribute_writer& attributes) {
  if (socket_ < 0) return false;
  nlmsghdr message{};
  message.nlmsg_type = type;
  message.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
  message.nlmsg_seq = ++sequence_;
  const auto& behind = attributes.data();
  message.nlmsg_len = static_cast<std::uint32_t>(sizeof message + aligned(header.size()) + behind.size());
  bytes out(sizeof message + aligned(header.size()));
  std::memcpy(out.data(), &message, sizeof message);
  std::ranges::copy(header, out.begin() + sizeof message);
  out.insert(out.end(), behind.begin(), behind.end());
  return ::send(socket_, out.data(), out.size(), 0) == static_cast<ssize_t>(out.size());
}

bool netlink_socket::receive() {
  received_.resize(receive_size);
  ssize_t got = -1;
  do {
    got = ::recv(socket_, received_.data(), received_.size(), 0);
  } while (got < 0 && errno == EINTR);
  received_.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return got > 0;
}

std::optional<bytes> netlink_socket::ask(std::uint16_t type, byte_view header,
                                         const attribute_writer& attributes) {
  if (!send(type, 0, header, attributes)) return std::nullopt;
  while (receive()) {
    byte_view rest{received_};
    while (const auto message = next_message(rest)) {
      // What an earlier question that timed out was about may still come.
      if (message->first.nlmsg_seq != sequence_) continue;
      if (message->first.nlmsg_type < NLMSG_MIN_TYPE) return std::nullopt;  // an error
      return bytes(message->second.begin(), message->second.end());
    }
  }
  return std::nullopt;
}

std::vector<bytes> netlink_socket::dump(std::uint16_t type, byte_view header,
                                        const attribute_writer& attributes) {
  std::vector<bytes> out;
  if (!send(type, NLM_F_DUMP, header, attributes)) return out;
  while (receive()) {
    byte_view rest{received_};
    while (const auto message = next_message(rest)) {
      if (message->first.nlmsg_seq != sequence_) continue;
      if (message->first.nlmsg_type < NLMSG_MIN_TYPE) return out;  // the end, or an error
      out.emplace_back(message->second.begin(), message->second.end());
    }
  }
  return out;
}

}  // namespace wire::host::detail
