// SPDX-License-Identifier: BSL-1.0
#include "tests/component/client/client_fixture.hpp"
#include <bench/harness/fault_words.hpp>
#include <bench/harness/relay_tls.hpp>
#include <bench/harness/relay_watch.hpp>
#include <bench/harness/tcp_relay.hpp>
#include <tds/server/server_thread.hpp>

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using tds::dissect::sender;
using ::testing::HasSubstr;

struct heard final : wiregap::relay_watch::audience {
  void seen(const wiregap::relayed_message& one) override {
    titles.push_back(std::string{name_of(one.message.found.from)} + ": " + one.message.found.title);
    if (one.gap) ++gaps;
    if (one.message.found.error) ++errors;
  }
  void lost(std::uint64_t, const std::string& why) override { problems.push_back(why); }
  void closed(std::uint64_t, bool reset, wiregap::relay_tap::stamp) override { resets.push_back(reset); }

  std::vector<std::string> titles, problems;
  std::vector<bool> resets;
  int gaps = 0, errors = 0;
};

/// A relay on a thread of its own, to a port of this machine.
class relay_thread {
 public:
  relay_thread(std::uint16_t to, const wiregap::relay_options& options)
      : relay_{context_.get_executor(), "127.0.0.1", to, options} {
    EXPECT_FALSE(relay_.listen({asio::ip::address_v4::loopback(), 0}));
    port_ = relay_.local_endpoint().port();
    thread_ = std::thread{[this] { context_.run(); }};
  }
  ~relay_thread() { stop(); }
  void stop() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }
  std::uint16_t port() const { return port_; }
  const wiregap::tcp_relay& relay() const { return relay_; }

 private:
  asio::io_context context_{1};
  wiregap::tcp_relay relay_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

tds::server_options any_user() {
  tds::server_options out;
  out.any_user = true;
  return out;
}

struct Relay : ::testing::Test {
  heard audience;
  wiregap::relay_watch watch{audience, {}};
};

TEST_F(Relay, TheTapSeesEveryMessageOfAConversation) {
  const tds::server_thread server{any_user()};
  wiregap_test::client client;
  {
    relay_thread relay{server.port(), {&watch}};
    ASSERT_FALSE(client.connect(wiregap_test::fake_params(relay.port()))) << client.connection.diag().detail;
    for (int i = 0; i < 3; ++i) {
      ASSERT_FALSE(client.execute("SELECT 1 AS a"));
      EXPECT_EQ(client.results.sets().size(), 1U);
    }
    client.close();
  }
  watch.finish();
  const std::vector<std::string> expected{
      "client: PRELOGIN",  "server: PRELOGIN response", "client: LOGIN7",    "server: TABULAR_RESULT",
      "client: SQL_BATCH", "server: TABULAR_RESULT",    "client: SQL_BATCH", "server: TABULAR_RESULT",
      "client: SQL_BATCH", "server: TABULAR_RESULT"};
  EXPECT_EQ(audience.titles, expected);
  EXPECT_EQ(audience.gaps, 3);
  EXPECT_EQ(audience.errors, 0);
  EXPECT_TRUE(audience.problems.empty());
  EXPECT_EQ(watch.counts().requests, 3U);
  EXPECT_EQ(watch.counts().answers, 3U);
  EXPECT_EQ(watch.counts().gaps.count(), 3U);
}

TEST_F(Relay, TlsIsForwardedAndNamed) {
  const tds::server_thread server{any_user()};
  wiregap_test::client client;
  {
    relay_thread relay{server.port(), {&watch}};
    auto params = wiregap_test::fake_params(relay.port());
    params.encrypt = tds::encrypt_mode::mandatory;
    params.trust_server_certificate = true;
    ASSERT_FALSE(client.connect(params)) << client.connection.diag().detail;
    ASSERT_FALSE(client.execute("SELECT 1 AS a"));
    client.close();
  }
  watch.finish();
  EXPECT_THAT(audience.titles, ::testing::Contains("client: PRELOGIN: TLS handshake"));
  EXPECT_THAT(audience.titles, ::testing::Contains("server: TLS record"));
  EXPECT_EQ(audience.errors, 0);
}

/// A file that goes with the test.
class temporary_file {
 public:
  explicit temporary_file(const std::string& content)
      : path{std::filesystem::temp_directory_path() /
             ("wiregap-relay-" + std::to_string(std::random_device{}()) + ".pem")} {
    std::ofstream{path} << content;
  }
  ~temporary_file() { std::filesystem::remove(path); }
  const std::filesystem::path path;
};

TEST_F(Relay, TlsThatEndsInTheRelayIsDecoded) {
  const tds::server_thread server{any_user()};
  const temporary_file servers{server.certificate_pem()};
  wiregap::relay_tls_settings settings;
  settings.server.host = "localhost";
  settings.server.ca_file = servers.path.string();
  const wiregap::relay_tls tls{settings};
  using tds::encrypt_mode;
  const std::array modes{encrypt_mode::disable, encrypt_mode::optional, encrypt_mode::mandatory,
                         encrypt_mode::strict};
  {
    const relay_thread relay{server.port(), {&watch, nullptr, &tls}};
    const temporary_file relays{tls.certificate_pem()};
    for (const auto mode : modes) {
      wiregap_test::client client;
      auto params = wiregap_test::fake_params(relay.port());
      params.encrypt = mode;
      params.ca_file = relays.path.string();
      ASSERT_FALSE(client.connect(params)) << name_of(mode) << client.connection.diag().detail;
      ASSERT_FALSE(client.execute("SELECT 1 AS a"));
      const auto encrypted = client.connection.info().encryption;
      EXPECT_EQ(encrypted, mode == encrypt_mode::disable  ? tds::encryption::none
                           : mode == encrypt_mode::strict ? tds::encryption::strict
                                                          : tds::encryption::full);
      client.close();
    }
  }
  watch.finish();
  EXPECT_TRUE(audience.problems.empty());
  EXPECT_EQ(audience.errors, 0);
  EXPECT_EQ(audience.titles.size(), modes.size() * 6);
  EXPECT_EQ(audience.gaps, 4);
  EXPECT_THAT(audience.titles, ::testing::Not(::testing::Contains(HasSubstr("TLS"))));
}

TEST_F(Relay, AServerThatIsNotTrustedHearsNoPassword) {
  const tds::server_thread server{any_user()};
  const wiregap::relay_tls tls{{}};
  {
    const relay_thread relay{server.port(), {&watch, nullptr, &tls}};
    wiregap_test::client client;
    auto params = wiregap_test::fake_params(relay.port());
    params.encrypt = tds::encrypt_mode::mandatory;
    params.trust_server_certificate = true;
    EXPECT_TRUE(client.connect(params));
  }
  watch.finish();
  ASSERT_EQ(audience.problems.size(), 1U);
  EXPECT_THAT(audience.problems[0], HasSubstr("TLS with the server: "));
  EXPECT_EQ(server.counts().logins, 0U);
}

/// Whatever comes, TDS or not, comes back.
class echo_server {
 public:
  echo_server() : acceptor_{context_, {asio::ip::address_v4::loopback(), 0}} {
    port = acceptor_.local_endpoint().port();
    thread_ = std::thread{[this] {
      tcp::socket peer{context_};
      boost::system::error_code ec;
      acceptor_.accept(peer, ec);
      std::array<char, 1000> buffer{};
      while (!ec) {
        const auto count = peer.read_some(asio::buffer(buffer), ec);
        if (!ec) asio::write(peer, asio::buffer(buffer, count), ec);
      }
    }};
  }
  ~echo_server() { thread_.join(); }
  std::uint16_t port = 0;

 private:
  asio::io_context context_;
  tcp::acceptor acceptor_;
  std::thread thread_;
};

TEST_F(Relay, WhatDoesNotDecodeIsForwardedAllTheSame) {
  echo_server server;
  {
    relay_thread relay{server.port, {&watch}};
    asio::io_context context;
    tcp::socket socket{context};
    socket.connect({asio::ip::address_v4::loopback(), relay.port()});
    // A batch whose headers lie about their length, then no TDS at all.
    std::vector<std::uint8_t> sent{0x01, 0x01, 0, 0x0D, 0, 0, 1, 0, 9, 0, 0, 0, 0};
    for (int i = 0; i < 100'000; ++i) sent.push_back(static_cast<std::uint8_t>(i * 31));
    std::thread writer{[&] { asio::write(socket, asio::buffer(sent)); }};
    std::vector<std::uint8_t> received(sent.size());
    asio::read(socket, asio::buffer(received));
    writer.join();
    EXPECT_EQ(received, sent);
    socket.shutdown(tcp::socket::shutdown_send);
    boost::system::error_code ec;
    std::array<char, 1> rest{};
    EXPECT_EQ(socket.read_some(asio::buffer(rest), ec), 0U);  // the end goes through as well
    EXPECT_EQ(ec, asio::error::eof);
  }
  watch.finish();
  EXPECT_EQ(audience.errors, 2);
  ASSERT_EQ(audience.problems.size(), 2U);
  EXPECT_THAT(audience.problems[0], HasSubstr("forwarded all the same"));
  EXPECT_EQ(watch.counts().client_bytes, 100'013U);
  EXPECT_EQ(watch.counts().server_bytes, 100'013U);
  EXPECT_EQ(audience.resets, std::vector<bool>{false});
}

TEST_F(Relay, ADeadServerIsSaid) {
  std::uint16_t port = 0;
  {
    asio::io_context context;
    tcp::acceptor was{context, {asio::ip::address_v4::loopback(), 0}};
    port = was.local_endpoint().port();
  }
  relay_thread relay{port, {&watch}};
  asio::io_context context;
  tcp::socket socket{context};
  socket.connect({asio::ip::address_v4::loopback(), relay.port()});
  std::array<char, 1> buffer{};
  boost::system::error_code ec;
  static_cast<void>(socket.read_some(asio::buffer(buffer), ec));
  EXPECT_TRUE(ec);
  relay.stop();
  watch.finish();
  EXPECT_EQ(relay.relay().unreachable(), 1U);
  ASSERT_EQ(audience.problems.size(), 1U);
  EXPECT_THAT(audience.problems[0], HasSubstr("nothing accepts connections at 127.0.0.1:"));
}

TEST_F(Relay, FaultsOfAServer) {
  const tds::server_thread server{any_user()};
  tds::serving::fault_plan plan;
  plan.add(wiregap::parse_fault("hold_request=200ms,contains=held"));
  plan.add(wiregap::parse_fault("slow_bytes=100us,contains=slow"));
  plan.add(wiregap::parse_fault("cut_answer,at=12,contains=cut"));
  relay_thread relay{server.port(), {&watch, &plan}};
  wiregap_test::client client;
  ASSERT_FALSE(client.connect(wiregap_test::fake_params(relay.port())));
  ASSERT_FALSE(client.execute("SELECT 'held' AS a"));
  EXPECT_GE(*round_trip(client.connection.last_exchange()), std::chrono::milliseconds{200});
  ASSERT_FALSE(client.execute("SELECT 'slow' AS a"));
  EXPECT_EQ(client.results.sets().size(), 1U);
  EXPECT_EQ(client.execute("SELECT 'cut' AS a"), tds::errc::server_closed);
  relay.stop();
  EXPECT_EQ(plan.counts().total(), 3U);
}

TEST_F(Relay, WhatTheWatchCannotHoldIsDroppedAndTheRelayGoesOn) {
  const tds::server_thread server{any_user()};
  wiregap::relay_watch small{audience, {.most_waiting = 10}};
  wiregap_test::client client;
  {
    relay_thread relay{server.port(), {&small}};
    ASSERT_FALSE(client.connect(wiregap_test::fake_params(relay.port())));
    ASSERT_FALSE(client.execute("SELECT 1 AS a"));
    client.close();
  }
  small.finish();
  EXPECT_EQ(small.counts().overruns, 1U);
  EXPECT_TRUE(audience.titles.empty());
}

}  // namespace
