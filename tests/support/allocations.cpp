// SPDX-License-Identifier: BSL-1.0
#include "tests/support/allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t count = 0;
thread_local std::size_t largest = 0;

}  // namespace

namespace wiregap_test {

std::size_t allocations() noexcept { return count; }
std::size_t largest_allocation() noexcept { return largest; }
void reset_largest_allocation() noexcept { largest = 0; }

}  // namespace wiregap_test

// Both forms: a sanitizer's own new must never meet the delete below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++count;
  largest = std::max(largest, size);
  return std::malloc(std::max<std::size_t>(size, 1));
}

void* operator new(std::size_t size) {
  if (void* block = ::operator new(size, std::nothrow)) return block;
  throw std::bad_alloc{};
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
