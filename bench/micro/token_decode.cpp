// SPDX-License-Identifier: BSL-1.0
// How fast does a result decode, by the shape of its rows? Payload bytes are fed as a connection feeds them,
// a packet at a time, and every cell is looked at; `allocs` is by row. Views only: the *_values cases also
// decode the numbers of each row.
#include <bench/micro/allocations.hpp>
#include <tds/protocol/tokens/token_stream.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace tds::protocol;
using tds::bytes::buffer;
using tds::bytes::byte_span;
using tds::bytes::writer;

constexpr std::size_t packet_payload = 4096 - 8;

struct result_set {
  buffer bytes{};
  std::size_t rows{};
};

column make_column(const char* name, data_type type, length_kind length, std::uint32_t size) {
  column col;
  col.name = tds::bytes::ucs2_string{std::string_view{name}};
  col.flags = column_flag::nullable;
  col.type.type = type;
  col.type.length = length;
  col.type.max_length = size;
  col.type.precision = 18;
  col.type.scale = 4;
  col.type.collate = default_collation;
  col.type.has_collation = true;
  return col;
}

using row_writer = std::function<void(writer&, const colmetadata&, std::size_t)>;

result_set make_result(const std::vector<column>& columns, std::size_t rows, const row_writer& write) {
  result_set result{{}, rows};
  colmetadata metadata{false, columns};
  writer out{result.bytes};
  (void)write_colmetadata(out, metadata, tds_version::v7_4);
  for (std::size_t i = 0; i < rows; ++i) write(out, metadata, i);
  write_done(out, {token_type::done, done_status::count, 0xC1, rows}, tds_version::v7_4);
  return result;
}

// Rows of the same values but for their first column.
row_writer rows_of(std::vector<value> values, bool compressed = false) {
  return [values = std::move(values), compressed](writer& out, const colmetadata& metadata,
                                                  std::size_t i) mutable {
    values[0] = static_cast<std::int32_t>(i);
    (compressed ? write_nbcrow : write_row)(out, metadata, values).value();
  };
}

result_set ints() {
  std::vector<column> columns(4, make_column("n", data_type::intn, length_kind::byte, 4));
  return make_result(columns, 20'000, rows_of(std::vector<value>(4, std::int32_t{123'456'789})));
}

std::vector<column> ten_columns() {
  return {make_column("id", data_type::intn, length_kind::byte, 4),
          make_column("total", data_type::intn, length_kind::byte, 8),
          make_column("name", data_type::nvarchar, length_kind::ushort, 100),
          make_column("code", data_type::bigvarchar, length_kind::ushort, 50),
          make_column("price", data_type::decimaln, length_kind::byte, 9),
          make_column("ratio", data_type::fltn, length_kind::byte, 8),
          make_column("active", data_type::bitn, length_kind::byte, 1),
          make_column("changed", data_type::datetime2n, length_kind::byte, 7),
          make_column("key", data_type::guid, length_kind::byte, 16),
          make_column("hash", data_type::bigvarbinary, length_kind::ushort, 64)};
}

std::vector<value> ten_values() {
  return {std::int32_t{1},
          std::int64_t{123'456'789'012},
          text{"Ada Lovelace, London", false},
          text{"SKU-0001-ABCDEF", false},
          decimal{12'345'678, 0, false, 18, 4},
          3.25,
          true,
          datetime2{{738'000}, {1'234'567'000, 4}},
          guid{},
          binary{std::vector<std::uint8_t>(20, 0x5A)}};
}

result_set ten_mixed() { return make_result(ten_columns(), 10'000, rows_of(ten_values())); }

// Half of the columns are NULL.
result_set ten_compressed() {
  std::vector<value> values = ten_values();
  for (std::size_t i = 1; i < values.size(); i += 2) values[i] = null{};
  return make_result(ten_columns(), 20'000, rows_of(std::move(values), true));
}

result_set wide_strings() {
  std::vector<column> columns(4, make_column("s", data_type::nvarchar, length_kind::ushort, 8000));
  columns[0] = make_column("id", data_type::intn, length_kind::byte, 4);
  std::vector<value> values(4, text{std::string(1000, 'x'), false});
  return make_result(columns, 500, rows_of(std::move(values)));
}

result_set plp_megabyte() {
  std::vector<column> columns{make_column("id", data_type::intn, length_kind::byte, 4),
                              make_column("b", data_type::bigvarbinary, length_kind::plp, 0xFFFF)};
  return make_result(columns, 4, rows_of({std::int32_t{0}, binary{std::vector<std::uint8_t>(1U << 20U, 1)}}));
}

// Touches each cell: its size and its first byte.
std::size_t touch(const row& values) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const raw_value cell = values[i];
    if (!cell.is_null() && !cell.bytes.empty()) sum += cell.bytes.size() + cell.bytes[0];
  }
  return sum;
}

template <class Look>
void run(benchmark::State& state, const result_set& result, std::size_t piece, Look&& look) {
  token_stream stream{tds_version::v7_4};
  token out;
  std::size_t rows = 0;
  const auto once = [&] {
    stream.begin_message();
    const byte_span payload = result.bytes;
    for (std::size_t at = 0; at < payload.size(); at += piece) {
      stream.feed(payload.subspan(at, std::min(piece, payload.size() - at)));
      while (stream.next(out) == token_stream::state::token) {
        if (const auto* values = std::get_if<row>(&out)) {
          benchmark::DoNotOptimize(look(*values));
          ++rows;
        }
      }
    }
  };
  once();  // the buffer and the metadata are there from now on
  rows = 0;
  const std::size_t before = bench::allocations();
  for (auto _ : state) once();
  const std::size_t made = bench::allocations() - before;
  if (rows != result.rows * static_cast<std::size_t>(state.iterations()))
    state.SkipWithError("rows are missing");
  state.SetBytesProcessed(static_cast<std::int64_t>(result.bytes.size()) * state.iterations());
  state.SetItemsProcessed(static_cast<std::int64_t>(rows));
  state.counters["allocs"] = static_cast<double>(made) / static_cast<double>(rows);
}

void views(benchmark::State& state, result_set (*make)()) { run(state, make(), packet_payload, touch); }

void views_at_once(benchmark::State& state, result_set (*make)()) {
  const result_set result = make();
  run(state, result, result.bytes.size(), touch);
}

void values(benchmark::State& state, result_set (*make)()) {
  run(state, make(), packet_payload, [](const row& r) {
    return static_cast<double>(get<std::int32_t>(r[0]).value()) +
           static_cast<double>(get<std::int64_t>(r[1]).value()) +
           static_cast<double>(get<decimal>(r[4]).value().low) + get<double>(r[5]).value();
  });
}

// COLMETADATA, ROW, DONE of SELECT 1: what a probe reads again and again.
void select_1(benchmark::State& state) {
  run(state,
      make_result({make_column("", data_type::intn, length_kind::byte, 4)}, 1, rows_of({std::int32_t{1}})),
      packet_payload, touch);
}

BENCHMARK_CAPTURE(views, ints, ints);
BENCHMARK_CAPTURE(views, ten_mixed, ten_mixed);
BENCHMARK_CAPTURE(views_at_once, ten_mixed, ten_mixed);
BENCHMARK_CAPTURE(values, ten_mixed, ten_mixed);
BENCHMARK_CAPTURE(views, ten_nbcrow, ten_compressed);
BENCHMARK_CAPTURE(views, wide_strings, wide_strings);
BENCHMARK_CAPTURE(views, plp_1mb, plp_megabyte);
BENCHMARK(select_1);

}  // namespace
