// SPDX-License-Identifier: BSL-1.0
#include <bench/micro/allocations.hpp>

#include <cerrno>
#include <cstdlib>

// glibc lets a program put its own functions in the place of these and keeps its own under these names. Asio
// takes much of its memory from aligned_alloc, which a count of operator new would miss.
extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* block, std::size_t size);             // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT(bugprone-reserved-identifier)
}

namespace {

thread_local std::size_t count = 0;

}  // namespace

namespace bench {

std::size_t allocations() noexcept { return count; }

}  // namespace bench

extern "C" {

void* malloc(std::size_t size) noexcept {
  ++count;
  return __libc_malloc(size);
}

void* calloc(std::size_t items, std::size_t size) noexcept {
  ++count;
  return __libc_calloc(items, size);
}

void* realloc(void* block, std::size_t size) noexcept {
  ++count;
  return __libc_realloc(block, size);
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++count;
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++count;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  ++count;
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
}
