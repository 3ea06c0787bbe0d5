// SPDX-License-Identifier: BSL-1.0
#include <wire/clock/stamp.hpp>
#include <wire/clock/wall_clock.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using wire::clock::between;
using wire::clock::stamp;

TEST(Stamp, IsUnknownUntilTaken) {
  EXPECT_FALSE(stamp{}.known());
  EXPECT_TRUE(stamp::now().known());
  EXPECT_TRUE(stamp{std::int64_t{0}}.known());
  EXPECT_LT(stamp{}, stamp{std::int64_t{-1}});
}

TEST(Stamp, AnIntervalNeedsBothEnds) {
  EXPECT_EQ(between(stamp{std::int64_t{5}}, stamp{std::int64_t{9}}), 4ns);
  EXPECT_EQ(between(stamp{std::int64_t{9}}, stamp{std::int64_t{5}}), -4ns);
  EXPECT_FALSE(between(stamp{}, stamp::now()));
  EXPECT_FALSE(between(stamp::now(), stamp{}));
}

TEST(Stamp, KeepsTheMoment) {
  const auto now = std::chrono::steady_clock::now();
  EXPECT_EQ(stamp{now}.time_point(), now);
}

TEST(Anchor, MapsStampsToTheWallClock) {
  const wire::clock::wall_time noon{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1} + 12h};
  const wire::clock::anchor at_noon{stamp{std::int64_t{1'000'000'000}}, noon};
  EXPECT_EQ(at_noon.at(stamp{std::int64_t{2'500'000'000}}), noon + 1500ms);
  EXPECT_EQ(wire::clock::iso_8601(at_noon.at(stamp{std::int64_t{1'512'900'000}})),
            "2026-03-01T12:00:00.512Z");
}

TEST(Anchor, TakenNowAgreesWithTheWallClock) {
  const auto before = std::chrono::system_clock::now();
  const auto now = wire::clock::anchor::take().at(stamp::now());
  EXPECT_LT(before - now, 1min);
  EXPECT_LT(now - before, 1min);
}

TEST(TimeOfDay, HasMilliseconds) {
  // The hour is the time zone's; minutes of all zones are a multiple of 15.
  EXPECT_THAT(wire::clock::time_of_day(wire::clock::wall_time{} + 7s + 89ms),
              ::testing::MatchesRegex("[0-2][0-9]:[0-5][05]:07\\.089"));
}

}  // namespace
