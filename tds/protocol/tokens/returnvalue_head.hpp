// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/result_extras.hpp>
#include <tds/protocol/tokens/tokens.hpp>

// Used by the tokens' own sources only.

namespace tds::protocol {

/// Everything of a RETURNVALUE up to its value, which may be long and arrive in many pieces.
returnvalue read_returnvalue_head(bytes::reader& in, tds_version version, bool encryption);

}  // namespace tds::protocol
