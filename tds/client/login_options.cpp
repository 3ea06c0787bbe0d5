// SPDX-License-Identifier: BSL-1.0
#include <tds/client/login_options.hpp>
#include <wire/host/process.hpp>

#include <boost/asio/ip/host_name.hpp>

namespace tds::client {

namespace {

protocol::prelogin_encryption wanted(encrypt_mode mode) noexcept {
  switch (mode) {
    case encrypt_mode::disable:
      return protocol::prelogin_encryption::not_sup;
    case encrypt_mode::optional:
      return protocol::prelogin_encryption::off;
    case encrypt_mode::mandatory:
    case encrypt_mode::strict:
      return protocol::prelogin_encryption::on;
  }
  return protocol::prelogin_encryption::on;
}

}  // namespace

session::login_options login_options_of(const connect_params& params) {
  session::login_options out;
  out.host = params.host;
  out.port = params.port;
  out.instance = params.instance;
  out.strict = params.encrypt == encrypt_mode::strict;
  out.encryption = wanted(params.encrypt);
  out.version = params.wanted_version();
  out.packet_size = params.packet_size;
  out.max_redirects = params.max_redirects;
  out.user = params.user;
  out.password = params.password;
  out.database = params.database;
  out.language = params.language;
  out.application = params.application_name;
  out.workstation = params.workstation_id;
  if (out.workstation.empty()) {
    error_code ignored;
    out.workstation = boost::asio::ip::host_name(ignored);
  }
  out.attach_db_file = params.attach_db_file;
  out.process_id = wire::host::process_id();
  out.read_only_intent = params.read_only_intent;
  out.utf8_support = params.utf8_support;
  return out;
}

}  // namespace tds::client
