// SPDX-License-Identifier: BSL-1.0
#include <tds/server/connection.hpp>
#include <tds/server/sql/lexer.hpp>

#include <utility>

namespace tds::serving {

bool connection::on_login() {
  if (server_->options.login_delay.count() > 0) {
    start_pause(pause_kind::login, server_->options.login_delay);
  } else {
    judge_login();
  }
  return true;
}

void connection::judge_login() {
  const auto& options = server_->options;
  const auto& user = session_.environment().user;
  if (session_.integrated_login()) {
    ++server_->counters.failed_logins;
    session_.reject_login(
        18452, 14, 1,
        "Login failed. The login is from an untrusted domain and cannot be used with Integrated "
        "authentication.");
    return;
  }
  if (!options.any_user &&
      (!equal_ignoring_case(user, options.user) || !session_.password_is(options.password.reveal()))) {
    ++server_->counters.failed_logins;
    session_.reject_login(18456, 14, 1, "Login failed for user '" + user + "'.");
    return;
  }
  ++server_->counters.logins;
  login_timer_.cancel();
  if (options.route_to) {
    session_.route_login(options.route_to->host, options.route_to->port);
  } else {
    session_.accept_login();
  }
}

}  // namespace tds::serving
