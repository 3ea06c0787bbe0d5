// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/registry_windows.hpp>
#include <wire/host/detail/wmi_windows.hpp>

#include <windows.h>

namespace wire::host::detail {
namespace {

std::string source_of(const std::wstring& key, const std::wstring& value) {
  return "HKLM\\" + to_utf8(key.c_str()) + "\\" + to_utf8(value.c_str());
}

}  // namespace

fact<std::uint64_t> registry_number(const std::wstring& key, const std::wstring& value) {
  DWORD number = 0;
  DWORD size = sizeof number;
  if (::RegGetValueW(HKEY_LOCAL_MACHINE, key.c_str(), value.c_str(), RRF_RT_REG_DWORD, nullptr, &number,
                     &size) != ERROR_SUCCESS) {
    return {};
  }
  return {number, source_of(key, value)};
}

fact<std::string> registry_text(const std::wstring& key, const std::wstring& value) {
  DWORD size = 0;
  if (::RegGetValueW(HKEY_LOCAL_MACHINE, key.c_str(), value.c_str(), RRF_RT_REG_SZ, nullptr, nullptr,
                     &size) != ERROR_SUCCESS) {
    return {};
  }
  std::wstring text(size / sizeof(wchar_t) + 1, L'\0');
  if (::RegGetValueW(HKEY_LOCAL_MACHINE, key.c_str(), value.c_str(), RRF_RT_REG_SZ, nullptr, text.data(),
                     &size) != ERROR_SUCCESS) {
    return {};
  }
  return {to_utf8(text.c_str()), source_of(key, value)};
}

}  // namespace wire::host::detail
