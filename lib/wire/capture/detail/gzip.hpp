// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/source.hpp>

namespace wire::capture::detail {

/// `packed` as it is, or unpacked when it begins as gzip does. `name` is for errors.
std::unique_ptr<byte_source> unpacked(std::unique_ptr<byte_source> packed, std::string name);

}  // namespace wire::capture::detail
