// SPDX-License-Identifier: BSL-1.0
#include "loopback.hpp"
#include <wire/net/tcp_stream.hpp>

#include <boost/asio/error.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace {

using namespace net_test;
using wire::net::tcp_stream;
using bytes = std::vector<std::uint8_t>;

class TcpStream : public ::testing::Test {
 protected:
  TcpStream() {
    tcp::acceptor listener{context, any_port()};
    tcp::socket socket{context};
    socket.connect(listener.local_endpoint());
    client.emplace(tcp_stream::socket_type{std::move(socket)});
    server.emplace(tcp_stream::socket_type{listener.accept()});
  }

  bytes read_exactly(tcp_stream& from, std::size_t size) {
    bytes all(size);
    std::size_t have = 0;
    while (have < size) {
      const auto got = from.try_read(std::span{all}.subspan(have));
      if (got.would_block()) {
        wait([&](auto handler) { from.async_wait_readable(std::move(handler)); });
        continue;
      }
      if (got.ec) break;
      have += got.bytes;
    }
    all.resize(have);
    return all;
  }

  template <class Start>
  error_code wait(Start start) {
    error_code result = asio::error::try_again;
    start([&](error_code ec) { result = ec; });
    context.restart();
    context.run();
    return result;
  }

  asio::io_context context;
  std::optional<tcp_stream> client, server;
};

TEST_F(TcpStream, ReadsWhatIsThereOrWouldBlock) {
  std::array<std::uint8_t, 8> buffer{};
  const auto nothing = client->try_read(buffer);
  EXPECT_TRUE(nothing.would_block());
  EXPECT_EQ(nothing.bytes, 0U);

  const bytes sent{1, 2, 3};
  EXPECT_EQ(server->try_write(sent).bytes, 3U);
  EXPECT_EQ(read_exactly(*client, 3), sent);
}

TEST_F(TcpStream, AnEmptyReadOrWriteIsNeitherAnErrorNorTheEnd) {
  EXPECT_FALSE(client->try_read({}).ec);
  EXPECT_FALSE(client->try_write(std::span<const std::uint8_t>{}).ec);
  EXPECT_FALSE(client->try_write(std::span<const std::span<const std::uint8_t>>{}).ec);
}

TEST_F(TcpStream, GathersPiecesInOrder) {
  const bytes a{1, 2}, b{}, c{3};
  const std::array<std::span<const std::uint8_t>, 3> pieces{a, b, c};
  EXPECT_EQ(client->try_write(pieces).bytes, 3U);
  EXPECT_EQ(read_exactly(*server, 3), (bytes{1, 2, 3}));
}

TEST_F(TcpStream, TakesTheFirstSixteenOfMorePieces) {
  const bytes one{7};
  const std::vector<std::span<const std::uint8_t>> pieces(40, one);
  EXPECT_EQ(client->try_write(pieces).bytes, 16U);
}

TEST_F(TcpStream, TheEndOfThePeersStreamIsEof) {
  EXPECT_FALSE(server->shutdown_send());
  wait([&](auto handler) { client->async_wait_readable(std::move(handler)); });
  std::array<std::uint8_t, 8> buffer{};
  const auto end = client->try_read(buffer);
  EXPECT_EQ(end.ec, asio::error::eof);
  EXPECT_EQ(end.bytes, 0U);
}

TEST_F(TcpStream, AResetIsAReset) {
  server->reset();
  EXPECT_FALSE(server->is_open());
  wait([&](auto handler) { client->async_wait_readable(std::move(handler)); });
  std::array<std::uint8_t, 8> buffer{};
  EXPECT_EQ(client->try_read(buffer).ec, asio::error::connection_reset);
}

TEST_F(TcpStream, AFullSendBufferWouldBlockAndThePeersReadingFreesIt) {
  const bytes chunk(1 << 16, 0x5a);
  std::size_t total = 0;
  for (;;) {
    const auto sent = client->try_write(chunk);
    if (sent.would_block()) break;
    ASSERT_FALSE(sent.ec);
    total += sent.bytes;
  }
  EXPECT_EQ(read_exactly(*server, total).size(), total);
  EXPECT_FALSE(wait([&](auto handler) { client->async_wait_writable(std::move(handler)); }));
  EXPECT_GT(client->try_write(chunk).bytes, 0U);
}

TEST_F(TcpStream, WritingToAClosedPeerIsAnErrorAndNoSignal) {
  server->reset();
  wait([&](auto handler) { client->async_wait_readable(std::move(handler)); });
  const bytes one{1};
  EXPECT_TRUE(client->try_write(one).ec);
  EXPECT_EQ(client->try_write(one).ec, asio::error::broken_pipe);
}

TEST_F(TcpStream, CancelEndsAWaitAndKeepsTheConnection) {
  asio::post(context, [&] { client->cancel(); });
  EXPECT_EQ(wait([&](auto handler) { client->async_wait_readable(std::move(handler)); }),
            asio::error::operation_aborted);
  const bytes one{1};
  EXPECT_EQ(client->try_write(one).bytes, 1U);
}

TEST_F(TcpStream, CloseEndsAWaitAndFurtherCallsFail) {
  asio::post(context, [&] { client->close(); });
  EXPECT_EQ(wait([&](auto handler) { client->async_wait_readable(std::move(handler)); }),
            asio::error::operation_aborted);
  std::array<std::uint8_t, 8> buffer{};
  EXPECT_EQ(client->try_read(buffer).ec, asio::error::bad_descriptor);
  EXPECT_EQ(client->try_write(buffer).ec, asio::error::bad_descriptor);
  EXPECT_EQ(client->remote_endpoint().port(), 0);
  client->close();
}

}  // namespace
