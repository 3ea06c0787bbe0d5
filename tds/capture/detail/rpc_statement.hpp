// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/capture/statement.hpp>

namespace tds::capture::detail {

/// Of an RPC request (MS-TDS 2.2.6.6) without its ALL_HEADERS: the first procedure that it calls.
request_text rpc_text(bytes::byte_span body, protocol::tds_version version);

}  // namespace tds::capture::detail
