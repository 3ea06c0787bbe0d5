// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/hypervisor.hpp>

#include <algorithm>
#include <cstring>

namespace wire::host::detail {
namespace {

constexpr std::uint32_t first_leaf = 0x40000000;
constexpr std::uint32_t last_leaf = 0x40010000;  // as far as Xen's guests look for it
constexpr std::uint32_t hypervisor_bit = 1U << 31U;

struct known_name {
  std::string_view text;
  std::string_view name;
};

constexpr std::string_view hyper_v_signature = "Microsoft Hv";

constexpr std::array signatures_known{
    known_name{"VMwareVMware", "VMware"},  known_name{"KVMKVMKVM", "KVM"},
    known_name{"Linux KVM Hv", "KVM"},     known_name{hyper_v_signature, "Hyper-V"},
    known_name{"XenVMMXenVMM", "Xen"},     known_name{"VBoxVBoxVBox", "VirtualBox"},
    known_name{"TCGTCGTCGTCG", "QEMU"},    known_name{"bhyve bhyve", "bhyve"},
    known_name{"prl hyperv", "Parallels"}, known_name{" lrpepyh  vr", "Parallels"},
    known_name{"ACRNACRNACRN", "ACRN"},
};

constexpr std::array vendors_known{
    known_name{"VMware", "VMware"},
    known_name{"innotek", "VirtualBox"},
    known_name{"Xen", "Xen"},
    known_name{"QEMU", "KVM"},
    known_name{"Amazon EC2", "Amazon EC2"},
    known_name{"Google", "Google Compute Engine"},
    known_name{"Parallels", "Parallels"},
};

std::string signature_of(const cpuid_registers& registers) {
  std::array<char, 12> text{};
  std::memcpy(text.data(), registers.data() + 1, text.size());
  std::string out(text.begin(), text.end());
  while (!out.empty() && (out.back() == '\0' || out.back() == ' ')) out.pop_back();
  const bool readable = std::ranges::all_of(out, [](char c) { return c >= 0x20 && c < 0x7F; });
  return readable ? out : std::string{};
}

std::string name_of_signature(const std::string& signature) {
  const auto found = std::ranges::find(signatures_known, signature, &known_name::text);
  return std::string{found == signatures_known.end() ? std::string_view{signature} : found->name};
}

}  // namespace

std::vector<std::string> hypervisor_signatures(const cpuid_function& ask) {
  std::vector<std::string> out;
  if ((ask(1)[2] & hypervisor_bit) == 0) return out;
  for (auto leaf = first_leaf; leaf < last_leaf; leaf += 0x100) {
    auto signature = signature_of(ask(leaf));
    // A leaf out of range answers with some other leaf's data.
    if (signature.empty() || std::ranges::find(out, signature) != out.end()) break;
    out.push_back(std::move(signature));
  }
  return out;
}

std::string hypervisor_name(const std::vector<std::string>& signatures, std::string_view vendor,
                            std::string_view product) {
  // VirtualBox gives itself out for KVM so that Linux takes its clock.
  if (vendor.starts_with("innotek")) return "VirtualBox";
  for (const auto& signature : signatures) {
    if (signature != hyper_v_signature) return name_of_signature(signature);
  }
  if (!signatures.empty()) return name_of_signature(signatures.front());
  if (vendor.starts_with("Microsoft") && product == "Virtual Machine") return "Hyper-V";
  for (const auto& known : vendors_known) {
    if (vendor.starts_with(known.text)) return std::string{known.name};
  }
  return {};
}

void identify_hypervisor(const cpuid_function& ask, machine& into) {
  const auto signatures = hypervisor_signatures(ask);
  auto name = hypervisor_name(signatures, into.vendor.value.value_or(""), into.product.value.value_or(""));
  if (!name.empty()) into.hypervisor = {std::move(name), signatures.empty() ? "DMI" : "CPUID"};
  if (signatures.empty()) return;
  std::string all;
  for (const auto& signature : signatures) all += (all.empty() ? "" : ", ") + signature;
  into.hypervisor_signature = {std::move(all), "CPUID"};
}

}  // namespace wire::host::detail
