// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/types/type_info.hpp>
#include <tds/server/sql/lexer.hpp>

#include <cstdint>
#include <optional>

namespace tds::serving {

/// Sizes in characters, 1 to 8000 or 1 to 4000; 0 is max.
protocol::type_info varchar_type(std::uint16_t size, protocol::collation collate);
protocol::type_info nvarchar_type(std::uint16_t size, protocol::collation collate);
protocol::type_info varbinary_type(std::uint16_t size);

/// The form without NULL where there is one: intn of 4 bytes -> int4.
protocol::type_info fixed_form(protocol::type_info type);

bool is_max(const protocol::type_info& type) noexcept;
bool is_character(const protocol::type_info& type) noexcept;
bool is_wide(const protocol::type_info& type) noexcept;    ///< UTF-16
bool is_binary(const protocol::type_info& type) noexcept;  ///< binary, varbinary, image

/// Reads a type as CAST takes it: "int", "decimal(5, 2)", "varchar(max)". Nothing for one not known here, or
/// with a size that it cannot have.
std::optional<protocol::type_info> read_type_name(lexer& in, protocol::collation collate);

}  // namespace tds::serving
