// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace wire::host {

/// One thing that was read from this machine, or was not: absent is "not known here", never "off" or zero.
template <class T>
struct fact {
  std::optional<T> value{};
  /// Where it was read: a path, "ethtool netlink", "rtnetlink". Empty when it is absent.
  std::string source{};

  fact() = default;
  /// Absent when `is` is, and then without a source.
  fact(std::optional<T> is, std::string from) : value{std::move(is)} {
    if (value) source = std::move(from);
  }

  bool known() const noexcept { return value.has_value(); }
  const T& operator*() const noexcept { return *value; }
  const T* operator->() const noexcept { return &*value; }

  /// Known, and equal to `other`.
  bool is(const T& other) const { return value == other; }
};

/// An offload of a network adapter.
struct offload {
  bool on{};
  bool fixed{};  ///< this driver on this host cannot change it

  friend bool operator==(const offload&, const offload&) = default;
};

}  // namespace wire::host
