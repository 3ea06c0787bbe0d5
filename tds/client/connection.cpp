// SPDX-License-Identifier: BSL-1.0
#include <tds/client/connection.hpp>
#include <tds/client/driver.hpp>

namespace tds {

std::string_view name_of(encryption e) noexcept {
  switch (e) {
    case encryption::none:
      return "none";
    case encryption::login_only:
      return "login-only";
    case encryption::full:
      return "full";
    case encryption::strict:
      return "strict";
  }
  return "unknown";
}

connection::connection(executor_type executor)
    : driver_(std::make_shared<client::driver>(std::move(executor))) {}
connection::connection(connection&&) noexcept = default;

connection& connection::operator=(connection&& other) noexcept {
  if (this != &other) {
    if (driver_) driver_->abandon();
    driver_ = std::move(other.driver_);
  }
  return *this;
}

connection::~connection() {
  if (driver_) driver_->abandon();
}

connection::executor_type connection::get_executor() const noexcept { return driver_->executor(); }
bool connection::is_open() const noexcept { return driver_->is_open(); }
const diagnostics& connection::diag() const noexcept { return driver_->diag(); }
const connection_info& connection::info() const noexcept { return driver_->info(); }
const wire::exchange::connection_timing& connection::timing() const noexcept { return driver_->timing(); }
const wire::exchange::exchange& connection::last_exchange() const noexcept { return driver_->exchange(); }

void connection::start_connect(connect_params params, any_handler handler) {
  driver_->connect(std::move(params), std::move(handler));
}

void connection::start_execute(std::string_view sql, response_handler& sink, request_options options,
                               any_handler handler) {
  driver_->execute(sql, sink, options.timeout, std::move(handler));
}

void connection::start_close(any_handler handler) { driver_->close(std::move(handler)); }

}  // namespace tds
