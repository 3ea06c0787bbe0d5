// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/fact.hpp>

#include <cstdint>
#include <string>

namespace wire::host::detail {

// Values below HKEY_LOCAL_MACHINE; absent when they are not set or of another type.
fact<std::uint64_t> registry_number(const std::wstring& key, const std::wstring& value);
fact<std::string> registry_text(const std::wstring& key, const std::wstring& value);

}  // namespace wire::host::detail
