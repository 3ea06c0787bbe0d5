// SPDX-License-Identifier: BSL-1.0
#include <tds/client/connection_string.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace {

using tds::errc;
using tds::parse_connection_string;
using tds::parse_problem;

struct example {
  std::string_view text;
  std::size_t position;
  std::string_view reason;
  errc code = errc::bad_connection_string;
};

void expect_refused(const example& e) {
  parse_problem problem;
  const auto params = parse_connection_string(e.text, &problem);
  ASSERT_TRUE(params.has_error()) << e.text;
  EXPECT_EQ(params.error(), e.code) << e.text;
  EXPECT_EQ(problem.position, e.position) << e.text;
  EXPECT_EQ(problem.reason, e.reason) << e.text;
  EXPECT_TRUE(parse_connection_string(e.text).has_error()) << "without a place for the reason: " << e.text;
}

TEST(connection_string_errors, shape) {
  const std::array examples{
      example{"Server", 0, "no '=' in what should be key=value (a value that contains ';' must be quoted)"},
      example{"Server=a; b ;", 10,
              "no '=' in what should be key=value (a value that contains ';' must be quoted)"},
      example{"=a", 0, "no key before '='"},
      example{"Server=a;  =b", 11, "no key before '='"},
      example{"Database='a", 9, "the quote is not closed"},
      example{"Database=\"a\"\"", 9, "the quote is not closed"},
      example{"Database={a}}", 9, "the brace is not closed"},
      example{"Database='a'b", 12, "text after the closing quote (a quote inside must be doubled)"},
      example{"Database={a} b", 13, "text after the closing brace (a brace inside must be doubled)"},
      example{
          "Database='a';Driver=x", 13,
          "Driver and DSN must stand before any value in quotes: under ODBC's rules a quote belongs to the "
          "value"},
  };
  for (const auto& e : examples) expect_refused(e);
}

TEST(connection_string_errors, unknown_keys_with_the_nearest) {
  const std::array examples{
      example{"Sever=a", 0, "unknown key 'Sever'; did you mean 'Server'?"},
      example{"Server=a; Intial Catalog=b", 10,
              "unknown key 'Intial Catalog'; did you mean 'Initial Catalog'?"},
      example{"Encrpyt=yes", 0, "unknown key 'Encrpyt'; did you mean 'Encrypt'?"},
      example{"TrustedServerCertificate=yes", 0,
              "unknown key 'TrustedServerCertificate'; did you mean 'TrustServerCertificate'?"},
      example{"Application=x", 0, "unknown key 'Application'"},
      example{"Frobnicate=1", 0, "unknown key 'Frobnicate'"},
      example{"\x01=1", 0, "unknown key"},
  };
  for (const auto& e : examples) expect_refused(e);
}

TEST(connection_string_errors, values) {
  const std::array examples{
      example{"Encrypt=maybe", 8,
              "'Encrypt' must be one of strict, mandatory, yes, true, 1, optional, no, false, 0, disable, "
              "disabled"},
      example{"Trust Server Certificate=2", 25,
              "'Trust Server Certificate' must be one of yes, no, true, false, 1, 0"},
      example{"ApplicationIntent=Read", 18, "'ApplicationIntent' must be one of ReadOnly, ReadWrite"},
      example{"Timeout=-1", 8, "'Timeout' must be a number in 0..2147483647"},
      example{"Timeout=15s", 8, "'Timeout' must be a number in 0..2147483647"},
      example{"Timeout=2147483648", 8, "'Timeout' must be a number in 0..2147483647"},
      example{"Packet Size=511", 12, "'Packet Size' must be a number in 512..32767"},
      example{"Packet Size=32768", 12, "'Packet Size' must be a number in 512..32767"},
      example{"Packet Size=99999", 12, "'Packet Size' must be a number in 512..32767"},
      example{"Max Redirects=256", 14, "'Max Redirects' must be a number in 0..255"},
      example{"Port=0", 5, "'Port' must be a number in 1..65535"},
      example{"TDS Version=8.0", 12, "TDS 8.0 is chosen with Encrypt=strict"},
      example{"TDS Version=6", 12, "'TDS Version' must be one of 7.0, 7.1, 7.2, 7.3A, 7.3B, 7.3, 7.4"},
      example{"Network Library=dbnmpntw", 16, "only TCP (dbmssocn) is available as network library"},
      example{"Integrated Security=SSPI", 0,
              "integrated security is not available yet: give User ID and Password",
              errc::auth_not_supported},
      example{"Server=a;Trusted_Connection=yes", 9,
              "integrated security is not available yet: give User ID and Password",
              errc::auth_not_supported},
      example{"Authentication=ActiveDirectoryDefault", 15, "only Authentication=SqlPassword is available yet",
              errc::auth_not_supported},
  };
  for (const auto& e : examples) expect_refused(e);
}

TEST(connection_string_errors, server) {
  const std::array examples{
      example{"Server=;Database=x", 7, "the server's name is missing"},
      example{"Database=x;Server=tcp:db1,x", 26, "port 'x' is not a number in 1..65535"},
      example{"Server=np:db1", 7, "named pipes (np:) are not available: only TCP"},
      example{"Server=db1,1433;Port=1434", 7, "Server and Port name different ports"},
      example{
          "Server=.\\sales", 9,
          "the port of instance 'sales' is not known, since asking the SQL Server Browser is not available "
          "yet: write localhost\\sales,PORT"},
      example{"UID=x;DSN=sales", 6, "what a DSN stands for is not looked up: name the server with Server="},
  };
  for (const auto& e : examples) expect_refused(e);
  EXPECT_TRUE(parse_connection_string("DSN=sales;Server=a").has_value());
}

TEST(connection_string_errors, too_long) {
  const std::string name(129, 'n');
  expect_refused({"User=" + name, 5, "user is longer than 128 UTF-16 code units"});
  expect_refused({"Password=" + name, 9, "password is longer than 128 UTF-16 code units"});
  expect_refused({"Server=" + name, 7, "host is longer than 128 UTF-16 code units"});
  expect_refused({std::string((64UL << 10) + 1, ';'), 64UL << 10, "longer than 64 KiB"});
  expect_refused({std::string_view{"User=a\0b", 8}, 5, "user contains a NUL character"});
}

TEST(connection_string_errors, never_hold_the_password) {
  for (const std::string_view text : {
           "Password=hunter2;hunter2=x",
           "Password=a;hunter2",
           "Password=a;;hunter2=x",
           "Password='hunter2",
           "Password='a'hunter2",
           "Password={a}hunter2}",
           "Password hunter2=x",
           "pwd:hunter2=x",
           "passwd=hunter2",
           "Passwrod=hunter2",
           "Password=hunter2;Sever=x",
           "Password=hunter2;Encrypt=x",
           "Password=hunter2;Server=np:x",
           "Password=hunter2 \0;",
       }) {
    parse_problem problem;
    const auto params = parse_connection_string(text, &problem);
    if (params.has_error()) {
      EXPECT_EQ(problem.explain().find("hunter2"), std::string::npos) << problem.explain();
    }
  }
  parse_problem problem;
  EXPECT_TRUE(parse_connection_string("Password=hunter2;Sever=x", &problem).has_error());
  EXPECT_EQ(problem.reason,
            "unknown key after the password (if it contains ';', quote it); did you mean 'Server'?");
}

}  // namespace
