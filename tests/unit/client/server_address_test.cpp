// SPDX-License-Identifier: BSL-1.0
#include <tds/client/server_address.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace {

using tds::parse_problem;
using tds::parse_server;
using tds::server_address;

TEST(server_address, every_spelling) {
  struct example {
    std::string_view text;
    server_address expected;
  };
  const std::array examples{
      example{"db1", {"db1", 1433, ""}},
      example{"db1.example.com", {"db1.example.com", 1433, ""}},
      example{"tcp:db1,1433", {"db1", 1433, ""}},
      example{"TCP:db1,14330", {"db1", 14330, ""}},
      example{"  tcp: db1 , 1500  ", {"db1", 1500, ""}},
      example{"db1:1500", {"db1", 1500, ""}},
      example{"tcp:db1:1500", {"db1", 1500, ""}},
      example{"db1\\sales,1500", {"db1", 1500, "sales"}},
      example{"db1 \\ sales , 1500", {"db1", 1500, "sales"}},
      example{"db1\\sales:1500", {"db1", 1500, "sales"}},
      example{"db1\\MSSQLSERVER", {"db1", 1433, ""}},
      example{"db1\\mssqlserver,1500", {"db1", 1500, ""}},
      example{"10.1.2.3", {"10.1.2.3", 1433, ""}},
      example{"10.1.2.3,1", {"10.1.2.3", 1, ""}},
      example{"::1", {"::1", 1433, ""}},
      example{"::1,65535", {"::1", 65535, ""}},
      example{"[::1]", {"::1", 1433, ""}},
      example{"[::1]:1500", {"::1", 1500, ""}},
      example{"[::1],1500", {"::1", 1500, ""}},
      example{"tcp:[fe80::1%eth0]:1500", {"fe80::1%eth0", 1500, ""}},
      example{"fe80::1%eth0", {"fe80::1%eth0", 1433, ""}},
      example{"[::1]\\sales,1500", {"::1", 1500, "sales"}},
      example{"::ffff:10.0.0.1", {"::ffff:10.0.0.1", 1433, ""}},
      example{".", {"localhost", 1433, ""}},
      example{".,1500", {"localhost", 1500, ""}},
      example{"(local)", {"localhost", 1433, ""}},
      example{"(LOCAL)\\sales,1500", {"localhost", 1500, "sales"}},
      example{"localhost", {"localhost", 1433, ""}},
      example{"d\xC3\xA4nemark", {"d\xC3\xA4nemark", 1433, ""}},
  };
  for (const auto& [text, expected] : examples) {
    parse_problem problem;
    const auto address = parse_server(text, &problem);
    ASSERT_TRUE(address.has_value()) << text << ": " << problem.explain();
    EXPECT_EQ(address->host, expected.host) << text;
    EXPECT_EQ(address->port, expected.port) << text;
    EXPECT_EQ(address->instance, expected.instance) << text;
  }
}

TEST(server_address, every_refusal_says_where_and_why) {
  struct example {
    std::string_view text;
    std::size_t position;
    std::string_view reason;
  };
  const std::array examples{
      example{"", 0, "the server's name is missing"},
      example{"  ", 2, "the server's name is missing"},
      example{"tcp:", 4, "the server's name is missing"},
      example{",1433", 0, "the server's name is missing"},
      example{"db1,", 4, "the port is missing"},
      example{"db1, 0", 5, "port '0' is not a number in 1..65535"},
      example{"db1,65536", 4, "port '65536' is not a number in 1..65535"},
      example{"db1,-1", 4, "port '-1' is not a number in 1..65535"},
      example{"db1:http", 4, "port 'http' is not a number in 1..65535"},
      example{"db1,1433,1434", 4, "port '1433,1434' is not a number in 1..65535"},
      example{"db1\\", 4, "the instance's name is missing after the backslash"},
      example{"db1\\a b,1", 5, "a character that cannot stand in an instance's name"},
      example{"db1\\a\\b,1", 5, "a character that cannot stand in an instance's name"},
      example{"[::1", 0, "the closing bracket is missing"},
      example{"[db1]", 0, "brackets are for IPv6 addresses"},
      example{"[]", 0, "brackets are for IPv6 addresses"},
      example{"abc:one:2", 4, "not an IPv6 address"},
      example{"a b", 1, "a character that cannot stand in a server's name"},
      example{"sa@db1", 2, "a character that cannot stand in a server's name"},
      example{std::string_view{"a\0b", 3}, 1, "a character that cannot stand in a server's name"},
      example{"np:db1", 0, "named pipes (np:) are not available: only TCP"},
      example{"\\\\db1\\pipe\\sql\\query", 0,
              "named pipes (\\\\host\\pipe\\...) are not available: only TCP"},
      example{"LPC:db1", 0, "shared memory (lpc:) is not available: only TCP"},
      example{"(localdb)\\v11", 0, "LocalDB listens on a named pipe, which is not available: only TCP"},
      example{"admin:db1", 0, "the dedicated administrator connection (admin:) is not available yet"},
      example{
          "db1\\sales", 4,
          "the port of instance 'sales' is not known, since asking the SQL Server Browser is not available "
          "yet: write db1\\sales,PORT"},
  };
  for (const auto& [text, position, reason] : examples) {
    parse_problem problem;
    const auto address = parse_server(text, &problem);
    ASSERT_TRUE(address.has_error()) << text;
    EXPECT_EQ(address.error(), tds::errc::bad_argument) << text;
    EXPECT_EQ(problem.position, position) << text;
    EXPECT_EQ(problem.reason, reason) << text;
    EXPECT_TRUE(parse_server(text).has_error()) << "without a place for the reason: " << text;
  }
}

TEST(server_address, port_from_elsewhere) {
  EXPECT_EQ(parse_server("db1\\sales", nullptr, std::uint16_t{1500}).value(),
            (server_address{"db1", 1500, "sales"}));
  EXPECT_EQ(parse_server("db1,1433", nullptr, std::uint16_t{1500}).value(),
            (server_address{"db1", 1433, ""}));
}

TEST(server_address, explains) {
  parse_problem problem;
  (void)parse_server("db1,x", &problem);
  EXPECT_EQ(problem.explain(), "port 'x' is not a number in 1..65535, at position 4");
}

}  // namespace
