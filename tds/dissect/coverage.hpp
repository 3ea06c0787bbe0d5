// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/dissect/message.hpp>

#include <cstdint>

namespace tds::dissect {

/// What of a message is a secret.
enum class secret_policy : std::uint8_t {
  marked,     ///< what the decoder marked
  unclaimed,  ///< that, and every byte that no field claims
};

/// Adds an annotation for every byte of the payload that has none: what stands round the values of a row
/// (lengths, text pointers), what no field of a LOGIN7 claims, what is left behind an error. Then marks as
/// secret whatever shares a byte with a secret: two parts of a LOGIN7 may overlap.
void cover_gaps(message& found, secret_policy secrets);

}  // namespace tds::dissect
