// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/types/type_info.hpp>

#include <cstdint>

namespace tds::protocol {

// TYPE_INFO of a column by its SQL type, for the embedded server and for tests. They do not check their
// arguments: a length above 8000, a scale above 7 or a precision above 38 makes a type that read_type_info
// refuses.

/// A type without a length field, which cannot hold NULL: int1, bit, int2, int4, int8, flt4, flt8, money,
/// money4, datetime, datetime4; also null_.
type_info make_fixed(data_type type);

type_info make_bit();
/// tinyint, smallint, int, bigint by their 1, 2, 4 or 8 bytes.
type_info make_int(std::uint8_t bytes);
/// real (4) and float (8).
type_info make_float(std::uint8_t bytes);
/// smallmoney (4) and money (8).
type_info make_money(std::uint8_t bytes = 8);
type_info make_decimal(std::uint8_t precision, std::uint8_t scale);
type_info make_numeric(std::uint8_t precision, std::uint8_t scale);

type_info make_date();
type_info make_time(std::uint8_t scale = 7);
type_info make_datetime();
type_info make_smalldatetime();
type_info make_datetime2(std::uint8_t scale = 7);
type_info make_datetimeoffset(std::uint8_t scale = 7);

type_info make_guid();

/// Lengths in bytes.
type_info make_char(std::uint16_t bytes, collation collate = default_collation);
type_info make_varchar(std::uint16_t bytes, collation collate = default_collation);
type_info make_varchar_max(collation collate = default_collation);
/// Lengths in UTF-16 code units (4000 at most).
type_info make_nchar(std::uint16_t units, collation collate = default_collation);
type_info make_nvarchar(std::uint16_t units, collation collate = default_collation);
type_info make_nvarchar_max(collation collate = default_collation);
type_info make_text(collation collate = default_collation);
type_info make_ntext(collation collate = default_collation);
type_info make_xml();
type_info make_json();

type_info make_binary(std::uint16_t bytes);
type_info make_varbinary(std::uint16_t bytes);
type_info make_varbinary_max();
type_info make_image();
type_info make_udt(udt_info info);
/// A vector of float32 (1998 elements at most).
type_info make_vector(std::uint16_t dimensions);
type_info make_variant();

}  // namespace tds::protocol
