// SPDX-License-Identifier: BSL-1.0
// One query, blocking: connect, run a batch, look at the values and at where the time went.
//
//   SQLCMDPASSWORD=... ./01_query "Server=localhost,1433;User ID=sa;TrustServerCertificate=yes" "SELECT
//   @@VERSION"
#include <tds/client/connection.hpp>
#include <tds/client/connection_string.hpp>
#include <tds/client/run_sync.hpp>

#include <boost/asio/io_context.hpp>

#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
  auto params = tds::parse_connection_string(argc > 1 ? argv[1] : "Server=localhost");
  if (!params) return std::cerr << params.error().message() << '\n', 2;
  if (const char* password = std::getenv("SQLCMDPASSWORD")) params->password = tds::secret{password};

  boost::asio::io_context context;
  tds::connection connection{context};
  if (auto ec = tds::run_sync(context, connection.async_connect(*params))) {
    return std::cerr << tds::explain(ec, connection.diag()) << '\n', 2;
  }
  tds::results results;
  const auto ec = tds::run_sync(context, connection.async_execute(argc > 2 ? argv[2] : "SELECT 1", results));
  for (const auto& set : results.sets()) {
    for (const auto& row : set.rows) {
      for (const auto& value : row) std::cout << to_string(value) << '\t';
      std::cout << '\n';
    }
  }
  if (ec) return std::cerr << tds::explain(ec, connection.diag()) << '\n', 1;
  std::cerr << "round trip " << wire::exchange::round_trip(connection.last_exchange()).value().count() / 1000
            << " us\n";
}
