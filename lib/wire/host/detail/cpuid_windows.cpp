// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/hypervisor.hpp>

#if defined(_M_X64) || defined(_M_IX86)
#include <intrin.h>
#endif

namespace wire::host::detail {

cpuid_registers cpuid([[maybe_unused]] std::uint32_t leaf) noexcept {
  cpuid_registers out{};
#if defined(_M_X64) || defined(_M_IX86)
  int registers[4]{};
  ::__cpuid(registers, static_cast<int>(leaf));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint32_t>(registers[i]);
#endif
  return out;
}

}  // namespace wire::host::detail
