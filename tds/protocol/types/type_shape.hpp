// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/types/type_info.hpp>

#include <cstdint>
#include <optional>

namespace tds::protocol {

/// What stands between the type byte and the end of TYPE_INFO.
enum class type_tail : std::uint8_t {
  nothing,      ///< the size is the type's own
  byte_length,  ///< BYTELEN
  decimal,      ///< BYTELEN PRECISION SCALE
  scale,        ///< SCALE
  characters,   ///< USHORTLEN COLLATION
  binary,       ///< USHORTLEN
  vector,       ///< USHORTLEN SCALE
  variant,      ///< LONGLEN
  long_text,    ///< LONGLEN COLLATION
  long_binary,  ///< LONGLEN
  xml,          ///< XML_INFO
  udt,          ///< UDT_INFO
};

struct type_shape {
  type_tail rest{type_tail::nothing};
  length_kind length{length_kind::fixed};
  std::uint8_t size{};  ///< fixed types and daten: bytes of a value
};

/// The shape of a type; nothing for a type that MS-TDS does not name. varchar(max), varbinary(max) and
/// nvarchar(max) have the shape of their in-row form: only max_length tells them apart.
std::optional<type_shape> shape_of(data_type type) noexcept;

/// Bytes of a time(scale): 3,3,3,4,4,5,5,5 for 0..7 (MS-TDS 2.2.5.5.1.8).
std::uint8_t size_of_time(std::uint8_t scale) noexcept;
/// Bytes of a timen, datetime2n or datetimeoffsetn of that scale.
std::uint8_t size_of_scaled(data_type type, std::uint8_t scale) noexcept;
/// Bytes of a decimal or numeric of that precision, its sign included: 5, 9, 13 or 17 (MS-TDS 2.2.5.5.1.6).
std::uint8_t size_of_decimal(std::uint8_t precision) noexcept;

}  // namespace tds::protocol
