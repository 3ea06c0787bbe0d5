// SPDX-License-Identifier: BSL-1.0
#include "process.hpp"

#include <windows.h>

#include <array>

namespace wiregap::process {

namespace {

struct sid {
  explicit sid(WELL_KNOWN_SID_TYPE which) noexcept {
    DWORD size = sizeof bytes;
    is_known = ::CreateWellKnownSid(which, nullptr, bytes.data(), &size) != 0;
  }
  alignas(void*) std::array<unsigned char, SECURITY_MAX_SID_SIZE> bytes{};
  bool is_known = false;
};

// The user may see that this process runs, wait for it and end it; the system may do anything. Without an
// entry for the owner he could give himself the rest back. Only administrators who debug get past it.
void deny_others() noexcept {
  constexpr DWORD harmless = PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_TERMINATE | SYNCHRONIZE;
  sid owner{WinCreatorOwnerRightsSid};
  sid system{WinLocalSystemSid};
  alignas(ACL) std::array<unsigned char, 256> memory{};
  auto* list = reinterpret_cast<PACL>(memory.data());
  SECURITY_DESCRIPTOR descriptor{};
  if (!owner.is_known || !system.is_known || ::InitializeAcl(list, sizeof memory, ACL_REVISION) == 0 ||
      ::AddAccessAllowedAce(list, ACL_REVISION, harmless, owner.bytes.data()) == 0 ||
      ::AddAccessAllowedAce(list, ACL_REVISION, PROCESS_ALL_ACCESS, system.bytes.data()) == 0 ||
      ::InitializeSecurityDescriptor(&descriptor, SECURITY_DESCRIPTOR_REVISION) == 0 ||
      ::SetSecurityDescriptorDacl(&descriptor, TRUE, list, FALSE) == 0) {
    return;
  }
  ::SetKernelObjectSecurity(::GetCurrentProcess(),
                            DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION, &descriptor);
}

}  // namespace

void keep_memory_private() noexcept {
  // A crash ends the process without error reporting, which writes what is a core dump elsewhere.
  ::SetErrorMode(::GetErrorMode() | SEM_NOGPFAULTERRORBOX);
  deny_others();
}

}  // namespace wiregap::process
