// SPDX-License-Identifier: BSL-1.0
#include <tests/support/tls_peers.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
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

}  // namespace
}  // namespace wiregap_test::tls
