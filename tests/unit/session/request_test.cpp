// SPDX-License-Identifier: BSL-1.0
#include <tds/session/request.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace tds;
using session::action;
using session::request;
using session::step;
using bytes_t = std::vector<std::uint8_t>;

// A response message of one packet around `payload`.
bytes_t packet(const bytes_t& payload, std::uint8_t status = 0x01) {
  bytes_t out{0x04, status, 0, static_cast<std::uint8_t>(payload.size() + 8), 0x00, 0x33, 0x01, 0x00};
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}

bytes_t operator+(bytes_t a, const bytes_t& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// COLMETADATA of one int column without a name, and a row holding 1.
const bytes_t columns{0x81, 0x01, 0x00, 0, 0, 0, 0, 0x00, 0x00, 0x38, 0x00};
const bytes_t row_of_one{0xD1, 0x01, 0x00, 0x00, 0x00};
bytes_t done_token(std::uint8_t low, std::uint8_t high = 0, std::uint8_t rows = 0) {
  return {0xFD, low, high, 0xC1, 0x00, rows, 0, 0, 0, 0, 0, 0, 0};
}
// ERROR 208 or another number, with a severity.
bytes_t error_token(std::uint8_t number, std::uint8_t severity) {
  return {0xAA, 0x10, 0x00, number, 0, 0, 0, 0x01, severity, 0x01, 0x00, 'x', 0, 0x00, 0x00, 0x01, 0, 0, 0};
}

class recording_sink final : public session::token_sink {
 public:
  bool on_token(const protocol::token&, protocol::token_type type) override {
    seen.push_back(std::string{protocol::name_of(type)});
    return seen.size() < stop_after;
  }
  std::vector<std::string> seen;
  std::size_t stop_after = 1000;
};

class request_test : public ::testing::Test {
 protected:
  session::environment env;
  session::response_reader reader{env};
  request op{env, reader};
  recording_sink sink;

  void begin() {
    ASSERT_EQ(op.begin_batch("SELECT 1", sink), (action{step::write, {}}));
    ASSERT_EQ(op.written(), (action{step::read, {}}));
  }
};

TEST_F(request_test, writes_the_batch_with_all_headers_and_utf16_text) {
  ASSERT_EQ(op.begin_batch("A\xF0\x9F\x98\x80", sink), (action{step::write, {}}));
  const bytes_t expected{
      0x01, 0x01, 0x00, 0x24, 0x00, 0x00, 0x01, 0x00,              // packet header, 36 bytes
      0x16, 0,    0,    0,    0x12, 0,    0,    0,    0x02, 0x00,  // ALL_HEADERS: transaction descriptor
      0,    0,    0,    0,    0,    0,    0,    0,    0x01, 0,
      0,    0,  // descriptor 0, one request outstanding
      'A',  0,    0x3D, 0xD8, 0x00, 0xDE};
  EXPECT_EQ(op.output().data, expected);
  EXPECT_EQ(op.current(), request::state::sending);
}

TEST_F(request_test, an_answer_ends_the_operation_and_leaves_it_idle) {
  begin();
  const auto answer = packet(columns + row_of_one + done_token(0x10, 0, 1));
  EXPECT_EQ(op.received(answer), session::finish());
  EXPECT_THAT(sink.seen, ::testing::ElementsAre("COLMETADATA", "ROW", "DONE"));
  EXPECT_EQ(op.current(), request::state::idle);
  EXPECT_EQ(env.spid, 0x33);
}

TEST_F(request_test, any_split_gives_the_same) {
  const auto answer = packet(columns + row_of_one + done_token(0x10, 0, 1));
  for (std::size_t cut = 1; cut < answer.size(); ++cut) {
    sink.seen.clear();
    begin();
    const bytes_t head(answer.begin(), answer.begin() + static_cast<std::ptrdiff_t>(cut));
    const bytes_t tail(answer.begin() + static_cast<std::ptrdiff_t>(cut), answer.end());
    ASSERT_EQ(op.received(head), (action{step::read, {}})) << cut;
    ASSERT_EQ(op.received(tail), session::finish()) << cut;
    EXPECT_EQ(sink.seen.size(), 3U) << cut;
  }
}

TEST_F(request_test, an_error_behind_rows_is_reported) {
  begin();
  const auto answer = packet(columns + row_of_one + error_token(205, 13) + done_token(0x02));
  EXPECT_EQ(op.received(answer), session::finish(errc::server_error));
  ASSERT_NE(op.diag().first_error(), nullptr);
  EXPECT_EQ(op.diag().first_error()->number, 205);
  EXPECT_EQ(op.current(), request::state::idle);
}

TEST_F(request_test, an_error_bit_without_a_message_is_an_error) {
  begin();
  EXPECT_EQ(op.received(packet(done_token(0x02))), session::finish(errc::server_error));
  EXPECT_FALSE(op.diag().detail.empty());
}

TEST_F(request_test, srverror_breaks_the_connection) {
  begin();
  EXPECT_EQ(op.received(packet(done_token(0x00, 0x01))), session::finish(errc::server_fatal));
  EXPECT_TRUE(op.is_broken());
  EXPECT_EQ(op.begin_batch("SELECT 1", sink), session::finish(errc::connection_broken));
}

TEST_F(request_test, severity_20_breaks_the_connection) {
  begin();
  EXPECT_EQ(op.received(packet(error_token(1, 20) + done_token(0x02))), session::finish(errc::server_fatal));
  EXPECT_TRUE(op.is_broken());
}

TEST_F(request_test, a_message_without_a_final_done_is_broken) {
  begin();
  EXPECT_EQ(op.received(packet(columns + row_of_one)), session::finish(errc::incomplete));
  EXPECT_TRUE(op.is_broken());
}

TEST_F(request_test, a_closed_connection_breaks_it) {
  begin();
  EXPECT_EQ(op.received(packet(columns, 0x00)), (action{step::read, {}}));
  EXPECT_EQ(op.closed(errc::server_closed), session::finish(errc::server_closed));
  EXPECT_TRUE(op.is_broken());
}

TEST_F(request_test, only_one_at_a_time) {
  begin();
  EXPECT_EQ(op.begin_batch("SELECT 2", sink), session::finish(errc::operation_in_progress));
}

const bytes_t attention{0x06, 0x01, 0x00, 0x08, 0x00, 0x00, 0x01, 0x00};

TEST_F(request_test, cancel_while_reading_sends_attention_and_drains) {
  begin();
  ASSERT_EQ(op.received(packet(columns + row_of_one, 0x00)), (action{step::read, {}}));
  ASSERT_EQ(op.cancel(errc::operation_canceled), request::cancel_effect::write_now);
  EXPECT_EQ(op.output().data, attention);
  EXPECT_EQ(op.written(), (action{step::read, {}}));
  sink.seen.clear();
  EXPECT_EQ(op.received(packet(row_of_one, 0x00)), (action{step::read, {}}));
  EXPECT_EQ(op.received(packet(row_of_one + done_token(0x20))), session::finish(errc::operation_canceled));
  EXPECT_TRUE(sink.seen.empty()) << "nothing is delivered behind a cancellation";
  EXPECT_EQ(op.current(), request::state::idle);
}

TEST_F(request_test, cancel_confirmed_in_a_message_of_its_own) {
  begin();
  ASSERT_EQ(op.cancel(errc::timed_out), request::cancel_effect::write_now);
  ASSERT_EQ(op.written(), (action{step::read, {}}));
  EXPECT_EQ(op.received(packet(columns + row_of_one + done_token(0x10, 0, 1))), (action{step::read, {}}));
  EXPECT_EQ(op.received(packet(done_token(0x20))), session::finish(errc::timed_out));
  EXPECT_EQ(op.current(), request::state::idle);
}

TEST_F(request_test, both_messages_in_one_read) {
  begin();
  ASSERT_EQ(op.cancel(errc::timed_out), request::cancel_effect::write_now);
  ASSERT_EQ(op.written(), (action{step::read, {}}));
  const auto both = packet(done_token(0x10, 0, 1)) + packet(done_token(0x20));
  EXPECT_EQ(op.received(both), session::finish(errc::timed_out));
}

TEST_F(request_test, cancel_while_writing_waits_for_the_request_to_be_whole) {
  ASSERT_EQ(op.begin_batch("SELECT 1", sink), (action{step::write, {}}));
  ASSERT_EQ(op.cancel(errc::operation_canceled), request::cancel_effect::after_write);
  EXPECT_NE(op.output().data, attention);
  EXPECT_EQ(op.written(), (action{step::write, {}}));
  EXPECT_EQ(op.output().data, attention);
  EXPECT_EQ(op.cancel(errc::timed_out), request::cancel_effect::none) << "the first reason stands";
}

TEST_F(request_test, a_sink_that_has_enough_cancels_and_what_was_read_already_is_drained) {
  begin();
  sink.stop_after = 2;
  const auto answer =
      packet(columns + row_of_one + row_of_one + done_token(0x10, 0, 2)) + packet(done_token(0x20));
  ASSERT_EQ(op.received(answer), (action{step::write, {}}));
  EXPECT_EQ(op.output().data, attention);
  EXPECT_EQ(op.written(), session::finish(errc::operation_canceled));
  EXPECT_EQ(op.current(), request::state::idle);
  sink.stop_after = 1000;
  begin();
  EXPECT_EQ(op.received(packet(done_token(0x00))), session::finish()) << "the next request is not disturbed";
}

TEST_F(request_test, nothing_to_cancel_when_idle) {
  EXPECT_EQ(op.cancel(errc::operation_canceled), request::cancel_effect::none);
}

TEST_F(request_test, environment_changes_are_applied) {
  begin();
  const bytes_t use_db{0xE3, 0x07, 0x00, 0x01, 0x01, 'a', 0, 0x01, 'b', 0};
  EXPECT_EQ(op.received(packet(use_db + done_token(0x00))), session::finish());
  EXPECT_EQ(env.database, "a");
}

// What the server rolled back behind the client's back must not be carried on with.
TEST_F(request_test, a_transaction_is_carried_until_it_ends) {
  const auto descriptor_sent = [this] { return op.output().packet(0)[8 + 10]; };
  begin();
  EXPECT_EQ(descriptor_sent(), 0);
  const bytes_t began{0xE3, 0x0B, 0x00, 0x08, 0x08, 0x2A, 0, 0, 0, 0, 0, 0, 0, 0x00};
  EXPECT_EQ(op.received(packet(began + done_token(0x00))), session::finish());
  begin();
  EXPECT_EQ(descriptor_sent(), 0x2A);
  const bytes_t rolled_back{0xE3, 0x0B, 0x00, 0x0A, 0x00, 0x08, 0x2A, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(op.received(packet(columns + row_of_one + error_token(205, 13) + rolled_back + done_token(0x02))),
            session::finish(errc::server_error));
  EXPECT_EQ(env.transaction, 0U);
  begin();
  EXPECT_EQ(descriptor_sent(), 0);
}

}  // namespace
