// SPDX-License-Identifier: BSL-1.0
#include "client_fixture.hpp"
#include "replay_server.hpp"
#include <tests/support/capture.hpp>
#include <tests/support/pace.hpp>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

// Every response in the recordings, sent to a whole client: cut at every byte, and with every byte damaged.
// Each must end within its deadline, in success or in an error that says what and where.
namespace {

using namespace wiregap_test;
using tds::protocol::tds_version;
using end = replay_server::end;

/// Which of the client's messages is answered with the response at hand; the others get a plain answer.
enum class place : std::uint8_t { prelogin, login, request };

struct response {
  place where{};
  byte_vector bytes{};  ///< packets and all
};

struct recording {
  const char* name;
  tds_version version;
};

// Headers are made again: what was recorded without them had them as every server sends them.
byte_vector in_packets(const recorded_message& message) {
  byte_vector out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < message.packet_ends.size(); ++i) {
    const auto begin = message.payload.begin();
    const bool last = message.complete && i + 1 == message.packet_ends.size();
    auto packet = packet_of({begin + static_cast<std::ptrdiff_t>(at),
                             begin + static_cast<std::ptrdiff_t>(message.packet_ends[i])},
                            0x04, last ? 0x01 : 0x00);
    packet[6] = static_cast<std::uint8_t>(i + 1);
    out.insert(out.end(), packet.begin(), packet.end());
    at = message.packet_ends[i];
  }
  return out;
}

std::vector<response> responses_of(const recording& r) {
  std::vector<response> out;
  for (const auto& talk : load_capture("recordings/" + std::string{r.name} + ".pcap")) {
    std::size_t number = 0;
    for (const auto& message : split_messages(talk.to_client)) {
      out.push_back({number == 0   ? place::prelogin
                     : number == 1 ? place::login
                                   : place::request,
                     in_packets(message)});
      ++number;
    }
  }
  return out;
}

// All of a response of a usual size; of a large one both ends, and some of what lies between.
std::vector<std::size_t> positions(std::size_t size, std::size_t sparse) {
  constexpr std::size_t edge = 2048;
  const std::size_t step = std::max<std::size_t>(97, size / 400);
  std::vector<std::size_t> out;
  for (std::size_t at = 0, seen = 0; at < size; ++seen) {
    if (seen % sparse == 0) out.push_back(at);
    const bool between = at >= edge && at + edge < size;
    at += between ? std::min(step, size - edge - at) : 1;
  }
  return out;
}

/// One client after the other, and the server they talk to, all on one thread.
class victims {
 public:
  explicit victims(tds_version version) : version_(version) {}

  struct outcome {
    tds::error_code ec{};
    std::string said{};  ///< for a person
    bool open{};
  };

  outcome meet(place where, byte_vector bytes, end how,
               std::chrono::milliseconds limit = std::chrono::seconds{20}) {
    std::vector<byte_vector> answers;
    if (where != place::prelogin) answers.push_back(plain_prelogin());
    if (where == place::request) answers.push_back(plain_login());
    answers.push_back(std::move(bytes));
    server_.prepare(std::move(answers), how);
    auto params = fake_params(server_.port());
    // Ten thousands of connections between the same two addresses would leave no port free for the next.
    params.host = "127.0." + std::to_string(1 + count_++ / 5000) + ".1";
    params.version = version_;
    params.login_timeout = where == place::request ? std::chrono::seconds{20} : limit;
    params.cancel_timeout = limit;
    tds::connection me{context_};
    auto ec = tds::run_sync(context_, me.async_connect(std::move(params)));
    if (where == place::request && !ec) {
      results_.clear();
      ec = tds::run_sync(context_, me.async_execute("SELECT 1", results_, {.timeout = limit}));
    }
    return {ec, tds::explain(ec, me.diag()), me.is_open()};
  }

 private:
  bool is_7_1() const { return version_ == tds_version::v7_1; }
  static byte_vector plain_prelogin() {
    return packet_of(
        {0x00, 0x00, 0x0B, 0x00, 0x06, 0x01, 0x00, 0x11, 0x00, 0x01, 0xFF, 0x10, 0, 0, 0, 0, 0, 0x02});
  }
  byte_vector plain_login() const {
    auto acknowledged = loginack_token();
    auto done = done_token();
    if (is_7_1()) {
      acknowledged[4] = 0x71;
      acknowledged[7] = 0x01;
      done.resize(9);  // a row count of four bytes
    }
    return packet_of(concat({acknowledged, done}));
  }

  tds_version version_;
  boost::asio::io_context context_;
  replay_server server_{context_};
  tds::results results_;
  std::size_t count_ = 0;
};

class hostile_responses : public testing::TestWithParam<recording> {
 protected:
  // A message about the failure carries which response it was.
  template <class Check>
  void for_each(Check&& check) {
    victims them{GetParam().version};
    std::size_t number = 0;
    for (const auto& one : responses_of(GetParam())) {
      SCOPED_TRACE("response " + std::to_string(number++) + " of " + std::to_string(one.bytes.size()) +
                   " bytes");
      check(them, one);
      if (HasFailure()) return;
    }
  }
};

// What went wrong and where. A few errors are of one place only, and their own text names it.
bool tells(const victims::outcome& met) {
  using tds::errc;
  for (const auto code :
       {errc::encryption_reply_invalid, errc::encryption_required, errc::login_incomplete}) {
    if (met.ec == code) return true;
  }
  return met.said.size() > met.ec.message().size();
}

// Otherwise the others would prove nothing.
TEST_P(hostile_responses, whole_are_understood) {
  for_each([](victims& them, const response& one) {
    if (one.where == place::prelogin) return;
    const bool complete = one.bytes.size() < 100'000;  // the capture lost the end of one
    const auto met = them.meet(one.where, one.bytes, complete ? end::silence : end::close);
    if (complete) {
      EXPECT_TRUE(!met.ec || met.ec == tds::errc::server_error) << met.said;
      EXPECT_TRUE(met.open);
    } else {
      EXPECT_EQ(met.ec, tds::errc::server_closed) << met.said;
    }
  });
}

TEST_P(hostile_responses, cut_anywhere_are_a_closed_connection) {
  for_each([](victims& them, const response& one) {
    for (const auto at : positions(one.bytes.size(), every(8))) {
      const byte_vector cut{one.bytes.begin(), one.bytes.begin() + static_cast<std::ptrdiff_t>(at)};
      const auto met = them.meet(one.where, cut, at % 2 == 0 ? end::close : end::reset);
      ASSERT_EQ(met.ec, tds::errc::server_closed) << "at " << at << ": " << met.said;
      ASSERT_FALSE(met.open);
      const std::string where = one.where == place::prelogin ? "in answer to PRELOGIN"
                                : at <= 8                    ? ""
                                                             : "of it";
      ASSERT_NE(met.said.find(where), std::string::npos) << "at " << at << ": " << met.said;
    }
  });
}

TEST_P(hostile_responses, damaged_anywhere_end_in_success_or_an_error_that_tells) {
  for_each([](victims& them, const response& one) {
    for (const auto at : positions(one.bytes.size(), every(8))) {
      auto damaged = one.bytes;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ (1 + at * 37 % 255));
      const auto met = them.meet(one.where, damaged, end::close);
      if (!met.ec) continue;
      ASSERT_NE(met.ec, tds::errc::timed_out) << "at " << at << ": " << met.said;
      ASSERT_TRUE(tells(met)) << "at " << at << ": " << met.said;
    }
  });
}

// A length that has grown makes the client wait for what never comes, and a server that is silent answers no
// Attention either.
TEST_P(hostile_responses, damaged_and_left_alone_end_in_time) {
  for_each([seen = std::size_t{0}](victims& them, const response& one) mutable {
    for (const auto at : positions(one.bytes.size(), every(8))) {
      if (++seen % 97 != 0) continue;
      auto damaged = one.bytes;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ 0xFF);
      const auto start = std::chrono::steady_clock::now();
      const auto met = them.meet(one.where, damaged, end::silence, std::chrono::milliseconds{5});
      ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds{10}) << "at " << at;
      if (met.ec) {
        ASSERT_FALSE(met.said.empty());
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(of, hostile_responses,
                         testing::Values(recording{"freetds_7.1", tds_version::v7_1},
                                         recording{"freetds_7.4", tds_version::v7_4},
                                         recording{"tedious_queries", tds_version::v7_4},
                                         recording{"tedious_rpc", tds_version::v7_4}),
                         [](const auto& chosen) {
                           std::string name = chosen.param.name;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

}  // namespace
