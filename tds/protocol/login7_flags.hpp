// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>

#include <cstdint>
#include <string>

namespace tds::protocol {

/// OptionFlags1 of LOGIN7 (MS-TDS 2.2.6.4).
enum class option_flag1 : std::uint8_t {
  byte_order_68000 = 0x01,
  char_ebcdic = 0x02,
  float_vax = 0x04,
  float_nd5000 = 0x08,
  dump_load_off = 0x10,
  use_db_on = 0x20,      ///< the server says when the database changes
  init_db_fatal = 0x40,  ///< no login without the database asked for
  set_lang_on = 0x80,    ///< the server says when the language changes
};

/// OptionFlags2 of LOGIN7. fUserType is the three bits 0x70.
enum class option_flag2 : std::uint8_t {
  init_lang_fatal = 0x01,  ///< no login without the language asked for
  odbc = 0x02,             ///< ANSI defaults, unlimited TEXTSIZE
  tran_boundary = 0x04,    ///< before TDS 7.2
  cache_connect = 0x08,    ///< before TDS 7.2
  user_server = 0x10,
  user_remuser = 0x20,
  user_sqlrepl = 0x30,
  int_security = 0x80,  ///< integrated: SSPI instead of user name and password
};

/// TypeFlags of LOGIN7. fSQLType is the four bits 0x0F.
enum class type_flag : std::uint8_t {
  sql_tsql = 0x01,
  oledb = 0x10,
  read_only_intent = 0x20,
};

/// OptionFlags3 of LOGIN7.
enum class option_flag3 : std::uint8_t {
  change_password = 0x01,
  send_yukon_binary_xml = 0x02,
  user_instance = 0x04,
  unknown_collation_handling = 0x08,
  extension = 0x10,  ///< ibExtension is in use: there may be feature extensions
};

using option_flags1 = bytes::flag_set<option_flag1>;
using option_flags2 = bytes::flag_set<option_flag2>;
using type_flags = bytes::flag_set<type_flag>;
using option_flags3 = bytes::flag_set<option_flag3>;

/// "USE_DB_ON|INIT_DB_FATAL"; bits without a name in hex.
std::string name_of(option_flags1 flags);
std::string name_of(option_flags2 flags);
std::string name_of(type_flags flags);
std::string name_of(option_flags3 flags);

}  // namespace tds::protocol
