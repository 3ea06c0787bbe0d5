// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/dissect/message.hpp>

#include <string>

namespace wiregap {

/// A decoded message as one JSON object on one line; offsets are those of the input. A secret has neither
/// bytes nor value.
std::string message_as_json(const tds::dissect::message& found, bool show_secrets);

}  // namespace wiregap
