// SPDX-License-Identifier: BSL-1.0
#include "tests/unit/session/server_conversation.hpp"

#include <gtest/gtest.h>

namespace tds::session {
namespace {

using state = server_session::state;

bytes::byte_span span_of(const std::vector<std::uint8_t>& bytes) { return bytes; }

const std::string done = "FD 00 00 00 00 00 00 00 00 00 00 00 00";
const std::string done_error = "FD 02 00 00 00 00 00 00 00 00 00 00 00";

void answer(conversation& c, const std::string& tokens) {
  c.session.begin_answer();
  c.session.append(span_of(wiregap_test::from_hex(tokens)));
  c.session.end_answer();
}

TEST(server_session, a_batch_and_its_answer) {
  conversation c;
  c.log_in();
  ASSERT_EQ(c.give_file("vectors/06_sql_batch_client_request.hex"), server_event::batch);
  EXPECT_EQ(c.session.batch().sql.utf8(), "\nselect 'foo' as 'bar'\n        ");
  EXPECT_EQ(c.session.batch().wire_bytes, 92U);
  EXPECT_EQ(c.session.batch().packets, 1U);
  EXPECT_FALSE(c.session.batch().reset);
  EXPECT_EQ(c.session.current(), state::answering);
  answer(c, done);
  EXPECT_EQ(c.out(), "04 01 00 15 00 33 01 00 " + done);
  EXPECT_EQ(c.session.current(), state::ready);
  EXPECT_EQ(c.session.next(), server_event::need_more);
}

TEST(server_session, an_answer_is_put_into_packets_of_the_agreed_size) {
  conversation c;
  auto login = wiregap_test::load_hex("vectors/02_login_request.hex");
  login[16] = 0;
  login[17] = 2;  // 512
  ASSERT_EQ(c.give(login), server_event::login);
  c.session.accept_login();
  (void)c.out();
  ASSERT_EQ(c.give(select_1), server_event::batch);
  c.session.begin_answer();
  c.session.append(span_of(std::vector<std::uint8_t>(600, 0xAA)));
  EXPECT_EQ(c.session.output().count(), 1U);  // the first is on its way while the rest is made
  EXPECT_EQ(c.session.output().packet(0).size(), 512U);
  c.session.append(span_of(std::vector<std::uint8_t>(1, 0xBB)));
  c.session.flush_packet();
  EXPECT_EQ(c.session.output().count(), 2U);
  c.session.end_answer();
  EXPECT_EQ(c.session.output().count(), 3U);
  EXPECT_TRUE(c.out().ends_with("04 01 00 08 00 33 03 00"));
}

TEST(server_session, attention_when_nothing_is_under_way_is_confirmed) {
  conversation c;
  c.log_in();
  ASSERT_EQ(c.give(attention), server_event::attention);
  c.session.confirm_attention();
  EXPECT_EQ(c.out(), confirmation);
  EXPECT_EQ(c.session.current(), state::ready);
}

TEST(server_session, attention_ends_the_answer_under_way_and_is_confirmed_in_the_next_message) {
  conversation c;
  c.log_in();
  ASSERT_EQ(c.give(select_1), server_event::batch);
  c.session.begin_answer();
  c.session.append(span_of(wiregap_test::from_hex("79 01 00 00 00")));
  ASSERT_EQ(c.give(attention), server_event::attention);
  c.session.confirm_attention();
  EXPECT_EQ(c.out(),
            "04 01 00 1A 00 33 01 00 79 01 00 00 00 FD 02 00 00 00 00 00 00 00 00 00 00 00 " + confirmation);
  EXPECT_EQ(c.session.current(), state::ready);
}

TEST(server_session, attention_behind_the_request_in_one_read) {
  conversation c;
  c.log_in();
  ASSERT_EQ(c.give(select_1 + ' ' + attention), server_event::batch);
  c.session.begin_answer();
  ASSERT_EQ(c.session.next(), server_event::attention);
  c.session.confirm_attention();
  EXPECT_EQ(c.out(), "04 01 00 15 00 33 01 00 FD 02 00 00 00 00 00 00 00 00 00 00 00 " + confirmation);
}

TEST(server_session, another_request_waits_behind_the_answer) {
  conversation c;
  c.log_in();
  ASSERT_EQ(c.give(select_1 + ' ' + select_1 + ' ' + attention), server_event::batch);
  c.session.begin_answer();
  EXPECT_EQ(c.session.next(), server_event::blocked);
  EXPECT_EQ(c.session.next(), server_event::blocked);
  c.session.append(span_of(wiregap_test::from_hex(done)));
  c.session.end_answer();
  EXPECT_EQ(c.session.next(), server_event::batch);
  EXPECT_EQ(c.session.batch().sql.utf8(), "SELECT 1");
  answer(c, done);
  EXPECT_EQ(c.session.next(), server_event::attention);
}

TEST(server_session, other_requests_get_an_error_and_the_session_goes_on) {
  struct row {
    const char* request;
    const char* text;
    const char* end;
  };
  const row rows[] = {
      {"03 01 00 0A 00 00 01 00 AB CD", "Remote procedure calls are not supported by this server.", "FE"},
      {"07 01 00 0A 00 00 01 00 AB CD", "Bulk load is not supported by this server.", "FD"},
      {"0E 01 00 0A 00 00 01 00 AB CD", "Transaction manager requests are not supported by this server.",
       "FD"},
  };
  for (const auto& r : rows) {
    conversation c;
    c.log_in();
    ASSERT_EQ(c.give(r.request), server_event::send) << r.text;
    const std::string out = c.out();
    EXPECT_NE(out.find("50 C3 00 00 01 10"), std::string::npos) << out;  // 50000, state 1, class 16
    EXPECT_NE(out.find(wide(r.text)), std::string::npos) << out;
    EXPECT_TRUE(out.ends_with(std::string{r.end} + " 02 00 00 00 00 00 00 00 00 00 00 00")) << out;
    EXPECT_EQ(c.give(select_1), server_event::batch);
  }
}

TEST(server_session, a_withdrawn_request_gets_one_done_with_error) {
  conversation c;
  c.log_in();
  ASSERT_EQ(c.give("01 03 00 0A 00 00 01 00 41 00"), server_event::send);
  EXPECT_EQ(c.out(), "04 01 00 15 00 33 01 00 " + done_error);
  EXPECT_EQ(c.session.current(), state::ready);
}

TEST(server_session, a_batch_above_the_limit_is_dropped_and_answered) {
  server_profile small;
  small.max_request_bytes = 37;  // SELECT 1 has 38
  conversation c{small};
  c.log_in();
  ASSERT_EQ(c.give(select_1), server_event::send);
  EXPECT_NE(c.out().find(wide("The batch is larger than this server takes.")), std::string::npos);
  small.max_request_bytes = 38;
  conversation fits{small};
  fits.log_in();
  EXPECT_EQ(fits.give(select_1), server_event::batch);
}

TEST(server_session, a_reset_is_carried_out_and_confirmed_before_the_answer) {
  conversation c;
  c.log_in();
  c.session.environment().database = "other";
  c.session.environment().transaction = 7;
  auto batch = wiregap_test::from_hex(select_1);
  batch[1] = 0x09;
  ASSERT_EQ(c.give(batch), server_event::batch);
  EXPECT_TRUE(c.session.batch().reset);
  answer(c, done);
  EXPECT_EQ(c.out(), joined({"04 01 00 37 00 33 01 00", "E3 19 00 01 06", wide("master"), "05", wide("other"),
                             "E3 03 00 12 00 00", done}));
  EXPECT_EQ(c.session.environment().database, "master");
  EXPECT_EQ(c.session.environment().transaction, 0U);
  ASSERT_EQ(c.give(select_1), server_event::batch);
  answer(c, done);
  EXPECT_EQ(c.out(), "04 01 00 15 00 33 01 00 " + done);
}

TEST(server_session, a_reset_may_keep_the_transaction) {
  conversation c;
  c.log_in();
  c.session.environment().transaction = 7;
  auto batch = wiregap_test::from_hex(select_1);
  batch[1] = 0x11;
  ASSERT_EQ(c.give(batch), server_event::batch);
  EXPECT_TRUE(c.session.batch().keep_transaction);
  answer(c, done);
  EXPECT_EQ(c.session.environment().transaction, 7U);
}

// MS-TDS 2.2.3.1.3: from 7.3 on a packet that is not the last has the negotiated size.
TEST(server_session, a_short_packet_that_is_not_the_last_ends_the_connection) {
  conversation c;
  c.log_in();
  EXPECT_EQ(c.give("01 00 00 0A 00 00 01 00 16 00"), server_event::failed);
  EXPECT_EQ(c.session.error().code, errc::bad_packet_header);
  EXPECT_TRUE(c.session.closing());
}

TEST(server_session, a_packet_above_the_negotiated_size_ends_the_connection) {
  conversation c;
  c.log_in();
  EXPECT_EQ(c.give("01 01 10 01"), server_event::failed);
  EXPECT_EQ(c.session.error().code, errc::packet_too_large);
}

TEST(server_session, a_batch_that_is_none_ends_the_connection) {
  for (const char* wrong : {"01 01 00 0A 00 00 01 00 FF FF",              // ALL_HEADERS cut off
                            "01 01 00 0D 00 00 01 00 04 00 00 00 41"}) {  // half a character
    conversation c;
    c.log_in();
    EXPECT_EQ(c.give(wrong), server_event::failed) << wrong;
  }
  conversation again;
  again.log_in();
  EXPECT_EQ(again.give("12 01 00 08 00 00 01 00"), server_event::failed);  // PRELOGIN after the login
}

TEST(server_session, recorded_batches_are_read) {
  for (const char* name : {"recordings/tedious_queries_batches.hex", "recordings/freetds_7.4_batches.hex"}) {
    conversation c;
    c.log_in();
    server_event event = c.give_file(name);
    int batches = 0;
    for (; event == server_event::batch; event = c.session.next()) {
      EXPECT_FALSE(c.session.batch().sql.empty());
      answer(c, done);
      ++batches;
    }
    EXPECT_EQ(event, server_event::need_more) << name << ": " << c.session.error().explain();
    EXPECT_GE(batches, 13) << name;
  }
}

TEST(server_session, names) {
  EXPECT_EQ(name_of(server_event::start_tls), "start_tls");
  EXPECT_EQ(name_of(state::judging_login), "judging_login");
}

}  // namespace
}  // namespace tds::session
