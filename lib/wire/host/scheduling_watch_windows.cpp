// SPDX-License-Identifier: BSL-1.0
#include "detail/scheduler.hpp"

#include <boost/system/errc.hpp>
#include <windows.h>  // with timeapi.h, which cannot come before it

#include <algorithm>
#include <cstdint>
#include <utility>

namespace wire::host::detail {
namespace {

// Windows 10 1803 and later; older headers do not name it.
constexpr DWORD high_resolution = 0x00000002;
constexpr UINT finest_period = 1;  // ms

}  // namespace

ticker::ticker() : timer_{::CreateWaitableTimerExW(nullptr, nullptr, high_resolution, TIMER_ALL_ACCESS)} {
  if (timer_ != nullptr) return;
  // Before that a timer fires with the system's tick, which is 15.6 ms unless somebody asks for less.
  raised_ = ::timeBeginPeriod(finest_period) == TIMERR_NOERROR;
  timer_ = ::CreateWaitableTimerExW(nullptr, nullptr, 0, TIMER_ALL_ACCESS);
}

ticker::~ticker() {
  if (timer_ != nullptr) ::CloseHandle(timer_);
  if (raised_) ::timeEndPeriod(finest_period);
}

void ticker::sleep_until(clock::stamp when) noexcept {
  // Timers know relative times and those of the wall clock; steady_clock is neither.
  const auto left = when.ns() - clock::stamp::now().ns();
  if (left <= 0) return;
  LARGE_INTEGER due{};
  due.QuadPart = -std::max<std::int64_t>(left / 100, 1);
  if (timer_ != nullptr && ::SetWaitableTimer(timer_, &due, 0, nullptr, nullptr, FALSE)) {
    ::WaitForSingleObject(timer_, INFINITE);
  } else {
    ::Sleep(static_cast<DWORD>(left / 1'000'000 + 1));
  }
}

run_delay_source::run_delay_source(thread_id, boost::system::error_code& ec) noexcept {
  ec = boost::system::errc::make_error_code(boost::system::errc::not_supported);
}

run_delay_source::~run_delay_source() = default;

run_delay_source::run_delay_source(run_delay_source&& other) noexcept
    : handle_{std::exchange(other.handle_, -1)} {}

run_delay_source& run_delay_source::operator=(run_delay_source&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

std::optional<std::chrono::nanoseconds> run_delay_source::read() const noexcept { return std::nullopt; }

}  // namespace wire::host::detail
