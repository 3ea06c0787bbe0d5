// SPDX-License-Identifier: BSL-1.0
#include "process.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>

namespace wiregap::faults {

namespace {

[[noreturn]] void failed(const char* what) { throw std::system_error{errno, std::generic_category(), what}; }

::timespec spec_of(nanoseconds length) {
  return {static_cast<std::time_t>(length.count() / 1'000'000'000), length.count() % 1'000'000'000};
}

// In a child of a program with threads: system calls only.
[[noreturn]] void stun_for_ever(::pid_t whom, int tell, ::timespec length, ::timespec rest) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;) {
    ::nanosleep(&rest, nullptr);
    std::array<std::int64_t, 2> times{};
    times[0] = wire::clock::stamp::now().ns();
    if (::kill(whom, SIGSTOP) != 0) ::_exit(0);
    ::nanosleep(&length, nullptr);
    if (::kill(whom, SIGCONT) != 0) ::_exit(0);
    times[1] = wire::clock::stamp::now().ns();
    if (::write(tell, times.data(), sizeof times) != sizeof times) ::_exit(0);
  }
}

}  // namespace

struct stunner::impl {
  impl(const stun_fault& of, strike_log& to) : fault{of}, log{to} {
    if (::pipe(ends.data()) != 0) failed("pipe");
    const auto whom = ::getpid();
    child = ::fork();
    if (child < 0) failed("fork");
    if (child == 0) stun_for_ever(whom, ends[1], spec_of(fault.length), spec_of(fault.every - fault.length));
    ::close(ends[1]);
  }
  ~impl() {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    std::array<std::int64_t, 2> times{};
    while (::read(ends[0], times.data(), sizeof times) == sizeof times) {
      log.add({wire::clock::stamp{times[0]}, wire::clock::stamp{times[1]}, &fault.is});
    }
    ::close(ends[0]);
  }

  const stun_fault& fault;
  strike_log& log;
  std::array<int, 2> ends{};
  ::pid_t child = 0;
};

stunner::stunner(const stun_fault& fault, strike_log& log) : impl_{std::make_unique<impl>(fault, log)} {}
stunner::~stunner() = default;

void run_before_others() noexcept {
  const ::sched_param least{::sched_get_priority_min(SCHED_RR)};
  (void)::sched_setscheduler(0, SCHED_RR, &least);
}

int in_a_child(const std::function<int()>& work) {
  const auto child = ::fork();
  if (child < 0) failed("fork");
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::exit(work());
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace wiregap::faults
