// SPDX-License-Identifier: BSL-1.0
// A test double: an embedded server that answers one statement from a script and holds every third request
// back, and a client that measures it.
#include <tds/client/connection.hpp>
#include <tds/client/run_sync.hpp>
#include <tds/protocol/types/make_type.hpp>
#include <tds/server/answer.hpp>
#include <tds/server/server_thread.hpp>

#include <boost/asio/io_context.hpp>

#include <iostream>

int main() {
  tds::server_options options;
  options.any_user = true;
  tds::server_thread server{
      options, [](tds::server& embedded) {
        embedded.on("SELECT answer", [](const tds::serving::batch&, tds::serving::answer& out) {
          out.columns({tds::serving::make_column("answer", tds::protocol::make_int(4))})
              .row({std::int32_t{42}})
              .done(1);
        });
        tds::serving::fault hold;
        hold.pause = std::chrono::milliseconds{50};
        hold.every_nth = 3;
        embedded.add_fault(hold);
      }};

  tds::connect_params params;
  params.host = "127.0.0.1";
  params.port = server.port();
  params.user = "anyone";
  params.encrypt = tds::encrypt_mode::disable;
  boost::asio::io_context context{1};
  tds::connection connection{context};
  auto ec = tds::run_sync(context, connection.async_connect(params));
  for (int i = 0; !ec && i < 6; ++i) {
    tds::results results;
    ec = tds::run_sync(context, connection.async_execute("SELECT answer", results));
    if (ec) break;
    std::cout << to_string(*results.scalar()) << " after "
              << wire::exchange::round_trip(connection.last_exchange()).value().count() / 1000 << " us\n";
  }
  if (ec) return std::cerr << tds::explain(ec, connection.diag()) << '\n', 1;
}
