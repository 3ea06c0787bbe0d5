// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/link/detail/descriptor_linux.hpp>

#include <string>
#include <string_view>

namespace wire::link::detail {

/// A network namespace under a name that `ip netns` knows, gone with the object. All functions throw
/// link_error.
class network_namespace {
 public:
  explicit network_namespace(std::string name);
  ~network_namespace();
  network_namespace(network_namespace&&) = delete;
  network_namespace& operator=(network_namespace&&) = delete;

  const std::string& name() const noexcept { return name_; }

  /// Moves the calling thread into it.
  void enter() const;

 private:
  std::string name_;
  descriptor handle_;
};

/// Removes namespaces whose name begins with `prefix` and a process number that no process has any more.
void remove_stale_namespaces(std::string_view prefix);

/// Sets a kernel parameter ("net.ipv4.tcp_timestamps") in the namespace of the calling thread.
void set_kernel_parameter(const std::string& name, const std::string& value);

}  // namespace wire::link::detail
