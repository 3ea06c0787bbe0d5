// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/hypervisor.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <map>

namespace {

using namespace wire::host::detail;
using strings = std::vector<std::string>;

/// A processor on which these hypervisors show themselves, the first at 0x40000000.
cpuid_function processor(strings signatures) {
  return [signatures = std::move(signatures)](std::uint32_t leaf) {
    cpuid_registers out{};
    if (leaf == 1 && !signatures.empty()) out[2] = 1U << 31U;
    const auto index = leaf >= 0x40000000 ? (leaf - 0x40000000) / 0x100 : signatures.size();
    if (index < signatures.size()) std::memcpy(&out[1], signatures[index].data(), signatures[index].size());
    return out;
  };
}

TEST(Hypervisor, BareMetalHasNone) {
  EXPECT_TRUE(hypervisor_signatures(processor({})).empty());
  EXPECT_EQ(hypervisor_name({}, "Dell Inc.", "PowerEdge R750"), "");
}

TEST(Hypervisor, SaysWhatItIs) {
  EXPECT_EQ(hypervisor_signatures(processor({"VMwareVMware"})), strings{"VMwareVMware"});
  EXPECT_EQ(hypervisor_signatures(processor({"KVMKVMKVM"})), strings{"KVMKVMKVM"});
  const std::map<std::string, std::string> names{
      {"VMwareVMware", "VMware"}, {"KVMKVMKVM", "KVM"},     {"Microsoft Hv", "Hyper-V"},
      {"XenVMMXenVMM", "Xen"},    {"bhyve bhyve", "bhyve"}, {"SomethingNew", "SomethingNew"}};
  for (const auto& [signature, name] : names) EXPECT_EQ(hypervisor_name({signature}, "", ""), name);
}

/// KVM, Xen and VMware may speak Hyper-V's language first, for Windows' sake.
TEST(Hypervisor, IsNotHyperVForSpeakingItsLanguage) {
  const auto found = hypervisor_signatures(processor({"Microsoft Hv", "KVMKVMKVM"}));
  EXPECT_EQ(found, (strings{"Microsoft Hv", "KVMKVMKVM"}));
  EXPECT_EQ(hypervisor_name(found, "QEMU", ""), "KVM");
}

/// Leaves out of range answer with the data of another.
TEST(Hypervisor, ALeafThatRepeatsAnotherEndsTheSearch) {
  const auto always = [](std::uint32_t leaf) {
    cpuid_registers out{};
    std::memcpy(&out[1], "XenVMMXenVMM", 12);
    if (leaf == 1) out[2] = 1U << 31U;
    return out;
  };
  EXPECT_EQ(hypervisor_signatures(always).size(), 1U);
}

TEST(Hypervisor, WithoutCpuidDmiTells) {
  EXPECT_EQ(hypervisor_name({}, "VMware, Inc.", "VMware20,1"), "VMware");
  EXPECT_EQ(hypervisor_name({}, "Microsoft Corporation", "Virtual Machine"), "Hyper-V");
  EXPECT_EQ(hypervisor_name({}, "Microsoft Corporation", "Surface Pro"), "");
  EXPECT_EQ(hypervisor_name({}, "Amazon EC2", "m6g.large"), "Amazon EC2");
  EXPECT_EQ(hypervisor_name({"KVMKVMKVM"}, "innotek GmbH", "VirtualBox"), "VirtualBox");
}

TEST(Hypervisor, FillsTheMachinesFacts) {
  wire::host::machine machine;
  identify_hypervisor(processor({"Microsoft Hv", "KVMKVMKVM"}), machine);
  EXPECT_EQ(machine.hypervisor.value, "KVM");
  EXPECT_EQ(machine.hypervisor_signature.value, "Microsoft Hv, KVMKVMKVM");
  EXPECT_EQ(machine.hypervisor.source, "CPUID");
}

}  // namespace
