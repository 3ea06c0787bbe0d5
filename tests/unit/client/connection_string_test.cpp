// SPDX-License-Identifier: BSL-1.0
#include <tds/client/connection_string.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace {

using tds::connect_params;
using tds::encrypt_mode;
using tds::parse_connection_string;
using tds::parse_problem;
using tds::protocol::tds_version;

connect_params parsed(std::string_view text) {
  parse_problem problem;
  auto params = parse_connection_string(text, &problem);
  EXPECT_TRUE(params.has_value()) << text << ": " << problem.explain();
  return params.has_value() ? *params : connect_params{};
}

std::string password_of(std::string_view text) { return std::string{parsed(text).password.reveal()}; }

TEST(connection_string, ado_net) {
  const auto p = parsed(
      "Server=tcp:db1.example.com,14330;Initial Catalog=sales;User ID=probe;Password=s3cret;"
      "Encrypt=Strict;TrustServerCertificate=False;Connect Timeout=30;Command Timeout=7;Packet Size=8192;"
      "Application Name=\"gap; hunter\";Workstation ID=ws1;Current Language=us_english;"
      "ApplicationIntent=ReadOnly;HostNameInCertificate=db1;ServerCertificate=/etc/db1.pem;"
      "MultiSubnetFailover=True;Pooling=false;Persist Security Info=False;MultipleActiveResultSets=True;");
  EXPECT_EQ(p.host, "db1.example.com");
  EXPECT_EQ(p.port, 14330);
  EXPECT_EQ(p.database, "sales");
  EXPECT_EQ(p.user, "probe");
  EXPECT_EQ(p.password.reveal(), "s3cret");
  EXPECT_EQ(p.encrypt, encrypt_mode::strict);
  EXPECT_FALSE(p.trust_server_certificate);
  EXPECT_EQ(p.login_timeout, std::chrono::seconds{30});
  EXPECT_EQ(p.query_timeout, std::chrono::seconds{7});
  EXPECT_EQ(p.packet_size, 8192);
  EXPECT_EQ(p.application_name, "gap; hunter");
  EXPECT_EQ(p.workstation_id, "ws1");
  EXPECT_EQ(p.language, "us_english");
  EXPECT_TRUE(p.read_only_intent);
  EXPECT_EQ(p.host_name_in_certificate, "db1");
  EXPECT_EQ(p.server_certificate_file, "/etc/db1.pem");
  EXPECT_TRUE(p.multi_subnet_failover);
}

TEST(connection_string, odbc) {
  const auto p = parsed(
      "DRIVER={ODBC Driver 18 for SQL Server};SERVER=tcp:10.0.0.5,1433;DATABASE=sales;UID=probe;"
      "PWD={a;b}}c{d};Encrypt=optional;TrustServerCertificate=yes;APP=x;WSID=y;Trusted_Connection=no");
  EXPECT_EQ(p.host, "10.0.0.5");
  EXPECT_EQ(p.user, "probe");
  EXPECT_EQ(p.password.reveal(), "a;b}c{d");
  EXPECT_EQ(p.encrypt, encrypt_mode::optional);
  EXPECT_TRUE(p.trust_server_certificate);
  EXPECT_EQ(p.application_name, "x");
  EXPECT_EQ(p.workstation_id, "y");
}

TEST(connection_string, nothing_given_is_all_defaults) {
  for (const std::string_view text : {"", "  ", ";", " ; ;; \n"}) {
    const auto p = parsed(text);
    EXPECT_EQ(p.host, "localhost");
    EXPECT_EQ(p.port, 1433);
    EXPECT_EQ(p.encrypt, encrypt_mode::mandatory);
  }
}

TEST(connection_string, synonyms_case_blanks_and_underscores) {
  for (const std::string_view key :
       {"Server", "SERVER", "data source", "DataSource", "Data_Source", "Address", "Addr", "Network Address",
        "Server Name", "host", "  Server  "}) {
    EXPECT_EQ(parsed(std::string{key} + "=db1").host, "db1") << key;
  }
  for (const std::string_view key : {"User ID", "UID", "User", "user id", "UserID", "User Name"}) {
    EXPECT_EQ(parsed(std::string{key} + "=sa").user, "sa") << key;
  }
  for (const std::string_view key : {"Password", "PWD", "pwd"}) {
    EXPECT_EQ(password_of(std::string{key} + "=x"), "x") << key;
  }
  for (const std::string_view key : {"Database", "Initial Catalog", "initialcatalog", "DatabaseName"}) {
    EXPECT_EQ(parsed(std::string{key} + "=d").database, "d") << key;
  }
  for (const std::string_view key : {"Connect Timeout", "Connection Timeout", "Timeout", "LoginTimeout"}) {
    EXPECT_EQ(parsed(std::string{key} + "=3").login_timeout, std::chrono::seconds{3}) << key;
  }
  for (const std::string_view key : {"Trust Server Certificate", "trustservercertificate"}) {
    EXPECT_TRUE(parsed(std::string{key} + "=yes").trust_server_certificate) << key;
  }
  for (const std::string_view key : {"AttachDbFilename", "Initial File Name", "Extended Properties"}) {
    EXPECT_EQ(parsed(std::string{key} + "=C:\\d.mdf").attach_db_file, "C:\\d.mdf") << key;
  }
}

TEST(connection_string, encrypt_modes) {
  using enum encrypt_mode;
  const std::array<std::pair<std::string_view, encrypt_mode>, 11> spellings{{
      {"yes", mandatory},
      {"True", mandatory},
      {"mandatory", mandatory},
      {"1", mandatory},
      {"no", optional},
      {"FALSE", optional},
      {"Optional", optional},
      {"0", optional},
      {"strict", strict},
      {"disable", disable},
      {"disabled", disable},
  }};
  for (const auto& [text, mode] : spellings) {
    EXPECT_EQ(parsed("Encrypt=" + std::string{text}).encrypt, mode) << text;
  }
}

TEST(connection_string, own_keys) {
  const auto p =
      parsed("CA File=/ca.pem;Key Log File=/k.log;Cancel Timeout=9;Max Redirects=0;TDS_Version=7.1");
  EXPECT_EQ(p.ca_file, "/ca.pem");
  EXPECT_EQ(p.key_log_file, "/k.log");
  EXPECT_EQ(p.cancel_timeout, std::chrono::seconds{9});
  EXPECT_EQ(p.max_redirects, 0);
  EXPECT_EQ(p.version, tds_version::v7_1);
  EXPECT_EQ(parsed("TDS Version=7.3").version, tds_version::v7_3b);
  EXPECT_EQ(parsed("TDS Version=7.3a").version, tds_version::v7_3a);
}

TEST(connection_string, quoting_of_ado_net) {
  EXPECT_EQ(password_of("Password=plain"), "plain");
  EXPECT_EQ(password_of("Password=  two words  ;"), "two words");
  EXPECT_EQ(password_of("Password='  kept  '"), "  kept  ");
  EXPECT_EQ(password_of("Password='a;b=c'"), "a;b=c");
  EXPECT_EQ(password_of("Password=\"a;b\" ; User=x"), "a;b");
  EXPECT_EQ(password_of("Password='it''s'"), "it's");
  EXPECT_EQ(password_of("Password=\"say \"\"hi\"\"\""), "say \"hi\"");
  EXPECT_EQ(password_of("Password=\"it's\""), "it's");
  EXPECT_EQ(password_of("Password='say \"hi\"'"), "say \"hi\"");
  EXPECT_EQ(password_of("Password=it's"), "it's");
  EXPECT_EQ(password_of("Password=a=b"), "a=b");
  EXPECT_EQ(password_of("Password=a{b}c"), "a{b}c");
  EXPECT_EQ(password_of("Password={a;b}}c}"), "a;b}c");
  EXPECT_EQ(password_of("Password="), "");
  EXPECT_EQ(password_of("Password=''"), "");
  EXPECT_EQ(password_of("Password=p\xC3\xA4ss\xF0\x9F\x98\x80"), "p\xC3\xA4ss\xF0\x9F\x98\x80");
}

TEST(connection_string, quoting_of_odbc) {
  EXPECT_EQ(password_of("Driver=x;PWD='a'"), "'a'");
  EXPECT_EQ(password_of("Driver=x;PWD=\"a"), "\"a");
  EXPECT_EQ(password_of("Driver={x};PWD={ a }"), " a ");
  EXPECT_EQ(password_of("PWD=plain;Driver={x}"), "plain");
  EXPECT_EQ(password_of("PWD={br;ace};Driver={x}"), "br;ace");
}

TEST(connection_string, repeated_keys) {
  EXPECT_EQ(parsed("Server=a;Data Source=b").host, "b");
  EXPECT_EQ(parsed("Driver=x;Server=a;Address=b").host, "a");
  EXPECT_EQ(password_of("PWD=a;Password=b"), "b");
  EXPECT_EQ(password_of("Driver=x;PWD=a;PWD=b"), "a");
}

TEST(connection_string, port_beside_the_server) {
  EXPECT_EQ(parsed("Port=1500;Server=db1").port, 1500);
  EXPECT_EQ(parsed("Port=1500").port, 1500);
  EXPECT_EQ(parsed("Server=db1,1500;Port=1500").port, 1500);
  const auto p = parsed("Server=db1\\sales;Port=1500");
  EXPECT_EQ(p.port, 1500);
  EXPECT_EQ(p.instance, "sales");
}

TEST(connection_string, lists_what_it_ignores) {
  std::vector<std::string> ignored;
  ASSERT_TRUE(
      parse_connection_string("Driver=x;DSN=y;Server=a;pooling=no;MARS_Connection=yes", nullptr, &ignored));
  EXPECT_EQ(ignored, (std::vector<std::string>{"DSN", "pooling", "MARS_Connection"}));
}

}  // namespace
