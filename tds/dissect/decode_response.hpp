// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/dissect/dissector.hpp>

namespace tds::dissect {

/// Decodes `found.payload` as a token stream, as decode_payload() says. LOGINACK and FEATUREEXTACK in it
/// count from the next token on, and for the messages to come.
void decode_response(message& found, conversation_state& state, const settings& how);

}  // namespace tds::dissect
