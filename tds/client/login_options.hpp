// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/connect_params.hpp>
#include <tds/session/login.hpp>

namespace tds::client {

/// What the session's login needs of the caller's parameters; fills in this machine's name and process id.
session::login_options login_options_of(const connect_params& params);

}  // namespace tds::client
