// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/fault_words.hpp>
#include <bench/harness/relay_faults.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using wiregap::parse_fault;
using wiregap::relay_faults;
using bytes = std::vector<std::uint8_t>;

bytes batch_of(std::string_view sql) {
  bytes out{0x01, 0x01, 0, 0, 0, 0, 1, 0, 0x16, 0, 0, 0, 0x12, 0, 0,
            0,    2,    0, 0, 0, 0, 0, 0, 0,    0, 0, 1, 0,    0, 0};
  for (const char c : sql) {
    out.push_back(static_cast<std::uint8_t>(c));
    out.push_back(0);
  }
  out[3] = static_cast<std::uint8_t>(out.size());
  return out;
}

const bytes attention{0x06, 0x01, 0x00, 0x08, 0, 0, 1, 0};
const bytes answer{0x04, 0x00, 0x00, 0x0A, 0, 0, 1, 0, 1, 2, 0x04, 0x01, 0x00, 0x09, 0, 0, 2, 0, 3};

struct RelayFaults : ::testing::Test {
  tds::serving::fault_plan plan;
  relay_faults conversation{plan};

  void add(const char* text) { plan.add(parse_fault(text)); }
};

TEST_F(RelayFaults, WithoutAnyNothingWaits) {
  EXPECT_EQ(conversation.request(batch_of("SELECT 1")), 0ns);
  const auto step = conversation.answer(answer);
  EXPECT_EQ(step.wait, 0ns);
  EXPECT_EQ(step.bytes, answer.size());
  EXPECT_FALSE(step.cut);
}

TEST_F(RelayFaults, ARequestIsHeldWithItsLastBytes) {
  add("hold_request=500ms");
  const auto request = batch_of("SELECT 1");
  const bytes first(request.begin(), request.begin() + 20), rest(request.begin() + 20, request.end());
  EXPECT_EQ(conversation.request(first), 0ns);
  EXPECT_EQ(conversation.request(rest), 500ms);
  EXPECT_EQ(conversation.request(attention), 0ns);
}

TEST_F(RelayFaults, ConditionsAreThoseOfServe) {
  add("hold_request=1ms,contains=slow,every=2");
  EXPECT_EQ(conversation.request(batch_of("a slow one")), 0ns);
  EXPECT_EQ(conversation.request(batch_of("a quick one")), 0ns);
  EXPECT_EQ(conversation.request(batch_of("a slow one")), 1ms);
  EXPECT_EQ(plan.counts().hold_request, 1U);
}

TEST_F(RelayFaults, ThinkingIsBeforeTheAnswersFirstByteOnly) {
  add("think=30ms");
  static_cast<void>(conversation.request(batch_of("x")));
  EXPECT_EQ(conversation.answer(answer).wait, 30ms);
  EXPECT_EQ(conversation.answer(answer).wait, 0ns);
}

TEST_F(RelayFaults, AnAnswerPausesBehindItsFirstPacket) {
  add("pause_in_answer=20ms");
  static_cast<void>(conversation.request(batch_of("x")));
  auto step = conversation.answer(answer);
  EXPECT_EQ(step.wait, 0ns);
  EXPECT_EQ(step.bytes, 10U);
  step = conversation.answer(tds::bytes::byte_span{answer}.subspan(10));
  EXPECT_EQ(step.wait, 20ms);
  EXPECT_EQ(step.bytes, 9U);
}

TEST_F(RelayFaults, AnAnswerIsCutBehindAByte) {
  add("cut_answer,at=12");
  static_cast<void>(conversation.request(batch_of("x")));
  auto step = conversation.answer(answer);
  EXPECT_EQ(step.bytes, 12U);
  EXPECT_FALSE(step.cut);
  EXPECT_TRUE(conversation.answer(tds::bytes::byte_span{answer}.subspan(12)).cut);
}

TEST_F(RelayFaults, AnAnswerGoesByteByByte) {
  add("slow_bytes=2ms");
  static_cast<void>(conversation.request(batch_of("x")));
  EXPECT_EQ(conversation.answer(answer).wait, 0ns);
  const auto step = conversation.answer(tds::bytes::byte_span{answer}.subspan(1));
  EXPECT_EQ(step.wait, 2ms);
  EXPECT_EQ(step.bytes, 1U);
}

TEST_F(RelayFaults, BehindTlsNothingBefallsTheConversation) {
  add("hold_request=500ms");
  EXPECT_EQ(conversation.request({std::initializer_list<std::uint8_t>{0x16, 3, 1, 0, 1, 0}.begin(), 6}), 0ns);
  EXPECT_EQ(conversation.request(batch_of("x")), 0ns);
  EXPECT_EQ(plan.counts().total(), 0U);
}

TEST(FaultWords, SayWhatTheyDoNotUnderstand) {
  const auto problem = [](const char* text) -> std::string {
    try {
      static_cast<void>(parse_fault(text));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_THAT(problem("hold=1ms"), HasSubstr("--fault hold=1ms: no kind 'hold'"));
  EXPECT_THAT(problem("hold=1ms"), HasSubstr("hold_request, think"));
  EXPECT_THAT(problem("think=soon"), HasSubstr("--fault think=soon: "));
  EXPECT_THAT(problem("think=1ms,evry=3"), HasSubstr("'evry=3' is not understood"));
  EXPECT_THAT(problem("think=1ms,every=x"), HasSubstr("'every=x' is not understood"));
  const auto fault = parse_fault("cut_answer,at=9,min=100,limit=2");
  EXPECT_EQ(fault.kind, tds::serving::fault_kind::cut_answer);
  EXPECT_EQ(fault.at, 9U);
  EXPECT_EQ(fault.min_bytes, 100U);
  EXPECT_EQ(fault.limit, 2U);
}

}  // namespace
