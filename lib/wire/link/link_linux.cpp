// SPDX-License-Identifier: BSL-1.0
#include <wire/clock/wall_clock.hpp>
#include <wire/host/process.hpp>
#include <wire/link/detail/descriptor_linux.hpp>
#include <wire/link/detail/network_namespace_linux.hpp>
#include <wire/link/detail/tun_linux.hpp>
#include <wire/link/duplex.hpp>
#include <wire/link/link.hpp>
#include <wire/link/pcapng.hpp>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <system_error>

#include <array>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <thread>

namespace wire::link {
namespace {

using clock::stamp;

const std::string prefix = "wiregap-";
// Packets read from one side before what is due is done and the other side has its turn.
constexpr int batch = 64;

std::string next_name() {
  static std::atomic<unsigned> links{0};
  return prefix + std::to_string(host::process_id()) + "-" + std::to_string(++links) + "-";
}

// A file that may not be there.
class capture {
 public:
  void open(const std::string& path, side which) {
    if (path.empty()) return;
    file_.open(path, std::ios::binary | std::ios::trunc);
    if (!file_) throw link_error{path + ": cannot be written"};
    writer_.emplace(file_, name_of(which), "wiregap link");
  }
  void write(std::span<const std::uint8_t> packet, const clock::anchor& clocks, bool leaving) {
    if (!writer_) return;
    writer_->write(packet, clocks.at(stamp::now()).time_since_epoch(), leaving);
  }
  bool close() {
    if (!writer_) return true;
    writer_.reset();
    file_.close();
    return !file_.fail();
  }

 private:
  std::ofstream file_;
  std::optional<pcapng_writer> writer_;
};

}  // namespace

struct link::running final : outlet {
  explicit running(const link_settings& settings)
      : name{next_name()},
        spaces{{detail::network_namespace{name + "client"}, detail::network_namespace{name + "server"}}},
        book{settings.ledger_entries},
        current{settings.to_server, settings.to_client},
        path{settings.to_server, settings.to_client, *this, book, stamp::now()} {
    captures[0].open(settings.client_capture, side::client);
    captures[1].open(settings.server_capture, side::server);
    if (!settings.ledger_file.empty()) {
      ledger_file.open(settings.ledger_file, std::ios::trunc);
      if (!ledger_file) throw link_error{settings.ledger_file + ": cannot be written"};
      book.set_listener([this](const ledger_entry& entry) { ledger_file << to_json(entry) << '\n'; });
    }
    for (const auto which : {side::client, side::server}) {
      std::exception_ptr failure;
      std::thread{[&] {
        try {
          prepare(which, settings);
        } catch (...) {
          failure = std::current_exception();
        }
      }}.join();
      if (failure) std::rethrow_exception(failure);
    }
    wake = detail::descriptor{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    timer = detail::descriptor{::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)};
    if (!wake || !timer) throw link_error{"no file descriptors are left for the link"};
    thread = std::thread{[this] { forward(); }};
  }

  ~running() override { stop(); }

  // On a thread inside the namespace of `which`.
  void prepare(side which, const link_settings& settings) {
    spaces[index_of(which)].enter();
    // No neighbours to be solicited, and what one connection learns of the path does not reach the next.
    detail::set_kernel_parameter("net.ipv6.conf.all.disable_ipv6", "1");
    detail::set_kernel_parameter("net.ipv6.conf.default.disable_ipv6", "1");
    detail::set_kernel_parameter("net.ipv4.tcp_no_metrics_save", "1");
    for (const auto& [key, value] : settings.sysctls) detail::set_kernel_parameter(key, value);
    tuns[index_of(which)] = detail::open_tun(address(which));
  }

  void deliver(side to, std::span<const std::uint8_t> packet, stamp) override {
    detail::write_packet(tuns[index_of(to)], packet);
  }

  void seen(side at_side, bool leaving, std::span<const std::uint8_t> packet, stamp) override {
    captures[index_of(at_side)].write(packet, clocks, leaving);
  }

  void forward() {
    // Signals are for the program's own threads. A late forwarder is a fault that no ledger has: it goes
    // before the work that it measures, where that is allowed.
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    const sched_param urgent{1};
    ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &urgent);
    try {
      while (!ending) {
        wait();
        const std::lock_guard lock{mutex};
        carry();
      }
    } catch (const std::exception& error) {
      const std::lock_guard lock{mutex};
      trouble = error.what();
    }
  }

  void carry() {
    for (bool more = true; more;) {
      more = false;
      for (const auto from : {side::client, side::server}) more = read_batch(from) || more;
      path.run(stamp::now());
    }
    set_timer(path.next_due());
  }

  bool read_batch(side from) {
    for (int i = 0; i < batch; ++i) {
      const auto size = detail::read_packet(tuns[index_of(from)], buffer);
      if (size == 0) return false;
      const auto now = stamp::now();
      // What is due before it comes first: times do not go back.
      path.run(now);
      path.offer(from, octets(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size)), now);
    }
    return true;
  }

  void set_timer(stamp due) {
    if (due == armed) return;
    armed = due;
    itimerspec when{};
    if (due.known()) {
      when.it_value.tv_sec = due.ns() / 1'000'000'000;
      when.it_value.tv_nsec = due.ns() % 1'000'000'000;
    }
    ::timerfd_settime(timer.get(), TFD_TIMER_ABSTIME, &when, nullptr);
  }

  void wait() {
    std::array<pollfd, 4> fds{pollfd{tuns[0].get(), POLLIN, 0}, pollfd{tuns[1].get(), POLLIN, 0},
                              pollfd{wake.get(), POLLIN, 0}, pollfd{timer.get(), POLLIN, 0}};
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) {
      throw link_error{"poll: " + std::generic_category().message(errno)};
    }
    std::uint64_t count = 0;
    for (const auto& fd : {fds[2], fds[3]}) {
      if ((fd.revents & POLLIN) == 0) continue;
      if (::read(fd.fd, &count, sizeof count) > 0 && fd.fd == timer.get()) armed = stamp{};
    }
  }

  void wake_up() const {
    const std::uint64_t one = 1;
    // Fails only where it is already awake.
    if (::write(wake.get(), &one, sizeof one) < 0) return;
  }

  void stop() {
    if (thread.joinable()) {
      ending = true;
      wake_up();
      thread.join();
    }
    const std::lock_guard lock{mutex};
    for (auto& each : captures) {
      if (!each.close() && trouble.empty()) trouble = "a capture could not be written to its end";
    }
    ledger_file.close();
    book.set_listener({});
  }

  std::string name;
  std::array<detail::network_namespace, 2> spaces;
  std::array<detail::descriptor, 2> tuns;
  detail::descriptor wake;
  detail::descriptor timer;
  stamp armed;
  clock::anchor clocks = clock::anchor::take();
  std::array<std::uint8_t, 65536> buffer{};

  mutable std::mutex mutex;  // of all that follows, and of what path calls
  std::array<capture, 2> captures;
  std::ofstream ledger_file;
  ledger book;
  std::array<impairment, 2> current;
  duplex path;
  std::string trouble;
  std::atomic<bool> ending{false};
  std::thread thread;
};

std::string link::why_not() {
  if (::geteuid() != 0) {
    return "the impaired link makes network namespaces, which only root may: run it as root (sudo)";
  }
  if (::access("/dev/net/tun", R_OK | W_OK) != 0) {
    return "the impaired link needs /dev/net/tun, which is not there: load the module (modprobe tun), or "
           "give it to "
           "the container (--device /dev/net/tun)";
  }
  return {};
}

link::link(const link_settings& settings) {
  if (auto reason = why_not(); !reason.empty()) throw link_error{reason};
  detail::remove_stale_namespaces(prefix);
  running_ = std::make_unique<running>(settings);
}

link::~link() = default;

const std::string& link::namespace_of(side which) const noexcept {
  return running_->spaces[index_of(which)].name();
}

void link::set(direction way, const impairment& wanted) {
  const std::lock_guard lock{running_->mutex};
  const auto now = stamp::now();
  running_->path.run(now);
  running_->path.set(way, wanted, now);
  running_->current[index_of(way)] = wanted;
  running_->wake_up();
}

impairment link::current(direction way) const {
  const std::lock_guard lock{running_->mutex};
  return running_->current[index_of(way)];
}

void link::pause(nanoseconds length) {
  const std::lock_guard lock{running_->mutex};
  running_->path.pause(length, stamp::now());
  running_->wake_up();
}

void link::enter(side which) const { running_->spaces[index_of(which)].enter(); }

std::vector<ledger_entry> link::entries(std::size_t from) const {
  const std::lock_guard lock{running_->mutex};
  const auto& all = running_->book.entries();
  if (from >= all.size()) return {};
  return {all.begin() + static_cast<std::ptrdiff_t>(from), all.end()};
}

std::uint64_t link::count(deed what) const {
  const std::lock_guard lock{running_->mutex};
  return running_->book.count(what);
}

std::string link::problem() const {
  const std::lock_guard lock{running_->mutex};
  return running_->trouble;
}

void link::stop() { running_->stop(); }

}  // namespace wire::link
