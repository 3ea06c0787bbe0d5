// SPDX-License-Identifier: BSL-1.0
#include <bench/micro/allocations.hpp>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t count = 0;

}  // namespace

namespace bench {

std::size_t allocations() noexcept { return count; }

}  // namespace bench

void* operator new(std::size_t size) {
  ++count;
  if (void* block = std::malloc(std::max<std::size_t>(size, 1))) return block;
  throw std::bad_alloc{};
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
