// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/protocol/types/type_info.hpp>
#include <tds/protocol/types/value.hpp>
#include <tds/protocol/version.hpp>

#include <string_view>

namespace tds::serving {

/// A value as CAST makes it of another: numbers are rounded to the scale of a decimal and cut for an integer,
/// text is cut to the size of its type, dates and numbers go through their text where SQL Server's rules
/// would, too. errc::bad_value where there is no conversion or the result does not fit.
result<protocol::value> convert(const protocol::value& from, const protocol::type_info& to);

/// What a client of `version` gets in place of a type that came after it: dates and times as nvarchar before
/// 7.3, the max types as text, ntext and image before 7.2, bigint as decimal(19,0) in 7.0. `type` itself
/// where there is nothing to replace.
protocol::type_info type_for(const protocol::type_info& type, protocol::tds_version version);

}  // namespace tds::serving
