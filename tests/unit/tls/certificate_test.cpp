// SPDX-License-Identifier: BSL-1.0
// What a client says of a certificate that it should not take, and of one that it was told to take.
#include <tests/support/tls_peers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace wiregap_test::tls {
namespace {

using testing::AllOf;
using testing::HasSubstr;

outcome meet(const client_options& client, const identity& who) {
  auto both = make_pair(client, serving(who, client.strict));
  return shake_hands(both.client, both.server);
}

identity issued(const certificate_request& request) { return make_issued(request, test_root()).value(); }

certificate_request named(std::string name) {
  certificate_request request;
  request.common_name = std::move(name);
  request.subject_alt_names = {request.common_name};
  return request;
}

/// Who trusts the system's store alone.
client_options trusting_system() {
  client_options options;
  options.host = "sql.example.com";
  return options;
}

TEST(tls_certificate, taken_from_a_trusted_root) {
  EXPECT_FALSE(meet(trusting_root(false), test_leaf()).client);
  EXPECT_FALSE(meet(trusting_root(true), test_leaf()).client);
}

TEST(tls_certificate, untrusted_without_its_root) {
  const auto end = meet(trusting_system(), test_leaf());
  EXPECT_EQ(end.client, errc::certificate_untrusted);
  EXPECT_THAT(end.client_details, AllOf(HasSubstr("unable to get local issuer certificate"),
                                        HasSubstr("CN=sql.example.com, issued by CN=Test Root")));
  EXPECT_EQ(end.server, errc::tls_handshake_failed);
  EXPECT_THAT(end.server_details, HasSubstr("unknown CA"));
}

TEST(tls_certificate, untrusted_when_it_signed_itself) {
  const auto end = meet(trusting_root(false), make_self_signed(named("sql.example.com")).value());
  EXPECT_EQ(end.client, errc::certificate_untrusted);
  EXPECT_THAT(end.client_details, HasSubstr("self-signed certificate (CN=sql.example.com)"));
}

TEST(tls_certificate, expired) {
  auto request = named("sql.example.com");
  request.valid_from_days = -30;
  request.valid_to_days = -2;
  const auto end = meet(trusting_root(false), issued(request));
  EXPECT_EQ(end.client, errc::certificate_expired);
  EXPECT_THAT(end.client_details, HasSubstr("certificate has expired: valid until 20"));
  EXPECT_THAT(end.server_details, HasSubstr("certificate expired"));
}

TEST(tls_certificate, not_valid_yet) {
  auto request = named("sql.example.com");
  request.valid_from_days = 2;
  const auto end = meet(trusting_root(false), issued(request));
  EXPECT_EQ(end.client, errc::certificate_expired);
  EXPECT_THAT(end.client_details, HasSubstr("not yet valid: valid from 20"));
}

TEST(tls_certificate, for_another_host) {
  auto options = trusting_root(false);
  options.host = "other.example.com";
  const auto end = meet(options, test_leaf());
  EXPECT_EQ(end.client, errc::certificate_wrong_host);
  EXPECT_THAT(end.client_details,
              HasSubstr("wanted other.example.com, the certificate names sql.example.com, *.db.example.com"));
}

TEST(tls_certificate, all_its_faults_are_told) {
  auto request = named("elsewhere.example.com");
  request.valid_from_days = -30;
  request.valid_to_days = -2;
  const auto end = meet(trusting_root(false), make_self_signed(request).value());
  EXPECT_EQ(end.client, errc::certificate_untrusted);
  EXPECT_THAT(end.client_details,
              AllOf(HasSubstr("self-signed"), HasSubstr("has expired"), HasSubstr("wanted sql.example.com")));
}

TEST(tls_certificate, refused_one_can_be_looked_at) {
  auto both = make_pair(trusting_system(), serving(test_leaf(), false));
  ASSERT_EQ(shake_hands(both.client, both.server).client, errc::certificate_untrusted);
  EXPECT_EQ(both.client.peer_certificate_summary().subject, "CN=sql.example.com");
  EXPECT_EQ(both.client.peer_certificate_pem(), test_leaf().certificate_pem);
}

struct name_case {
  const char* host;
  bool taken;
};
class tls_host_name : public testing::TestWithParam<name_case> {};
INSTANTIATE_TEST_SUITE_P(
    names, tls_host_name,
    testing::Values(name_case{"sql.example.com", true}, name_case{"SQL.Example.COM", true},
                    name_case{"sql.example.com.", true}, name_case{"a.db.example.com", true},
                    name_case{"a.b.db.example.com", false}, name_case{"db.example.com", false},
                    name_case{"192.0.2.7", true}, name_case{"192.0.2.8", false},
                    name_case{"2001:db8::7", true}, name_case{"2001:db8::7%eth0", true},
                    name_case{"2001:db8::8", false}, name_case{"example.com", false}));

TEST_P(tls_host_name, is_looked_for) {
  auto options = trusting_root(false);
  options.host = GetParam().host;
  const auto end = meet(options, test_leaf());
  EXPECT_EQ(end.client, GetParam().taken ? error_code{} : error_code{errc::certificate_wrong_host})
      << end.client_details;
}

TEST_P(tls_host_name, is_looked_for_in_place_of_the_host) {
  auto options = trusting_root(true);
  options.host = "tunnel.example.net";
  options.host_name_in_certificate = GetParam().host;
  const auto end = meet(options, test_leaf());
  EXPECT_EQ(end.client, GetParam().taken ? error_code{} : error_code{errc::certificate_wrong_host})
      << end.client_details;
}

TEST_P(tls_host_name, may_come_with_the_engine) {
  auto options = trusting_root(false);
  options.host = "before.routing.example.com";
  const auto both = make_pair(options, serving(test_leaf(), false));
  auto client = engine::client(both.client_side, GetParam().host).value();
  auto server = engine::server(both.server_side).value();
  EXPECT_EQ(!shake_hands(client, server).client, GetParam().taken);
}

TEST(tls_certificate, common_name_counts_without_other_names) {
  certificate_request request;
  request.common_name = "sql.example.com";
  EXPECT_FALSE(meet(trusting_root(false), issued(request)).client);
  request.subject_alt_names = {"other.example.com"};
  EXPECT_EQ(meet(trusting_root(false), issued(request)).client, errc::certificate_wrong_host);
}

TEST(tls_certificate, needs_a_name_to_look_for) {
  auto options = trusting_root(false);
  options.host.clear();
  const auto context = client_context::create(options).value();
  EXPECT_EQ(engine::client(context).error(), errc::bad_argument);
  EXPECT_EQ(engine::client(context, std::string_view{"a\0b", 3}).error(), errc::bad_argument);
}

TEST(tls_certificate, any_is_taken_on_request) {
  auto options = trusting_system();
  options.trust_any = true;
  auto request = named("elsewhere.example.com");
  request.valid_from_days = -30;
  request.valid_to_days = -2;
  EXPECT_FALSE(meet(options, make_self_signed(request).value()).client);
  options.host.clear();
  EXPECT_FALSE(meet(options, make_self_signed(request).value()).client);
}

TEST(tls_certificate, pinned_is_taken_whatever_else_it_is) {
  auto request = named("elsewhere.example.com");
  request.valid_from_days = -30;
  request.valid_to_days = -2;
  const auto who = make_self_signed(request).value();
  const temporary_file pem{who.certificate_pem};
  auto options = trusting_system();
  options.pinned_certificate_file = pem.path();
  const auto end = meet(options, who);
  EXPECT_FALSE(end.client) << end.client_details;
}

TEST(tls_certificate, pin_is_the_leaf_and_nothing_else) {
  const temporary_file pem{test_root().certificate_pem};
  auto options = trusting_root(false);
  options.pinned_certificate_file = pem.path();
  options.trust_any = true;
  const auto end = meet(options, test_leaf());
  EXPECT_EQ(end.client, errc::certificate_pin_mismatch);
  EXPECT_THAT(end.client_details, AllOf(HasSubstr("CN=sql.example.com"), HasSubstr("SHA-256 ")));
}

TEST(tls_certificate, an_issuer_in_the_middle_can_be_trusted) {
  auto middle_request = named("Middle");
  middle_request.authority = true;
  const auto middle = issued(middle_request);
  const auto leaf = make_issued(named("sql.example.com"), middle).value();
  const temporary_file trusted{middle.certificate_pem};
  auto options = trusting_system();
  options.ca_file = trusted.path();
  EXPECT_FALSE(meet(options, leaf).client);
  EXPECT_FALSE(meet(trusting_root(false), leaf).client) << "through the chain that the server sends";
}

TEST(tls_certificate, one_that_is_no_authority_vouches_for_nobody) {
  const auto middle = issued(named("Middle"));
  const auto leaf = make_issued(named("sql.example.com"), middle).value();
  EXPECT_EQ(meet(trusting_root(false), leaf).client, errc::certificate_untrusted);
}

}  // namespace
}  // namespace wiregap_test::tls
