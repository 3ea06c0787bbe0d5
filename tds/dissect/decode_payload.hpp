// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/dissect/dissector.hpp>

namespace tds::dissect {

/// Decodes what `found.payload` holds: sets title, version, fields and error, marks secrets, and adds what
/// the message says of the conversation to `state`. `type`, `from`, `packets` and `payload` are set; `error`
/// is too if the message is not whole; `title` may hold a remark. `after_tls`: a bare TLS record came before
/// it.
void decode_payload(message& found, conversation_state& state, const settings& how, bool after_tls);

}  // namespace tds::dissect
