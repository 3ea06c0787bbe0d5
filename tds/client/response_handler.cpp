// SPDX-License-Identifier: BSL-1.0
#include <tds/client/response_handler.hpp>

namespace tds {

bool response_handler::on_columns(const metadata_ptr&) { return true; }
bool response_handler::on_row(const row&) { return true; }
bool response_handler::on_done(const done&) { return true; }
bool response_handler::on_message(const server_message&) { return true; }
bool response_handler::on_return_status(std::int32_t) { return true; }
bool response_handler::on_return_value(const protocol::returnvalue&) { return true; }

}  // namespace tds
