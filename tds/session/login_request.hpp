// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/packet_splitter.hpp>
#include <tds/session/login.hpp>

#include <string>

namespace tds::session {

/// PRELOGIN as this client sends it, in one packet (under 8.0 it is sent all the same, inside TLS).
error_code write_prelogin_request(protocol::packet_run& out, const login_options& options,
                                  const route& target);

/// LOGIN7 in packets of 4096 bytes, whatever is negotiated later. ServerName is the target's name, be it the
/// caller's or that of the server that routed. `problem` says which field does not fit.
error_code write_login_request(protocol::packet_run& out, const login_options& options, const route& target,
                               std::string& problem);

}  // namespace tds::session
