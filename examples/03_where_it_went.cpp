// SPDX-License-Identifier: BSL-1.0
// Where the time of one query went: the ledger of its exchange, whose entries add up to the round trip, and
// what TCP did meanwhile. What could not be told apart from here is one entry of several layers.
//
//   SQLCMDPASSWORD=... ./03_where_it_went "Server=localhost,1433;User ID=sa;TrustServerCertificate=yes"
//   "SELECT 1"
#include <tds/client/connection.hpp>
#include <tds/client/connection_string.hpp>
#include <tds/client/run_sync.hpp>
#include <wire/exchange/ledger.hpp>

#include <boost/asio/io_context.hpp>

#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
  auto params = tds::parse_connection_string(argc > 1 ? argv[1] : "Server=localhost");
  if (!params) return std::cerr << params.error().message() << '\n', 2;
  if (const char* password = std::getenv("SQLCMDPASSWORD")) params->password = tds::secret{password};
  params->kernel_timing = true;

  boost::asio::io_context context;
  tds::connection connection{context};
  if (auto ec = tds::run_sync(context, connection.async_connect(*params))) {
    return std::cerr << tds::explain(ec, connection.diag()) << '\n', 2;
  }
  tds::response_handler ignore;
  if (auto ec = tds::run_sync(context, connection.async_execute(argc > 2 ? argv[2] : "SELECT 1", ignore))) {
    return std::cerr << tds::explain(ec, connection.diag()) << '\n', 1;
  }
  const auto exchange = connection.last_exchange();
  for (const auto& part : wire::exchange::ledger_of(exchange).entries()) {
    std::cout << part.length.count() / 1000 << " us  " << name_of(part.layers) << '\n';
  }
  if (exchange.tcp) std::cout << exchange.tcp->retransmits << " segments sent again\n";
}
