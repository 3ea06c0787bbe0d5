// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/fact.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace wiregap_test {

/// A made-up fact.
template <class T>
wire::host::fact<T> set(T value) {
  return {std::move(value), "test"};
}
inline wire::host::fact<std::string> set(const char* text) { return {std::string{text}, "test"}; }
inline wire::host::fact<std::uint64_t> set(int number) {
  return {static_cast<std::uint64_t>(number), "test"};
}

}  // namespace wiregap_test
