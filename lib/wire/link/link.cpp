// SPDX-License-Identifier: BSL-1.0
#include <wire/link/link.hpp>

#include <thread>

namespace wire::link {

std::string link::address(side which) { return which == side::client ? "10.77.0.1" : "10.77.0.2"; }

void link::on_thread_in(side which, const std::function<void()>& work) const {
  std::exception_ptr failure;
  std::thread inside{[&] {
    try {
      enter(which);
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  }};
  inside.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace wire::link
