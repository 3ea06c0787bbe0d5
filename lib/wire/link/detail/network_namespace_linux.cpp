// SPDX-License-Identifier: BSL-1.0
#include <wire/link/detail/network_namespace_linux.hpp>
#include <wire/link/link.hpp>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <system_error>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <thread>
#include <utility>

namespace wire::link::detail {
namespace {

// Where iproute2 keeps the names: each is a file that the namespace is mounted on.
const std::string folder = "/run/netns/";
constexpr const char* own_namespace = "/proc/thread-self/ns/net";

[[noreturn]] void fail(const std::string& what, int error) {
  throw link_error{what + ": " + std::generic_category().message(error)};
}

void remove(const std::string& name) noexcept {
  const auto path = folder + name;
  ::umount2(path.c_str(), MNT_DETACH);
  ::unlink(path.c_str());
}

// On a thread that nobody needs afterwards: it stays in the new namespace.
int make(const std::string& path, descriptor& handle) {
  if (::unshare(CLONE_NEWNET) != 0) return errno;
  descriptor file{::open(path.c_str(), O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444)};
  if (!file) return errno;
  if (::mount(own_namespace, path.c_str(), "none", MS_BIND, nullptr) != 0) return errno;
  handle = descriptor{::open(own_namespace, O_RDONLY | O_CLOEXEC)};
  return handle ? 0 : errno;
}

}  // namespace

network_namespace::network_namespace(std::string name) : name_{std::move(name)} {
  if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) fail("cannot make " + folder, errno);
  int error = 0;
  std::thread{[&] { error = make(folder + name_, handle_); }}.join();
  if (error != 0) {
    remove(name_);
    fail("cannot make the network namespace " + name_, error);
  }
}

network_namespace::~network_namespace() { remove(name_); }

void network_namespace::enter() const {
  if (::setns(handle_.get(), CLONE_NEWNET) != 0) fail("cannot enter the network namespace " + name_, errno);
}

void remove_stale_namespaces(std::string_view prefix) {
  std::error_code none;
  std::vector<std::string> stale;
  for (const auto& file : std::filesystem::directory_iterator{folder, none}) {
    const auto name = file.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    pid_t owner = 0;
    const auto* begin = name.data() + prefix.size();
    const auto read = std::from_chars(begin, name.data() + name.size(), owner);
    if (read.ec != std::errc{} || owner <= 0) continue;
    if (::kill(owner, 0) != 0 && errno == ESRCH) stale.push_back(name);
  }
  for (const auto& name : stale) remove(name);
}

void set_kernel_parameter(const std::string& name, const std::string& value) {
  auto path = "/proc/sys/" + name;
  std::replace(path.begin() + 10, path.end(), '.', '/');
  const descriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
  if (!file || ::write(file.get(), value.data(), value.size()) < 0) {
    fail("cannot set " + name + " to " + value, errno);
  }
}

}  // namespace wire::link::detail
