// SPDX-License-Identifier: BSL-1.0
#include "tests/support/capture.hpp"
#include "tests/support/golden.hpp"
#include <tds/bytes/annotations.hpp>
#include <tds/protocol/login7.hpp>
#include <tds/protocol/packet.hpp>
#include <tds/protocol/prelogin.hpp>
#include <tds/protocol/sql_batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

// What real clients asked, in the recordings below tests/golden: PRELOGIN and its answer, LOGIN7 where it is
// in clear, every batch.

namespace {

using namespace tds::protocol;
using namespace wiregap_test;

constexpr std::uint8_t batch_type = 0x01;
constexpr std::uint8_t login_type = 0x10;
constexpr std::uint8_t prelogin_type = 0x12;

struct recording {
  const char* name;
  tds_version version;
  std::size_t batches;
  std::size_t logins;  // that can be read: none where login-only encryption hides it
};

std::ostream& operator<<(std::ostream& out, const recording& r) { return out << r.name; }

class recorded_requests : public testing::TestWithParam<recording> {
 protected:
  std::vector<byte_stream> of_type(std::uint8_t type) const {
    std::vector<byte_stream> found;
    for (const conversation& c : load_capture("recordings/" + std::string{GetParam().name} + ".pcap")) {
      for (auto& message : split_messages(c.to_server)) {
        if (message.packet_type == type) found.push_back(std::move(message.payload));
      }
    }
    return found;
  }
};

void check_prelogin(const byte_stream& payload) {
  tds::bytes::reader in{payload};
  const prelogin message = read_prelogin(in);
  ASSERT_TRUE(in.ok()) << in.error().explain();
  EXPECT_EQ(in.remaining(), 0U);
  EXPECT_TRUE(message.version_first);
  tds::bytes::buffer again;
  tds::bytes::writer out{again};
  EXPECT_TRUE(write_prelogin(out, message));
  EXPECT_EQ(to_hex(again), to_hex(payload));
}

TEST_P(recorded_requests, have_a_prelogin_that_is_written_again_as_it_was) {
  const auto found = of_type(prelogin_type);
  ASSERT_EQ(found.size(), 1U);
  check_prelogin(found[0]);
  const auto connections = load_capture("recordings/" + std::string{GetParam().name} + ".pcap");
  check_prelogin(split_messages(connections.at(0).to_client).at(0).payload);
}

TEST_P(recorded_requests, have_a_login_that_is_written_again_as_it_was) {
  const auto found = of_type(login_type);
  ASSERT_EQ(found.size(), GetParam().logins);
  for (const byte_stream& payload : found) {
    tds::bytes::annotations notes;
    tds::bytes::reader in{payload};
    in.annotate(&notes);
    const login7 message = read_login7(in);
    ASSERT_TRUE(in.ok()) << in.error().explain();
    EXPECT_EQ(in.remaining(), 0U);
    EXPECT_EQ(version_from_login7(message.tds_version), GetParam().version);
    EXPECT_EQ(message.user_name.view().utf8(), "babelfish_user");
    EXPECT_EQ(message.password.view().utf8(), "12345678");
    tds::bytes::buffer again;
    const auto refused = write_login7(again, message);
    EXPECT_FALSE(refused) << refused.field;
    EXPECT_EQ(to_hex(again), to_hex(payload));
    // The password shows in nothing that is not marked as a secret.
    EXPECT_TRUE(std::ranges::none_of(notes.items(), [](const tds::bytes::annotation& item) {
      return !item.secret && item.value.find("12345678") != std::string::npos;
    }));
    EXPECT_TRUE(std::ranges::any_of(notes.items(), &tds::bytes::annotation::secret));
  }
}

TEST_P(recorded_requests, have_batches_that_are_written_again_as_they_were) {
  const auto found = of_type(batch_type);
  EXPECT_EQ(found.size(), GetParam().batches);
  for (const byte_stream& payload : found) {
    tds::bytes::reader in{payload};
    const sql_batch message = read_sql_batch(in, GetParam().version);
    ASSERT_TRUE(in.ok()) << in.error().explain();
    EXPECT_EQ(in.remaining(), 0U);
    EXPECT_FALSE(message.sql_text.empty());
    tds::bytes::buffer again;
    tds::bytes::writer out{again};
    EXPECT_TRUE(write_sql_batch(out, GetParam().version, message.headers, message.sql_text));
    EXPECT_EQ(to_hex(again), to_hex(payload));
  }
}

INSTANTIATE_TEST_SUITE_P(of, recorded_requests,
                         testing::Values(recording{"freetds_7.1", tds_version::v7_1, 2, 0},
                                         recording{"freetds_7.4", tds_version::v7_4, 13, 0},
                                         recording{"tedious_queries", tds_version::v7_4, 59, 1},
                                         recording{"tedious_rpc", tds_version::v7_4, 17, 1}),
                         [](const auto& chosen) {
                           std::string name = chosen.param.name;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

}  // namespace
