// SPDX-License-Identifier: BSL-1.0
#include <tests/support/tls_peers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace wiregap_test::tls {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream{path, std::ios::binary}.rdbuf();
  return text.str();
}

TEST(tls_client_context, names_a_file_that_cannot_be_read) {
  client_options options;
  options.ca_file = "/nonexistent/roots.pem";
  std::string details;
  EXPECT_EQ(client_context::create(options, &details).error(),
            boost::system::errc::no_such_file_or_directory);
  EXPECT_THAT(details, AllOf(HasSubstr("/nonexistent/roots.pem"), HasSubstr("No such file")));
  options = {};
  options.pinned_certificate_file = "/nonexistent/pin.pem";
  EXPECT_EQ(client_context::create(options, &details).error(),
            boost::system::errc::no_such_file_or_directory);
  EXPECT_THAT(details, HasSubstr("/nonexistent/pin.pem"));
  options = {};
  options.key_log_file = "/nonexistent/keys.log";
  EXPECT_EQ(client_context::create(options, &details).error(),
            boost::system::errc::no_such_file_or_directory);
  EXPECT_THAT(details, HasSubstr("key log file /nonexistent/keys.log"));
}

TEST(tls_client_context, names_a_file_without_a_certificate) {
  const temporary_file empty{"this is no certificate"};
  std::string details;
  client_options options;
  options.ca_file = empty.path();
  EXPECT_EQ(client_context::create(options, &details).error(), errc::bad_argument);
  EXPECT_THAT(details, HasSubstr("holds no certificate"));
  options = {};
  options.pinned_certificate_file = empty.path();
  EXPECT_EQ(client_context::create(options, &details).error(), errc::bad_argument);
}

TEST(tls_client_context, refuses_versions_that_leave_none) {
  client_options options;
  options.min_version = tls_version::v1_3;
  std::string details;
  EXPECT_EQ(client_context::create(options, &details).error(), errc::bad_argument);
  EXPECT_EQ(details, "TLSv1.3 as the oldest version and TLSv1.2 as the newest leave none");
  options.max_version = tls_version::v1_3;
  EXPECT_EQ(client_context::create(options, &details).error(), errc::bad_argument);
  EXPECT_EQ(details, "TLS 1.3 needs TDS 8.0 (strict)");
  options.strict = true;
  EXPECT_TRUE(client_context::create(options, &details));
}

TEST(tls_server_context, refuses_what_does_not_belong_together) {
  std::string details;
  server_options options;
  options.certificate_pem = test_leaf().certificate_pem;
  EXPECT_EQ(server_context::create(options, &details).error(), errc::bad_argument);
  EXPECT_THAT(details, HasSubstr("no unencrypted private key"));
  options.private_key_pem = test_root().private_key_pem;
  EXPECT_EQ(server_context::create(options, &details).error(), errc::bad_argument);
  EXPECT_THAT(details, HasSubstr("does not belong to the certificate"));
  options.certificate_pem = "nothing";
  EXPECT_EQ(server_context::create(options, &details).error(), errc::bad_argument);
  EXPECT_THAT(details, HasSubstr("holds no certificate"));
  options = serving(test_leaf(), false);
  options.ciphers = "NO-SUCH-CIPHER";
  EXPECT_EQ(server_context::create(options, &details).error(), errc::bad_argument);
}

TEST(tls_server_context, makes_a_certificate_of_its_own) {
  const auto server_side = server_context::create({}).value();
  const temporary_file pin{server_side.certificate_pem()};
  for (const char* host : {"localhost", "127.0.0.1", "::1"}) {
    client_options options;
    options.host = host;
    options.ca_file = pin.path();
    auto client = engine::client(client_context::create(options).value()).value();
    auto server = engine::server(server_side).value();
    const auto end = shake_hands(client, server);
    EXPECT_FALSE(end.client) << end.client_details;
  }
}

TEST(tls_key_log, holds_the_secrets_of_every_session) {
  const temporary_file log{"# older\n"};
  auto options = trusting_root(false);
  options.key_log_file = log.path();
  (void)connected(options, serving(test_leaf(), false));
  const auto tds7 = content_of(log.path());
  EXPECT_THAT(tds7, testing::StartsWith("# older\nCLIENT_RANDOM ")) << "appended, not overwritten";
  EXPECT_EQ(tds7.back(), '\n');
  options.strict = true;
  (void)connected(options, serving(test_leaf(), true));
  const auto both = content_of(log.path());
  EXPECT_THAT(both, AllOf(testing::StartsWith(tds7), HasSubstr("\nCLIENT_TRAFFIC_SECRET_0 "),
                          HasSubstr("\nSERVER_TRAFFIC_SECRET_0 ")));
}

TEST(tls_key_log, is_for_its_owner_alone) {
  const temporary_file folder_holder{""};
  const std::string path = folder_holder.path() + ".keys";
  client_options options;
  options.key_log_file = path;
  ASSERT_TRUE(client_context::create(options));
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(path).permissions(), perms::owner_read | perms::owner_write);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace wiregap_test::tls
