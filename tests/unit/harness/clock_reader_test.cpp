// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/clock_reader.hpp>
#include <tds/protocol/tokens/row.hpp>
#include <tds/protocol/types/calendar.hpp>
#include <tds/protocol/types/make_type.hpp>
#include <tests/support/allocations.hpp>

#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace wiregap;
namespace protocol = tds::protocol;

/// A result of one column, its row as it lies on the wire.
class result {
 public:
  result(protocol::type_info type, const protocol::value& value) {
    auto made = std::make_shared<protocol::colmetadata>();
    made->columns.emplace_back().type = std::move(type);
    columns_ = made;
    tds::bytes::writer to{bytes_};
    EXPECT_TRUE(protocol::write_row(to, *columns_, std::span{&value, 1}));
    bytes_.erase(bytes_.begin());
    scanner_.begin(*columns_, false);
    EXPECT_EQ(scanner_.scan(bytes_, 1000), protocol::scan_state::complete);
  }
  void show_to(clock_reader& reader) const {
    EXPECT_TRUE(reader.on_columns(columns_));
    EXPECT_TRUE(reader.on_row(scanner_.found(bytes_)));
  }

 private:
  protocol::metadata_ptr columns_;
  tds::bytes::buffer bytes_;
  protocol::row_scanner scanner_;
};

result clock_result(std::int32_t days_since_1970, std::uint64_t hundred_ns, std::uint8_t scale = 7) {
  return {
      protocol::make_datetime2(scale),
      protocol::value{protocol::datetime2{{protocol::days_to_1970 + days_since_1970}, {hundred_ns, scale}}}};
}
const result one{protocol::make_int(4), protocol::value{std::int32_t{1}}};

TEST(clock_reader, keeps_the_first_and_the_last_time) {
  clock_reader reader;
  EXPECT_EQ(reader.readings(), std::nullopt);
  const auto begin = clock_result(1, 10);
  const auto end = clock_result(1, 25);
  begin.show_to(reader);
  EXPECT_EQ(reader.readings(), std::nullopt) << "one is not enough";
  one.show_to(reader);
  end.show_to(reader);
  constexpr std::int64_t day = 86'400'000'000'000;
  EXPECT_EQ(reader.readings(), (clock_readings{day + 1000, day + 2500}));
  reader.reset();
  EXPECT_EQ(reader.readings(), std::nullopt);
  end.show_to(reader);
  EXPECT_EQ(reader.readings(), std::nullopt) << "the last batch's time is not this one's";
}

TEST(clock_reader, passes_over_what_is_no_time_of_ours) {
  clock_reader reader;
  one.show_to(reader);
  result{protocol::make_datetime2(7), protocol::value{protocol::null{}}}.show_to(reader);
  clock_result(-protocol::days_to_1970, 0).show_to(reader);  // the year 1 does not fit into nanoseconds
  one.show_to(reader);
  EXPECT_EQ(reader.readings(), std::nullopt);
}

TEST(clock_reader, allocates_nothing) {
  clock_reader reader;
  const auto begin = clock_result(20'000, 10);
  const auto end = clock_result(20'000, 25);
  const auto before = wiregap_test::allocations();
  begin.show_to(reader);
  one.show_to(reader);
  end.show_to(reader);
  EXPECT_EQ(wiregap_test::allocations(), before);
  EXPECT_TRUE(reader.readings().has_value());
}

}  // namespace
