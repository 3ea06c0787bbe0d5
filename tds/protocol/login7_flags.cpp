// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/flag_names.hpp>
#include <tds/protocol/login7_flags.hpp>

#include <array>

namespace tds::protocol {
namespace {

using bytes::flag_name;

constexpr std::array names1{
    flag_name<option_flag1>{option_flag1::byte_order_68000, "ORDER_68000"},
    flag_name<option_flag1>{option_flag1::char_ebcdic, "CHARSET_EBCDIC"},
    flag_name<option_flag1>{option_flag1::float_vax, "FLOAT_VAX"},
    flag_name<option_flag1>{option_flag1::float_nd5000, "ND5000"},
    flag_name<option_flag1>{option_flag1::dump_load_off, "DUMPLOAD_OFF"},
    flag_name<option_flag1>{option_flag1::use_db_on, "USE_DB_ON"},
    flag_name<option_flag1>{option_flag1::init_db_fatal, "INIT_DB_FATAL"},
    flag_name<option_flag1>{option_flag1::set_lang_on, "SET_LANG_ON"},
};

// USER_SQLREPL holds the bits of the two user types before it, so it comes first.
constexpr std::array names2{
    flag_name<option_flag2>{option_flag2::init_lang_fatal, "INIT_LANG_FATAL"},
    flag_name<option_flag2>{option_flag2::odbc, "ODBC_ON"},
    flag_name<option_flag2>{option_flag2::tran_boundary, "TRAN_BOUNDARY"},
    flag_name<option_flag2>{option_flag2::cache_connect, "CACHE_CONNECT"},
    flag_name<option_flag2>{option_flag2::user_sqlrepl, "USER_SQLREPL"},
    flag_name<option_flag2>{option_flag2::user_server, "USER_SERVER"},
    flag_name<option_flag2>{option_flag2::user_remuser, "USER_REMUSER"},
    flag_name<option_flag2>{option_flag2::int_security, "INTEGRATED_SECURITY_ON"},
};

constexpr std::array type_names{
    flag_name<type_flag>{type_flag::sql_tsql, "SQL_TSQL"},
    flag_name<type_flag>{type_flag::oledb, "OLEDB_ON"},
    flag_name<type_flag>{type_flag::read_only_intent, "READ_ONLY_INTENT"},
};

constexpr std::array names3{
    flag_name<option_flag3>{option_flag3::change_password, "CHANGE_PASSWORD"},
    flag_name<option_flag3>{option_flag3::send_yukon_binary_xml, "SEND_YUKON_BINARY_XML"},
    flag_name<option_flag3>{option_flag3::user_instance, "USER_INSTANCE"},
    flag_name<option_flag3>{option_flag3::unknown_collation_handling, "UNKNOWN_COLLATION_HANDLING"},
    flag_name<option_flag3>{option_flag3::extension, "EXTENSION"},
};

}  // namespace

std::string name_of(option_flags1 flags) { return bytes::join_flag_names(flags, names1); }
std::string name_of(option_flags2 flags) { return bytes::join_flag_names(flags, names2); }
std::string name_of(type_flags flags) { return bytes::join_flag_names(flags, type_names); }
std::string name_of(option_flags3 flags) { return bytes::join_flag_names(flags, names3); }

}  // namespace tds::protocol
