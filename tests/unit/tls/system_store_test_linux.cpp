// SPDX-License-Identifier: BSL-1.0
#include <tests/support/tls_peers.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

namespace wiregap_test::tls {
namespace {

/// Sets a variable of the environment for as long as it lives.
class environment {
 public:
  environment(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name); old != nullptr) old_ = old;
    set(value.c_str());
  }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  ~environment() { set(old_ ? old_->c_str() : nullptr); }

 private:
  void set(const char* value) const { value != nullptr ? setenv(name_, value, 1) : unsetenv(name_); }
  const char* name_;
  std::optional<std::string> old_;
};

TEST(tls_client_context, takes_the_systems_store_from_the_environment) {
  const temporary_file root{test_root().certificate_pem};
  client_options options;
  options.host = "sql.example.com";
  const environment roots{"SSL_CERT_FILE", root.path()};
  EXPECT_TRUE(connected(options, serving(test_leaf(), false)).client.is_open());
}

TEST(tls_client_context, shares_the_systems_roots_until_their_file_changes) {
  const temporary_file roots{test_root().certificate_pem};
  const environment place{"SSL_CERT_FILE", roots.path()};
  client_options options;
  options.host = "sql.example.com";
  const auto trusts = [&](const server_options& server) {
    auto both = make_pair(options, server);
    return !shake_hands(both.client, both.server).client;
  };
  certificate_request other_request;
  other_request.subject_alt_names = {"sql.example.com"};
  const auto other = make_self_signed(other_request).value();
  EXPECT_TRUE(trusts(serving(test_leaf(), false)));
  EXPECT_TRUE(trusts(serving(test_leaf(), false)));
  EXPECT_FALSE(trusts(serving(other, false)));
  std::ofstream{roots.path()} << other.certificate_pem << test_root().certificate_pem;
  EXPECT_TRUE(trusts(serving(other, false)));
  std::ofstream{roots.path()} << other.certificate_pem;
  EXPECT_FALSE(trusts(serving(test_leaf(), false)));
}

TEST(tls_client_context, an_additional_root_stays_with_who_named_it) {
  const temporary_file nothing{""};
  const environment place{"SSL_CERT_FILE", nothing.path()};
  const auto named = trusting_root(false);
  auto unnamed = named;
  unnamed.ca_file.clear();
  const auto server = serving(test_leaf(), false);
  EXPECT_TRUE(connected(named, server).client.is_open());
  auto both = make_pair(unnamed, server);
  EXPECT_EQ(shake_hands(both.client, both.server).client, errc::certificate_untrusted);
}

}  // namespace
}  // namespace wiregap_test::tls
