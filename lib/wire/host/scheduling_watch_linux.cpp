// SPDX-License-Identifier: BSL-1.0
#include "detail/scheduler.hpp"

#include <boost/system/errc.hpp>
#include <boost/system/system_category.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <utility>

namespace wire::host::detail {
namespace {

using std::chrono::nanoseconds;

int open_schedstat(thread_id thread) noexcept {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%u/schedstat", thread);
  return ::open(path.data(), O_RDONLY | O_CLOEXEC);
}

/// "ran waited slices": nanoseconds on a CPU, nanoseconds runnable without one, how often it was given one.
std::optional<std::array<std::int64_t, 3>> read_schedstat(int file) noexcept {
  std::array<char, 96> text{};
  const auto size = ::pread(file, text.data(), text.size(), 0);
  if (size <= 0) return std::nullopt;
  std::array<std::int64_t, 3> figures{};
  const char* at = text.data();
  const char* const end = at + size;
  for (auto& each : figures) {
    while (at != end && *at == ' ') ++at;
    const auto read = std::from_chars(at, end, each);
    if (read.ec != std::errc{}) return std::nullopt;
    at = read.ptr;
  }
  return figures;
}

/// A kernel that does not count answers "0 0 0", for a thread that is just running too.
bool counts_run_delay() noexcept {
  const int file = open_schedstat(this_thread_id());
  if (file < 0) return false;
  const auto figures = read_schedstat(file);
  ::close(file);
  return figures && (*figures)[2] > 0;
}

}  // namespace

ticker::ticker() = default;
ticker::~ticker() = default;

void ticker::sleep_until(clock::stamp when) noexcept {
  const timespec moment{.tv_sec = when.ns() / 1'000'000'000, .tv_nsec = when.ns() % 1'000'000'000};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nullptr) == EINTR) {
  }
}

run_delay_source::run_delay_source(thread_id thread, boost::system::error_code& ec) noexcept {
  if (!counts_run_delay()) {
    ec = boost::system::errc::make_error_code(boost::system::errc::not_supported);
    return;
  }
  handle_ = open_schedstat(thread);
  if (handle_ >= 0) return;
  ec = errno == ENOENT ? boost::system::errc::make_error_code(boost::system::errc::no_such_process)
                       : boost::system::error_code{errno, boost::system::system_category()};
}

run_delay_source::~run_delay_source() {
  if (handle_ >= 0) ::close(handle_);
}

run_delay_source::run_delay_source(run_delay_source&& other) noexcept
    : handle_{std::exchange(other.handle_, -1)} {}

run_delay_source& run_delay_source::operator=(run_delay_source&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

std::optional<nanoseconds> run_delay_source::read() const noexcept {
  const auto figures = read_schedstat(handle_);
  if (!figures) return std::nullopt;
  return nanoseconds{(*figures)[1]};
}

}  // namespace wire::host::detail
