// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/connect_params.hpp>
#include <tds/client/login_options.hpp>
#include <tds/protocol/packet_joiner.hpp>
#include <tds/protocol/sql_batch.hpp>
#include <tds/session/login_request.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bench {

/// The least that a client can do: a blocking socket, a request of bytes that are ready, a response that is
/// read and not looked at. What tds::connection is measured against. Without encryption. Throws on failure.
class plain_client {
 public:
  explicit plain_client(const tds::connect_params& params) : socket_(context_) {
    using boost::asio::ip::tcp;
    socket_.connect(tcp::endpoint{boost::asio::ip::make_address(params.host), params.port});
    socket_.set_option(tcp::no_delay{true});
    const auto options = tds::client::login_options_of(params);
    tds::protocol::packet_run run;
    std::string problem;
    const tds::session::route target{params.host, params.port, {}, {}};
    check(tds::session::write_prelogin_request(run, options, target));
    (void)exchange(run);
    run.clear();
    check(tds::session::write_login_request(run, options, target, problem));
    (void)exchange(run);
  }

  /// Makes the bytes of `sql` ready, runs it once and learns how long its response is.
  void prepare(std::string_view sql) {
    tds::bytes::buffer payload;
    tds::bytes::writer out{payload};
    if (!write_sql_batch(out, tds::protocol::tds_version::v7_4, tds::protocol::all_headers::autocommit(),
                         sql)) {
      throw std::runtime_error{"not a batch"};
    }
    check(split_message(payload, {.type = tds::protocol::packet_type::sql_batch}, request_));
    response_bytes_ = exchange(request_);
  }

  /// One round trip: send and receive, in one call each when the response comes in one piece.
  void round_trip() {
    boost::asio::write(socket_, boost::asio::buffer(request_.data));
    for (std::size_t got = 0; got < response_bytes_;) got += socket_.receive(boost::asio::buffer(room_));
  }

 private:
  static void check(tds::error_code ec) {
    if (ec) throw boost::system::system_error{ec};
  }

  // Writes a message, reads one, and says how many bytes that was.
  std::size_t exchange(const tds::protocol::packet_run& run) {
    using kind = tds::protocol::packet_event_kind;
    boost::asio::write(socket_, boost::asio::buffer(run.data));
    tds::protocol::packet_joiner joiner;
    for (std::size_t total = 0;;) {
      const std::size_t got = socket_.receive(boost::asio::buffer(room_));
      total += got;
      joiner.feed(tds::bytes::byte_span{room_}.first(got));
      auto event = joiner.next();
      for (; event.kind != kind::need_more; event = joiner.next()) {
        if (event.kind == kind::end_of_message) return total;
        if (event.kind == kind::failed) throw std::runtime_error{joiner.error().explain()};
      }
    }
  }

  boost::asio::io_context context_;
  boost::asio::ip::tcp::socket socket_;
  tds::protocol::packet_run request_;
  std::size_t response_bytes_ = 0;
  std::array<std::uint8_t, 4096> room_{};
};

}  // namespace bench
