// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/server/answer.hpp>

#include <cstdint>
#include <string_view>

namespace tds::serving {

/// The tables that are always there, without end: SELECT TOP n * FROM one of them gives its first n rows, the
/// same ones every time.
///
///   int_rows     c1 .. c10: int not null; row i (from 0) holds 10 i + 1 .. 10 i + 10
///   mixed_rows   ten columns of ten types; columns 2 to 10 are NULL in turn: column c (from 0) in row i
///   where
///                c > 0 and (i + c) % 11 = 0
///   wide_rows    id int, a nvarchar(2000), b nvarchar(2000): 1000 + i % 1000 characters each
///   sparse_rows  c1 .. c40: int, all NULL but c(i % 40 + 1) = i; sent as NBCROW from TDS 7.3B on
///
/// Adds columns, rows and DONE to `out`. False for a name that is none of these.
bool answer_rowset(std::string_view name, std::uint64_t rows, protocol::collation collate, answer& out);

}  // namespace tds::serving
