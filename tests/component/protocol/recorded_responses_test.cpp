// SPDX-License-Identifier: BSL-1.0
#include "tests/support/capture.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/hostile.hpp"
#include "tests/support/transcript.hpp"
#include <tds/protocol/tokens/token_stream.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

// Every response that a real server gave, in the recordings below tests/golden.

namespace {

using namespace tds::protocol;
using namespace wiregap_test;

struct recording {
  const char* name;
  tds_version version;
  std::size_t responses;  // that are complete, without the one to PRELOGIN
};

std::ostream& operator<<(std::ostream& out, const recording& r) { return out << r.name; }

// All token streams of a recording: what follows the answer to PRELOGIN.
std::vector<recorded_message> responses_of(const recording& r) {
  std::vector<recorded_message> found;
  for (const conversation& c : load_capture("recordings/" + std::string{r.name} + ".pcap")) {
    auto messages = split_messages(c.to_client);
    if (messages.empty()) continue;
    messages.erase(messages.begin());
    for (auto& message : messages) found.push_back(std::move(message));
  }
  return found;
}

class recorded_responses : public testing::TestWithParam<recording> {
 protected:
  // Calls `check` with every complete response and a stream that has seen the ones before it.
  template <class Check>
  void for_each(Check&& check) {
    token_stream stream{GetParam().version};
    std::size_t seen = 0;
    for (const auto& message : responses_of(GetParam())) {
      SCOPED_TRACE("response " + std::to_string(seen) + " of " + std::to_string(message.payload.size()) +
                   " bytes");
      if (!message.complete) continue;
      ++seen;
      check(stream, message);
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(seen, GetParam().responses);
  }
};

TEST_P(recorded_responses, decode_with_nothing_left_over) {
  for_each([](token_stream& stream, const recorded_message& message) {
    EXPECT_EQ(play(stream, message.payload, message.payload.size()).error, "");
    EXPECT_EQ(stream.pending(), 0U);
  });
}

TEST_P(recorded_responses, may_be_split_anywhere) {
  for_each([](token_stream& stream, const recorded_message& message) {
    const transcript expected = play(stream, message.payload, message.payload.size());
    EXPECT_EQ(play(stream, message.payload, 1), expected);
    EXPECT_EQ(play(stream, message.payload, 512 - 8), expected);
    const std::size_t step = message.payload.size() < 700 ? 1 : message.payload.size() / 50;
    for (std::size_t at = 0; at < message.payload.size(); at += step) {
      ASSERT_EQ(play_split(stream, message.payload, at), expected) << at;
    }
  });
}

TEST_P(recorded_responses, may_be_cut_anywhere) {
  for_each([](token_stream& stream, const recorded_message& message) {
    check_prefixes(stream, message.payload, message.payload.size() < 4096 ? 1 : 97);
  });
}

TEST_P(recorded_responses, may_be_corrupted_anywhere) {
  for_each([](token_stream& stream, const recorded_message& message) {
    const std::size_t size = message.payload.size();
    check_corruptions(stream, message.payload, size < 4096 ? 1 : 97, size < 150 ? 255 : 3);
  });
}

TEST_P(recorded_responses, are_written_again_as_they_were) {
  for_each([](token_stream& stream, const recorded_message& message) {
    tds::bytes::buffer again;
    tds::bytes::writer out{again};
    (void)play(stream, message.payload, message.payload.size(), [&](const token_stream& s, const token& t) {
      EXPECT_TRUE(write_token(out, t, s.last_type(), s.version()));
    });
    EXPECT_EQ(to_hex(again), to_hex(message.payload));
  });
}

// The same value has more than one form on the wire (a PLP total that is known or not, chunks of any size),
// so what is compared is what the rows say.
TEST_P(recorded_responses, hold_rows_that_can_be_written_from_their_values) {
  for_each([](token_stream& stream, const recorded_message& message) {
    const transcript expected = play(stream, message.payload, message.payload.size());
    const auto again = play_and_write(stream, message.payload);
    transcript found = play(stream, again, again.size());
    EXPECT_EQ(found.error, "");
    ASSERT_EQ(found.tokens.size(), expected.tokens.size());
    const auto without_offset = [](const std::string& line) {
      return line.substr(0, line.find('@')) + line.substr(line.find(':'));
    };
    for (std::size_t i = 0; i < found.tokens.size(); ++i) {
      ASSERT_EQ(without_offset(found.tokens[i]), without_offset(expected.tokens[i]));
    }
  });
}

TEST_P(recorded_responses, annotate_every_byte) {
  for_each([](token_stream& stream, const recorded_message& message) {
    tds::bytes::annotations notes;
    stream.annotate(&notes);
    EXPECT_EQ(play(stream, message.payload, message.payload.size()).error, "");
    stream.annotate(nullptr);
    std::size_t last = 0;
    for (const auto& item : notes.items()) {
      EXPECT_LE(item.offset + item.size, message.payload.size()) << item.field;
      EXPECT_FALSE(item.field.empty());
      last = std::max(last, item.offset + item.size);
    }
    EXPECT_EQ(last, message.payload.size());
  });
}

INSTANTIATE_TEST_SUITE_P(of, recorded_responses,
                         testing::Values(recording{"freetds_7.1", tds_version::v7_1, 2},
                                         recording{"freetds_7.4", tds_version::v7_4, 14},
                                         recording{"tedious_queries", tds_version::v7_4, 60},
                                         recording{"tedious_rpc", tds_version::v7_4, 44}),
                         [](const auto& chosen) {
                           std::string name = chosen.param.name;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

// The million characters: the capture lost the end, so it stays an answer that is cut.
TEST(recorded_response, of_a_million_characters_is_cut) {
  for (const auto& message : responses_of({"tedious_rpc", tds_version::v7_4, 0})) {
    if (message.complete) continue;
    token_stream stream{tds_version::v7_4};
    const transcript expected = play(stream, message.payload, 4088);
    EXPECT_EQ(expected.error, "incomplete in row at offset 883008: in ROW: column 1 s");
    EXPECT_EQ(play(stream, message.payload, 1), expected);
    check_prefixes(stream, message.payload, 40'009);
    check_corruptions(stream, message.payload, 40'009, 3);
    return;
  }
  FAIL() << "the recording has no such response";
}

}  // namespace
