// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/connect.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using wire::diagnose::cause;
using wire::diagnose::confidence;
using wire::diagnose::diagnose_connect;
using wire::diagnose::figure;
using wire::diagnose::finding;
using wire::diagnose::remedy;
using wire::exchange::address_attempt;
using wire::exchange::connection_timing;
using outcome = address_attempt::outcome;
using std::chrono::nanoseconds;

/// An address that answered within a round trip.
address_attempt answered(nanoseconds took, const char* address = "10.0.0.8:1433") {
  return {address, 0, outcome::connected, {}, took, 0};
}

/// A connection over a path of this round trip, with nothing wrong.
connection_timing healthy(nanoseconds trip) {
  connection_timing of;
  of.resolve = trip / 2 + 3ms;
  of.tcp_connect = trip;
  of.prelogin = trip + 1ms;
  of.tls = 3 * trip + 4ms;
  of.login = 2 * trip + 6ms;
  of.total = 8 * trip + 14ms;
  of.lookups = 1;
  of.attempts = {answered(trip)};
  of.round_trip = trip;
  of.sent_again = 0;
  return of;
}

finding only(const connection_timing& of) {
  const auto found = diagnose_connect(of);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? finding{} : found.front();
}

/// What every finding of this phase keeps.
void check_form(const finding& of) {
  EXPECT_TRUE(is_connect_phase(of.cause));
  EXPECT_EQ(layer_name(of), "connect");
  EXPECT_EQ(of.layers, wire::exchange::layer_set{});
  EXPECT_EQ(of.count, 0U);
  EXPECT_FALSE(of.summary.empty());
  EXPECT_FALSE(of.evidence.empty());
  EXPECT_FALSE(of.excluded.empty());
  for (const auto system : {remedy::system::windows_os, remedy::system::linux_os}) {
    EXPECT_TRUE(std::ranges::any_of(of.remedies, [system](const remedy& one) {
      return one.on == system && !one.command.empty();
    })) << name_of(system);
  }
}

auto line(const char* words) { return Contains(Field(&figure::text, HasSubstr(words))); }
auto command(const char* words) { return Contains(Field(&remedy::command, HasSubstr(words))); }

TEST(DiagnoseConnect, AHealthyConnectionHasNoFinding) {
  for (const auto trip : {nanoseconds{40us}, nanoseconds{1ms}, nanoseconds{80ms}, nanoseconds{300ms}}) {
    EXPECT_TRUE(diagnose_connect(healthy(trip)).empty()) << trip.count();
  }
  EXPECT_TRUE(diagnose_connect({}).empty());
}

TEST(DiagnoseConnect, ALoginOverALongPathIsNoSlowLogin) {
  auto of = healthy(300ms);
  of.tls = 1100ms;
  of.login = 900ms;
  EXPECT_TRUE(diagnose_connect(of).empty());
  of.round_trip.reset();  // TCP's own handshake says it as well
  EXPECT_TRUE(diagnose_connect(of).empty());
}

TEST(DiagnoseConnect, ALostQueryOfGlibc) {
  auto of = healthy(1ms);
  of.resolve = 5012ms;
  const auto f = only(of);
  check_form(f);
  EXPECT_EQ(f.cause, cause::resolver);
  EXPECT_EQ(f.confidence, confidence::likely);
  EXPECT_EQ(f.lost, 5012ms);
  EXPECT_THAT(f.evidence, line("every 5 s"));
  EXPECT_THAT(f.remedies, command("single-request-reopen"));
  EXPECT_THAT(f.remedies, command("Set-DnsClientServerAddress"));
}

TEST(DiagnoseConnect, ALostQueryOfWindows) {
  for (const auto took : {1030ms, 2005ms, 4100ms}) {
    auto of = healthy(1ms);
    of.resolve = took;
    EXPECT_THAT(only(of).evidence, line("after 1, 2 and 4 s")) << took.count();
  }
}

TEST(DiagnoseConnect, ASlowNameServerKeepsToNoTimer) {
  auto of = healthy(1ms);
  of.resolve = 700ms;
  const auto f = only(of);
  EXPECT_EQ(f.cause, cause::resolver);
  EXPECT_EQ(f.evidence.size(), 1U);
  of.resolve = 480ms;
  EXPECT_TRUE(diagnose_connect(of).empty());
}

TEST(DiagnoseConnect, ASynThatTcpCountedIsProved) {
  auto of = healthy(80ms);
  of.attempts = {answered(3080ms)};
  of.attempts[0].syns_again = 2;
  of.tcp_connect = 3080ms;
  const auto f = only(of);
  check_form(f);
  EXPECT_EQ(f.cause, cause::syn_loss);
  EXPECT_EQ(f.confidence, confidence::proved);
  EXPECT_EQ(f.lost, 3s);
  EXPECT_THAT(f.evidence, line("SYN sent 3 times"));
  EXPECT_THAT(f.remedies, command("InitialRtoMs"));
}

TEST(DiagnoseConnect, WithoutACountASynsTimersMakeItLikely) {
  for (const auto took : {1001ms, 3020ms, 7100ms}) {
    auto of = healthy(1ms);
    of.attempts = {answered(took)};
    of.attempts[0].syns_again.reset();
    const auto f = only(of);
    EXPECT_EQ(f.cause, cause::syn_loss) << took.count();
    EXPECT_EQ(f.confidence, confidence::likely);
  }
}

TEST(DiagnoseConnect, ASlowHandshakeOfTcpWithoutASynSentAgainIsNoLoss) {
  auto of = healthy(1001ms);
  of.resolve.reset();
  of.prelogin = of.tls = of.login = 1100ms;
  EXPECT_TRUE(diagnose_connect(of).empty());
}

TEST(DiagnoseConnect, ADeadFirstAddressIsNamed) {
  auto of = healthy(1ms);
  auto second = answered(1ms);
  second.began = 250ms;
  of.attempts = {{"10.0.0.7:1433", 0, outcome::silent, {}, 251ms, 0}, second};
  of.tcp_connect = 251ms;
  const auto f = only(of);
  check_form(f);
  EXPECT_EQ(f.cause, cause::dead_address);
  EXPECT_EQ(f.confidence, confidence::likely);
  EXPECT_EQ(f.lost, 250ms);
  EXPECT_THAT(f.summary, HasSubstr("10.0.0.7:1433"));
  EXPECT_THAT(f.evidence, line("10.0.0.8:1433, tried 250 ms later, answered in 1.00 ms"));
  EXPECT_THAT(f.remedies, command("Test-NetConnection 10.0.0.7 -Port 1433"));
  EXPECT_THAT(f.remedies, command("MultiSubnetFailover=True"));
  EXPECT_THAT(f.remedies, command("TransparentNetworkIPResolution=False"));
}

TEST(DiagnoseConnect, ADeadAddressIsProvedBySeveralSynsOrByTheNetwork) {
  auto of = healthy(1ms);
  auto second = answered(1ms, "[fd00::8]:1433");
  second.began = 3100ms;
  of.attempts = {{"[fd00::7]:1433", 0, outcome::silent, {}, 3101ms, 2}, second};
  auto f = only(of);
  EXPECT_EQ(f.confidence, confidence::proved);
  EXPECT_THAT(f.evidence, line("3 SYNs"));
  EXPECT_THAT(f.remedies, command("nc -vz -w 3 fd00::7 1433"));
  of.attempts[0] = {"[fd00::7]:1433", 0, outcome::failed, {}, 3070ms, 0};
  f = only(of);
  EXPECT_EQ(f.cause, cause::dead_address);
  EXPECT_EQ(f.confidence, confidence::proved);
}

TEST(DiagnoseConnect, AnAddressThatRefusesAtOnceOrIsTriedBesideCostsNothing) {
  auto of = healthy(1ms);
  auto second = answered(1ms);
  second.began = 60us;
  of.attempts = {{"[::1]:1433", 0, outcome::refused, {}, 50us, 0}, second};
  EXPECT_TRUE(diagnose_connect(of).empty());
  // All at once, and the second was nearer.
  of.attempts = {{"10.0.0.7:1433", 0, outcome::silent, {}, 1ms, 0}, answered(1ms)};
  EXPECT_TRUE(diagnose_connect(of).empty());
  // The first was the one that answered; the second was only tried because it was far.
  of = healthy(300ms);
  of.attempts.push_back({"10.0.0.7:1433", 0, outcome::silent, 250ms, 50ms, 0});
  EXPECT_TRUE(diagnose_connect(of).empty());
}

TEST(DiagnoseConnect, EachDialHasItsOwnWinner) {
  auto of = healthy(1ms);
  auto redirected = answered(1ms, "10.0.1.9:11000");
  redirected.dial = 1;
  redirected.began = 250ms;
  of.attempts = {answered(1ms), {"10.0.1.8:11000", 1, outcome::silent, {}, 251ms, 0}, redirected};
  const auto f = only(of);
  EXPECT_EQ(f.cause, cause::dead_address);
  EXPECT_THAT(f.summary, HasSubstr("10.0.1.8:11000"));
}

TEST(DiagnoseConnect, ASlowTlsHandshake) {
  auto of = healthy(1ms);
  of.tls = 15s;
  const auto f = only(of);
  check_form(f);
  EXPECT_EQ(f.cause, cause::tls_handshake);
  EXPECT_EQ(f.confidence, confidence::likely);
  EXPECT_EQ(f.lost, 15s - 4ms);
  EXPECT_THAT(f.remedies, command("certutil -verify -urlfetch"));
}

TEST(DiagnoseConnect, ASlowLoginAndASlowPrelogin) {
  auto of = healthy(1ms);
  of.login = 2s;
  auto f = only(of);
  check_form(f);
  EXPECT_EQ(f.cause, cause::login);
  EXPECT_THAT(f.summary, HasSubstr("over the login"));
  EXPECT_THAT(f.remedies, command("RING_BUFFER_CONNECTIVITY"));
  of = healthy(1ms);
  of.prelogin = 2s;
  f = only(of);
  EXPECT_EQ(f.cause, cause::login);
  EXPECT_THAT(f.summary, HasSubstr("PRELOGIN"));
}

TEST(DiagnoseConnect, LossMeanwhileMakesASlowLoginOnlyPossible) {
  auto of = healthy(1ms);
  of.login = 2s;
  of.sent_again = 3;
  const auto f = only(of);
  EXPECT_EQ(f.confidence, confidence::possible);
  EXPECT_THAT(f.evidence, line("3 segments sent again"));
  of.sent_again.reset();  // nobody counted
  EXPECT_EQ(only(of).confidence, confidence::likely);
}

TEST(DiagnoseConnect, SeveralAtOnceTheLongestFirst) {
  auto of = healthy(1ms);
  of.resolve = 5s;
  of.login = 9s;
  of.attempts[0].took = 1001ms;
  of.attempts[0].syns_again = 1;
  const auto found = diagnose_connect(of);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].cause, cause::login);
  EXPECT_EQ(found[1].cause, cause::resolver);
  EXPECT_EQ(found[2].cause, cause::syn_loss);
}

TEST(DiagnoseConnect, TheBadLimitDecidesWhatIsSlow) {
  auto of = healthy(1ms);
  of.login = 2s;
  EXPECT_TRUE(diagnose_connect(of, {20ms, 3s}).empty());
  EXPECT_EQ(diagnose_connect(of, {20ms, 50ms}).size(), 1U);
  of.login = 100ms;
  EXPECT_TRUE(diagnose_connect(of, {20ms, 50ms}).empty());
}

}  // namespace
