// SPDX-License-Identifier: BSL-1.0
#include <tds/client/connect_params.hpp>

#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using tds::connect_params;
using tds::encrypt_mode;
using tds::problem_of;
using tds::secret;

template <class T>
concept printable = requires(std::ostream& out, const T& value) {
  out << value;
};

static_assert(!printable<secret>);
static_assert(!std::is_convertible_v<secret, std::string_view>);
static_assert(!std::is_convertible_v<std::string_view, secret>);
static_assert(std::is_nothrow_move_constructible_v<connect_params>);

TEST(secret, keeps_and_reveals) {
  const secret s{"p@ss word"};
  EXPECT_EQ(s.reveal(), "p@ss word");
  EXPECT_FALSE(s.empty());
  EXPECT_TRUE(secret{}.empty());
  EXPECT_EQ(secret{}.reveal(), "");
}

TEST(secret, copies_moves_and_assigns) {
  secret first{"one"};
  secret second{first};
  EXPECT_EQ(second.reveal(), "one");
  secret third{std::move(first)};
  EXPECT_EQ(third.reveal(), "one");
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): what a moved-from secret is, is promised
  third = secret{"two"};
  EXPECT_EQ(third.reveal(), "two");
  third = second;
  EXPECT_EQ(third.reveal(), "one");
  third = *&third;
  EXPECT_EQ(third.reveal(), "one");
  third.wipe();
  EXPECT_TRUE(third.empty());
}

TEST(secret, wipes_memory) {
  std::array<char, 5> text{'a', 'b', 'c', 'd', 'e'};
  tds::wipe_memory(text.data(), 4);
  EXPECT_EQ(text, (std::array<char, 5>{0, 0, 0, 0, 'e'}));
}

TEST(connect_params, defaults) {
  const connect_params p;
  EXPECT_EQ(p.port, 1433);
  EXPECT_EQ(p.packet_size, 4096);
  EXPECT_EQ(p.application_name, "wiregap");
  EXPECT_EQ(p.encrypt, encrypt_mode::mandatory);
  EXPECT_FALSE(p.trust_server_certificate);
  EXPECT_EQ(p.login_timeout, std::chrono::seconds{15});
  EXPECT_EQ(p.query_timeout, std::chrono::seconds{0});
  EXPECT_EQ(p.cancel_timeout, std::chrono::seconds{5});
  EXPECT_EQ(problem_of(p), "");
}

TEST(connect_params, strict_asks_for_tds_8) {
  connect_params p;
  EXPECT_EQ(p.wanted_version(), tds::protocol::tds_version::v7_4);
  p.version = tds::protocol::tds_version::v7_1;
  EXPECT_EQ(p.wanted_version(), tds::protocol::tds_version::v7_1);
  p.encrypt = encrypt_mode::strict;
  EXPECT_EQ(p.wanted_version(), tds::protocol::tds_version::v8_0);
}

TEST(connect_params, names_what_is_wrong) {
  const auto problem = [](auto change) {
    connect_params p;
    change(p);
    return problem_of(p);
  };
  EXPECT_EQ(problem([](auto& p) { p.host.clear(); }), "host is empty");
  EXPECT_EQ(problem([](auto& p) { p.port = 0; }), "port 0 is not in 1..65535");
  EXPECT_EQ(problem([](auto& p) { p.packet_size = 511; }), "packet_size 511 is not in 512..32767");
  EXPECT_EQ(problem([](auto& p) { p.packet_size = 32768; }), "packet_size 32768 is not in 512..32767");
  EXPECT_EQ(problem([](auto& p) { p.packet_size = 512; }), "");
  EXPECT_EQ(problem([](auto& p) { p.packet_size = 32767; }), "");
  EXPECT_EQ(problem([](auto& p) { p.login_timeout = std::chrono::seconds{-1}; }),
            "login_timeout is negative");
  EXPECT_EQ(problem([](auto& p) { p.database = std::string(129, 'd'); }),
            "database is longer than 128 UTF-16 code units");
  EXPECT_EQ(problem([](auto& p) { p.attach_db_file = std::string(260, 'd'); }), "");
  EXPECT_EQ(problem([](auto& p) { p.user = std::string("a\0b", 3); }), "user contains a NUL character");
  EXPECT_EQ(problem([](auto& p) { p.user = "m\xFCller"; }), "user is not valid UTF-8");
}

TEST(connect_params, counts_names_in_utf16_units) {
  connect_params p;
  for (int i = 0; i < 64; ++i) p.user += "\xF0\x9F\x98\x80";  // U+1F600 is two code units
  EXPECT_EQ(problem_of(p), "");
  p.user += "\xC3\xA9";  // e acute is one
  EXPECT_EQ(problem_of(p), "user is longer than 128 UTF-16 code units");
}

TEST(connect_params, problem_never_shows_the_password) {
  connect_params p;
  std::string long_password(129, 'x');
  long_password += "hunter2";  // GCC 12 misreads operator+ here as an overrun
  p.password = secret{long_password};
  EXPECT_EQ(problem_of(p), "password is longer than 128 UTF-16 code units");
}

}  // namespace
