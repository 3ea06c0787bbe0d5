// SPDX-License-Identifier: BSL-1.0
// A packet socket below IP: what its link looks like is the kernel's affair, each packet begins with its IP
// header.
#include <wire/capture/live.hpp>

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace wire::capture {
namespace {

[[noreturn]] void fail(const std::string& what) {
  const int error = errno;
  std::string text = what + ": " + std::strerror(error);
  if (error == EPERM || error == EACCES) {
    text += "; capturing needs root, or the capability: setcap cap_net_raw+ep on the program";
  }
  throw live_error{text};
}

constexpr std::uint32_t whole_packet = 0x40000;
// Where things lie in an IP header that has no options.
constexpr std::uint32_t v4_protocol = 9, v4_fragment = 6, v6_next = 6, v6_header = 40;
constexpr std::uint32_t tcp_number = 6;

/// BPF: TCP over IPv4 or IPv6 with one of the ports at either end. Later fragments, which have no ports, and
/// IPv6 with extension headers pass.
class filter_writer {
 public:
  std::vector<sock_filter> write(const std::vector<std::uint16_t>& ports) {
    add(BPF_LD | BPF_B | BPF_ABS, 0);
    add(BPF_ALU | BPF_RSH | BPF_K, 4);
    const auto is_6 = jump(BPF_JEQ, 6);
    version_4(ports);
    aim_true(is_6, code_.size());
    version_6(ports);
    return std::move(code_);
  }

 private:
  void version_4(const std::vector<std::uint16_t>& ports) {
    add(BPF_LD | BPF_B | BPF_ABS, v4_protocol);
    unless(BPF_JEQ, tcp_number, 0);
    if (!ports.empty()) {
      add(BPF_LD | BPF_H | BPF_ABS, v4_fragment);
      when(BPF_JSET, 0x1FFF, whole_packet);
      add(BPF_LDX | BPF_B | BPF_MSH, 0);
      for (const std::uint32_t place : {0U, 2U}) {
        add(BPF_LD | BPF_H | BPF_IND, place);
        for (const auto port : ports) when(BPF_JEQ, port, whole_packet);
      }
      add(BPF_RET | BPF_K, 0);
    }
    add(BPF_RET | BPF_K, whole_packet);
  }

  void version_6(const std::vector<std::uint16_t>& ports) {
    if (!ports.empty()) {
      add(BPF_LD | BPF_B | BPF_ABS, v6_next);
      unless(BPF_JEQ, tcp_number, whole_packet);
      for (const std::uint32_t place : {v6_header, v6_header + 2}) {
        add(BPF_LD | BPF_H | BPF_ABS, place);
        for (const auto port : ports) when(BPF_JEQ, port, whole_packet);
      }
      add(BPF_RET | BPF_K, 0);
    }
    add(BPF_RET | BPF_K, whole_packet);
  }

  void add(unsigned code, std::uint32_t value) {
    code_.push_back({static_cast<std::uint16_t>(code), 0, 0, value});
  }
  /// Returns `result` when the test holds, else goes on; and the reverse.
  void when(unsigned test, std::uint32_t value, std::uint32_t result) {
    code_.push_back({static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), 0, 1, value});
    add(BPF_RET | BPF_K, result);
  }
  void unless(unsigned test, std::uint32_t value, std::uint32_t result) {
    code_.push_back({static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), 1, 0, value});
    add(BPF_RET | BPF_K, result);
  }
  /// A jump far ahead, to be aimed later; goes on when the test does not hold.
  std::size_t jump(unsigned test, std::uint32_t value) {
    code_.push_back({static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), 0, 1, value});
    code_.push_back({static_cast<std::uint16_t>(BPF_JMP | BPF_JA), 0, 0, 0});
    return code_.size() - 1;
  }
  void aim_true(std::size_t at, std::size_t to) { code_[at].k = static_cast<std::uint32_t>(to - at - 1); }

  std::vector<sock_filter> code_{};
};

}  // namespace

class live_capture::work {
 public:
  explicit work(const live_settings& how) : socket_(::socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    if (socket_ < 0) fail("cannot capture");
    try {
      prepare(how);
    } catch (...) {
      ::close(socket_);
      throw;
    }
  }
  ~work() { ::close(socket_); }
  work(const work&) = delete;
  work& operator=(const work&) = delete;

  const packet* next(std::chrono::milliseconds patience) {
    pollfd ready{socket_, POLLIN, 0};
    for (;;) {
      if (const auto* found = receive()) return found;
      const int n = ::poll(&ready, 1, static_cast<int>(patience.count()));
      if (n == 0 || (n < 0 && errno == EINTR)) return nullptr;
      if (n < 0) fail("waiting for packets");
    }
  }

  live_counts counts() {
    tpacket_stats stats{};
    socklen_t size = sizeof stats;
    // The kernel begins anew with each call.
    if (::getsockopt(socket_, SOL_PACKET, PACKET_STATISTICS, &stats, &size) == 0)
      counts_.dropped += stats.tp_drops;
    return counts_;
  }

 private:
  // Bound last: what came before the filter stood would be anything.
  void prepare(const live_settings& how) {
    auto code = filter_writer{}.write(how.ports);
    sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
    if (::setsockopt(socket_, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) != 0)
      fail("the capture filter");
    const int on = 1;
    if (::setsockopt(socket_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0) fail("the kernel's times");
    const int room = static_cast<int>(how.buffer_bytes);
    if (::setsockopt(socket_, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0) {
      (void)::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    }
    sockaddr_ll where{};
    where.sll_family = AF_PACKET;
    where.sll_protocol = htons(ETH_P_ALL);
    if (how.interface != "any") {
      where.sll_ifindex = static_cast<int>(::if_nametoindex(how.interface.c_str()));
      if (where.sll_ifindex == 0) fail("interface " + how.interface);
    }
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0)
      fail("interface " + how.interface);
  }

  const packet* receive() {
    for (;;) {
      sockaddr_ll from{};
      iovec bytes{buffer_.data(), buffer_.size()};
      alignas(cmsghdr) std::array<char, 256> control{};
      msghdr message{};
      message.msg_name = &from;
      message.msg_namelen = sizeof from;
      message.msg_iov = &bytes;
      message.msg_iovlen = 1;
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      const auto size = ::recvmsg(socket_, &message, MSG_DONTWAIT | MSG_TRUNC);
      if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return nullptr;
      if (size < 0) fail("reading packets");
      // The loopback shows each packet going out and coming in.
      if (from.sll_hatype == ARPHRD_LOOPBACK && from.sll_pkttype == PACKET_OUTGOING) continue;
      const auto whole = static_cast<std::size_t>(size);
      packet_ = {stamp_of(message),
                 link_type::raw_ip,
                 static_cast<std::uint32_t>(from.sll_ifindex),
                 static_cast<std::uint32_t>(whole),
                 {buffer_.data(), std::min(whole, buffer_.size())}};
      ++counts_.packets;
      return &packet_;
    }
  }

  static clock::stamp stamp_of(msghdr& message) {
    for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SO_TIMESTAMPNS) continue;
      timespec when{};
      std::memcpy(&when, CMSG_DATA(c), sizeof when);
      return clock::stamp{std::int64_t{when.tv_sec} * 1'000'000'000 + when.tv_nsec};
    }
    return {};
  }

  int socket_;
  std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(1U << 17U);
  packet packet_{};
  live_counts counts_{};
};

live_capture::live_capture(const live_settings& how) : work_(std::make_unique<work>(how)) {}
live_capture::~live_capture() = default;

const packet* live_capture::next(std::chrono::milliseconds patience) { return work_->next(patience); }
live_counts live_capture::counts() { return work_->counts(); }

}  // namespace wire::capture
