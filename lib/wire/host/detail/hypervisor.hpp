// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/settings.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wire::host::detail {

/// EAX, EBX, ECX, EDX of a CPUID leaf.
using cpuid_registers = std::array<std::uint32_t, 4>;
using cpuid_function = std::function<cpuid_registers(std::uint32_t leaf)>;

/// This processor's; all zero where there is no such instruction.
cpuid_registers cpuid(std::uint32_t leaf) noexcept;

/// What hypervisors say they are, at leaf 0x40000000 and each 0x100 above: one that also speaks Hyper-V's
/// language to its guests puts "Microsoft Hv" first and itself behind. Empty on bare metal.
std::vector<std::string> hypervisor_signatures(const cpuid_function& ask);

/// The hypervisor's usual name from the signatures, and where there are none, from the DMI vendor and
/// product. Empty when none is known; an unknown signature is its own name.
std::string hypervisor_name(const std::vector<std::string>& signatures, std::string_view vendor,
                            std::string_view product);

/// Sets hypervisor and hypervisor_signature; vendor and product have been read before.
void identify_hypervisor(const cpuid_function& ask, machine& into);

}  // namespace wire::host::detail
