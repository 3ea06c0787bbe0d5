// SPDX-License-Identifier: BSL-1.0
// A secret shows neither as text nor as bytes, in no message, however damaged.
#include "tests/unit/dissect/dissect_fixture.hpp"

#include <gmock/gmock.h>

namespace tds::dissect {
namespace {

using testing::HasSubstr;
using testing::Not;
using wiregap_test::dissect;
using wiregap_test::exact;
using wiregap_test::expect_covered;
using wiregap_test::load_hex;
using wiregap_test::render_all;

// The password of the recordings, and how it lies on the wire.
constexpr const char* password = "12345678";
constexpr const char* on_the_wire = "B6 A5 86 A5 96 A5";
constexpr std::size_t password_at = 126 + 8;
constexpr std::size_t password_end = password_at + 16;

void expect_hidden(const std::vector<std::uint8_t>& stream) {
  const std::string text = render_all(dissect(stream));
  EXPECT_THAT(text, Not(HasSubstr(password)));
  EXPECT_THAT(text, Not(HasSubstr(on_the_wire)));
  EXPECT_THAT(text, Not(HasSubstr("B6 A5")));
}

TEST(secrets, a_password_is_hidden_in_both_columns) {
  for (const char* name : {"tedious_queries", "tedious_rpc"}) {
    const auto stream = load_hex(std::string{"recordings/"} + name + "_login7.hex");
    ASSERT_EQ(stream[password_at], 0xB6);
    expect_hidden(stream);
    const std::string text = render_all(dissect(stream));
    EXPECT_THAT(text, HasSubstr("********"));
    EXPECT_THAT(text, HasSubstr("babelfish_user"));
  }
}

TEST(secrets, a_password_shows_when_asked_for) {
  const std::string text =
      render_all(dissect(load_hex("recordings/tedious_queries_login7.hex")), {.show_secrets = true});
  EXPECT_THAT(text, HasSubstr(password));
  EXPECT_THAT(text, HasSubstr(on_the_wire));
}

TEST(secrets, a_login_that_ends_anywhere_shows_no_password) {
  const auto whole = load_hex("recordings/tedious_queries_login7.hex");
  for (std::size_t size = 8; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    expect_hidden(exact(whole, 0, size));
  }
}

// Every byte in front of the password, and behind it, replaced: lengths, offsets (its own too), the packet's
// header but for its type.
TEST(secrets, a_login_damaged_anywhere_shows_no_password) {
  const auto whole = load_hex("recordings/tedious_queries_login7.hex");
  for (std::size_t at = 1; at < whole.size(); ++at) {
    if (at >= password_at && at < password_end) continue;
    for (const int other : {0x00, 0x01, 0x7E, 0x80, 0xFF}) {
      SCOPED_TRACE(std::to_string(at) + " is " + std::to_string(other));
      auto damaged = whole;
      damaged[at] = static_cast<std::uint8_t>(other);
      expect_hidden(damaged);
      for (const auto& m : dissect(damaged).messages) expect_covered(m);
    }
  }
}

TEST(secrets, what_overlaps_a_password_is_hidden_too) {
  auto stream = load_hex("recordings/tedious_queries_login7.hex");
  stream[8 + 36] = 126;  // ib_host_name: where the password lies
  stream[8 + 38] = 8;
  expect_hidden(stream);
}

TEST(secrets, tokens_and_sspi_are_hidden) {
  for (const char* name : {"03_login_request_federated_auth", "11_sspi_message"}) {
    bool any = false;
    const auto whole = dissect(load_hex(std::string{"vectors/"} + name + ".hex"));
    for (const auto& field : whole.messages.at(0).fields) {
      any = any || (field.secret && field.size > 20);
    }
    EXPECT_TRUE(any) << name;
  }
  const std::string text = render_all(dissect(load_hex("vectors/11_sspi_message.hex")));
  EXPECT_THAT(text, Not(HasSubstr("4E 54 4C 4D")));
}

}  // namespace
}  // namespace tds::dissect
