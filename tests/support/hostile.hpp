// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/token_stream.hpp>

#include <cstddef>

// What every response must withstand, for use on vectors and recordings alike.

namespace wiregap_test {

/// Reads all of a message at once, values included, and drops what it reads; true when it ended without an
/// error. The error, if any, must name an offset inside the message: failures are reported through
/// GoogleTest.
bool survives(tds::protocol::token_stream& stream, tds::bytes::byte_span payload);

/// Every `step`th strict prefix of a good message says need_more, and incomplete once the message has ended,
/// unless it ends between two tokens.
void check_prefixes(tds::protocol::token_stream& stream, tds::bytes::byte_span payload, std::size_t step);

/// Every `step`th byte of a message replaced by each of `values` other values ends in tokens or in an error.
void check_corruptions(tds::protocol::token_stream& stream, tds::bytes::byte_span payload, std::size_t step,
                       std::size_t values);

}  // namespace wiregap_test
