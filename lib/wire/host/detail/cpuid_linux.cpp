// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/hypervisor.hpp>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace wire::host::detail {

cpuid_registers cpuid([[maybe_unused]] std::uint32_t leaf) noexcept {
  cpuid_registers out{};
#if defined(__x86_64__) || defined(__i386__)
  // Not __get_cpuid: that one refuses the hypervisors' leaves, which lie above the processor's own.
  __cpuid(leaf, out[0], out[1], out[2], out[3]);
#endif
  return out;
}

}  // namespace wire::host::detail
